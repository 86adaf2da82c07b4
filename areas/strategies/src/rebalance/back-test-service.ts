// Back-tests of baskets over stored candles, on a separate thread, with progress and cancellation. Never moves money.

import { BackgroundTasks } from "@clockwork/kit/grid/background-tasks";
import { alignCloses, type BasketTestResult } from "@clockwork/kit/grid/basket-test";
import { areWeights, BASKET_COINS_MIN, isRule, leastInvestment } from "@clockwork/kit/grid/rebalance";
import { valueText } from "@clockwork/kit/instrument";
import { RATE_ONE } from "@clockwork/kit/money";
import { done, type Result, refused } from "@clockwork/kit/result";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@clockwork/kit/time";
import type { MarketPair } from "@clockwork/trading/markets/pair";
import type { BackTestBody, BasketTest, BasketTestTask as TaskStatus } from "./contract.ts";
import type { RebalanceNeeds } from "./needs.ts";
import type { RebalanceRefusal } from "./refusals.ts";
import { shareText } from "./rules.ts";
import { readShape } from "./service.ts";

const DAYS_DEFAULT = 30;
/** Minutes as far as they are stored, hours beyond. */
const MINUTE_DAYS = 30;
const CANDLES_LEAST = 24;

export class BasketTestService {
  readonly #needs: RebalanceNeeds;
  readonly #tasks: BackgroundTasks<BasketTestResult, MarketPair, BasketTest, AbortSignal>;

  constructor(needs: RebalanceNeeds) {
    this.#needs = needs;
    this.#tasks = new BackgroundTasks({
      now: () => needs.now(),
      randomId: () => needs.randomId(),
      newEnd: () => new AbortController(),
      describe: describeTest,
    });
  }

  async start(userId: number, body: BackTestBody): Promise<Result<TaskStatus, RebalanceRefusal>> {
    const read = readTested(this.#needs, body);
    if (!read.done) return read;
    const { coins, quoteUnits } = read.value;
    if (this.#tasks.isFullFor(userId)) return refused("TOO_MANY_TASKS");
    const prices = await this.#readPrices(coins, body.days ?? DAYS_DEFAULT);
    const first = prices[0];
    if (first === undefined || prices.length < CANDLES_LEAST) return refused("TOO_FEW_CANDLES");
    const tested = coins.map(({ market, weightBps }) => ({
      weightBps,
      tickLotUnits: market.factor,
      minLots: market.minLots,
      minNotionalUnits: market.minNotionalUnits,
      takerRate: market.takerRate,
    }));
    const atStart = tested.map((coin, i) => ({ ...coin, lots: 0, ticks: first.ticks[i] as number }));
    if (BigInt(quoteUnits) < leastInvestment(atStart)) return refused("REBALANCE_INVESTMENT_TOO_SMALL");
    if (this.#tasks.isFullFor(userId)) return refused("TOO_MANY_TASKS");
    const rule = { thresholdBps: body.thresholdBps ?? 0, intervalMs: body.intervalMs ?? 0 };
    const run = this.#needs.runBackTest({ coins: tested, quoteUnits, ...rule }, prices);
    return done(this.#tasks.begin(userId, (coins[0] as TestedCoin).market, run));
  }

  read(userId: number, taskId: string): Result<TaskStatus, RebalanceRefusal> {
    return this.#tasks.read(userId, taskId);
  }

  cancel(userId: number, taskId: string): Result<TaskStatus, RebalanceRefusal> {
    return this.#tasks.cancel(userId, taskId);
  }

  close(): void {
    this.#tasks.close();
  }

  async #readPrices(coins: readonly TestedCoin[], days: number) {
    const spanMs = days <= MINUTE_DAYS ? MINUTE_MS : HOUR_MS;
    const toMs = this.#needs.now();
    const read = ({ market }: TestedCoin) => this.#needs.readCloses(market.market, spanMs, toMs - days * DAY_MS, toMs);
    return alignCloses(await Promise.all(coins.map(read)));
  }
}

interface TestedCoin {
  readonly market: MarketPair;
  readonly weightBps: number;
}

/** A basket the core would refuse is refused here, with the same codes. */
function readTested(
  needs: RebalanceNeeds,
  body: BackTestBody,
): Result<{ readonly coins: readonly TestedCoin[]; readonly quoteUnits: number }, RebalanceRefusal> {
  const read = readShape(needs, body);
  if (!read.done) return read;
  const { markets, quoteUnits } = read.value;
  if (body.coins.length < BASKET_COINS_MIN) return refused("REBALANCE_COUNT_INVALID");
  if (new Set(body.coins.map(({ coin }) => coin)).size !== body.coins.length) return refused("REBALANCE_COINS_INVALID");
  if (!areWeights(body.coins.map(({ weightBps }) => weightBps))) return refused("REBALANCE_WEIGHTS_INVALID");
  if (!isRule({ thresholdBps: body.thresholdBps ?? 0, intervalMs: body.intervalMs ?? 0 }))
    return refused("REBALANCE_RULE_INVALID");
  const coins = body.coins.flatMap(({ weightBps }, i) => {
    const market = markets[i];
    return market === undefined ? [] : [{ market, weightBps }];
  });
  return done({ coins, quoteUnits });
}

function describeTest(result: BasketTestResult, market: MarketPair): BasketTest {
  const money = (units: number): string => valueText(market, BigInt(units));
  return {
    candles: result.candles,
    days: Math.max(1, Math.round((result.toMs - result.fromMs) / DAY_MS)),
    invested: money(result.investedUnits),
    total: money(result.totalUnits),
    change: shareText(BigInt(result.totalUnits), BigInt(result.investedUnits)),
    holding: money(result.holdingUnits),
    fees: money(result.feesUnits),
    rounds: result.rounds,
    drawdown: shareText(BigInt(result.drawdownRate), BigInt(RATE_ONE)),
    curve: result.curve.map(({ timeMs, totalUnits, holdingUnits }) => ({
      timeMs,
      total: money(totalUnits),
      holding: money(holdingUnits),
    })),
  };
}
