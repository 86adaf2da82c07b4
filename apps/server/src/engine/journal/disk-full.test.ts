// Checks a disk that is really full: the kernel's own ENOSPC, and where the machine allows a mount, a small disk that
// fills up under a running engine. Injected faults are in journal-fault.test.ts.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Engine, startEngine } from "../engine.ts";
import { writeBlank } from "./file-journal.ts";
import { localFiles } from "./files.ts";
import { faultOf } from "./journal-fixture.ts";

test.skipIf(!existsSync("/dev/full"))("[JOURNAL-8] the kernel's ENOSPC is reported as a full disk", () => {
  const fault = faultOf(() => writeBlank(localFiles, "/dev/full", 1 << 16));
  expect(fault.message).toBe("DISK_FULL: /dev/full at byte 0: write of 65536 bytes failed: ENOSPC");
});

const folder = mkdtempSync(join(tmpdir(), "cw-small-disk-"));
const mount = (...options: string[]): boolean => spawnSync("mount", [...options, folder]).status === 0;
const mountSmall = (): boolean => mount("-t", "tmpfs", "-o", "size=2m", "tmpfs");
const unmount = (): boolean => spawnSync("umount", [folder]).status === 0;
const canMount = process.platform === "linux" && mountSmall() && unmount();

describe.skipIf(!canMount)("on a disk of two megabytes", () => {
  // Without it the engine would fill the machine's own disk.
  beforeAll(() => {
    mkdirSync(folder, { recursive: true });
    expect(mountSmall()).toBe(true);
  });
  let engine: Engine | undefined;
  afterAll(async () => {
    await engine?.close();
    unmount();
    rmSync(folder, { recursive: true, force: true });
  });

  const alarms: string[] = [];
  const start = () =>
    startEngine({
      onAlarm: (reason) => alarms.push(reason),
      folder,
      release: "test-1",
      segmentBytes: 128 << 10,
      coreWorker: new URL("../threads/test-thread.ts", import.meta.url),
    });

  test("[JOURNAL-8] the engine halts, raises the alarm, and with room again has all it acknowledged", {
    timeout: 60_000,
  }, async () => {
    const running = await start();
    engine = running;
    const reference = "x".repeat(36);
    let answer = 0;
    let full = false;
    while (!full) {
      const burst = Array.from({ length: 500 }, () =>
        running.submit({ kind: "mint", account: 16, asset: 1, business: "deposit", units: 1, reference }),
      );
      for (const ack of await Promise.all(burst)) {
        if (ack.done) answer = Math.max(answer, ack.sequence);
        else full = ack.code === "ENGINE_HALTED";
      }
    }
    expect(running.health().state).toBe("halted");
    expect(running.health().reason).toMatch(/DISK_FULL: .*ENOSPC|DISK_FULL: .*the disk is full/);
    expect(alarms).toContainEqual(expect.stringMatching(/^halted: DISK_FULL/));
    await running.close();
    expect(mount("-o", "remount,size=16m")).toBe(true);
    engine = await start();
    expect(engine.health().sequence).toBeGreaterThanOrEqual(answer);
    expect(answer).toBeGreaterThan(1_000);
  });
});
