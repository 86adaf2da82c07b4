// Owns recovery: newest good snapshot, then the journal's commands after it, each applied once. Must never continue
// when the journal lacks what a snapshot or a projection has already seen.

import type { BalanceColumns, BalanceSlice } from "@clockwork/core/inspect/balances";
import type { IndexSources } from "@clockwork/core/inspect/contracts";
import type { Listing } from "@clockwork/core/inspect/listing";
import type { AssetSum } from "@clockwork/core/inspect/sums";
import type { Machine, MachineOptions } from "@clockwork/core/protocol/contract";
import type { KnownRules } from "@clockwork/core/protocol/rules";
import { RuleViolation } from "@clockwork/kit/assert";
import { type Files, localFiles } from "../journal/files.ts";
import { listSegments, type ReadEnd, type Segment } from "../journal/segments.ts";
import { EngineFault } from "../memory/fault.ts";
import { type CommandSpan, readSpans } from "./command-spans.ts";
import { isWorthReadingAhead, type ReadAheadOptions, readSpansAhead } from "./read-ahead.ts";
import { checkReleases, refuseSnapshot } from "./releases.ts";
import { listSnapshots, loadSnapshot, type Snapshot } from "./snapshots.ts";

/** Few enough that they remain in the processor's cache. */
const STEP_EVENT_BYTES = 256 << 10;

/** How a machine comes to be; the core's own functions, or a test's. */
export interface MachineFactory {
  createMachine(options?: MachineOptions): Machine;
  restoreMachine(parts: readonly Uint8Array[]): Machine;
  /** The numbered rules its machines know; a test machine has none. */
  readonly rules?: KnownRules;
  /** What is listed and rests in the books; a test machine has none. */
  readListing?(machine: Machine): Listing;
  /** The last values of the sources of every index; as above. */
  readIndexSources?(machine: Machine): IndexSources;
  /** What every account holds; as above. */
  readBalances?(machine: Machine, slice?: BalanceSlice): BalanceColumns;
  /** What each asset adds up to; as above. */
  readSums?(machine: Machine): readonly AssetSum[];
}

export interface RecoveryOptions {
  readonly files: Files;
  readonly journalFolder: string;
  readonly snapshotFolder: string;
  readonly factory: MachineFactory;
  /** The release that is running: it replays its own commands and those under rules that it knows. Undefined lets any pass. */
  readonly release?: string;
  /** Replay another release's commands from before rules were numbered too, with a note. */
  readonly replayOthers?: boolean;
  /** Stop after this sequence; default the journal's end. */
  readonly toSequence?: number;
  /** Start from nothing even where a snapshot would do. */
  readonly withoutSnapshots?: boolean;
  /** Give out the events of every later sequence; a snapshot beyond it is not used. */
  readonly eventsAfter?: number;
  /** How long journals are read: by default with a thread that reads ahead; false for this thread alone. */
  readonly ahead?: ReadAheadOptions | false;
  readonly onNote?: (line: string) => void;
}

export interface Recovery {
  readonly machine: Machine;
  readonly identity: string | undefined;
  readonly snapshot: Snapshot | undefined;
  readonly replayed: number;
  /** What follows the last command that was read; undefined when stopped before the end. */
  readonly end: ReadEnd;
  readonly segments: readonly Segment[];
}

/** Some commands of the journal applied; the machine's log holds its wanted events until the next step. */
export interface RecoveryStep {
  readonly machine: Machine;
  readonly timeBeforeMs: number;
  readonly hasEvents: boolean;
}

/** Comes back to the present in one go. */
export function recover(options: RecoveryOptions, onStep?: (step: RecoveryStep) => void): Recovery {
  const steps = recoverInSteps(options);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    onStep?.(step.value);
  }
}

/** The same a little at a time, for a caller that must wait for others in between. */
export function* recoverInSteps(options: RecoveryOptions): Generator<RecoveryStep, Recovery> {
  const { files, factory } = options;
  const segments = listSegments(files, options.journalFolder);
  const identity = segments[0]?.header.identity;
  const toSequence = options.toSequence ?? Number.MAX_SAFE_INTEGER;
  const sequenceMax = Math.min(toSequence, options.eventsAfter ?? toSequence);
  let snapshot: Snapshot | undefined;
  if (identity !== undefined && options.withoutSnapshots !== true) {
    const onDamaged = (fault: EngineFault): void => options.onNote?.(`passed over a snapshot: ${fault.message}`);
    snapshot = loadSnapshot(files, options.snapshotFolder, { identity, sequenceMax }, onDamaged);
  }
  let machine: Machine;
  try {
    machine = snapshot === undefined ? factory.createMachine() : factory.restoreMachine([snapshot.state]);
  } catch (error) {
    if (!(error instanceof RuleViolation) || snapshot === undefined) throw error;
    throw refuseSnapshot(snapshot.path, snapshot.release, error.message);
  }
  if (machine.sequence !== (snapshot?.sequence ?? 0)) {
    const reason = `restored to sequence ${machine.sequence} instead of ${snapshot?.sequence}`;
    throw new EngineFault("REPLAY_DIVERGED", reason, { file: snapshot?.path ?? options.snapshotFolder });
  }
  if (options.release !== undefined) {
    const { release, replayOthers = false, onNote } = options;
    const range = { fromSequence: machine.sequence, toSequence };
    checkReleases(segments, { release, rules: factory.rules, replayOthers, onNote }, range);
  }
  machine.events.clear();
  const { end, replayed } = yield* replayFiles(options, machine, segments, toSequence);
  checkWitnesses(options, end);
  return { machine, identity, snapshot, replayed, end, segments };
}

