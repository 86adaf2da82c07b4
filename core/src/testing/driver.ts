// Owns the ergonomic way to drive a machine: object commands in, decoded events out, sequence and time stamped.
// For tests, simulators and tools; the host's hot path speaks bytes. Checks of every command what is too dear there.
import { assert } from "@clockwork/kit/assert";
import { checkInvariants } from "../inspect/invariants.ts";
import { decodeEvents, encodeBatch, encodeCommand, stampCommand } from "../protocol/codec.ts";
import { COMMAND_LENGTH_MAX, type Command } from "../protocol/command.ts";
import type { Machine } from "../protocol/contract.ts";
import { EVENT_BYTES, EVENTS, type EventKind, type EventOf, type MachineEvent } from "../protocol/event.ts";

export interface Driver {
  readonly machine: Machine;
  /** Journal time of the next command, in ms. */
  time: number;
  /** `patch` may write what no command says: unknown names, broken numbers. */
  send(command: Command, patch?: (view: DataView) => void): MachineEvent[];
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
    checkBytes(machine);
    return events;
  };
  const driver: Driver = {
    machine,
    time,
    journal,
    send: (command, patch) => {
      const length = encodeCommand(command, bytes);
      patch?.(view);
      return apply(length, driver);
    },
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

/** By kind: which bytes of a record its header and its members leave free. */
const FREE_BYTES = new Map(
  Object.values(EVENTS).map(({ kind, layout }): [number, readonly number[]] => {
    const taken = new Set([0, ...Array.from({ length: 8 }, (_, i) => 8 + i)]);
    for (const { at, size } of Object.values<{ readonly at: number; readonly size: number }>(layout))
      for (let i = 0; i < size; i++) taken.add(at + i);
    return [kind, Array.from({ length: EVENT_BYTES }, (_, at) => at).filter((at) => !taken.has(at))];
  }),
);

/** Bytes that no member of an event names are zero: two cores that say the same write the same. */
function checkBytes({ events }: Machine): void {
  for (let from = 0; from < events.length; from += EVENT_BYTES) {
    const kind = events.bytes[from] as number;
    for (const at of FREE_BYTES.get(kind) ?? [])
      assert(events.bytes[from + at] === 0, "EVENT-3", `byte ${at} of an event of kind ${kind} belongs to no member`);
  }
}

/** The events of one kind, typed. */
export function eventsOf<K extends EventKind>(events: readonly MachineEvent[], kind: K): EventOf<K>[] {
  return events.filter((event): event is EventOf<K> => event.kind === kind);
}

/** Sends a command after which everything must hold that holds of books, orders and ledger at all times. */
export function sendChecked(driver: Driver, command: Command, patch?: (view: DataView) => void): MachineEvent[] {
  const events = driver.send(command, patch);
  const broken = checkInvariants(driver.machine);
  assert(broken.length === 0, "DRIVER-1", broken.join("; "));
  return events;
}
