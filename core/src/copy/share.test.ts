import { describe, expect, it } from "vitest";
import { coreOf, createMachine, restoreMachine } from "../machine/machine.ts";
import type { Command } from "../protocol/command.ts";
import { COIN, type CopyStage, createCopyStage } from "../testing/copy-stage.ts";
import { eventsOf } from "../testing/driver.ts";
import { followOf } from "./share/funds.ts";
import { FOF_FUNDED } from "./state/records.ts";

const MARK = 500_000;
const DAY_MS = 86_400_000;

/** The follower's sub-book gains or loses: opened by copy at one price, closed by copy at another. No fees. */
function freeOfFees(shareRate = 10_000_000): CopyStage {
  const stage = createCopyStage(shareRate);
  stage.send({ kind: "setFeeGroup", feeGroup: 1, makerRate: 0, takerRate: 0 });
  return stage;
}

/** A round trip of the leader's that makes so many coins a follower of the same size. */
function trip(stage: CopyStage, coins: number): void {
  const lots = 100;
  // One lot is 0.001 BTC: a hundred of them gain a coin for each 10 a BTC moves, 100 ticks.
  const ticks = coins * 100;
  const [from, to] = [MARK, MARK + ticks];
  stage.mark(stage.linear, from);
  stage.sell(stage.maker, lots * 50, from);
  stage.buy(stage.leader, lots, from);
  stage.sure({ kind: "cancelAll", account: stage.maker });
  stage.mark(stage.linear, to);
  stage.buy(stage.maker, lots * 50, to);
  stage.sell(stage.leader, lots, to);
  stage.sure({ kind: "cancelAll", account: stage.maker });
}

const funded = (stage: CopyStage, account: number): number => {
  const { available, frozen } = stage.balance(account);
  return available + frozen;
};

it("[COPY-3] what a captured hold takes out of a sub-book or brings into one is no profit and no loss", () => {
  const stage = freeOfFees();
  const [one, two] = [stage.follower(), stage.follower()];
  const { follows } = coreOf(stage.machine).copies;
  const invested = (): number[] =>
    [one, two].map((account) => follows.double(followOf(coreOf(stage.machine), account), FOF_FUNDED) / COIN);
  expect(invested()).toEqual([1_000, 1_000]);
  const held = { account: one, business: "withdrawal", hold: "h" } as const;
  stage.sure({ kind: "hold", ...held, asset: stage.usdt, units: 100 * COIN, reference: "h" });
  expect(invested()).toEqual([1_000, 1_000]);
  stage.sure({ kind: "capture", ...held, to: two, units: 60 * COIN, reference: "c" });
  expect(invested()).toEqual([940, 1_060]);
  stage.sure({ kind: "release", ...held, reference: "r" });
  expect(invested()).toEqual([940, 1_060]);
});

