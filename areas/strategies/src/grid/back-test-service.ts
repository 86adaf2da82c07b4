// Back-tests on a separate thread, with progress and cancellation, and grids suggested by recent volatility. Never
// moves money.

import type { BackTestCandle, BackTestResult, BackTestTask } from "@clockwork/kit/grid/back-test";
import { backTestTask } from "@clockwork/kit/grid/back-test-task";
import { BackgroundTasks } from "@clockwork/kit/grid/background-tasks";
import { gridLines } from "@clockwork/kit/grid/lines";
import { leastInvestment, openingInvestment } from "@clockwork/kit/grid/plan";
import { type PriceBand, suggestGrid } from "@clockwork/kit/grid/suggest";
import { priceText, readPriceTicks } from "@clockwork/kit/instrument";
import { parseUnits } from "@clockwork/kit/money";
import { bandHigh, bandLow } from "@clockwork/kit/order-bounds";
import { done, type Result, refused } from "@clockwork/kit/result";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@clockwork/kit/time";
import type { MarketPair } from "@clockwork/trading/markets/pair";
import {
  type BackTest,
  type BackTestBody,
  bizOf,
  type GridBiz,
  type Suggestion,
  type BackTestTask as TaskStatus,
} from "./contract.ts";
import type { GridNeeds } from "./needs.ts";
import type { GridRefusal } from "./refusals.ts";
import { describeBackTest, rateText } from "./rules.ts";
import { readUpper } from "./service.ts";
import type { TaskService } from "./task-routes.ts";

type Outcome<Value> = Promise<Result<Value, GridRefusal>>;

const DAYS_DEFAULT = 30;
/** Minutes as far as they are stored, hours beyond. */
const MINUTE_DAYS = 30;
const CANDLES_LEAST = 24;
const SUGGESTION_KEPT_MS = 60_000;
const SUGGESTED_LEVERAGE = { spot: 1, futures: 2 } as const satisfies Record<GridBiz, number>;
const METHOD =
  "The range is one standard deviation of hourly returns, scaled to the period, on each side of the price: at least 2% and at most 50%, within the market's price limits. Grid lines have equal percentage spacing, with as many grids as leave each pair a profit of at least twice its fees. Past performance does not guarantee future results.";

export class BackTestService {
  readonly #needs: GridNeeds;
  readonly #tasks: BackgroundTasks<BackTestResult, MarketPair, BackTest, AbortSignal>;

  readonly #suggested = new Map<string, { readonly atMs: number; readonly answer: Outcome<Suggestion> }>();

