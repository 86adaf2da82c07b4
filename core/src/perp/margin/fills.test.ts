import { describe, expect, test } from "vitest";
import { eventsOf } from "../../testing/driver.ts";
import { createPerpStage } from "../../testing/perp-stage.ts";

const MILLION = 1_000_000_000_000;
const usdt = (amount: number): number => Math.round(amount * 1_000_000);

describe("[FUT-2] positions", () => {
  test("[PERP-3] a round trip pays the winner what the loser lost, and fees", () => {
    const stage = createPerpStage();
    const alice = stage.trader(MILLION);
    const bob = stage.trader(MILLION);
    stage.sell(bob, 1_000, 500_000);
    stage.buy(alice, 1_000, 500_000);
    expect(stage.held(alice)).toMatchObject([{ lots: 1_000, cost: usdt(50_000) }]);
    expect(stage.held(bob)).toMatchObject([{ lots: -1_000, cost: usdt(50_000) }]);
    stage.mark(stage.linear, 510_000);
    stage.buy(bob, 1_000, 510_000);
    const events = stage.sell(alice, 1_000, 510_000);
    expect(eventsOf(events, "positionChanged").map(({ realizedUnits }) => realizedUnits)).toEqual([
      -usdt(1_000),
      usdt(1_000),
    ]);
    expect(stage.held(alice)).toEqual([]);
    // Alice took twice, Bob made twice: 0.06 % and 0.02 % of 50 000 and 51 000.
    expect(stage.balance(alice).available).toBe(MILLION + usdt(1_000 - 30 - 30.6));
    expect(stage.balance(bob).available).toBe(MILLION - usdt(1_000 + 10 + 10.2));
    expect(stage.balance(11).available).toBe(0);
  });

  test("adding keeps the exact cost, reducing takes its share, crossing zero ends one position and begins another", () => {
    const stage = createPerpStage();
    const alice = stage.trader(MILLION);
    const bob = stage.trader(MILLION);
    stage.sell(bob, 1, 500_000);
    stage.sell(bob, 2, 500_001);
    stage.buy(alice, 3, 500_001);
    const cost = (500_000 + 2 * 500_001) * 100;
    expect(stage.held(alice)).toMatchObject([{ lots: 3, cost }]);
    stage.buy(bob, 1, 500_000);
    stage.sell(alice, 1, 500_000);
    const [left] = stage.held(alice);
    expect(left).toMatchObject({ lots: 2, cost: Math.ceil((2 * cost) / 3), excess: Math.round(2 ** 49 / 3) });
    stage.buy(bob, 5, 500_000);
    const events = stage.sell(alice, 5, 500_000);
    const [now] = stage.held(alice);
    expect(now).toMatchObject({ lots: -3, cost: 3 * 500_000 * 100 });
    expect(now?.id).not.toBe(left?.id);
    expect(eventsOf(events, "positionChanged").filter(({ account }) => account === alice)).toHaveLength(2);
  });

  test("inverse contracts settle in the coin and round against both", () => {
    const stage = createPerpStage();
    const long = stage.trader(1_000_000_000, { inverse: true });
    const short = stage.trader(1_000_000_000, { inverse: true });
    const market = stage.inverse;
    stage.sell(short, 600, 500_000, { market });
    stage.buy(long, 600, 500_000, { market });
    stage.mark(market, 550_000);
    stage.buy(short, 600, 550_000, { market });
    const events = stage.sell(long, 600, 550_000, { market });
    // 1.2 − 1.0909… BTC: the winner gets the floor, the loser pays the ceiling, one unit is nobody's.
    expect(eventsOf(events, "positionChanged").map(({ realizedUnits }) => realizedUnits)).toEqual([
      -10_909_091, 10_909_090,
    ]);
    expect(stage.balance(3, stage.btc).available).toBeGreaterThan(0);
  });

  test("hedge mode keeps both sides apart", () => {
    const stage = createPerpStage();
    const alice = stage.trader(MILLION);
    const bob = stage.trader(MILLION);
    stage.sure({ kind: "setPositionMode", account: alice, hedge: true });
    stage.sell(bob, 10, 500_000);
    stage.buy(alice, 10, 500_000);
    stage.buy(bob, 4, 500_000);
    stage.sell(alice, 4, 500_000);
    expect(stage.held(alice)).toMatchObject([{ lots: 10 }, { lots: -4 }]);
    stage.buy(bob, 3, 500_000);
    stage.sell(alice, 3, 500_000, { reduceOnly: true });
    expect(stage.held(alice)).toMatchObject([{ lots: 7 }, { lots: -4 }]);
    expect(eventsOf(stage.sure({ kind: "setPositionMode", account: alice, hedge: false }), "rejected")[0]?.code).toBe(
      "MODE_LOCKED",
    );
  });

  test("split layout gives every opening order its own position, and a close names one", () => {
    const stage = createPerpStage();
    const alice = stage.trader(MILLION);
    const bob = stage.trader(MILLION);
    stage.sure({ kind: "setPositionMode", account: alice, hedge: true, split: true });
    stage.sell(bob, 30, 500_000);
    stage.buy(alice, 10, 500_000);
    stage.buy(alice, 20, 500_000);
    const [second, first] = stage.held(alice);
    expect([first?.lots, second?.lots]).toEqual([10, 20]);
    expect(first?.margin).toBe(usdt(25));
    stage.buy(bob, 20, 500_000);
    expect(eventsOf(stage.sell(alice, 20, 500_000, { reduceOnly: true }), "rejected")[0]?.code).toBe(
      "UNKNOWN_POSITION",
    );
    stage.sell(alice, 15, 500_000, { reduceOnly: true, position: second?.id });
    expect(stage.held(alice).map(({ lots }) => lots)).toEqual([5, 10]);
    stage.sure({ kind: "closePosition", account: alice, market: stage.linear, position: second?.id ?? 0 });
    expect(stage.held(alice).map(({ lots }) => lots)).toEqual([10]);
  });
});

