// Pure rules of custody: references of deposits, confirmations, received amounts of announced ones.
import type { TransferLog } from "@clockwork/kit/chains/chain";
import type { DepositRow } from "./store.ts";

/** The chain's own coin appears in no log; sent by a contract it appears in no transaction either. */
export const NATIVE_PLACE = -1;
export const INSIDE_PLACE = -2;

/** The base of a deposit's references in the ledger: one credit each, and another only after it was taken back. */
export function referenceOf({ deposit_id, round }: Pick<DepositRow, "deposit_id" | "round">): string {
  return `d:${deposit_id}:${round}`;
}

/**
 * The amounts received of each transfer to one address in one block. A coin that keeps a part of every transfer
 * announces more than it moves; the growth of the balance is shared among its transfers by their size, rounded down.
 */
export function arrivedUnits(transfers: readonly Pick<TransferLog, "value">[], grownUnits: bigint): readonly bigint[] {
  const announced = transfers.reduce((sum, { value }) => sum + value, 0n);
  if (announced === 0n || grownUnits >= announced) return transfers.map(({ value }) => value);
  const grown = grownUnits > 0n ? grownUnits : 0n;
  return transfers.map(({ value }) => (value * grown) / announced);
}

/** The newest block both histories have; undefined when they diverge below everything that is stored. */
export function findCommon(
  kept: readonly { readonly number: number; readonly hash: string }[],
  hashOf: ReadonlyMap<number, string | undefined>,
): { readonly number: number; readonly hash: string } | undefined {
  return [...kept]
    .sort((left, right) => right.number - left.number)
    .find(({ number, hash }) => hashOf.get(number) === hash);
}
