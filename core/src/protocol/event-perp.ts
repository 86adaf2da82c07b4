// Owns the events of perpetuals, in the same 64-byte records as all others. Never holds behaviour.
import { bit, i32, oneOf, orderId, u8, u24, whole } from "./layout.ts";
import { BONUS_STATES, BUSINESSES, CONTRACT_CLASSES, LIQUIDATION_STEPS, MARKET_KINDS } from "./names.ts";

const account = i32(4);

/** By how many parts of 2^48 the units of a position's cost exceed the exact cost. */
export function excessOf({
  excessHigh,
  excessLow,
}: {
  readonly excessHigh: number;
  readonly excessLow: number;
}): number {
  return excessHigh * 0x1000000 + excessLow;
}

export const PERP_EVENTS = {
  /** Follows marketListed. Factor: units per tick and lot, or for inverse contracts coin units × ticks per contract. */
  contractListed: {
    kind: 37,
    layout: {
      contractKind: oneOf(1, MARKET_KINDS),
      market: i32(16),
      settle: i32(20),
      factor: whole(24),
      fundingHours: i32(32),
      contractClass: oneOf(36, CONTRACT_CLASSES),
      interestRate: i32(40),
      liquidationRate: i32(44),
      /** Of a demo market: the real one it follows. */
      mirror: i32(48),
    },
  },
  /** One tier of a market's ladder, from 1. */
  tierSet: {
    kind: 38,
    layout: {
      tier: u8(1),
      market: i32(16),
      leverageMax: i32(20),
      rate: i32(24),
      capUnits: whole(32),
      deductionUnits: whole(40),
    },
  },
  /** A position as it is now. Lots: long positive, short negative; 0 ends it. See excessOf for the exact cost. */
  positionChanged: {
    kind: 39,
    layout: {
      account,
      position: orderId(16),
      market: i32(24),
      leverage: u8(28),
      lots: whole(32),
      /** Rounded up. */
      costUnits: whole(40),
      /** By how much, in parts of 2^48: the upper and the lower 24 bits. */
      excessHigh: u24(1),
      excessLow: u24(29),
      marginUnits: whole(48),
      /** Profit this change realised. */
      realizedUnits: whole(56),
    },
  },
  perpSettings: {
    kind: 40,
    layout: {
      account,
      isolated: bit(2, 0),
      hedge: bit(2, 1),
      split: bit(2, 2),
      autoAppend: bit(2, 3),
      /** 0 when the modes of the whole account are told. */
      market: i32(16),
      leverageLong: i32(20),
      leverageShort: i32(24),
    },
  },
  marginChanged: {
    kind: 41,
    layout: {
      account,
      automatic: bit(2, 0),
      position: orderId(16),
      market: i32(24),
      deltaUnits: whole(32),
      marginUnits: whole(40),
    },
  },
  /** Whether prices can be trusted: while degraded the mark stands still and nobody is liquidated. */
  indexState: { kind: 42, layout: { degraded: bit(2, 0), market: i32(16), liveSources: i32(20), indexTicks: i32(24) } },
  premiumSampled: {
    kind: 43,
    layout: {
      market: i32(16),
      /** In 1e-8. */
      premium: i32(20),
      sample: i32(24),
      impactBidTicks: i32(28),
      impactAskTicks: i32(32),
      /** What the rate would be if the interval ended now. */
      predictedRate: i32(36),
      /** Open interest: lots of all long positions, as many as those of all short ones. */
      openLots: whole(40),
    },
  },
  fundingSettled: {
    kind: 44,
    layout: {
      market: i32(16),
      rate: i32(20),
      premium: i32(24),
      samples: i32(28),
      /** The settlement's own time, which may lie before the command's when it is caught up on. */
      dueAt: whole(32),
      markTicks: i32(40),
      positions: i32(44),
    },
  },
  /** Private report, part one: why. For cross margin market and position are the ones that came up. */
  liquidationStarted: {
    kind: 45,
    layout: {
      account,
      isolated: bit(2, 0),
      position: orderId(16),
      market: i32(24),
      markTicks: i32(28),
      cashUnits: whole(32),
      profitUnits: whole(40),
      needUnits: whole(48),
    },
  },
  /** Part two: each step, with lots and value it moved and the bankruptcy price it was bound to. */
  liquidationStep: {
    kind: 46,
    layout: {
      step: oneOf(1, LIQUIDATION_STEPS),
      account,
      position: orderId(16),
      market: i32(24),
      bankruptcyTicks: i32(28),
      lots: whole(32),
      valueUnits: whole(40),
      cashUnits: whole(48),
    },
  },
  liquidationEnded: {
    kind: 47,
    layout: { account, position: orderId(16), market: i32(24), availableUnits: whole(32), frozenUnits: whole(40) },
  },
  /** The public, anonymous print of a liquidation. Lots: what the liquidated side lost, long positive. */
  liquidationPrint: { kind: 48, layout: { market: i32(16), price: i32(20), lots: whole(24) } },
  /** A profitable counterparty was closed against a bankrupt position. */
  deleveraged: {
    kind: 49,
    layout: {
      account,
      position: orderId(16),
      market: i32(24),
      price: i32(28),
      lots: whole(32),
      valueUnits: whole(40),
      realizedUnits: whole(48),
    },
  },
  /** Margin used reached 70 % or 85 %. */
  marginWarning: { kind: 50, layout: { account, percent: u8(1), asset: i32(16), position: orderId(24) } },
  bonusChanged: {
    kind: 51,
    layout: {
      account,
      state: oneOf(1, BONUS_STATES),
      /** What it bore: a fee, funding, a loss; `bonus` when it was granted or ended. */
      business: oneOf(2, BUSINESSES),
      grant: i32(16),
      asset: i32(20),
      deltaUnits: whole(24),
      leftUnits: whole(32),
      expiresAt: whole(40),
      /** The sub of the campaign treasury it came from. */
      source: i32(48),
      /** The market of what it bore, else 0. */
      market: i32(52),
      /** What of the change went back there: it ended or was voided. */
      returnedUnits: whole(56),
    },
  },
  /** A take-profit or stop-loss order belongs to a position; `whole` follows its size. */
  positionStop: {
    kind: 52,
    layout: { account, whole: bit(2, 0), position: orderId(16), orderId: orderId(24), pair: orderId(32) },
  },
  /** A demo account began again with this much play money. */
  demoReset: { kind: 53, layout: { account, asset: i32(16), units: whole(24) } },
} as const;
