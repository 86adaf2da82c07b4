// Checks the bytes of a snapshot's header against their description, which releases must read for good, and what cannot be
// written or is not one. Damage and disks that fail are in snapshots.test.ts.
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32c } from "@clockwork/kit/hash";
import { afterEach, beforeEach, expect, test } from "vitest";
import { localFiles } from "../journal/files.ts";
import { faultOf } from "../journal/journal-fixture.ts";
import { LossyDisk, PowerCut } from "../journal/lossy-disk-fixture.ts";
import {
  listSnapshots,
  loadSnapshot,
  readSnapshot,
  SNAPSHOTS_KEPT,
  type SnapshotHeader,
  writeSnapshot,
} from "./snapshots.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cw-snapshot-format-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const IDENTITY = "00112233445566778899aabbccddeeff";
const HEADER: SnapshotHeader = {
  sequence: 2 ** 33 + 9,
  timeMs: 1_762_000_000_000.5,
  identity: IDENTITY,
  stateHash: "0123456789abcdef",
  release: "1.2.3-ä",
};
const STATE = [Uint8Array.of(1, 2, 3), new Uint8Array(0), new Uint8Array(5_000).fill(8)];

test("[SNAPSHOT-1] a snapshot is a page with every field in its place, then the unchanged state", () => {
  const path = writeSnapshot(localFiles, folder, HEADER, STATE);
  expect(path).toBe(join(folder, "snapshot-0000008589934601.state"));
  const bytes = new Uint8Array(readFileSync(path));
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const text = (at: number, length: number): string => Buffer.from(bytes.subarray(at, at + length)).toString();
  expect(bytes.length).toBe(4_096 + 5_003);
  expect(text(0, 8)).toBe("CWSNAP01");
  expect(view.getUint32(8, true)).toBe(1);
  expect([view.getFloat64(16, true), view.getFloat64(24, true)]).toEqual([HEADER.sequence, HEADER.timeMs]);
  expect(Buffer.from(bytes.subarray(32, 48)).toString("hex")).toBe(IDENTITY);
  const state = bytes.subarray(4_096);
  expect(Buffer.from(bytes.subarray(48, 80))).toEqual(createHash("sha256").update(state).digest());
  expect([bytes[80], text(81, 16), bytes[97]]).toEqual([16, HEADER.stateHash, 0]);
  expect([bytes[168], text(169, 8), bytes[177]]).toEqual([8, HEADER.release, 0]);
  expect(view.getFloat64(240, true)).toBe(5_003);
  const page = bytes.slice(0, 4_096);
  page.fill(0, 12, 16);
  expect(view.getUint32(12, true)).toBe(crc32c(page));
  expect(createHash("sha256").update(bytes).digest("hex")).toBe(
    "dd982a5fef095f4c98ab35833738487ac948b9566d6302763c29ad453a55a67a",
  );
  expect(Buffer.compare(state, Buffer.concat(STATE))).toBe(0);
  expect(readSnapshot(localFiles, path)).toEqual({ ...HEADER, path, state: new Uint8Array(state) });
});

test("[SNAPSHOT-1] the longest hash and release fit, one letter more does not, and an empty state is one", () => {
  const longest = { ...HEADER, stateHash: "h".repeat(80), release: "r".repeat(64) };
  // Into a folder that does not exist.
  const deep = join(folder, "not", "yet");
  expect(writeSnapshot(localFiles, deep, HEADER, STATE)).toContain(deep);
  const path = writeSnapshot(localFiles, folder, longest, []);
  expect(readSnapshot(localFiles, path)).toEqual({ ...longest, path, state: new Uint8Array(0) });
  for (const more of [{ stateHash: "h".repeat(81) }, { release: "r".repeat(65) }]) {
    expect(() => writeSnapshot(localFiles, folder, { ...HEADER, sequence: 5, ...more }, STATE)).toThrow(RangeError);
    expect(listSnapshots(localFiles, folder).map(({ sequence }) => sequence)).toEqual([HEADER.sequence]);
  }
});

