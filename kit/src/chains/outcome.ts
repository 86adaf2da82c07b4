// The result of a sent transfer in a block. A token's transaction that did not fail has moved nothing yet: the coin
// must have announced the exact amount, from the exact sender to the exact receiver.
import type { Receipt } from "./chain.ts";

interface SentTransfer {
  /** Null for the chain's own coin, whose transaction is the transfer. */
  readonly contract: string | null;
  readonly from: string;
  readonly to: string;
  readonly units: bigint;
}

/**
 * `none`: nothing of the coin moved, as when it refuses silently or has no code. `other`: something else moved, which
 * an operator must review.
 */
type TransferOutcome = "moved" | "none" | "other";

export function transferOutcome(receipt: Receipt, { contract, from, to, units }: SentTransfer): TransferOutcome {
  if (!receipt.isDone) return "none";
  if (contract === null) return "moved";
  const announced = receipt.transfers.filter((one) => one.contract === contract && one.from === from && one.value > 0n);
  const [only] = announced;
  if (only === undefined) return "none";
  return announced.length === 1 && only.to === to && only.value === units ? "moved" : "other";
}
