// Owns what the tests of a part reach unchanged: which test reaches which mutant, how often, and how long it takes.
import type { Answer, Step } from "./runner.ts";

/** How much more often than unchanged a test may reach a mutant before it counts as never ending. */
const HITS_FACTOR = 50;
const HITS_MORE = 200_000;
const FREE_HITS = 10_000_000;
/** The same of all mutants together. */
const MEETS_FACTOR = 20;
const MEETS_MORE = 2_000_000;
const UNKNOWN_MS = 60_000;
/** What running any test costs. */
const TEST_MS = 5;

interface Run {
  readonly file: number;
  readonly test: number;
  readonly ms: number;
  readonly hits: ReadonlyMap<number, number>;
  /** How often mutants may be met in it, all of them together. */
  readonly meets: number;
}

const mapOf = (pairs: readonly number[]): Map<number, number> => {
  const found = new Map<number, number>();
  for (let at = 0; at < pairs.length; at += 2) found.set(pairs[at] ?? 0, pairs[at + 1] ?? 0);
  return found;
};

const meetsOf = (hits: ReadonlyMap<number, number>): number => {
  let met = 0;
  for (const count of hits.values()) met += count;
  return met * MEETS_FACTOR + MEETS_MORE;
};

export class Reach {
  failure: string | undefined;
  readonly #runs = new Map<string, Run>();
  /** Mutants met while modules load, or in a test only when it comes before others: they act once in a process. */
  readonly #early = new Set<number>();
  readonly #steps = new Map<number, Step[]>();
  readonly #kills = new Map<string, number>();

  get tests(): number {
    return this.#runs.size;
  }

  /** How long a test takes unchanged; unknown the first time. */
  usualMs(file: number, test: number): number {
    return this.#runs.get(`${file} ${test}`)?.ms ?? UNKNOWN_MS;
  }

  isEarly(mutant: number): boolean {
    return this.#early.has(mutant);
  }

  /**
   * The tests that reach a mutant, or every test for one that acts once in a process; those first that cost least for
   * what they have noticed in the same file so far.
   */
  stepsOf(mutant: number, source: string): readonly Step[] {
    const every = (): Step[] =>
      [...this.#runs.values()].map(({ file, test, meets }) => ({ file, test, hits: FREE_HITS, meets }));
    const found = this.#early.has(mutant) ? every() : (this.#steps.get(mutant) ?? []);
    const cost = ({ file, test }: Step): number =>
      (this.usualMs(file, test) + TEST_MS) / (1 + (this.#kills.get(`${source} ${file} ${test}`) ?? 0));
    return found.toSorted((a, b) => cost(a) - cost(b));
  }

  /** Notes which test noticed a mutant of a source. */
  noteKill(source: string, { file, test }: Pick<Step, "file" | "test">): void {
    const key = `${source} ${file} ${test}`;
    this.#kills.set(key, (this.#kills.get(key) ?? 0) + 1);
  }

  take(answer: Answer): void {
    if (answer.kind === "loaded") for (const id of mapOf(answer.hits).keys()) this.#early.add(id);
    if (answer.kind !== "ran") return;
    const { file, test, ms } = answer;
    if (answer.failure !== undefined) this.failure ??= answer.failure;
    const hits = mapOf(answer.hits);
    const before = this.#runs.get(`${file} ${test}`);
    if (before === undefined) {
      this.#runs.set(`${file} ${test}`, { file, test, ms, hits, meets: meetsOf(hits) });
      return;
    }
    const meets = Math.max(before.meets, meetsOf(hits));
    this.#runs.set(`${file} ${test}`, { ...before, ms: Math.min(ms, before.ms), meets });
    for (const id of new Set([...hits.keys(), ...before.hits.keys()])) {
      const counts = [hits.get(id) ?? 0, before.hits.get(id) ?? 0];
      if (Math.min(...counts) === 0) this.#early.add(id);
      const step = { file, test, hits: Math.max(...counts) * HITS_FACTOR + HITS_MORE, meets };
      this.#steps.set(id, [...(this.#steps.get(id) ?? []), step]);
    }
  }
}
