// Candles of prices nobody trades at, mark and index, as streams of the Binance dialect: published as they move, and once
// more when they are over.
import type { Live } from "@clockwork/host/channel";
import type { Clock } from "@clockwork/host/clock";
import { nextCandleStart } from "@clockwork/kit/time";
import type { Market } from "@clockwork/trading/market/offer";
import {
  CANDLE_INTERVALS,
  type Candle,
  type ContractInfo,
  INDEX_CHANNEL,
  MARK_CHANNEL,
} from "@clockwork/trading/markets/contract";
import type { Contracts } from "../contract/contracts.ts";
import type { StreamSource } from "./board.ts";
import { paced } from "./pace.ts";

const UPDATE_MS = 250;

export interface PriceKlineParts {
  readonly contracts: Contracts;
  readonly market: Pick<Market, "contracts">;
  readonly live: Pick<Live, "tap">;
  readonly clock: Pick<Clock, "now" | "at">;
}

export function priceKlines(
  { contracts, market, live, clock }: PriceKlineParts,
  contract: ContractInfo,
  kind: "mark" | "index",
  name: string,
): StreamSource | undefined {
  const interval = CANDLE_INTERVALS.find((one) => one === name);
  if (interval === undefined) return undefined;
  const { biz, symbolOf } = contracts.kind;
  const s = symbolOf(contract);
  const ps = s.split("_")[0];
  const describe = ({ timeMs: t, open: o, high: h, low: l, close: c, trades: n }: Candle, x: boolean): object => {
    const T = nextCandleStart(t, interval) - 1;
    const k = {
      t,
      T,
      s: kind === "mark" ? s : ps,
      i: interval,
      f: 0,
      L: 0,
      o,
      c,
      h,
      l,
      v: "0",
      n,
      x,
      q: "0",
      V: "0",
      Q: "0",
      B: "0",
    };
    return { e: `${kind}Price_kline`, E: clock.now(), ps, k };
  };
  return (publish) => {
    let openMs: number | undefined;
    let cancel = (): void => undefined;
    const look = (): void => {
      const read = market.contracts.readLastCandles(biz, contract.pairCode, kind, interval, clock.now());
      const candles = read.done ? read.value : [];
      for (const candle of candles) {
        const isLast = candle === candles.at(-1);
        const hasEnded = candle.timeMs === openMs && !isLast;
        if (hasEnded || isLast) publish(describe(candle, hasEnded));
      }
      const last = candles.at(-1);
      if (last === undefined) return;
      openMs = last.timeMs;
      cancel();
      cancel = clock.at(nextCandleStart(last.timeMs, interval), () => rate.touch());
    };
    const rate = paced(UPDATE_MS, look);
    const channel = kind === "mark" ? MARK_CHANNEL : INDEX_CHANNEL;
    const stop = live.tap({ channel, biz, pairCode: contract.pairCode }, () => rate.touch());
    rate.touch();
    return () => {
      rate.stop();
      cancel();
      stop?.();
    };
  };
}
