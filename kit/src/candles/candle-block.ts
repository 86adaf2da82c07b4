// The bytes of generated candles: immutable, so a block of 1 440 is one row instead of as many. A block of minutes is a
// UTC day, one of hours sixty days. Little-endian per candle: i32 open, high, low, close (16 bytes); of traded series
// also i32 trades, 4 zeros, f64 lots, f64 settlement units (40 bytes). A candle without a price is all zeros. Pure.
import { type Bar, NOTHING_TRADED } from "./candles.ts";

export const BLOCK_BARS = 1_440;
const PRICE_BYTES = 16;
const TRADED_BYTES = 40;

/** The opening of the block a time falls in. */
export function blockStart(timeMs: number, spanMs: number): number {
  return timeMs - (timeMs % (spanMs * BLOCK_BARS));
}

/** Candles of one block as its row's bytes. */
export function packBlock(fromMs: number, spanMs: number, bars: Iterable<Bar>, isTraded: boolean): Uint8Array {
  const size = isTraded ? TRADED_BYTES : PRICE_BYTES;
  const bytes = new Uint8Array(BLOCK_BARS * size);
  const view = new DataView(bytes.buffer);
  for (const bar of bars) {
    const at = ((bar.timeMs - fromMs) / spanMs) * size;
    view.setInt32(at, bar.open, true);
    view.setInt32(at + 4, bar.high, true);
    view.setInt32(at + 8, bar.low, true);
    view.setInt32(at + 12, bar.close, true);
    if (!isTraded) continue;
    view.setInt32(at + 16, bar.trades, true);
    view.setFloat64(at + 24, bar.lots, true);
    view.setFloat64(at + 32, Number(bar.quoteUnits as bigint), true);
  }
  return bytes;
}

/** The candles of a block's bytes between two times, both included. */
export function unpackBlock(blockMs: number, spanMs: number, bytes: Uint8Array, fromMs: number, toMs: number): Bar[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const size = bytes.byteLength / BLOCK_BARS;
  const isTraded = size === TRADED_BYTES;
  const first = Math.max(0, Math.ceil((fromMs - blockMs) / spanMs));
  const last = Math.min(BLOCK_BARS - 1, Math.floor((toMs - blockMs) / spanMs));
  const bars: Bar[] = [];
  for (let place = first; place <= last; place += 1) {
    const at = place * size;
    const open = view.getInt32(at, true);
    if (open === 0) continue;
    bars.push({
      timeMs: blockMs + place * spanMs,
      open,
      high: view.getInt32(at + 4, true),
      low: view.getInt32(at + 8, true),
      close: view.getInt32(at + 12, true),
      ...NOTHING_TRADED,
      ...(isTraded ? readTraded(view, at) : {}),
      isGenerated: true,
    });
  }
  return bars;
}

/** The taker's part was not generated. */
function readTraded(view: DataView, at: number): Pick<Bar, "trades" | "lots" | "quoteUnits"> {
  return {
    trades: view.getInt32(at + 16, true),
    lots: view.getFloat64(at + 24, true),
    quoteUnits: BigInt(view.getFloat64(at + 32, true)),
  };
}
