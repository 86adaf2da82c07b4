// Pure rules of spring cards: the draws of a day, the prize of a ticket, complete sets, the publication of a draw.
import { drawSeed, shuffleTickets, ticketRoot } from "@clockwork/kit/earn/draw";
import { formatUnits, parseUnits, units } from "@clockwork/kit/money";
import { DAY_MS } from "@clockwork/kit/time";
import { CARDS, type Card, type SpringDraw } from "./contract.ts";
import type { ActivityRow, DayRow, DrawRow } from "./store.ts";

const USDT_SCALE = 6;
export const usdtText = (amountUnits: bigint): string => formatUnits(units(amountUnits), USDT_SCALE);
export function usdtUnits(text: string): bigint | undefined {
  const read = parseUnits(text, USDT_SCALE);
  return read.done ? read.value : undefined;
}
export const dayOf = (timeMs: number): number => Math.floor(timeMs / DAY_MS);

export interface Prize {
  readonly count: number;
  readonly units: bigint;
}

export function writePrizes(prizes: readonly Prize[]): string {
  return JSON.stringify(prizes.map(({ count, units: amount }) => [count, amount.toString()]));
}

export function readPrizes(text: string): readonly Prize[] {
  const rows = JSON.parse(text) as readonly (readonly [number, string])[];
  return rows.map(([count, amount]) => ({ count, units: BigInt(amount) }));
}

export const countPrizes = (prizes: readonly Prize[]): number => prizes.reduce((sum, { count }) => sum + count, 0);

export const largestPrize = (prizes: readonly Prize[]): bigint =>
  prizes.reduce((most, { units: amount }) => (amount > most ? amount : most), 0n);

/** Tickets are numbered from 1 through the prizes in their order. */
export function prizeOf(prizes: readonly Prize[], ticket: number): bigint {
  let below = 0;
  for (const { count, units: amount } of prizes) {
    below += count;
    if (ticket <= below) return amount;
  }
  return 0n;
}

export const cardOf = (ticket: number): Card => CARDS[ticket - 1] ?? CARDS[0];

/** One for signing in, one more for each amount traded that day. */
export function drawsOf(activity: ActivityRow, volumeUnits: bigint): number {
  const byVolume = volumeUnits / activity.volume_units;
  const most = BigInt(activity.draws_max);
  return Number(byVolume + 1n < most ? byVolume + 1n : most);
}

/** The number of draws of each card. */
export function countCards(draws: readonly DrawRow[]): readonly number[] {
  return CARDS.map(
    (_, index) => draws.filter(({ what, ticket }) => what === "card" && ticket !== null && ticket === index + 1).length,
  );
}

/** Complete sets, including those already used for a draw. */
export const wholeSets = (counts: readonly number[]): number => Math.min(...counts);

const HOLDER_LENGTH = 32;

/** Identifies the draw, not the user. */
export const holderOf = (drawHash: string): string => drawHash.slice(0, HOLDER_LENGTH);

export function rangesOf(row: Pick<DrawRow, "draw_id" | "tickets">) {
  return [{ holder: row.draw_id, count: row.tickets }];
}

export const rootOf = (row: Pick<DrawRow, "draw_id" | "tickets">): string => ticketRoot(rangesOf(row));

export function drawTicket(row: DrawRow, serverSeed: string, publicSeed: string): { seed: string; ticket: number } {
  const seed = drawSeed(serverSeed, row.root, publicSeed);
  return { seed, ticket: shuffleTickets(seed, row.tickets)[0] ?? 1 };
}

export function describeDraw(row: DrawRow, day: DayRow, timeMs: number): SpringDraw {
  const { ticket } = row;
  return {
    drawId: row.draw_id,
    what: row.what,
    state: ticket === null ? "PENDING" : "DRAWN",
    card: row.what === "card" && ticket !== null ? cardOf(ticket) : null,
    prize: row.what === "movement" && ticket !== null ? usdtText(row.prize_units) : null,
    madeAtMs: row.made_ms,
    promise: day.promise,
    // Secret while it can still be used in a draw.
    serverSeed: dayOf(timeMs) > row.seed_day ? day.server_seed : null,
    root: row.root,
    publicSeed: row.public_seed,
    closeSequence: row.close_sequence,
    journal: row.journal === null ? null : (JSON.parse(row.journal) as SpringDraw["journal"]),
    seed: row.seed,
    winnersMax: 1,
    ranges: rangesOf(row),
    winners: ticket === null ? [] : [ticket],
  };
}
