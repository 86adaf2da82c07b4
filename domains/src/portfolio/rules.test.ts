import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type CostFill, dayGain, NO_COST, shareText, takeFill, unrealisedOf } from "./rules.ts";

const buy = (baseUnits: bigint, moneyUnits: bigint): CostFill => ({ side: "buy", baseUnits, moneyUnits });
const sell = (baseUnits: bigint, moneyUnits: bigint): CostFill => ({ side: "sell", baseUnits, moneyUnits });

test("[WAL-3] the average cost is of what is held, and selling realises against it", () => {
  const held = [buy(10n, 1_000n), buy(10n, 3_000n), sell(5n, 1_500n)].reduce(takeFill, NO_COST);
  expect(held).toEqual({ quantityUnits: 15n, costUnits: 3_000n, realisedUnits: 500n });
  expect(unrealisedOf(held, 15n, 4_500n)).toEqual({ costUnits: 3_000n, gainUnits: 1_500n });
});

test("[WAL-3] coins from elsewhere have no cost: selling them realises nothing, holding them gains nothing", () => {
  expect(takeFill(NO_COST, sell(10n, 5_000n)).realisedUnits).toBe(0n);
  const mixed = [buy(10n, 1_000n), sell(20n, 4_000n)].reduce(takeFill, NO_COST);
  expect(mixed).toEqual({ quantityUnits: 0n, costUnits: 0n, realisedUnits: 1_000n });
  expect(unrealisedOf(NO_COST, 10n, 5_000n)).toBeUndefined();
  expect(unrealisedOf({ ...NO_COST, quantityUnits: 10n, costUnits: 100n }, 20n, 400n)?.gainUnits).toBe(100n);
});

test("[WAL-3] no order of fills makes a negative quantity or cost", () => {
  const fill = fc.record({
    side: fc.constantFrom("buy" as const, "sell" as const),
    baseUnits: fc.bigInt({ min: 0n, max: 10n ** 18n }),
    moneyUnits: fc.bigInt({ min: 0n, max: 10n ** 15n }),
  });
  fc.assert(
    fc.property(fc.array(fill, { maxLength: 40 }), (fills) => {
      const cost = fills.reduce(takeFill, NO_COST);
      expect(cost.quantityUnits >= 0n && cost.costUnits >= 0n).toBe(true);
      if (cost.quantityUnits === 0n) expect(cost.costUnits).toBe(0n);
    }),
  );
});

test("[WAL-3] a day's gain counts price and trades, and neither deposits nor withdrawals", () => {
  const day = { heldUnits: 100n, worthUnits: 1_000n, movedUnits: 0n, boughtUnits: 0n, paidUnits: 0n };
  const rose = { thenTicks: 50n, nowTicks: 100n };
  expect(dayGain({ ...day, price: rose })).toBe(500n);
  expect(dayGain({ ...day, movedUnits: 100n, price: rose })).toBe(0n);
  expect(dayGain({ ...day, movedUnits: 100n, boughtUnits: 100n, paidUnits: 900n, price: rose })).toBe(100n);
  expect(dayGain({ ...day, price: undefined })).toBe(0n);
});

test.each([
  [150n, 1_000n, "15.00"],
  [-5n, 1_000n, "-0.50"],
  [1n, 100_000n, "0.00"],
  [1n, 0n, null],
])("[WAL-3] a gain of %s on %s reads %s", (gain, of, text) => {
  expect(shareText(gain, of)).toBe(text);
});
