import { expect, test } from "vitest";
import { sentOutcome, shareFee } from "./batch.ts";
import type { Receipt } from "./chain.ts";

const PAYOUT = "0xpay";
const PARTS = [
  { to: "0xa", units: 5n },
  { to: "0xb", units: 7n },
  { to: "0xa", units: 5n },
];
const sent = (contract: string | null) => ({ payout: PAYOUT, contract, from: "0xhot", parts: PARTS });
const moved = (to: string, value: bigint) => ({ contract: "0xcoin", from: "0xhot", to, value });
const receipt = (values: Partial<Receipt>): Receipt => ({
  blockNumber: 1,
  blockHash: "h",
  isDone: true,
  feeUnits: 0n,
  transfers: [],
  ...values,
});
const paid = (places: bigint, contract = PAYOUT) => ({ paid: [{ contract, places }] });

test("[WAL-2] each part of a batch was paid or not as the contract reports, and none where the call failed", () => {
  expect(sentOutcome(receipt(paid(0b101n)), sent(null))).toEqual([true, false, true]);
  expect(sentOutcome(receipt({ isDone: false }), sent(null))).toEqual([false, false, false]);
  const transfers = [moved("0xa", 5n), { ...moved("0xa", 5n), contract: "0xother" }, moved("0xb", 7n)];
  expect(sentOutcome(receipt({ ...paid(0b011n), transfers }), sent("0xcoin"))).toEqual([true, true, false]);
  // A token that announces nothing moved nothing, whatever it returned.
  expect(sentOutcome(receipt(paid(0b111n)), sent("0xcoin"))).toEqual([false, false, false]);
});

test("[WAL-2] a contradiction between the contract and the token is left to operators", () => {
  const all = [moved("0xa", 5n), moved("0xb", 7n), moved("0xa", 5n)];
  const wrong: readonly Partial<Receipt>[] = [
    // No event, one from another contract, two, or positions that do not exist.
    ...[{ transfers: all }, { ...paid(0b111n, "0xother"), transfers: all }],
    { paid: [...paid(0b111n).paid, ...paid(0b111n).paid], transfers: all },
    { ...paid(0b1111n), transfers: all },
    // One less, one more, another amount, another receiver.
    ...[
      { ...paid(0b111n), transfers: all.slice(1) },
      { ...paid(0b011n), transfers: all },
    ],
    { ...paid(0b111n), transfers: [...all.slice(1), moved("0xa", 4n)] },
    { ...paid(0b111n), transfers: [...all.slice(1), moved("0xc", 5n)] },
  ];
  for (const one of wrong) expect(sentOutcome(receipt(one), sent("0xcoin"))).toBeUndefined();
  expect(sentOutcome(receipt({}), sent(null))).toBeUndefined();
  expect(sentOutcome(receipt({ ...paid(0b111n), transfers: all }), sent("0xcoin"))).toEqual([true, true, true]);
});

test("[WAL-2] the shares of a fee sum to it, and none is a unit more than another except the first ones", () => {
  expect(shareFee(10n, 4)).toEqual([3n, 3n, 2n, 2n]);
  expect(shareFee(2n, 3)).toEqual([1n, 1n, 0n]);
  expect(shareFee(7n, 0)).toEqual([7n]);
});
