// What a user owes the house: every credit repays first, and nothing but what repays it is open to him.
import { createRandom } from "@clockwork/kit/random";
import { beforeEach, describe, expect, it, test } from "vitest";
import { readDebts } from "../inspect/debts.ts";
import { checkInvariants } from "../inspect/invariants.ts";
import { coreOf, createMachine, restoreMachine } from "../machine/machine.ts";
import type { Command } from "../protocol/command.ts";
import type { MachineEvent } from "../protocol/event.ts";
import { EXTERNAL_ACCOUNT, RESERVES_ACCOUNT } from "../protocol/names.ts";
import { eventsOf } from "../testing/driver.ts";
import { createPerpStage } from "../testing/perp-stage.ts";
import { createStage, type Stage } from "../testing/stage.ts";

const USER = 7;
let stage: Stage;
let alice = 0;
let bob = 0;
let number = 0;
const fresh = (): string => `d${++number}`;

beforeEach(() => {
  stage = createStage();
  stage.send({ kind: "setFeeGroup", feeGroup: 0, makerRate: 0, takerRate: 0 });
  alice = stage.trader(0, 10_000, { user: USER });
  bob = stage.trader(1_000_000, 1_000_000, { user: 8 });
  mint(RESERVES_ACCOUNT, stage.quote, 1_000_000);
  mint(RESERVES_ACCOUNT, stage.base, 1_000_000);
});

function sure(command: Command): MachineEvent[] {
  const events = stage.send(command);
  expect(checkInvariants(stage.machine)).toEqual([]);
  return events;
}

const refusal = (command: Command): string | undefined => eventsOf(sure(command), "rejected")[0]?.code;

function mint(account: number, asset: number, units: number): MachineEvent[] {
  return sure({ kind: "mint", account, asset, units, business: "deposit", reference: fresh() });
}

const owe = (units: number, asset = stage.quote): MachineEvent[] =>
  sure({ kind: "owe", user: USER, asset, units, reference: fresh() });

const order = (account: number, side: "buy" | "sell", quantity: number, price: number): Command => ({
  kind: "placeOrder",
  market: stage.market,
  account,
  side,
  quantity,
  price,
});

function units(account: number, asset: number): number {
  const { ledger } = coreOf(stage.machine);
  const cell = ledger.cellOf(account, asset);
  return ledger.available(cell) + ledger.frozen(cell);
}

const owed = (): number => readDebts(stage.machine, USER).find(({ asset }) => asset === stage.quote)?.owedUnits ?? 0;

