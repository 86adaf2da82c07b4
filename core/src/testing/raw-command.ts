// Owns commands whose bytes say what no object form can: fractions, numbers without an end, names nobody has. For tests.
import { decodeEvents, encodeCommand, stampCommand } from "../protocol/codec.ts";
import { COMMAND_LENGTH_MAX, type Command } from "../protocol/command.ts";
import type { MachineEvent } from "../protocol/event.ts";
import type { Driver } from "./driver.ts";

/** Sends a command whose bytes were changed after they were written. */
export function sendChanged(driver: Driver, command: Command, change: (view: DataView) => void): MachineEvent[] {
  const bytes = new Uint8Array(COMMAND_LENGTH_MAX * 4);
  const { machine } = driver;
  encodeCommand(command, bytes);
  const view = new DataView(bytes.buffer);
  change(view);
  stampCommand(view, 0, machine.sequence + 1, driver.time);
  const before = machine.now;
  machine.events.clear();
  machine.apply(bytes, 0);
  return decodeEvents(machine.events.bytes, 0, machine.events.length, before);
}
