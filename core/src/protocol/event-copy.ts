// Owns the events of copy trading, in the same 64-byte records as all others. Never holds behaviour.
import { bit, hex, i32, oneOf, orderId, u16, whole } from "./layout.ts";
import { COPY_JOBS, COPY_MARGIN_MODES, COPY_MODES, COPY_SKIPS, FOLLOW_CHANGES, LEADER_STATES } from "./names.ts";
import { REJECTIONS } from "./rejection.ts";

const account = i32(4);

export const COPY_EVENTS = {
  leaderChanged: {
    kind: 61,
    layout: {
      account,
      state: oneOf(1, LEADER_STATES),
      asset: i32(16),
      shareRate: i32(20),
      /** The share announced and from when it counts; 0 when none is. */
      nextShareRate: i32(24),
      followersMax: i32(28),
      followers: i32(32),
      nextShareFrom: whole(40),
    },
  },
  /** The account is the follower's sub-book. */
  followChanged: {
    kind: 62,
    layout: {
      account,
      change: oneOf(1, FOLLOW_CHANGES),
      leader: i32(16),
      followers: i32(20),
      shareRate: i32(24),
      investedUnits: whole(32),
      realizedUnits: whole(40),
      markUnits: whole(48),
      heldUnits: whole(56),
    },
  },
  /** What a follower chose, told with `followChanged` when it is new: all settings of the commands, in two records. */
  followSettings: {
    kind: 68,
    layout: {
      account,
      mode: oneOf(1, COPY_MODES),
      marginMode: oneOf(2, COPY_MARGIN_MODES),
      mirrorMargin: bit(2, 8),
      multiplier: i32(16),
      leverage: i32(20),
      leverageMax: i32(24),
      slippageBps: i32(28),
      stopLossBps: i32(32),
      takeProfitBps: i32(36),
      fixedUnits: whole(40),
      dailyLossUnits: whole(48),
      maxOrderUnits: whole(56),
    },
  },
  followScope: {
    kind: 69,
    layout: {
      account,
      maxSymbolUnits: whole(16),
      maxTotalUnits: whole(24),
      /** Up to sixteen markets of 16 bits, little end first; all zero for every market. */
      markets: hex(32, 32),
    },
  },
  /** A leader did something that is copied. The account is the leader's. */
  copyStarted: {
    kind: 63,
    layout: {
      account,
      what: oneOf(1, COPY_JOBS),
      short: bit(2, 0),
      market: i32(16),
      followers: i32(20),
      /** The purpose the followers' order was drawn with. */
      draw: i32(24),
      job: i32(28),
      /** Lots (base units of a spot sale), their value in units, and what was held before a close. */
      lots: whole(32),
      valueUnits: whole(40),
      wholeLots: whole(48),
    },
  },
  /** An order was sent for a follower; its own events stand before. `place` is its place in the drawn order, from 0. */
  copyPlaced: {
    kind: 64,
    layout: {
      account,
      what: oneOf(1, COPY_JOBS),
      filled: bit(2, 0),
      orderId: orderId(16),
      market: i32(24),
      leader: i32(28),
      lots: whole(32),
      filledLots: whole(40),
      /**
       * The leader's average price, rounded down to a tick, and the limit: 0 for none, where a stop closes. Job and price are
       * 0 where the stop was the follower's mirror of the leader's.
       */
      leaderTicks: i32(48),
      limitTicks: i32(52),
      place: i32(56),
      job: i32(60),
    },
  },
  copySkipped: {
    kind: 65,
    layout: {
      account,
      reason: oneOf(1, COPY_SKIPS),
      /** Of REFUSED: the code of the check. */
      code: oneOf(2, REJECTIONS),
      what: oneOf(16, COPY_JOBS),
      market: i32(20),
      leader: i32(24),
      place: i32(28),
      lots: whole(32),
      /** The bound that was met. */
      limit: whole(40),
      job: i32(48),
    },
  },
  /**
   * The share set aside for the leader is this much: p × max(0, R − H). Told whenever it, R or what was put in changes; a
   * `frozen` before it moved the units.
   */
  shareHeld: {
    kind: 66,
    layout: {
      account,
      leader: i32(16),
      shareRate: i32(20),
      heldUnits: whole(24),
      realizedUnits: whole(32),
      markUnits: whole(40),
      /** Put in and not taken out since the follow began. */
      investedUnits: whole(48),
    },
  },
  /** The share was paid to the leader; the postings stand before. */
  shareSettled: {
    kind: 67,
    layout: {
      account,
      cause: oneOf(1, FOLLOW_CHANGES),
      asset: u16(2),
      leader: i32(16),
      shareRate: i32(20),
      paidUnits: whole(24),
      realizedUnits: whole(32),
      /** H after it. */
      markUnits: whole(40),
      /** Counted at the mark because positions were kept. */
      unrealizedUnits: whole(48),
      investedUnits: whole(56),
    },
  },
} as const;