test("[SNAPSHOT-3] a file that is no snapshot, or of a later format, is reported as that, by name", () => {
  const path = writeSnapshot(localFiles, folder, HEADER, STATE);
  const pristine = readFileSync(path);
  const answer = (bytes: Uint8Array): string => {
    writeFileSync(path, bytes);
    const fault = faultOf(() => readSnapshot(localFiles, path));
    expect([fault.code, fault.place]).toEqual(["SNAPSHOT_DAMAGED", { file: path }]);
    return fault.message.slice(`SNAPSHOT_DAMAGED: ${path}: `.length);
  };
  expect(answer(pristine.subarray(0, 4_095))).toBe("shorter than a snapshot header");
  expect(answer(new Uint8Array(9_000))).toBe("not a snapshot");
  expect(answer(pristine.subarray(0, -1))).toBe("holds 5002 bytes of state instead of 5003");
  expect(answer(pristine.subarray(0, 4_096))).toBe("holds 0 bytes of state instead of 5003");
  const flipped = (at: number): Uint8Array => {
    const bytes = Uint8Array.from(pristine);
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    return bytes;
  };
  expect(answer(flipped(4_095))).toBe("checksum of the header is wrong");
  expect(answer(flipped(4_096))).toBe("checksum of the state is wrong");
  const later = Uint8Array.from(pristine);
  later[8] = 2;
  later.fill(0, 12, 16);
  new DataView(later.buffer).setUint32(12, crc32c(later.slice(0, 4_096)), true);
  expect(answer(later)).toBe("format 2 is not known to this release");
});

test("[SNAPSHOT-2] only names of snapshots are listed, newest first, and the two newest are kept with other files untouched", () => {
  expect(SNAPSHOTS_KEPT).toBe(2);
  for (const name of ["snapshot-1.state", "snapshot-0000000000000001.state~", "x-snapshot-0000000000000001.state"])
    writeFileSync(join(folder, name), "");
  for (const sequence of [7, 3, 900, 20]) writeSnapshot(localFiles, folder, { ...HEADER, sequence }, STATE);
  expect(listSnapshots(localFiles, folder).map(({ path, sequence }) => [path, sequence])).toEqual([
    [join(folder, "snapshot-0000000000000900.state"), 900],
    [join(folder, "snapshot-0000000000000020.state"), 20],
  ]);
  expect(readdirSync(folder)).toHaveLength(5);
});

test("[SNAPSHOT-2] loading passes over what is too new without looking, and over what is damaged with a word", () => {
  for (const sequence of [10, 20]) writeSnapshot(localFiles, folder, { ...HEADER, sequence }, STATE);
  writeFileSync(join(folder, "snapshot-0000000000000020.state"), "broken");
  const words: string[] = [];
  const load = (sequenceMax: number) =>
    loadSnapshot(localFiles, folder, { identity: IDENTITY, sequenceMax }, (fault) => words.push(fault.message))
      ?.sequence;
  expect([load(19), words]).toEqual([10, []]);
  expect([load(20), words.splice(0).length]).toEqual([10, 1]);
  expect([load(10), load(9), words]).toEqual([10, undefined, []]);
  const failing = {
    ...localFiles,
    open: () => {
      throw new Error("no descriptors left");
    },
  };
  const wanted = { identity: IDENTITY, sequenceMax: 99 };
  expect(() => loadSnapshot(failing, folder, wanted, () => undefined)).toThrow("no descriptors left");
});

test("[SNAPSHOT-4] the power cut at any step leaves the older snapshot or the new one whole, as reported", () => {
  const at = "/disk/snapshots";
  const load = (disk: LossyDisk) =>
    loadSnapshot(disk, at, { identity: IDENTITY, sequenceMax: 99 }, (fault) => {
      throw fault;
    });
  for (let step = 1; step <= 14; step++) {
    for (let seed = 1; seed <= 5; seed++) {
      const disk = new LossyDisk();
      writeSnapshot(disk, at, { ...HEADER, sequence: 10 }, STATE);
      disk.cutAt = disk.steps + step;
      let answer = 10;
      try {
        let isReady = false;
        const ready = (): void => {
          // Only the name is missing then.
          expect(disk.list(at)).toEqual(["snapshot-0000000000000010.state", "snapshot.tmp"]);
          isReady = true;
        };
        writeSnapshot(disk, at, { ...HEADER, sequence: 20 }, STATE, { ready });
        expect(isReady).toBe(true);
        answer = 20;
      } catch (error) {
        if (!(error instanceof Error) || !(error instanceof PowerCut || error.cause instanceof PowerCut)) throw error;
      }
      disk.restart(seed * 100 + step);
      const found = load(disk);
      expect(found?.sequence).toBeGreaterThanOrEqual(answer);
      expect(Buffer.compare(found?.state ?? new Uint8Array(0), Buffer.concat(STATE))).toBe(0);
    }
  }
  const disk = new LossyDisk();
  writeSnapshot(disk, at, HEADER, STATE);
  expect(disk.opened).toBe(0);
});
