// Settlements: all legs or none, once by reference, from what is free or from holds.
import { present } from "@clockwork/kit/assert";
import { beforeEach, describe, expect, it } from "vitest";
import { checkInvariants } from "../inspect/invariants.ts";
import { coreOf } from "../machine/machine.ts";
import { decodeCommand } from "../protocol/codec.ts";
import type { Command } from "../protocol/command.ts";
import type { MachineEvent } from "../protocol/event.ts";
import { EXTERNAL_ACCOUNT, FEES_ACCOUNT } from "../protocol/names.ts";
import { eventsOf } from "../testing/driver.ts";
import { createPerpStage } from "../testing/perp-stage.ts";
import { createStage, type Stage } from "../testing/stage.ts";

type Leg = Extract<Command, { readonly kind: "settle" }>["legs"][number];

let stage: Stage;
let alice = 0;
let bob = 0;
beforeEach(() => {
  stage = createStage();
  alice = stage.trader(1_000, 1_000);
  bob = stage.trader(0, 500);
});

function sure(command: Command): MachineEvent[] {
  const events = stage.send(command);
  expect(checkInvariants(stage.machine)).toEqual([]);
  return events;
}
const settle = (reference: string, ...legs: Leg[]): MachineEvent[] => sure({ kind: "settle", reference, legs });
const refused = (reference: string, ...legs: Leg[]) => {
  const [rejected] = eventsOf(settle(reference, ...legs), "rejected");
  return { code: rejected?.code, item: rejected?.item };
};
const held = (account: number, asset: number): [number, number] => {
  const { ledger } = coreOf(stage.machine);
  const cell = ledger.cellIndex.find(account, asset);
  return [ledger.available(cell), ledger.frozen(cell)];
};
const leg = (from: number, to: number, units: number, more: Partial<Leg> = {}): Leg => ({
  from,
  to,
  asset: stage.quote,
  units,
  ...more,
});

