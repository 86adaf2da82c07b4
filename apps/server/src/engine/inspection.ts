// Owns the reports on a data folder: verify, replay and inspect. Must never write to the folder.

import { join } from "node:path";
import { decodeCommand, decodeEvents } from "@clockwork/core/protocol/codec";
import type { Machine } from "@clockwork/core/protocol/contract";
import { measureMs } from "@clockwork/host/time/measure";
import { RuleViolation } from "@clockwork/kit/assert";
import { formatUnits, units } from "@clockwork/kit/money";
import { localFiles } from "./journal/files.ts";
import { FrameReader } from "./journal/frame.ts";
import { listSegments, readBatches } from "./journal/segments.ts";
import { EngineFault } from "./memory/fault.ts";
import { type MachineFactory, type Recovery, recover } from "./recovery/recovery.ts";
import { listSnapshots, readSnapshot } from "./recovery/snapshots.ts";

export interface InspectionOptions {
  readonly folder: string;
  readonly factory: MachineFactory;
  readonly print: (line: string) => void;
}

const places = (folder: string) => ({
  files: localFiles,
  journalFolder: join(folder, "journal"),
  snapshotFolder: join(folder, "snapshots"),
});

function requireJournal(folder: string): void {
  const { journalFolder } = places(folder);
  if (listSegments(localFiles, journalFolder).length > 0) return;
  throw new EngineFault("JOURNAL_SEGMENT_MISSING", "there is no journal here", { file: journalFolder });
}

/** Runs the journal from nothing and again from each snapshot; true when all give the same state and the sums agree. */
export function verifyFolder(options: InspectionOptions): boolean {
  const { folder, factory, print } = options;
  requireJournal(folder);
  const startedMs = measureMs();
  const whole = recover({ ...places(folder), factory, withoutSnapshots: true, onNote: print });
  const replaySeconds = (measureMs() - startedMs) / 1_000;
  const wholeHash = whole.machine.stateHash();
  const seconds = (measureMs() - startedMs) / 1_000;
  print(`journal   ${whole.identity ?? "none"}`);
  print(`sequence  ${whole.machine.sequence}`);
  const speed = `${seconds.toFixed(2)} s, ${Math.round(whole.replayed / replaySeconds)} commands a second`;
  print(`state     ${wholeHash}  (from the first command, ${speed})`);
  describeEnd(whole, print);
  const matches = verifySums(options, whole.machine);
  const snapshots = listSnapshots(localFiles, places(folder).snapshotFolder);
  for (const { path, sequence } of snapshots) {
    matches.push(verifySnapshot(options, path, sequence, whole, wholeHash));
  }
  if (snapshots.length === 0) print("snapshots none");
  return matches.every((match) => match);
}

/** Every asset's line: what users and exchange hold must equal what was minted, to the unit. */
function verifySums({ factory, print }: InspectionOptions, machine: Machine): boolean[] {
  return (factory.readSums?.(machine) ?? []).map(({ symbol, scale, users, house, minted }) => {
    const text = (value: bigint): string => formatUnits(units(value), scale);
    const difference = users + house - minted;
    const verdict = difference === 0n ? "agrees" : `DIFFERS by ${text(difference)}`;
    print(`balances  ${symbol} ${verdict}: users ${text(users)} + house ${text(house)} = minted ${text(minted)}`);
    return difference === 0n;
  });
}

function verifySnapshot(
  options: InspectionOptions,
  path: string,
  sequence: number,
  whole: Recovery,
  wholeHash: string,
): boolean {
  const { folder, factory, print } = options;
  try {
    const { stateHash, state, release } = readSnapshot(localFiles, path);
    const restored = factory.restoreMachine([state]).stateHash();
    // Up to this very snapshot, so that each of them is proved and not only the newest.
    const only = { ...places(folder), factory, eventsAfter: sequence };
    const replayed = recover(only);
    const hash = replayed.machine.stateHash();
    const good = restored === stateHash && hash === wholeHash && replayed.machine.sequence === whole.machine.sequence;
    const verdict = good ? "agrees" : "DISAGREES";
    print(`snapshot  ${sequence} of release ${release} ${verdict}: ${hash}  (${replayed.replayed} commands after it)`);
    return good;
  } catch (error) {
    if (error instanceof RuleViolation) {
      // Whole, for its bytes agree, but laid out by another release: nothing speaks against
      // the journal.
      print(`snapshot  ${sequence} cannot be read by this release (${error.message}); a start by it is refused`);
      return true;
    }
    if (!(error instanceof EngineFault)) throw error;
    print(`snapshot  ${sequence} is damaged: ${error.message}`);
    return false;
  }
}

