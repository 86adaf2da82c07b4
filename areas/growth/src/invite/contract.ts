// The wire contract of invitations: schemas and types. The only file of the slice a browser may import.
import { endpoint } from "@clockwork/kit/endpoint";
import { CLIENT_ID_LENGTH_MAX, CLIENT_ID_PATTERN } from "@clockwork/kit/intent/client-id";
import { PROPOSAL_REFUSALS, ProposalMade } from "@clockwork/kit/proposal-state";
import { type Static, Type } from "typebox";
import { DESK_REFUSALS, REFUSALS } from "./refusals.ts";

const Percent = Type.Integer({ minimum: 0, maximum: 20 });
const Code = Type.String({ minLength: 4, maxLength: 32, pattern: "^[A-Za-z0-9]+$" });
const Name = Type.String({ minLength: 1, maxLength: 30, pattern: "^[^\\u0000-\\u001f<>]+$" });

export const InviteRate = Type.Object({
  /** Of the net fee of the invited user. */
  sharedPercent: Type.Integer(),
  /** Of the net fee of users invited by those. */
  secondPercent: Type.Integer(),
  linksMax: Type.Integer(),
});
export type InviteRate = Static<typeof InviteRate>;

export const InviteLink = Type.Object({
  code: Type.String(),
  name: Type.String(),
  /** The share of new friends of this link; the rest of the shared part is the owner's. */
  friendPercent: Percent,
  isDefault: Type.Boolean(),
  friends: Type.Integer(),
  createdAtMs: Type.Integer(),
});
export type InviteLink = Static<typeof InviteLink>;

export const InviteProfile = Type.Object({
  rate: InviteRate,
  /** The default one first. */
  links: Type.Array(InviteLink),
  invited: Type.Integer(),
  /** Of them, those who paid fees in thirty days. */
  traded: Type.Integer(),
  allTimeUsdt: Type.String(),
  /** Thirty full days and today. */
  days: Type.Array(Type.Object({ dayMs: Type.Integer(), usdt: Type.String() })),
  monthUsdt: Type.String(),
  monthFeesUsdt: Type.String(),
  /** The caller's own fees returned, in total. */
  ownBackUsdt: Type.String(),
  isNamed: Type.Boolean(),
});
export type InviteProfile = Static<typeof InviteProfile>;

