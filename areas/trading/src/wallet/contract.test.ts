// What the wallet's schemas admit, at their edges: everything beyond is rejected before it reaches a service.
import { Value } from "typebox/value";
import { expect, test } from "vitest";
import { BillsQuery, PreviewBody, TransferBody, WalletAccountBody } from "./contract.ts";

const MOVE = { asset: "BTC", amount: "0.5", from: "1", to: "2" };
const wallets = (count: number) => ({ walletTypeList: Array.from({ length: count }, () => "1") });
const businesses = (letters: number) => ({
  business: `${`${"a".repeat(19)},`.repeat(19)}${"b".repeat(letters - 380)}`,
});

test.each([
  ["a transfer", TransferBody, { ...MOVE, clientId: "one" }],
  ["a transfer out of a coin's book", TransferBody, { ...MOVE, from: "4", sub: "BTC", clientId: "one" }],
  ["a look at it", PreviewBody, MOVE],
  ["one wallet", WalletAccountBody, wallets(1)],
  ["nine wallets", WalletAccountBody, wallets(9)],
  ["bills of any kind", BillsQuery, {}],
  ["the first moment", BillsQuery, { from: 0, to: 0 }],
  ["the last moment", BillsQuery, { from: 8_640_000_000_000, to: 8_640_000_000_000 }],
  ["the first page of one", BillsQuery, { page: 1, limit: 1 }],
  ["the last page of the longest", BillsQuery, { page: 10_000, limit: 200 }],
  ["400 letters of businesses", BillsQuery, businesses(400)],
])("[WAL-1] %s is admitted", (_, schema, value) => {
  expect(Value.Check(schema, value)).toBe(true);
});

test.each([
  ["a transfer with a word nobody knows", TransferBody, { ...MOVE, clientId: "one", fee: "0" }],
  ["a transfer without an id", TransferBody, MOVE],
  ["a transfer from a bot", TransferBody, { ...MOVE, from: "7", clientId: "one" }],
  ["a negative transfer", TransferBody, { ...MOVE, amount: "-1", clientId: "one" }],
  ["a transfer of 25 digits", TransferBody, { ...MOVE, amount: "1".repeat(25), clientId: "one" }],
  ["a transfer with 19 decimals", TransferBody, { ...MOVE, amount: `0.${"1".repeat(19)}`, clientId: "one" }],
  ["a coin of 13 letters", TransferBody, { ...MOVE, asset: "A".repeat(13), clientId: "one" }],
  ["a look with a word nobody knows", PreviewBody, { ...MOVE, fee: "0" }],
  ["no wallet", WalletAccountBody, wallets(0)],
  ["ten wallets", WalletAccountBody, wallets(10)],
  ["wallets with a word nobody knows", WalletAccountBody, { ...wallets(1), userId: 3 }],
  ["a moment before all", BillsQuery, { from: -1 }],
  ["a moment before all as the end", BillsQuery, { to: -1 }],
  ["a moment after all", BillsQuery, { from: 8_640_000_000_001 }],
  ["a moment after all as the end", BillsQuery, { to: 8_640_000_000_001 }],
  ["the page before the first", BillsQuery, { page: 0 }],
  ["the page after the last", BillsQuery, { page: 10_001 }],
  ["a page of none", BillsQuery, { limit: 0 }],
  ["a page of 201", BillsQuery, { limit: 201 }],
  ["401 letters of businesses", BillsQuery, businesses(401)],
  ["a place of 16 digits", BillsQuery, { before: "1".repeat(16) }],
  ["a search of 65 letters", BillsQuery, { search: "a".repeat(65) }],
])("[WAL-1] %s is refused", (_, schema, value) => {
  expect(Value.Check(schema, value)).toBe(false);
});
