// Pure rules of payments: what a receipt proves, and what a stuck one is offered.
import type { Receipt } from "@clockwork/kit/chains/chain";
import type { SendingRow } from "./sending-store.ts";

/**
 * What a block says about a payment. A token's transaction that did not fail has not paid yet: the coin must have announced
 * the very amount to the very receiver. `none`: nothing of the coin moved, as when it refuses in silence or has no code.
 * `other`: something else moved, which a person must look at.
 */
export function outcomeOf(
  receipt: Receipt,
  payment: Pick<SendingRow, "receiver" | "chain_units">,
  contract: string | null,
  hot: string,
): "paid" | "none" | "other" {
  if (!receipt.isDone) return "none";
  if (contract === null) return "paid";
  const moved = receipt.transfers.filter((one) => one.contract === contract && one.from === hot && one.value > 0n);
  const [only] = moved;
  if (only === undefined) return "none";
  const isRight = only.to === payment.receiver && only.value === BigInt(payment.chain_units);
  return moved.length === 1 && isRight ? "paid" : "other";
}

/** A quarter more of both figures: nodes take a replacement from a tenth more on. */
export function dearerFees(
  row: Pick<SendingRow, "max_fee" | "tip">,
  now: { readonly baseFee: bigint; readonly tip: bigint },
): Pick<SendingRow, "max_fee" | "tip"> {
  const raise = (old: string, asked: bigint): string => {
    const raised = (BigInt(old) * 5n) / 4n + 1n;
    return (raised > asked ? raised : asked).toString();
  };
  return { max_fee: raise(row.max_fee, now.baseFee * 2n + now.tip), tip: raise(row.tip, now.tip) };
}
