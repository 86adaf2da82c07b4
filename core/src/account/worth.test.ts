// At which of the prices it knows the core values what a user has.
import { tiersA } from "@clockwork/kit/margin-tiers";
import { expect, test } from "vitest";
import { readRestriction } from "../inspect/restrictions.ts";
import { createMachine } from "../machine/machine.ts";
import { tiersCommand } from "../protocol/listing-command.ts";
import { createDriver, eventsOf } from "../testing/driver.ts";
import { createStage } from "../testing/stage.ts";

const USER = 7;

test("[LEDGER-26] worth is told by a contract's index, else a spot market's, else its average", () => {
  const stage = createStage();
  const holder = stage.trader(2_000, 500, { user: USER });
  const [seller, buyer] = [stage.trader(100_000, 0), stage.trader(0, 10_000_000)];
  // Two lots of the coin: one tick of a lot is one unit of USDT.
  const worth = (): number => Number(readRestriction(stage.machine, USER).worthUnits - 500n) / 2;
  expect([holder > 0, worth()]).toEqual([true, 0]);
  const trade = (price: number): void => {
    const order = { kind: "placeOrder", market: stage.market, quantity: 1, price } as const;
    stage.send({ ...order, account: seller, side: "sell" });
    stage.send({ ...order, account: buyer, side: "buy" });
  };
  trade(100);
  expect(worth()).toBe(100);
  stage.time += 3_600_000;
  trade(100);
  // Of 700 in all 550 must stay: one of two lots may leave.
  stage.send({ kind: "restrict", user: USER, units: 550, reference: "stay" });
  const leave = (units: number): string | undefined => {
    const out = { kind: "hold", account: holder, asset: stage.base, business: "withdrawal", outgoing: true } as const;
    return eventsOf(stage.send({ ...out, units, reference: `out${units}` }), "rejected")[0]?.code;
  };
  expect([leave(1_501), leave(1_500)]).toEqual(["RESTRICTED", undefined]);
  stage.send({ kind: "release", account: holder, hold: "out1500", reference: "back", units: 0 });
  stage.time += 60_000;
  trade(111);
  // The average of both, rounded down; the last trade was dearer.
  expect(worth()).toBe(105);
  stage.send({ kind: "setReferencePrice", market: stage.market, indexTicks: 130, markTicks: 0 });
  expect(worth()).toBe(130);
  const listed = stage.send({
    ...{ kind: "listMarket", marketKind: "linear", base: stage.base, quote: stage.quote, symbol: "PERP" },
    ...{ tickMantissa: 1, tickDecimals: 1, stepUnits: 1_000, slippageBps: 200, feeGroup: 0 },
  });
  const contract = eventsOf(listed, "marketListed")[0]?.market ?? 0;
  stage.send(tiersCommand(contract, tiersA(6)));
  expect(worth()).toBe(130);
  stage.send({ kind: "setReferencePrice", market: contract, indexTicks: 150, markTicks: 150 });
  expect(worth()).toBe(150);
  // One source alone is not trusted.
  stage.send({ kind: "setIndexPrice", market: contract, source: 0, price: 160 });
  stage.time += 1_000;
  stage.send({ kind: "tick" });
  expect(worth()).toBe(130);
  stage.send({ kind: "setMarketStatus", market: stage.market, status: "DELISTED" });
  expect(worth()).toBe(0);
});

test("[LEDGER-26] worth at an average that an order has asked for, or at the last trade where none has", () => {
  const stage = createStage({ buyMaxBps: 40_000 });
  stage.trader(1_000, 0, { user: USER });
  const [seller, buyer] = [stage.trader(100_000, 0), stage.trader(0, 10_000_000)];
  const worth = (): bigint => readRestriction(stage.machine, USER).worthUnits;
  const trade = (price: number, quantity = 1): void => {
    const order = { kind: "placeOrder", market: stage.market, quantity, price } as const;
    stage.send({ ...order, account: seller, side: "sell" });
    expect(eventsOf(stage.send({ ...order, account: buyer, side: "buy" }), "trade")).toHaveLength(1);
  };
  const wait = (): void => {
    stage.time += 3_600_000;
    stage.send({ kind: "tick" });
  };
  trade(1);
  expect(worth()).toBe(1n);
  wait();
  // It has left the average, which nobody had asked for.
  expect(worth()).toBe(1n);
  trade(1, 10);
  trade(2);
  // Twelve over eleven lots, rounded down: less than the last trade.
  expect(worth()).toBe(1n);
  trade(3);
  wait();
  expect(worth()).toBe(1n);
});

