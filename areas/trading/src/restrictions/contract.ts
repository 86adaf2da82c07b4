// The wire contract of restricting a user, signing them out, resetting their second factor and requesting documents. The
// only file of the slice a browser may import.
import { endpoint } from "@clockwork/kit/endpoint";
import { PROPOSAL_REFUSALS, ProposalMade } from "@clockwork/kit/proposal-state";
import { type Static, Type } from "typebox";
import { REFUSALS } from "./refusals.ts";

export const RESTRICT_PERMISSION = "people.restrict";

/**
 * signIn: no sign-in, every session ended, API keys refused. trading: no new orders in any account. transfers: nothing
 * leaves any account. withdrawals: no withdrawal and no send to another user.
 */
export const RESTRICTION_PARTS = ["signIn", "trading", "transfers", "withdrawals"] as const;
export type RestrictionPart = (typeof RESTRICTION_PARTS)[number];

const UserNumber = Type.String({ pattern: "^[1-9][0-9]{8,9}$", maxLength: 10 });
const Part = Type.Enum([...RESTRICTION_PARTS]);
const Parts = Type.Array(Part, { minItems: 1, maxItems: 4, uniqueItems: true });
const Reason = Type.String({ minLength: 10, maxLength: 300, pattern: "\\S" });
const ClientId = Type.String({ pattern: "^[A-Za-z0-9_-]{8,64}$", maxLength: 64 });
const body = <T extends Parameters<typeof Type.Object>[0]>(shape: T) =>
  Type.Object(shape, { additionalProperties: false });

export const Restriction = Type.Object({
  user: Type.String(),
  part: Part,
  reason: Type.String(),
  by: Type.String(),
  setAtMs: Type.Integer(),
  /** False for the moment until every account of the user has it. */
  isApplied: Type.Boolean(),
});
export type Restriction = Static<typeof Restriction>;
export const Restrictions = Type.Object({
  restrictions: Type.Array(Restriction),
  nextBefore: Type.Union([Type.Integer(), Type.Null()]),
});
export type Restrictions = Static<typeof Restrictions>;

export const RestrictionsQuery = Type.Object({
  user: Type.Optional(UserNumber),
  part: Type.Optional(Part),
  before: Type.Optional(Type.Integer({ minimum: 1, maximum: 8_640_000_000_000_000 })),
});
export const SetBody = body({ user: UserNumber, parts: Parts, reason: Reason });
export const LiftBody = body({ user: UserNumber, parts: Parts, reason: Reason, clientId: ClientId });
/** `setMs` identifies what is lifted: an approval does not lift a later restriction. */
export const LiftPayload = body({
  user: UserNumber,
  parts: Type.Array(body({ part: Part, setMs: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }) }), {
    minItems: 1,
    maxItems: 4,
  }),
  reason: Reason,
});
export type LiftPayload = Static<typeof LiftPayload>;

export const SignOutBody = body({ user: UserNumber, reason: Reason });
export const ResetBody = body({ user: UserNumber, reason: Reason, clientId: ClientId });
export const ResetPayload = body({ user: UserNumber, reason: Reason });
export type ResetPayload = Static<typeof ResetPayload>;
export const DocumentsBody = body({
  user: UserNumber,
  /** What the user reads: which documents, and why. */
  message: Type.String({ minLength: 10, maxLength: 1_000, pattern: "\\S" }),
  reason: Reason,
});

const proposing = { ...PROPOSAL_REFUSALS, ...REFUSALS };
export const RESTRICTION_CALLS = {
  list: endpoint("GET", "/v2/operators/restrictions", { query: RestrictionsQuery, output: Restrictions }),
  set: endpoint("POST", "/v2/operators/restrictions/set", { body: SetBody, output: Type.Null(), refusals: REFUSALS }),
  lift: endpoint("POST", "/v2/operators/restrictions/lift", {
    body: LiftBody,
    output: ProposalMade,
    refusals: proposing,
  }),
  signOut: endpoint("POST", "/v2/operators/people/sign-out", {
    body: SignOutBody,
    output: Type.Null(),
    refusals: REFUSALS,
  }),
  resetFactor: endpoint("POST", "/v2/operators/people/reset-factor", {
    body: ResetBody,
    output: ProposalMade,
    refusals: proposing,
  }),
  requestDocuments: endpoint("POST", "/v2/operators/people/request-documents", {
    body: DocumentsBody,
    output: Type.Null(),
    refusals: REFUSALS,
  }),
};