describe("[LEDGER-33] a user who owes", () => {
  it("spent the deposit on coins before its block was replaced: their sale repays, and nothing else is open", () => {
    sure(order(bob, "sell", 100, 100));
    sure(order(alice, "buy", 100, 100));
    expect(units(alice, stage.quote)).toBe(0);
    // The deposit of 10 000 is gone; the reserves stand in for it.
    expect(eventsOf(owe(10_000), "debtChanged")).toMatchObject([
      { user: USER, changeUnits: 10_000, owedUnits: 10_000 },
    ]);
    // What was bought with it cannot leave, nor be given for anything else.
    const coins = { account: alice, asset: stage.base, units: 1_000 } as const;
    const refused: readonly Command[] = [
      { kind: "transfer", ...coins, to: bob, reference: fresh() },
      { kind: "burn", ...coins, business: "withdrawal", reference: fresh() },
      { kind: "hold", ...coins, business: "otcEscrow", reference: fresh() },
      { kind: "settle", reference: fresh(), legs: [{ ...coins, from: alice, to: bob }] },
      order(alice, "buy", 1, 100),
      { ...order(alice, "sell", 10, 90), kind: "placeScaled", priceTo: 110, count: 2 } as Command,
    ];
    expect(refused.map(refusal)).toEqual(refused.map(() => "IN_DEBT"));
    // Nor does it leave by a sale to an accomplice for next to nothing.
    expect(refusal(order(alice, "sell", 1, 94))).toBe("PRICE_TOO_LOW");
    // Every sale repays.
    sure(order(bob, "buy", 100, 96));
    const sold = sure(order(alice, "sell", 40, 96));
    expect(eventsOf(sold, "debtChanged")).toMatchObject([{ changeUnits: -3_840, owedUnits: 6_160 }]);
    expect(eventsOf(sold, "posting").filter(({ business }) => business === "reorg")).toMatchObject([
      { account: alice, counterparty: RESERVES_ACCOUNT, deltaUnits: -3_840 },
      { account: RESERVES_ACCOUNT, deltaUnits: 3_840 },
    ]);
    expect(units(alice, stage.quote)).toBe(0);
    sure(order(alice, "sell", 60, 96));
    expect(owed()).toBe(400);
    // So does a gift, and what is beyond the debt is his.
    const gift = { kind: "transfer", account: bob, to: alice, asset: stage.quote, units: 1_500 } as const;
    const given = sure({ ...gift, reference: fresh() });
    expect(eventsOf(given, "debtChanged")).toMatchObject([{ changeUnits: -400, owedUnits: 0 }]);
    expect(units(alice, stage.quote)).toBe(1_100);
    expect(refusal(order(alice, "buy", 1, 100))).toBeUndefined();
    expect(
      refusal({
        kind: "burn",
        account: alice,
        asset: stage.quote,
        units: 1,
        business: "withdrawal",
        reference: fresh(),
      }),
    ).toBeUndefined();
  });

  it("repays at once with what is free in any of his books, and with what his orders had frozen", () => {
    const funding = stage.trader(0, 3_000, { user: USER, book: "funding" });
    sure(order(alice, "buy", 50, 100));
    const events = owe(20_000);
    expect(eventsOf(events, "orderEnded")).toHaveLength(1);
    expect(owed()).toBe(7_000);
    expect([units(alice, stage.quote), units(funding, stage.quote)]).toEqual([0, 0]);
    // A book opened later repays like the others.
    const later = stage.trader(0, 0, { user: USER, sub: 1 });
    mint(later, stage.quote, 6_999);
    expect(owed()).toBe(1);
    mint(later, stage.quote, 2);
    expect([owed(), units(later, stage.quote)]).toEqual([0, 1]);
  });

  it("has holds that were made before: what they promised is paid, what they give back repays", () => {
    const hold = { kind: "hold", account: alice, asset: stage.quote, business: "otcEscrow" } as const;
    sure({ ...hold, units: 4_000, reference: "h" });
    owe(20_000);
    expect(owed()).toBe(14_000);
    expect(
      refusal({
        kind: "capture",
        account: alice,
        to: bob,
        units: 1_000,
        business: "otcRelease",
        hold: "h",
        reference: fresh(),
      }),
    ).toBeUndefined();
    const released = sure({ kind: "release", account: alice, hold: "h", reference: fresh() });
    expect(eventsOf(released, "debtChanged")).toMatchObject([{ changeUnits: -3_000, owedUnits: 11_000 }]);
  });

  it("may give a coin for one he owes in one settlement, and move coins among his own books", () => {
    sure(order(bob, "sell", 100, 100));
    sure(order(alice, "buy", 100, 100));
    owe(10_000);
    const own = stage.trader(0, 0, { user: USER, book: "funding" });
    const coins = { asset: stage.base, units: 10_000 } as const;
    expect(refusal({ kind: "transfer", account: alice, to: own, ...coins, reference: fresh() })).toBeUndefined();
    const convert = sure({
      kind: "settle",
      reference: fresh(),
      legs: [
        { from: own, to: RESERVES_ACCOUNT, ...coins, business: "convert" },
        { from: RESERVES_ACCOUNT, to: own, asset: stage.quote, units: 900, business: "convert" },
      ],
    });
    expect(eventsOf(convert, "debtChanged")).toMatchObject([{ changeUnits: -900, owedUnits: 9_100 }]);
    // Payment for another coin is no repayment.
    const other = { from: RESERVES_ACCOUNT, to: alice, asset: stage.base, units: 1 } as const;
    const legs = [{ from: alice, to: RESERVES_ACCOUNT, ...coins }, other];
    expect(refusal({ kind: "settle", reference: fresh(), legs })).toBe("IN_DEBT");
  });

  it("owes the sum of two reorganisations of a coin, each once by its reference", () => {
    const one = { kind: "owe", user: USER, asset: stage.quote, units: 15_000, reference: "once" } as const;
    sure(one);
    expect(eventsOf(sure(one), "repeated")).toHaveLength(1);
    owe(1_000);
    expect(owed()).toBe(6_000);
    const bad = [{ user: 0 }, { units: 0 }, { units: -1 }, { asset: 9 }, { units: Number.MAX_SAFE_INTEGER }];
    expect(bad.map((more) => refusal({ ...one, reference: fresh(), ...more }))).toEqual([
      ...["MALFORMED_COMMAND", "INVALID_AMOUNT", "INVALID_AMOUNT", "UNKNOWN_ASSET", "INVALID_AMOUNT"],
    ]);
  });
});

