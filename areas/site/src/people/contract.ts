// The wire contract of the console's search and of the page of one person. The only file of the slice a browser may
// import. A section of the page has the shape of the user's own call: operators see what the user sees.
import { CUSTODY_CALLS } from "@clockwork/custody/custody/contract";
import { WITHDRAW_CALLS } from "@clockwork/custody/withdrawals/contract";
import { EARN_CALLS } from "@clockwork/earning/earn/contract";
import { OTC_ORDER_CALLS } from "@clockwork/fiat/otcorders/contract";
import { INVITE_CALLS } from "@clockwork/growth/invite/contract";
import { VIP_CALLS } from "@clockwork/growth/vip/contract";
import { API_KEY_CALLS } from "@clockwork/identity/apikeys/contract";
import { SESSION_CALLS } from "@clockwork/identity/sessions/contract";
import { type Endpoint, type EndpointBase, endpoint } from "@clockwork/kit/endpoint";
import { LETTER_CALLS } from "@clockwork/messaging/letters/contract";
import { FUTURES_CALLS } from "@clockwork/trading/futures/contract";
import { POSITION_CALLS } from "@clockwork/trading/positions/contract";
import { SPOT_CALLS } from "@clockwork/trading/spot/contract";
import { WALLET_CALLS } from "@clockwork/trading/wallet/contract";
import { type Static, Type } from "typebox";
import { REFUSALS } from "./refusals.ts";

const OrNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) => Type.Union([schema, Type.Null()]);
const UserNumber = Type.String({ pattern: "^[1-9][0-9]{8,9}$", maxLength: 10 });
const Reason = Type.String({ minLength: 10, maxLength: 300, pattern: "\\S" });

export const PEOPLE_PERMISSION = "people.read";
export const REVEAL_PERMISSION = "people.reveal";

// The search

export const SEARCH_LENGTH_MIN = 4;
export const SearchBody = Type.Object(
  { query: Type.String({ minLength: SEARCH_LENGTH_MIN, maxLength: 120, pattern: "\\S" }) },
  { additionalProperties: false },
);
export const HIT_KINDS = ["user", "order", "withdrawal", "deposit", "address", "ticket", "proposal", "otc"] as const;
export const Hit = Type.Object({
  kind: Type.Enum([...HIT_KINDS]),
  id: Type.String(),
  /** Masked where it is personal. */
  detail: Type.String(),
  /** The user it belongs to; null where it belongs to none. */
  user: OrNull(Type.String()),
});
export type Hit = Static<typeof Hit>;
export const Hits = Type.Object({ hits: Type.Array(Hit) });
export type Hits = Static<typeof Hits>;

// One person

export const PersonParams = Type.Object({ user: UserNumber });
export const PersonHead = Type.Object({
  user: Type.String(),
  nickname: Type.String(),
  avatar: Type.Integer(),
  /** Masked; `reveal` shows them. */
  email: OrNull(Type.String()),
  phone: OrNull(Type.String()),
  country: Type.String(),
  role: Type.String(),
  status: Type.Enum(["active", "frozen"]),
  createdAtMs: Type.Integer(),
  /** The last use of a session that is still open; null without one. */
  seenAtMs: OrNull(Type.Integer()),
  invitedBy: OrNull(Type.String()),
  identity: Type.Object({
    level: Type.Integer(),
    state: Type.String(),
    reason: Type.String(),
    submittedAtMs: OrNull(Type.Integer()),
  }),
  vipLevel: Type.Integer(),
  hasTotp: Type.Boolean(),
  hasPasskeys: Type.Boolean(),
  hasTradePassword: Type.Boolean(),
  /** Why withdrawals are suspended, by rule or by an operator. */
  locks: Type.Array(Type.Object({ cause: Type.String(), endsAtMs: Type.Integer() })),
  /** Over every wallet. */
  equityUsdt: Type.String(),
  /** Of credited deposits and of withdrawals over networks, in USDT at the time; null while too many to count. */
  depositedUsdt: OrNull(Type.String()),
  withdrawnUsdt: OrNull(Type.String()),
});
export type PersonHead = Static<typeof PersonHead>;

export const PeopleQuery = Type.Object({
  before: Type.Optional(Type.Integer({ minimum: 1, maximum: 8_640_000_000_000_000 })),
  status: Type.Optional(Type.Enum(["active", "frozen"])),
  country: Type.Optional(Type.String({ pattern: "^[A-Z]{2}$", maxLength: 2 })),
});
export const PersonRow = Type.Object({
  user: Type.String(),
  nickname: Type.String(),
  /** Masked. */
  contact: Type.String(),
  country: Type.String(),
  role: Type.String(),
  status: Type.String(),
  createdAtMs: Type.Integer(),
});
export type PersonRow = Static<typeof PersonRow>;
export const People = Type.Object({ people: Type.Array(PersonRow), nextBefore: OrNull(Type.Integer()) });
export type People = Static<typeof People>;

