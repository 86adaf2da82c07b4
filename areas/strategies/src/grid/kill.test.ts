// kill -9 while baskets rebalance by the clock: a separate process dies with the first of them, and the next start does
// the rest. Read from the journal, which is all that is left.
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
import { afterAll, expect, test } from "vitest";

const COUNT = 20;
const LOAD = new URL("./kill-load.ts", import.meta.url).pathname;
const root = mkdtempSync(join(tmpdir(), "cw-bots-kill-"));
const factory = { createMachine, restoreMachine };
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** The signal that ended it, null when it exited. */
function run(what: "prepare" | "trade" | "finish", folder: string): NodeJS.Signals | null {
  const flags = ["--conditions=development", LOAD, what, folder, String(COUNT)];
  const { signal, status, stderr } = spawnSync(process.execPath, flags, { encoding: "utf8" });
  if (signal === null && status !== 0) throw new Error(`${what} failed: ${stderr}`);
  return signal;
}

type Changed = Extract<MachineEvent, { readonly kind: "rebalancerChanged" }>;

/** Everything in the journal: the rounds of baskets, the changes of grids, and the total of each coin. */
function read(folder: string) {
  const held = new Map<string, number>();
  const changed: Changed[] = [];
  let grids = 0;
  const places = { journalFolder: journalFolderOf(folder), snapshotFolder: snapshotFolderOf(folder) };
  const options = { files: localFiles, ...places, factory, withoutSnapshots: true, eventsAfter: 0 };
  for (const { machine, hasEvents } of recoverInSteps(options)) {
    if (!hasEvents) continue;
    const { bytes, from, length } = machine.events;
    for (const event of decodeEvents(bytes, from, from + length, machine.now)) {
      if (event.kind === "rebalancerChanged") changed.push(event);
      else if (event.kind === "botPairClosed" || event.kind === "botChanged") grids++;
      else if (event.kind === "posting")
        held.set(`${event.account}:${event.asset}`, event.availableUnits + event.frozenUnits);
    }
  }
  const sums = new Map<string, number>();
  for (const [key, units] of held) {
    const asset = key.split(":")[1] ?? "";
    sums.set(asset, (sums.get(asset) ?? 0) + units);
  }
  return { changed, grids, sums: Object.fromEntries(sums) };
}

test("[GRID-1] kill -9 while baskets rebalance by the clock: each rebalances once, grids are unchanged, and no money is created", {
  timeout: 240_000,
}, () => {
  const prepared = join(root, "prepared");
  expect(run("prepare", prepared)).toBeNull();
  const before = read(prepared);
  expect(before.changed.filter(({ cause }) => cause === "interval")).toEqual([]);
  const folder = join(root, "killed");
  cpSync(prepared, folder, { recursive: true });
  expect(run("trade", folder)).toBe("SIGKILL");
  expect(run("finish", folder)).toBeNull();
  const after = read(folder);
  const kept = after.changed.filter(({ cause }) => cause === "interval");
  expect(kept).toHaveLength(COUNT);
  expect(new Set(kept.map(({ rebalancer }) => rebalancer)).size).toBe(COUNT);
  expect(after.sums).toEqual(before.sums);
  expect(after.grids).toBe(before.grids);
  // Another start finds nothing left to do.
  expect(run("finish", folder)).toBeNull();
  expect(read(folder).changed).toEqual(after.changed);
});
