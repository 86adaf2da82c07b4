// Who is counted on each side of a contract.
import { expect, test } from "vitest";
import { countSides } from "./sides-history.ts";

const held = (account: number, lots: bigint) => ({ market: 1, account, lots });

test("[BOT-1] accounts are counted by side, and the fifth with the largest positions also by lots", () => {
  const rows = [held(1, 100n), held(2, -60n), held(3, 10n), held(4, -40n), held(5, -10n), held(6, 1n), held(6, -95n)];
  expect(countSides(rows)).toEqual({
    long_accounts: 3,
    short_accounts: 4,
    // Of six accounts two are the fifth: the first, and the sixth with both of its sides.
    top_long_accounts: 2,
    top_short_accounts: 1,
    top_long_lots: 101n,
    top_short_lots: 95n,
  });
  expect(countSides([])).toBeUndefined();
  expect(countSides([held(9, -1n)])).toMatchObject({ long_accounts: 0, top_short_lots: 1n });
});
