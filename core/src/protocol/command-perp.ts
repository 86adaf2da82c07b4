// Owns the commands of perpetuals and the members placeOrder gains on them. Never holds behaviour.
import { flag, i32, oneOf, optional, orderId, text, u8, whole } from "./layout.ts";
import { BUSINESSES, CONTRACT_CLASSES, KEPT_MODES, POSITION_SIDES, TRIGGER_SOURCES } from "./names.ts";

const header = { account: optional(i32(4), 0) };
/** Runs once by it; without one it runs as often as it comes. */
const reference = optional(text(56, 36), "");
/** Which position: the side in hedge mode, the id in split layout. */
const named = {
  ...header,
  market: i32(24),
  side: optional(oneOf(28, POSITION_SIDES), "both"),
  position: optional(orderId(32), 0),
};

/** Members of listMarket that only perpetuals use. */
export const contractShape = {
  contractClass: optional(oneOf(160, CONTRACT_CLASSES), "A"),
  fundingHours: optional(u8(161), 8),
  /** Interest in 1e-8 per eight hours; 0 for coins nobody lends. */
  interestRate: optional(i32(164), 10_000),
  /** Liquidation fee in 1e-8. */
  liquidationRate: optional(i32(168), 60_000),
  /** Orders keep this close to the mark; 0 means 5 % for class A and 10 % for class B. */
  bandBps: optional(i32(172), 0),
  /** Inverse: quote units one contract is worth. */
  faceUnits: optional(whole(176), 0),
  /** Makes a demo market: the real linear market whose depth, trades, prices and tiers it follows. */
  mirror: optional(i32(184), 0),
};

export const PERP_COMMANDS = {
  /** Tiers by rising cap; unused ones stay 0. Rates in 1e-8, caps in units of the settlement coin. */
  setTiers: {
    kind: 29,
    layout: {
      market: i32(24),
      count: u8(28),
      cap1: whole(32),
      cap2: optional(whole(40), 0),
      cap3: optional(whole(48), 0),
      cap4: optional(whole(56), 0),
      cap5: optional(whole(64), 0),
      cap6: optional(whole(72), 0),
      cap7: optional(whole(80), 0),
      cap8: optional(whole(88), 0),
      rate1: i32(96),
      rate2: optional(i32(100), 0),
      rate3: optional(i32(104), 0),
      rate4: optional(i32(108), 0),
      rate5: optional(i32(112), 0),
      rate6: optional(i32(116), 0),
      rate7: optional(i32(120), 0),
      rate8: optional(i32(124), 0),
      leverage1: i32(128),
      leverage2: optional(i32(132), 0),
      leverage3: optional(i32(136), 0),
      leverage4: optional(i32(140), 0),
      leverage5: optional(i32(144), 0),
      leverage6: optional(i32(148), 0),
      leverage7: optional(i32(152), 0),
      leverage8: optional(i32(156), 0),
    },
  },
  /**
   * Only when the account has no position and no order. Split layout needs hedge mode. What is kept stays as it is in each
   * account; further accounts of the same owner may be named: all change or none.
   */
  setPositionMode: {
    kind: 30,
    layout: {
      ...header,
      hedge: optional(flag(24), false),
      split: optional(flag(25), false),
      keeps: optional(oneOf(26, KEPT_MODES), "none"),
      also1: optional(i32(28), 0),
      also2: optional(i32(32), 0),
      also3: optional(i32(36), 0),
      also4: optional(i32(40), 0),
      also5: optional(i32(44), 0),
      also6: optional(i32(48), 0),
      also7: optional(i32(52), 0),
    },
  },
  /** 0 keeps a side's leverage; one-way positions use `long`. In split layout it is for positions to come. */
  setLeverage: {
    kind: 31,
    layout: { ...header, market: i32(24), long: optional(i32(28), 0), short: optional(i32(32), 0) },
  },
  setMarginMode: { kind: 32, layout: { ...header, market: i32(24), isolated: flag(28) } },
  /** Adds to an isolated position's margin, or takes from it when negative. */
  changeMargin: { kind: 33, layout: { ...named, units: whole(40), reference } },
  setAutoAppend: { kind: 34, layout: { ...header, market: i32(24), on: flag(28) } },
  /** Closes lots (0: all) at market, or at a limit when a price is given. */
  closePosition: {
    kind: 35,
    layout: {
      ...named,
      lots: optional(whole(40), 0),
      price: optional(i32(48), 0),
      slippageBps: optional(i32(52), 0),
      reference,
    },
  },
  /** Market −1 means every market. */
  closeAll: { kind: 36, layout: { ...header, market: optional(i32(24), -1) } },
  /** Closes at market and opens as much the other way; when the second half fails the first stands. */
  reversePosition: { kind: 37, layout: { ...named } },
  /** Take-profit and stop-loss on a position. Lots 0: the whole, at market. A trigger of 0 leaves that one out. */
  setPositionStops: {
    kind: 38,
    layout: {
      ...named,
      lots: optional(whole(40), 0),
      profitTrigger: optional(i32(48), 0),
      profitPrice: optional(i32(52), 0),
      stopTrigger: optional(i32(56), 0),
      stopPrice: optional(i32(60), 0),
      source: optional(oneOf(64, TRIGGER_SOURCES), "mark"),
      /** Instead of a stop: follow the price and close when it comes back by this much. */
      trailBps: optional(i32(68), 0),
      trailFrom: optional(i32(72), 0),
    },
  },
  /** What one source says the coin is worth, in ticks of the market; weight 0 keeps what it had (first: 1). */
  setIndexPrice: {
    kind: 39,
    layout: { market: i32(24), source: u8(28), price: i32(32), weight: optional(i32(36), 0) },
  },
  /** Bonus money for a futures account, from a campaign treasury: counts as margin, bears `ratioBps` of every debt, leaves at `expiresAt`. */
  grantBonus: {
    kind: 40,
    layout: {
      ...header,
      asset: i32(24),
      business: optional(oneOf(28, BUSINESSES), "bonus"),
      units: whole(32),
      reference: text(40, 36),
      ratioBps: optional(i32(80), 10_000),
      leverageMax: optional(i32(84), 0),
      expiresAt: whole(88),
      /** Products it is for, as a sum of BONUS_PRODUCTS; 0 means all. */
      products: optional(u8(96), 0),
      /** The sub of the campaign treasury that pays it and gets back what is left. */
      source: optional(i32(100), 0),
    },
  },
  /** Begins a demo account again with 100 000 coins of play money; once in 24 hours. */
  resetDemo: { kind: 41, layout: { ...header, asset: i32(24) } },
} as const;

export const FIRST_PERP_KIND = PERP_COMMANDS.setTiers.kind;
export const LAST_PERP_KIND = PERP_COMMANDS.resetDemo.kind;
