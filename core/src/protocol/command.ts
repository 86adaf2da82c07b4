// Owns all that can be asked of the machine: the kinds, their members and where each sits in the bytes.
// Never holds behaviour. Records are little-endian, 8-byte aligned; the header is 24 bytes:
//   0 u16 length, 2 u8 kind, 3 u8 zero, 4 i32 account, 8 f64 sequence, 16 f64 time in ms.
// A record may be cut after its last member that is not zero; what is cut reads as zero.
import { ACCOUNT_COMMANDS } from "./command-account.ts";
import { BOT_COMMANDS } from "./command-bot.ts";
import { COPY_COMMANDS } from "./command-copy.ts";
import { contractShape, PERP_COMMANDS } from "./command-perp.ts";
import {
  flag,
  type InputOf,
  i32,
  type OutputOf,
  oneOf,
  optional,
  orderId,
  placesOf,
  text,
  u8,
  u16,
  whole,
} from "./layout.ts";
import {
  BOOKS,
  BUSINESSES,
  CONDITIONAL_TYPES,
  MARKET_KINDS,
  MARKET_STATUSES,
  ORDER_TYPES,
  POST_ONLY_MODES,
  SCALED_SHAPES,
  SELF_TRADE_MODES,
  SIDES,
  TIMES_IN_FORCE,
  TRIGGER_DIRECTIONS,
  TRIGGER_SOURCES,
} from "./names.ts";

export const COMMAND_HEADER_BYTES = 24;
export const COMMAND_LENGTH_MAX = 8192;
export const BATCH_ITEMS_MAX = 50;
export const TEXT_MAX = 36;

const header = { account: optional(i32(4), 0) };
const reference = (at: number) => text(at, TEXT_MAX);
/** The money is to leave the exchange or its owner: refused as far as a restriction says that it must stay. */
const outgoing = optional(flag(29), false);
const clientOrderId = (at: number) => optional(text(at, TEXT_MAX), "");

/** Members every order shape shares at the same place, so one reader serves all of them. */
const orderShape = {
  ...header,
  market: i32(24),
  price: optional(i32(28), 0),
  /** Lots, or quote units when `inQuote` is set. */
  quantity: whole(32),
  side: oneOf(40, SIDES),
  type: optional(oneOf(41, ORDER_TYPES), "limit"),
  timeInForce: optional(oneOf(42, TIMES_IN_FORCE), "GTC"),
  selfTrade: optional(oneOf(43, SELF_TRADE_MODES), "EXPIRE_TAKER"),
  postOnly: optional(oneOf(44, POST_ONLY_MODES), "no"),
  inQuote: optional(flag(45), false),
  /** Hundredths of a percent; 0 means the market's default. */
  slippageBps: optional(u16(46), 0),
};

const marketLimits = {
  minLots: optional(whole(88), 1),
  maxLots: optional(whole(96), 0),
  maxMarketLots: optional(whole(104), 0),
  minNotionalUnits: optional(whole(112), 0),
  buyMaxBps: optional(i32(120), 12_000),
  buyMinBps: optional(i32(124), 2_000),
  sellMinBps: optional(i32(128), 8_000),
  sellMaxBps: optional(i32(132), 50_000),
  /** The band's anchor until the first trade; 0 means no band until then. */
  anchorTicks: optional(i32(136), 0),
  slippageBps: optional(i32(140), 500),
  restingMax: optional(i32(144), 200),
  conditionalMax: optional(i32(148), 30),
  listMax: optional(i32(152), 20),
};

