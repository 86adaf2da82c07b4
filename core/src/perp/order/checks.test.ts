// Orders on perpetual markets at the last unit: what just passes and what just does not, of margin, tier, closing and
// bankruptcy, and which orders and markets there are none for.
import { describe, expect, test } from "vitest";
import type { MachineEvent } from "../../protocol/event.ts";
import { eventsOf } from "../../testing/driver.ts";
import { createPerpStage, type PerpStage } from "../../testing/perp-stage.ts";

const RICH = 10 ** 13;
const published = (events: readonly MachineEvent[]): [string, number] | undefined => {
  const [refused] = eventsOf(events, "rejected");
  return refused === undefined ? undefined : [refused.code, refused.limit];
};

function otherMarket(stage: PerpStage, tier: object | undefined, ticks: number): number {
  const shape = { base: stage.btc, quote: stage.usdt, tickMantissa: 1, tickDecimals: 1, stepUnits: 100_000 } as const;
  const more = { slippageBps: 200, feeGroup: 1, symbol: "OTHER", marketKind: "linear" } as const;
  const market = eventsOf(stage.sure({ kind: "listMarket", ...shape, ...more }), "marketListed")[0]?.market ?? 0;
  const ladder = { count: 1, cap1: 10 ** 15, rate1: 400_000, leverage1: 125 } as const;
  if (tier !== undefined) stage.sure({ kind: "setTiers", market, ...ladder, ...tier });
  stage.sure({ kind: "setReferencePrice", market, markTicks: ticks, indexTicks: ticks });
  return market;
}

describe("[FUT-2] what an order asks to the last unit", () => {
  test("a twentieth and the fee, of buys and sells, linear and inverse", () => {
    for (const side of ["buy", "sell"] as const)
      for (const inverse of [false, true]) {
        // 1 000 lots of 50 USDT, or 100 contracts of 0.002 BTC: a twentieth and 0.06 %.
        const [lots, enough] = inverse ? [100, 1_000_000 + 12_000] : [1_000, 2_500_000_000 + 30_000_000];
        for (const funds of [enough, enough - 1]) {
          const stage = createPerpStage();
          const market = inverse ? stage.inverse : stage.linear;
          const events = stage[side](stage.trader(funds, { inverse }), lots, 500_000, { market });
          expect([side, inverse, published(events)]).toEqual([
            side,
            inverse,
            funds === enough ? undefined : ["INSUFFICIENT_MARGIN", funds],
          ]);
        }
      }
  });

  test("orders that gain hide no loss of another, not of a single unit", () => {
    // Two contracts of 200 001 and 196 079 units: a twentieth, 0.06 %, and the unit that the first loses at once.
    const enough = 19_804 + 238 + 1;
    for (const funds of [enough, enough - 1]) {
      const stage = createPerpStage();
      const alice = stage.trader(funds, { inverse: true });
      const sell = (price: number): unknown => published(stage.sell(alice, 1, price, { market: stage.inverse }))?.[0];
      expect([sell(510_000), sell(499_999)]).toEqual([undefined, funds === enough ? undefined : "INSUFFICIENT_MARGIN"]);
    }
  });

  test("an order that asks for nothing more passes, though nothing is free", () => {
    const stage = createPerpStage();
    const [alice, bob] = [stage.trader(2_600_000_000), stage.trader(RICH)];
    stage.sell(bob, 1_000, 500_000);
    stage.buy(alice, 1_000, 500_000);
    stage.sell(alice, 500, 490_000);
    stage.mark(stage.linear, 478_000);
    expect(published(stage.buy(alice, 1, 478_000))).toEqual(["INSUFFICIENT_MARGIN", 0]);
    expect(published(stage.sell(alice, 600, 479_000))).toBeUndefined();
  });

  test("a single unit is asked too", () => {
    const stage = createPerpStage();
    const market = otherMarket(stage, {}, 1);
    for (const funds of [0, 1]) {
      const account = stage.trader(funds);
      stage.sure({ kind: "setAccountFees", account, feeGroup: 1, makerRate: 0, takerRate: 0 });
      stage.sure({ kind: "setLeverage", account, market, long: 125 });
      expect(published(stage.buy(account, 1, 1, { market }))).toEqual(
        funds === 1 ? undefined : ["INSUFFICIENT_MARGIN", 0],
      );
    }
  });
});