describe("profit share", () => {
  it("[COPY-3] p 10 %: +200, −50, +300, −500 hold 20, 15, 45, 0", () => {
    const stage = freeOfFees();
    stage.send({
      kind: "transfer",
      account: stage.maker,
      to: stage.leader,
      asset: stage.usdt,
      units: 5_000 * COIN,
      reference: "more",
    });
    const one = stage.follower({ units: 5_000 * COIN });
    const holds: number[] = [];
    for (const coins of [200, -50, 300, -500]) {
      trip(stage, coins);
      holds.push(stage.share(one).held / COIN);
      expect(stage.balance(one).frozen).toBe(stage.share(one).held);
    }
    expect(holds).toEqual([20, 15, 45, 0]);
    expect(funded(stage, one)).toBe(4_950 * COIN);
  });

  it("[COPY-3] Monday 00:00 UTC pays exactly the hold to the leader and moves the mark; losses must be made up first", () => {
    const stage = freeOfFees();
    const one = stage.follower();
    trip(stage, 200);
    const before = funded(stage, stage.leader);
    const monday = stage.machine.nextTimerAt;
    expect(new Date(coreOf(stage.machine).copies.follows.double(0, 19)).toISOString()).toMatch(/T00:00:00.000Z$/);
    expect(new Date(coreOf(stage.machine).copies.follows.double(0, 19)).getUTCDay()).toBe(1);
    expect(monday).toBeGreaterThan(stage.time);
    stage.time += 7 * DAY_MS;
    const settled = stage.sure({ kind: "tick" });
    expect(eventsOf(settled, "shareSettled")).toMatchObject([
      { account: one, leader: stage.leader, cause: "settlement", paidUnits: 20 * COIN, markUnits: 200 * COIN },
    ]);
    expect(funded(stage, stage.leader) - before).toBe(20 * COIN);
    expect(stage.share(one)).toEqual({ realized: 200 * COIN, mark: 200 * COIN, held: 0 });
    expect(stage.sure({ kind: "tick" }).filter(({ kind }) => kind === "shareSettled")).toEqual([]);
    trip(stage, -100);
    trip(stage, 50);
    expect(stage.share(one).held).toBe(0);
    trip(stage, 80);
    // R is 230 and H 200.
    expect(stage.share(one)).toEqual({ realized: 230 * COIN, mark: 200 * COIN, held: 3 * COIN });
  });

  it("[COPY-3] money put in or taken out is no profit, and a withdrawal never resets the mark", () => {
    const stage = freeOfFees();
    const one = stage.follower();
    trip(stage, 100);
    expect(stage.share(one)).toEqual({ realized: 100 * COIN, mark: 0, held: 10 * COIN });
    const move = { kind: "transfer", account: one, to: stage.maker, asset: stage.usdt } as const;
    stage.sure({ ...move, units: 1_090 * COIN, reference: "all" });
    // What is set aside stays.
    const refused = stage.sure({ ...move, units: 1, reference: "more" });
    expect(eventsOf(refused, "rejected")).toMatchObject([{ code: "INSUFFICIENT_BALANCE" }]);
    expect(stage.share(one)).toEqual({ realized: 100 * COIN, mark: 0, held: 10 * COIN });
    stage.sure({
      kind: "transfer",
      account: stage.maker,
      to: one,
      asset: stage.usdt,
      units: 500 * COIN,
      reference: "back",
    });
    expect(stage.share(one)).toEqual({ realized: 100 * COIN, mark: 0, held: 10 * COIN });
  });

  it("[COPY-3] a loss that needs it takes what it takes off the share, in the same posting", () => {
    const stage = freeOfFees(30_000_000);
    const one = stage.follower({ multiplier: 1_000_000_000, leverage: 100 });
    trip(stage, 20);
    // Ten times the leader's: 200 made, 60 set aside.
    expect(stage.share(one)).toMatchObject({ realized: 200 * COIN, held: 60 * COIN });
    stage.sure({
      kind: "transfer",
      account: one,
      to: stage.maker,
      asset: stage.usdt,
      units: 1_000 * COIN,
      reference: "out",
    });
    stage.mark(stage.linear, MARK);
    stage.sell(stage.maker, 5_000, MARK);
    stage.buy(stage.leader, 10, MARK);
    stage.sure({ kind: "cancelAll", account: stage.maker });
    expect(stage.held(one)).toMatchObject([{ lots: 100 }]);
    const low = MARK - 12_000;
    stage.buy(stage.maker, 5_000, low + 200);
    stage.mark(stage.linear, low + 200);
    stage.sell(stage.leader, 10, low + 200);
    const { realized, mark, held } = stage.share(one);
    expect(realized).toBeLessThan(200 * COIN);
    expect(held).toBe(Math.floor(Math.max(0, realized - mark) * 0.3));
  });

  it("[COPY-3] leaving with everything closed pays the hold and gives the money back; R and H survive a second follow", () => {
    const stage = freeOfFees();
    const wallet = stage.open("linear", 1_000 * COIN);
    const one = stage.follower({ account: wallet });
    trip(stage, 100);
    const left = stage.sure({ kind: "unfollow", account: one, positions: "close", to: wallet });
    expect(eventsOf(left, "shareSettled")).toMatchObject([{ cause: "closed", paidUnits: 10 * COIN }]);
    expect(eventsOf(left, "followChanged")).toMatchObject([{ change: "closed", followers: 0 }]);
    expect(stage.balance(wallet)).toEqual({ available: 1_090 * COIN, frozen: 0 });
    expect(funded(stage, one)).toBe(0);
    stage.follower({ account: wallet });
    expect(stage.share(one)).toEqual({ realized: 100 * COIN, mark: 100 * COIN, held: 0 });
    trip(stage, -60);
    stage.sure({ kind: "unfollow", account: one, positions: "close", to: wallet });
    stage.follower({ account: wallet, units: 900 * COIN });
    trip(stage, 50);
    // Still ten below the mark, however often one leaves.
    expect(stage.share(one)).toEqual({ realized: 90 * COIN, mark: 100 * COIN, held: 0 });
  });

  it("[COPY-3] leaving with positions kept counts their profit at the mark, once", () => {
    const stage = freeOfFees();
    const one = stage.follower();
    stage.mark(stage.linear, MARK);
    stage.sell(stage.maker, 5_000, MARK);
    stage.buy(stage.leader, 100, MARK);
    stage.sure({ kind: "cancelAll", account: stage.maker });
    stage.mark(stage.linear, MARK + 10_000);
    const left = stage.sure({ kind: "unfollow", account: one, positions: "keep" });
    expect(eventsOf(left, "shareSettled")).toMatchObject([
      { cause: "kept", paidUnits: 10 * COIN, unrealizedUnits: 100 * COIN, markUnits: 100 * COIN },
    ]);
    expect(stage.held(one)).toMatchObject([{ lots: 100 }]);
    stage.buy(stage.maker, 5_000, MARK + 10_000);
    const alone = stage.sell(stage.leader, 100, MARK + 10_000);
    expect(eventsOf(alone, "copyStarted")).toEqual([]);
    stage.sure({ kind: "closePosition", account: one, market: stage.linear, side: "long" });
    expect(stage.share(one)).toEqual({ realized: 100 * COIN, mark: 100 * COIN, held: 0 });
    expect(eventsOf(stage.sure({ kind: "unfollow", account: one, positions: "keep" }), "rejected")).toMatchObject([
      { code: "NOT_FOLLOWING" },
    ]);
  });

  it("[COPY-3] another share is announced and counts from the first settlement seven days ahead", () => {
    const stage = freeOfFees();
    const one = stage.follower();
    const lead = {
      kind: "setLeader",
      account: stage.leader,
      asset: stage.usdt,
      state: "active",
      followersMax: 100,
    } as const;
    const published = eventsOf(stage.sure({ ...lead, shareRate: 20_000_000 }), "leaderChanged")[0];
    expect(published).toMatchObject({ shareRate: 10_000_000, nextShareRate: 20_000_000 });
    expect((published?.nextShareFrom ?? 0) - stage.time).toBeGreaterThanOrEqual(7 * DAY_MS);
    trip(stage, 100);
    expect(stage.share(one).held).toBe(10 * COIN);
    stage.time = (published?.nextShareFrom ?? 0) - 7 * DAY_MS;
    stage.sure({ kind: "tick" });
    trip(stage, 100);
    expect(stage.share(one).held).toBe(10 * COIN);
    stage.time = published?.nextShareFrom ?? 0;
    const settled = stage.sure({ kind: "tick" });
    // What was earned before is still paid by the old one.
    expect(eventsOf(settled, "shareSettled")).toMatchObject([{ shareRate: 10_000_000, paidUnits: 10 * COIN }]);
    trip(stage, 100);
    expect(stage.share(one).held).toBe(20 * COIN);
  });

  it("[COPY-3] a follower's stop-loss closes all and leaves; so does a take-profit, and a day's loss stops openings", () => {
    const stage = freeOfFees();
    const stopped = stage.follower({ stopLossBps: 9_500 });
    const taken = stage.follower({ takeProfitBps: 10_500 });
    const daily = stage.follower({ dailyLossUnits: 50 * COIN });
    trip(stage, -40);
    stage.time += 1_000;
    expect(eventsOf(stage.sure({ kind: "tick" }), "followChanged")).toEqual([]);
    trip(stage, -20);
    stage.time += 1_000;
    const ticked = stage.sure({ kind: "tick" });
    expect(eventsOf(ticked, "followChanged")).toMatchObject([{ account: stopped, change: "stopLoss" }]);
    stage.sell(stage.maker, 1_000, MARK);
    stage.mark(stage.linear, MARK);
    const more = stage.buy(stage.leader, 1, MARK);
    expect(eventsOf(more, "copySkipped")).toMatchObject([{ account: daily, reason: "DAILY_LOSS" }]);
    stage.sure({ kind: "cancelAll", account: stage.maker });
    stage.buy(stage.maker, 1_000, MARK);
    stage.sell(stage.leader, 1, MARK);
    stage.sure({ kind: "cancelAll", account: stage.maker });
    stage.time += DAY_MS;
    trip(stage, 150);
    stage.time += 1_000;
    expect(eventsOf(stage.sure({ kind: "tick" }), "followChanged")).toMatchObject([
      { account: taken, change: "takeProfit" },
    ]);
    expect(stage.share(daily).realized).toBe(90 * COIN);
  });

  it("[COPY-3] a leader who stops takes leave of everybody, when he holds nothing himself", () => {
    const stage = freeOfFees();
    const one = stage.follower();
    trip(stage, 100);
    const stop = {
      kind: "setLeader",
      account: stage.leader,
      asset: stage.usdt,
      state: "none",
      shareRate: 10_000_000,
      followersMax: 100,
    } as const;
    stage.sell(stage.maker, 100, MARK);
    stage.mark(stage.linear, MARK);
    stage.buy(stage.leader, 1, MARK);
    expect(eventsOf(stage.sure(stop), "rejected")).toMatchObject([{ code: "LEADER_HOLDS_POSITIONS" }]);
    stage.buy(stage.maker, 100, MARK - 10);
    stage.sell(stage.leader, 1, MARK - 10);
    const ended = stage.sure(stop);
    expect(eventsOf(ended, "followChanged")).toMatchObject([{ account: one, change: "leaderClosed", followers: 0 }]);
    const again = { kind: "follow", account: stage.maker, leader: stage.leader, units: 100 * COIN } as const;
    expect(eventsOf(stage.sure({ ...again, mode: "multiplier", multiplier: 100_000_000 }), "rejected")).toMatchObject([
      { code: "LEADER_NOT_ACTIVE" },
    ]);
  });
});