test("[LEDGER-26] USDT is worth itself, though it is the first of all assets", () => {
  const driver = createDriver(createMachine());
  const asset = eventsOf(driver.send({ kind: "listAsset", symbol: "USDT", scale: 6 }), "assetListed")[0]?.asset ?? 0;
  const made = driver.send({ kind: "createAccount", user: USER, book: "spot" });
  const account = eventsOf(made, "accountCreated")[0]?.account ?? 0;
  driver.send({ kind: "mint", account, asset, units: 321, business: "deposit", reference: "m" });
  // Nothing else has a price where there is no market.
  const other = eventsOf(driver.send({ kind: "listAsset", symbol: "BTC", scale: 8 }), "assetListed")[0]?.asset ?? 0;
  driver.send({ kind: "mint", account, asset: other, units: 5, business: "deposit", reference: "n" });
  expect([asset, readRestriction(driver.machine, USER).worthUnits]).toEqual([1, 321n]);
});

test("[LEDGER-26] where there is no USDT nothing is worth anything", () => {
  const driver = createDriver(createMachine());
  const asset = eventsOf(driver.send({ kind: "listAsset", symbol: "BTC", scale: 8 }), "assetListed")[0]?.asset ?? 0;
  const made = driver.send({ kind: "createAccount", user: USER, book: "spot" });
  const account = eventsOf(made, "accountCreated")[0]?.account ?? 0;
  driver.send({ kind: "mint", account, asset, units: 321, business: "deposit", reference: "m" });
  expect(readRestriction(driver.machine, USER).worthUnits).toBe(0n);
});

test("[LEDGER-26] of two markets of a pair the one that knows more tells the worth, whichever was listed first", () => {
  const stage = createStage();
  stage.trader(1_000, 0, { user: USER });
  const pair = { kind: "listMarket", base: stage.base, quote: stage.quote, stepUnits: 1_000 } as const;
  const tick = { tickMantissa: 1, tickDecimals: 1 } as const;
  const listed = eventsOf(stage.send({ ...pair, ...tick, symbol: "BTC2/USDT" }), "marketListed");
  const markets = [stage.market, listed[0]?.market ?? 0];
  const [seller, buyer] = [stage.trader(100_000, 0), stage.trader(0, 10_000_000)];
  const trade = (market: number, price: number): void => {
    const order = { kind: "placeOrder", market, quantity: 1, price } as const;
    stage.send({ ...order, account: seller, side: "sell" });
    stage.send({ ...order, account: buyer, side: "buy" });
  };
  const worth = (): bigint => readRestriction(stage.machine, USER).worthUnits;
  trade(markets[1] ?? 0, 20);
  stage.time += 3_600_000;
  stage.send({ kind: "tick" });
  // The first has never traded.
  expect(worth()).toBe(20n);
  // A last trade in the first, an average in the second, then an index in the second, then one in the first.
  trade(markets[0] ?? 0, 10);
  stage.time += 3_600_000;
  stage.send({ kind: "tick" });
  expect(worth()).toBe(10n);
  trade(markets[1] ?? 0, 20);
  expect(worth()).toBe(20n);
  trade(markets[0] ?? 0, 10);
  expect(worth()).toBe(10n);
  stage.send({ kind: "setReferencePrice", market: markets[1] ?? 0, indexTicks: 30 });
  expect(worth()).toBe(30n);
  stage.send({ kind: "setReferencePrice", market: markets[0] ?? 0, indexTicks: 40 });
  expect(worth()).toBe(40n);
});