describe("[FUT-2] what a leverage may open", () => {
  const lever = (stage: PerpStage, account: number): void =>
    void stage.sure({ kind: "setLeverage", account, market: stage.linear, long: 125, short: 125 });

  test("exactly its tier's cap, and the refusal says how much is left of it", () => {
    const stage = createPerpStage();
    const alice = stage.trader(RICH);
    lever(stage, alice);
    expect(published(stage.buy(alice, 5_001, 500_000))).toEqual(["POSITION_LIMIT", 5_000]);
    expect(published(stage.buy(alice, 4_999, 500_000))).toBeUndefined();
    expect(published(stage.buy(alice, 2, 500_000))).toEqual(["POSITION_LIMIT", 1]);
    expect(published(stage.buy(alice, 1, 500_000))).toBeUndefined();
    expect(published(stage.buy(alice, 1, 500_000))).toEqual(["POSITION_LIMIT", 0]);
    // What is above it already leaves nothing, and not less.
    stage.sure({ kind: "setLeverage", account: alice, market: stage.linear, long: 100 });
    expect(published(stage.buy(alice, 1, 500_000))).toBeUndefined();
    expect(published(stage.sure({ kind: "setLeverage", account: alice, market: stage.linear, long: 125 }))).toEqual([
      "POSITION_LIMIT",
      250_000_000_000,
    ]);
  });

  test("beyond what it closes first, though that is a single lot; in split layout each order by itself", () => {
    const stage = createPerpStage();
    const [alice, bob, split] = [stage.trader(RICH), stage.trader(RICH), stage.trader(RICH)];
    for (const account of [alice, split]) lever(stage, account);
    stage.sell(bob, 1, 500_000);
    stage.buy(alice, 1, 500_000);
    expect(published(stage.sell(alice, 5_002, 500_000))).toEqual(["POSITION_LIMIT", 5_001]);
    expect(published(stage.sell(alice, 5_001, 500_000))).toBeUndefined();
    stage.sure({ kind: "setPositionMode", account: split, hedge: true, split: true });
    for (let i = 0; i < 2; i++) {
      expect(published(stage.sell(split, 5_001, 500_000))).toEqual(["POSITION_LIMIT", 5_000]);
      expect(published(stage.sell(split, 5_000, 500_000))).toBeUndefined();
    }
  });

  test("with a bonus of a single unit no more than the bonus allows", () => {
    const stage = createPerpStage();
    const [alice, treasury] = [stage.trader(RICH), stage.fundTreasury(1)];
    expect(treasury).toBeGreaterThan(0);
    lever(stage, alice);
    const grant = { kind: "grantBonus", account: alice, asset: stage.usdt, units: 1, reference: "g" } as const;
    stage.sure({ ...grant, expiresAt: stage.time + 10_000, leverageMax: 20 });
    expect(published(stage.buy(alice, 1, 500_000))).toEqual(["LEVERAGE_TOO_HIGH", 20]);
  });

  test("no order is worth more than a quarter of what is counted exactly", () => {
    const stage = createPerpStage();
    const market = otherMarket(stage, {}, 1_000_000_000);
    const most = Math.floor(Number.MAX_SAFE_INTEGER / 4 / 100_000_000_000);
    const alice = stage.trader(RICH);
    expect(published(stage.buy(alice, most, 1_000_000_000, { market }))?.[0]).toBe("POSITION_LIMIT");
    expect(published(stage.buy(alice, most + 1, 1_000_000_000, { market }))).toEqual([
      "NOTIONAL_TOO_LARGE",
      Number.MAX_SAFE_INTEGER,
    ]);
  });
});

test("[FUT-2] there is no order for an amount of money, none without a ladder", () => {
  const stage = createPerpStage();
  const alice = stage.trader(RICH);
  const requested = { kind: "placeOrder", account: alice, market: stage.linear, side: "buy", type: "market" } as const;
  stage.sell(stage.trader(RICH), 10, 500_000);
  expect(published(stage.sure({ ...requested, quantity: 100_000_000, inQuote: true }))?.[0]).toBe(
    "INVALID_COMBINATION",
  );
  const bare = otherMarket(stage, undefined, 500_000);
  expect(published(stage.buy(alice, 1, 500_000, { market: bare }))?.[0]).toBe("MARKET_NOT_TRADING");
});

describe("[FUT-2] closing and bankruptcy", () => {
  test("a close may cost exactly what there is, with its fee", () => {
    // 50 000 held, 1 000 lost at the mark of 49 000; at 48 000 another 1 000 and a fee of 28.8.
    const enough = 2_058_800_000;
    for (const funds of [enough, enough - 1]) {
      const stage = createPerpStage();
      const [alice, bob] = [stage.trader(funds), stage.trader(RICH)];
      stage.sure({ kind: "setLeverage", account: alice, market: stage.linear, long: 50 });
      stage.sell(bob, 1_000, 500_000);
      stage.buy(alice, 1_000, 500_000);
      stage.mark(stage.linear, 490_000);
      const events = stage.sell(alice, 1_000, 480_000, { reduceOnly: true });
      expect(published(events)).toEqual(funds === enough ? undefined : ["BANKRUPTCY_PRICE", 480_001]);
    }
  });

  test("who has nothing left closes at the mark and not a tick beyond, while nobody is ended", () => {
    for (const inverse of [false, true])
      for (const side of ["buy", "sell"] as const) {
        const stage = createPerpStage();
        const market = inverse ? stage.inverse : stage.linear;
        const [alice, bob] = [stage.trader(inverse ? 11_000 : 2_600_000, { inverse }), stage.trader(RICH, { inverse })];
        const against = side === "buy" ? "sell" : "buy";
        stage[side](bob, 1, 500_000, { market });
        stage[against](alice, 1, 500_000, { market });
        const away = side === "buy" ? 1 : -1;
        const mark = 500_000 + away * 100_000;
        stage.sure({ kind: "setIndexPrice", market, source: 0, price: mark });
        expect(eventsOf(stage.mark(market, mark), "liquidationStarted")).toEqual([]);
        const close = (price: number): unknown => published(stage[side](alice, 1, price, { market, reduceOnly: true }));
        expect(close(mark + away)).toEqual(["BANKRUPTCY_PRICE", mark]);
        expect(close(mark)).toBeUndefined();
      }
  });
});
