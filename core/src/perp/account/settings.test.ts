// Modes, leverage and margins at their edges: what locks them, what just passes, and what they mean for the next mark.
import { leastSafeMargin } from "@clockwork/kit/margin";
import { describe, expect, test } from "vitest";
import { coreOf } from "../../machine/machine.ts";
import type { Command } from "../../protocol/command.ts";
import type { MachineEvent } from "../../protocol/event.ts";
import { eventsOf } from "../../testing/driver.ts";
import { createPerpStage, type PerpStage } from "../../testing/perp-stage.ts";
import { sendChanged } from "../../testing/raw-command.ts";
import { SM_FLAGS } from "../state/records.ts";
import { hold, listSecond, published, RICH, take } from "./hold-fixture.ts";
import { holdingsOf, Watched } from "./standing-fixture.ts";

describe("[FUT-2] modes", () => {
  test("an account alone, with each other one at any place of the command, and what is kept; orders and stops stand against", () => {
    const stage = createPerpStage();
    const own = Array.from({ length: 8 }, (_, i) =>
      stage.trader(RICH, i === 0 ? { user: 70 } : { user: 70, inverse: true }),
    );
    const [account = 0, other = 0] = own;
    for (let place = 1; place <= 7; place++) {
      const set = { kind: "setPositionMode", account, hedge: place % 2 === 1, [`also${place}`]: other } as Command;
      const events = stage.sure(set);
      expect(eventsOf(events, "perpSettings").map((event) => [event.account, event.hedge, event.isolated])).toEqual([
        [account, place % 2 === 1, false],
        [other, place % 2 === 1, false],
      ]);
    }
  });

  test("the account's other settings stay, split makes every market isolated, and each market follows", () => {
    const stage = createPerpStage();
    const alice = stage.trader(RICH);
    const market = stage.linear;
    stage.sure({ kind: "setAutoAppend", account: alice, market, on: true });
    const settings = (command: Command): unknown[] => {
      const events = stage.sure(command);
      expect(published(events)).toBeUndefined();
      return eventsOf(events, "perpSettings");
    };
    const base = { account: alice, market, leverageLong: 20, leverageShort: 20, autoAppend: true };
    expect(settings({ kind: "setPositionMode", account: alice, hedge: true, split: true })).toMatchObject([
      { account: alice, market: 0, leverageLong: 0, leverageShort: 0, isolated: false, autoAppend: false, hedge: true },
    ]);
    expect(published(stage.sure({ kind: "setMarginMode", account: alice, market, isolated: false }))?.[0]).toBe(
      "MODE_LOCKED",
    );
    expect(settings({ kind: "setMarginMode", account: alice, market, isolated: true })).toMatchObject([
      { ...base, isolated: true, hedge: true, split: true },
    ]);
    expect(settings({ kind: "setPositionMode", account: alice, hedge: false, keeps: "split" })).toMatchObject([
      { hedge: false, split: false, isolated: false },
    ]);
    expect(settings({ kind: "setLeverage", account: alice, market, long: 20 })).toMatchObject([
      { ...base, isolated: true, hedge: false, split: false },
    ]);
    expect(settings({ kind: "setAutoAppend", account: alice, market, on: false })).toMatchObject([
      { ...base, autoAppend: false },
    ]);
  });

  test("hedge mode alone isolates nothing", () => {
    const stage = createPerpStage();
    const account = stage.trader(RICH);
    const lever = (): unknown =>
      eventsOf(stage.sure({ kind: "setLeverage", account, market: stage.linear, long: 20 }), "perpSettings");
    expect(lever()).toMatchObject([{ hedge: false, isolated: false }]);
    for (const hedge of [true, false]) {
      stage.sure({ kind: "setPositionMode", account, hedge });
      expect(lever()).toMatchObject([{ hedge, isolated: false, split: false }]);
    }
  });

  test("the modes of an account that never had a contract's margin are written into no record", () => {
    const stage = createPerpStage();
    const [listed] = eventsOf(
      stage.sure({
        kind: "listMarket",
        symbol: "BTC/USDT",
        marketKind: "spot",
        feeGroup: 1,
        base: stage.btc,
        quote: stage.usdt,
        stepUnits: 100_000,
        tickMantissa: 1,
        tickDecimals: 1,
        slippageBps: 200,
      }),
      "marketListed",
    );
    const [made] = eventsOf(stage.sure({ kind: "createAccount", user: 70, book: "spot" }), "accountCreated");
    const [account, market] = [made?.account ?? 0, listed?.market ?? 0];
    stage.sure({ kind: "mint", account, asset: stage.usdt, business: "deposit", units: RICH, reference: "spot" });
    const [order] = eventsOf(
      stage.sure({ kind: "placeOrder", account, market, side: "buy", quantity: 1, price: 490_000 }),
      "orderAccepted",
    );
    stage.sure({ kind: "cancelOrder", account, orderId: order?.orderId ?? 0 });
    expect(published(stage.sure({ kind: "setPositionMode", account, hedge: true, split: true }))).toBeUndefined();
    expect(coreOf(stage.machine).perps.symbolMargin(0, SM_FLAGS)).toBe(0);
  });

  test("a position, an order and a waiting plan each lock the modes", () => {
    for (const lock of ["long", "short", "split", "order", "plan"] as const) {
      const stage = createPerpStage();
      const layout = lock === "split" ? { split: true } : {};
      const { alice, bob } = hold(stage, 10, { layout });
      const market = stage.linear;
      if (lock === "short") take(stage, alice, bob, -10);
      if (lock !== "long" && lock !== "split") {
        stage.buy(bob, 10, 500_000);
        stage.sure({ kind: "closePosition", account: alice, market, side: "long" });
      }
      if (lock === "order") stage.sure({ kind: "cancelAll", account: bob });
      if (lock === "order" || lock === "plan") {
        stage.sell(bob, 10, 500_000);
        for (const { lots } of stage.held(alice)) if (lots < 0) stage.buy(alice, -lots, 500_000, { reduceOnly: true });
      }
      if (lock === "order") stage.buy(alice, 1, 490_000);
      if (lock === "plan")
        stage.sure({
          kind: "placeConditional",
          account: alice,
          market,
          side: "buy",
          conditional: "stopMarket",
          quantity: 1,
          source: "mark",
          direction: "rises",
          trigger: 510_000,
        });
      expect([lock, published(stage.sure({ kind: "setPositionMode", account: alice }))?.[0]]).toEqual([
        lock,
        "MODE_LOCKED",
      ]);
    }
  });
});

