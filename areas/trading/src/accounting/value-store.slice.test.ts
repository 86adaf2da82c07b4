// Values of assets, in a folder from before values were stored and by the core's own since.
import { fileURLToPath } from "node:url";
import { collectMigrations, migrate } from "@clockwork/server/storage/migrations";
import { forEachDatabase } from "@clockwork/server/storage/test-databases";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { valueStore } from "./value-store.ts";

const [MINUTE, DAY] = [60_000, 86_400_000];
const [USDT, BTC] = [1, 2];
const LATER = ["engine/028-values.sql", "markets/006-value-history.sql"];

forEachDatabase("values", (given) => {
  test("[WAL-3] until values are stored coins count by the last trade of each minute, and of each day", async () => {
    const { kysely } = given.database();
    const all = collectMigrations(fileURLToPath(new URL("../../../..", import.meta.url)));
    const [engine = "", markets = ""] = LATER;
    const isLater = ({ name }: { name: string }) =>
      (name.startsWith("engine/") && name >= engine) || (name.startsWith("markets/") && name >= markets);
    await migrate(
      given.database(),
      all.filter((one) => !isLater(one)),
    );
    for (const [asset, symbol, scale] of [[USDT, "USDT", 6] as const, [BTC, "BTC", 8] as const]) {
      await sql`insert into engine_assets (asset, symbol, scale) values (${asset}, ${symbol}, ${scale})`.execute(
        kysely,
      );
    }
    await sql`insert into engine_markets (market, kind, base_asset, quote_asset, step_units, tick_lot_units, status)
      values (1, 'spot', ${BTC}, ${USDT}, 1000, 7, 'trading')`.execute(kysely);
    const closes = [
      [MINUTE, DAY, 100],
      [MINUTE, DAY + MINUTE, 200],
      [3_600_000, DAY, 200],
      [3_600_000, DAY + 3_600_000, 300],
      [3_600_000, 3 * DAY, 400],
    ] as const;
    for (const [span, time, close] of closes) {
      await sql`insert into markets_candle
        (market, span_ms, time_ms, open, high, low, close, lots, quote_units, trades, is_generated) values
        (1, ${span}, ${time}, 1, 1, 1, ${close}, 1, 1, 1, ${sql.lit(false)})`.execute(kysely);
    }
    await migrate(given.database(), all);
    const store = valueStore(kysely);
    const before = async (timeMs: number) => (await store.readBefore(BTC, timeMs))?.up;
    expect(await before(DAY + MINUTE - 1)).toBeUndefined();
    expect(await before(DAY + MINUTE)).toBe(700);
    expect(await before(DAY + 2 * MINUTE - 1)).toBe(700);
    expect(await store.readBefore(BTC, 9 * DAY)).toMatchObject({ up: 1_400, down: 1_000 });
    expect(await store.readBefore(USDT, 9 * DAY)).toBeUndefined();
    const days = async (from: number, to: number) =>
      (await store.listDays(BTC, from * DAY, to * DAY)).map(({ slot_ms, up }) => [slot_ms / DAY, up]);
    expect(await days(0, 9)).toEqual([
      [1, 2_100],
      [3, 2_800],
    ]);
    expect(await days(2, 2)).toEqual([[1, 2_100]]);
  });
});
