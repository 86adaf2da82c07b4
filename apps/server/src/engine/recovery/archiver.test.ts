// Checks the archive: which segments go, that nothing is lost wherever it is killed, and that a replay, a copy and a listing
// read across the border, from a folder and from a store.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { copyJournal } from "../../copies/copy-journal.ts";
import { FolderWatch } from "../folder-watch.ts";
import { type ArchivePlace, notePlace, openStore } from "../journal/archive-store.ts";
import { readSegment } from "../journal/archived.ts";
import { faultyFiles, systemError } from "../journal/fault-files.ts";
import { FileJournal } from "../journal/file-journal.ts";
import { type Files, localFiles } from "../journal/files.ts";
import { faultOf, fillOrders, SMALL_SEGMENT_BYTES } from "../journal/journal-fixture.ts";
import { S3_CREDENTIALS, startS3 } from "../journal/s3-fixture.ts";
import { listSegments, readBatches } from "../journal/segments.ts";
import { testFactory } from "../threads/test-machine.ts";
import { archiveOldest } from "./archiver.ts";
import { recover } from "./recovery.ts";
import { writeSnapshot } from "./snapshots.ts";

const FOLDER: ArchivePlace = { kind: "folder", path: "archive" };
let folder = "";
let [journalFolder, snapshotFolder] = ["", ""];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cw-archive-"));
  [journalFolder, snapshotFolder] = [join(folder, "journal"), join(folder, "snapshots")];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Small segments of orders, and snapshots after these commands. */
function write(batches: number, snapshots: readonly number[]): void {
  const journal = new FileJournal({ folder: journalFolder, release: "test-1", segmentBytes: SMALL_SEGMENT_BYTES });
  journal.begin();
  fillOrders(journal, batches, 100);
  journal.close();
  for (const sequence of snapshots) take(sequence);
}

function take(sequence: number): void {
  const { machine, identity = "" } = replay({ toSequence: sequence });
  const header = { sequence, timeMs: machine.now, identity, stateHash: machine.stateHash(), release: "test-1" };
  writeSnapshot(localFiles, snapshotFolder, header, machine.snapshot());
}

const replay = (more: { readonly toSequence?: number } = {}, files: Files = localFiles) =>
  recover({
    files,
    journalFolder,
    snapshotFolder,
    factory: testFactory,
    ahead: false,
    withoutSnapshots: true,
    ...more,
  });

const hash = (): string => replay().machine.stateHash();

async function archive(place: ArchivePlace = FOLDER, files: Files = localFiles): Promise<readonly string[]> {
  const names: string[] = [];
  notePlace(files, journalFolder, place);
  const options = { files, journalFolder, snapshotFolder, store: openStore(place, journalFolder, files) };
  for (let moved = await archiveOldest(options); moved !== undefined; moved = await archiveOldest(options))
    names.push(moved.name);
  return names;
}

const journalNames = (): readonly string[] => readdirSync(journalFolder).filter((name) => name.startsWith("segment-"));

test("[OPS-6] segments that two snapshots stand behind are archived, and a replay from the first command is the same", async () => {
  write(320, [26_000]);
  const before = hash();
  const count = journalNames().length;
  expect(count).toBeGreaterThan(5);
  // One snapshot alone may turn out to be broken.
  expect(await archive()).toEqual([]);
  take(27_000);
  const moved = await archive();
  expect(moved.length).toBeGreaterThan(2);
  const segments = listSegments(localFiles, journalFolder);
  expect(segments).toHaveLength(count);
  for (const { isArchived, header } of segments) {
    const next = segments[header.index]?.header.firstSequence ?? Number.MAX_SAFE_INTEGER;
    expect(isArchived).toBe(next - 1 <= 26_000);
  }
  expect(journalNames().filter((name) => name.endsWith(".archived"))).toHaveLength(moved.length);
  expect(readdirSync(join(folder, "archive"))).toHaveLength(moved.length);
  expect(hash()).toBe(before);
  expect(await new FolderWatch(folder).look()).toBeUndefined();
  // The writer goes on behind them.
  write(5, []);
  expect(replay().machine.sequence).toBe(32_500);
});

test("[OPS-6] the two newest segments remain, and nothing goes while a kept snapshot is broken", async () => {
  write(200, [19_000, 20_000]);
  const [newest = ""] = readdirSync(snapshotFolder).sort().reverse();
  const path = join(snapshotFolder, newest);
  const good = readFileSync(path);
  writeFileSync(path, Buffer.concat([good.subarray(0, -1), Buffer.of(good.at(-1) === 1 ? 2 : 1)]));
  await expect(archive()).rejects.toThrow("SNAPSHOT_DAMAGED");
  expect(existsSync(join(folder, "archive"))).toBe(false);
  writeFileSync(path, good);
  await archive();
  expect(
    listSegments(localFiles, journalFolder)
      .map(({ isArchived }) => isArchived)
      .slice(-3),
  ).toEqual([true, false, false]);
});

