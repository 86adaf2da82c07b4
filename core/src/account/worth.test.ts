// At which prices the core values what a user has.
import { expect, test } from "vitest";
import { readRestriction } from "../inspect/restrictions.ts";
import { createMachine } from "../machine/machine.ts";
import { createDriver, eventsOf } from "../testing/driver.ts";
import { createStage } from "../testing/stage.ts";

const USER = 7;

test("[LEDGER-26] worth is at the one valuation, and what leaves is rounded up", () => {
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
  trade(118);
  expect(worth()).toBe(100);
  // Of 700 in all 550 must stay: one of two lots may leave.
  stage.send({ kind: "restrict", user: USER, units: 550, reference: "stay" });
  const leave = (units: number): string | undefined => {
    const out = { kind: "hold", account: holder, asset: stage.base, business: "withdrawal", outgoing: true } as const;
    return eventsOf(stage.send({ ...out, units, reference: `out${units}` }), "rejected")[0]?.code;
  };
  expect([leave(1_501), leave(1_500)]).toEqual(["RESTRICTED", undefined]);
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
