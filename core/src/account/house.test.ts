import { beforeEach, describe, expect, it } from "vitest";
import { checkInvariants } from "../inspect/invariants.ts";
import { readSums } from "../inspect/sums.ts";
import type { Command } from "../protocol/command.ts";
import { FIRST_USER_ACCOUNT, HOUSE_BOOKS, type HousePurpose } from "../protocol/names.ts";
import { eventsOf } from "../testing/driver.ts";
import { createStage, type Stage } from "../testing/stage.ts";

const RESERVES = HOUSE_BOOKS.indexOf("reserves");
let stage: Stage;
beforeEach(() => {
  stage = createStage();
});

const open = (purpose: HousePurpose, sub = 0): number =>
  eventsOf(stage.send({ kind: "openHouseAccount", purpose, sub }), "houseAccountOpened")[0]?.account ?? 0;
const refusal = (command: Command): string | undefined => eventsOf(stage.send(command), "rejected")[0]?.code;
const money = { business: "deposit", units: 1_000 } as const;

describe("[LEDGER-21] house accounts", () => {
  it("are opened once for each purpose and sub; a house book is its purpose from the start", () => {
    const sale = open("sale", 3);
    expect(sale).toBeGreaterThanOrEqual(FIRST_USER_ACCOUNT);
    expect([open("sale", 3), open("sale", 4) === sale, open("reserves")]).toEqual([sale, false, RESERVES]);
    expect(open("otcEscrow", 1)).not.toBe(HOUSE_BOOKS.indexOf("otcEscrow"));
    expect(stage.send({ kind: "openHouseAccount", purpose: "sale", sub: 3 })[0]).toMatchObject({
      kind: "houseAccountOpened",
      purpose: "sale",
      sub: 3,
    });
    // Told behind the clock, too.
    stage.time += 1;
    const again = { kind: "openHouseAccount", purpose: "sale", sub: 4 } as const;
    expect(eventsOf(stage.send(again), "houseAccountOpened")[0]?.sub).toBe(4);
    const codes = [-1, 0, 3, 0xffffff, 0x1000000].map((sub) => refusal({ ...again, sub }));
    expect(codes).toEqual(["MALFORMED_COMMAND", undefined, undefined, undefined, "MALFORMED_COMMAND"]);
  });

  it("never owe, never trade and count as the house's", () => {
    const treasury = open("interestTreasury");
    const alice = stage.trader();
    const gift = { kind: "transfer", account: treasury, asset: stage.quote, to: alice, reference: "g" } as const;
    expect(refusal({ ...gift, business: "earnInterest", units: 1 })).toBe("INSUFFICIENT_BALANCE");
    stage.send({ kind: "mint", account: treasury, asset: stage.quote, ...money, reference: "in" });
    expect(refusal({ ...gift, business: "earnInterest", units: 1_001 })).toBe("INSUFFICIENT_BALANCE");
    expect(refusal({ ...gift, business: "earnInterest", units: 400 })).toBeUndefined();
    const order = { kind: "placeOrder", account: treasury, market: stage.market, side: "buy" } as const;
    expect(refusal({ ...order, price: 100, quantity: 1 })).toBe("UNKNOWN_ACCOUNT");
    expect(readSums(stage.machine).find(({ asset }) => asset === stage.quote)).toMatchObject({
      users: 400n,
      house: 600n,
      minted: 1_000n,
    });
    expect(checkInvariants(stage.machine)).toEqual([]);
  });

  it("keep their number through a snapshot", () => {
    const sale = open("sale", 9);
    stage.machine.restore(stage.machine.snapshot());
    expect(open("sale", 9)).toBe(sale);
  });
});

describe("[LEDGER-22] nothing is minted but what came in from outside", () => {
  it("a mint is a deposit or an adjustment, whatever else it says is refused", () => {
    const alice = stage.trader();
    const mint = { kind: "mint", account: alice, asset: stage.quote, units: 5, reference: "m" } as const;
    for (const business of ["faucet", "coupon", "reward", "bonus", "earnInterest", "rebate", "trade"] as const)
      expect(refusal({ ...mint, business })).toBe("NOT_FROM_OUTSIDE");
    expect(refusal({ ...mint, business: "deposit" })).toBeUndefined();
    expect(refusal({ ...mint, business: "adjustment", reference: "n" })).toBeUndefined();
  });

  it("test funds are one deposit into the reserves and transfers from there", () => {
    const alice = stage.trader();
    stage.send({ kind: "mint", account: RESERVES, asset: stage.quote, ...money, reference: "genesis" });
    const faucet = { kind: "transfer", account: RESERVES, to: alice, asset: stage.quote, business: "faucet" } as const;
    expect(refusal({ ...faucet, units: 900, reference: "f1" })).toBeUndefined();
    expect(refusal({ ...faucet, units: 101, reference: "f2" })).toBe("INSUFFICIENT_BALANCE");
    expect(readSums(stage.machine).find(({ asset }) => asset === stage.quote)?.minted).toBe(1_000n);
  });
});
