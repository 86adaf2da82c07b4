// A rebalancing bot in the core against a naive twin, over random prices; its refusals, its end, and its replay.
import { type BasketTestTask, SimulatedBasket } from "@clockwork/kit/grid/basket-test";
import { createRandom } from "@clockwork/kit/random";
import { describe, expect, it } from "vitest";
import { createMachine, restoreMachine } from "../../machine/machine.ts";
import { COIN } from "../../testing/bot-stage.ts";
import { eventsOf } from "../../testing/driver.ts";
import { type CreateRebalancer, createRebalanceStage, type RebalanceStage } from "../../testing/rebalance-stage.ts";

const BTC = 1_000_000;
const ETH = 400_000;
const MINUTE = 60_000;

function priced(): RebalanceStage {
  const stage = createRebalanceStage();
  stage.price(stage.markets[0], BTC);
  stage.price(stage.markets[1], ETH);
  return stage;
}

function bookOf(stage: RebalanceStage, own: Partial<CreateRebalancer> = {}): number {
  const [made] = eventsOf(stage.create(own), "rebalancerChanged");
  expect(made).toMatchObject({ change: "created", cause: "user" });
  return made?.account as number;
}

/** Written from the rule alone: quote, lots of each coin, fees; a tick of a lot is 1 and 10 units, the fee 0.1 % rounded up. */
class ReferenceModel {
  quote = 10_000n * BigInt(COIN);
  lots = [0n, 0n];
  fees = 0n;
  rounds = 0;
  readonly weights: readonly bigint[];

  constructor(weights: readonly bigint[]) {
    this.weights = weights;
  }

  shared(prices: readonly bigint[]): { shared: bigint; values: bigint[] } {
    const values = this.lots.map((lots, i) => lots * (prices[i] as bigint));
    const all = this.quote + (values[0] as bigint) + (values[1] as bigint);
    return { shared: all - (all + 99n) / 100n, values };
  }

  isOff(prices: readonly bigint[], threshold: bigint): boolean {
    const { shared, values } = this.shared(prices);
    const all = this.quote + (values[0] as bigint) + (values[1] as bigint);
    const spare = this.quote - (all - shared);
    const quoteWeight = 10_000n - (this.weights[0] as bigint) - (this.weights[1] as bigint);
    const pairs = values.map((value, i) => [value, this.weights[i] as bigint]);
    if (quoteWeight > 0n) pairs.push([spare < 0n ? 0n : spare, quoteWeight]);
    return pairs.some(([value, weight]) => {
      const off = (value as bigint) * 10_000n - shared * (weight as bigint);
      return (off < 0n ? -off : off) >= threshold * shared;
    });
  }

  /** Prices of a lot in units; `ticks` the units of one tick of one lot. */
  trade(prices: readonly bigint[], ticks: readonly bigint[]): void {
    const { shared } = this.shared(prices);
    const wanted = prices.map(
      (price, i) => (shared * (this.weights[i] as bigint)) / (10_000n * price) - (this.lots[i] as bigint),
    );
    let isTraded = false;
    for (const side of [-1n, 1n])
      for (const [i, lots] of wanted.entries()) {
        const size = lots < 0n ? -lots : lots;
        if (lots * side <= 0n || size * (prices[i] as bigint) < BigInt(5 * COIN)) continue;
        const at = (prices[i] as bigint) + side * (ticks[i] as bigint);
        const value = size * at;
        const fee = (value + 999n) / 1_000n;
        this.lots[i] = (this.lots[i] as bigint) + lots;
        this.quote -= side * value + fee;
        this.fees += fee;
        isTraded = true;
      }
    if (isTraded) this.rounds++;
  }
}

/** Quote units of one tick of one lot of both markets. */
const TICK_UNITS = [1n, 10n] as const;

