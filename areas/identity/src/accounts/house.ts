// Opens an exchange account in the core. A repeated request gets the existing account.
import type { HousePurpose } from "@clockwork/core/protocol/names";
import type { EngineHandle } from "@clockwork/host/engine";

/** Undefined while the core cannot answer. */
export async function openHouseAccount(
  submit: EngineHandle["submit"],
  purpose: HousePurpose,
  sub = 0,
): Promise<number | undefined> {
  const ack = await submit({ kind: "openHouseAccount", purpose, sub });
  if (ack.done !== true) return undefined;
  return ack.events.find((event) => event.kind === "houseAccountOpened")?.account;
}
