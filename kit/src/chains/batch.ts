// Batch payments in one transaction, through a contract that pays many at once: their gas, and the result of each in a
// block.
import type { Receipt } from "./chain.ts";
import { transferOutcome } from "./outcome.ts";

/** The gas of a transfer of the chain's own coin to an address without code. */
export const PLAIN_GAS = "21000";
/** In one transaction. */
export const PARTS_MAX = 25;

/** The prefixes of the keys of hot-wallet transactions that are no single payment, whose key is the payment's own. */
export const KEY_STARTS = { topUp: "gas:", many: "many:", allow: "allow:", reset: "reset:" } as const;

/** No user's payment: gas, or the allowance of the batch payout contract. */
export const isHouseKey = (key: string): boolean =>
  [KEY_STARTS.topUp, KEY_STARTS.allow, KEY_STARTS.reset].some((start) => key.startsWith(start));

const BASE_GAS = 60_000n;
/** A token gets 100 000 of it per part; unused gas is not paid. */
const TOKEN_PART_GAS = 110_000n;
const NATIVE_PART_GAS = 45_000n;

/** Enough for every part, whatever the others use. */
export function batchGas(isToken: boolean, parts: number): bigint {
  return BASE_GAS + (isToken ? TOKEN_PART_GAS : NATIVE_PART_GAS) * BigInt(parts);
}

interface Sent {
  /** The batch payout contract that was called; null for a single payment. */
  readonly payout: string | null;
  /** Null for the chain's own coin. */
  readonly contract: string | null;
  readonly from: string;
  readonly parts: readonly { readonly to: string; readonly units: bigint }[];
}

/**
 * Which parts were paid, in their order; undefined where something other than what was signed has moved, which an
 * operator must review. A token must also have announced exactly what was paid: without an announcement nothing was.
 */
export function sentOutcome(receipt: Receipt, { payout, contract, from, parts }: Sent): readonly boolean[] | undefined {
  if (payout === null) {
    const outcomes = parts.map((part) => transferOutcome(receipt, { contract, from, ...part }));
    return outcomes.includes("other") ? undefined : outcomes.map((one) => one === "moved");
  }
  const none = parts.map(() => false);
  if (!receipt.isDone) return none;
  const [only, ...others] = (receipt.paid ?? []).filter((one) => one.contract === payout);
  if (only === undefined || others.length > 0 || only.places >> BigInt(parts.length) !== 0n) return undefined;
  const paid = parts.map((_, at) => ((only.places >> BigInt(at)) & 1n) === 1n);
  if (contract === null) return paid;
  const announced = receipt.transfers.filter((one) => one.contract === contract && one.from === from && one.value > 0n);
  if (announced.length === 0) return none;
  const published = announced.map(({ to, value }) => `${to} ${value}`).sort();
  const due = parts.flatMap(({ to, units }, at) => (paid[at] === true ? `${to} ${units}` : [])).sort();
  return published.join() === due.join() ? paid : undefined;
}

/** A fee in as many whole parts as shared it, which sum to it: the first ones take the remainder. */
export function shareFee(fee: bigint, parts: number): readonly bigint[] {
  const count = BigInt(Math.max(1, parts));
  return Array.from({ length: Number(count) }, (_, at) => fee / count + (BigInt(at) < fee % count ? 1n : 0n));
}
