import { expect, test } from "vitest";
import { decidableFromMs, needsTwoPeople, openStatement, restsUntil, sealStatement, winnerBySilence } from "./rules.ts";

test.each([
  ["a small order and nothing from the bond", 100_000_000n, 0n, false],
  ["both just at the bound", 1_000_000_000n, 1_000_000_000n, false],
  ["a large order", 1_000_000_001n, 0n, true],
  ["a small order that draws a large bond", 100_000_000n, 1_000_000_001n, true],
  ["an order nobody could value", 0n, 0n, true],
] as const)("[OTC-1] two people decide: %s", (_, worthUnits, compensationUnits, isTwo) => {
  expect(needsTwoPeople(worthUnits, compensationUnits)).toBe(isTwo);
});

test.each([
  ["words alone", ["Paid.", 0], ["", 0], "buyer"],
  ["words against pictures", ["Paid.", 0], ["", 2], ""],
  ["pictures alone", ["", 0], ["", 1], "seller"],
  ["nobody", ["", 0], ["", 0], ""],
] as const)("[OTC-1] who wins by the silence of the other: %s", (_, buyer, seller, winner) => {
  const [buyer_says, buyer_pictures] = buyer;
  const [seller_says, seller_pictures] = seller;
  expect(winnerBySilence({ buyer_says, buyer_pictures, seller_says, seller_pictures })).toBe(winner);
});

const HOUR = 3_600_000;
test.each([
  ["both have spoken", ["Paid.", 0], ["", 1], 0],
  ["one is silent", ["Paid.", 0], ["", 0], HOUR],
  ["nobody has spoken", ["", 0], ["", 0], HOUR],
] as const)("[OTC-1] from when an appeal may be decided: %s", (_, buyer, seller, afterMs) => {
  const [buyer_says, buyer_pictures] = buyer;
  const [seller_says, seller_pictures] = seller;
  const voices = { buyer_says, buyer_pictures, seller_says, seller_pictures };
  expect(decidableFromMs({ ...voices, opened_ms: 5 })).toBe(5 + afterMs);
});

test.each([
  ["two are none too many", [0, HOUR], 0],
  ["three within a day rest a day from the third", [0, 20 * HOUR, 23 * HOUR], 47 * HOUR],
  ["in whatever order they are read", [23 * HOUR, 0, 20 * HOUR], 47 * HOUR],
  ["three over more than a day do not rest", [0, 20 * HOUR, 25 * HOUR], 0],
  ["a fourth rests again", [0, HOUR, 2 * HOUR, 24 * HOUR], 48 * HOUR],
  ["the first three of many count although the last stands alone", [0, HOUR, 2 * HOUR, 40 * HOUR], 26 * HOUR],
] as const)("[OTC-1] who calls off: %s", (_, endedMs, until) => {
  expect(restsUntil(endedMs)).toBe(until);
});

/** Inverts every byte, and opens only in the context it was sealed in. */
const vault = {
  seal: (plain: Uint8Array, context: string) => Uint8Array.from([context.length, ...plain].map((byte) => 255 - byte)),
  open: (sealed: Uint8Array, context: string) => {
    const [length = 0, ...plain] = Array.from(sealed, (byte) => 255 - byte);
    if (length !== context.length) throw new Error("another context");
    return Uint8Array.from(plain);
  },
};

test("[OTC-1] a statement is stored sealed and bound to its order, silence stays silence, older plain texts are read unchanged", () => {
  const kept = sealStatement(vault, "o1", "Paid at once, señor.");
  expect(kept).not.toContain("Paid");
  expect(openStatement(vault, "o1", kept)).toBe("Paid at once, señor.");
  expect(() => openStatement(vault, "o12", kept)).toThrow();
  expect(sealStatement(vault, "o1", "")).toBe("");
  expect(openStatement(vault, "o1", "Paid at once.")).toBe("Paid at once.");
});
