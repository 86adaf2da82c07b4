// Pure rules of launches: refusals, states by time, what things cost, whose tickets are whose.

import { roundSeed, type TicketRange } from "@clockwork/kit/earn/draw";
import type { RefusalTable } from "@clockwork/kit/endpoint";
import { MINUTE_MS } from "@clockwork/kit/time";
import type { LaunchState } from "./contract.ts";
import type { EntryRow, ProjectRow, RoundRow } from "./store.ts";

export const LAUNCH_LEVEL = 2;
export const USDT = "USDT";
export const USDT_SCALE = 6;
export const FLASH_PAY_MS = 10 * MINUTE_MS;
/** Tickets that were not paid for go to the waiting list, which has so long. */
export const WAITING_PAY_MS = 120 * MINUTE_MS;

export const REFUSALS = {
  PROJECT_UNKNOWN: [404, "There is no such project."],
  ROUND_UNKNOWN: [404, "There is no such round."],
  ROUND_CLOSED: [409, "This round is not open now."],
  ROUND_KIND: [422, "This round is not joined in this way."],
  ROUND_UNDRAWN: [422, "This round is no lottery: nothing is drawn in it."],
  KYC_LEVEL_REQUIRED: [403, "Launches need a verified identity, level 2."],
  NO_TICKETS: [422, "Your least daily holding gives no ticket."],
  INVALID_AMOUNT: [400, "Give an amount of USDT above zero with at most six decimals."],
  CLIENT_ID_REUSED: [409, "This clientId was used for another amount."],
  INSUFFICIENT_BALANCE: [422, "There is not enough USDT in your spot account."],
  ACCOUNT_BLOCKED: [403, "Nothing can be moved out of this account now; contact support."],
  IN_DEBT: [
    403,
    "A deposit of yours was taken back by its network and is owed: until it is repaid, nothing can leave and only what repays it is open.",
  ],
  ORDER_UNKNOWN: [404, "You have nothing of this kind to pay for."],
  ORDER_STATE: [409, "This is not waiting for your payment."],
  PAY_WINDOW_OVER: [409, "The time to pay is over."],
  SALE_BUSY: [429, "Too many people are in line; try again."],
  LAUNCH_BUSY: [503, "The exchange cannot answer now; repeat it, nothing happens twice."],
} as const satisfies RefusalTable<string>;
export type LaunchRefusal = keyof typeof REFUSALS;

export function roundState(round: RoundRow, project: Pick<ProjectRow, "state">, timeMs: number): LaunchState {
  if (project.state === "CANCELLED") return "CANCELLED";
  if (timeMs < round.preheat_ms) return "UPCOMING";
  if (timeMs < round.opens_ms) return "PREHEAT";
  if (timeMs < round.closes_ms && round.stage === "OPEN") return "SUBSCRIBE";
  if (round.stage === "OPEN" || round.stage === "CLOSED") return "CALCULATING";
  return timeMs < round.pay_until_ms ? "PAY" : "DISTRIBUTED";
}

/** Winners are drawn and shares reckoned. */
export function isDrawDue({ draw_ms }: Pick<RoundRow, "draw_ms">, timeMs: number): boolean {
  return draw_ms === null || timeMs >= draw_ms;
}

/** The project stands where its first unfinished round stands. */
export function projectState(project: ProjectRow, rounds: readonly RoundRow[], timeMs: number): LaunchState {
  if (project.state !== "ACTIVE") return project.state;
  const states = rounds.map((round) => roundState(round, project, timeMs));
  const current = states.find((state) => state !== "DISTRIBUTED");
  if (current !== undefined) return current === "UPCOMING" && states[0] === "DISTRIBUTED" ? "PREHEAT" : current;
  return timeMs >= project.listing_ms ? "DISTRIBUTED" : "PAY";
}

/** What so many coins cost, rounded up: what is paid is never less than the price. */
export function costOf(tokenUnits: bigint, { price_units, scale }: Pick<ProjectRow, "price_units" | "scale">): bigint {
  const one = 10n ** BigInt(scale);
  return (tokenUnits * price_units + one - 1n) / one;
}

/** How many coins so much buys, rounded down. */
export function coinsFor(costUnits: bigint, { price_units, scale }: Pick<ProjectRow, "price_units" | "scale">): bigint {
  return (costUnits * 10n ** BigInt(scale)) / price_units;
}

/** What is promised of a round before its tickets and revealed after its draw. */
export function seedOf(round: RoundRow, project: ProjectRow): { readonly seed: string; readonly promise: string } {
  return round.promise === null
    ? { seed: project.server_seed, promise: project.promise }
    : { seed: roundSeed(project.server_seed, round.round_id), promise: round.promise };
}

export function rangesOf(entries: readonly EntryRow[], holderOf: (userId: number) => string): TicketRange[] {
  return entries.map(({ user_id, tickets }) => ({ holder: holderOf(user_id), count: tickets }));
}

/** Whose a ticket is: entries in the order of their numbers. */
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
