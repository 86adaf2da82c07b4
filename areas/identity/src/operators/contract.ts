// The wire contract of the console. The only file of the slice a browser may import.

import { endpoint } from "@clockwork/kit/endpoint";
import { PROPOSAL_REFUSALS, ProposalMade } from "@clockwork/kit/proposal-state";
import { type Static, Type } from "typebox";
import { REFUSALS } from "./refusals.ts";

const Role = Type.Enum(["admin", "kyc-reviewer", "auditor", "editor", "support", "compliance"]);

export const Me = Type.Object({
  user: Type.String(),
  /** By which operators distinguish each other; the email address until an administrator has set one. */
  name: Type.String(),
  roles: Type.Array(Role),
  /** Names such as content.edit; slices have their own. */
  permissions: Type.Array(Type.String()),
  /** Those it may read under: its own, and nearly all for auditors. */
  readable: Type.Array(Type.String()),
  /** Without an authenticator the console is empty. */
  hasTotp: Type.Boolean(),
  /** A second factor was proved in this session within a working day. */
  isProved: Type.Boolean(),
  /** When a second factor was last proved in this session; 0 for never. */
  provedAtMs: Type.Integer(),
});
export type Me = Static<typeof Me>;

export const OperatorList = Type.Object({
  operators: Type.Array(
    Type.Object({ user: Type.String(), name: Type.String(), hasTotp: Type.Boolean(), roles: Type.Array(Role) }),
  ),
});
export type OperatorList = Static<typeof OperatorList>;

const UserNumber = Type.String({ minLength: 1, maxLength: 12, pattern: "^[0-9]+$" });

/** `clientId` identifies the intent: a repeat proposes nothing more. */
export const GrantBody = Type.Object({
  account: Type.String({ minLength: 3, maxLength: 254 }),
  role: Role,
  clientId: Type.String({ pattern: "^[A-Za-z0-9_-]{8,64}$", maxLength: 64 }),
});
export const GrantPayload = Type.Object({ user: UserNumber, role: Role }, { additionalProperties: false });
export const RevokeBody = Type.Object({ user: UserNumber, role: Role });

export const OPERATOR_NAME_LENGTH_MAX = 40;
export const NameBody = Type.Object({
  user: UserNumber,
  name: Type.String({ minLength: 2, maxLength: OPERATOR_NAME_LENGTH_MAX, pattern: "^\\S(.*\\S)?$" }),
});

export const AuditQuery = Type.Object({
  before: Type.Optional(Type.Integer({ minimum: 1, maximum: 9_007_199_254_740_991 })),
  operator: Type.Optional(UserNumber),
  /** The first part of an action's name, or all of it. */
  action: Type.Optional(Type.String({ maxLength: 40, pattern: "^[a-z][a-z.-]*$" })),
  /** What an action was about: a user's number, a market, a proposal. */
  subject: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
});
export const AuditPage = Type.Object({
  rows: Type.Array(
    Type.Object({
      id: Type.Integer(),
      operator: Type.String(),
      operatorName: Type.String(),
      action: Type.String(),
      subject: Type.String(),
      detail: Type.String(),
      address: Type.String(),
      atMs: Type.Integer(),
    }),
  ),
  nextBefore: Type.Union([Type.Integer(), Type.Null()]),
  /** The first row that differs from what was written; null while the log is intact. */
  tamperedAt: Type.Union([Type.Integer(), Type.Null()]),
});
export type AuditPage = Static<typeof AuditPage>;

export const OPERATOR_CALLS = {
  me: endpoint("GET", "/v2/operators/me", { output: Me, refusals: REFUSALS }),
  list: endpoint("GET", "/v2/operators/list", { output: OperatorList, refusals: REFUSALS }),
  grant: endpoint("POST", "/v2/operators/grant", {
    body: GrantBody,
    output: ProposalMade,
    refusals: { ...PROPOSAL_REFUSALS, ...REFUSALS },
  }),
  revoke: endpoint("POST", "/v2/operators/revoke", { body: RevokeBody, output: Type.Null(), refusals: REFUSALS }),
  rename: endpoint("POST", "/v2/operators/name", { body: NameBody, output: Type.Null(), refusals: REFUSALS }),
  audit: endpoint("GET", "/v2/operators/audit", { query: AuditQuery, output: AuditPage, refusals: REFUSALS }),
};
