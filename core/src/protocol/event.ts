// Owns all that can happen: one 64-byte record per event, and where each member sits. Never holds behaviour.
// Header, 16 bytes: 0 u8 kind, 1 u8 sub, 2 u16 flags, 4 i32 account, 8 f64 sequence of the command.
// All events of one command carry its sequence; every command has at least one. `clock` comes first when time moved.
import type { Kind } from "../memory/record.ts";
import { COMMANDS, type CommandKind } from "./command.ts";
import { ACCOUNT_EVENTS } from "./event-account.ts";
import { BOT_EVENTS } from "./event-bot.ts";
import { COPY_EVENTS } from "./event-copy.ts";
import { PERP_EVENTS } from "./event-perp.ts";
import { bit, bits, i32, type OutputOf, oneOf, orderId, placesOf, text, u8, u16, whole } from "./layout.ts";
import {
  BOOKS,
  BUSINESSES,
  CONDITIONAL_TYPES,
  END_REASONS,
  FOLLOW_UPS,
  LIST_LEGS,
  LIST_TYPES,
  MARKET_KINDS,
  MARKET_STATUSES,
  ORDER_TYPES,
  POST_ONLY_MODES,
  SELF_TRADE_MODES,
  SIDES,
  TIMES_IN_FORCE,
  TRIGGER_DIRECTIONS,
  TRIGGER_SOURCES,
} from "./names.ts";
import { REJECTIONS } from "./rejection.ts";

export const EVENT_BYTES = 64;

/** Command kinds by their number, for events that say which command they answer. */
export const COMMAND_NAMES: readonly (CommandKind | "none")[] = (() => {
  const names: (CommandKind | "none")[] = [];
  for (const [name, { kind }] of Object.entries(COMMANDS)) names[kind] = name as CommandKind;
  return Array.from(names, (name) => name ?? "none");
})();

const account = i32(4);

/** What stands before every event's own members. */
export const EVENT_HEADER = { kind: u8(0), account, sequence: whole(8) } as const;

/** The 16-bit flag word every order event carries. */
export const orderFlags = {
  side: bits(2, 0, 1, SIDES),
  type: bits(2, 1, 1, ORDER_TYPES),
  timeInForce: bits(2, 2, 2, TIMES_IN_FORCE),
  postOnly: bits(2, 4, 2, POST_ONLY_MODES),
  selfTrade: bits(2, 6, 3, SELF_TRADE_MODES),
  reduceOnly: bit(2, 9),
  iceberg: bit(2, 10),
  inQuote: bit(2, 11),
  conditional: bit(2, 12),
};

/** Balance of the held asset after the event; both are of the order's own account. */
const balanceAfter = { availableUnits: whole(48), frozenUnits: whole(56) };

/** A waiting plan. */
const planShape = {
  account,
  ...orderFlags,
  conditionalType: oneOf(1, CONDITIONAL_TYPES),
  orderId: orderId(16),
  market: i32(24),
  price: i32(28),
  quantity: whole(32),
  trigger: i32(40),
  callbackBps: i32(44),
  source: oneOf(48, TRIGGER_SOURCES),
  direction: oneOf(49, TRIGGER_DIRECTIONS),
  /** Best price a trailing stop follows already; 0 before. */
  peak: i32(52),
  heldUnits: whole(56),
};

