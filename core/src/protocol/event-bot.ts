// Owns the events of grid and rebalancing bots, in the same 64-byte records as all others. Never holds behaviour.
import { bit, i32, oneOf, u8, u16, whole } from "./layout.ts";
import {
  BOT_CHANGES,
  BOT_KINDS,
  BOT_REASONS,
  BOT_SPACINGS,
  BOT_STATUSES,
  REBALANCE_CAUSES,
  REBALANCER_CHANGES,
} from "./names.ts";

const account = i32(4);

export const BOT_EVENTS = {
  /** The account is the bot's book. */
  botChanged: {
    kind: 73,
    layout: {
      account,
      change: oneOf(1, BOT_CHANGES),
      status: oneOf(2, BOT_STATUSES),
      reason: oneOf(3, ["none", ...BOT_REASONS]),
      bot: i32(16),
      /** The last price. */
      priceTicks: i32(20),
      lowTicks: i32(24),
      highTicks: i32(28),
      /** Of every order. */
      lots: whole(32),
      investedUnits: whole(40),
      takenUnits: whole(48),
      feesUnits: whole(56),
    },
  },
  /** All terms, told with `botChanged` when they are new. */
  botTerms: {
    kind: 74,
    layout: {
      account,
      grid: oneOf(1, BOT_KINDS),
      spacing: oneOf(2, BOT_SPACINGS),
      keeps: bit(2, 8),
      bot: i32(16),
      market: i32(20),
      cells: i32(24),
      /** Where its money came from. */
      source: i32(28),
      leverage: u16(32),
      /** How far back of the best price it ends, in 1e-4; 0 for never. */
      exitBps: u16(34),
      triggerTicks: i32(36),
      stopAboveTicks: i32(40),
      stopBelowTicks: i32(44),
      /** Of an infinity grid, which follows by itself, the price it was made at and its lowest line. */
      trailUpTicks: i32(48),
      trailDownTicks: i32(52),
      endsAt: whole(56),
    },
  },
  /** The later order of a cell was filled whole. */
  botPairClosed: {
    kind: 75,
    layout: {
      account,
      later: oneOf(1, ["buy", "sell"]),
      bot: i32(16),
      market: i32(20),
      /** The cell's lines: bought at the lower, sold at the upper. */
      lowTicks: i32(24),
      highTicks: i32(28),
      lots: whole(32),
      profitUnits: whole(40),
      /** Of all pairs so far. */
      totalUnits: whole(48),
      pairs: i32(56),
      /** When the earlier order was filled, in seconds. */
      earlierSecond: i32(60),
    },
  },
  /** The account is the bot's book. One `rebalancerCoin` follows for each coin. */
  rebalancerChanged: {
    kind: 76,
    layout: {
      account,
      change: oneOf(1, REBALANCER_CHANGES),
      cause: oneOf(2, REBALANCE_CAUSES),
      /** Beside the quote. */
      coins: u8(3),
      rebalancer: i32(16),
      /** Where its money came from. */
      source: i32(20),
      thresholdBps: i32(24),
      rounds: i32(28),
      investedUnits: whole(32),
      feesUnits: whole(40),
      /** Of all that it holds, at the last prices. */
      valueUnits: whole(48),
      intervalMs: whole(56),
    },
  },
  rebalancerCoin: {
    kind: 77,
    layout: {
      account,
      /** Its place in the command, the quote not counted. */
      place: u8(1),
      rebalancer: i32(16),
      market: i32(20),
      weightBps: i32(24),
      priceTicks: i32(28),
      heldLots: whole(32),
      valueUnits: whole(40),
      /** In this round, negative when sold. */
      tradedLots: whole(48),
    },
  },
} as const;