describe("[LEDGER-25] a settlement", () => {
  it("moves every leg with its own business, as entries that sum to zero", () => {
    const events = settle(
      "s1",
      leg(alice, bob, 300, { business: "convert" }),
      leg(bob, alice, 7, { business: "profitShare" }),
      leg(alice, FEES_ACCOUNT, 3, { business: "otcFee" }),
    );
    const postings = eventsOf(events, "posting");
    expect(postings.map(({ business, account, deltaUnits }) => [business, account, deltaUnits])).toEqual([
      ["convert", alice, -300],
      ["convert", bob, 300],
      ["profitShare", bob, -7],
      ["profitShare", alice, 7],
      ["otcFee", alice, -3],
      ["otcFee", FEES_ACCOUNT, 3],
    ]);
    expect(eventsOf(events, "reference")).toMatchObject([{ command: "settle", account: 0, reference: "s1" }]);
    expect(held(alice, stage.quote)).toEqual([704, 0]);
  });

  it("does nothing when one leg cannot, and names that leg", () => {
    const bad = leg(bob, alice, 501);
    expect(refused("s1", leg(alice, FEES_ACCOUNT, 1), bad)).toMatchObject({ code: "INSUFFICIENT_BALANCE", item: 1 });
    expect(held(alice, stage.quote)).toEqual([1_000, 0]);
    expect(held(FEES_ACCOUNT, stage.quote)).toEqual([0, 0]);
    // The reference stays free.
    expect(eventsOf(settle("s1", leg(bob, alice, 500)), "posting")).toHaveLength(2);
  });

  it("runs once: a repeat tells the first sequence, other content is refused", () => {
    const first = settle("s1", leg(alice, bob, 10), leg(alice, bob, 20));
    const again = settle("s1", leg(alice, bob, 10), leg(alice, bob, 20));
    expect(eventsOf(again, "repeated")).toMatchObject([{ command: "settle", firstSequence: first[0]?.sequence }]);
    expect(refused("s1", leg(alice, bob, 10), leg(alice, bob, 21)).code).toBe("REFERENCE_REUSED");
    // A difference in the last byte of the last leg counts as well.
    const many = Array.from({ length: 8 }, () => leg(alice, bob, 1));
    const named = [...many.slice(0, 7), leg(alice, bob, 1, { hold: "x".repeat(36) })];
    settle("s2", ...many);
    expect(refused("s2", ...named).code).toBe("REFERENCE_REUSED");
    expect(held(alice, stage.quote)).toEqual([962, 0]);
  });

  it("lets a leg spend what an earlier one brought, and never more", () => {
    const carol = stage.trader();
    expect(refused("s1", leg(carol, bob, 10), leg(alice, carol, 10))).toMatchObject({
      code: "INSUFFICIENT_BALANCE",
      item: 0,
    });
    expect(refused("s1", leg(alice, carol, 10), leg(carol, bob, 11))).toMatchObject({ item: 1 });
    expect(eventsOf(settle("s1", leg(alice, carol, 10), leg(carol, bob, 10)), "posting")).toHaveLength(4);
    expect(refused("s2", leg(alice, bob, 600), leg(alice, bob, 600))).toMatchObject({ item: 1 });
  });

  it("takes holds: several legs from one, no more than it has, no other's, none that is over", () => {
    const end = stage.time + 1_000;
    const hold = { kind: "hold", account: alice, asset: stage.quote, business: "otcEscrow" } as const;
    sure({ ...hold, units: 400, reference: "h", expiresAt: end });
    const take = (units: number, more: Partial<Leg> = {}) => leg(alice, bob, units, { hold: "h", ...more });
    expect(refused("s", take(300), take(101))).toMatchObject({ code: "HOLD_EXCEEDED", item: 1 });
    expect(refused("s", take(1, { from: bob, to: alice })).code).toBe("UNKNOWN_HOLD");
    expect(refused("s", take(1, { asset: stage.base })).code).toBe("UNKNOWN_HOLD");
    expect(refused("s", take(1, { hold: "no" })).code).toBe("UNKNOWN_HOLD");
    settle("s", take(300, { business: "otcRelease" }), take(1, { to: FEES_ACCOUNT, business: "otcFee" }));
    expect([held(alice, stage.quote), held(bob, stage.quote)]).toEqual([
      [600, 99],
      [800, 0],
    ]);
    stage.time = end;
    expect(refused("t", take(1)).code).toBe("HOLD_EXPIRED");
  });

  it("burns what goes to the external book, and never takes from it", () => {
    settle("s", leg(alice, EXTERNAL_ACCOUNT, 90, { business: "withdrawal" }), leg(alice, FEES_ACCOUNT, 10));
    expect(coreOf(stage.machine).ledger.minted(stage.quote)).toBe(1_410);
    expect(refused("t", leg(EXTERNAL_ACCOUNT, alice, 1)).code).toBe("NOT_TRANSFERABLE");
  });

  it("refuses what no money command may do, with nothing changed", () => {
    const good = leg(alice, bob, 1);
    expect(refused("s").code).toBe("MALFORMED_COMMAND");
    expect(refused("", good).code).toBe("INVALID_REFERENCE");
    expect(refused("s", leg(alice, alice, 1)).code).toBe("NOT_TRANSFERABLE");
    expect(refused("s", good, leg(alice, 9_999, 1))).toMatchObject({ code: "UNKNOWN_ACCOUNT", item: 1 });
    expect(refused("s", good, leg(alice, bob, 1, { asset: 9 })).code).toBe("UNKNOWN_ASSET");
    for (const units of [0, -1]) expect(refused("s", good, leg(alice, bob, units)).code).toBe("INVALID_AMOUNT");
    sure({ kind: "setAccountFlags", account: alice, blockOutgoing: true });
    expect(refused("s", good).code).toBe("ACCOUNT_BLOCKED");
  });

  it("leaves margin where positions ask for it, even when an earlier leg brings more", () => {
    const perps = createPerpStage();
    const [long, short] = [perps.trader(20_000_000_000), perps.trader(20_000_000_000)];
    perps.sell(short, 1_000, 500_000);
    perps.buy(long, 1_000, 500_000);
    const free = perps.balance(long).available;
    const out = { from: long, to: short, asset: perps.usdt, units: free };
    const events = perps.sure({ kind: "settle", reference: "s", legs: [out] });
    const limit = present(eventsOf(events, "rejected")[0], "TEST", "refusal").limit;
    expect(limit).toBeLessThan(free);
    const back = { from: short, to: long, asset: perps.usdt, units: 1_000 };
    const more = { ...out, units: limit + 1 };
    expect(eventsOf(perps.sure({ kind: "settle", reference: "s", legs: [back, more] }), "rejected")).toMatchObject([
      { code: "INSUFFICIENT_BALANCE", item: 1 },
    ]);
    const most = { ...out, units: limit };
    expect(eventsOf(perps.sure({ kind: "settle", reference: "s", legs: [back, most] }), "posting")).toHaveLength(4);
  });
});

it("[CODEC-12] a settlement's legs come back as they were written, fallbacks filled in", () => {
  settle("a", leg(alice, bob, 300, { business: "otcRelease" }), leg(bob, alice, 2 ** 53 - 1, { hold: "h".repeat(36) }));
  const written = decodeCommand(present(stage.journal.at(-1), "TEST", "journal"));
  expect(written.kind === "settle" ? written.legs : []).toEqual([
    { from: alice, to: bob, asset: stage.quote, business: "otcRelease", units: 300, hold: "" },
    { from: bob, to: alice, asset: stage.quote, business: "transfer", units: 2 ** 53 - 1, hold: "h".repeat(36) },
  ]);
  const nine = Array.from({ length: 9 }, () => leg(alice, bob, 1));
  expect(() => settle("b", ...nine)).toThrow("CODEC-8");
});

it("[MACHINE-4] settlements replay to the same state", () => {
  settle("a", leg(alice, bob, 300), leg(bob, FEES_ACCOUNT, 1));
  settle("b", leg(bob, alice, 5));
  const hash = stage.machine.stateHash();
  const journal = [...stage.journal];
  stage.machine.restore();
  for (const bytes of journal) stage.machine.apply(bytes, 0);
  expect(stage.machine.stateHash()).toBe(hash);
});
