// Owns accounts' turnover, summed by day, market and side: a day is read in a few rows.
import type { WriteSession } from "@clockwork/host/projector";
import { RowShape } from "@clockwork/host/row-shape";
import { DAY_MS } from "@clockwork/kit/time";
import type { FillDayRow, FillRow } from "../rows/rows.ts";

const SHAPE = new RowShape({
  table: "engine_fill_days",
  columns: ["account", "day", "market", "side", "fee_asset", "lots", "notional_units", "fee_units"],
  key: ["account", "day", "market", "side", "fee_asset"],
  added: ["lots", "notional_units", "fee_units"],
});
/** No asset has this number: nothing was charged. */
const NO_ASSET = -1;

export async function writeFillDays(session: WriteSession, fills: readonly FillRow[]): Promise<void> {
  const days = new Map<string, FillDayRow>();
  for (const { account, market, side, fee_asset: asset, time_ms, lots, notional_units, fee_units } of fills) {
    const [day, fee_asset] = [Math.floor(time_ms / DAY_MS), asset ?? NO_ASSET];
    const name = `${account}:${day}:${market}:${side}:${fee_asset}`;
    const row = days.get(name);
    if (row === undefined) {
      days.set(name, { account, day, market, side, fee_asset, lots, notional_units, fee_units });
    } else {
      row.lots += lots;
      row.notional_units += notional_units;
      row.fee_units += fee_units;
    }
  }
  await session.writeRows(SHAPE, [...days.values()]);
}