test("[PERP-1] an opening order that names a split position still begins one of its own", () => {
  const stage = createPerpStage();
  const alice = stage.trader(MILLION);
  const bob = stage.trader(MILLION);
  stage.sure({ kind: "setPositionMode", account: alice, hedge: true, split: true });
  stage.sell(bob, 10, 500_000);
  stage.buy(alice, 10, 500_000);
  const [long] = stage.held(alice);
  stage.buy(bob, 4, 500_000);
  stage.sell(alice, 4, 500_000, { position: long?.id });
  expect(stage.held(alice).map(({ lots }) => lots)).toEqual([-4, 10]);
});

describe("[FUT-2] order margin", () => {
  test("an order costs initial margin, taker fee and open loss, and no more is accepted", () => {
    const stage = createPerpStage();
    // 1 BTC at 50 000 with 20×: 2 500 + 30; one unit less is too little.
    const enough = stage.trader(usdt(2_530));
    const short = stage.trader(usdt(2_530) - 1);
    expect(eventsOf(stage.buy(enough, 1_000, 500_000), "orderAccepted")).toHaveLength(1);
    expect(eventsOf(stage.buy(short, 1_000, 500_000), "rejected")[0]).toMatchObject({
      code: "INSUFFICIENT_MARGIN",
      limit: usdt(2_530) - 1,
    });
    // A buy above the mark loses the distance at once.
    const above = stage.trader(usdt(2_505 + 30.06 + 100));
    expect(eventsOf(stage.buy(above, 1_000, 501_000), "orderAccepted")).toHaveLength(1);
    const less = stage.trader(usdt(2_505 + 30.06 + 100) - 1);
    expect(eventsOf(stage.buy(less, 1_000, 501_000), "rejected")).toHaveLength(1);
  });

  test("one-way margin is the larger of both ways", () => {
    const stage = createPerpStage();
    const alice = stage.trader(usdt(2_530));
    stage.buy(alice, 1_000, 500_000);
    // The other way costs nothing more while it is not larger.
    expect(eventsOf(stage.sell(alice, 1_000, 500_100), "rejected")).toHaveLength(1);
    expect(eventsOf(stage.sell(alice, 990, 500_100), "orderAccepted")).toHaveLength(1);
    stage.sure({ kind: "cancelAll", account: alice });
    expect(
      eventsOf(
        stage.sure({
          kind: "burn",
          account: alice,
          asset: stage.usdt,
          business: "withdrawal",
          units: usdt(2_530),
          reference: "b",
        }),
        "rejected",
      ),
    ).toEqual([]);
  });

  test("leverage bounds the position and the refusal says how much is allowed", () => {
    const stage = createPerpStage();
    const alice = stage.trader(MILLION);
    stage.sure({ kind: "setLeverage", account: alice, market: stage.linear, long: 125 });
    expect(eventsOf(stage.buy(alice, 5_001, 500_000), "rejected")[0]).toMatchObject({
      code: "POSITION_LIMIT",
      limit: 5_000,
    });
    expect(eventsOf(stage.buy(alice, 5_000, 500_000), "orderAccepted")).toHaveLength(1);
    expect(
      eventsOf(stage.sure({ kind: "setLeverage", account: alice, market: stage.linear, long: 126 }), "rejected")[0],
    ).toMatchObject({ code: "INVALID_LEVERAGE", limit: 125 });
  });

  test("money that positions need does not leave", () => {
    const stage = createPerpStage();
    const alice = stage.trader(usdt(10_000));
    const bob = stage.trader(MILLION);
    stage.sell(bob, 1_000, 500_000);
    stage.buy(alice, 1_000, 500_000);
    stage.mark(stage.linear, 499_000);
    const burn = (units: number, reference: string) =>
      stage.sure({ kind: "burn", account: alice, asset: stage.usdt, business: "withdrawal", units, reference });
    const free = usdt(10_000 - 30 - 100 - 2_500);
    expect(eventsOf(burn(free + 1, "a"), "rejected")[0]).toMatchObject({ code: "INSUFFICIENT_BALANCE", limit: free });
    expect(eventsOf(burn(free, "b"), "rejected")).toEqual([]);
    // Profit does not leave before it is realised.
    stage.mark(stage.linear, 510_000);
    expect(eventsOf(burn(usdt(101), "c"), "rejected")).toHaveLength(1);
  });
});

