// Profit by hand: equity, what came in, what prices did, and the return that transfers do not touch.
import { expect, test } from "vitest";
import { analyse, type DayMove, priceGain } from "./rules.ts";

const [USDT, BTC] = [1, 2];
const PRICES = [10n, 12n, 9n, 18n];
const worthAt = (asset: number, units: bigint, day: number): bigint =>
  asset === USDT ? units : units * (PRICES[day] ?? 0n);
const move = (day: number, asset: number, business: string, units: bigint): DayMove => ({
  ...{ day, asset, business, units },
  isBot: false,
});

test("[WAL-3] profit is equity's change less what came in plus what went out, and the days add up", () => {
  const moves = [
    move(0, USDT, "deposit", 100n),
    move(1, USDT, "trade", -24n),
    move(1, BTC, "trade", 2n),
    move(2, USDT, "deposit", 50n),
    move(3, USDT, "withdrawal", -30n),
    move(3, USDT, "fee", -1n),
  ];
  const days = analyse(moves, 0, 3, worthAt);
  expect(days.map(({ equityUnits }) => equityUnits)).toEqual([100n, 100n, 144n, 131n]);
  expect(days.map(({ pnlUnits }) => pnlUnits)).toEqual([0n, 0n, -6n, 17n]);
  expect(days[2]).toMatchObject({ inUnits: 50n, outUnits: 0n });
  expect(days[3]).toMatchObject({ inUnits: 0n, outUnits: 30n, sources: { fees: -1n } });
  const sum = days.reduce((all, { pnlUnits, inUnits, outUnits }) => all + pnlUnits + inUnits - outUnits, 0n);
  expect(sum).toBe(131n);
  expect(priceGain(moves, BTC, 0, 3, worthAt)).toBe(12n);
});

test("[WAL-3] the time-weighted return is that of the prices, however much money had come in before", () => {
  const held = [move(0, BTC, "deposit", 10n), move(2, BTC, "deposit", 990n)];
  const grown = analyse(held, 0, 3, worthAt).map(({ returnRate }) => returnRate + 100_000_000n);
  expect(grown[1]).toBe(120_000_000n);
  expect(grown[2]).toBeLessThan(120_000_000n);
  expect(grown[3]).toBe((grown[2] ?? 0n) * 2n);
});

test("[WAL-3] days after a first day given begin with what was held before it", () => {
  const [day] = analyse([move(0, BTC, "deposit", 1n)], 1, 1, worthAt);
  expect(day).toMatchObject({ equityUnits: 12n, pnlUnits: 2n, inUnits: 0n });
});
