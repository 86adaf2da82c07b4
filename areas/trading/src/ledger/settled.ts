// Waits until the tables hold what happened: everything before a time, or all that the owner of accounts was answered.
import type { EngineHandle } from "@clockwork/host/engine";
import type { Ledger } from "./offer.ts";

/** A command of that time or later is after all of it in the journal. */
export async function settledAt(engine: Pick<EngineHandle, "submit" | "reached">, timeMs: number): Promise<void> {
  // A repeat changes nothing, and it is journalled like every command.
  const ack = await engine.submit({ kind: "openHouseAccount", purpose: "rebateSource", sub: 0 });
  if (!ack.done) throw new Error(`the core does not answer: ${ack.code}`);
  if (ack.timeMs < timeMs) throw new Error(`the journal's time is ${ack.timeMs}, before ${timeMs}`);
  await engine.reached(ack.sequence);
}

/** Resolves once the tables hold what was published to their owner. */
export async function settledAccounts<Owned extends { readonly account: number }>(
  ledger: Pick<Ledger, "openView" | "settled">,
  owned: readonly Owned[],
): Promise<readonly Owned[]> {
  const views = await Promise.all(owned.map(({ account }) => ledger.openView(account)));
  await ledger.settled(Math.max(0, ...views.map(({ changedSequence }) => changedSequence)));
  return owned;
}