describe("[FUT-2] leverage", () => {
  test("one side alone, both, or one for both; a refusal leaves both as they were", () => {
    const stage = createPerpStage();
    const { alice } = hold(stage, 1_000, { funds: 3_000_000_000, layout: {} });
    const set = (change: object): unknown => {
      const events = stage.sure({ kind: "setLeverage", account: alice, market: stage.linear, ...change });
      const [settings] = eventsOf(events, "perpSettings");
      return settings === undefined ? published(events) : [settings.leverageLong, settings.leverageShort];
    };
    expect(set({ long: 25 })).toEqual([25, 25]);
    expect(set({ short: 5 })).toEqual([25, 5]);
    expect(set({ long: 30, short: 7 })).toEqual([30, 7]);
    expect(set({ long: 2 })).toEqual([
      "INSUFFICIENT_MARGIN",
      3_000_000_000 - 30_000_000 - Math.ceil(50_000_000_000 / 30),
    ]);
    expect(set({})).toEqual([30, 7]);
    for (const wrong of [{ long: 126 }, { short: 126 }, { long: -1 }, { short: -1 }])
      expect(set(wrong)).toEqual(["INVALID_LEVERAGE", 125]);
    expect(set({ long: 125, short: 1 })).toEqual([125, 1]);
  });

  test("exactly the cap of its tier may be open or ordered, on each side", () => {
    const cap = 250_000_000_000;
    for (const hedge of [false, true])
      for (const lots of [5_000, -5_000]) {
        const stage = createPerpStage();
        const { alice, bob } = hold(stage, lots, { funds: RICH, ...(hedge ? { layout: {} } : {}) });
        const lever = (): unknown =>
          published(stage.sure({ kind: "setLeverage", account: alice, market: stage.linear, long: 125 }));
        expect(lever()).toBeUndefined();
        stage.sure({ kind: "setLeverage", account: alice, market: stage.linear, long: 20 });
        take(stage, alice, bob, Math.sign(lots));
        expect([hedge, lots, lever()]).toEqual([hedge, lots, ["POSITION_LIMIT", cap]]);
      }
  });

  test("an order the same way counts like what is held, one the other way first takes it off", () => {
    for (const [same, against, sign] of [
      ["buy", "sell", 1],
      ["sell", "buy", -1],
    ] as const) {
      const stage = createPerpStage();
      const { alice } = hold(stage, 3_000 * sign);
      const lever = (long: number): unknown =>
        published(stage.sure({ kind: "setLeverage", account: alice, market: stage.linear, long }))?.[0];
      for (const [side, most] of [
        [same, 2_000],
        [against, 8_000],
      ] as const) {
        stage[side](alice, most, 500_000);
        expect([sign, side, lever(125)]).toEqual([sign, side, undefined]);
        lever(20);
        stage[side](alice, 1, 500_000);
        expect([sign, side, lever(125)]).toEqual([sign, side, "POSITION_LIMIT"]);
        stage.sure({ kind: "cancelAll", account: alice });
      }
    }
  });

  test("of a cross position a profit may ask for what the wallet has not", () => {
    const stage = createPerpStage();
    const { alice } = hold(stage, 1_000, { funds: 2_530_000_000 });
    stage.mark(stage.linear, 520_000);
    expect(
      published(stage.sure({ kind: "setLeverage", account: alice, market: stage.linear, long: 12 })),
    ).toBeUndefined();
    expect(stage.balance(alice)).toEqual({ available: 2_500_000_000, frozen: 0 });
  });

  test("of a hedge each side counts what it holds and orders at its own leverage; whoever has nothing sets any", () => {
    const stage = createPerpStage();
    const { alice, bob } = hold(stage, 3_000, { layout: {} });
    take(stage, alice, bob, -3_000);
    const lever = (change: object): unknown =>
      published(stage.sure({ kind: "setLeverage", account: alice, market: stage.linear, ...change }))?.[0];
    for (const [side, at] of [
      ["buy", "long"],
      ["sell", "short"],
    ] as const) {
      stage[side](alice, 2_000, 500_000);
      expect([side, lever({ [at]: 125 })]).toEqual([side, undefined]);
      lever({ long: 20, short: 20 });
      stage[side](alice, 1, 500_000);
      expect([side, lever({ [at]: 125 })]).toEqual([side, "POSITION_LIMIT"]);
      stage.sure({ kind: "cancelAll", account: alice });
    }
    const empty = stage.trader(0);
    expect(
      published(stage.sure({ kind: "setLeverage", account: empty, market: stage.linear, long: 5 })),
    ).toBeUndefined();
  });

  test("margin comes out down to the last unit that keeps the price of its end 0.5 % away", () => {
    const stage = createPerpStage();
    const { alice } = hold(stage, 1_000);
    const { linear: market } = stage;
    stage.sure({ kind: "setMarginMode", account: alice, market, isolated: true });
    const change = (units: number): unknown =>
      published(stage.sure({ kind: "changeMargin", account: alice, market, units }))?.[0];
    change(10_000_000_000);
    stage.mark(market, 470_000);
    const watched = new Watched(stage, alice, market, false);
    const [holding] = holdingsOf(watched.standing());
    const least = holding === undefined ? 0 : Number(leastSafeMargin(holding));
    expect(least).toBeGreaterThan(2_500_000_000);
    expect([change(least - 12_500_000_000 - 1), change(least - 12_500_000_000)]).toEqual([
      "MARGIN_UNHEALTHY",
      undefined,
    ]);
    expect(stage.held(alice)[0]?.margin).toBe(least);
  });

  test("margin goes in from the last unit of the wallet, and not where another position would end for it", () => {
    const stage = createPerpStage();
    const exact = hold(stage, 1_000, { funds: 2_530_000_000 });
    const isolate = (account: number): unknown =>
      published(stage.sure({ kind: "setMarginMode", account, market: stage.linear, isolated: true }))?.[0];
    expect(isolate(exact.alice)).toBeUndefined();
    expect(stage.balance(exact.alice)).toEqual({ available: 0, frozen: 2_500_000_000 });
    const market = listSecond(stage);
    const { alice, bob } = hold(stage, 1_000, { funds: 5_200_000_000 });
    take(stage, alice, bob, 1_000, market);
    expect(eventsOf(stage.mark(market, 455_000), "liquidationStarted")).toEqual([]);
    expect(isolate(alice)).toBe("MARGIN_UNHEALTHY");
    expect(stage.balance(alice).frozen).toBe(0);
    stage.mark(market, 500_000);
    expect(isolate(alice)).toBeUndefined();
  });

  test("an amount of margin is a whole number of units", () => {
    const stage = createPerpStage();
    const alice = stage.trader(RICH);
    stage.sure({ kind: "setMarginMode", account: alice, market: stage.linear, isolated: true });
    take(stage, alice, stage.trader(RICH), 10);
    const command = { kind: "changeMargin", account: alice, market: stage.linear, units: 1 } as const;
    for (const units of [0.5, -0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])
      expect(published(sendChanged(stage, command, (view) => view.setFloat64(40, units, true)))?.[0]).toBe(
        "INVALID_AMOUNT",
      );
    expect(published(stage.sure(command))).toBeUndefined();
  });
});