  constructor({ needs }: { readonly needs: GridNeeds }) {
    this.#needs = needs;
    this.#tasks = new BackgroundTasks({
      now: () => needs.now(),
      randomId: () => needs.randomId(),
      newEnd: () => new AbortController(),
      describe: describeBackTest,
    });
  }

  /** The tests of one tree. */
  of(biz: GridBiz): TaskService<BackTestBody, TaskStatus, GridRefusal> {
    return {
      start: (userId, body) => this.#start(userId, biz, body),
      read: (userId, taskId) => this.#tasks.read(userId, taskId),
      cancel: (userId, taskId) => this.#tasks.cancel(userId, taskId),
    };
  }

  async #start(userId: number, biz: GridBiz, body: BackTestBody): Outcome<TaskStatus> {
    const market = this.#needs.findMarket(biz, body.pairCode);
    if (market === undefined) return refused("UNKNOWN_PAIR");
    if (bizOf(body.kind) !== biz) return refused("INVALID_KIND");
    if (this.#tasks.isFullFor(userId)) return refused("TOO_MANY_TASKS");
    const candles = await this.#candles(market.market, body.days ?? DAYS_DEFAULT);
    const made = await this.#task(market, body, candles);
    if (!made.done) return made;
    if (this.#tasks.isFullFor(userId)) return refused("TOO_MANY_TASKS");
    const started = this.#tasks.begin(userId, market, (onProgress, signal) =>
      this.#needs.runBackTest(made.value, candles, onProgress, signal),
    );
    return done(started);
  }

  close(): void {
    this.#tasks.close();
  }

  #candles(market: number, days: number): Promise<readonly BackTestCandle[]> {
    const nowMs = this.#needs.now();
    const spanMs = days <= MINUTE_DAYS ? MINUTE_MS : HOUR_MS;
    return this.#needs.readCandles(market, spanMs, nowMs - days * DAY_MS, nowMs);
  }

  async #task(market: MarketPair, body: BackTestBody, candles: readonly BackTestCandle[]): Outcome<BackTestTask> {
    const first = candles[0];
    if (first === undefined || candles.length < CANDLES_LEAST) return refused("TOO_FEW_CANDLES");
    const read = (text: string | undefined): number | undefined =>
      text === undefined ? 0 : readPriceTicks(market, text);
    const given = [body.lower, body.trigger, body.takeProfit, body.stopLoss, body.trailUp, body.trailDown].map(read);
    const highTicks = readUpper(market, body, first.open);
    if (highTicks === undefined || given.includes(undefined)) return refused("INVALID_PRICE");
    const [lowTicks, triggerTicks, takeProfitTicks, stopLossTicks, trailUpTicks, trailDownTicks] = given as [
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    const quote = parseUnits(body.investment, market.settle.scale);
    const base = parseUnits(body.base ?? "0", market.base.scale);
    if (!quote.done || !base.done) return refused("INVALID_AMOUNT");
    const { kind, spacing, count, leverage = 1, exitBps = 0 } = body;
    const prices = { lowTicks, highTicks, triggerTicks, takeProfitTicks, stopLossTicks, trailUpTicks, trailDownTicks };
    const baseLots = Number(base.value / BigInt(market.stepUnits));
    const requested = { kind, spacing, cells: count, ...prices, quoteUnits: quote.value, baseLots, leverage, exitBps };
    const contract = this.#needs.contractOf(market.market);
    const fundings = await this.#needs.readFundings(market.market, first.timeMs);
    return backTestTask(requested, { ...market, contract, fundings }, first.open);
  }

  /** Shared by all callers within a minute: the test behind it costs a thread. */
  suggest(biz: GridBiz, pairCode: string, days: number): Outcome<Suggestion> {
    const market = this.#needs.findMarket(biz, pairCode);
    if (market === undefined) return Promise.resolve(refused("UNKNOWN_PAIR"));
    const key = `${market.market}:${days}`;
    const nowMs = this.#needs.now();
    const known = this.#suggested.get(key);
    if (known !== undefined && nowMs - known.atMs <= SUGGESTION_KEPT_MS) return known.answer;
    const answer = this.#suggest(biz, market, days, nowMs);
    // There are no more keys than markets have days.
    this.#suggested.set(key, { atMs: nowMs, answer });
    const remove = (): boolean => this.#suggested.delete(key);
    // An unavailable result may be available in a moment: a young market gets its candles.
    answer.then((made) => made.done || remove(), remove);
    return answer;
  }

  /** A range from the volatility of the days, with its backtest over them. */
  async #suggest(biz: GridBiz, market: MarketPair, days: number, nowMs: number): Outcome<Suggestion> {
    const { pairCode } = market;
    const candles = await this.#needs.readCandles(market.market, HOUR_MS, nowMs - days * DAY_MS, nowMs);
    const last = this.#needs.seenTicks(market.market);
    const made =
      candles.length < CANDLES_LEAST
        ? undefined
        : suggestGrid(candles, last, days, market.takerRate, bandOf(market, last));
    if (made === undefined) return refused("TOO_FEW_CANDLES");
    const { range, profitMinRate, profitMaxRate, dailyRate } = made;
    const body = {
      kind: biz === "spot" ? "spot" : "neutral",
      pairCode,
      lower: priceText(market, range.lowTicks),
      upper: priceText(market, range.highTicks),
      count: range.cells,
      spacing: range.spacing,
    } as const;
    const leverage = SUGGESTED_LEVERAGE[biz];
    const lines = gridLines(range);
    const basis = { feeRate: market.takerRate, tickLotUnits: market.factor, leverage };
    const least = leastInvestment({ kind: body.kind, range, priceTicks: last, ...basis, ...minimumsOf(market) }, lines);
    const coinUnits = 10n ** BigInt(market.settle.scale);
    const investment = (openingInvestment(least, coinUnits) / coinUnits).toString();
    const tested = await this.#test(market, { ...body, investment, leverage }, candles);
    return done({
      pairCode,
      days,
      dailyVolatility: rateText(dailyRate),
      lower: body.lower,
      upper: body.upper,
      count: lines.length - 1,
      spacing: range.spacing,
      profitMin: rateText(profitMinRate),
      profitMax: rateText(profitMaxRate),
      investment,
      leverage,
      backTest: tested === undefined ? null : describeBackTest(tested, market),
      method: METHOD,
    });
  }

  async #test(
    market: MarketPair,
    body: BackTestBody,
    candles: readonly BackTestCandle[],
  ): Promise<BackTestResult | undefined> {
    const task = await this.#task(market, body, candles);
    if (!task.done) return undefined;
    return this.#needs.runBackTest(task.value, candles, () => undefined, new AbortController().signal);
  }
}

const minimumsOf = ({ minLots, minNotionalUnits }: MarketPair) => ({ minLots, minNotionalUnits });

/** The lowest buy and the highest sell permitted. */
function bandOf(market: MarketPair, lastTicks: number): PriceBand {
  const { buyMinBps, sellMaxBps } = market;
  return {
    lowTicks: buyMinBps === 0 ? 0 : bandLow(lastTicks, buyMinBps),
    highTicks: sellMaxBps === 0 ? 0 : bandHigh(lastTicks, sellMaxBps),
  };
}
