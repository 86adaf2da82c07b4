// What the wallet returns and moves, figure by figure, over a bank in memory. Bills are in bills.test.ts.

import type { Outcome } from "@clockwork/host/route";
import { expect, test } from "vitest";
import { describeBook } from "./projector.ts";
import type { TransferOrder } from "./service.ts";
import { Bank, COINS } from "./wallet-fixture.ts";

const USER = 46_655;
const dataOf = <Data>(outcome: Outcome<Data>): Data => {
  if (!outcome.ok) throw new Error(outcome.rejection.code);
  return outcome.data;
};
const refusalOf = (outcome: Outcome<unknown>): readonly [string, number, string[], number | undefined] => {
  if (outcome.ok) throw new Error("it was not refused");
  const { code, status, fields = {}, retryAfterSeconds } = outcome.rejection;
  return [code, status, Object.keys(fields), retryAfterSeconds];
};

test("[WAL-1] every coin is returned with the worth of one of it, and null without a price", () => {
  const coins = new Bank().service().listCoins();
  expect(coins.map(({ asset, decimals, priceUsdt }) => [asset, decimals, priceUsdt])).toEqual([
    ["USDT", 6, "1"],
    ["BTC", 8, "65000.123457"],
    ["ODD", 2, null],
    ["DUST", 8, "0"],
    ["CENT", 8, "0.000003"],
  ]);
  expect(coins.map(({ networks }) => networks.length)).toEqual([0, 1, 0, 0, 0]);
});

test("[WAL-1] books are returned with each coin, its free and reserved part, and their worth is added up", async () => {
  const bank = new Bank();
  bank.put(USER, "spot", 0, { 1: [749_500_000n, 500_000n], 2: [150_000_000n, 50_000_000n], 3: [7n, 0n], 4: [0n, 0n] });
  bank.put(USER, "funding", 0, { 1: [0n, 2_000_000n], 9: [5n, 0n] });
  bank.put(USER, "inverse", 2, { 2: [1n, 0n] });
  bank.put(USER, "bot", 12, { 1: [40_000_000n, 0n] });
  bank.put(USER, "otc", 3, { 1: [5_000_000n, 1_000_000n] });
  bank.committedUnits = 60_000_000n;
  bank.put(USER, "insurance", 0, { 1: [999_000_000n, 0n] });
  bank.put(USER + 1, "spot", 0, { 1: [11_000_000n, 0n] });
  const { accounts, coins, ...sums } = dataOf(await bank.service().readAccounts(USER, ["1", "2", "4", "8"]));
  // 750 + 2 × 65000.123457, 2, and a satoshi's 0.00065; the bot's 40, the ad's 6 and the launch's 60 only in the sum of
  // all. Free money is the free balance of spot and funding.
  expect(sums).toEqual({
    totalUsdt: "130752.247564",
    allUsdt: "130858.247564",
    availableUsdt: "98249.685185",
    reservedUsdt: "32568.561728",
    investedUsdt: "40.000651",
    committedUsdt: "60",
  });
  expect(
    coins.map(({ asset, total, available, reserved, invested }) => [asset, total, available, reserved, invested]),
  ).toEqual([
    ["BTC", "2.00000001", "1.5", "0.5", "0.00000001"],
    ["USDT", "858", "749.5", "68.5", "40"],
    ["ODD", "0.07", "0.07", "0", "0"],
  ]);
  expect(accounts).toEqual([
    {
      walletType: "1",
      sub: null,
      name: "Spot",
      totalUsdt: "130750.246914",
      assets: [
        { asset: "USDT", name: "Tether", available: "749.5", frozen: "0.5", total: "750", worthUsdt: "750" },
        { asset: "BTC", name: "Bitcoin", available: "1.5", frozen: "0.5", total: "2", worthUsdt: "130000.246914" },
        { asset: "ODD", name: "Oddcoin", available: "0.07", frozen: "0", total: "0.07", worthUsdt: null },
      ],
    },
    {
      walletType: "2",
      sub: null,
      name: "Funding",
      totalUsdt: "2",
      assets: [{ asset: "USDT", name: "Tether", available: "0", frozen: "2", total: "2", worthUsdt: "2" }],
    },
    {
      walletType: "4",
      sub: "BTC",
      name: "Futures, coin",
      totalUsdt: "0.00065",
      assets: [
        {
          asset: "BTC",
          name: "Bitcoin",
          available: "0.00000001",
          frozen: "0",
          total: "0.00000001",
          worthUsdt: "0.00065",
        },
      ],
    },
    { walletType: "8", sub: null, name: "Earn", totalUsdt: "0", assets: [] },
  ]);
});