test("[OPS-6] killed at any write, sync, rename or removal, nothing is lost and the next run ends it", async () => {
  write(120, [9_000, 10_000]);
  const before = hash();
  let isDone = false;
  for (let kill = 1; !isDone; kill++) {
    let left = kill;
    const die = (): Error | undefined => (--left === 0 ? systemError("EIO") : undefined);
    const faulty = faultyFiles({ onWrite: die, onSync: die, onRename: die });
    const files: Files = {
      ...faulty,
      remove: (path) => {
        const verdict = die();
        if (verdict !== undefined) throw verdict;
        localFiles.remove(path);
      },
    };
    const moved = await archive(FOLDER, files).catch(() => undefined);
    expect(hash()).toBe(before);
    if (moved === undefined) await archive();
    else isDone = left > 0;
    expect(hash()).toBe(before);
    expect(kill).toBeLessThan(1_000);
    if (isDone) continue;
    // As it was, for the next place to be killed at.
    unarchive();
  }
});

/** Writes the archived segments again as files. */
function unarchive(): void {
  const batches = new Map<number, true>();
  for (const { segment } of readBatches(localFiles, listSegments(localFiles, journalFolder), 1)) {
    if (segment.isArchived) batches.set(segment.header.index, true);
  }
  const copy = join(folder, "copy");
  mkdirSync(copy, { recursive: true });
  for (const [index] of batches) {
    const name = `segment-${String(index).padStart(8, "0")}`;
    writeFileSync(join(copy, `${name}.journal`), readSegment(localFiles, join(journalFolder, `${name}.archived`)));
    renameSync(join(copy, `${name}.journal`), join(journalFolder, `${name}.journal`));
    rmSync(join(journalFolder, `${name}.archived`));
  }
}

test("[OPS-6] a reader that listed the segments before they were archived reads on", async () => {
  write(120, [9_000, 10_000]);
  const segments = listSegments(localFiles, journalFolder);
  const reading = readBatches(localFiles, segments, 1);
  let last = 0;
  const first = reading.next();
  await archive();
  for (let step = first; !step.done; step = reading.next()) last = step.value.firstSequence + step.value.count - 1;
  expect(last).toBe(12_000);
});

test("[OPS-6] an object that is broken or missing is a fault that names it; one that was moved is found by its new place", async () => {
  write(120, [9_000, 10_000]);
  const before = hash();
  await archive();
  const objects = join(folder, "archive");
  const [name = ""] = readdirSync(objects).sort();
  const good = readFileSync(join(objects, name));
  const broken = Buffer.from(good);
  broken.writeUInt8(broken.readUInt8(good.length >> 1) ^ 1, good.length >> 1);
  writeFileSync(join(objects, name), broken);
  expect(faultOf(replay)).toMatchObject({
    code: "JOURNAL_DAMAGED",
    message: expect.stringContaining("segment-00000001.archived"),
  });
  rmSync(join(objects, name));
  const missing = faultOf(replay);
  expect(missing.code).toBe("JOURNAL_SEGMENT_MISSING");
  expect(missing.message).toContain(`${name} is missing (archive): name the place that has it in CW_ARCHIVE`);
  const elsewhere = join(folder, "elsewhere");
  mkdirSync(elsewhere);
  writeFileSync(join(elsewhere, name), good);
  notePlace(localFiles, journalFolder, { kind: "folder", path: elsewhere });
  expect(hash()).toBe(before);
});

test("[OPS-6] a copy of the folder holds what was archived inside it", async () => {
  write(120, [9_000, 10_000]);
  const before = hash();
  await archive();
  const to = join(folder, "copied", "journal");
  expect(copyJournal(journalFolder, to)).toMatchObject({ sequence: 12_000, archivedElsewhere: 0 });
  const copied = recover({
    ...PLACES(to),
    files: localFiles,
    factory: testFactory,
    ahead: false,
    withoutSnapshots: true,
  });
  expect(copied.machine.stateHash()).toBe(before);
});

const PLACES = (journal: string) => ({ journalFolder: journal, snapshotFolder });

test("[OPS-6] a store keeps the objects, and a replay waits for their pieces; without it the files remain", async () => {
  write(250, [22_000, 23_000]);
  const before = hash();
  const server = await startS3();
  try {
    const credentials = join(folder, "credentials");
    const { keyId, secret } = S3_CREDENTIALS;
    writeFileSync(credentials, `aws_access_key_id=${keyId}\naws_secret_access_key=${secret}\n`);
    const place = {
      kind: "s3",
      endpoint: server.endpoint,
      region: "eu-test-1",
      bucket: "cw",
      prefix: "",
      credentials,
    } as const;
    await expect(archive({ ...place, region: "other" })).rejects.toThrow("SignatureDoesNotMatch");
    expect(hash()).toBe(before);
    const moved = await archive(place);
    expect(moved.length).toBeGreaterThan(2);
    expect(Object.keys((await server.seen()).objects)).toHaveLength(moved.length);
    expect(hash()).toBe(before);
    const { requests } = await server.seen();
    expect(requests.filter((line) => line.startsWith("GET"))).toHaveLength(moved.length * 2);
    server.drop(requests[0]?.split(" ")[1] ?? "");
    const { code, message } = faultOf(replay);
    // The place that refuses may have it.
    expect(code).toBe("READ_FAILED");
    expect(message).toMatch(/is missing \(s3:\/\/cw\/ at http:\/\/127\.0\.0\.1:\d+; s3:.*SignatureDoesNotMatch/);
  } finally {
    await server.close();
  }
});