test("[LEDGER-33] futures of a user who owes may only be reduced, and what a close frees repays", () => {
  const perps = createPerpStage();
  const trader = perps.trader(2_000_000_000, { user: USER });
  const maker = perps.trader(100_000_000_000);
  perps.sell(maker, 1_000, 500_000);
  perps.buy(maker, 1_000, 499_000);
  perps.buy(trader, 20, 500_000);
  const events = perps.sure({ kind: "owe", user: USER, asset: perps.usdt, units: 10_000_000_000, reference: "o" });
  const before = eventsOf(events, "debtChanged").at(-1)?.owedUnits ?? 0;
  expect(before).toBeGreaterThan(8_000_000_000);
  const more = {
    kind: "placeOrder",
    account: trader,
    market: perps.linear,
    side: "buy",
    quantity: 1,
    price: 500_000,
  } as const;
  expect(eventsOf(perps.sure(more), "rejected")).toMatchObject([{ code: "IN_DEBT" }]);
  const closed = perps.sell(trader, 20, 499_000, { reduceOnly: true });
  expect(eventsOf(closed, "rejected")).toEqual([]);
  expect(eventsOf(closed, "debtChanged").at(-1)?.owedUnits).toBeLessThan(before);
  expect(perps.balance(trader)).toEqual({ available: 0, frozen: 0 });
});

test("[LEDGER-33] a random life in debt: books sum to zero, no debt grows but by a reorganisation, all repaid is his again", () => {
  for (let seed = 1; seed <= 4; seed++) {
    const random = createRandom(seed);
    stage = createStage({}, createMachine());
    alice = stage.trader(100_000, 100_000, { user: USER });
    bob = stage.trader(10_000_000, 10_000_000, { user: 8 });
    const funding = stage.trader(0, 0, { user: USER, book: "funding" });
    mint(RESERVES_ACCOUNT, stage.quote, 1_000_000);
    mint(RESERVES_ACCOUNT, stage.base, 1_000_000);
    const asset = () => random.pick([stage.base, stage.quote]);
    const own = () => random.pick([alice, funding]);
    const debts = new Map<number, number>();
    for (let i = 0; i < 400; i++) {
      const moved = { asset: asset(), units: random.between(1, 30_000), reference: fresh() };
      const command = random.pick<() => Command>([
        () => ({ kind: "owe", user: USER, ...moved }),
        () => ({ kind: "mint", account: own(), business: "deposit", ...moved }),
        () => ({ kind: "transfer", account: bob, to: own(), ...moved }),
        () => ({ kind: "transfer", account: own(), to: own(), ...moved }),
        () => ({ kind: "transfer", account: own(), to: bob, ...moved }),
        () => ({ kind: "burn", account: own(), business: "withdrawal", ...moved }),
        () => order(alice, random.pick(["buy", "sell"]), random.between(1, 50), random.between(95, 105)),
        () => order(bob, random.pick(["buy", "sell"]), random.between(1, 50), random.between(95, 105)),
        () => ({ kind: "cancelAll", account: alice }),
      ])();
      const events = sure(command);
      for (const { asset: of, changeUnits, owedUnits } of eventsOf(events, "debtChanged")) {
        expect(changeUnits > 0).toBe(command.kind === "owe" && changeUnits === moved.units);
        expect(owedUnits).toBe((debts.get(of) ?? 0) + changeUnits);
        debts.set(of, owedUnits);
      }
      const isRefused = eventsOf(events, "rejected").some(({ code }) => code === "IN_DEBT");
      if (isRefused) expect([...debts.values()].some((left) => left > 0)).toBe(true);
      for (const [of, left] of debts) {
        expect(readDebts(stage.machine, USER).find((debt) => debt.asset === of)?.owedUnits ?? 0).toBe(left);
        // Nothing free stays beside a debt of it.
        const { ledger } = coreOf(stage.machine);
        if (left > 0)
          for (const account of [alice, funding]) expect(ledger.available(ledger.cellOf(account, of))).toBe(0);
      }
    }
    expect(debts.size).toBe(2);
    expect(restoreMachine(stage.machine.snapshot()).stateHash()).toBe(stage.machine.stateHash());
    expect(units(EXTERNAL_ACCOUNT, stage.quote)).toBeLessThan(0);
  }
});