/** Brings a machine forward by durable commands of a journal that is being written. */
export function advance(files: Files, journalFolder: string, machine: Machine, toSequence: number): void {
  const range = { segments: listSegments(files, journalFolder), afterSequence: machine.sequence, toSequence };
  for (const _ of applySpans(machine, readSpans(files, range), Number.MAX_SAFE_INTEGER));
}

/** Applies what follows the machine's sequence: with a thread that reads ahead where that pays, else on this one alone. */
function* replayFiles(
  options: RecoveryOptions,
  machine: Machine,
  segments: readonly Segment[],
  toSequence: number,
): Generator<RecoveryStep, { end: ReadEnd; replayed: number }> {
  const { files, ahead = {}, eventsAfter = Number.MAX_SAFE_INTEGER } = options;
  const range = { segments, afterSequence: machine.sequence, toSequence };
  let end: ReadEnd | undefined;
  // Only real files can be read by another thread.
  if (files === localFiles && ahead !== false && isWorthReadingAhead(range, ahead)) {
    end = yield* applySpans(machine, readSpansAhead(range, ahead, options.onNote), eventsAfter);
  }
  end ??= yield* applySpans(machine, readSpans(files, range, machine.sequence), eventsAfter);
  return { end, replayed: machine.sequence - range.afterSequence };
}

function* applySpans<End>(
  machine: Machine,
  spans: Generator<CommandSpan, End>,
  eventsAfter: number,
): Generator<RecoveryStep, End> {
  try {
    for (;;) {
      const step = spans.next();
      if (step.done) return step.value;
      const { at, end } = step.value;
      for (let from = at; from < end; ) {
        const timeBeforeMs = machine.now;
        from = applySome(machine, step.value, from, eventsAfter);
        const hasEvents = machine.sequence > eventsAfter && machine.events.length > 0;
        yield { machine, timeBeforeMs, hasEvents };
        machine.events.clear();
      }
    }
  } finally {
    // Also when a command broke a rule or the caller is done: a thread may be reading.
    spans.return(undefined as End);
  }
}

/** Applies commands from byte `from` until the span ends, enough events have gathered, or the requested ones start. */
function applySome(machine: Machine, { bytes, i32, end }: CommandSpan, from: number, eventsAfter: number): number {
  const { events } = machine;
  let at = from;
  // These are not requested: each overwrites the last one, which remains in the processor's nearest cache.
  for (let quiet = eventsAfter - machine.sequence; quiet > 0 && at < end; quiet--) {
    machine.apply(bytes, at);
    at += (i32[at >> 2] as number) & 0xffff;
    events.clear();
  }
  if (at > from) return at;
  while (at < end && events.length < STEP_EVENT_BYTES) {
    machine.apply(bytes, at);
    at += (i32[at >> 2] as number) & 0xffff;
  }
  return at;
}

/** Snapshots are taken of durable states only: one beyond the journal's end means that commands are gone. */
function checkWitnesses(options: RecoveryOptions, end: ReadEnd): void {
  if (options.toSequence !== undefined && end.lastSequence < options.toSequence) {
    const reason = `ends at ${end.lastSequence}, but ${options.toSequence} was asked for`;
    throw new EngineFault("JOURNAL_BEHIND", reason, { file: options.journalFolder });
  }
  const eventsAfter = options.eventsAfter ?? 0;
  if (eventsAfter > end.lastSequence && end.stop !== undefined) {
    const reason = `ends at ${end.lastSequence}, but the projection has seen ${eventsAfter}: commands are missing`;
    throw new EngineFault("JOURNAL_BEHIND", reason, { file: options.journalFolder });
  }
}

/** Refuses to create a journal anew where there has been one: snapshots or tables made from it are proof. */
export function checkJournalThere(files: Files, folder: string, snapshotFolder: string, tablesSequence: number): void {
  if (listSegments(files, folder).length > 0) return;
  const newest = listSnapshots(files, snapshotFolder)[0];
  const proofs = [
    ...(newest === undefined ? [] : [`${newest.path} was taken at ${newest.sequence}`]),
    ...(tablesSequence > 0 ? [`the tables hold events up to ${tablesSequence}`] : []),
  ];
  if (proofs.length === 0) return;
  const reason = `the journal is missing, but ${proofs.join(" and ")}. Nothing was written. Restore the segments from a copy`;
  throw new EngineFault("JOURNAL_MISSING", reason, { file: folder });
}

/** Refuses a journal that ends before the newest snapshot: commands that were acknowledged are missing. */
export function checkSnapshotsBehind(files: Files, folder: string, durableSequence: number): void {
  const newest = listSnapshots(files, folder)[0];
  if (newest === undefined || newest.sequence <= durableSequence) return;
  const reason = `was taken at ${newest.sequence}, but the journal ends at ${durableSequence}: commands are missing`;
  throw new EngineFault("JOURNAL_BEHIND", reason, { file: newest.path, sequence: newest.sequence });
}
