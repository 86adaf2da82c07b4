// Owns the commands of copy trading. Never holds behaviour.
import { flag, i32, listOf, oneOf, optional, whole } from "./layout.ts";
import { COPY_ENDS, COPY_MARGIN_MODES, COPY_MODES, LEADER_STATES } from "./names.ts";

const header = { account: optional(i32(4), 0) };

/** What a follower chooses. Units are of the leader's coin; 0 means no such bound. */
const followSettings = {
  mode: oneOf(28, COPY_MODES),
  /** Futures. */
  marginMode: optional(oneOf(29, COPY_MARGIN_MODES), "follow"),
  /** Futures: adds margin when the leader does. */
  mirrorMargin: optional(flag(30), true),
  /** Mode fixed: margin (spot: quote units) for each opening order of the leader's. */
  fixedUnits: optional(whole(40), 0),
  /** Mode multiplier, in 1e-8: 0.01 to 10. */
  multiplier: optional(i32(48), 0),
  /** Futures; 0 takes the leader's, but no more than `leverageMax`. */
  leverage: optional(i32(52), 0),
  leverageMax: optional(i32(56), 0),
  slippageBps: optional(i32(60), 50),
  /** All is closed and the follow ends when equity falls to, or rises to, this part of the investment. */
  stopLossBps: optional(i32(64), 0),
  takeProfitBps: optional(i32(68), 0),
  maxOrderUnits: optional(whole(72), 0),
  maxSymbolUnits: optional(whole(80), 0),
  maxTotalUnits: optional(whole(88), 0),
  /** No opening copies for the rest of a UTC day that has lost so much. */
  dailyLossUnits: optional(whole(96), 0),
  /** Markets to copy; none means all. */
  markets: optional(listOf(104, 16, 4, { market: i32(0) }), []),
};

export const COPY_COMMANDS = {
  /**
   * Makes an account's owner a leader (copyFLead book: futures, spot book: spot) or changes how he leads. A share in 1e-8
   * that differs while somebody follows counts from the first settlement that is at least seven days ahead.
   */
  setLeader: {
    kind: 50,
    layout: {
      ...header,
      state: oneOf(24, LEADER_STATES),
      /** Refused while the leader is suspended: the leader's own call, which lifts no suspension. */
      unlessSuspended: optional(flag(25), false),
      asset: i32(28),
      shareRate: i32(32),
      followersMax: i32(36),
    },
  },
  /** Follows: opens the sub-book of (user, leader's account) when there is none, and moves the investment there. */
  follow: { kind: 51, layout: { ...header, leader: i32(24), units: whole(32), ...followSettings } },
  /** Replaces every setting; the account is the sub-book. Refused while copies are under way. */
  setFollow: { kind: 52, layout: { ...header, ...followSettings } },
  /** Ends a follow, pays the leader's share; free money goes to the account `to`, 0 leaves it in the sub-book. */
  unfollow: { kind: 53, layout: { ...header, positions: oneOf(24, COPY_ENDS), to: optional(i32(28), 0) } },
} as const;

export const FIRST_COPY_KIND = COPY_COMMANDS.setLeader.kind;
export const LAST_COPY_KIND = COPY_COMMANDS.unfollow.kind;
