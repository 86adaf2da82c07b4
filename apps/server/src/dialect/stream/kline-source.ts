// Candles of one market as a stream of the Binance dialect: published while trades change them, and once more when they
// are over, by the clock, also without trading. Must publish every candle's end once and in order.

import type { Live } from "@clockwork/host/channel";
import type { Clock } from "@clockwork/host/clock";
import { recentCandles } from "@clockwork/kit/candles/bar-series";
import type { Bar } from "@clockwork/kit/candles/candles";
import type { TimezoneName } from "@clockwork/kit/constants";
import { type CandleInterval, candleStart, nextCandleStart } from "@clockwork/kit/time";
import type { SocketTopic } from "@clockwork/kit/wire";
import type { Candle } from "@clockwork/trading/markets/contract";
import type { MarketPair } from "@clockwork/trading/markets/pair";
import type { MarketState } from "@clockwork/trading/markets/projector";
import { describeBar } from "@clockwork/trading/markets/service";
import type { StreamSource } from "./board.ts";
import { paced } from "./pace.ts";

export interface KlineParts {
  readonly live: Pick<Live, "tap">;
  readonly clock: Pick<Clock, "now" | "at">;
}

export interface KlineStream {
  readonly pair: MarketPair;
  readonly state: MarketState;
  /** Where the market's trades are published. */
  readonly trades: SocketTopic;
  readonly interval: CandleInterval;
  readonly zone: TimezoneName;
  readonly describe: (answer: PublishedCandle) => object;
}

/** A candle with the numbers of its first and last trade, -1 where it has none. */
export interface PublishedCandle {
  readonly candle: Candle;
  readonly endMs: number;
  readonly firstTrade: number;
  readonly lastTrade: number;
  readonly isClosed: boolean;
}

const UPDATE_MS = 250;
/**
 * A trade arrives a moment after its timestamp: a candle waits this long for its last ones when none of the next comes.
 */
const LATE_MS = 100;
/** After a jump of the clock no more than these are published. */
const CLOSED_MAX = 100;

export function klineSource({ live, clock }: KlineParts, stream: KlineStream): StreamSource {
  const { state, interval, zone } = stream;
  const spanMs = nextCandleStart(0, interval, zone) - candleStart(0, interval, zone);
  const start = (timeMs: number): number => candleStart(timeMs, interval, zone);
  return (publish) => {
    let openMs = start(clock.now() - LATE_MS);
    /** Trades of the open candle as last published; one without trades is published to its first subscriber alone. */
    let publishedTrades = -1;
    let closed: { readonly timeMs: number; readonly trades: number } | undefined;
    let cancel = (): void => undefined;
    const look = (): void => {
      const lastMs = Math.max(openMs, start(clock.now() - LATE_MS), start(state.trades.at(-1)?.time_ms ?? 0));
      const fromMs = Math.max(closed?.timeMs ?? openMs, start(lastMs - CLOSED_MAX * spanMs));
      if (lastMs > openMs) publishedTrades = 0;
      for (const one of numbered(stream, fromMs, lastMs)) {
        const { timeMs, trades } = one.candle;
        if (one.isClosed) {
          // The last one again, if a trade of it came later still.
          if (closed?.timeMs === timeMs && closed.trades === trades) continue;
          closed = { timeMs, trades };
        } else {
          if (trades === publishedTrades) continue;
          publishedTrades = trades;
        }
        publish(stream.describe(one));
      }
      openMs = lastMs;
      cancel();
      cancel = clock.at(nextCandleStart(openMs, interval, zone) + LATE_MS, look);
    };
    const rate = paced(UPDATE_MS, look);
    const stop = live.tap(stream.trades, () => rate.touch());
    rate.touch();
    return () => {
      rate.stop();
      cancel();
      stop?.();
    };
  };
}

/**
 * Trades of a market are numbered without a gap, so the newest number and each candle's count determine all of them.
 */
function numbered(
  { pair, state, interval, zone }: KlineStream,
  fromMs: number,
  lastMs: number,
): readonly PublishedCandle[] {
  let number = state.lastNumber;
  const describe = (bar: Bar): PublishedCandle => {
    // What was generated has no numbers.
    const isNumbered = bar.trades > 0 && number > 0;
    const [firstTrade, lastTrade] = isNumbered ? [Math.max(1, number - bar.trades + 1), number] : [-1, -1];
    number -= bar.trades;
    const endMs = nextCandleStart(bar.timeMs, interval, zone) - 1;
    return { candle: describeBar(pair, bar), endMs, firstTrade, lastTrade, isClosed: bar.timeMs < lastMs };
  };
  const bars = recentCandles(state.series, interval, zone, { fromMs, toMs: lastMs });
  return bars.reverse().map(describe).reverse();
}