describe("[FUT-2] reduce-only", () => {
  test("never opens: cut to the position, refused without one", () => {
    const stage = createPerpStage();
    const alice = stage.trader(MILLION);
    const bob = stage.trader(MILLION);
    expect(eventsOf(stage.sell(alice, 5, 500_000, { reduceOnly: true }), "rejected")[0]?.code).toBe(
      "REDUCE_ONLY_REJECTED",
    );
    stage.sell(bob, 10, 500_000);
    stage.buy(alice, 10, 500_000);
    expect(eventsOf(stage.sell(alice, 50, 501_000, { reduceOnly: true }), "orderAccepted")[0]?.quantity).toBe(10);
    expect(eventsOf(stage.sell(alice, 1, 501_000, { reduceOnly: true }), "rejected")[0]?.code).toBe(
      "REDUCE_ONLY_REJECTED",
    );
  });

  test("when the position shrinks, resting ones are trimmed newest first", () => {
    const stage = createPerpStage();
    const alice = stage.trader(MILLION);
    const bob = stage.trader(MILLION);
    stage.sell(bob, 10, 500_000);
    stage.buy(alice, 10, 500_000);
    stage.sell(alice, 6, 501_000, { reduceOnly: true });
    stage.sell(alice, 4, 502_000, { reduceOnly: true });
    stage.buy(bob, 5, 500_000);
    const events = stage.sell(alice, 5, 500_000, { reduceOnly: true, timeInForce: "IOC" });
    expect(eventsOf(events, "orderEnded")).toMatchObject([{ reason: "POSITION_REDUCED", price: 502_000, lots: 4 }]);
    expect(eventsOf(events, "orderAmended")).toMatchObject([{ price: 501_000, lots: 5, keptPriority: true }]);
  });

  test("a reducing maker that lost its position to an earlier fill of the same sweep does not open", () => {
    const stage = createPerpStage();
    const alice = stage.trader(MILLION);
    const bob = stage.trader(MILLION);
    stage.sell(bob, 10, 500_000);
    stage.buy(alice, 10, 500_000);
    stage.sell(alice, 10, 501_000);
    stage.sell(alice, 10, 502_000, { reduceOnly: true });
    const events = stage.buy(bob, 20, 502_000, { timeInForce: "IOC" });
    expect(eventsOf(events, "trade")).toHaveLength(1);
    expect(eventsOf(events, "orderEnded").map(({ reason }) => reason)).toEqual(["POSITION_REDUCED", "IOC_REST"]);
    expect(stage.held(alice)).toEqual([]);
  });
});
