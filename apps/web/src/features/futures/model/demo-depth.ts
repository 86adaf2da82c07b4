// The depth of the live book that own demo fills have taken and that has not come back yet, by the published model:
// each taker's fill comes back evenly over a minute. In lots, rounded up as the core does.

export const RECOVERY_MS = 60_000;

export interface DemoFill {
  readonly pairCode: string;
  readonly role: "maker" | "taker";
  readonly quantity: string;
  readonly timeMs: number;
}

export interface UsedDepth {
  readonly lots: bigint;
  /** Until all of it is back. */
  readonly leftMs: number;
}

/** Nothing where all is back. */
export function usedDepth(
  fills: readonly DemoFill[],
  pairCode: string,
  nowMs: number,
  lotsOf: (quantity: string) => bigint | undefined,
): UsedDepth | undefined {
  let [lots, leftMs] = [0n, 0];
  for (const fill of fills) {
    // A clock that runs behind the server's sees fills of the future: nothing of them is back.
    const left = Math.min(RECOVERY_MS, Math.ceil(RECOVERY_MS - (nowMs - fill.timeMs)));
    if (left <= 0 || fill.role !== "taker" || fill.pairCode !== pairCode) continue;
    const taken = (lotsOf(fill.quantity) ?? 0n) * BigInt(left);
    lots += (taken + BigInt(RECOVERY_MS) - 1n) / BigInt(RECOVERY_MS);
    leftMs = Math.max(leftMs, left);
  }
  return lots === 0n ? undefined : { lots, leftMs };
}
