import { beforeEach, describe, expect, it } from "vitest";
import { checkInvariants } from "../inspect/invariants.ts";
import { coreOf } from "../machine/machine.ts";
import { EXTERNAL_ACCOUNT, FIRST_USER_ACCOUNT } from "../protocol/names.ts";
import { feeCeil, feeFloor } from "../spot/settle.ts";
import { eventsOf } from "../testing/driver.ts";
import { createStage, type Stage } from "../testing/stage.ts";

let stage: Stage;
let alice: number;
let bob: number;

const balance = (account: number, asset: number): [number, number] => {
  const { ledger } = coreOf(stage.machine);
  const cell = ledger.cellOf(account, asset);
  return [ledger.available(cell), ledger.frozen(cell)];
};

beforeEach(() => {
  stage = createStage();
  alice = stage.trader(0, 1_000);
  bob = stage.trader(0, 0);
});

describe("money commands", () => {
  it("[LEDGER-6] a transfer posts two legs that sum to zero with the balances after them", () => {
    const events = stage.send({
      kind: "transfer",
      account: alice,
      to: bob,
      asset: stage.quote,
      units: 300,
      reference: "t1",
    });
    expect(eventsOf(events, "posting")).toMatchObject([
      { account: alice, counterparty: bob, deltaUnits: -300, availableUnits: 700, business: "transfer" },
      { account: bob, counterparty: alice, deltaUnits: 300, availableUnits: 300, business: "transfer" },
    ]);
    expect(eventsOf(events, "reference")[0]).toMatchObject({ reference: "t1", command: "transfer" });
    expect(checkInvariants(stage.machine)).toEqual([]);
  });

  it("[LEDGER-7] a repeat is answered with the first result and moves nothing", () => {
    const transfer = {
      kind: "transfer",
      account: alice,
      to: bob,
      asset: stage.quote,
      units: 300,
      reference: "t1",
    } as const;
    const first = stage.send(transfer);
    const again = stage.send(transfer);
    expect(eventsOf(again, "repeated")[0]).toMatchObject({ command: "transfer", firstSequence: first[0]?.sequence });
    expect(balance(bob, stage.quote)).toEqual([300, 0]);
  });

  it("[LEDGER-8] a reference with other content is refused", () => {
    stage.send({ kind: "transfer", account: alice, to: bob, asset: stage.quote, units: 300, reference: "t1" });
    const changed = stage.send({
      kind: "transfer",
      account: alice,
      to: bob,
      asset: stage.quote,
      units: 301,
      reference: "t1",
    });
    expect(eventsOf(changed, "rejected")[0]?.code).toBe("REFERENCE_REUSED");
    const kind = stage.send({
      kind: "burn",
      account: alice,
      asset: stage.quote,
      units: 300,
      business: "withdrawal",
      reference: "t1",
    });
    expect(eventsOf(kind, "rejected")[0]?.code).toBe("REFERENCE_REUSED");
  });

  it("[LEDGER-9] a refused command leaves its reference free", () => {
    const big = {
      kind: "transfer",
      account: alice,
      to: bob,
      asset: stage.quote,
      units: 5_000,
      reference: "t1",
    } as const;
    expect(eventsOf(stage.send(big), "rejected")[0]).toMatchObject({ code: "INSUFFICIENT_BALANCE", limit: 1_000 });
    expect(eventsOf(stage.send({ ...big, units: 10 }), "posting")).toHaveLength(2);
  });

  it("[LEDGER-10] a hold is captured in parts and the rest released, never more than was held", () => {
    stage.send({
      kind: "hold",
      account: alice,
      asset: stage.quote,
      units: 500,
      business: "withdrawal",
      reference: "h1",
    });
    expect(balance(alice, stage.quote)).toEqual([500, 500]);
    const capture = (units: number, reference: string) =>
      stage.send({
        kind: "capture",
        account: alice,
        to: EXTERNAL_ACCOUNT,
        units,
        business: "withdrawal",
        reference,
        hold: "h1",
      });
    expect(eventsOf(capture(501, "c0"), "rejected")[0]).toMatchObject({ code: "HOLD_EXCEEDED", limit: 500 });
    expect(eventsOf(capture(200, "c1"), "posting")).toHaveLength(2);
    expect(eventsOf(capture(200, "c1"), "repeated")).toHaveLength(1);
    expect(checkInvariants(stage.machine)).toEqual([]);
    stage.send({ kind: "release", account: alice, reference: "r1", hold: "h1" });
    expect(balance(alice, stage.quote)).toEqual([800, 0]);
    expect(eventsOf(capture(1, "c2"), "rejected")[0]?.code).toBe("HOLD_EXCEEDED");
    expect(checkInvariants(stage.machine)).toEqual([]);
  });

  it("[LEDGER-11] a hold belongs to its account", () => {
    stage.send({
      kind: "hold",
      account: alice,
      asset: stage.quote,
      units: 500,
      business: "otcEscrow",
      reference: "h1",
    });
    const events = stage.send({ kind: "release", account: bob, reference: "r1", hold: "h1" });
    expect(eventsOf(events, "rejected")[0]?.code).toBe("UNKNOWN_HOLD");
  });

  it("[LEDGER-12] no asset is minted beyond 2^53 − 1 units in all", () => {
    const mint = (units: number, reference: string) =>
      stage.send({ kind: "mint", account: bob, asset: stage.quote, units, business: "deposit", reference });
    expect(eventsOf(mint(Number.MAX_SAFE_INTEGER - 999, "m1"), "rejected")[0]).toMatchObject({
      code: "MINT_LIMIT",
      limit: Number.MAX_SAFE_INTEGER - 1_000,
    });
    expect(eventsOf(mint(Number.MAX_SAFE_INTEGER - 1_000, "m2"), "posting")).toHaveLength(2);
    expect(checkInvariants(stage.machine)).toEqual([]);
  });

  it("[LEDGER-13] bonus and demo books, the external book and the same account take no transfers", () => {
    const [made] = eventsOf(stage.send({ kind: "createAccount", user: 50, book: "demo" }), "accountCreated");
    for (const to of [made?.account ?? 0, EXTERNAL_ACCOUNT, alice]) {
      const events = stage.send({
        kind: "transfer",
        account: alice,
        to,
        asset: stage.quote,
        units: 1,
        reference: `x${to}`,
      });
      expect(eventsOf(events, "rejected")[0]?.code).toBe("NOT_TRANSFERABLE");
    }
  });

  it("[LEDGER-14] a blocked account pays nothing out and still receives", () => {
    stage.send({ kind: "setAccountFlags", account: alice, blockOutgoing: true });
    const out = stage.send({ kind: "transfer", account: alice, to: bob, asset: stage.quote, units: 1, reference: "o" });
    expect(eventsOf(out, "rejected")[0]?.code).toBe("ACCOUNT_BLOCKED");
    const into = stage.send({
      kind: "mint",
      account: alice,
      asset: stage.quote,
      units: 1,
      business: "deposit",
      reference: "i",
    });
    expect(eventsOf(into, "posting")).toHaveLength(2);
  });

  it("[LEDGER-15] creating the same account again answers with the one there is", () => {
    const again = eventsOf(stage.send({ kind: "createAccount", user: 1, book: "spot" }), "accountCreated");
    expect(again[0]?.account).toBe(alice);
    // The first of all behind the house's.
    expect(alice).toBe(FIRST_USER_ACCOUNT);
  });

  it("[LEDGER-16] references are forgotten after their time, holds with units left are not", () => {
    stage.send({
      kind: "hold",
      account: alice,
      asset: stage.quote,
      units: 5,
      business: "otcEscrow",
      reference: "old-hold",
    });
    stage.time += 91 * 86_400_000;
    for (const n of [1, 2, 3, 4, 5])
      stage.send({ kind: "transfer", account: alice, to: bob, asset: stage.quote, units: 1, reference: `n${n}` });
    expect(
      eventsOf(stage.send({ kind: "release", account: alice, reference: "r", hold: "old-hold" }), "frozen")[0]
        ?.deltaUnits,
    ).toBe(-5);
    expect(checkInvariants(stage.machine)).toEqual([]);
  });
});

