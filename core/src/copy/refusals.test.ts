import { beforeEach, describe, expect, it } from "vitest";
import { checkInvariants } from "../inspect/invariants.ts";
import type { Command } from "../protocol/command.ts";
import { COIN, createCopyStage, type FollowCommand } from "../testing/copy-stage.ts";
import { eventsOf } from "../testing/driver.ts";

const USER = 7_777;

/** A stage with somebody who could follow. */
function open() {
  const stage = createCopyStage();
  const account = stage.open("linear", 1_000 * COIN, stage.usdt, USER);
  const follow: FollowCommand = {
    kind: "follow",
    account,
    leader: stage.leader,
    units: 100 * COIN,
    mode: "multiplier",
    multiplier: 100_000_000,
  };
  /** Refused with a code, and nothing moved. */
  const refused = (command: Command): string | undefined => {
    const before = stage.balance(account);
    const events = stage.sure(command);
    expect(stage.balance(account)).toEqual(before);
    return eventsOf(events, "rejected")[0]?.code;
  };
  return { stage, account, follow, refused };
}

describe("refusals of copy trading", () => {
  // Each test has a stage of its own; accounts have the same numbers on all of them.
  let { stage, account, follow, refused } = open();
  beforeEach(() => {
    ({ stage, account, follow, refused } = open());
  });

  it.each([
    ["a stranger is no leader", { leader: account }, "NOT_A_LEADER"],
    ["less than 50", { units: 49 * COIN }, "INVESTMENT_TOO_SMALL"],
    ["more than there is", { units: 1_001 * COIN }, "INSUFFICIENT_BALANCE"],
    ["a multiple of nothing", { multiplier: 0 }, "INVALID_COPY_SETTING"],
    ["a multiple of eleven", { multiplier: 1_100_000_000 }, "INVALID_COPY_SETTING"],
    ["a fixed margin of nothing", { mode: "fixed" }, "INVALID_COPY_SETTING"],
    ["slippage of 6 %", { slippageBps: 600 }, "INVALID_COPY_SETTING"],
    ["slippage of nothing", { slippageBps: 0 }, "INVALID_COPY_SETTING"],
    ["a stop-loss above the investment", { stopLossBps: 10_000 }, "INVALID_COPY_SETTING"],
    ["a take-profit below it", { takeProfitBps: 9_000 }, "INVALID_COPY_SETTING"],
    ["a market that is none", { markets: [{ market: 99 }] }, "INVALID_COPY_SETTING"],
    ["a spot market", { markets: [{ market: stage.spot }] }, "INVALID_COPY_SETTING"],
    ["a negative cap", { maxOrderUnits: -1 }, "INVALID_COPY_SETTING"],
    ["a negative amount", { units: -1 }, "INVALID_AMOUNT"],
  ] as const)("[COPY-3] %s", (_, change, code) => {
    expect(refused({ ...follow, ...change } as Command)).toBe(code);
  });

  it("[COPY-3] nobody follows himself, twice, a leader who follows, or when the leader is full", () => {
    const own = stage.open("linear", 1_000 * COIN, stage.usdt, 8_888);
    const lead = stage.open("copyFLead", 0, stage.usdt, 8_888);
    const setLeader = {
      kind: "setLeader",
      account: lead,
      state: "active",
      asset: stage.usdt,
      shareRate: 10_000_000,
      followersMax: 1,
    } as const;
    expect(refused({ ...setLeader, shareRate: 31_000_000 })).toBe("INVALID_COPY_SETTING");
    expect(refused({ ...setLeader, account: own })).toBe("BOOK_NOT_TRADABLE");
    expect(refused({ ...setLeader, state: "none" })).toBe("NOT_A_LEADER");
    expect(refused(setLeader)).toBeUndefined();
    expect(refused({ ...follow, account: own, leader: lead })).toBe("SELF_FOLLOW");
    // Chains and circles: whoever leads follows nobody.
    expect(refused({ ...follow, account: own })).toBe("LEADER_FOLLOWS");
    const followed = stage.sure({ ...follow, leader: lead });
    const sub = eventsOf(followed, "followChanged")[0]?.account ?? 0;
    expect(eventsOf(followed, "accountCreated")).toMatchObject([{ book: "copyF", user: USER, sub: lead }]);
    expect(refused({ ...follow, leader: lead })).toBe("ALREADY_FOLLOWING");
    const third = stage.open("linear", 1_000 * COIN);
    expect(refused({ ...follow, account: third, leader: lead })).toBe("FOLLOWERS_FULL");
    // And whoever follows does not lead.
    const late = stage.open("copyFLead", 0, stage.usdt, USER);
    expect(refused({ ...setLeader, account: late })).toBe("LEADER_FOLLOWS");
    expect(refused({ kind: "setPositionMode", account: sub, hedge: false })).toBe("MODE_LOCKED");
    expect(refused({ kind: "setPositionMode", account: lead, hedge: true, split: true })).toBe("MODE_LOCKED");
    expect(refused({ kind: "unfollow", account: sub, positions: "close", to: third })).toBe("NOT_TRANSFERABLE");
    expect(refused({ kind: "unfollow", account: third, positions: "close" })).toBe("NOT_FOLLOWING");
    expect(refused({ kind: "setFollow", account: third, mode: "fixed", fixedUnits: 1 })).toBe("NOT_FOLLOWING");
    stage.sure({ ...setLeader, state: "paused" });
    expect(refused({ ...follow, account: third, leader: lead })).toBe("LEADER_NOT_ACTIVE");
  });

  it("[COPY-3] every setting is told with the follow, and again when they change", () => {
    const markets = [{ market: stage.linear }];
    const own = stage.open("linear", 1_000 * COIN);
    const chosen = {
      mode: "fixed",
      marginMode: "isolated",
      mirrorMargin: false,
      fixedUnits: 7,
      multiplier: 5_000_000,
      leverage: 3,
      leverageMax: 9,
      slippageBps: 77,
      stopLossBps: 5_000,
      takeProfitBps: 20_000,
      maxOrderUnits: 11,
      maxSymbolUnits: 12,
      maxTotalUnits: 13,
      dailyLossUnits: 14,
    } as const;
    const { maxSymbolUnits, maxTotalUnits, ...settings } = chosen;
    const followed = stage.sure({ ...follow, account: own, ...chosen, markets });
    expect(eventsOf(followed, "followSettings")).toMatchObject([settings]);
    const hex = stage.linear.toString(16).padStart(2, "0").padEnd(64, "0");
    expect(eventsOf(followed, "followScope")).toMatchObject([{ maxSymbolUnits, maxTotalUnits, markets: hex }]);
    const sub = eventsOf(followed, "followChanged")[0]?.account ?? 0;
    const changed = stage.sure({ kind: "setFollow", account: sub, mode: "proportional" });
    expect(eventsOf(changed, "followChanged")).toMatchObject([{ change: "settings" }]);
    expect(eventsOf(changed, "followSettings")).toMatchObject([
      { mode: "proportional", stopLossBps: 0, slippageBps: 50 },
    ]);
  });

  it("[COPY-3] a leader's coin never changes", () => {
    const lead = { kind: "setLeader", account: stage.leader, state: "active", shareRate: 1, followersMax: 1 } as const;
    expect(refused({ ...lead, asset: stage.btc })).toBe("INVALID_COPY_SETTING");
  });

  it("[COPY-3] whatever bytes a copy command has, it is refused or leaves everything sound", () => {
    const random = Array.from({ length: 600 }, (_, i) => Math.imul(i + 1, 0x9e3779b1) >>> 0);
    const bytes = new Uint8Array(184);
    const view = new DataView(bytes.buffer);
    for (const [i, seed] of random.entries()) {
      // Mostly small numbers and a few wild ones, over the members of a sound command.
      for (let at = 24; at < bytes.length; at += 4)
        view.setInt32(at, Math.imul(seed ^ at, 0x85ebca6b) >> ((seed + at) % 7 === 0 ? 0 : 26), true);
      if (i % 3 === 0) view.setInt32(24, stage.leader, true);
      view.setFloat64(32, i % 2 === 0 ? 60 * COIN : Number.NaN, true);
      view.setUint16(0, bytes.length, true);
      view.setUint8(2, 50 + (i % 4));
      view.setUint8(3, 0);
      view.setInt32(4, i % 5 === 0 ? seed | 0 : 16 + (seed % 40), true);
      view.setFloat64(8, stage.machine.sequence + 1, true);
      view.setFloat64(16, stage.time, true);
      stage.machine.events.clear();
      stage.machine.apply(bytes, 0);
      expect(stage.machine.events.length).toBeGreaterThan(0);
      expect(checkInvariants(stage.machine)).toEqual([]);
    }
  });
});
