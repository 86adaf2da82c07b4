// Owns the machine's state as bytes: every table in a fixed order, and the hash over the same words.
// Free chains and spent records are part of the state, because they decide the ids to come; the hash is therefore
// one of history: the same commands give the same hash, with or without a snapshot between, on any machine.
import { assert } from "@clockwork/kit/assert";
import { concatBytes } from "@clockwork/kit/bytes";
import { crc32c, WordHash } from "@clockwork/kit/hash";
import type { Table } from "../memory/table.ts";
import { type Core, G_NOW, G_SEQUENCE } from "../state/core.ts";
import { bindRules } from "../state/rules.ts";

const MAGIC = 0x4b4c4353;
/** One more whenever a record means something else than before. */
const VERSION = 15;
/**
 * Layouts from the oldest on lack these tables and nothing else: by table, the first layout that has it. They begin empty; an
 * empty one is left out of the hash too, so that a state has the same hash in all of them.
 */
const OLDEST_VERSION = 10;
const LATER_TABLES: ReadonlyMap<string, number> = new Map([
  ["order-rounds", 11],
  ["value-clock", 12],
  ["market-values", 12],
  ["asset-values", 12],
  ["debts", 13],
  ["rules", 15],
]);
const HEADER_WORDS = 6;
const PART_WORDS = 8;
/** Words of the header and of a table's head. */
const SEALED = 4;
const CRC = 4;

function stamp(core: Core): void {
  core.globals.f64[G_SEQUENCE] = core.sequence;
  core.globals.f64[G_NOW] = core.now;
}

export function hashState(core: Core): string {
  stamp(core);
  const hash = new WordHash();
  const head = new Int32Array(3);
  for (const table of core.tables()) {
    if (table.count === 1 && LATER_TABLES.has(table.name)) continue;
    head[0] = table.count;
    head[1] = table.freeHead;
    head[2] = table.stride;
    hash.update(head);
    hash.update(table.i32, 0, table.usedWords);
  }
  return hash.hex();
}

/**
 * First a header part, then per table a head (count, free chain, stride, CRC) and its words: a copy, or where they lie for
 * whoever writes them away before the next command.
 */
export function saveState(core: Core, inPlace = false): Uint8Array[] {
  stamp(core);
  const tables = core.tables();
  const header = new Int32Array(HEADER_WORDS);
  header.set([MAGIC, VERSION, tables.length, core.markets.table.count]);
  const parts: Uint8Array[] = [new Uint8Array(header.buffer)];
  for (const table of tables) {
    const used = table.i32.subarray(0, table.usedWords);
    const words = inPlace ? used : used.slice();
    const bytes = new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
    const head = new Int32Array(PART_WORDS);
    head.set([table.count, table.freeHead, table.stride, words.length, 0]);
    parts.push(new Uint8Array(head.buffer), bytes);
  }
  return parts;
}

/** Adds a checksum to every table, so that loadState finds any damage. May run on another thread. */
export function sealSnapshot(parts: readonly Uint8Array[]): void {
  const [header, ...rest] = parts;
  if (header === undefined) return;
  new DataView(header.buffer, header.byteOffset).setInt32(SEALED * 4, 1, true);
  for (let i = 0; i + 1 < rest.length; i += 2) {
    const head = rest[i] as Uint8Array;
    new DataView(head.buffer, head.byteOffset).setInt32(CRC * 4, crc32c(rest[i + 1] as Uint8Array) | 0, true);
  }
}

/** What is wrong with the layout of a snapshot that begins with these bytes. */
export function judgeLayout(state: Uint8Array): string | undefined {
  if (state.length < HEADER_WORDS * 4) return "it is too short";
  const view = new DataView(state.buffer, state.byteOffset, state.byteLength);
  const version = view.getInt32(4, true);
  const isKnown = view.getInt32(0, true) === MAGIC && version >= OLDEST_VERSION && version <= VERSION;
  if (isKnown) return undefined;
  return `its layout ${version} is not known to this release, which reads ${OLDEST_VERSION} to ${VERSION}`;
}

export function loadState(core: Core, parts: readonly Uint8Array[]): void {
  const joined = parts.length === 1 ? (parts[0] as Uint8Array) : undefined;
  const bytes = joined !== undefined && joined.byteOffset % 8 === 0 ? joined : concatBytes(parts);
  const problem = judgeLayout(bytes);
  assert(problem === undefined, "SNAPSHOT-1", problem ?? "");
  const header = new Int32Array(bytes.buffer, bytes.byteOffset, HEADER_WORDS);
  const version = header[1] as number;
  core.books.ladders.length = 0;
  core.triggers.close();
  core.perps.close();
  core.bots.close();
  for (let market = 1; market < (header[3] as number); market++) {
    core.books.open(market);
    core.triggers.open(market);
    core.perps.open(market);
    core.bots.open(market);
  }
  // The list of tables depends on how many markets there are; those of before must leave nothing behind.
  core.markets.table.load(new Int32Array((header[3] as number) * core.markets.table.stride), header[3] as number, 0);
  const all = core.tables();
  const tables = all.filter(({ name }) => (LATER_TABLES.get(name) ?? 0) <= version);
  assert(tables.length === header[2], "SNAPSHOT-1", "a table is missing");
  for (const table of all) if (!tables.includes(table)) table.load(new Int32Array(table.stride), 1, 0);
  let at = HEADER_WORDS * 4;
  for (const table of tables) at = loadTable(table, bytes, at, header[SEALED] === 1);
  assert(at === bytes.length, "SNAPSHOT-2", "bytes are left over");
  core.followUps.remove();
  core.clock[G_SEQUENCE] = core.globals.f64[G_SEQUENCE] as number;
  core.clock[G_NOW] = core.globals.f64[G_NOW] as number;
  bindRules(core);
}

function loadTable(table: Table, bytes: Uint8Array, at: number, sealed: boolean): number {
  assert(at + PART_WORDS * 4 <= bytes.length, "SNAPSHOT-2", `cut before ${table.name}`);
  const head = new Int32Array(bytes.buffer, bytes.byteOffset + at, PART_WORDS);
  const [count, freeHead, stride, length, crc] = head as unknown as [number, number, number, number, number];
  const from = at + PART_WORDS * 4;
  const to = from + length * 4;
  assert(
    stride === table.stride && length === count * stride && to <= bytes.length,
    "SNAPSHOT-2",
    `${table.name} is cut`,
  );
  assert(!sealed || (crc32c(bytes, from, to) | 0) === crc, "SNAPSHOT-3", `${table.name} is damaged`);
  table.load(new Int32Array(bytes.buffer, bytes.byteOffset + from, length), count, freeHead);
  return to;
}