export const EVENTS = {
  /** Journal time for this and all following events until the next clock. */
  clock: { kind: 1, layout: { time: whole(16) } },
  rejected: {
    kind: 2,
    layout: {
      command: oneOf(1, COMMAND_NAMES),
      code: oneOf(2, REJECTIONS),
      account,
      market: i32(16),
      asset: i32(20),
      orderId: orderId(24),
      /** The bound that was broken, where there is one. */
      limit: whole(32),
      /** Position inside a batch or scaled order, else 0. */
      item: i32(40),
    },
  },
  /** The command was seen before: nothing happened, this is its first result. */
  repeated: {
    kind: 3,
    layout: { command: oneOf(1, COMMAND_NAMES), account, firstSequence: whole(16), orderId: orderId(24) },
  },
  /** The command did what it says and has no richer event of its own. */
  applied: { kind: 4, layout: { command: oneOf(1, COMMAND_NAMES), account } },
  accountCreated: {
    kind: 5,
    layout: { account, book: oneOf(1, BOOKS), user: i32(16), sub: i32(20), group: i32(24) },
  },
  assetListed: { kind: 6, layout: { asset: i32(16), scale: u8(20), symbol: text(24, 14) } },
  marketListed: {
    kind: 7,
    layout: {
      marketKind: oneOf(1, MARKET_KINDS),
      status: oneOf(2, MARKET_STATUSES),
      market: i32(16),
      base: i32(20),
      quote: i32(24),
      /** Base units in a lot; quote units in one tick of one lot. */
      stepUnits: whole(28 + 4),
      tickLotUnits: whole(40),
    },
  },
  marketStatus: { kind: 8, layout: { status: oneOf(1, MARKET_STATUSES), market: i32(16) } },
  feesChanged: { kind: 9, layout: { account, feeGroup: u8(1), makerRate: i32(16), takerRate: i32(20) } },
  /** One leg of a double entry. Legs of an entry follow one another and sum to zero per asset. */
  posting: {
    kind: 10,
    layout: {
      business: oneOf(1, BUSINESSES),
      account,
      asset: i32(16),
      /** The account at the other end. */
      counterparty: i32(20),
      deltaUnits: whole(24),
      /** Trade number, order id or 0; money commands add a `reference` event with the text. */
      reference: whole(32),
      market: i32(40),
      ...balanceAfter,
    },
  },
  /** Units moved between available and frozen; the balance did not change. */
  frozen: {
    kind: 11,
    layout: {
      business: oneOf(1, BUSINESSES),
      account,
      asset: i32(16),
      deltaUnits: whole(24),
      reference: whole(32),
      ...balanceAfter,
    },
  },
  /** The text reference of the money command whose postings stand before it. */
  reference: { kind: 12, layout: { command: oneOf(1, COMMAND_NAMES), account, reference: text(16, 36) } },

  orderAccepted: {
    kind: 16,
    layout: {
      account,
      ...orderFlags,
      orderId: orderId(16),
      market: i32(24),
      price: i32(28),
      /** Lots, or quote units when inQuote. */
      quantity: whole(32),
      heldUnits: whole(40),
      ...balanceAfter,
    },
  },
  /**
   * The order is gone with `lots` unfilled (quote units left when inQuote). A full fill shows in `trade` instead,
   * except that a quote order always ends here: with QUOTE_SPENT when it is filled.
   */
  orderEnded: {
    kind: 17,
    layout: {
      reason: oneOf(1, END_REASONS),
      account,
      ...orderFlags,
      orderId: orderId(16),
      market: i32(24),
      price: i32(28),
      lots: whole(32),
      releasedUnits: whole(40),
      ...balanceAfter,
    },
  },
  /** An amend that kept its place (sub 1) or lost it (sub 0); `lots` is what is now open. */
  orderAmended: {
    kind: 18,
    layout: {
      keptPriority: bit(0, 8),
      account,
      ...orderFlags,
      orderId: orderId(16),
      market: i32(24),
      price: i32(28),
      lots: whole(32),
      /** Change of what is held; negative when released. */
      heldUnits: whole(40),
      ...balanceAfter,
    },
  },
  trade: {
    kind: 19,
    layout: {
      /** The taker's account. */
      account,
      takerSide: bits(2, 0, 1, SIDES),
      makerDone: bit(2, 1),
      takerDone: bit(2, 2),
      takerOrderId: orderId(16),
      makerOrderId: orderId(24),
      lots: whole(32),
      tradeNumber: whole(40),
      market: i32(48),
      price: i32(52),
      makerAccount: i32(56),
    },
  },
  /** Visible lots now resting at a price; 0 removes the level. */
  depth: {
    kind: 20,
    layout: { side: bits(2, 0, 1, SIDES), market: i32(16), price: i32(20), lots: whole(24), bookSequence: whole(32) },
  },
  selfTradePrevented: {
    kind: 21,
    layout: {
      mode: oneOf(1, SELF_TRADE_MODES),
      account,
      takerSide: bits(2, 0, 1, SIDES),
      takerOrderId: orderId(16),
      makerOrderId: orderId(24),
      lots: whole(32),
      market: i32(48),
      price: i32(52),
      makerAccount: i32(56),
    },
  },
  clientOrderId: { kind: 22, layout: { account, orderId: orderId(16), clientOrderId: text(24, 36) } },
  conditionalAccepted: { kind: 23, layout: planShape },
  /** The plan waits on, changed: all its members as they are now, and all it holds. */
  conditionalAmended: { kind: 70, layout: planShape },
  /** The plan fired; what it becomes follows as orderAccepted or rejected under a new order id. */
  conditionalTriggered: {
    kind: 24,
    layout: { account, orderId: orderId(16), market: i32(24), trigger: i32(28), observed: i32(32) },
  },
  /** A trailing stop began to follow the price. */
  trailingActivated: { kind: 25, layout: { account, orderId: orderId(16), market: i32(24), observed: i32(28) } },
  /** A trailing stop's best price moved: its trigger moved with it. */
  trailingMoved: { kind: 71, layout: { account, orderId: orderId(16), market: i32(24), observed: i32(28) } },
  /** How much of an iceberg shows at a time; told once, right after it was accepted. */
  icebergShown: { kind: 78, layout: { account, orderId: orderId(16), market: i32(24), lots: whole(32) } },
  /** When an order that lasts until a day ends; told once, right after it was accepted. */
  expirySet: { kind: 79, layout: { account, orderId: orderId(16), market: i32(24), expiresAt: whole(32) } },
  icebergRefilled: {
    kind: 26,
    layout: { account, orderId: orderId(16), market: i32(24), price: i32(28), lots: whole(32) },
  },
  listCreated: {
    kind: 27,
    layout: { account, type: oneOf(1, LIST_TYPES), list: orderId(16), market: i32(24) },
  },
  /** An order joined a list, or a list's leg was replaced. */
  listLeg: {
    kind: 28,
    layout: {
      account,
      leg: oneOf(1, LIST_LEGS),
      list: orderId(16),
      orderId: orderId(24),
      market: i32(32),
      /** An entry names the exits it will arm: price, trigger and the limit behind the trigger; 0 where there is none. */
      profitPrice: i32(36),
      stopTrigger: i32(40),
      stopPrice: i32(44),
    },
  },
  listEnded: { kind: 29, layout: { account, reason: oneOf(1, END_REASONS), list: orderId(16), market: i32(24) } },
  twapStarted: {
    kind: 30,
    layout: {
      account,
      ...orderFlags,
      twap: orderId(16),
      market: i32(24),
      price: i32(28),
      lots: whole(32),
      intervals: i32(40),
      intervalMs: i32(44),
    },
  },
  /** One slice ran: what it filled and what is left. */
  twapSlice: {
    kind: 31,
    layout: { account, twap: orderId(16), market: i32(24), slice: i32(28), filledLots: whole(32), leftLots: whole(40) },
  },
  twapEnded: {
    kind: 32,
    layout: { account, reason: oneOf(1, END_REASONS), twap: orderId(16), market: i32(24), leftLots: whole(32) },
  },
  deadManSet: { kind: 33, layout: { account, market: i32(16), firesAt: whole(24) } },
  deadManFired: { kind: 34, layout: { account, market: i32(16) } },
  referencePrice: { kind: 35, layout: { market: i32(16), markTicks: i32(20), indexTicks: i32(24) } },
  /**
   * What follows until the next of these, or the end of the command, was caused by an earlier command and waited: a list
   * or a plan by its id.
   */
  followUp: { kind: 60, layout: { what: oneOf(1, FOLLOW_UPS), orderId: orderId(16), cause: whole(24) } },
  accountFlags: { kind: 36, layout: { account, flags: u16(2) } },
  ...PERP_EVENTS,
  ...ACCOUNT_EVENTS,
  ...COPY_EVENTS,
  ...BOT_EVENTS,
} as const;

export type EventKind = keyof typeof EVENTS;
export type MachineEvent = {
  [K in EventKind]: { readonly kind: K; readonly sequence: number; readonly time: number } & OutputOf<
    (typeof EVENTS)[K]["layout"]
  >;
}[EventKind];
export type EventOf<K extends EventKind> = Extract<MachineEvent, { readonly kind: K }>;

/** Where the members of an event are, and its number. */
export function eventPlaces<K extends EventKind>(name: K) {
  const { kind, layout } = EVENTS[name];
  return { kind: kind as Kind<K>, ...placesOf<K, (typeof EVENTS)[K]["layout"]>(layout) };
}

/** The numbers of kinds of events, for whoever looks at records. */
export function eventKinds(...names: readonly EventKind[]): number[] {
  return names.map((name) => EVENTS[name].kind);
}