/** The same basket as the back-test has it; the stage's maker stands a tick beside the price. */
function testOf(first: number, second: number, thresholdBps: number): BasketTestTask {
  const coin = { minLots: 1, minNotionalUnits: 5 * COIN, takerRate: 100_000 };
  return {
    coins: [first, second].map((weightBps, i) => ({ ...coin, weightBps, tickLotUnits: Number(TICK_UNITS[i]) })),
    quoteUnits: 10_000 * COIN,
    thresholdBps,
    intervalMs: 0,
    spreadTicks: 1,
  };
}

describe("a rebalancing bot", () => {
  it("[GRID-1] buys its coins at the start by weight, keeps 1 % back, and nobody trades in its book", () => {
    const stage = priced();
    const account = bookOf(stage);
    // 4 950 USDT each: 0.0495 BTC at 100 000 and 1.237 ETH at 4 000.
    expect(stage.balance(account, stage.btc).available).toBe(4_950_000);
    expect(stage.balance(account, stage.eth).available).toBe(123_700_000);
    const order = {
      kind: "placeOrder",
      account,
      market: stage.markets[0],
      side: "sell",
      price: BTC,
      quantity: 100,
    } as const;
    expect(eventsOf(stage.sure(order), "rejected")[0]?.code).toBe("BOT_BOOK_CLOSED");
  });

  it("[GRID-1] trades when a share is off by the threshold, not before", () => {
    const stage = priced();
    const account = bookOf(stage);
    for (const ticks of [1_100_000, 1_180_000]) stage.price(stage.markets[0], ticks);
    // 54.1 % of both.
    expect(eventsOf(stage.pass(10_000), "rebalancerChanged")).toEqual([]);
    stage.price(stage.markets[0], 1_230_000);
    const events = stage.pass(10_000);
    expect(eventsOf(events, "rebalancerChanged")).toMatchObject([
      { account, change: "rebalanced", cause: "threshold", rounds: 2 },
    ]);
    const [btc, eth] = eventsOf(events, "rebalancerCoin");
    expect(btc?.tradedLots).toBeLessThan(0);
    expect(eth?.tradedLots).toBeGreaterThan(0);
    expect(Math.abs((btc?.valueUnits as number) - (eth?.valueUnits as number))).toBeLessThan(20 * COIN);
  });

  it("[GRID-1] by time it trades when the interval is over, and what was late is done once", () => {
    const stage = priced();
    bookOf(stage, { thresholdBps: 0, intervalMs: 30 * MINUTE });
    stage.price(stage.markets[1], 420_000);
    expect(eventsOf(stage.pass(29 * MINUTE), "rebalancerChanged")).toEqual([]);
    expect(eventsOf(stage.pass(MINUTE), "rebalancerChanged")).toMatchObject([{ cause: "interval", rounds: 2 }]);
    stage.price(stage.markets[1], 400_000);
    expect(eventsOf(stage.pass(300 * MINUTE), "rebalancerChanged")).toMatchObject([{ cause: "interval", rounds: 3 }]);
    expect(eventsOf(stage.pass(29 * MINUTE), "rebalancerChanged")).toEqual([]);
  });

  it.each([
    [[5_000, 5_000], 500],
    [[2_000, 5_000], 300],
    [[9_000, 500], 100],
  ])(
    "[GRID-1] with weights %o and %i bps it holds what a naive twin and the back-test hold after every price, and replays to the same hash",
    (weights, thresholdBps) => {
      let rounds = 0;
      for (const seed of [1, 2, 3]) {
        const stage = priced();
        const [first, second] = weights as [number, number];
        const coins = [
          { market: stage.markets[0], weightBps: first },
          { market: stage.markets[1], weightBps: second },
          ...(first + second < 10_000 ? [{ market: 0, weightBps: 10_000 - first - second }] : []),
        ];
        const account = bookOf(stage, { coins, thresholdBps });
        const model = new ReferenceModel([BigInt(first), BigInt(second)]);
        const random = createRandom(seed);
        const ticks = [BTC, ETH];
        const lotPrices = (): bigint[] => ticks.map((price, i) => BigInt(price) * (TICK_UNITS[i] as bigint));
        model.trade(lotPrices(), TICK_UNITS);
        const tested = new SimulatedBasket(testOf(first, second, thresholdBps));
        tested.look({ timeMs: stage.time, ticks });
        for (let i = 0; i < 60; i++) {
          const which = random.below(2);
          ticks[which] = Math.floor(((ticks[which] as number) * random.between(930, 1_075)) / 1_000);
          stage.price(stage.markets[which] as number, ticks[which] as number);
          const events = stage.pass(10_000);
          if (model.isOff(lotPrices(), BigInt(thresholdBps))) model.trade(lotPrices(), TICK_UNITS);
          tested.look({ timeMs: stage.time, ticks });
          expect([tested.quoteUnits, ...tested.lots]).toEqual([model.quote, ...model.lots].map(Number));
          expect([tested.feesUnits, tested.rounds]).toEqual([Number(model.fees), model.rounds]);
          expect(stage.balance(account).available).toBe(Number(model.quote));
          expect(stage.balance(account, stage.btc).available).toBe(Number(model.lots[0]) * 1_000);
          expect(stage.balance(account, stage.eth).available).toBe(Number(model.lots[1]) * 100_000);
          for (const published of eventsOf(events, "rebalancerChanged"))
            expect(published).toMatchObject({ rounds: model.rounds, feesUnits: Number(model.fees) });
        }
        rounds += model.rounds;
        const again = createMachine({});
        for (const command of stage.journal) {
          again.events.clear();
          again.apply(command, 0);
        }
        expect(again.stateHash()).toBe(stage.machine.stateHash());
        expect(restoreMachine(stage.machine.snapshot()).stateHash()).toBe(stage.machine.stateHash());
      }
      // Each has bought at the start; at least as many rounds are of the threshold, or the walks show nothing.
      expect(rounds).toBeGreaterThanOrEqual(2 * 3);
    },
  );

  it("[GRID-1] without anybody to trade with it says so once, and trades when somebody is there", () => {
    const stage = priced();
    const account = bookOf(stage);
    stage.price(stage.markets[0], 1_230_000);
    const withdraw = (): void => {
      for (const market of stage.markets) stage.sure({ kind: "cancelAll", account: stage.maker, market });
    };
    withdraw();
    expect(eventsOf(stage.pass(10_000), "rebalancerChanged")).toMatchObject([
      { account, change: "failed", cause: "threshold", rounds: 1 },
    ]);
    expect(eventsOf(stage.pass(10_000), "rebalancerChanged")).toEqual([]);
    const hash = stage.machine.stateHash();
    expect(restoreMachine(stage.machine.snapshot()).stateHash()).toBe(hash);
    for (const market of stage.markets) stage.price(market, market === stage.markets[0] ? 1_230_000 : ETH);
    expect(eventsOf(stage.pass(10_000), "rebalancerChanged")).toMatchObject([{ change: "rebalanced", rounds: 2 }]);
    stage.price(stage.markets[0], 1_600_000);
    withdraw();
    expect(eventsOf(stage.pass(10_000), "rebalancerChanged")).toMatchObject([{ change: "failed" }]);
  });

  it.each([true, false])("[GRID-1] ends with its coins sold: %s; all goes back and it trades no more", (sells) => {
    const stage = priced();
    const account = bookOf(stage);
    const events = stage.sure({ kind: "stopBot", account, sells });
    expect(eventsOf(events, "rebalancerChanged")).toMatchObject([{ change: "closed", cause: "user" }]);
    expect(eventsOf(events, "rebalancerCoin").map(({ tradedLots }) => tradedLots)).toEqual(
      sells ? [-4_950, -1_237] : [0, 0],
    );
    for (const asset of [stage.usdt, stage.btc, stage.eth])
      expect(stage.balance(account, asset)).toEqual({ available: 0, frozen: 0 });
    expect(stage.balance(stage.user, stage.btc).available).toBe(sells ? 0 : 4_950_000);
    expect(stage.balance(stage.user).available > 99_000 * COIN).toBe(sells);
    stage.price(stage.markets[0], 1_230_000);
    expect(eventsOf(stage.pass(60 * MINUTE), "rebalancerChanged")).toEqual([]);
    expect(eventsOf(stage.sure({ kind: "stopBot", account, sells }), "rejected")[0]?.code).toBe("BOT_NOT_RUNNING");
  });

  it("[GRID-1] one reference makes one bot, and the 21st is refused", () => {
    const stage = priced();
    bookOf(stage, { reference: "once", quoteUnits: 100 * COIN });
    expect(eventsOf(stage.create({ reference: "once", quoteUnits: 100 * COIN }), "repeated")).toHaveLength(1);
    for (let i = 1; i < 20; i++) bookOf(stage, { quoteUnits: 100 * COIN });
    expect(eventsOf(stage.create({ quoteUnits: 100 * COIN }), "rejected")[0]?.code).toBe("TOO_MANY_BOTS");
  });
});

