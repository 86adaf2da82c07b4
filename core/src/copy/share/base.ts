// Owns what a follower's bounds are reckoned from: what is put in raises it by as much, what is taken out lowers it by the
// same part as it takes of the equity, so that a withdrawal is neither a loss nor a gain. Never closes anything.
import { mulDivFloor } from "@clockwork/kit/money";
import type { Core } from "../../state/core.ts";
import { FOF_BASE, FOF_INVESTED, FOF_TAKEN } from "../state/records.ts";

const NOTHING = -1;

/** What a stop-loss or take-profit is a part of, 0 when nothing is at stake. */
export function baseOf(core: Core, follow: number): number {
  const { follows } = core.copies;
  return Math.max(0, follows.double(follow, FOF_BASE) || follows.double(follow, FOF_INVESTED));
}

export function setBase(core: Core, follow: number, units: number): void {
  core.copies.follows.setDouble(follow, FOF_BASE, units > 0 ? units : NOTHING);
}

export function raiseBase(core: Core, follow: number, units: number): void {
  const { follows } = core.copies;
  // Records of before there was a base have the deposit in what was invested already.
  if (follows.double(follow, FOF_BASE) !== 0) setBase(core, follow, baseOf(core, follow) + units);
}

/** So much of the equity is leaving. */
export function noteTaken(core: Core, follow: number, units: number): void {
  core.copies.follows.add(follow, FOF_TAKEN, units);
}

/** Of what left in this command the base loses its part; the equity is what is left. */
export function lowerBase(core: Core, follow: number, equityUnits: number): void {
  const { follows } = core.copies;
  const taken = follows.double(follow, FOF_TAKEN);
  follows.setDouble(follow, FOF_TAKEN, 0);
  if (follows.double(follow, FOF_BASE) === 0) return;
  setBase(core, follow, equityUnits <= 0 ? 0 : mulDivFloor(baseOf(core, follow), equityUnits, equityUnits + taken));
}
