import { expect, test } from "vitest";
import { WALLET_TYPES, walletTypeOf } from "./books.ts";

test("[WAL-1] every wallet type maps to one book and back; other books have none", () => {
  for (const [type, book] of Object.entries(WALLET_TYPES)) expect(walletTypeOf(book)).toBe(type);
  expect(["house", "bonus", "demo", ""].map(walletTypeOf)).toEqual([undefined, undefined, undefined, undefined]);
});