describe("rebalancing bots that are refused", () => {
  const stage = priced();
  const [btc, eth] = stage.markets;
  const half = (market: number): { market: number; weightBps: number } => ({ market, weightBps: 5_000 });
  it.each([
    [{ coins: [{ market: btc, weightBps: 10_000 }] }, "REBALANCE_COUNT_INVALID"],
    [{ coins: [half(btc), half(btc)] }, "REBALANCE_COINS_INVALID"],
    [{ coins: [half(0), half(0)] }, "REBALANCE_COINS_INVALID"],
    [{ coins: [half(btc), { market: eth, weightBps: 4_999 }] }, "REBALANCE_WEIGHTS_INVALID"],
    [
      {
        coins: [
          { market: btc, weightBps: 10_001 },
          { market: eth, weightBps: -1 },
        ],
      },
      "REBALANCE_WEIGHTS_INVALID",
    ],
    [
      {
        coins: [
          { market: btc, weightBps: 9_950 },
          { market: eth, weightBps: 50 },
        ],
      },
      "REBALANCE_WEIGHTS_INVALID",
    ],
    [{ coins: [half(btc), half(99)] }, "UNKNOWN_MARKET"],
    [{ coins: [half(btc), half(stage.linear)] }, "BOOK_NOT_TRADABLE"],
    [{ thresholdBps: 0 }, "REBALANCE_RULE_INVALID"],
    [{ thresholdBps: 99 }, "REBALANCE_RULE_INVALID"],
    [{ thresholdBps: 2_001 }, "REBALANCE_RULE_INVALID"],
    [{ intervalMs: 30 * MINUTE - 1 }, "REBALANCE_RULE_INVALID"],
    [{ intervalMs: 43_200 * MINUTE + 1 }, "REBALANCE_RULE_INVALID"],
    [{ quoteUnits: 0 }, "INVALID_AMOUNT"],
    [{ quoteUnits: 10 * COIN }, "REBALANCE_INVESTMENT_TOO_SMALL"],
    [{ quoteUnits: 200_000 * COIN }, "INSUFFICIENT_BALANCE"],
    [{ account: 99_999 }, "UNKNOWN_ACCOUNT"],
  ] as readonly (readonly [Partial<CreateRebalancer>, string])[])(
    "[GRID-1] %o is refused with %s and nothing moves",
    (own, code) => {
      const events = stage.create(own);
      expect(eventsOf(events, "rejected")[0]?.code).toBe(code);
      expect(eventsOf(events, "posting")).toEqual([]);
      expect(eventsOf(events, "accountCreated")).toEqual([]);
    },
  );
});
