// Owns the back-test of a basket over candles: the functions the core decides by, evaluated at the close of every
// candle. Legs trade at that close with the taker's fee, sells first, then buys as far as the quote pays for. Moves
// nothing.
import { mulDivCeil, RATE_ONE } from "../money.ts";
import {
  affordableLots,
  type Basket,
  type BasketCoin,
  basketValue,
  type RebalanceCause,
  type RebalanceRule,
  rebalanceCause,
  rebalanceLots,
  worstTicks,
} from "./rebalance.ts";

export interface BasketTestTask extends Omit<RebalanceRule, "nextAt"> {
  readonly coins: readonly (Omit<BasketCoin, "lots" | "ticks"> & {
    /** In 1e-8, of quote. */
    readonly takerRate: number;
  })[];
  readonly quoteUnits: number;
  /** How many ticks worse than the price a leg trades. */
  readonly spreadTicks?: number;
}

/** The price of every coin at one time, in the task's order. */
export interface BasketPrices {
  readonly timeMs: number;
  readonly ticks: readonly number[];
}

export interface BasketCurvePoint {
  readonly timeMs: number;
  readonly totalUnits: number;
  readonly holdingUnits: number;
}

export interface BasketTestResult {
  readonly candles: number;
  readonly fromMs: number;
  readonly toMs: number;
  readonly investedUnits: number;
  readonly totalUnits: number;
  /** The result of holding the initial basket. */
  readonly holdingUnits: number;
  readonly feesUnits: number;
  readonly rounds: number;
  /** The maximum drawdown of the total worth, in 1e-8. */
  readonly drawdownRate: number;
  readonly curve: readonly BasketCurvePoint[];
}

const CURVE_POINTS = 240;
/** Candles between two progress reports. */
const SLICE = 2_000;

/** A basket in a market that is only a series of prices. */
export class SimulatedBasket {
  readonly #task: BasketTestTask;
  readonly #lots: number[];
  #nextAt = 0;
  #isStarted = false;
  quoteUnits: number;
  feesUnits = 0;
  rounds = 0;

  constructor(task: BasketTestTask) {
    this.#task = task;
    this.#lots = task.coins.map(() => 0);
    this.quoteUnits = task.quoteUnits;
  }

  get lots(): readonly number[] {
    return this.#lots;
  }

  /** Once per price: buys at the first, then trades whenever the rule requires it. */
  look({ timeMs, ticks }: BasketPrices): void {
    const { thresholdBps, intervalMs } = this.#task;
    const rule = { thresholdBps, intervalMs, nextAt: this.#nextAt };
    const cause: RebalanceCause | undefined = this.#isStarted
      ? rebalanceCause(rule, this.#basketAt(ticks), timeMs)
      : "start";
    if (cause === undefined) return;
    this.#isStarted = true;
    if (cause !== "threshold") this.#nextAt = timeMs + intervalMs;
    if (this.#trade(ticks)) this.rounds++;
  }

  valueAt(ticks: readonly number[]): number {
    return Number(basketValue(this.#basketAt(ticks)));
  }

  #basketAt(ticks: readonly number[]): Basket {
    const coins = this.#task.coins.map((coin, i) => ({
      ...coin,
      lots: this.#lots[i] as number,
      ticks: ticks[i] as number,
    }));
    return { coins, quoteUnits: this.quoteUnits };
  }

  #trade(ticks: readonly number[]): boolean {
    const wanted = rebalanceLots(this.#basketAt(ticks));
    let isTraded = false;
    for (const sells of [true, false])
      for (const [i, lots] of wanted.entries()) {
        if (lots === 0 || lots < 0 !== sells) continue;
        const traded = this.#leg(i, sells, Math.abs(lots), ticks[i] as number);
        if (traded > 0) isTraded = true;
      }
    return isTraded;
  }

  #leg(place: number, sells: boolean, wanted: number, price: number): number {
    const { tickLotUnits, takerRate } = this.#task.coins[place] as BasketTestTask["coins"][number];
    const spread = this.#task.spreadTicks ?? 0;
    const ticks = sells ? price - spread : price + spread;
    const lots = sells
      ? wanted
      : Math.min(wanted, affordableLots(this.quoteUnits, takerRate, worstTicks(ticks), tickLotUnits));
    const valueUnits = lots * ticks * tickLotUnits;
    const feeUnits = mulDivCeil(valueUnits, takerRate, RATE_ONE);
    this.#lots[place] = (this.#lots[place] as number) + (sells ? 0 - lots : lots);
    this.quoteUnits += (sells ? valueUnits : 0 - valueUnits) - feeUnits;
    this.feesUnits += feeUnits;
    return lots;
  }
}

/** Yields the part that is done, 0 to 1, so that the runner can report it and can stop. */
export function* basketTestSlices(
  task: BasketTestTask,
  prices: readonly BasketPrices[],
): Generator<number, BasketTestResult | undefined> {
  const [first] = prices;
  const last = prices.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const basket = new SimulatedBasket(task);
  // The same start, held.
  const held = new SimulatedBasket({ ...task, thresholdBps: 0, intervalMs: 0 });
  held.look(first);
  const every = Math.max(1, Math.ceil(prices.length / CURVE_POINTS));
  const curve: BasketCurvePoint[] = [];
  let highest = task.quoteUnits;
  let drawdown = 0;
  for (const [i, at] of prices.entries()) {
    basket.look(at);
    const worth = basket.valueAt(at.ticks);
    highest = Math.max(highest, worth);
    drawdown = Math.max(drawdown, (highest - worth) / highest);
    if (i % every === 0 || i === prices.length - 1)
      curve.push({
        timeMs: at.timeMs,
        totalUnits: worth - task.quoteUnits,
        holdingUnits: held.valueAt(at.ticks) - task.quoteUnits,
      });
    if (i % SLICE === SLICE - 1) yield i / prices.length;
  }
  return {
    candles: prices.length,
    fromMs: first.timeMs,
    toMs: last.timeMs,
    investedUnits: task.quoteUnits,
    totalUnits: basket.valueAt(last.ticks) - task.quoteUnits,
    holdingUnits: held.valueAt(last.ticks) - task.quoteUnits,
    feesUnits: basket.feesUnits,
    rounds: basket.rounds,
    drawdownRate: Math.floor(drawdown * RATE_ONE),
    curve,
  };
}

/** Closes of several markets by time; a time that one of them lacks is left out. */
export function alignCloses(
  series: readonly (readonly { readonly timeMs: number; readonly close: number }[])[],
): BasketPrices[] {
  const [first, ...others] = series;
  const closes = others.map((candles) => new Map(candles.map(({ timeMs, close }) => [timeMs, close])));
  return (first ?? []).flatMap(({ timeMs, close }) => {
    const rest = closes.map((of) => of.get(timeMs));
    const ticks = [close, ...rest];
    return ticks.every((price) => price !== undefined && price > 0) ? [{ timeMs, ticks: ticks as number[] }] : [];
  });
}
