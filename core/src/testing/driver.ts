// Owns the ergonomic way to drive a machine: object commands in, decoded events out, sequence and time stamped.
// For tests, simulators and tools; the host's hot path speaks bytes. Checks of every command what is too dear there.
import { assert } from "@clockwork/kit/assert";
import { checkInvariants } from "../inspect/invariants.ts";
import { decodeEvents, encodeBatch, encodeCommand, stampCommand } from "../protocol/codec.ts";
import { COMMAND_LENGTH_MAX, type Command } from "../protocol/command.ts";
import type { Machine } from "../protocol/contract.ts";
import type { EventKind, EventOf, MachineEvent } from "../protocol/event.ts";

export interface Driver {
  readonly machine: Machine;
  /** Journal time of the next command, in ms. */
  time: number;
  send(command: Command): MachineEvent[];
  batch(account: number, items: readonly Command[]): MachineEvent[];
  /** Every command sent so far, as stamped bytes. */
  readonly journal: Uint8Array[];
}

export function createDriver(machine: Machine, time = 1_700_000_000_000): Driver {
  const bytes = new Uint8Array(COMMAND_LENGTH_MAX * 4);
  const view = new DataView(bytes.buffer);
  const journal: Uint8Array[] = [];
  const apply = (length: number, driver: Driver): MachineEvent[] => {
    const before = machine.now;
    stampCommand(view, 0, machine.sequence + 1, driver.time);
    journal.push(bytes.slice(0, length));
    machine.events.clear();
    machine.apply(bytes, 0);
    const events = decodeEvents(machine.events.bytes, 0, machine.events.length, before);
    checkEvents(events, machine.sequence);
    return events;
  };
  const driver: Driver = {
    machine,
    time,
    journal,
    send: (command) => apply(encodeCommand(command, bytes), driver),
    batch: (account, items) => apply(encodeBatch(account, items, bytes), driver),
  };
  return driver;
}

/** What holds for the events of every command: there are some, all carry its sequence, and its entries sum to zero. */
function checkEvents(events: readonly MachineEvent[], sequence: number): void {
  const sums = new Map<number, number>();
  assert(events.length > 0, "EVENT-1", `command ${sequence} has no event`);
  for (const event of events) {
    assert(event.sequence === sequence, "EVENT-2", `${event.kind} of command ${sequence} carries ${event.sequence}`);
    if (event.kind === "posting") sums.set(event.asset, (sums.get(event.asset) ?? 0) + event.deltaUnits);
  }
  for (const [asset, sum] of sums)
    assert(sum === 0, "LEDGER-32", `entries of command ${sequence} in asset ${asset} sum to ${sum}`);
}

/** The events of one kind, typed. */
export function eventsOf<K extends EventKind>(events: readonly MachineEvent[], kind: K): EventOf<K>[] {
  return events.filter((event): event is EventOf<K> => event.kind === kind);
}

/** Sends a command after which everything must hold that holds of books, orders and ledger at all times. */
export function sendChecked(driver: Driver, command: Command): MachineEvent[] {
  const events = driver.send(command);
  const broken = checkInvariants(driver.machine);
  assert(broken.length === 0, "DRIVER-1", broken.join("; "));
  return events;
}
