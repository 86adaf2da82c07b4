// Owns one worker of the mutation run: loads the part's tests once, with every mutant of the part inactive in the
// sources they import, and runs the requested tests with one mutant active. Files on disk are never touched. It answers
// by lines on its fourth descriptor, written at once, so that the parent can identify and end a test that never ends.
import { readFileSync, writeSync } from "node:fs";
import { registerHooks } from "node:module";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import type { Collected } from "./collected.ts";

export interface Plan {
  readonly root: string;
  readonly mutants: number;
  /** Sources with their mutants in them, as JavaScript, by path. */
  readonly sources: Readonly<Record<string, string>>;
  readonly tests: readonly string[];
  /** How many tests of a file are tried, where it is not all of them. */
  readonly first: Readonly<Record<string, number>>;
}

/**
 * A test by its file and its place in it; how often the mutant may be met in it, and all mutants together, before it counts
 * as never ending: a loop without an end seldom runs through the mutant itself.
 */
export interface Step {
  readonly file: number;
  readonly test: number;
  readonly hits: number;
  readonly meets: number;
}

export type Task = { readonly record: true } | { readonly mutant: number; readonly steps: readonly Step[] };

export type Answer =
  | { readonly kind: "running"; readonly file: number; readonly test: number }
  | { readonly kind: "loaded"; readonly hits: readonly number[] }
  | {
      readonly kind: "ran";
      readonly file: number;
      readonly test: number;
      readonly name: string;
      readonly ms: number;
      readonly failure: string | undefined;
      /** Numbers of mutants met, each followed by how often. */
      readonly hits: readonly number[];
    }
  | { readonly kind: "recorded" }
  /** `spoiled`: what failed fails without the mutant too, so that this process is good for nothing more. */
  | {
      readonly kind: "verdict";
      readonly failure: string | undefined;
      readonly spoiled: boolean;
      readonly at: Pick<Step, "file" | "test"> | undefined;
    };

const FREE_HITS = 1_000_000;
const ENDLESS = { hits: FREE_HITS, meets: Number.POSITIVE_INFINITY };
const NONE = -1;
const ANSWERS = 3;

const plan = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")) as Plan;
/** Active from the first import on: for mutants that act while modules load. */
const fromStart = Number(process.argv[3] ?? NONE);
const answer = (line: Answer): void => {
  writeSync(ANSWERS, `${JSON.stringify(line)}\n`);
};

let awake = fromStart;
let left = FREE_HITS;
let leftOfAll = Number.POSITIVE_INFINITY;
let counts = new Float64Array(plan.mutants);
const meet = (id: number): boolean => {
  counts[id] = (counts[id] ?? 0) + 1;
  if (--leftOfAll < 0) throw new Error("never ends");
  if (id !== awake) return false;
  if (--left < 0) throw new Error("never ends");
  return true;
};
Object.assign(globalThis, { $mutant: meet });

const COLLECTED = pathToFileURL(join(import.meta.dirname, "collected.ts")).href;
const sources = new Map(
  Object.entries(plan.sources).map(([path, text]) => [pathToFileURL(join(plan.root, path)).href, text]),
);
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === "vitest" && context.parentURL !== COLLECTED
      ? { url: COLLECTED, shortCircuit: true }
      : next(specifier, context),
  load: (url, context, next) => {
    const source = sources.get(url);
    return source === undefined ? next(url, context) : { format: "module", source, shortCircuit: true };
  },
});
const { collectFrom } = await import("./collected.ts");

const hitsNow = (): number[] => {
  const hits: number[] = [];
  for (const [id, count] of counts.entries()) if (count > 0) hits.push(id, count);
  return hits;
};

const loaded = new Map<number, readonly Collected[]>();
async function testsOf(file: number): Promise<readonly Collected[]> {
  const known = loaded.get(file);
  if (known !== undefined) return known;
  const mutant = awake;
  awake = fromStart;
  const path = plan.tests[file] ?? "";
  const all = await collectFrom(() => import(pathToFileURL(join(plan.root, path)).href));
  const tests = all.slice(0, plan.first[path]);
  awake = mutant;
  loaded.set(file, tests);
  return tests;
}

/** Errors that no test waits for fail the one that runs. */
let nobodysError = Promise.withResolvers<never>();
for (const kind of ["uncaughtException", "unhandledRejection"] as const)
  process.on(kind, (error) => {
    nobodysError.reject(error);
    nobodysError = Promise.withResolvers<never>();
    nobodysError.promise.catch(() => undefined);
  });
nobodysError.promise.catch(() => undefined);

/** Why a test failed; undefined when it passed. */
async function failureOf({ file, test, hits, meets }: Step, mutant: number): Promise<string | undefined> {
  answer({ kind: "running", file, test });
  left = hits;
  let failure: string | undefined;
  let name = plan.tests[file] ?? "";
  try {
    // With a mutant that is active from the start this may fail too.
    const found = (await testsOf(file))[test];
    if (found === undefined) throw new Error(`has no test ${test}`);
    name = found.name;
    awake = mutant;
    leftOfAll = meets;
    await Promise.race([found.run(), nobodysError.promise]);
  } catch (error) {
    failure = `${name}: ${String(error).split("\n")[0]}`;
  }
  // Even if the error was swallowed, the mutant never ended.
  const isEndless = left < 0 || leftOfAll < 0;
  awake = fromStart;
  leftOfAll = Number.POSITIVE_INFINITY;
  return isEndless ? "never ends" : failure;
}

/** Every test forward and then backward: none may need another, and what they reach must not depend on their order. */
async function record(): Promise<void> {
  const order: { file: number; test: number; name: string }[] = [];
  for (const file of plan.tests.keys()) {
    counts = new Float64Array(plan.mutants);
    const tests = await testsOf(file).catch((error) => {
      // A file that cannot be read is reported like a failing test; it cannot be run.
      const name = plan.tests[file] ?? "";
      answer({ kind: "ran", file, test: NONE, name, ms: 0, failure: `${name}: ${error}`, hits: [] });
      process.exit(1);
    });
    answer({ kind: "loaded", hits: hitsNow() });
    for (const [test, { name }] of tests.entries()) order.push({ file, test, name });
  }
  for (const { file, test, name } of [...order, ...order.toReversed()]) {
    counts = new Float64Array(plan.mutants);
    const from = performance.now();
    const failure = await failureOf({ file, test, ...ENDLESS }, NONE);
    answer({ kind: "ran", file, test, name, ms: performance.now() - from, failure, hits: hitsNow() });
  }
  answer({ kind: "recorded" });
}

async function judge(mutant: number, steps: readonly Step[]): Promise<void> {
  for (const step of steps) {
    const { file, test } = step;
    const failure = await failureOf(step, mutant);
    if (failure === undefined) continue;
    const spoiled = fromStart === NONE && (await failureOf({ file, test, ...ENDLESS }, NONE)) !== undefined;
    return answer({ kind: "verdict", failure, spoiled, at: { file, test } });
  }
  answer({ kind: "verdict", failure: undefined, spoiled: false, at: undefined });
}

for await (const line of createInterface({ input: process.stdin })) {
  const task = JSON.parse(line) as Task;
  if ("record" in task) await record();
  else await judge(task.mutant, task.steps);
}
