// The bytes of past trades: columns of doubles, each value as its difference to the one before, deflated. A block has
// trades of one market without a gap between their numbers.
import { promisify } from "node:util";
import { deflateRaw, deflateRawSync, inflateRaw } from "node:zlib";
import type { TradeRow } from "./store.ts";

export const BLOCK_TRADES = 5_000;
const COLUMNS = 5;
const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

/** What a block covers. */
export interface BlockSpan {
  readonly market: number;
  readonly first: number;
  readonly last: number;
  readonly first_aggregate: number;
  readonly last_aggregate: number;
  readonly from_ms: number;
  readonly to_ms: number;
}

/** Its bytes, or since they moved the file that has them. */
export interface TradeBlockRow extends BlockSpan {
  readonly bytes: Uint8Array | null;
  readonly file: string | null;
}

/** The longest sequence of numbers without a gap, from the first on. */
export function untilGap(trades: readonly TradeRow[]): readonly TradeRow[] {
  const first = trades[0]?.number ?? 0;
  const gap = trades.findIndex(({ number }, place) => number !== first + place);
  return gap < 0 ? trades : trades.slice(0, gap);
}

/** In a long catch-up; elsewhere another thread deflates. */
export function packTradesNow(trades: readonly TradeRow[]): TradeBlockRow {
  return { ...spanOf(trades), bytes: deflateRawSync(columnsOf(trades)), file: null };
}

export async function packTrades(trades: readonly TradeRow[]): Promise<TradeBlockRow> {
  return { ...spanOf(trades), bytes: await deflate(columnsOf(trades)), file: null };
}

function spanOf(trades: readonly TradeRow[]): BlockSpan {
  const [first, last] = [trades[0], trades.at(-1)];
  if (first === undefined || last === undefined) throw new Error("BOT-1: a block without trades");
  if (last.number - first.number !== trades.length - 1) throw new Error("BOT-1: a block with a gap");
  return {
    market: first.market,
    first: first.number,
    last: last.number,
    first_aggregate: first.aggregate,
    last_aggregate: last.aggregate,
    from_ms: first.time_ms,
    to_ms: last.time_ms,
  };
}

/** Number, aggregate, time, price, and lots: negative where the taker sold. */
const readRow = ({ number, aggregate, time_ms, price, lots, is_sell }: TradeRow): readonly number[] => [
  number,
  aggregate,
  time_ms,
  price,
  is_sell ? -lots : lots,
];

function columnsOf(trades: readonly TradeRow[]): Uint8Array {
  const columns = new Float64Array(trades.length * COLUMNS);
  let before: readonly number[] = new Array(COLUMNS).fill(0);
  trades.forEach((trade, place) => {
    const row = readRow(trade);
    row.forEach((value, column) => {
      columns[column * trades.length + place] = value - (before[column] as number);
    });
    before = row;
  });
  return new Uint8Array(columns.buffer);
}

export async function unpackTrades(market: number, bytes: Uint8Array): Promise<TradeRow[]> {
  const flat = await inflate(bytes);
  // A copy starts where doubles may start.
  const columns = new Float64Array(new Uint8Array(flat).buffer);
  const count = columns.length / COLUMNS;
  const at = new Array<number>(COLUMNS).fill(0);
  return Array.from({ length: count }, (_, place) => {
    for (let column = 0; column < COLUMNS; column += 1) {
      at[column] = (at[column] as number) + (columns[column * count + place] as number);
    }
    const [number = 0, aggregate = 0, time_ms = 0, price = 0, signed = 0] = at;
    return { market, number, aggregate, time_ms, price, lots: Math.abs(signed), is_sell: signed < 0 };
  });
}
