// Owns the trailing exit of a grid: how the best price is tracked and how far below it the grid ends. Pure, a part of
// the rule.
import type { GridState, GridTerms } from "./rule.ts";

/** The distance of an exit from the best price, in 1e-4. */
export const EXIT_BPS_MIN = 50;
export const EXIT_BPS_MAX = 5_000;
const ONE_BPS = 10_000;
/** The best price is kept in steps of this part of the distance: not every print has to be evaluated. */
const STEPS = 20;

/** A grid without a side has no best price. */
export const canExit = (kind: GridTerms["kind"]): boolean => kind !== "neutral";

function backOf(bestTicks: number, bps: number): number {
  return Math.floor((bestTicks * bps) / ONE_BPS);
}

/**
 * Where the best price is updated, and where the grid ends: above and below for a long, the other way round for a
 * short.
 */
function places({ kind, exitBps = 0 }: GridTerms, bestTicks: number): readonly [better: number, exit: number] {
  const back = Math.max(1, backOf(bestTicks, exitBps));
  const step = Math.max(1, Math.floor(back / STEPS));
  return kind === "short" ? [bestTicks - step, bestTicks + back] : [bestTicks + step, bestTicks - back];
}

/** The first price is the best so far. */
export function noteBest(terms: GridTerms, state: GridState, ticks: number): GridState {
  if (terms.exitBps === undefined) return state;
  const { bestTicks } = state;
  if (bestTicks === undefined) return { ...state, bestTicks: ticks };
  const [better] = places(terms, bestTicks);
  return (terms.kind === "short" ? ticks <= better : ticks >= better) ? { ...state, bestTicks: ticks } : state;
}

export function isExit(terms: GridTerms, { bestTicks }: GridState, ticks: number): boolean {
  if (terms.exitBps === undefined || bestTicks === undefined) return false;
  const [, exit] = places(terms, bestTicks);
  return terms.kind === "short" ? ticks >= exit : ticks <= exit;
}

/** Prices at which the grid's exit must be evaluated. */
export function exitLooks(terms: GridTerms, { bestTicks }: GridState): readonly number[] {
  return terms.exitBps === undefined || bestTicks === undefined ? [] : places(terms, bestTicks);
}
