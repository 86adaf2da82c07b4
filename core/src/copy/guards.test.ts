// What a follower's bounds are reckoned from, over a withdrawal, a deposit and a second follow; and shares that are announced.
import { describe, expect, it } from "vitest";
import type { MachineEvent } from "../protocol/event.ts";
import { COIN, type CopyStage, createCopyStage } from "../testing/copy-stage.ts";
import { eventsOf } from "../testing/driver.ts";

const MARK = 500_000;
const DAY_MS = 86_400_000;

/** A round trip of the leader's that makes so many coins a follower of the same size. No fees. */
function trip(stage: CopyStage, coins: number): void {
  const lots = 100;
  const to = MARK + coins * 100;
  stage.mark(stage.linear, MARK);
  stage.sell(stage.maker, lots * 50, MARK);
  stage.buy(stage.leader, lots, MARK);
  stage.sure({ kind: "cancelAll", account: stage.maker });
  stage.mark(stage.linear, to);
  stage.buy(stage.maker, lots * 50, to);
  stage.sell(stage.leader, lots, to);
  stage.sure({ kind: "cancelAll", account: stage.maker });
}

function create(): CopyStage {
  const stage = createCopyStage();
  stage.send({ kind: "setFeeGroup", feeGroup: 1, makerRate: 0, takerRate: 0 });
  return stage;
}

/** Looks at the guards; what ended. */
function look(stage: CopyStage): MachineEvent[] {
  stage.time += 1_000;
  return eventsOf(stage.sure({ kind: "tick" }), "followChanged");
}

describe("bounds of followers", () => {
  it("[COPY-3] followed again, they are reckoned from what the new follow begins with", () => {
    const stage = create();
    const wallet = stage.open("linear", 3_000 * COIN);
    const one = stage.follower({ account: wallet, units: 1_000 * COIN });
    trip(stage, -400);
    // Leaves with what is left of it in the sub-book, and follows again with a hundred more.
    stage.sure({ kind: "unfollow", account: one, positions: "close" });
    const again = stage.sure({
      kind: "follow",
      account: wallet,
      leader: stage.leader,
      units: 100 * COIN,
      mode: "multiplier",
      multiplier: 100_000_000,
      stopLossBps: 9_000,
    });
    expect(eventsOf(again, "followChanged")).toMatchObject([{ investedUnits: 700 * COIN }]);
    // Under the old investment of 1 100 it would have ended at once.
    expect(look(stage)).toEqual([]);
    trip(stage, -60);
    expect(look(stage)).toEqual([]);
    trip(stage, -11);
    expect(look(stage)).toMatchObject([{ account: one, change: "stopLoss" }]);
  });

  it("[COPY-3] a withdrawal lowers them by its part of the equity, a deposit raises them by itself", () => {
    const stage = create();
    const wallet = stage.open("linear", 3_000 * COIN);
    const one = stage.follower({ account: wallet, units: 1_000 * COIN, stopLossBps: 9_000, takeProfitBps: 15_000 });
    trip(stage, 200);
    // 20 of it are the leader's. Half of the 1 180 goes: 590 stay against a base of 500.
    const move = { kind: "transfer", asset: stage.usdt } as const;
    stage.sure({ ...move, account: one, to: wallet, units: 590 * COIN, reference: "out" });
    expect(look(stage)).toEqual([]);
    trip(stage, -130);
    // 473, and nine tenths of the base are 450.
    expect(look(stage)).toEqual([]);
    stage.sure({ ...move, account: wallet, to: one, units: 500 * COIN, reference: "in" });
    expect(look(stage)).toEqual([]);
    // 973 of a base of 1 000; 900 ends it.
    trip(stage, -66);
    expect(look(stage)).toEqual([]);
    trip(stage, -15);
    expect(look(stage)).toMatchObject([{ account: one, change: "stopLoss" }]);
  });

  it("[COPY-3] a gain that is taken out does not make the rest look like a gain", () => {
    const stage = create();
    const wallet = stage.open("linear", 3_000 * COIN);
    const one = stage.follower({ account: wallet, units: 1_000 * COIN, takeProfitBps: 13_000 });
    trip(stage, 200);
    // Of 1 180 there stay 180, against a base of 152 and no longer of nothing.
    stage.sure({
      kind: "transfer",
      account: one,
      to: wallet,
      asset: stage.usdt,
      units: 1_000 * COIN,
      reference: "out",
    });
    expect(look(stage)).toEqual([]);
    const all = 180 * COIN;
    stage.sure({ kind: "transfer", account: one, to: wallet, asset: stage.usdt, units: all, reference: "rest" });
    // With nothing at stake nothing is reached.
    expect(look(stage)).toEqual([]);
    expect(stage.share(one)).toMatchObject({ held: 20 * COIN });
  });
});

describe("shares that are announced", () => {
  const lead = (stage: CopyStage) =>
    ({ kind: "setLeader", account: stage.leader, asset: stage.usdt, followersMax: 100 }) as const;

  it("[COPY-3] come into force when announced, whatever pauses come between", () => {
    const stage = create();
    const one = stage.follower();
    const shareRate = 20_000_000;
    const published = eventsOf(stage.sure({ ...lead(stage), state: "active", shareRate }), "leaderChanged")[0];
    stage.time += DAY_MS;
    stage.sure({ ...lead(stage), state: "paused", shareRate });
    // The day before it counts, and nobody has settled since.
    stage.time = (published?.nextShareFrom ?? 0) - DAY_MS;
    const resumed = eventsOf(stage.sure({ ...lead(stage), state: "active", shareRate }), "leaderChanged")[0];
    expect(resumed?.nextShareFrom).toBe(published?.nextShareFrom);
    stage.time = published?.nextShareFrom ?? 0;
    stage.sure({ kind: "tick" });
    trip(stage, 100);
    expect(stage.share(one).held).toBe(20 * COIN);
  });

  it("[COPY-3] another one announced meanwhile waits its own seven days; the old one asked again takes it back", () => {
    const stage = create();
    stage.follower();
    const first = eventsOf(stage.sure({ ...lead(stage), state: "active", shareRate: 20_000_000 }), "leaderChanged")[0];
    stage.time += 7 * DAY_MS - 1;
    const other = eventsOf(stage.sure({ ...lead(stage), state: "active", shareRate: 5_000_000 }), "leaderChanged")[0];
    expect((other?.nextShareFrom ?? 0) - (first?.nextShareFrom ?? 0)).toBe(7 * DAY_MS);
    const back = eventsOf(stage.sure({ ...lead(stage), state: "active", shareRate: 10_000_000 }), "leaderChanged")[0];
    expect(back).toMatchObject({ shareRate: 10_000_000, nextShareRate: 0, nextShareFrom: 0 });
  });
});
