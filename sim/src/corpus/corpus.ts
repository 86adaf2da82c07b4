// Owns the corpus: for each release the journals it has made, a snapshot on the way and what they led to. Every later release has to
// decide the same under the same rules, from the first command and from that snapshot (docs/decisions/0081).
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";
import { coreOf, createMachine, restoreMachine } from "@clockwork/core/machine/machine";
import { sealSnapshot } from "@clockwork/core/machine/snapshot";
import { commandTime, encodeCommand, stampCommand } from "@clockwork/core/protocol/codec";
import { COMMANDS } from "@clockwork/core/protocol/command";
import type { Machine, MachineOptions } from "@clockwork/core/protocol/contract";
import { COMMAND_NAMES, EVENT_BYTES, EVENTS } from "@clockwork/core/protocol/event";

export const CORPUS = join(import.meta.dirname, "../../corpus");
const EXPECTED = "expected.json";
const DIGITS = 16;

/** What a journal led to: a hash over the events of each kind, of each table at the end, and of the whole state. */
export interface Outcome {
  readonly commands: number;
  readonly state: string;
  readonly events: Readonly<Record<string, string>>;
  readonly tables: Readonly<Record<string, string>>;
}

/** The file that is read by people: which rules, and the hash of the state after each journal. */
export interface Expected {
  readonly rules: number;
  readonly journals: Readonly<Record<string, string>>;
}

const EVENT_NAMES = new Map(Object.entries(EVENTS).map(([name, { kind }]) => [kind as number, name]));

/** Begins with the rules that decide it, as the journals of the engine do. */
export function numberRules(journal: readonly Uint8Array[], rules: number): readonly Uint8Array[] {
  const bytes = new Uint8Array(64);
  const first = bytes.slice(0, encodeCommand({ kind: "setRules", rules }, bytes));
  const [begin = first] = journal;
  const startMs = commandTime(viewOf(begin), 0);
  return [first, ...journal].map((command, at) => {
    const stamped = command.slice();
    stampCommand(viewOf(stamped), 0, at + 1, at === 0 ? startMs : commandTime(viewOf(command), 0));
    return stamped;
  });
}

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Applies the commands; what it led to, and the kinds of commands that were not refused. */
export function replay(
  journal: readonly Uint8Array[],
  machine: Machine = createMachine(),
): { readonly outcome: Outcome; readonly accepted: ReadonlySet<string> } {
  const events = new Map<string, ReturnType<typeof createHash>>();
  const accepted = new Set<string>();
  for (const command of journal) {
    machine.events.clear();
    machine.apply(command, 0);
    const { bytes, from, length } = machine.events;
    let isRefused = false;
    for (let at = from; at < from + length; at += EVENT_BYTES) {
      const kind = EVENT_NAMES.get(bytes[at] as number) ?? "unknown";
      isRefused ||= kind === "rejected";
      const digest = events.get(kind) ?? createHash("sha256");
      events.set(kind, digest.update(bytes.subarray(at, at + EVENT_BYTES)));
    }
    if (!isRefused) accepted.add(COMMAND_NAMES[viewOf(command).getUint8(2)] ?? "none");
  }
  // Writes the clock into its table as well.
  const state = machine.stateHash();
  const tables = coreOf(machine)
    .tables()
    .map(({ name, i32, usedWords }, at): [string, string] => [
      `${at} ${name}`,
      digestOf(new Uint8Array(i32.buffer, i32.byteOffset, usedWords * 4)),
    ]);
  const outcome = {
    commands: machine.sequence,
    state,
    events: Object.fromEntries([...events].sort().map(([kind, digest]) => [kind, cut(digest.digest("hex"))])),
    tables: gather(tables),
  };
  return { outcome, accepted };
}

const cut = (hex: string): string => hex.slice(0, DIGITS);
const digestOf = (bytes: Uint8Array): string => cut(createHash("sha256").update(bytes).digest("hex"));

/** Tables of one name belong to markets in their order: one hash for all of them. Later layouts add tables, so the place is left out. */
function gather(tables: readonly (readonly [string, string])[]): Record<string, string> {
  const found = new Map<string, string[]>();
  for (const [placed, digest] of tables) {
    const name = placed.replace(/^\d+ /, "").replace(/[ :.-]?\d+$/, "");
    found.set(name, [...(found.get(name) ?? []), digest]);
  }
  return Object.fromEntries(
    [...found].map(([name, digests]) => [
      name,
      digests.length === 1 ? (digests[0] ?? "") : digestOf(new TextEncoder().encode(digests.join())),
    ]),
  );
}

