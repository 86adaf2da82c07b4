// Addresses of daily files.
import { expect, test } from "vitest";
import { archivedDays, archivedSymbols, archivePath, kindsOf } from "./archive-links.ts";

const NOW_MS = Date.UTC(2026, 10, 20, 0, 9);

test("[BOT-3] a day is listed when it has been over for ten minutes, back to the day of the listing", () => {
  const listed = Date.UTC(2026, 10, 16, 23);
  expect(archivedDays(listed, NOW_MS, 31)).toEqual(["2026-11-18", "2026-11-17", "2026-11-16"]);
  expect(archivedDays(listed, NOW_MS + 60_000, 2)).toEqual(["2026-11-19", "2026-11-18"]);
  expect(archivedDays(NOW_MS, NOW_MS, 31)).toEqual([]);
});

test("[BOT-3] files are named as at data.binance.vision", () => {
  const [spot, , cm] = archivedSymbols(
    [{ pairCode: "BTC_USDT", listedAtMs: 0 }],
    [{ pairCode: "BTC_USDT", listedAtMs: 0 }],
    [{ pairCode: "BTC_USD", listedAtMs: 0 }],
  );
  if (spot === undefined || cm === undefined) return expect.unreachable();
  expect(archivePath(spot, "klines", "1m", "2026-11-18")).toBe(
    "/data/spot/daily/klines/BTCUSDT/1m/BTCUSDT-1m-2026-11-18.zip",
  );
  expect(archivePath(cm, "aggTrades", "1m", "2026-11-18")).toBe(
    "/data/futures/cm/daily/aggTrades/BTCUSD_PERP/BTCUSD_PERP-aggTrades-2026-11-18.zip",
  );
  expect([kindsOf("spot").length, kindsOf("um").length]).toEqual([4, 7]);
  return undefined;
});
