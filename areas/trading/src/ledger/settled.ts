// Waits until the tables hold everything before a time: a command of that time or later is after all of it in the
// journal.
import type { EngineHandle } from "@clockwork/host/engine";

export async function settledAt(engine: Pick<EngineHandle, "submit" | "reached">, timeMs: number): Promise<void> {
  // A repeat changes nothing, and it is journalled like every command.
  const ack = await engine.submit({ kind: "openHouseAccount", purpose: "rebateSource", sub: 0 });
  if (!ack.done) throw new Error(`the core does not answer: ${ack.code}`);
  if (ack.timeMs < timeMs) throw new Error(`the journal's time is ${ack.timeMs}, before ${timeMs}`);
  await engine.reached(ack.sequence);
}
