// Replaces vitest in tests' imports: collects them so that one can be run alone, again and again, within milliseconds.
// Expectations are vitest's own. A test's beforeAll runs before each test, so that none needs another to have run.
import { expect as vitestExpect } from "vitest";

type Work = (...values: unknown[]) => unknown;
type Hook = "beforeAll" | "beforeEach" | "afterEach" | "afterAll";

interface Suite {
  readonly name: string;
  readonly parent: Suite | undefined;
  readonly skipped: boolean;
  readonly hooks: Record<Hook, Work[]>;
}

export interface Collected {
  readonly name: string;
  run(): Promise<void>;
}

const suiteOf = (name: string, parent: Suite | undefined, skipped: boolean): Suite => ({
  name,
  parent,
  skipped: skipped || parent?.skipped === true,
  hooks: { beforeAll: [], beforeEach: [], afterEach: [], afterAll: [] },
});

let suite = suiteOf("", undefined, false);
let collected: Collected[] = [];

/** The tests a file registers while `load` imports it. */
export async function collectFrom(load: () => Promise<unknown>): Promise<readonly Collected[]> {
  suite = suiteOf("", undefined, false);
  collected = [];
  await load();
  return collected;
}

/** From the outermost suite to the innermost. */
const suitesTo = (inner: Suite): Suite[] => [...(inner.parent === undefined ? [] : suitesTo(inner.parent)), inner];

async function runTest(inner: Suite, work: Work, values: readonly unknown[]): Promise<void> {
  const suites = suitesTo(inner);
  const finished: Work[] = [];
  const context = { onTestFinished: (done: Work) => finished.push(done), expect: vitestExpect };
  try {
    for (const hook of ["beforeAll", "beforeEach"] as const)
      for (const { hooks } of suites) for (const one of hooks[hook]) await one(context);
    await work(...values, ...(values.length === 0 ? [context] : []));
  } finally {
    for (const one of finished.reverse()) await one();
    for (const { hooks } of suites.toReversed()) for (const one of hooks.afterEach.toReversed()) await one(context);
    for (const { hooks } of suites.toReversed()) for (const one of hooks.afterAll.toReversed()) await tidy(one);
  }
}

/** An afterAll may check all of a file's tests; here it only cleans up. */
async function tidy(work: Work): Promise<void> {
  try {
    await work();
  } catch {
    // Not every test has run.
  }
}

/** Titles are formatted only for readers; the order of registration identifies a test. */
const rowsOf = (rows: readonly unknown[]): unknown[][] => rows.map((row) => (Array.isArray(row) ? row : [row]));

const register =
  (skipped: boolean, values: readonly unknown[] = []) =>
  (title: string, ...rest: readonly unknown[]): void => {
    const work = rest.find((one) => typeof one === "function") as Work;
    const inner = suite;
    if (skipped || inner.skipped) return;
    const name = [...suitesTo(inner).map((one) => one.name), title, ...values.map(String)].join(" ").trim();
    collected.push({ name, run: () => runTest(inner, work, values) });
  };

const open =
  (skipped: boolean, values: readonly unknown[] = []) =>
  (title: string, ...rest: readonly unknown[]): void => {
    const outer = suite;
    suite = suiteOf(title, outer, skipped);
    (rest.find((one) => typeof one === "function") as Work)(...values);
    suite = outer;
  };

const withKinds = (make: typeof register) =>
  Object.assign(make(false), {
    each:
      (rows: readonly unknown[]) =>
      (title: string, ...rest: readonly unknown[]): void => {
        for (const values of rowsOf(rows)) make(false, values)(title, ...rest);
      },
    skipIf: (condition: unknown) => make(Boolean(condition)),
    runIf: (condition: unknown) => make(!condition),
  });

const hook =
  (kind: Hook) =>
  (work: Work): void => {
    suite.hooks[kind].push(work);
  };

export const expect = vitestExpect;
export const test = withKinds(register);
export const it = withKinds(register);
export const describe = withKinds(open);
export const beforeAll = hook("beforeAll");
export const beforeEach = hook("beforeEach");
export const afterEach = hook("afterEach");
export const afterAll = hook("afterAll");
