// A bare machine behind the two calls listing needs, for tests.
import { readListing } from "@clockwork/core/inspect/listing";
import { createMachine } from "@clockwork/core/machine/machine";
import { createDriver } from "@clockwork/core/testing/driver";
import type { EngineHandle } from "@clockwork/host/engine";

export function openListingEngine() {
  const machine = createMachine();
  const driver = createDriver(machine);
  const sent: string[] = [];
  const engine: Pick<EngineHandle, "submit" | "readListing"> = {
    submit: async (command) => {
      sent.push(command.kind);
      const events = driver.send(command);
      const refused = events.find((event) => event.kind === "rejected");
      const sequence = machine.sequence;
      return refused === undefined
        ? { done: true, sequence, timeMs: 0, events }
        : { done: false, code: refused.code, sequence, events };
    },
    readListing: async () => readListing(machine),
  };
  return { engine, sent, driver };
}
