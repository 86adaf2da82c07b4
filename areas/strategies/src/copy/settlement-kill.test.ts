// kill -9 in the middle of a weekly settlement: a separate process pays shares, dies while it does, and the next start
// pays the rest. Read from the journal, which is all that is left.
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMachine, restoreMachine } from "@clockwork/core/machine/machine";
import { decodeEvents } from "@clockwork/core/protocol/codec";
import type { MachineEvent } from "@clockwork/core/protocol/event";
import { localFiles } from "@clockwork/server/engine/journal/files";
import { journalFolderOf, snapshotFolderOf } from "@clockwork/server/engine/places";
import { recoverInSteps } from "@clockwork/server/engine/recovery/recovery";
import { afterAll, beforeAll, expect, test } from "vitest";

const FOLLOWERS = 3_000;
const TRIES = 8;
const USDT = 2;
const LOAD = new URL("./settlement-load.ts", import.meta.url).pathname;
const root = mkdtempSync(join(tmpdir(), "cw-settlement-"));
const prepared = join(root, "prepared");
const factory = { createMachine, restoreMachine };
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** The signal that ended it, null when it exited. */
function run(what: "prepare" | "settle" | "finish", folder: string): NodeJS.Signals | null {
  const flags = ["--conditions=development", LOAD, what, folder, String(FOLLOWERS)];
  const { signal, status, stderr } = spawnSync(process.execPath, flags, { encoding: "utf8" });
  if (signal === null && status !== 0) throw new Error(`${what} failed: ${stderr}`);
  return signal;
}

type Share = Extract<MachineEvent, { readonly kind: "shareSettled" }>;

/** Every share in the journal, the leader's balance, and the total of the coin. */
function read(folder: string): { shares: Share[]; leaderUnits: number; allUnits: number } {
  const shares: Share[] = [];
  const held = new Map<number, number>();
  let leader = 0;
  const places = { journalFolder: journalFolderOf(folder), snapshotFolder: snapshotFolderOf(folder) };
  const options = { files: localFiles, ...places, factory, withoutSnapshots: true, eventsAfter: 0 };
  for (const { machine, hasEvents } of recoverInSteps(options)) {
    if (!hasEvents) continue;
    const { bytes, from, length } = machine.events;
    for (const event of decodeEvents(bytes, from, from + length, machine.now)) {
      if (event.kind === "shareSettled") shares.push(event);
      else if (event.kind === "leaderChanged") leader = event.account;
      else if (event.kind === "posting" && event.asset === USDT)
        held.set(event.account, event.availableUnits + event.frozenUnits);
    }
  }
  const allUnits = [...held].reduce((sum, [, units]) => sum + units, 0);
  return { shares, leaderUnits: held.get(leader) ?? 0, allUnits };
}

beforeAll(() => {
  expect(run("prepare", prepared)).toBeNull();
}, 120_000);

test("[COPY-3] kill -9 in the middle of the weekly settlement pays every share once, and creates no money", {
  timeout: 240_000,
}, () => {
  const before = read(prepared);
  expect(before.shares).toEqual([]);
  let folder = prepared;
  let paidAtKill = 0;
  // The process may be killed when all is paid already; then it is retried.
  for (let i = 0; i < TRIES && (paidAtKill === 0 || paidAtKill === FOLLOWERS); i++) {
    folder = join(root, `try-${i}`);
    cpSync(prepared, folder, { recursive: true });
    expect(run("settle", folder)).toBe("SIGKILL");
    paidAtKill = read(folder).shares.length;
  }
  expect(paidAtKill).toBeGreaterThan(0);
  expect(paidAtKill).toBeLessThan(FOLLOWERS);
  expect(run("finish", folder)).toBeNull();
  const after = read(folder);
  expect(after.shares).toHaveLength(FOLLOWERS);
  expect(new Set(after.shares.map(({ account }) => account)).size).toBe(FOLLOWERS);
  for (const { cause, paidUnits, realizedUnits } of after.shares)
    expect([cause, paidUnits]).toEqual(["settlement", Math.floor(realizedUnits / 10)]);
  const sum = after.shares.reduce((total, { paidUnits }) => total + paidUnits, 0);
  expect(sum).toBeGreaterThan(0);
  expect(after.leaderUnits - before.leaderUnits).toBe(sum);
  expect(after.allUnits).toBe(before.allUnits);
});
