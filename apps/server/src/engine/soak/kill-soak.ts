// The long kill test: `node apps/server/src/engine/soak/kill-soak.ts [runs] [seed]`, 200 runs by default. Each run
// continues in the folder the previous one left. Prints a line per run and ends at the first loss.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMachine, restoreMachine } from "@clockwork/core/machine/machine";
import { wallMs } from "@clockwork/host/time/measure";
import { createRandom } from "@clockwork/kit/random";
import { runKill } from "./kill-run.ts";

const RUNS_A_FOLDER = 20;
const runs = Number(process.argv[2] ?? 200);
const seed = Number(process.argv[3] ?? wallMs() % 1_000_000);
const random = createRandom(seed);
const factory = { createMachine, restoreMachine };
let folder = "";
let answer = new Map<string, number>();
let total = 0;

process.stdout.write(`${runs} kills, seed ${seed}\n`);
for (let run = 1; run <= runs; run++) {
  // A fresh folder now and then keeps the re-reading of the whole journal short.
  if ((run - 1) % RUNS_A_FOLDER === 0) {
    if (folder !== "") rmSync(folder, { recursive: true, force: true });
    folder = mkdtempSync(join(tmpdir(), "cw-kill-"));
    answer = new Map();
  }
  const early = random.chance(1, 10);
  const delayMs = random.between(0, early ? 1_500 : 600);
  const { acknowledged, sequence, stateHash } = await runKill({ folder, run, delayMs, early, factory }, answer);
  total += acknowledged;
  process.stdout.write(
    `${run}/${runs} ${early ? "early " : ""}${delayMs} ms: ${acknowledged} told, at ${sequence} ${stateHash}\n`,
  );
}
rmSync(folder, { recursive: true, force: true });
process.stdout.write(`${runs} kills: ${total} acknowledged commands, none lost, none twice, same state each time\n`);
