// Which position a key acts on: one of the contract on the screen and of no other, the newest of several.
import type { FuturesPosition } from "@clockwork/trading/positions/contract";

export function keyTarget(
  positions: readonly Pick<FuturesPosition, "positionId" | "pairCode">[],
  pairCode: string,
): string | undefined {
  // Newest first, as published.
  return positions.find((position) => position.pairCode === pairCode)?.positionId;
}
