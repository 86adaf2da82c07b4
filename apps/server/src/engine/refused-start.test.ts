// A start that is refused leaves the folder as it was, byte for byte: an unfinished write at the journal's end is only cut
// once nothing else keeps the engine from starting.
import { closeSync, cpSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type EngineOptions, startEngine } from "./engine.ts";
import { localFiles } from "./journal/files.ts";
import { PAGE_BYTES } from "./journal/journal-format.ts";
import { scanSegment } from "./journal/journal-scan.ts";
import { listSegments } from "./journal/segments.ts";

const coreWorker = new URL("./threads/test-thread.ts", import.meta.url);
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cw-refused-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const start = (more: Partial<EngineOptions> = {}) =>
  startEngine({ folder, release: "test-1", segmentBytes: 64 << 10, coreWorker, ...more });

/** A journal of some commands with half a record behind them, as a power cut leaves it. */
async function leaveTorn(): Promise<number> {
  const engine = await start();
  const mint = { kind: "mint", account: 16, asset: 1, business: "deposit", units: 1 } as const;
  for (let index = 0; index < 20; index++) await engine.submit({ ...mint, reference: `first ${index}` });
  const { sequence } = engine.health();
  await engine.close();
  const last = listSegments(localFiles, join(folder, "journal")).at(-1);
  if (last === undefined) throw new Error("there is no journal");
  const bytes = readFileSync(last.path);
  const scan = scanSegment(bytes, last.header.firstSequence);
  let step = scan.next();
  let end = PAGE_BYTES;
  while (!step.done) {
    end = step.value.offset + step.value.bytes;
    step = scan.next();
  }
  const file = openSync(last.path, "r+");
  // The first bytes of the first record once more: a header that never got its body.
  writeSync(file, bytes, PAGE_BYTES, 20, end);
  closeSync(file);
  return sequence;
}

/** Every file below the folder with its bytes; the lock's own are left out. */
function photograph(): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (name.includes("lock") || name.endsWith(".pid")) continue;
    try {
      found[name] = readFileSync(join(folder, name)).toString("base64");
    } catch {
      found[name] = "folder";
    }
  }
  return found;
}

async function expectRefused(more: Partial<EngineOptions>, reason: RegExp): Promise<void> {
  const before = photograph();
  await expect(start(more)).rejects.toThrow(reason);
  expect(Object.keys(photograph())).toEqual(Object.keys(before));
  expect(photograph()).toEqual(before);
}

test("[JOURNAL-11] tables that have seen more than the journal holds: refused, and the torn tail is still there", async () => {
  const sequence = await leaveTorn();
  await expectRefused({ eventsAfter: sequence + 1 }, /JOURNAL_BEHIND/);
  const engine = await start({ eventsAfter: sequence });
  expect(engine.health().sequence).toBe(sequence);
  await engine.close();
});

test("[JOURNAL-11] tables of another journal: refused, and the torn tail is still there", async () => {
  await leaveTorn();
  const onJournal = (): void => {
    throw new Error("written from another journal");
  };
  await expectRefused({ onJournal }, /written from another journal/);
});

test("[JOURNAL-11] a snapshot beyond the journal's end: refused, and the torn tail is still there", async () => {
  const sequence = await leaveTorn();
  const aside = mkdtempSync(join(tmpdir(), "cw-refused-old-"));
  try {
    cpSync(join(folder, "journal"), join(aside, "journal"), { recursive: true });
    const engine = await start();
    const mint = { kind: "mint", account: 16, asset: 1, business: "deposit", units: 1, reference: "more" } as const;
    await engine.submit(mint);
    await engine.close();
    rmSync(join(folder, "journal"), { recursive: true });
    cpSync(join(aside, "journal"), join(folder, "journal"), { recursive: true });
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
  await expectRefused({}, new RegExp(`was taken at ${sequence + 1}, but the journal ends at ${sequence}`));
});

test("[JOURNAL-12] a flipped byte in a segment before the snapshot is found after the start, with its place", async () => {
  const engine = await start();
  const mint = { kind: "mint", account: 16, asset: 1, business: "deposit", units: 1 } as const;
  const reference = "x".repeat(36);
  for (let round = 0; round < 8; round++) {
    await Promise.all(Array.from({ length: 400 }, () => engine.submit({ ...mint, reference })));
  }
  await engine.close();
  const segments = listSegments(localFiles, join(folder, "journal"));
  expect(segments.length).toBeGreaterThan(2);
  const path = segments[0]?.path ?? "";
  const bytes = readFileSync(path);
  const file = openSync(path, "r+");
  writeSync(file, Uint8Array.of((bytes[PAGE_BYTES + 300] ?? 0) ^ 1), 0, 1, PAGE_BYTES + 300);
  closeSync(file);
  const alarms: string[] = [];
  const again = await start({ onAlarm: (line) => alarms.push(line) });
  await expect.poll(() => alarms).toHaveLength(1);
  expect(alarms[0]).toContain(`JOURNAL_DAMAGED: ${path} at byte `);
  expect(alarms[0]).toContain("restore this segment from a copy");
  expect(again.health().state).toBe("running");
  await again.close();
});

test("[JOURNAL-11] another release's commands: refused, and no segment of this release is started", async () => {
  await leaveTorn();
  rmSync(join(folder, "snapshots"), { recursive: true });
  await expectRefused({ release: "test-2" }, /JOURNAL_RELEASE/);
});
