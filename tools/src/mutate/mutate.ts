// Owns `npm run mutate`: changes the money rooms one small place at a time and tells which changes no test notices.
//   npm run mutate -- liquidation --minutes 20 --seed 3 --file core/src/perp/liquidation/adl.ts
// Survivors that are explained stand in survivors.json beside this file; one that is not there fails the run.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { startPostgres } from "../postgres.ts";
import { Refusal, say, seconds } from "../progress.mjs";
import { findPostgres } from "../system-packages.ts";
import { type Mutant, mutantsOf, mutate } from "./mutants.ts";
import { filesOf, ROOMS, type Room } from "./rooms.ts";
import type { Task } from "./runner.ts";
import { readSurvivors, type Survivor } from "./survivors.ts";

const ROOT = resolve(import.meta.dirname, "../../..");
const TIMEOUT_FACTOR = 3;
const TIMEOUT_MORE_MS = 10_000;
const FIRST_MS = 600_000;

type Verdict = "killed" | "timed out" | "survived";

/** Tests one mutant after another in a process that can be ended when a mutant never ends. */
class Worker {
  readonly #tests: readonly string[];
  readonly #env: NodeJS.ProcessEnv;
  #child: ChildProcess | undefined;

  constructor(tests: readonly string[], env: NodeJS.ProcessEnv) {
    this.#tests = tests;
    this.#env = env;
  }

  async #start(): Promise<ChildProcess> {
    const child = fork(join(import.meta.dirname, "runner.ts"), [ROOT, ...this.#tests], {
      ...{ cwd: ROOT, env: { ...process.env, ...this.#env }, stdio: ["ignore", "ignore", "inherit", "ipc"] },
      // Its own group, so that the test processes below it end with it.
      detached: true,
    });
    this.#child = child;
    await once(child, "message", { signal: AbortSignal.timeout(FIRST_MS) });
    return child;
  }

  async run(task: Task, limitMs: number): Promise<Verdict> {
    const child = this.#child ?? (await this.#start());
    child.send(task);
    return new Promise((done) => {
      const end = (verdict: Verdict): void => {
        clearTimeout(timer);
        child.off("message", onAnswer).off("exit", onExit);
        if (verdict === "timed out") this.stop();
        done(verdict);
      };
      const onAnswer = (answer: { readonly passed: boolean }): void => end(answer.passed ? "survived" : "killed");
      // A mutant that takes the whole process with it was noticed too.
      const onExit = (): void => {
        this.#child = undefined;
        end("killed");
      };
      const timer = setTimeout(() => end("timed out"), limitMs);
      child.on("message", onAnswer).on("exit", onExit);
    });
  }

  stop(): void {
    const child = this.#child;
    this.#child = undefined;
    if (child?.pid === undefined || child.exitCode !== null) return;
    process.kill(-child.pid, "SIGKILL");
  }
}

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

const nameOf = ({ file, code, change }: Pick<Survivor, "file" | "code" | "change">): string =>
  `${file}: ${code} [${change}]`;

interface Tally {
  readonly mutants: number;
  readonly killed: number;
  readonly timedOut: number;
  readonly explained: number;
  readonly survivors: readonly Mutant[];
}

async function tryAll(worker: Worker, mutants: readonly Mutant[], endsAt: number, limitMs: number): Promise<Tally> {
  const known = new Set(readSurvivors().map(nameOf));
  const count = { killed: 0, timedOut: 0, explained: 0 };
  const survivors: Mutant[] = [];
  let tried = 0;
  for (const mutant of mutants) {
    if (performance.now() > endsAt) break;
    tried++;
    if (known.has(nameOf(mutant))) {
      count.explained++;
      continue;
    }
    const text = mutate(readFileSync(join(ROOT, mutant.file), "utf8"), mutant);
    const verdict = await worker.run({ file: mutant.file, text }, limitMs);
    if (verdict === "killed") count.killed++;
    else if (verdict === "timed out") count.timedOut++;
    else {
      survivors.push(mutant);
      say(`survived ${mutant.file}:${mutant.line}  ${mutant.change}\n         ${mutant.code}`);
    }
  }
  return { ...count, mutants: tried, survivors };
}

async function runRoom(
  name: string,
  room: Room,
  only: string | undefined,
  minutes: number,
  seed: number,
): Promise<number> {
  const sources = filesOf(ROOT, room.sources, false).filter((path) => only === undefined || path === only);
  const tests = filesOf(ROOT, room.tests, true);
  if (sources.length === 0) throw new Refusal(`${only} is not a source of ${name}.`);
  const all = sources.flatMap((file) => mutantsOf(file, readFileSync(join(ROOT, file), "utf8")));
  const programs =
    room.postgres === true && process.env.CW_TEST_DATABASE_URL === undefined ? findPostgres() : undefined;
  const database = programs === undefined ? undefined : await startPostgres(programs);
  const worker = new Worker(tests, database === undefined ? {} : { CW_TEST_DATABASE_URL: database.url });
  const from = performance.now();
  try {
    if ((await worker.run({ file: "", text: undefined }, FIRST_MS)) !== "survived")
      throw new Refusal(`The tests of ${name} do not pass as they are.`);
    const usual = performance.now() - from;
    say(`${name}: ${all.length} mutants in ${sources.length} files, ${tests.length} test files (${seconds(usual)})`);
    const endsAt = performance.now() + minutes * 60_000;
    const tally = await tryAll(
      worker,
      shuffled(all, seed),
      endsAt,
      Math.ceil(usual) * TIMEOUT_FACTOR + TIMEOUT_MORE_MS,
    );
    say(
      `${name}: ${tally.mutants} of ${all.length} tried in ${seconds(performance.now() - from)}: ${tally.killed} killed, ` +
        `${tally.timedOut} never ended, ${tally.explained} explained, ${tally.survivors.length} survived`,
    );
    return tally.survivors.length;
  } finally {
    worker.stop();
    await database?.stop();
  }
}

const main = async (): Promise<number> => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      file: { type: "string" },
      minutes: { type: "string", default: "10" },
      seed: { type: "string", default: "1" },
    },
  });
  const names = positionals.length === 0 ? Object.keys(ROOMS) : positionals;
  let survived = 0;
  for (const name of names) {
    const room = ROOMS[name];
    if (room === undefined) throw new Refusal(`No room ${name}. Known: ${Object.keys(ROOMS).join(" ")}.`);
    survived += await runRoom(name, room, values.file, Number(values.minutes), Number(values.seed));
  }
  return survived === 0 ? 0 : 1;
};

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  say(error.message);
  process.exitCode = 1;
}
