// What happens to the data folder of a running engine is noticed.
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startEngine } from "./engine.ts";
import { FolderWatch } from "./folder-watch.ts";
import { keepWitness } from "./tables-witness.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cw-watch-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("[OPS-10] a folder that cannot be written is a problem for as long as it cannot", async () => {
  const watch = new FolderWatch(folder, 0);
  expect(await watch.look()).toBeUndefined();
  const aside = `${folder}-aside`;
  renameSync(folder, aside);
  writeFileSync(folder, "");
  expect(await watch.look()).toEqual({ reason: "the data folder cannot be written: ENOTDIR", isFatal: false });
  rmSync(folder);
  renameSync(aside, folder);
  expect(await watch.look()).toBeUndefined();
});

test("[OPS-10] a segment that is gone is named; the newest one stops trading", async () => {
  const path = (index: number): string => join(folder, "journal", `segment-0000000${index}.journal`);
  mkdirSync(join(folder, "journal"));
  for (const index of [1, 2, 3]) writeFileSync(path(index), "");
  const watch = new FolderWatch(folder, 0);
  expect(await watch.look()).toBeUndefined();
  rmSync(path(2));
  const reason = (index: number): string => `segment ${index} of the journal is gone: restore it from a copy`;
  expect(await watch.look()).toEqual({ reason: reason(2), isFatal: false });
  writeFileSync(path(2), "");
  rmSync(path(3));
  expect(await watch.look()).toEqual({ reason: reason(3), isFatal: true });
});

test("[OPS-10] an engine whose segment was deleted halts with the reason", { timeout: 60_000 }, async () => {
  const alarms: string[] = [];
  const coreWorker = new URL("./threads/test-thread.ts", import.meta.url);
  const engine = await startEngine({
    folder,
    release: "test-1",
    segmentBytes: 64 << 10,
    coreWorker,
    onAlarm: (line) => alarms.push(line),
  });
  expect((await engine.submit({ kind: "cancelOrder", account: 1, orderId: 1 })).done).toBe(true);
  rmSync(join(folder, "journal", "segment-00000001.journal"));
  await expect.poll(() => engine.health().state, { timeout: 30_000 }).toBe("halted");
  expect(engine.health().reason).toContain("JOURNAL_MISSING: segment 1 of the journal is gone");
  expect(alarms[0]).toContain("segment 1 of the journal is gone");
  await engine.close();
});

test("[OPS-6] little room is an alarm, less stops trading, and with room it goes on", { timeout: 60_000 }, async () => {
  const alarms: string[] = [];
  let freeBytes = 50e6;
  const engine = await startEngine({
    folder,
    release: "test-1",
    segmentBytes: 64 << 10,
    coreWorker: new URL("./threads/test-thread.ts", import.meta.url),
    room: { alarmBytes: 100e6, floorBytes: 10e6, readFreeBytes: async () => freeBytes },
    onAlarm: (line) => alarms.push(line),
  });
  const order = () => engine.submit({ kind: "cancelOrder", account: 1, orderId: 1 });
  expect(alarms).toEqual(["50 MB are left on the disk of the data folder: make room, trading stops below 10 MB"]);
  expect((await order()).done).toBe(true);
  freeBytes = 9e6;
  await expect.poll(() => engine.health().state, { timeout: 30_000 }).toBe("halted");
  expect(await order()).toMatchObject({ done: false, code: "ENGINE_HALTED" });
  expect(engine.health().reason).toBe(
    "DISK_FULL: 9 MB are left on the disk of the data folder: no command is taken until there are 13 MB",
  );
  expect(alarms).toHaveLength(2);
  freeBytes = 200e6;
  await expect.poll(() => engine.health().state, { timeout: 30_000 }).toBe("running");
  expect((await order()).done).toBe(true);
  await engine.close();
});

test("[OPS-9] a folder that cannot be written does not end a process that stores the tables' progress", async () => {
  let sequence = 1;
  const read = () => ({ journal: "ab", sequence: sequence++ });
  const witness = keepWitness(join(folder, "gone"), read, 1);
  await expect.poll(() => sequence).toBeGreaterThan(5);
  witness.close(true);
});
