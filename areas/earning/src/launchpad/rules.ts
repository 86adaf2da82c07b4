// Pure rules of launches: refusals, states by time, prices, and the owners of tickets.

import { roundSeed, type TicketRange } from "@clockwork/kit/earn/draw";
import { MINUTE_MS } from "@clockwork/kit/time";
import type { LaunchState } from "./contract.ts";
import type { EntryRow, ProjectRow, RoundRow } from "./store.ts";

export const LAUNCH_LEVEL = 2;
export const USDT = "USDT";
export const USDT_SCALE = 6;
export const FLASH_PAY_MS = 10 * MINUTE_MS;
/** Unpaid tickets go to the waiting list, which has this time. */
export const WAITING_PAY_MS = 120 * MINUTE_MS;

export function roundState(round: RoundRow, project: Pick<ProjectRow, "state">, timeMs: number): LaunchState {
  if (project.state === "CANCELLED") return "CANCELLED";
  if (timeMs < round.preheat_ms) return "UPCOMING";
  if (timeMs < round.opens_ms) return "PREHEAT";
  if (timeMs < round.closes_ms && round.stage === "OPEN") return "SUBSCRIBE";
  if (round.stage === "OPEN" || round.stage === "CLOSED") return "CALCULATING";
  return timeMs < round.pay_until_ms ? "PAY" : "DISTRIBUTED";
}

/** Winners are drawn and shares computed. */
export function isDrawDue({ draw_ms }: Pick<RoundRow, "draw_ms">, timeMs: number): boolean {
  return draw_ms === null || timeMs >= draw_ms;
}

/** The project has the state of its first unfinished round. */
export function projectState(project: ProjectRow, rounds: readonly RoundRow[], timeMs: number): LaunchState {
  if (project.state !== "ACTIVE") return project.state;
  const states = rounds.map((round) => roundState(round, project, timeMs));
  const current = states.find((state) => state !== "DISTRIBUTED");
  if (current !== undefined) return current === "UPCOMING" && states[0] === "DISTRIBUTED" ? "PREHEAT" : current;
  return timeMs >= project.listing_ms ? "DISTRIBUTED" : "PAY";
}

/** The price of the coins, rounded up: the payment is never below the price. */
export function costOf(tokenUnits: bigint, { price_units, scale }: Pick<ProjectRow, "price_units" | "scale">): bigint {
  const one = 10n ** BigInt(scale);
  return (tokenUnits * price_units + one - 1n) / one;
}

/** The coins for an amount, rounded down. */
export function coinsFor(costUnits: bigint, { price_units, scale }: Pick<ProjectRow, "price_units" | "scale">): bigint {
  return (costUnits * 10n ** BigInt(scale)) / price_units;
}

/** The promise of a round before its tickets, revealed after its draw. */
export function seedOf(round: RoundRow, project: ProjectRow): { readonly seed: string; readonly promise: string } {
  return round.promise === null
    ? { seed: project.server_seed, promise: project.promise }
    : { seed: roundSeed(project.server_seed, round.round_id), promise: round.promise };
}

export function rangesOf(entries: readonly EntryRow[], holderOf: (userId: number) => string): TicketRange[] {
  return entries.map(({ user_id, tickets }) => ({ holder: holderOf(user_id), count: tickets }));
}

/** The owner of a ticket: entries in the order of their numbers. */
export function ownerOf(entries: readonly EntryRow[], ticket: number): EntryRow | undefined {
  let low = 0;
  let high = entries.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((entries[middle] as EntryRow).first_ticket <= ticket) low = middle;
    else high = middle - 1;
  }
  return entries[low];
}