describe("many followers", () => {
  const many = (count: number): CopyStage => {
    const stage = freeOfFees();
    for (let i = 0; i < count; i++) stage.follower({ units: 100 * COIN, multiplier: 10_000_000 });
    stage.send({ kind: "setSeed", seed: "5eed".repeat(16) });
    return stage;
  };

  it("[QUEUE-7] copies past 256 go on with the next tick, orders of others between, and every one is made once", () => {
    const stage = many(600);
    stage.sell(stage.maker, 10_000, MARK);
    const first = stage.buy(stage.leader, 10, MARK);
    const cause = stage.machine.sequence;
    const settings = { kind: "setFollow", mode: "multiplier", multiplier: 100_000_000 } as const;
    const waiting = [...coreOf(stage.machine).followUps.waiting()].length;
    expect(eventsOf(first, "copyPlaced")).toHaveLength(256);
    expect(waiting).toBe(344);
    const done = new Set(eventsOf(first, "copyPlaced").map(({ account }) => account));
    const late = eventsOf(stage.sure({ kind: "tick" }), "copyPlaced").at(-1);
    expect(late).toBeDefined();
    for (const { account } of eventsOf(stage.sure({ kind: "tick" }), "copyPlaced")) done.add(account);
    expect(coreOf(stage.machine).followUps.isEmpty).toBe(true);
    const second = stage.buy(stage.leader, 10, MARK);
    expect(eventsOf(second, "copyPlaced")).toHaveLength(256);
    const busy = [...coreOf(stage.machine).followUps.waiting()][0]?.subject ?? 0;
    const account = coreOf(stage.machine).copies.follows.word(busy % 0x1000000, 2);
    expect(eventsOf(stage.sure({ ...settings, account }), "rejected")).toMatchObject([{ code: "COPY_UNDER_WAY" }]);
    const ticked = stage.sure({ kind: "tick" });
    expect(eventsOf(ticked, "followUp")[0]).toMatchObject({ what: "copy" });
    expect(eventsOf(ticked, "followUp")[0]?.cause).toBeGreaterThan(cause);
  });

  it("[COPY-3] killed in the middle of copies or of a settlement, a restored machine makes and pays each once", () => {
    const stage = many(600);
    stage.sell(stage.maker, 10_000, MARK);
    stage.buy(stage.leader, 100, MARK);
    const commands: Command[] = [{ kind: "tick" }, { kind: "tick" }];
    for (const command of commands) stage.send(command);
    stage.sure({ kind: "cancelAll", account: stage.maker });
    stage.mark(stage.linear, MARK + 10_000);
    stage.buy(stage.maker, 10_000, MARK + 10_000);
    stage.sell(stage.leader, 100, MARK + 10_000);
    for (const command of commands) stage.send(command);
    const before = funded(stage, stage.leader);
    stage.time += 8 * DAY_MS;
    for (let i = 0; i < 3; i++) stage.send({ kind: "tick" });
    // Six hundred times a tenth of ten coins.
    expect(funded(stage, stage.leader) - before).toBe(600 * COIN);
    const hash = stage.machine.stateHash();
    let machine = createMachine();
    const last = stage.journal.length;
    for (const [i, bytes] of stage.journal.entries()) {
      if (i > last - 12) machine = restoreMachine(machine.snapshot());
      machine.apply(bytes, 0);
      machine.events.clear();
    }
    expect(machine.stateHash()).toBe(hash);
  });

  it("[COPY-3] over 10 000 copies no follower's mean place differs from the others' beyond chance", () => {
    const followers = 50;
    const stage = many(followers);
    stage.sell(stage.maker, 20_000, MARK);
    stage.buy(stage.maker, 20_000, MARK - 10);
    const places = new Map<number, number[]>();
    for (let i = 0; i < 200; i++) {
      if (i % 20 === 0)
        stage.send({
          kind: "setSeed",
          seed: i.toString(16).padStart(2, "0").repeat(32).replace(/^0+$/, "1".repeat(64)),
        });
      const buys = i % 2 === 0;
      const events = stage.send({
        kind: "placeOrder",
        account: stage.leader,
        market: stage.linear,
        side: buys ? "buy" : "sell",
        price: buys ? MARK : MARK - 10,
        quantity: 10,
      });
      for (const { account, place } of eventsOf(events, "copyPlaced"))
        places.set(account, [...(places.get(account) ?? []), place]);
    }
    expect([...places.values()].flat()).toHaveLength(10_000);
    // A mean of 200 places of 0 to 49 has a deviation of 14.43 ÷ √200; five of them are one in a million.
    const deviation = Math.sqrt((followers ** 2 - 1) / 12 / 200);
    for (const drawn of places.values()) {
      const mean = drawn.reduce((sum, place) => sum + place, 0) / drawn.length;
      expect(Math.abs(mean - (followers - 1) / 2)).toBeLessThan(4.5 * deviation);
    }
  });
});
