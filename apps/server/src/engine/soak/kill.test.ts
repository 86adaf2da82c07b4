// A few kills in the ordinary tests; the two hundred are in kill-soak.ts.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMachine, restoreMachine } from "@clockwork/core/machine/machine";
import { afterAll, expect, test } from "vitest";
import { runKill } from "./kill-run.ts";

const folder = mkdtempSync(join(tmpdir(), "cw-kill-"));
const answer = new Map<string, number>();
const factory = { createMachine, restoreMachine };
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// Each run continues in what the previous one left; one is killed during recovery.
test.each([
  [1, 150, false],
  [2, 40, false],
  [3, 300, true],
  [4, 350, false],
])(
  "[ENGINE-12] kill -9 number %i loses nothing and repeats nothing",
  { timeout: 60_000 },
  async (run, delayMs, early) => {
    const { acknowledged, sequence } = await runKill({ folder, run, delayMs, early, factory }, answer);
    expect(sequence).toBeGreaterThanOrEqual(answer.size);
    if (!early) expect(acknowledged).toBeGreaterThanOrEqual(50);
  },
);
