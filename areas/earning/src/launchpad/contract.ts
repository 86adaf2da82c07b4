// The wire contract of launches: projects, rounds, repeatable draws, and participation. Amounts are exact decimal text,
// times UTC milliseconds. The only file of the slice a browser may import.
import { endpoint } from "@clockwork/kit/endpoint";
import { CLIENT_ID_LENGTH_MAX, CLIENT_ID_PATTERN } from "@clockwork/kit/intent/client-id";
import { PROPOSAL_REFUSALS, ProposalMade } from "@clockwork/kit/proposal-state";
import { type Static, Type } from "typebox";
import { REFUSALS } from "./refusals.ts";

const DecimalText = Type.String();
const AmountText = Type.String({ pattern: "^(0|[1-9][0-9]{0,23})(\\.[0-9]{1,18})?$", maxLength: 44 });
const Name = Type.String({ pattern: "^[a-z0-9][a-z0-9-]{0,39}$", maxLength: 40 });
const OrNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) => Type.Union([schema, Type.Null()]);

export const LAUNCH_STATES = [
  "UPCOMING",
  "PREHEAT",
  "SUBSCRIBE",
  "CALCULATING",
  "PAY",
  "DISTRIBUTED",
  "CANCELLED",
] as const;
export type LaunchState = (typeof LAUNCH_STATES)[number];
export const ORDER_STATES = ["QUEUED", "WON", "LOST", "PAID", "CANCELLED", "TIMEOUT", "REFUNDED"] as const;

export const LaunchRound = Type.Object({
  roundId: Type.String(),
  number: Type.Integer(),
  kind: Type.Enum(["lottery", "subscription", "flash"]),
  state: Type.Enum(LAUNCH_STATES),
  /** Of a lottery: SHA-256 of the seed it is drawn with. */
  promise: OrNull(Type.String()),
  stock: DecimalText,
  lot: DecimalText,
  /** Of a subscription: the maximum per user. */
  cap: OrNull(DecimalText),
  ticketsMax: Type.Integer(),
  ticketUnit: DecimalText,
  snapshotDays: Type.Integer(),
  preheatAtMs: Type.Integer(),
  opensAtMs: Type.Integer(),
  closesAtMs: Type.Integer(),
  /** When winners are drawn or shares computed. */
  drawAtMs: Type.Integer(),
  payUntilMs: Type.Integer(),
  people: Type.Integer(),
  tickets: Type.Integer(),
  winners: Type.Integer(),
  paid: Type.Integer(),
  committed: DecimalText,
  /** Of a flash sale: what is neither reserved nor bought; null elsewhere. */
  left: OrNull(DecimalText),
  /** Unsold coins returned to the exchange; null before that. */
  returned: OrNull(DecimalText),
});
export type LaunchRound = Static<typeof LaunchRound>;
export const LaunchProject = Type.Object({
  projectId: Type.String(),
  name: Type.String(),
  asset: Type.String(),
  summary: Type.String(),
  supply: DecimalText,
  price: DecimalText,
  forSale: DecimalText,
  raiseMost: DecimalText,
  vestFirstPercent: Type.Integer(),
  vestDays: Type.Integer(),
  announcedAtMs: Type.Integer(),
  listingAtMs: Type.Integer(),
  state: Type.Enum(LAUNCH_STATES),
  rounds: Type.Array(LaunchRound),
  isSimulated: Type.Boolean(),
  /** When this was read. */
  timeMs: Type.Integer(),
});
export type LaunchProject = Static<typeof LaunchProject>;
export const LaunchProjects = Type.Object({ projects: Type.Array(LaunchProject), timeMs: Type.Integer() });
export type LaunchProjects = Static<typeof LaunchProjects>;
export const IdQuery = Type.Object({ id: Name });
/** Everything needed to repeat the draw. Nulls until known; the server seed is hidden until the draw. */
export const LaunchDraw = Type.Object({
  roundId: Type.String(),
  promise: Type.String(),
  serverSeed: OrNull(Type.String()),
  root: OrNull(Type.String()),
  publicSeed: OrNull(Type.String()),
  seed: OrNull(Type.String()),
  closeSequence: Type.Integer(),
  /** The first seed that was journalled after the close; the public seed is made of it and its place. */
  journal: OrNull(
    Type.Object({
      number: Type.Integer(),
      sinceSequence: Type.Integer(),
      untilSequence: Type.Integer(),
      seed: Type.String(),
    }),
  ),
  winnersMax: Type.Integer(),
  ranges: Type.Array(Type.Object({ holder: Type.String(), count: Type.Integer() })),
  winners: Type.Array(Type.Integer()),
});
export type LaunchDraw = Static<typeof LaunchDraw>;

