// The price bots see, by the core's own rule: the base of a total, a clone and a preview. Reads only.
import { seenTicks } from "@clockwork/kit/grid/seen";
import type { PartContext } from "@clockwork/trading/context";

export function seenIn({ data, pairs }: PartContext["market"], of: number): number {
  const fair = data.projector.states.get(of)?.contract?.markTicks ?? pairs.fairTicks(of);
  return seenTicks(pairs.lastTicks(of), fair);
}