test("[WAL-1] a debt in one part of a balance is returned as it is, and one unit is not nothing", async () => {
  const bank = new Bank();
  bank.put(USER, "linear", 0, { 1: [1n, 0n], 2: [3n, -3n], 5: [-2n, 1n], 3: [3n, 3n] });
  const [linear] = dataOf(await bank.service().readAccounts(USER, ["3"])).accounts;
  expect(linear?.assets.map(({ asset, available, frozen, total }) => [asset, available, frozen, total])).toEqual([
    ["USDT", "0.000001", "0", "0.000001"],
    ["ODD", "0.03", "0.03", "0.06"],
    ["CENT", "-0.00000002", "0.00000001", "-0.00000001"],
  ]);
});

test("[WAL-1] the first two books are opened for a user who reads them, and no other is", async () => {
  const bank = new Bank();
  const service = bank.service();
  dataOf(await service.readAccounts(USER, ["3"]));
  expect(bank.accounts).toEqual([]);
  dataOf(await service.readAccounts(USER, ["2", "9"]));
  expect(bank.accounts.map(({ book, sub }) => [book, sub])).toEqual([["funding", 0]]);
  dataOf(await service.readAccounts(USER, ["1"]));
  expect(bank.accounts.map(({ book, sub }) => [book, sub])).toEqual([
    ["funding", 0],
    ["spot", 0],
  ]);
  bank.unready.add("funding");
  expect(dataOf(await service.readAccounts(USER, ["1"])).accounts).toHaveLength(1);
  expect(refusalOf(await service.readAccounts(USER, ["1", "2"]))).toEqual(["ACCOUNT_NOT_READY", 503, [], 2]);
});

test("[WAL-1] a socket receives a book under its name, without unlisted coins and hidden books", () => {
  const rows = [
    { account: 7, asset: 1, available_units: 5_000_000n, frozen_units: 1n, updated_sequence: 1 },
    { account: 7, asset: 9, available_units: 5n, frozen_units: 0n, updated_sequence: 1 },
  ];
  const answer = { asset: "USDT", name: "Tether", available: "5", frozen: "0.000001", total: "5.000001" };
  expect(describeBook(COINS, { userId: USER, book: "inverse", sub: 1 }, rows)).toEqual([
    { walletType: "4", sub: "USDT", ...answer, worthUsdt: "5.000001" },
  ]);
  expect(describeBook(COINS, { userId: USER, book: "insurance", sub: 0 }, rows)).toEqual([]);
});

const MOVE: TransferOrder = { asset: "BTC", amount: "0.5", from: "1", to: "2", clientId: "move-1" };

test("[WAL-1] a transfer is one command: from the book, to the book, the units, under the user's own reference", async () => {
  const bank = new Bank();
  const [spot, funding] = [bank.put(USER, "spot"), bank.put(USER, "funding")];
  const linear = bank.put(USER, "linear");
  const inverse = bank.put(USER, "inverse", 2);
  const service = bank.service();
  expect(dataOf(await service.transfer(USER, MOVE))).toEqual({ clientId: "move-1", sequence: 901 });
  dataOf(await service.transfer(USER, { ...MOVE, from: "3", to: "1", clientId: "b" }));
  dataOf(
    await service.transfer(USER, { ...MOVE, from: "2", to: "4", sub: "BTC", amount: "0.00000001", clientId: "c" }),
  );
  dataOf(await service.transfer(USER, { ...MOVE, from: "4", to: "2", sub: "BTC", clientId: "d" }));
  const whole = { kind: "transfer", asset: 2, units: 50_000_000 };
  expect(bank.commands).toEqual([
    { ...whole, account: spot, to: funding, reference: "t:zzz:move-1" },
    { ...whole, account: linear, to: spot, reference: "t:zzz:b" },
    { ...whole, account: funding, to: inverse, units: 1, reference: "t:zzz:c" },
    { ...whole, account: inverse, to: funding, reference: "t:zzz:d" },
  ]);
  expect(bank.accounts).toHaveLength(4);
});

test("[WAL-1] a repeated transfer is answered with the sequence it was made at", async () => {
  const bank = new Bank();
  bank.events = [
    { kind: "rejected", sequence: 950, code: "UNKNOWN_ACCOUNT" } as never,
    { kind: "repeated", sequence: 950, firstSequence: 17 } as never,
  ];
  expect(dataOf(await bank.service().transfer(USER, MOVE))).toEqual({ clientId: "move-1", sequence: 17 });
});

