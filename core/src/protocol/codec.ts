// Owns the bytes of commands and events: object form in, records out, and back. Never on the hot path.
import { assert, present } from "@clockwork/kit/assert";
import {
  BATCH_ITEMS_MAX,
  COMMAND_HEADER_BYTES,
  COMMAND_LENGTH_MAX,
  COMMANDS,
  type Command,
  type DecodedCommand,
} from "./command.ts";
import { COMMAND_NAMES, EVENT_BYTES, EVENTS, type MachineEvent } from "./event.ts";
import type { Field, OptionalField } from "./layout.ts";
import { type CommandWriter, type EventReader, makeCommandWriter, makeEventReader } from "./layout-code.ts";

const BATCH_ITEMS_AT = 32;
/** No command but a batch is longer. */
const PADDED_BYTES = 640;

type AnyField = Field<unknown> & Partial<OptionalField<unknown>>;
type AnyLayout = Readonly<Record<string, AnyField>>;

const FIELDS = new Map<unknown, readonly (readonly [string, AnyField])[]>();

/** Listed once per layout: the same few are read for every command and event. */
function layoutFields(layout: unknown): readonly (readonly [string, AnyField])[] {
  let fields = FIELDS.get(layout);
  if (fields === undefined) {
    fields = Object.entries(layout as AnyLayout);
    FIELDS.set(layout, fields);
  }
  return fields;
}

function writeHeader(view: DataView, at: number, kind: number, length: number): void {
  assert(length <= COMMAND_LENGTH_MAX, "CODEC-4", `command of ${length} bytes`);
  view.setUint16(at, length, true);
  view.setUint8(at + 2, kind);
}

/** The shortest multiple of 8 that still holds every byte that is not zero. */
function trimmedLength(view: DataView, at: number, end: number): number {
  let length = end;
  while (
    length > COMMAND_HEADER_BYTES &&
    view.getFloat64(at + length - 8, true) === 0 &&
    view.getUint32(at + length - 4) === 0 &&
    view.getUint32(at + length - 8) === 0
  ) {
    length -= 8;
  }
  return length;
}

const WRITERS = new Map<string, { readonly end: number; readonly write: CommandWriter }>();

function writerOf(kind: Command["kind"]) {
  let writer = WRITERS.get(kind);
  if (writer === undefined) {
    const { layout } = COMMANDS[kind];
    let end = COMMAND_HEADER_BYTES;
    for (const [, field] of layoutFields(layout)) end = Math.max(end, field.at + field.size);
    writer = { end: (end + 7) & ~7, write: makeCommandWriter(kind, layout) };
    WRITERS.set(kind, writer);
  }
  return writer;
}

/** Writes one command at `at` (a multiple of 8) and returns its length in bytes. Sequence and time stay zero. */
export function encodeCommand(command: Command, bytes: Uint8Array, at = 0): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { kind } = COMMANDS[command.kind];
  const { end, write } = writerOf(command.kind);
  bytes.fill(0, at, at + end);
  write(view, at, command as unknown as Readonly<Record<string, unknown>>);
  const length = trimmedLength(view, at, end);
  writeHeader(view, at, kind, length);
  return length;
}

/** Several orders in one command: each item is checked and answered on its own, in order. */
export function encodeBatch(account: number, items: readonly Command[], bytes: Uint8Array, at = 0): number {
  assert(items.length <= BATCH_ITEMS_MAX, "CODEC-6", `batch of ${items.length}`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  bytes.fill(0, at, at + BATCH_ITEMS_AT);
  view.setInt32(at + 4, account, true);
  view.setInt32(at + COMMAND_HEADER_BYTES, items.length, true);
  let length = BATCH_ITEMS_AT;
  for (const item of items) length += encodeCommand(item, bytes, at + length);
  writeHeader(view, at, COMMANDS.batch.kind, length);
  return length;
}

/** What the sequencer adds before the bytes go to the machine and the journal. */
export function stampCommand(view: DataView, at: number, sequence: number, time: number): void {
  view.setFloat64(at + 8, sequence, true);
  view.setFloat64(at + 16, time, true);
}

export function commandLength(view: DataView, at: number): number {
  return view.getUint16(at, true);
}

export function commandSequence(view: DataView, at: number): number {
  return view.getFloat64(at + 8, true);
}

export function commandTime(view: DataView, at: number): number {
  return view.getFloat64(at + 16, true);
}

export function decodeCommand(bytes: Uint8Array, at = 0): DecodedCommand {
  const outer = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = outer.getUint16(at, true);
  assert(
    length >= COMMAND_HEADER_BYTES && length <= COMMAND_LENGTH_MAX && at + length <= bytes.length,
    "CODEC-4",
    `length ${length}`,
  );
  // What was cut reads as zero, so decode from a padded copy.
  const padded = new Uint8Array(Math.max(length, PADDED_BYTES));
  padded.set(bytes.subarray(at, at + length));
  const view = new DataView(padded.buffer);
  const name = COMMAND_NAMES[view.getUint8(2)];
  assert(name !== undefined && name !== "none", "CODEC-2", `command kind ${view.getUint8(2)}`);
  const decoded: Record<string, unknown> = {
    kind: name,
    sequence: commandSequence(view, 0),
    time: commandTime(view, 0),
  };
  for (const [member, field] of layoutFields(COMMANDS[name].layout)) decoded[member] = field.read(view, 0);
  const items: DecodedCommand[] = [];
  if (name === "batch") {
    let itemAt = at + BATCH_ITEMS_AT;
    for (let i = view.getInt32(COMMAND_HEADER_BYTES, true); i > 0; i--) {
      items.push(decodeCommand(bytes, itemAt));
      itemAt += outer.getUint16(itemAt, true);
    }
  }
  decoded.items = items;
  return decoded as unknown as DecodedCommand;
}

const EVENT_READERS: readonly EventReader[] = (() => {
  const readers: EventReader[] = [];
  for (const [name, { kind, layout }] of Object.entries(EVENTS)) readers[kind] = makeEventReader(name, layout);
  return readers;
})();

/** Decodes records between two byte offsets; `time` is the journal time known before the first of them. */
export function decodeEvents(bytes: Uint8Array, from: number, to: number, time = 0): MachineEvent[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const events: MachineEvent[] = [];
  let now = time;
  for (let at = from; at < to; at += EVENT_BYTES) {
    const kind = view.getUint8(at);
    if (kind === EVENTS.clock.kind) now = EVENTS.clock.layout.time.read(view, at);
    events.push(readEvent(view, at, now));
  }
  return events;
}

/** The one record at a byte, at the journal's time. */
export function readEvent(view: DataView, at: number, time: number): MachineEvent {
  const kind = view.getUint8(at);
  const read = EVENT_READERS[kind];
  if (read === undefined) return present<MachineEvent>(undefined, "CODEC-2", `event kind ${kind}`);
  return read(view, at, time) as unknown as MachineEvent;
}