describe("spot settlement", () => {
  const trade = (price: number, quantity: number, book: "spot" | "bot" = "spot") => {
    const seller = stage.trader(1e9, 0);
    const buyer = stage.trader(0, 1e9, { book });
    stage.send({ kind: "placeOrder", account: seller, market: stage.market, side: "sell", price, quantity });
    const events = stage.send({
      kind: "placeOrder",
      account: buyer,
      market: stage.market,
      side: "buy",
      price: price + 7,
      quantity,
    });
    expect(checkInvariants(stage.machine)).toEqual([]);
    return { seller, buyer, events };
  };

  it("[FEE-1] fees come from what is received, are rounded up, and the remainder goes to the rounding book", () => {
    // 7 lots of 1 000 units at 333 ticks: 7 000 base, 2 331 quote; 0.1 % is 7 and 2.331.
    const { buyer, seller, events } = trade(333, 7);
    expect(balance(buyer, stage.base)).toEqual([7_000 - 7, 0]);
    expect(balance(seller, stage.quote)).toEqual([2_331 - 3, 0]);
    expect(balance(1, stage.base)).toEqual([7, 0]);
    expect(balance(1, stage.quote)).toEqual([2, 0]);
    expect(balance(3, stage.quote)).toEqual([1, 0]);
    const sums = new Map<number, number>();
    for (const { asset, deltaUnits } of eventsOf(events, "posting"))
      sums.set(asset, (sums.get(asset) ?? 0) + deltaUnits);
    expect([...sums.values()]).toEqual([0, 0]);
  });

  it("[FEE-2] a buyer's better price comes back to him, not to the house", () => {
    const { buyer } = trade(333, 7);
    expect(balance(buyer, stage.quote)).toEqual([1e9 - 2_331, 0]);
  });

  it("[FEE-3] bot books pay in quote, so their quantity stays whole", () => {
    const { buyer } = trade(333, 7, "bot");
    expect(balance(buyer, stage.base)).toEqual([7_000, 0]);
    expect(balance(buyer, stage.quote)).toEqual([1e9 - 2_331 - 3, 0]);
  });

  it("[FEE-4] maker and taker pay their own rate, an account's own rate before its group's", () => {
    stage.send({ kind: "setFeeGroup", feeGroup: 0, makerRate: 10_000, takerRate: 60_000 });
    const { buyer, seller } = trade(1_000, 100);
    expect(balance(seller, stage.quote)[0]).toBe(100_000 - 10);
    expect(balance(buyer, stage.base)[0]).toBe(100_000 - 60);
    stage.send({ kind: "setAccountFees", account: buyer, feeGroup: 0, makerRate: 0, takerRate: 0 });
    const before = balance(buyer, stage.base)[0];
    stage.send({ kind: "placeOrder", account: seller, market: stage.market, side: "sell", price: 1_000, quantity: 10 });
    stage.send({ kind: "placeOrder", account: buyer, market: stage.market, side: "buy", price: 1_000, quantity: 10 });
    expect(balance(buyer, stage.base)[0]).toBe(before + 10_000);
  });

  it("[FEE-5] fee vectors stay exact beyond 2^53 in the product", () => {
    for (const [units, rate] of [
      [9_007_199_254_740_991, 10_000_000],
      [123_456_789_012_345, 99_999],
      [1, 1],
      [100_000_000, 100_000],
      [99_999_999, 1],
    ] as const) {
      const exact = BigInt(units) * BigInt(rate);
      expect(BigInt(feeFloor(units, rate))).toBe(exact / 100_000_000n);
      expect(BigInt(feeCeil(units, rate))).toBe((exact + 99_999_999n) / 100_000_000n);
    }
  });
});