function describeEnd(recovery: Recovery, print: (line: string) => void): void {
  const { stop } = recovery.end;
  if (stop?.kind !== "torn") return;
  print(
    `note      an unfinished write follows at byte ${stop.offset} and will be cut at the next start: ${stop.reason}`,
  );
}

/** Replays up to a sequence and shows the last command with its events. */
export function replayTo(options: InspectionOptions & { readonly toSequence: number }): void {
  const { folder, factory, print, toSequence } = options;
  requireJournal(folder);
  const eventsAfter = toSequence - 1;
  let shown: string[] = [];
  const recovery = recover(
    { ...places(folder), factory, toSequence, eventsAfter },
    ({ machine, timeBeforeMs, hasEvents }) => {
      const { bytes, length } = machine.events;
      if (hasEvents) shown = decodeEvents(bytes, 0, length, timeBeforeMs).map(describe);
    },
  );
  const { machine, snapshot } = recovery;
  print(`sequence  ${machine.sequence}`);
  print(`time      ${new Date(machine.now).toISOString()}`);
  print(
    `state     ${machine.stateHash()}  (from ${snapshot === undefined ? "the first command" : `snapshot ${snapshot.sequence}`})`,
  );
  for (const { line } of listCommands(folder, toSequence, toSequence)) print(`command   ${line}`);
  for (const line of shown) print(`event     ${line}`);
}

export interface ListingOptions {
  readonly fromSequence: number;
  readonly toSequence: number;
  readonly commandsMax: number;
}

/** Lists segments, snapshots and, on request, batches and commands. */
export function inspectFolder(options: InspectionOptions & { readonly listing?: ListingOptions }): void {
  const { folder, print, listing } = options;
  requireJournal(folder);
  const { journalFolder, snapshotFolder } = places(folder);
  const segments = listSegments(localFiles, journalFolder);
  print(`journal ${segments[0]?.header.identity ?? "none"}: ${segments.length} segments`);
  for (const { name, header, isArchived } of segments) {
    const made = new Date(header.createdMs).toISOString();
    const size = isArchived ? "archived" : `${header.segmentBytes} bytes`;
    print(`  ${name}  from ${header.firstSequence}  ${size}  release ${header.release}  ${made}`);
  }
  print("snapshots");
  for (const { path, sequence } of listSnapshots(localFiles, snapshotFolder))
    print(`  ${sequence}  ${describeSnapshot(path)}`);
  if (listing === undefined) return;
  print("commands");
  let count = 0;
  for (const { sequence, line } of listCommands(folder, listing.fromSequence, listing.toSequence)) {
    if (++count > listing.commandsMax) {
      print(`  … stopped before ${sequence}: --limit ${listing.commandsMax}`);
      return;
    }
    print(`  ${line}`);
  }
}

function describeSnapshot(path: string): string {
  try {
    const { timeMs, release, stateHash, state } = readSnapshot(localFiles, path);
    return `${state.length} bytes  release ${release}  ${new Date(timeMs).toISOString()}  ${stateHash}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function* listCommands(folder: string, from: number, to: number): Generator<{ sequence: number; line: string }> {
  const segments = listSegments(localFiles, join(folder, "journal"));
  const reader = new FrameReader();
  for (const batch of readBatches(localFiles, segments, from, to)) {
    reader.open(batch);
    while (reader.next() > 0) {
      const { sequence } = reader;
      if (sequence < from || sequence > to) continue;
      const command = decodeCommand(reader.bytes);
      yield { sequence, line: `${describe(command)}  in ${batch.segment.name} at ${batch.offset}` };
    }
  }
}

/** One line: sequence, time, kind, then the members that say something. */
function describe(record: { readonly kind: string; readonly sequence: number; readonly time: number }): string {
  const { kind, sequence, time, ...members } = record;
  const reply = Object.entries(members)
    .filter(
      ([, value]) => value !== 0 && value !== "" && value !== false && !(Array.isArray(value) && value.length === 0),
    )
    .map(([name, value]) => `${name}=${typeof value === "object" ? JSON.stringify(value) : String(value)}`);
  return `${sequence} ${new Date(time).toISOString()} ${kind} ${reply.join(" ")}`;
}
