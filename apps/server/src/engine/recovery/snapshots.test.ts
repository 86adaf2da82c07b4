// Checks snapshot files: whole or not there, two kept, and a damaged newest one passed over for the older.
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { faultyFiles, systemError } from "../journal/fault-files.ts";
import { type Files, localFiles } from "../journal/files.ts";
import { EngineFault } from "../memory/fault.ts";
import { loadSnapshot, readSnapshot, type SnapshotHeader, writeSnapshot } from "./snapshots.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cw-snapshots-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const IDENTITY = "00112233445566778899aabbccddeeff";
const header = (sequence: number): SnapshotHeader => ({
  sequence,
  timeMs: 1_700_000_000_000 + sequence,
  identity: IDENTITY,
  stateHash: "ab".repeat(32),
  release: "test-1",
});
const parts = (sequence: number): Uint8Array[] => [
  new Uint8Array(100_000).fill(sequence),
  new Uint8Array(0),
  new Uint8Array(13).fill(7),
];
const write = (sequence: number, files: Files = localFiles): string =>
  writeSnapshot(files, folder, header(sequence), parts(sequence));

function load(sequenceMax = Number.MAX_SAFE_INTEGER, identity = IDENTITY) {
  const passedOver: string[] = [];
  const snapshot = loadSnapshot(localFiles, folder, { identity, sequenceMax }, (fault) =>
    passedOver.push(fault.message),
  );
  return { snapshot, passedOver };
}

test("[SNAPSHOT-1] a snapshot comes back as it was, header and parts", () => {
  const { path, ...rest } = readSnapshot(localFiles, write(42));
  expect(rest).toEqual({ ...header(42), state: new Uint8Array(Buffer.concat(parts(42))) });
  expect(path).toContain("snapshot-0000000000000042.state");
});

test("[SNAPSHOT-2] the two newest are kept, and the newest at or below the wanted sequence is chosen", () => {
  for (const sequence of [5, 10, 20]) write(sequence);
  expect(readdirSync(folder)).toEqual(["snapshot-0000000000000010.state", "snapshot-0000000000000020.state"]);
  expect(load().snapshot?.sequence).toBe(20);
  expect(load(19).snapshot?.sequence).toBe(10);
  expect(load(9).snapshot).toBeUndefined();
});

test("[SNAPSHOT-6] next to the two newest the one that the tables' replay starts from is kept, however old", () => {
  const left = (): number[] => readdirSync(folder).map((name) => Number(name.slice(9, 25)));
  const write = (sequence: number, tablesSequence: number): string =>
    writeSnapshot(localFiles, folder, header(sequence), parts(sequence), { tablesSequence });
  for (const sequence of [5, 10, 20, 30, 40]) write(sequence, 12);
  expect(left()).toEqual([10, 30, 40]);
  expect(load(12).snapshot?.sequence).toBe(10);
  write(50, 35);
  expect(left()).toEqual([30, 40, 50]);
  write(60, 55);
  expect(left()).toEqual([50, 60]);
  write(70, 0);
  expect(left()).toEqual([60, 70]);
});

test("[SNAPSHOT-3] any flipped bit in the newest, or a shorter or longer file, falls back to the older", () => {
  write(10);
  const path = write(20);
  const pristine = readFileSync(path);
  for (let at = 0; at < 4096 + 600; at += 7) {
    const bytes = Buffer.from(pristine);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << (at % 8));
    writeFileSync(path, bytes);
    expect(load().snapshot?.sequence).toBe(10);
  }
  for (const bytes of [
    pristine.subarray(0, 100),
    pristine.subarray(0, -1),
    Buffer.concat([pristine, Buffer.alloc(1)]),
  ]) {
    writeFileSync(path, bytes);
    const { snapshot, passedOver } = load();
    expect(snapshot?.sequence).toBe(10);
    expect(passedOver[0]).toContain(path);
  }
});

test("[SNAPSHOT-3] a renamed copy and a snapshot of another journal are passed over", () => {
  const path = write(10);
  copyFileSync(path, join(folder, "snapshot-0000000000000030.state"));
  const { snapshot, passedOver } = load();
  expect(snapshot?.sequence).toBe(10);
  expect(passedOver[0]).toContain("is a copy of the snapshot at 10");
  expect(load(100, "ff".repeat(16)).snapshot).toBeUndefined();
});

test("[SNAPSHOT-4] a full disk or a failed sync leaves the older snapshots alone", () => {
  write(10);
  const faults = [
    faultyFiles({ onWrite: (_path, bytes) => (bytes.length > 50_000 ? 4096 : undefined) }),
    faultyFiles({ onWrite: () => systemError("ENOSPC") }),
    faultyFiles({ onSync: () => systemError("EIO") }),
  ];
  for (const files of faults) {
    expect(() => write(20, files)).toThrow(EngineFault);
    expect(load().snapshot?.sequence).toBe(10);
  }
});

test("[SNAPSHOT-5] with a pause a large state is synced piece by piece, and comes back the same", () => {
  const done: string[] = [];
  const files = faultyFiles({
    onWrite: (_path, bytes) => {
      done.push(`write ${bytes.length}`);
      return undefined;
    },
    onSync: () => {
      done.push("sync");
      return undefined;
    },
  });
  const piece = 4 << 20;
  const large = [new Uint8Array(40).fill(1), new Uint8Array(2 * piece + 5).fill(2)];
  const path = writeSnapshot(files, folder, header(30), large, { pause: () => done.push("pause") });
  const paced = [`write ${piece}`, "sync", "pause"];
  expect(done).toEqual(["write 40", ...paced, ...paced, "write 5", "write 4096", "sync"]);
  expect(Buffer.compare(readSnapshot(localFiles, path).state, Buffer.concat(large))).toBe(0);
});
