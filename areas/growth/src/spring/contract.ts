// The wire contract of spring cards: the activity, one's own cards and draws with everything needed to draw them again.
// The only file of the slice a browser may import. Amounts are exact decimal text in USDT.
import { endpoint } from "@clockwork/kit/endpoint";
import { PROPOSAL_REFUSALS, ProposalMade } from "@clockwork/kit/proposal-state";
import { type Static, Type } from "typebox";
import { DESK_REFUSALS, REFUSALS } from "./refusals.ts";

/** Five parts of a movement; ticket 1 draws the first of them. */
export const CARDS = ["wheel", "pallet", "balance", "mainspring", "hand"] as const;
export type Card = (typeof CARDS)[number];

const DecimalText = Type.String();
const OrNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) => Type.Union([schema, Type.Null()]);

/**
 * The id of a button press, in the body or query: the same id is the same draw. Omitted, every call is another draw.
 */
export const Intent = Type.Object({
  clientId: Type.Optional(Type.String({ pattern: "^[A-Za-z0-9_-]{8,64}$", maxLength: 64 })),
});

export const SpringState = Type.Object({
  activity: OrNull(
    Type.Object({
      activityId: Type.String(),
      name: Type.String(),
      startsAtMs: Type.Integer(),
      endsAtMs: Type.Integer(),
      isOpen: Type.Boolean(),
      isSimulated: Type.Boolean(),
      /** The funding of prizes, and the rest of it. */
      pool: DecimalText,
      left: DecimalText,
      volumePerDraw: DecimalText,
      drawsPerDayMax: Type.Integer(),
      /** `count` of all tickets win `amount`. */
      prizes: Type.Array(Type.Object({ count: Type.Integer(), amount: DecimalText })),
      /** SHA-256 of the seed behind today's draws, published before the first draw. */
      promise: Type.String(),
    }),
  ),
  /** For a signed-in user. */
  own: OrNull(
    Type.Object({
      cards: Type.Array(Type.Object({ card: Type.Enum([...CARDS]), held: Type.Integer() })),
      drawsLeft: Type.Integer(),
      drawsUsed: Type.Integer(),
      volumeToday: DecimalText,
      /** Whole sets: each is one draw of a prize. */
      movements: Type.Integer(),
      won: DecimalText,
    }),
  ),
});
export type SpringState = Static<typeof SpringState>;

/** The fields of a published draw; the server seed follows when its day is over. */
export const SpringDraw = Type.Object({
  drawId: Type.String(),
  what: Type.Enum(["card", "movement"]),
  /** PENDING waits a moment for a public seed. */
  state: Type.Enum(["PENDING", "DRAWN"]),
  card: OrNull(Type.Enum([...CARDS])),
  prize: OrNull(DecimalText),
  madeAtMs: Type.Integer(),
  promise: Type.String(),
  serverSeed: OrNull(Type.String()),
  root: Type.String(),
  publicSeed: OrNull(Type.String()),
  closeSequence: Type.Integer(),
  /** The first seed journalled after the draw was requested; the public seed is derived from it and its position. */
  journal: OrNull(
    Type.Object({
      number: Type.Integer(),
      sinceSequence: Type.Integer(),
      untilSequence: Type.Integer(),
      seed: Type.String(),
    }),
  ),
  seed: OrNull(Type.String()),
  winnersMax: Type.Integer(),
  ranges: Type.Array(Type.Object({ holder: Type.String(), count: Type.Integer() })),
  winners: Type.Array(Type.Integer()),
});
export type SpringDraw = Static<typeof SpringDraw>;
export const SpringDraws = Type.Object({ draws: Type.Array(SpringDraw) });
export type SpringDraws = Static<typeof SpringDraws>;

const exact = { additionalProperties: false } as const;
const Id = Type.String({ pattern: "^[a-z0-9][a-z0-9-]{0,39}$", maxLength: 40 });
const Amount = Type.String({ pattern: "^(0|[1-9][0-9]{0,11})(\\.[0-9]{1,6})?$", maxLength: 19 });
const Instant = Type.Integer({ minimum: 0, maximum: 8_640_000_000_000_000 });

export const ActivityPayload = Type.Object(
  {
    activityId: Id,
    /** The campaign that pays the prizes. */
    campaignId: Id,
    name: Type.String({ minLength: 1, maxLength: 60, pattern: "\\S" }),
    startsAtMs: Instant,
    endsAtMs: Instant,
    /** Turnover for one more draw of the day. */
    volumePerDraw: Amount,
    drawsPerDayMax: Type.Integer({ minimum: 1, maximum: 100 }),
    /** `count` tickets of a movement's draw win `amount` USDT. */
    prizes: Type.Array(Type.Object({ count: Type.Integer({ minimum: 1, maximum: 1_000 }), amount: Amount }, exact), {
      minItems: 1,
      maxItems: 10,
    }),
  },
  exact,
);
export type ActivityPayload = Static<typeof ActivityPayload>;
export const ActivityBody = Type.Object(
  {
    ...ActivityPayload.properties,
    clientId: Type.String({ pattern: "^[A-Za-z0-9_-]{8,64}$", maxLength: 64 }),
  },
  exact,
);
export const ActivityOpenBody = Type.Object({ activityId: Id, isOpen: Type.Boolean() }, exact);

export const SpringReport = Type.Object({
  activities: Type.Array(
    Type.Object({
      activityId: Type.String(),
      campaignId: Type.String(),
      name: Type.String(),
      startsAtMs: Type.Integer(),
      endsAtMs: Type.Integer(),
      isOpen: Type.Boolean(),
      isSimulated: Type.Boolean(),
      volumePerDraw: DecimalText,
      drawsPerDayMax: Type.Integer(),
      prizes: Type.Array(Type.Object({ count: Type.Integer(), amount: DecimalText })),
      /** Cards drawn, complete movements and their prizes. */
      cards: Type.Integer(),
      movements: Type.Integer(),
      won: DecimalText,
    }),
  ),
});
export type SpringReport = Static<typeof SpringReport>;

export const SPRING_CALLS = {
  state: endpoint("GET", "/v1/activity/spring", { output: SpringState }),
  draw: endpoint("POST", "/v1/activity/spring/draw", {
    query: Intent,
    body: Intent,
    output: SpringDraw,
    refusals: REFUSALS,
  }),
  assemble: endpoint("POST", "/v1/activity/spring/assemble", {
    query: Intent,
    body: Intent,
    output: SpringDraw,
    refusals: REFUSALS,
  }),
  draws: endpoint("GET", "/v1/activity/spring/draws", { output: SpringDraws }),
};

export const SPRING_CONSOLE_CALLS = {
  report: endpoint("GET", "/v1/console/rewards/spring", { output: SpringReport }),
  open: endpoint("POST", "/v1/console/rewards/spring/open", {
    body: ActivityOpenBody,
    output: Type.Null(),
    refusals: DESK_REFUSALS,
  }),
  activity: endpoint("POST", "/v1/console/rewards/spring/activity", {
    body: ActivityBody,
    output: ProposalMade,
    refusals: { ...PROPOSAL_REFUSALS, ...DESK_REFUSALS },
  }),
};
