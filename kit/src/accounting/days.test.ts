// Days with figures computed by hand: equity, deposits, price changes, and the return that transfers do not affect.

import { expect, test } from "vitest";
import { DAY_MS } from "../time.ts";
import { analyseDays, coinGain, DayBook, type DayRecord } from "./days.ts";
import { eventOf, type Movement } from "./events.ts";
import { LotBook, type Moment } from "./lots.ts";

const [USDT, BTC] = [1, 2];
const PRICES = [10n, 12n, 9n, 18n];
const worthAt = (asset: number, units: bigint, day: number): bigint =>
  asset === USDT ? units : units * (PRICES[day] ?? 0n);
const moment: Moment = {
  valueAt: (asset, units, timeMs) => worthAt(asset, units, Math.floor(timeMs / DAY_MS)),
  launchCost: () => undefined,
};
const move = (day: number, asset: number, business: string, units: bigint): Movement => ({
  sequence: 0,
  timeMs: day * DAY_MS + 5,
  asset,
  business,
  units,
  market: 0,
  reference: "",
  isBot: false,
});

/** One command after the other; the record of every day with events. */
function fold(...commands: readonly (readonly Movement[])[]): readonly DayRecord[] {
  const book = new LotBook("AVERAGE", USDT);
  const records: DayRecord[] = [];
  for (const command of commands) {
    const day = Math.floor((command[0]?.timeMs ?? 0) / DAY_MS);
    const last = records.at(-1)?.day === day ? records.pop() : records.at(-1);
    const under = new DayBook(day, last);
    under.add(command, moment.valueAt);
    const event = eventOf(command);
    if (event !== undefined) under.take(book.take(event, moment));
    records.push(under.end(book));
  }
  return records;
}

test("[WAL-3] profit is equity's change less deposits plus withdrawals, and the days and the coins add up to it", () => {
  const records = fold(
    [move(0, USDT, "deposit", 100n)],
    [move(1, USDT, "trade", -24n), move(1, BTC, "trade", 2n)],
    [move(2, USDT, "deposit", 50n)],
    [move(3, USDT, "withdrawal", -30n)],
    [move(3, USDT, "closeFee", -1n)],
  );
  const days = analyseDays(records, 0, 3, worthAt);
  expect(days.map(({ equityUnits }) => equityUnits)).toEqual([100n, 100n, 144n, 131n]);
  expect(days.map(({ pnlUnits }) => pnlUnits)).toEqual([0n, 0n, -6n, 17n]);
  expect(days[2]).toMatchObject({ inUnits: 50n, outUnits: 0n });
  expect(days[3]).toMatchObject({ inUnits: 0n, outUnits: 30n, sources: { fees: -1n } });
  expect([BTC, USDT].map((asset) => coinGain(records, asset, 0, 3, worthAt))).toEqual([12n, -1n]);
  expect(coinGain(records, BTC, 2, 2, worthAt)).toBe(-6n);
});

test("[WAL-3] commitments to a launch are neither lost nor withdrawn, and deposits count at their value at that moment", () => {
  const records = fold(
    [move(0, USDT, "deposit", 100n)],
    [move(1, USDT, "launchCommit", -60n)],
    [move(1, BTC, "convert", 1n), move(1, USDT, "convert", -12n)],
    [move(2, BTC, "deposit", 1n)],
  );
  const days = analyseDays(records, 0, 3, worthAt);
  expect(days.map(({ equityUnits }) => equityUnits)).toEqual([100n, 100n, 106n, 124n]);
  expect(days.map(({ pnlUnits }) => pnlUnits)).toEqual([0n, 0n, -3n, 18n]);
  expect(days[2]?.inUnits).toBe(9n);
});

test("[WAL-3] the time-weighted return is that of the prices, however much was deposited before", () => {
  const records = fold([move(0, BTC, "deposit", 10n)], [move(2, BTC, "deposit", 990n)]);
  const grown = analyseDays(records, 0, 3, worthAt).map(({ returnRate }) => returnRate + 100_000_000n);
  expect(grown[1]).toBe(120_000_000n);
  expect(grown[2]).toBeLessThan(120_000_000n);
  expect(grown[3]).toBe((grown[2] ?? 0n) * 2n);
});

test("[WAL-3] days after a given first day start with the holdings before it", () => {
  const [day] = analyseDays(fold([move(0, BTC, "deposit", 1n)]), 1, 1, worthAt);
  expect(day).toMatchObject({ equityUnits: 12n, pnlUnits: 2n, inUnits: 0n });
});
