// Checks the engine's threads together on a test machine: commits before answers, order, backpressure, halting,
// timers, snapshots and coming back.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Command } from "@clockwork/core/protocol/command";
import type { EventBatch } from "@clockwork/host/engine";
import { allOf } from "@clockwork/kit/all-of";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { plainClock } from "../clock/clock-memory.ts";
import { type Engine, type EngineOptions, startEngine } from "./engine.ts";
import { localFiles } from "./journal/files.ts";
import { EngineFault } from "./memory/fault.ts";
import { recover } from "./recovery/recovery.ts";
import { listSnapshots, readSnapshot, writeSnapshot } from "./recovery/snapshots.ts";
import {
  BREAKING_ACCOUNT,
  FLOOD_EVENTS,
  FLOODING_ACCOUNT,
  LIVE_ACCOUNT,
  TIMER_ACCOUNT,
  testFactory,
} from "./threads/test-machine.ts";

// Threads take their time to start on a busy machine.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });
let folder = "";
let engines: Engine[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cw-engine-"));
  engines = [];
});
afterEach(async () => {
  for (const engine of engines) await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

async function start(options: Partial<EngineOptions> = {}): Promise<Engine> {
  const engine = await startEngine({
    folder,
    release: "test-1",
    segmentBytes: 256 << 10,
    coreWorker: new URL("./threads/test-thread.ts", import.meta.url),
    ...options,
  });
  engines.push(engine);
  return engine;
}

const cancel = (account: number, orderId = 1): Command => ({ kind: "cancelOrder", account, orderId });

async function submitMany(engine: Engine, count: number): Promise<number[]> {
  const acks = await Promise.all(Array.from({ length: count }, (_, index) => engine.submit(cancel(16, index + 1))));
  return acks.map((ack) => (ack.done ? ack.sequence : -1));
}

const replayed = (options: { withoutSnapshots?: boolean } = {}) =>
  recover({
    files: localFiles,
    journalFolder: join(folder, "journal"),
    snapshotFolder: join(folder, "snapshots"),
    factory: testFactory,
    ...options,
  });

test("[ENGINE-1] commands are answered in order, each with its own events, after the commit", async () => {
  const engine = await start();
  const answers: Promise<boolean>[] = [];
  for (let index = 0; index < 2_000; index++) {
    const answer = engine.submit(cancel(10_000 + index)).then((ack) => {
      const event = ack.events[0];
      return (
        ack.done &&
        event?.kind === "applied" &&
        event.account === 10_000 + index &&
        engine.health().durableSequence >= ack.sequence
      );
    });
    answers.push(answer);
  }
  expect(allOf(await Promise.all(answers), (good) => good)).toBe(true);
  expect(await submitMany(engine, 3)).toEqual([2001, 2002, 2003]);
  expect(engine.health()).toMatchObject({ state: "running", sequence: 2003, durableSequence: 2003 });
});

test("[ENGINE-2] subscribers get every command's events once and in order", async () => {
  const batches: EventBatch[] = [];
  const engine = await start({ listeners: [(batch) => void batches.push(batch)] });
  await submitMany(engine, 1_000);
  let next = 1;
  for (const batch of batches) {
    expect(batch.firstSequence).toBe(next);
    expect(batch.bytes.length).toBe((batch.lastSequence - batch.firstSequence + 1) * 64);
    next = batch.lastSequence + 1;
  }
  expect(next).toBe(1_001);
});

test("[ENGINE-3] after a restart the state is the same, with and without snapshots", async () => {
  const first = await start();
  await submitMany(first, 500);
  await first.takeSnapshot();
  await submitMany(first, 500);
  const before = await first.stateHash();
  await first.close();
  expect(readdirSync(join(folder, "snapshots"))).toContain("snapshot-0000000000001000.state");
  const second = await start();
  expect(await second.stateHash()).toEqual(before);
  expect(await submitMany(second, 1)).toEqual([1001]);
  await second.close();
  const [short, long] = [replayed(), replayed({ withoutSnapshots: true })];
  expect(short.replayed).toBe(0);
  expect(long.replayed).toBe(1001);
  expect(short.machine.stateHash()).toBe(long.machine.stateHash());
});

test("[ENGINE-4] a damaged newest snapshot is passed over for the older and a longer replay", async () => {
  const first = await start();
  await submitMany(first, 10);
  const early = await first.stateHash();
  await first.takeSnapshot();
  await submitMany(first, 10);
  // The health reports the hash of the newest snapshot and its command, whatever came after.
  await expect.poll(() => first.health().stateHash).toBe(early.stateHash);
  expect(first.health()).toMatchObject({ stateHashSequence: 10, sequence: 20 });
  const before = await first.stateHash();
  await first.close();
  const path = join(folder, "snapshots", "snapshot-0000000000000020.state");
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.fill(1, 4100, 4101));
  const notes: string[] = [];
  const second = await start({ onNote: (line) => void notes.push(line) });
  expect(notes.some((line) => line.includes("SNAPSHOT_DAMAGED"))).toBe(true);
  expect(notes.some((line) => line.includes("running at 20: snapshot 10, 10 commands replayed"))).toBe(true);
  expect(await second.stateHash()).toEqual(before);
});

test("[ENGINE-13] snapshots of a running engine equal the journal's replay, from any initial state", async () => {
  for (let run = 1; run <= 3; run++) {
    const engine = await start({ snapshotEveryMs: 50 });
    for (let round = 0; round < 3; round++) {
      await submitMany(engine, 700);
      const { sequence, stateHash } = await engine.stateHash();
      await engine.takeSnapshot();
      await expect.poll(() => engine.health().stateHashSequence).toBeGreaterThanOrEqual(sequence);
      expect(engine.health()).toMatchObject({ stateHash, stateHashSequence: sequence });
    }
    await engine.close();
    const { machine, replayed: behind } = replayed();
    expect([machine.sequence, behind]).toEqual([run * 2_100, 0]);
  }
});

test("[ENGINE-13] a snapshot that fails is an alarm, stops nothing, and the next one is taken", async () => {
  const alarms: string[] = [];
  const engine = await start({ onAlarm: (line) => alarms.push(line) });
  await submitMany(engine, 10);
  // Blocks the file it is written to.
  const aside = join(folder, "snapshots", "snapshot.tmp");
  mkdirSync(aside, { recursive: true });
  await engine.takeSnapshot();
  await expect.poll(() => alarms).toEqual([expect.stringMatching(/^no snapshot was taken: /)]);
  expect(await submitMany(engine, 1)).toEqual([11]);
  rmSync(aside, { recursive: true });
  const { stateHash } = await engine.stateHash();
  await engine.takeSnapshot();
  await expect.poll(() => engine.health()).toMatchObject({ stateHash, stateHashSequence: 11 });
});

test("[ENGINE-12] where the only segment is lost the start reports it and writes nothing, by any path", async () => {
  const engine = await start();
  await submitMany(engine, 20);
  await engine.close();
  const journal = join(folder, "journal");
  for (const name of readdirSync(journal)) rmSync(join(journal, name));
  const before = readdirSync(folder, { recursive: true }).sort();
  await expect(start()).rejects.toThrow(/JOURNAL_MISSING: .*the journal is missing, but .* was taken at 20/);
  expect(readdirSync(folder, { recursive: true }).sort()).toEqual(before);
  rmSync(join(folder, "snapshots"), { recursive: true });
  await expect(start({ tablesSequence: 7 })).rejects.toThrow("the tables hold events up to 7");
  expect(readdirSync(journal)).toEqual([]);
});

test("[ENGINE-5] a broken rule halts trading; what came before is answered, what came after is not taken", async () => {
  const alarms: string[] = [];
  const engine = await start({ onAlarm: (line) => void alarms.push(line) });
  const before = submitMany(engine, 50);
  const breaking = engine.submit(cancel(BREAKING_ACCOUNT));
  const after = engine.submit(cancel(16));
  expect(await before).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
  expect(await breaking).toMatchObject({ done: false, code: "ENGINE_HALTED" });
  expect(await after).toMatchObject({ done: false, code: "ENGINE_HALTED" });
  expect(await engine.submit(cancel(16))).toMatchObject({ done: false, code: "ENGINE_HALTED" });
  const health = engine.health();
  expect(health.state).toBe("halted");
  expect(health.reason).toMatch(/^TOY-1: /);
  expect(alarms).toEqual([expect.stringMatching(/^halted: TOY-1: /)]);
  await engine.close();
  const again = await start();
  expect(await submitMany(again, 1)).toEqual([51]);
});

test("[ENGINE-6] a full engine refuses with ENGINE_BUSY and answers all it took", async () => {
  const engine = await start({ ringSizes: { commandBytes: 1 << 16, eventBytes: 1 << 16 } });
  const acks = await Promise.all(Array.from({ length: 20_000 }, () => engine.submit(cancel(16))));
  const busy = acks.filter((ack) => !ack.done);
  expect(busy.length).toBeGreaterThan(0);
  expect(allOf(busy, (ack) => !ack.done && ack.code === "ENGINE_BUSY")).toBe(true);
  expect(engine.health().durableSequence).toBe(acks.length - busy.length);
  expect((await engine.submit(cancel(16))).done).toBe(true);
});

test("[ENGINE-6] a listener that is full slows the engine down and loses nothing", async () => {
  let seen = 0;
  const slow = async (batch: EventBatch): Promise<void> => {
    await sleep(1);
    expect(batch.firstSequence).toBe(seen + 1);
    seen = batch.lastSequence;
  };
  const ringSizes = { commandBytes: 1 << 16, eventBytes: 1 << 16 };
  const engine = await start({ listeners: [slow], ringSizes });
  let done = 0;
  while (done < 5_000) done += (await submitMany(engine, 1_000)).filter((sequence) => sequence > 0).length;
  await engine.close();
  expect(seen).toBe(done);
});

test("[ENGINE-7] one command may have more events than the ring holds", async () => {
  const batches: EventBatch[] = [];
  const engine = await start({ ringSizes: { eventBytes: 1 << 18 }, listeners: [(batch) => void batches.push(batch)] });
  const around = submitMany(engine, 10);
  const ack = await engine.submit(cancel(FLOODING_ACCOUNT));
  expect(ack.events.length).toBe(FLOOD_EVENTS);
  expect((await around).length + (await submitMany(engine, 10)).length).toBe(20);
  expect(batches.reduce((sum, batch) => sum + batch.bytes.length, 0)).toBe((FLOOD_EVENTS + 20) * 64);
});

test("[ENGINE-8] the sequencer injects a tick when the machine's timer is due, and replay repeats it", async () => {
  const engine = await start();
  const sequences: number[] = [];
  const ticked = new Promise<void>((resolve) =>
    engine.subscribe((batch) => {
      sequences.push(batch.lastSequence);
      if (batch.lastSequence === 2) resolve();
    }),
  );
  await engine.submit(cancel(TIMER_ACCOUNT));
  await ticked;
  expect(sequences).toEqual([1, 2]);
  const { stateHash } = await engine.stateHash();
  await engine.close();
  expect(replayed({ withoutSnapshots: true }).machine.stateHash()).toBe(stateHash);
});

test("[ENGINE-8] a journal ahead of the machine's clock stalls no timer: time continues from the journal", async () => {
  const clock = plainClock();
  clock.raiseTo(clock.shared.now() + 3_600_000);
  const ahead = await start({ clock });
  const last = await ahead.submit(cancel(16));
  await ahead.close();
  const engine = await start();
  const ack = await engine.submit(cancel(TIMER_ACCOUNT));
  if (!ack.done || !last.done) throw new Error("ENGINE-8: a command was refused");
  expect(ack.timeMs).toBeGreaterThanOrEqual(last.timeMs);
  await expect.poll(() => engine.health().sequence).toBeGreaterThan(ack.sequence);
});

test("[ENGINE-9] a subscriber's cursor brings back the events after it, from a replay when needed", async () => {
  const first = await start();
  await submitMany(first, 300);
  await first.close();
  const sequences: number[] = [];
  const listener = (batch: EventBatch): void => {
    for (let at = 0; at < batch.bytes.length; at += 64) {
      sequences.push(new DataView(batch.bytes.buffer, batch.bytes.byteOffset + at).getFloat64(8, true));
    }
  };
  const second = await start({ eventsAfter: 120, listeners: [listener] });
  await submitMany(second, 5);
  expect(sequences).toEqual(Array.from({ length: 185 }, (_, index) => 121 + index));
});

test("[ENGINE-10] a cursor or a snapshot beyond the journal's end refuses to start", async () => {
  const first = await start();
  await submitMany(first, 5);
  await first.close();
  await expect(start({ eventsAfter: 6 })).rejects.toThrow(/JOURNAL_BEHIND: .*commands are missing/);
  rmSync(join(folder, "journal"), { recursive: true });
  const refused = start();
  await expect(refused).rejects.toThrow(EngineFault);
  await expect(refused).rejects.toThrow(/JOURNAL_MISSING: .*was taken at 5/);
});

test("[ENGINE-10] a damaged journal refuses to start with the place, and another release's commands too", async () => {
  const first = await start();
  await submitMany(first, 5);
  await first.close();
  rmSync(join(folder, "snapshots"), { recursive: true });
  await expect(start({ release: "test-2" })).rejects.toThrow(/JOURNAL_RELEASE: .*written by release test-1/);
  const path = join(folder, "journal", "segment-00000001.journal");
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.fill(255, 4200, 4202));
  await expect(start()).rejects.toThrow(`JOURNAL_DAMAGED: ${path} at byte 4096, sequence 1: `);
});