/** What differs, in one line each; tables that came later are left out. */
export function compare(name: string, expected: Outcome, found: Outcome): readonly string[] {
  const differing = (kind: "events" | "tables"): readonly string[] =>
    Object.keys(expected[kind]).filter((one) => expected[kind][one] !== found[kind][one]);
  const more = Object.keys(found.events).filter((one) => expected.events[one] === undefined);
  return [
    ...(expected.commands === found.commands ? [] : [`${name}: ${found.commands} commands, not ${expected.commands}`]),
    ...differing("events").map((one) => `${name}: events ${one} differ`),
    ...more.map((one) => `${name}: events ${one} are new`),
    ...differing("tables").map((one) => `${name}: table ${one} differs`),
    ...(expected.state === found.state ? [] : [`${name}: state ${found.state}, not ${expected.state}`]),
  ];
}

function pack(parts: readonly Uint8Array[]): Buffer {
  const pieces = parts.flatMap((part) => [Buffer.from(Uint32Array.of(part.length).buffer), part]);
  return brotliCompressSync(Buffer.concat(pieces), { params: { [constants.BROTLI_PARAM_LGWIN]: 24 } });
}

function unpack(file: string): readonly Uint8Array[] {
  const bytes = brotliDecompressSync(readFileSync(file));
  const parts: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = bytes.readUInt32LE(at);
    // A memory of its own: commands lie at a multiple of 8.
    parts.push(Uint8Array.from(bytes.subarray(at + 4, at + 4 + length)));
    at += 4 + length;
  }
  return parts;
}

export function listReleases(): readonly string[] {
  return existsSync(CORPUS) ? readdirSync(CORPUS).sort() : [];
}

export function readExpected(release: string): Expected {
  return JSON.parse(readFileSync(join(CORPUS, release, EXPECTED), "utf8")) as Expected;
}

/** Writes the journals of a release with what this core makes of them. */
export function writeRelease(
  release: string,
  rules: number,
  makers: Readonly<Record<string, () => readonly Uint8Array[]>>,
): void {
  const folder = join(CORPUS, release);
  mkdirSync(folder, { recursive: true });
  const journals: Record<string, string> = {};
  for (const [name, make] of Object.entries(makers)) {
    const journal = numberRules(make(), rules);
    const half = createMachine();
    for (const command of journal.slice(0, journal.length >> 1)) half.apply(command, 0);
    const parts = half.snapshot();
    sealSnapshot(parts);
    const { outcome } = replay(journal);
    const text = new TextEncoder().encode(JSON.stringify(outcome));
    writeFileSync(join(folder, `${name}.br`), pack([text, Buffer.concat(parts), ...journal]));
    journals[name] = outcome.state;
  }
  writeFileSync(join(folder, EXPECTED), `${JSON.stringify({ rules, journals }, undefined, 2)}\n`);
}

export interface Replayed {
  readonly problems: readonly string[];
  readonly accepted: ReadonlySet<string>;
}

/** Replays one journal by fast paths, by general ones, and from its snapshot. */
export function checkJournal(release: string, name: string, stateHash: string): Replayed {
  const [text, state, ...journal] = unpack(join(CORPUS, release, `${name}.br`));
  if (text === undefined || state === undefined) throw new Error(`${release} ${name} is cut`);
  const expected = JSON.parse(new TextDecoder().decode(text)) as Outcome;
  if (expected.state !== stateHash) throw new Error(`${release} ${name} is not the journal of ${EXPECTED}`);
  const by = (way: string, options: MachineOptions): Replayed => {
    const { outcome, accepted } = replay(journal, createMachine(options));
    return { problems: compare(`${release} ${name}, ${way}`, expected, outcome), accepted };
  };
  const fast = by("fast paths", { fastPathsAfter: 0, orderCapacity: 4_096, accountCapacity: 512 });
  const general = by("general paths", { fastPathsAfter: Number.POSITIVE_INFINITY });
  return {
    problems: [...fast.problems, ...general.problems, ...checkSnapshot(release, name, expected, journal, state)],
    accepted: fast.accepted,
  };
}

function checkSnapshot(
  release: string,
  name: string,
  expected: Outcome,
  journal: readonly Uint8Array[],
  state: Uint8Array,
): readonly string[] {
  const machine = restoreMachine([state]);
  const { outcome } = replay(journal.slice(machine.sequence), machine);
  // Events before the snapshot are not given out again.
  return compare(`${release} ${name}, from its snapshot`, { ...expected, events: outcome.events }, outcome);
}

/** Kinds of commands that no journal of the release carries out. */
export function listMissing(accepted: ReadonlySet<string>): readonly string[] {
  return Object.keys(COMMANDS).filter((kind) => !accepted.has(kind));
}