export const JoinBody = Type.Object(
  {
    roundId: Name,
    /** Of a subscription: USDT to commit; more may follow. */
    amount: Type.Optional(AmountText),
    clientId: Type.Optional(Type.String({ pattern: CLIENT_ID_PATTERN, maxLength: CLIENT_ID_LENGTH_MAX })),
    /** Pays for winning tickets automatically, as soon as the money is there. */
    autoPay: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);
export type JoinBody = Static<typeof JoinBody>;
export const BuyBody = Type.Object({ roundId: Name }, { additionalProperties: false });
export const OrderBody = Type.Object(
  { orderId: Type.String({ pattern: "^[0-9a-f]{16}$", maxLength: 16 }) },
  { additionalProperties: false },
);
export const StopBody = Type.Object(
  {
    projectId: Name,
    reason: Type.String({ minLength: 1, maxLength: 200, pattern: "\\S" }),
    clientId: Type.String({ pattern: "^[A-Za-z0-9_-]{8,64}$", maxLength: 64 }),
  },
  { additionalProperties: false },
);
export const StopPayload = Type.Object(
  { projectId: Name, reason: Type.String({ minLength: 1, maxLength: 200, pattern: "\\S" }) },
  { additionalProperties: false },
);
export type StopPayload = Static<typeof StopPayload>;

export const LaunchOrder = Type.Object({
  orderId: Type.String(),
  roundId: Type.String(),
  state: Type.Enum(ORDER_STATES),
  /** In line while queued; the drawn place of a ticket. */
  place: Type.Integer(),
  amount: DecimalText,
  cost: DecimalText,
  released: DecimalText,
  untilMs: Type.Integer(),
});
export type LaunchOrder = Static<typeof LaunchOrder>;
export const LaunchOwn = Type.Object({
  projectId: Type.String(),
  /** The mark on this user's tickets; no other user can attribute it. */
  holder: Type.String(),
  snapshots: Type.Array(Type.Object({ day: Type.Integer(), amount: DecimalText })),
  entries: Type.Array(
    Type.Object({
      roundId: Type.String(),
      tickets: Type.Integer(),
      firstTicket: Type.Integer(),
      committed: DecimalText,
      isAuto: Type.Boolean(),
    }),
  ),
  orders: Type.Array(LaunchOrder),
  timeMs: Type.Integer(),
});
export type LaunchOwn = Static<typeof LaunchOwn>;

export const LAUNCH_CALLS = {
  projects: endpoint("GET", "/open/seckill/projects", { output: LaunchProjects }),
  project: endpoint("GET", "/open/seckill/project", { query: IdQuery, output: LaunchProject, refusals: REFUSALS }),
  draw: endpoint("GET", "/open/seckill/draw", { query: IdQuery, output: LaunchDraw, refusals: REFUSALS }),
  join: endpoint("POST", "/seckill/join", { body: JoinBody, output: LaunchOwn, refusals: REFUSALS }),
  buy: endpoint("POST", "/seckill/buy", { body: BuyBody, output: LaunchOrder, refusals: REFUSALS }),
  status: endpoint("GET", "/seckill/status", { query: IdQuery, output: LaunchOwn, refusals: REFUSALS }),
  pay: endpoint("POST", "/seckill/pay", { body: OrderBody, output: LaunchOrder, refusals: REFUSALS }),
  cancel: endpoint("POST", "/seckill/cancel", { body: OrderBody, output: LaunchOrder, refusals: REFUSALS }),
  stop: endpoint("POST", "/v1/console/launchpad/stop", {
    body: StopBody,
    output: ProposalMade,
    refusals: { ...PROPOSAL_REFUSALS, ...REFUSALS },
  }),
};
