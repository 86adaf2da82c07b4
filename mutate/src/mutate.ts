// Owns `npm run mutate`: changes the money code one small place at a time and reports which changes no test notices.
//   npm run mutate -- liquidation --minutes 20 --seed 3 --file core/src/perp/liquidation/adl.ts --at 41,76 --tests core/src/perp
// Explained survivors are in survivors.json next to this file; one that is not there fails the run.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { availableParallelism, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { startPostgres } from "@clockwork/tools/postgres";
import { print, Refusal, seconds } from "@clockwork/tools/progress.mjs";
import { findPostgres } from "@clockwork/tools/system-packages";
import { type Mutant, mutantsOf, switchable } from "./mutants.ts";
import { Reach } from "./reach.ts";
import { FIRST, FOLDERS, filesOf, type Room } from "./rooms.ts";
import type { Plan } from "./runner.ts";
import { nameOf, readSurvivors } from "./survivors.ts";
import { Worker } from "./worker.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const WORKERS = Math.min(2, availableParallelism());

/** The same order for the same seed, so that a bounded run is a fair and repeatable sample. */
function shuffled<T>(items: readonly T[], seed: number): T[] {
  let state = seed >>> 0;
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 0x1_0000_0000;
  };
  return items
    .map((item) => ({ item, at: next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

interface Numbered extends Mutant {
  readonly id: number;
}

/** Every mutant of the sources with its number, and what the workers read: the sources with all of them inactive. */
function planOf(sources: readonly string[], tests: readonly string[]): { mutants: Numbered[]; plan: Plan } {
  const mutants: Numbered[] = [];
  const texts: Record<string, string> = {};
  for (const file of sources) {
    const text = readFileSync(join(ROOT, file), "utf8");
    const found = mutantsOf(file, text);
    texts[file] = stripTypeScriptTypes(switchable(text, found, mutants.length));
    mutants.push(...found.map((mutant, index) => ({ ...mutant, id: mutants.length + index })));
  }
  return { mutants, plan: { root: ROOT, mutants: mutants.length, sources: texts, tests, first: FIRST } };
}

class Tally {
  tried = 0;
  killed = 0;
  neverEnded = 0;
  late = 0;
  explained = 0;
  survived = 0;
  readonly #verbose: boolean;

  constructor(verbose: boolean) {
    this.#verbose = verbose;
  }

  async try(mutant: Numbered, reach: Reach, worker: Worker, isKnown: boolean): Promise<void> {
    this.tried++;
    if (isKnown) {
      this.explained++;
      return;
    }
    const where = `${mutant.file}:${mutant.line}  ${mutant.change}`;
    const steps = reach.stepsOf(mutant.id, mutant.file);
    if (steps.length === 0) {
      this.survived++;
      return print(`not reached ${where}\n         ${mutant.code}`);
    }
    const { kind, by, at } = await worker.judge(mutant.id, steps, reach.isEarly(mutant.id));
    if (at !== undefined) reach.noteKill(mutant.file, at);
    if (kind === "killed") this.killed++;
    else if (kind === "never ended") this.neverEnded++;
    else if (kind === "late") this.late++;
    else this.survived++;
    if (kind === "survived" || kind === "unclear" || kind === "late")
      print(`${kind} ${where} ${by}\n         ${mutant.code}`);
    else if (this.#verbose) print(`${kind} ${where}\n         ${by}`);
  }
}

interface Requests {
  readonly only: string | undefined;
  /** Path prefixes of tests: those of the part that are run, all by default. */
  readonly near: readonly string[] | undefined;
  readonly lines: readonly number[] | undefined;
  readonly minutes: number;
  readonly seed: number;
  readonly verbose: boolean;
}

async function tryAll(workers: readonly Worker[], queue: readonly Numbered[], reach: Reach, requests: Requests) {
  const known = new Set(readSurvivors().map(nameOf));
  const tally = new Tally(requests.verbose);
  const endsAt = performance.now() + requests.minutes * 60_000;
  let next = 0;
  const work = async (worker: Worker): Promise<void> => {
    for (;;) {
      const mutant = queue[next++];
      if (mutant === undefined || performance.now() > endsAt) return;
      await tally.try(mutant, reach, worker, known.has(nameOf(mutant)));
    }
  };
  await Promise.all(workers.map(work));
  return tally;
}

async function runRoom(name: string, room: Room, requests: Requests): Promise<number> {
  const sources = filesOf(ROOT, room.sources, false);
  const { only, near } = requests;
  const chosen = sources.filter((path) => only === undefined || path === only || path.startsWith(`${only}/`));
  if (chosen.length === 0) throw new Refusal(`${only} is not a source of ${name}.`);
  const tests = filesOf(ROOT, room.tests, true).filter((path) => near?.some((start) => path.startsWith(start)) ?? true);
  if (tests.length === 0) throw new Refusal(`${near?.join(" ")} is no test of ${name}.`);
  const { mutants, plan } = planOf(chosen, tests);
  const folder = mkdtempSync(join(tmpdir(), "clockwork-mutate-"));
  const planFile = join(folder, "plan.json");
  writeFileSync(planFile, JSON.stringify(plan));
  const programs =
    room.postgres === true && process.env.CW_TEST_DATABASE_URL === undefined ? findPostgres() : undefined;
  const database = programs === undefined ? undefined : await startPostgres(programs);
  const env = database === undefined ? {} : { CW_TEST_DATABASE_URL: database.url };
  const reach = new Reach();
  const workers = Array.from({ length: WORKERS }, () => new Worker(planFile, env, (...at) => reach.usualMs(...at)));
  const from = performance.now();
  try {
    const recorded = await workers[0]?.record((answer) => reach.take(answer));
    if (reach.failure !== undefined)
      throw new Refusal(`The tests of ${name} do not pass as they are: ${reach.failure}`);
    if (recorded !== true) throw new Refusal(`The tests of ${name} do not end as they are.`);
    print(
      `${name}: ${mutants.length} mutants in ${chosen.length} files, ${reach.tests} tests in ${plan.tests.length} files ` +
        `(both ways in ${seconds(performance.now() - from)})`,
    );
    const wanted = mutants.filter(({ line }) => requests.lines?.includes(line) ?? true);
    const tally = await tryAll(workers, shuffled(wanted, requests.seed), reach, requests);
    print(
      `${name}: ${tally.tried} of ${mutants.length} tried in ${seconds(performance.now() - from)}: ${tally.killed} killed, ` +
        `${tally.neverEnded} never ended, ${tally.late} late, ${tally.explained} explained, ${tally.survived} survived`,
    );
    return tally.survived + tally.late;
  } finally {
    for (const worker of workers) worker.stop();
    await database?.stop();
    rmSync(folder, { recursive: true });
  }
}

const main = async (): Promise<number> => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      file: { type: "string" },
      at: { type: "string" },
      tests: { type: "string" },
      minutes: { type: "string", default: "10" },
      seed: { type: "string", default: "1" },
      verbose: { type: "boolean", default: false },
    },
  });
  const { file: only, verbose } = values;
  const lines = values.at?.split(",").map(Number);
  const near = values.tests?.split(",");
  const names = positionals.length === 0 ? Object.keys(FOLDERS) : positionals;
  let survived = 0;
  for (const name of names) {
    const room = FOLDERS[name];
    if (room === undefined) throw new Refusal(`No room ${name}. Known: ${Object.keys(FOLDERS).join(" ")}.`);
    const bounds = { minutes: Number(values.minutes), seed: Number(values.seed) };
    survived += await runRoom(name, room, { only, near, lines, verbose, ...bounds });
  }
  return survived === 0 ? 0 : 1;
};

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  print(error.message);
  process.exitCode = 1;
}