export const COMMANDS = {
  /** Time passes: due expiries, slices and switches run. */
  tick: { kind: 1, layout: { ...header } },
  createAccount: {
    kind: 2,
    layout: { user: i32(24), book: oneOf(28, BOOKS), sub: optional(i32(32), 0), group: optional(i32(36), 0) },
  },
  listAsset: { kind: 3, layout: { scale: u8(24), symbol: text(25, 14) } },
  /** Money from outside, as a deposit or an adjustment: every other gift is a transfer from an account that has it. */
  mint: {
    kind: 4,
    layout: { ...header, asset: i32(24), business: oneOf(28, BUSINESSES), units: whole(32), reference: reference(40) },
  },
  burn: {
    kind: 5,
    layout: {
      ...header,
      asset: i32(24),
      business: oneOf(28, BUSINESSES),
      outgoing,
      units: whole(32),
      reference: reference(40),
    },
  },
  transfer: {
    kind: 6,
    layout: {
      ...header,
      asset: i32(24),
      business: optional(oneOf(28, BUSINESSES), "transfer"),
      outgoing,
      units: whole(32),
      reference: reference(40),
      to: i32(80),
    },
  },
  /** Freezes units under a name until they are captured or released, or until `expiresAt`; 0 is for ever. */
  hold: {
    kind: 7,
    layout: {
      ...header,
      asset: i32(24),
      business: oneOf(28, BUSINESSES),
      outgoing,
      units: whole(32),
      reference: reference(40),
      expiresAt: optional(whole(80), 0),
    },
  },
  /** Takes held units to another account; to the external book it is a burn. */
  capture: {
    kind: 8,
    layout: {
      ...header,
      business: oneOf(28, BUSINESSES),
      units: whole(32),
      reference: reference(40),
      to: i32(80),
      hold: reference(84),
    },
  },
  /** Gives held units back; 0 units means all that is left. */
  release: {
    kind: 9,
    layout: { ...header, units: optional(whole(32), 0), reference: reference(40), hold: reference(84) },
  },
  listMarket: {
    kind: 10,
    layout: {
      marketKind: optional(oneOf(24, MARKET_KINDS), "spot"),
      status: optional(oneOf(25, MARKET_STATUSES), "TRADING"),
      feeGroup: optional(u8(26), 0),
      tickDecimals: u8(27),
      base: i32(28),
      quote: i32(32),
      settle: optional(i32(36), 0),
      /** One tick is tickMantissa × 10^−tickDecimals whole quote coins per whole base coin. */
      tickMantissa: i32(40),
      /** Base units in one lot. */
      stepUnits: whole(48),
      symbol: text(56, 20),
      ...marketLimits,
      ...contractShape,
    },
  },
  setMarketStatus: { kind: 11, layout: { market: i32(24), status: oneOf(28, MARKET_STATUSES) } },
  setFeeGroup: { kind: 12, layout: { feeGroup: u8(24), makerRate: i32(28), takerRate: i32(32) } },
  /** Rates in 1e-8; −1 returns the account to the group's rate. */
  setAccountFees: { kind: 13, layout: { ...header, feeGroup: u8(24), makerRate: i32(28), takerRate: i32(32) } },
  setReferencePrice: {
    kind: 14,
    layout: { market: i32(24), markTicks: optional(i32(28), 0), indexTicks: optional(i32(32), 0) },
  },
  setMarketLimits: { kind: 15, layout: { market: i32(24), feeGroup: optional(u8(28), 0), ...marketLimits } },
  placeOrder: {
    kind: 16,
    layout: {
      ...orderShape,
      expiresAt: optional(whole(48), 0),
      /** Visible lots of an iceberg; 0 means all is shown. */
      visible: optional(whole(56), 0),
      clientOrderId: clientOrderId(64),
      reduceOnly: optional(flag(104), false),
      /** Split layout: the position a reducing order closes. */
      position: optional(orderId(112), 0),
    },
  },
  cancelOrder: { kind: 17, layout: { ...header, orderId: optional(orderId(24), 0), clientOrderId: clientOrderId(32) } },
  amendOrder: {
    kind: 18,
    layout: {
      ...header,
      orderId: optional(orderId(24), 0),
      /** 0 keeps the price. */
      price: optional(i32(32), 0),
      /** The new total quantity, filled part included; 0 keeps it. */
      quantity: optional(whole(40), 0),
      clientOrderId: clientOrderId(48),
    },
  },
  /** Market −1 means every market; `conditionals` also withdraws plans, lists and slicers. */
  cancelAll: { kind: 19, layout: { ...header, market: optional(i32(24), -1), conditionals: optional(flag(28), true) } },
  /** Items follow as whole commands from byte 32; see encodeBatch. */
  batch: { kind: 20, layout: { ...header, count: i32(24) } },
  placeConditional: {
    kind: 21,
    layout: {
      ...orderShape,
      conditional: oneOf(48, CONDITIONAL_TYPES),
      source: optional(oneOf(49, TRIGGER_SOURCES), "last"),
      direction: optional(oneOf(50, TRIGGER_DIRECTIONS), "rises"),
      reduceOnly: optional(flag(51), false),
      /** Trigger price; for a trailing stop the activation price, 0 meaning at once. */
      trigger: optional(i32(52), 0),
      callbackBps: optional(i32(56), 0),
      clientOrderId: clientOrderId(60),
      /** Perpetuals: reduces, and takes other orders back when it needs their margin. */
      closeOnTrigger: optional(flag(100), false),
      position: optional(orderId(104), 0),
    },
  },
  /** price is the limit leg; stopPrice 0 makes the stop leg a market order. */
  placeOco: {
    kind: 22,
    layout: {
      ...orderShape,
      source: optional(oneOf(48, TRIGGER_SOURCES), "last"),
      trigger: i32(52),
      stopPrice: optional(i32(56), 0),
      clientOrderId: clientOrderId(60),
      /** On perpetuals: both legs only ever close. */
      reduceOnly: optional(flag(100), false),
    },
  },
  /** Entry as in placeOrder; exits armed fill by fill. profitPrice or stopTrigger 0 leaves that exit out. */
  placeBracket: {
    kind: 23,
    layout: {
      ...orderShape,
      source: optional(oneOf(48, TRIGGER_SOURCES), "last"),
      profitPrice: optional(i32(52), 0),
      stopTrigger: optional(i32(56), 0),
      stopPrice: optional(i32(60), 0),
      clientOrderId: clientOrderId(64),
    },
  },
  /** price caps every slice. */
  placeTwap: {
    kind: 24,
    layout: { ...orderShape, durationMs: i32(48), intervalMs: i32(52), clientOrderId: clientOrderId(56) },
  },
  placeScaled: {
    kind: 25,
    layout: { ...orderShape, priceTo: i32(48), count: u8(52), shape: optional(oneOf(53, SCALED_SHAPES), "flat") },
  },
  /** 0 disarms; market −1 means every market. */
  setDeadMan: { kind: 26, layout: { ...header, market: optional(i32(24), -1), timeoutMs: i32(28) } },
  cancelList: { kind: 27, layout: { ...header, list: orderId(24) } },
  setAccountFlags: {
    kind: 28,
    layout: {
      ...header,
      blockTrading: optional(flag(24), false),
      blockOutgoing: optional(flag(25), false),
      /** House test accounts only: may use the self-trade mode NONE. */
      allowSelfTrade: optional(flag(26), false),
    },
  },
  /**
   * Changes what waits, in place: a plan that stands alone, the legs of an OCO (a quantity is for both), the prices of a
   * bracket's exits. 0 keeps what there is. All of it or nothing.
   */
  amendPlan: {
    kind: 54,
    layout: {
      ...header,
      orderId: optional(orderId(24), 0),
      /** Of the named leg: the limit's price, or the limit behind the trigger. */
      price: optional(i32(32), 0),
      /** Lots, or quote units of a plan by amount. */
      quantity: optional(whole(40), 0),
      trigger: optional(i32(48), 0),
      callbackBps: optional(i32(52), 0),
      clientOrderId: clientOrderId(56),
    },
  },
  /**
   * Changes one stop of a position in place, of the whole or of a part: what sets it off, the limit behind that, how far a
   * trailing one lets the price come back. 0 keeps what there is; its pair stays as it is.
   */
  moveStop: {
    kind: 63,
    layout: {
      ...header,
      orderId: orderId(24),
      trigger: optional(i32(32), 0),
      price: optional(i32(36), 0),
      callbackBps: optional(i32(40), 0),
    },
  },
  ...PERP_COMMANDS,
  ...ACCOUNT_COMMANDS,
  ...COPY_COMMANDS,
  ...BOT_COMMANDS,
} as const;

export type CommandKind = keyof typeof COMMANDS;

/** Where the members of a command are, from where it begins. */
export function commandPlaces<K extends CommandKind>(name: K) {
  return placesOf<K, (typeof COMMANDS)[K]["layout"]>(COMMANDS[name].layout);
}

/** The ergonomic form a caller writes; `sequence` and `time` are stamped by the host. */
export type Command = {
  [K in CommandKind]: { readonly kind: K } & InputOf<(typeof COMMANDS)[K]["layout"]>;
}[CommandKind];

/** What decoding gives back. */
export type DecodedCommand = {
  [K in CommandKind]: {
    readonly kind: K;
    readonly sequence: number;
    readonly time: number;
    readonly items: readonly DecodedCommand[];
  } & OutputOf<(typeof COMMANDS)[K]["layout"]>;
}[CommandKind];