export const DetailQuery = Type.Object({
  days: Type.Optional(Type.Integer({ minimum: 1, maximum: 365 })),
  cursor: Type.Optional(Type.String({ maxLength: 40, pattern: "^[0-9]+\\.[0-9]+$" })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
});
export type DetailQuery = Static<typeof DetailQuery>;

export const FRIEND_STATES = ["signedUp", "verified", "trading", "void"] as const;
export const InviteDetail = Type.Object({
  friends: Type.Array(
    Type.Object({
      /** The name, masked for friends. */
      friend: Type.String(),
      joinedAtMs: Type.Integer(),
      state: Type.Enum([...FRIEND_STATES]),
      code: Type.String(),
      friendPercent: Percent,
      feesUsdt: Type.String(),
      ownerUsdt: Type.String(),
      friendUsdt: Type.String(),
    }),
  ),
  total: Type.Integer(),
  nextCursor: Type.Union([Type.String(), Type.Null()]),
});
export type InviteDetail = Static<typeof InviteDetail>;

const RankingRow = Type.Object({
  place: Type.Integer(),
  name: Type.String(),
  usdt: Type.String(),
  isCaller: Type.Boolean(),
});
export const InviteRanking = Type.Object({
  weekFromMs: Type.Integer(),
  closesAtMs: Type.Integer(),
  /** The exchange's time of this response. */
  timeMs: Type.Integer(),
  rows: Type.Array(RankingRow),
  /** The caller's own row with the one behind, when it is not among the first. */
  near: Type.Array(RankingRow),
});
export type InviteRanking = Static<typeof InviteRanking>;

export const InviteRecommendation = Type.Object({
  code: Type.String(),
  /** A path of this site; the address before it is where the page was opened. */
  path: Type.String(),
  title: Type.String(),
  text: Type.String(),
});
export type InviteRecommendation = Static<typeof InviteRecommendation>;

export const LinkBody = Type.Object(
  {
    name: Name,
    friendPercent: Percent,
    clientId: Type.String({ pattern: CLIENT_ID_PATTERN, maxLength: CLIENT_ID_LENGTH_MAX }),
  },
  { additionalProperties: false },
);
export type LinkBody = Static<typeof LinkBody>;

export const LinkChangeBody = Type.Object(
  { code: Code, name: Type.Optional(Name), friendPercent: Type.Optional(Percent) },
  { additionalProperties: false },
);
export type LinkChangeBody = Static<typeof LinkChangeBody>;

export const NamedBody = Type.Object({ isNamed: Type.Boolean() }, { additionalProperties: false });

const UserNumber = Type.String({ maxLength: 10, pattern: "^[1-9][0-9]{0,9}$" });
const JUDGE = {
  user: UserNumber,
  /** The inviter gains by it, and so may neither propose nor approve. */
  inviter: UserNumber,
  counts: Type.Boolean(),
  reason: Type.String({ minLength: 3, maxLength: 200, pattern: "\\S" }),
};
export const JudgePayload = Type.Object(JUDGE, { additionalProperties: false });
export type JudgePayload = Static<typeof JudgePayload>;
export const JudgeBody = Type.Object(
  { ...JUDGE, clientId: Type.String({ pattern: CLIENT_ID_PATTERN, maxLength: CLIENT_ID_LENGTH_MAX }) },
  { additionalProperties: false },
);

export const JudgedFriends = Type.Object({
  friends: Type.Array(
    Type.Object({
      user: Type.String(),
      inviter: Type.String(),
      name: Type.String(),
      inviterName: Type.String(),
      joinedAtMs: Type.Integer(),
      counts: Type.Boolean(),
      /** Why nothing is paid: `self`, `ring` or `operator`; otherwise empty. */
      reason: Type.String(),
      /** The accounts that prove it: at the same device, or those that close a ring. */
      through: Type.Array(Type.String()),
      /** When operators released it. */
      releasedAtMs: Type.Union([Type.Integer(), Type.Null()]),
    }),
  ),
});
export type JudgedFriends = Static<typeof JudgedFriends>;

/** The target of a code. */
export function invitePath(code: string): string {
  return `/register?inviteCode=${encodeURIComponent(code)}`;
}

export const INVITE_CALLS = {
  rate: endpoint("GET", "/v1/common/invite/rate", { output: InviteRate }),
  profile: endpoint("GET", "/v1/common/invite/profile", { output: InviteProfile }),
  detail: endpoint("GET", "/v1/common/invite/detail", { query: DetailQuery, output: InviteDetail }),
  ranking: endpoint("GET", "/v1/common/invite/ranking", { output: InviteRanking }),
  recommendation: endpoint("GET", "/v1/common/invite/recommendation", {
    output: InviteRecommendation,
    refusals: REFUSALS,
  }),
  links: endpoint("POST", "/v1/common/invite/links", { body: LinkBody, output: InviteLink, refusals: REFUSALS }),
  change: endpoint("POST", "/v1/common/invite/links/change", {
    body: LinkChangeBody,
    output: InviteLink,
    refusals: REFUSALS,
  }),
  named: endpoint("POST", "/v1/common/invite/named", {
    body: NamedBody,
    output: Type.Object({ isNamed: Type.Boolean() }),
  }),
};

export const INVITE_CONSOLE_CALLS = {
  friends: endpoint("GET", "/v1/console/invite/friends", { output: JudgedFriends }),
  judge: endpoint("POST", "/v1/console/invite/judge", {
    body: JudgeBody,
    output: ProposalMade,
    refusals: { ...PROPOSAL_REFUSALS, ...DESK_REFUSALS },
  }),
};
