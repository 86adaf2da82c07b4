// Earn, recurring buys and launches, which share books and the index's record; built in this order.
import type { Part } from "@clockwork/host/part";
import type { PartContext } from "@clockwork/trading/context";
import { launchpadPart } from "./earn/launchpad.ts";
import { type Earn, earnPart } from "./earn/part.ts";
import { plansPart } from "./plans/part.ts";

export function earnParts(context: PartContext): { readonly earn: Earn; readonly parts: readonly Part[] } {
  const earn = earnPart(context);
  return { earn, parts: [earn, plansPart(context, earn), launchpadPart(context, earn.books)] };
}