test("[ENGINE-11] after a clean close a new release starts from the snapshot", async () => {
  const first = await start();
  await submitMany(first, 5);
  await first.close();
  const second = await start({ release: "test-2" });
  expect(await submitMany(second, 1)).toEqual([6]);
});

test("[ENGINE-11] a stop of a live market leaves a snapshot with nothing behind it", async () => {
  for (let stop = 1; stop <= 5; stop++) {
    const engine = await start();
    await engine.submit(cancel(LIVE_ACCOUNT));
    const { sequence } = engine.health();
    await expect.poll(() => engine.health().sequence).toBeGreaterThan(sequence + 10);
    // In progress when the stop starts.
    void engine.takeSnapshot();
    void submitMany(engine, 100);
    await engine.close();
    const { replayed: behind, snapshot, machine } = replayed();
    expect([behind, snapshot?.sequence]).toEqual([0, machine.sequence]);
    expect(machine.stateHash()).toBe(replayed({ withoutSnapshots: true }).machine.stateHash());
  }
});

test("[ENGINE-11] a snapshot of an unknown layout is refused in every mode", async () => {
  const first = await start();
  await submitMany(first, 5);
  await first.close();
  const snapshots = join(folder, "snapshots");
  const newest = readSnapshot(localFiles, (listSnapshots(localFiles, snapshots)[0] as { path: string }).path);
  writeSnapshot(localFiles, snapshots, newest, [new Uint8Array(8)]);
  for (const replayOthers of [false, true])
    await expect(start({ release: "test-2", replayOthers })).rejects.toThrow(
      /JOURNAL_RELEASE: .*was written by release test-1 and cannot be read by this one .*Start release test-1, or a later one/,
    );
});
