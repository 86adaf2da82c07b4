// What a leader's position does is told to copy trading figure by figure, once for each thing he did.
import { describe, expect, it } from "vitest";
import type { MachineEvent } from "../protocol/event.ts";
import { COIN, createCopyStage } from "../testing/copy-stage.ts";
import { eventsOf } from "../testing/driver.ts";
import { listAnother } from "../testing/perp-stage.ts";

const MARK = 500_000;
const started = (events: readonly MachineEvent[]) =>
  eventsOf(events, "copyStarted").map(({ account, what, short, market, followers, lots, valueUnits, wholeLots }) => [
    ...[account, what, short, market, followers, lots, valueUnits, wholeLots],
  ]);

describe("what is told of a leader", () => {
  for (const [side, other, short] of [
    ["buy", "sell", false],
    ["sell", "buy", true],
  ] as const)
    it(`[COPY-3] a ${side}: lots, value, side and what was held, of an opening, a margin, stops and a close`, () => {
      const stage = createCopyStage();
      const { leader, linear: market } = stage;
      for (let i = 0; i < 2; i++) stage.follower({ multiplier: 50_000_000, units: 2_000 * COIN });
      stage.sure({ kind: "setMarginMode", account: leader, market, isolated: true });
      stage[other](stage.maker, 1_000, MARK);
      const row = (what: string, lots: number, value: number, whole: number) => [
        ...[leader, what, short, market, 2, lots, value, whole],
      ];
      expect(started(stage[side](leader, 20, MARK))).toEqual([row("open", 20, 1_000 * COIN, 0)]);
      // 50 of margin are there, 7 come in.
      const margin = stage.sure({ kind: "changeMargin", account: leader, market, units: 7 * COIN });
      expect(started(margin)).toEqual([row("margin", 7 * COIN, 0, 50 * COIN)]);
      const stops = { kind: "setPositionStops", account: leader, market, lots: 8 } as const;
      const [loss, gain] = short ? [510_000, 490_000] : [490_000, 510_000];
      const set = stage.sure({ ...stops, stopTrigger: loss, profitTrigger: gain });
      expect(started(set)).toEqual([row("stops", 8, 0, 20)]);
      const mirrors = eventsOf(set, "conditionalAccepted").filter(({ account }) => account !== leader);
      expect(mirrors.map(({ trigger, quantity }) => [trigger, quantity]).sort()).toEqual(
        [...[loss, loss], ...[gain, gain]].map((trigger) => [trigger, 4]).sort(),
      );
      const own = eventsOf(set, "conditionalAccepted").find((plan) => plan.account === leader && plan.trigger === loss);
      const moved = stage.sure({ kind: "moveStop", account: leader, orderId: own?.orderId ?? 0, trigger: loss + 100 });
      expect(started(moved)).toEqual([row("stops", 0, 0, 0)]);
      const taken = stage.sure({ kind: "cancelAll", account: leader });
      expect(started(taken)).toEqual([row("stopsEnded", 0, 0, 0)]);
      stage[side](stage.maker, 1_000, MARK - (short ? -10 : 10));
      const closed = stage[other](leader, 5, MARK - (short ? -10 : 10));
      expect(started(closed)).toEqual([row("close", 5, 5 * (MARK - (short ? -10 : 10)) * 100, 20)]);
    });

  it("[COPY-3] stops taken back by one command are told once for each market and side", () => {
    const stage = createCopyStage();
    const { leader, linear } = stage;
    const second = listAnother(stage, "BTCUSDT2");
    stage.follower({ multiplier: 50_000_000, units: 2_000 * COIN });
    stage.sure({ kind: "setPositionMode", account: leader, hedge: true });
    for (const market of [linear, second]) {
      stage.sell(stage.maker, 1_000, MARK + 10, { market });
      stage.buy(stage.maker, 1_000, MARK - 10, { market });
      stage.buy(leader, 20, MARK + 10, { market });
      stage.sell(leader, 20, MARK - 10, { market });
      const stops = { kind: "setPositionStops", account: leader, market } as const;
      stage.sure({ ...stops, side: "long", stopTrigger: 490_000, profitTrigger: 510_000 });
      stage.sure({ ...stops, side: "short", stopTrigger: 510_000, profitTrigger: 490_000 });
    }
    const taken = started(stage.sure({ kind: "cancelAll", account: leader }));
    const places = taken.map(([, what, short, market]) => `${what} ${market} ${short}`);
    const wanted = [linear, second].flatMap((market) => [false, true].map((short) => `stopsEnded ${market} ${short}`));
    expect(places.sort()).toEqual(wanted.sort());
  });

  it("[COPY-3] nobody's plans, a follower's stops and a leader nobody follows are told to nobody", () => {
    const stage = createCopyStage();
    const { leader, linear: market } = stage;
    const alone = stage.open("copyFLead", 1_000 * COIN);
    stage.sell(stage.maker, 1_000, MARK);
    const stops = { kind: "setPositionStops", market, stopTrigger: 490_000 } as const;
    for (const account of [alone, stage.maker]) {
      stage.buy(account, 20, MARK);
      stage.sure({ ...stops, account });
      expect(started(stage.sure({ kind: "cancelAll", account }))).toEqual([]);
    }
    // Led and left again: he is watched, and there is nobody to tell.
    const one = stage.follower({ multiplier: 50_000_000, units: 2_000 * COIN });
    stage.buy(leader, 20, MARK);
    stage.sure({ ...stops, account: one, side: "long" });
    expect(started(stage.sure({ kind: "cancelAll", account: one }))).toEqual([]);
    const plan = {
      kind: "placeConditional",
      account: leader,
      market,
      conditional: "stopMarket",
      side: "sell",
    } as const;
    const planned = stage.sure({ ...plan, quantity: 5, trigger: 480_000, direction: "falls", reduceOnly: true });
    expect(eventsOf(planned, "conditionalAccepted")).toHaveLength(1);
    expect(started(stage.sure({ kind: "cancelAll", account: leader }))).toEqual([]);
    stage.sure({ kind: "unfollow", account: one, positions: "keep" });
    stage.sure({ ...stops, account: leader });
    expect(started(stage.sure({ kind: "cancelAll", account: leader }))).toEqual([]);
    expect(started(stage.buy(leader, 1, MARK))).toEqual([]);
  });

  it("[COPY-3] a loss beyond the wallet takes from the leader's share before it takes another position's profit", () => {
    const stage = createCopyStage(30_000_000);
    stage.send({ kind: "setFeeGroup", feeGroup: 1, makerRate: 0, takerRate: 0 });
    const { leader, linear } = stage;
    const second = listAnother(stage, "BTCUSDT2");
    const one = stage.follower({ multiplier: 1_000_000_000, leverage: 100 });
    const trade = (side: "buy" | "sell", market: number, lots: number, price: number): void => {
      stage.mark(market, price);
      stage[side === "buy" ? "sell" : "buy"](stage.maker, 5_000, price, { market });
      stage[side](leader, lots, price, { market });
      stage.sure({ kind: "cancelAll", account: stage.maker });
    };
    trade("buy", linear, 100, MARK);
    trade("sell", linear, 100, MARK + 2_000);
    // Ten times the leader's 20, of which 30 % are set aside; then his own thousand leaves.
    expect(stage.share(one)).toMatchObject({ realized: 200 * COIN, held: 60 * COIN });
    const out = { asset: stage.usdt, units: 1_000 * COIN, reference: "out" };
    stage.sure({ kind: "transfer", account: one, to: stage.maker, ...out });
    trade("buy", second, 10, MARK);
    stage.mark(second, MARK + 20_000);
    trade("buy", linear, 10, MARK);
    trade("sell", linear, 10, MARK - 15_000);
    // 150 are lost: of 50 that are left 30 % are held.
    expect(stage.share(one)).toMatchObject({ realized: 50 * COIN, held: 15 * COIN });
    expect(stage.balance(one)).toEqual({ available: 35 * COIN, frozen: 15 * COIN });
    expect(stage.held(one, second)).toMatchObject([{ lots: 100, cost: 5_000 * COIN }]);
  });
});