export const RevealBody = Type.Object({ user: UserNumber, reason: Reason }, { additionalProperties: false });
export const Revealed = Type.Object({
  email: OrNull(Type.String()),
  phone: OrNull(Type.String()),
  /** Of the newest identity details; empty where none are stored. */
  name: Type.String(),
  birthDate: Type.String(),
  document: Type.String(),
  address: Type.String(),
});
export type Revealed = Static<typeof Revealed>;

export const Notes = Type.Object({
  notes: Type.Array(Type.Object({ id: Type.Integer(), by: Type.String(), text: Type.String(), atMs: Type.Integer() })),
});
export type Notes = Static<typeof Notes>;
export const NoteBody = Type.Object(
  { user: UserNumber, text: Type.String({ minLength: 1, maxLength: 1_000, pattern: "\\S" }) },
  { additionalProperties: false },
);

export const PEOPLE_CALLS = {
  search: endpoint("POST", "/v2/operators/search", { body: SearchBody, output: Hits, refusals: REFUSALS }),
  list: endpoint("GET", "/v2/operators/people", { query: PeopleQuery, output: People, refusals: REFUSALS }),
  head: endpoint("GET", "/v2/operators/people/:user", {
    params: PersonParams,
    output: PersonHead,
    refusals: REFUSALS,
  }),
  reveal: endpoint("POST", "/v2/operators/people/reveal", { body: RevealBody, output: Revealed, refusals: REFUSALS }),
  notes: endpoint("GET", "/v2/operators/people/:user/notes", {
    params: PersonParams,
    output: Notes,
    refusals: REFUSALS,
  }),
  addNote: endpoint("POST", "/v2/operators/people/notes/add", { body: NoteBody, output: Notes, refusals: REFUSALS }),
};

/** A call of the user's own and the same for an operator, by the user's number. */
export interface Section<Query = unknown, Body = unknown, Output = unknown> {
  readonly own: Endpoint<Query, unknown, Body, Output>;
  readonly base: EndpointBase;
  readonly called: Endpoint<Query, typeof PersonParams, Body, Output, keyof typeof REFUSALS>;
}

function section<Query, Body, Output>(
  name: string,
  own: Endpoint<Query, unknown, Body, Output>,
  base: EndpointBase = "spot",
): Section<Query, Body, Output> {
  const { schemas } = own;
  const path = `/v2/operators/people/:user/${name}`;
  const called =
    schemas === undefined
      ? endpoint<Query, typeof PersonParams, Body, Output, keyof typeof REFUSALS>(own.method, path)
      : endpoint(own.method, path, {
          params: PersonParams,
          output: schemas.output,
          refusals: REFUSALS,
          ...(schemas.query === undefined ? {} : { query: schemas.query }),
          ...(schemas.body === undefined ? {} : { body: schemas.body }),
        });
  return { own, base, called };
}

export const PERSON_SECTIONS = {
  balances: section("balances", WALLET_CALLS.accounts),
  bills: section("bills", WALLET_CALLS.bills),
  deposits: section("deposits", CUSTODY_CALLS.deposits),
  withdrawals: section("withdrawals", WITHDRAW_CALLS.list),
  addresses: section("addresses", WITHDRAW_CALLS.addresses),
  limits: section("limits", WITHDRAW_CALLS.limits),
  spotOrders: section("spot-orders", SPOT_CALLS.orders),
  spotFills: section("spot-fills", SPOT_CALLS.fills),
  futuresOrders: section("futures-orders", FUTURES_CALLS.orders, "futures"),
  futuresFills: section("futures-fills", FUTURES_CALLS.fills, "futures"),
  positions: section("positions", POSITION_CALLS.list, "futures"),
  devices: section("devices", SESSION_CALLS.devices),
  activity: section("activity", SESSION_CALLS.activity),
  keys: section("keys", API_KEY_CALLS.list),
  letters: section("letters", LETTER_CALLS.list),
  otc: section("otc", OTC_ORDER_CALLS.list),
  earn: section("earn", EARN_CALLS.holdings),
  vip: section("vip", VIP_CALLS.standing),
  invite: section("invite", INVITE_CALLS.profile),
};