describe("[FUT-2] what changes of margin mean for the next mark", () => {
  const ended = (events: readonly MachineEvent[]): number[] =>
    eventsOf(events, "liquidationStarted").map(({ account }) => account);
  const isolate = (stage: PerpStage, account: number, isolated = true): unknown =>
    published(stage.sure({ kind: "setMarginMode", account, market: stage.linear, isolated }))?.[0];

  test("whoever has less margin than before is ended at the price that now is its end, though nothing was traded", () => {
    const stage = createPerpStage();
    const held = Array.from({ length: 3 }, () => hold(stage, 1_000).alice);
    const [joined = 0, levered = 0, thinned = 0] = held;
    const base = { market: stage.linear };
    for (const account of [levered, thinned]) {
      isolate(stage, account);
      stage.sure({ kind: "changeMargin", account, ...base, units: 10_000_000_000 });
    }
    expect(ended(stage.mark(stage.linear, 499_999))).toEqual([]);
    isolate(stage, joined);
    stage.sure({ kind: "setLeverage", account: levered, ...base, long: 21 });
    stage.sure({ kind: "changeMargin", account: thinned, ...base, units: -10_000_000_000 });
    expect(ended(stage.mark(stage.linear, 477_000)).sort()).toEqual([joined, levered, thinned]);
  });

  test("margin is appended at the next mark to whoever asks for it with most of it used", () => {
    const stage = createPerpStage();
    const { alice } = hold(stage, 1_000);
    isolate(stage, alice);
    stage.mark(stage.linear, 477_500);
    expect(ended(stage.mark(stage.linear, 477_450))).toEqual([]);
    stage.sure({ kind: "setAutoAppend", account: alice, market: stage.linear, on: true });
    const events = stage.mark(stage.linear, 477_449);
    expect(eventsOf(events, "marginChanged")).toMatchObject([{ account: alice, automatic: true }]);
  });

  test("an own margin that is set aside or comes back asks for less or more at once, whatever changed last", () => {
    const stage = createPerpStage();
    const market = listSecond(stage);
    const { alice, bob } = hold(stage, 1_000, { funds: 6_060_000_000 });
    take(stage, alice, bob, 1_000, market);
    // 2 500 asked by each and 60 of fees: 1 000 are free, and no more when one of them is paid.
    const add = (units: number): unknown =>
      published(stage.sure({ kind: "changeMargin", account: alice, market: stage.linear, units }));
    expect(isolate(stage, alice)).toBeUndefined();
    expect(add(1_000_000_001)).toEqual(["INSUFFICIENT_MARGIN", 1_000_000_000]);
    expect(add(1_000_000_000)).toBeUndefined();
    stage.mark(market, 490_000);
    expect(add(1)).toEqual(["INSUFFICIENT_MARGIN", 0]);
  });

  test("a position that a profit opened has no margin of its own where the wallet is less", () => {
    const stage = createPerpStage();
    const market = listSecond(stage);
    const { alice, bob } = hold(stage, 1_000, { funds: 3_000_000_000, market });
    stage.mark(market, 600_000);
    take(stage, alice, bob, 1_500);
    const { available } = stage.balance(alice);
    const events = stage.sure({ kind: "setMarginMode", account: alice, market: stage.linear, isolated: true });
    expect([published(events), stage.held(alice)[0]?.margin]).toEqual([["INSUFFICIENT_MARGIN", available], 0]);
  });

  test("while nobody is ended, who should be changes no mode, and no margin joins a wallet that should end", () => {
    const stage = createPerpStage();
    const market = listSecond(stage);
    const due = hold(stage, 1_000);
    isolate(stage, due.alice);
    const { alice, bob } = hold(stage, 1_000, { funds: 5_100_000_000 });
    take(stage, alice, bob, 1_000, market);
    isolate(stage, alice);
    for (const [where, price] of [
      [market, 420_000],
      [stage.linear, 450_000],
    ] as const) {
      stage.sure({ kind: "setIndexPrice", market: where, source: 0, price });
      if (where === stage.linear) {
        const before = stage.balance(alice);
        expect(isolate(stage, alice, false)).toBe("MARGIN_UNHEALTHY");
        expect([stage.balance(alice), stage.held(alice)[0]?.margin]).toEqual([before, 2_500_000_000]);
        expect(published(stage.sure({ kind: "changeMargin", account: alice, market: where, units: -1 }))?.[0]).toBe(
          "INSUFFICIENT_MARGIN",
        );
      }
      expect(ended(stage.mark(where, price))).toEqual([]);
    }
    expect([isolate(stage, due.alice, false), isolate(stage, due.alice)]).toEqual(["MARGIN_UNHEALTHY", undefined]);
  });
});