test.each<[string, Partial<TransferOrder>, readonly unknown[]]>([
  ["between a book and itself", { to: "1" }, ["SAME_WALLET", 400, ["body.to"], undefined]],
  ["of an unknown coin", { asset: "NONE" }, ["UNKNOWN_ASSET", 404, ["body.asset"], undefined]],
  ["with a coin's book where there is none", { sub: "BTC" }, ["INVALID_SUB", 400, ["body.sub"], undefined]],
  ["into another coin's book", { to: "4", sub: "USDT" }, ["INVALID_SUB", 400, ["body.sub"], undefined]],
  ["of nothing", { amount: "0.0" }, ["INVALID_AMOUNT", 400, ["body.amount"], undefined]],
  ["of a part of a unit", { amount: "0.000000001" }, ["INVALID_AMOUNT", 400, ["body.amount"], undefined]],
  ["of more than there can be", { amount: "90071992.54740992" }, ["INVALID_AMOUNT", 400, ["body.amount"], undefined]],
])("[WAL-1] a transfer %s is refused, and so is a look at it; the core hears of neither", async (_, wrong, refusal) => {
  const bank = new Bank();
  expect(refusalOf(await bank.service().transfer(USER, { ...MOVE, ...wrong }))).toEqual(refusal);
  expect(refusalOf(await bank.service().previewTransfer(USER, { ...MOVE, ...wrong }))).toEqual(refusal);
  expect([bank.commands, bank.accounts]).toEqual([[], []]);
});

test("[WAL-1] a transfer waits for both books to exist", async () => {
  for (const book of ["spot", "funding"]) {
    const bank = new Bank();
    bank.unready.add(book);
    expect(refusalOf(await bank.service().transfer(USER, MOVE))).toEqual(["ACCOUNT_NOT_READY", 503, [], 2]);
    expect(bank.commands).toEqual([]);
  }
});

test.each([
  ["INSUFFICIENT_BALANCE", 422, ["body.amount"], undefined],
  ["REFERENCE_REUSED", 409, ["body.clientId"], undefined],
  ["ACCOUNT_BLOCKED", 403, [], undefined],
  ["ENGINE_BUSY", 503, [], 1],
  ["ENGINE_STARTING", 503, [], 5],
  ["ENGINE_CLOSED", 503, [], 5],
  ["ENGINE_HALTED", 503, [], 5],
  ["UNKNOWN_ACCOUNT", 422, [], undefined],
] as const)(
  "[WAL-1] a rejection of the core with %s is answered with that code",
  async (code, status, fields, retryAfterSeconds) => {
    const bank = new Bank();
    bank.answers = { done: false, code, sequence: 1, events: [] };
    expect(refusalOf(await bank.service().transfer(USER, MOVE))).toEqual([code, status, fields, retryAfterSeconds]);
  },
);

test("[WAL-1] a user with too little gets the available amount, and none without any of the coin", async () => {
  const bank = new Bank();
  bank.put(USER, "spot", 0, { 2: [12_345_678n, 9n] });
  bank.answers = { done: false, code: "INSUFFICIENT_BALANCE", sequence: 1, events: [] };
  const messageOf = async (asset: string): Promise<string> => {
    const outcome = await bank.service().transfer(USER, { ...MOVE, asset });
    return outcome.ok ? "" : outcome.rejection.message;
  };
  expect(await messageOf("BTC")).toBe("Not enough BTC: 0.12345678 available.");
  expect(await messageOf("USDT")).toBe("Not enough USDT: 0 available.");
});

test("[WAL-1] a preview of a transfer voids of each gold the share of own funds that leaves, rounded down", async () => {
  const bank = new Bank();
  const linear = bank.put(USER, "linear", 0, { 1: [3_000_000n, 50_000_000n] });
  const other = bank.put(USER, "inverse", 1, { 1: [8n, 0n] });
  const inverse = bank.put(USER, "inverse", 2, { 2: [4n, 0n] });
  bank.put(USER + 1, "linear", 0, { 1: [9_000_000n, 0n] });
  bank.gold.set(`${linear}/1`, [1_000_000n, 2n]);
  bank.gold.set(`${linear}/2`, [77n]);
  bank.gold.set(`${inverse}/2`, [9n]);
  bank.gold.set(`${other}/2`, [555n]);
  const look = async (amount: string, more: Partial<TransferOrder> = {}) =>
    dataOf(await bank.service().previewTransfer(USER, { asset: "USDT", from: "3", to: "1", amount, ...more }));
  const gold = { asset: "USDT", gold: "1.000002" };
  expect(await look("1")).toEqual({ ...gold, goldVoided: "0.333333" });
  expect(await look("2.999999")).toEqual({ ...gold, goldVoided: "1" });
  expect(await look("3")).toEqual({ ...gold, goldVoided: "1.000002" });
  expect(await look("50")).toEqual({ ...gold, goldVoided: "1.000002" });
  // No own funds in that coin: all of the gold is voided. Only the coin's own inverse book is read.
  expect(await look("0.00000001", { asset: "BTC" })).toMatchObject({ gold: "0.00000077", goldVoided: "0.00000077" });
  const coin = { asset: "BTC", from: "4", sub: "BTC" } as const;
  expect(await look("0.00000003", coin)).toEqual({ asset: "BTC", gold: "0.00000009", goldVoided: "0.00000006" });
  expect(await look("1", { from: "1", to: "3" })).toEqual({ asset: "USDT", gold: "0", goldVoided: "0" });
  expect([bank.commands, bank.accounts.length]).toEqual([[], 4]);
});
