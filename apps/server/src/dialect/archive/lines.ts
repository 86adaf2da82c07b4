// The lines of an archive: trades, aggregates, candles and depth of one market on one day, in the columns of
// data.binance.vision. Spot has no heading and counts microseconds there, contracts have one and count milliseconds.
import { priceText, quantityText, valueFloor, valueText } from "@clockwork/kit/instrument";
import { DAY_MS, nextCandleStart } from "@clockwork/kit/time";
import type { Market } from "@clockwork/trading/market/offer";
import { CANDLES_LIMIT_MAX, type Candle, type ContractInfo } from "@clockwork/trading/markets/contract";
import type { DepthNear } from "@clockwork/trading/markets/depth-rules";
import type { MarketPair } from "@clockwork/trading/markets/pair";
import type { TradeRow } from "@clockwork/trading/markets/store";
import { groupAggregates } from "@clockwork/trading/markets/trade-history";
import { writeQuantity } from "../contract/contracts.ts";
import type { ArchivePath } from "./paths.ts";

export type ArchiveMarket = Pick<Market, "contracts" | "data" | "history" | "service">;

/** A market, and how its quantities are counted. */
export interface ArchivedMarket {
  readonly pair: MarketPair;
  /** Absent for spot. */
  readonly contract: Pick<ContractInfo, "faceValue"> | undefined;
}

interface Writing extends ArchivedMarket {
  readonly market: ArchiveMarket;
  readonly path: ArchivePath;
}

const isSpot = ({ path }: Writing): boolean => path.product === "spot";
const timeText = (writing: Writing, timeMs: number): string => (isSpot(writing) ? `${timeMs}000` : String(timeMs));
/** As Python writes them in Binance's files of spot. */
const flagText = (writing: Writing, flag: boolean): string =>
  isSpot(writing) ? (flag ? "True" : "False") : String(flag);
const countText = ({ contract }: Writing, quantity: string): string =>
  contract === undefined ? quantity : writeQuantity(contract, quantity);

export function readLines(market: ArchiveMarket, archived: ArchivedMarket, path: ArchivePath): AsyncIterable<string> {
  const writing = { ...archived, market, path };
  switch (path.kind) {
    case "trades":
      return tradeLines(writing);
    case "aggTrades":
      return aggregateLines(writing);
    case "bookDepth":
      return depthLines(writing);
    default:
      return candleLines(writing);
  }
}

const joinLines = (rows: readonly (readonly (string | number)[])[]): string =>
  rows.map((row) => `${row.join(",")}\n`).join("");

async function* tradeLines(writing: Writing): AsyncGenerator<string> {
  const { pair, path, market } = writing;
  const quote = path.product === "cm" ? "base_qty" : "quote_qty";
  if (!isSpot(writing)) yield `id,price,qty,${quote},time,is_buyer_maker\n`;
  for await (const rows of market.history.readSpan(pair.market, path.dayMs, path.dayMs + DAY_MS - 1)) {
    yield joinLines(
      rows.map(({ number, price, lots, time_ms: timeMs, is_sell: isSell }) => [
        number,
        priceText(pair, price),
        countText(writing, quantityText(pair, lots)),
        valueText(pair, valueFloor(pair, lots, price)),
        timeText(writing, timeMs),
        flagText(writing, isSell),
        ...(isSpot(writing) ? ["True"] : []),
      ]),
    );
  }
}

async function* aggregateLines(writing: Writing): AsyncGenerator<string> {
  const { pair, path, market } = writing;
  if (!isSpot(writing)) yield "agg_trade_id,price,quantity,first_trade_id,last_trade_id,transact_time,is_buyer_maker\n";
  const describe = (group: readonly TradeRow[]): readonly (string | number)[] => {
    const [first, last] = [group[0] as TradeRow, group.at(-1) as TradeRow];
    const lots = group.reduce((sum, trade) => sum + trade.lots, 0);
    return [
      first.aggregate,
      priceText(pair, first.price),
      countText(writing, quantityText(pair, lots)),
      first.number,
      last.number,
      timeText(writing, first.time_ms),
      flagText(writing, first.is_sell),
      ...(isSpot(writing) ? ["True"] : []),
    ];
  };
  let open: readonly TradeRow[] = [];
  for await (const rows of market.history.readSpan(pair.market, path.dayMs, path.dayMs + DAY_MS - 1)) {
    const groups = groupAggregates([...open, ...rows]);
    // The last one may continue in the next piece.
    open = groups.at(-1) ?? [];
    yield joinLines(groups.slice(0, -1).map(describe));
  }
  if (open.length > 0) yield joinLines([describe(open)]);
}

const SERIES = { markPriceKlines: "mark", indexPriceKlines: "index", premiumIndexKlines: "premium" } as const;

async function* candleLines(writing: Writing): AsyncGenerator<string> {
  const { path } = writing;
  const { interval = "1d" } = path;
  if (!isSpot(writing))
    yield "open_time,open,high,low,close,volume,close_time,quote_volume,count,taker_buy_volume,taker_buy_quote_volume,ignore\n";
  const endMs = path.dayMs + DAY_MS - 1;
  for (let from = path.dayMs; from <= endMs; ) {
    const candles = await readCandles(writing, from, endMs);
    // What was generated is no record.
    const real = candles.filter(({ isGenerated }) => !isGenerated);
    yield joinLines(
      real.map((candle) => {
        const closeMs = nextCandleStart(candle.timeMs, interval);
        return [
          timeText(writing, candle.timeMs),
          candle.open,
          candle.high,
          candle.low,
          candle.close,
          countText(writing, candle.volume),
          isSpot(writing) ? `${closeMs - 1}999` : closeMs - 1,
          candle.turnover,
          candle.trades,
          countText(writing, candle.boughtVolume),
          candle.boughtTurnover,
          0,
        ];
      }),
    );
    if (candles.length < CANDLES_LIMIT_MAX) return;
    from = (candles.at(-1)?.timeMs ?? endMs) + 1;
  }
}

async function readCandles({ market, pair, path }: Writing, from: number, to: number): Promise<readonly Candle[]> {
  const { kind, interval = "1d" } = path;
  const request = { pairCode: pair.pairCode, interval, from, to, limit: CANDLES_LIMIT_MAX };
  const { biz } = pair;
  const nowMs = to + 1;
  const answer =
    biz === "spot"
      ? await market.service.readCandles(request, nowMs)
      : await market.contracts.readCandles(
          { ...request, biz, kind: kind in SERIES ? SERIES[kind as keyof typeof SERIES] : "last" },
          nowMs,
        );
  return answer.done ? answer.value : [];
}

async function* depthLines(writing: Writing): AsyncGenerator<string> {
  const { market, pair, path } = writing;
  yield "timestamp,percentage,depth,notional\n";
  const rows = await market.data.store.readDepths(pair.market, path.dayMs, path.dayMs + DAY_MS - 1);
  for (const { time_ms: timeMs, levels } of rows) {
    const time = new Date(timeMs).toISOString().slice(0, 19).replace("T", " ");
    yield joinLines(
      (JSON.parse(levels) as DepthNear[]).map(({ percent, quantity, value }) => [
        time,
        percent,
        countText(writing, quantity),
        value,
      ]),
    );
  }
}
