// Pure rules of spring cards: draws by turnover, prizes by ticket, whole sets, and publicly repeatable draws.
import { checkDraw, commitTo, publicSeedOf } from "@clockwork/kit/earn/draw";
import { DAY_MS } from "@clockwork/kit/time";
import { expect, test } from "vitest";
import {
  countCards,
  describeDraw,
  drawsOf,
  drawTicket,
  largestPrize,
  prizeOf,
  readPrizes,
  rootOf,
  wholeSets,
  writePrizes,
} from "./rules.ts";
import type { ActivityRow, DrawRow } from "./store.ts";

const activity = { volume_units: 500n, draws_max: 4 } as ActivityRow;
const SERVER = "5a".repeat(32);
const JOURNAL = { number: 3, sinceSequence: 12, untilSequence: 15, seed: "c3".repeat(32) };
const PUBLIC = publicSeedOf(10, JOURNAL);
const base = {
  draw_id: "ab".repeat(16),
  what: "card",
  tickets: 5,
  seed_day: 3,
  ticket: null,
  public_seed: null,
  journal: null,
  close_sequence: 10,
  seed: null,
  prize_units: 0n,
  made_ms: 0,
} as unknown as DrawRow;
const row = { ...base, root: rootOf(base) };
const day = { activity_id: "s", day: 3, server_seed: SERVER, promise: commitTo(SERVER) };

test("[USR-5] signing in gives a draw, turnover more, up to a daily limit", () => {
  expect(drawsOf(activity, 0n)).toBe(1);
  expect(drawsOf(activity, 499n)).toBe(1);
  expect(drawsOf(activity, 1_000n)).toBe(3);
  expect(drawsOf(activity, 1_000_000n)).toBe(4);
});

test("[USR-5] every ticket has its prize", () => {
  const prizes = readPrizes(
    writePrizes([
      { count: 1, units: 100n },
      { count: 2, units: 5n },
    ]),
  );
  expect([1, 2, 3].map((ticket) => prizeOf(prizes, ticket))).toEqual([100n, 5n, 5n]);
  expect(largestPrize(prizes)).toBe(100n);
});

test("[USR-5] a movement takes one of each card", () => {
  const draws = [1, 2, 3, 4, 5, 5].map((ticket) => ({ ...row, ticket }));
  expect(countCards(draws)).toEqual([1, 1, 1, 1, 2]);
  expect(wholeSets(countCards(draws))).toBe(1);
  expect(wholeSets(countCards(draws.slice(1)))).toBe(0);
});

test("[USR-5] the seed is secret during its day and published afterwards; then anyone can repeat the draw", () => {
  const drawn = { ...row, public_seed: PUBLIC, journal: JSON.stringify(JOURNAL), ...drawTicket(row, SERVER, PUBLIC) };
  expect(describeDraw(drawn, day, 3 * DAY_MS).serverSeed).toBeNull();
  const shown = describeDraw(drawn, day, 4 * DAY_MS);
  const { serverSeed, publicSeed, seed } = shown;
  if (serverSeed === null || publicSeed === null || seed === null) throw new Error("not shown");
  const published = { ...shown, serverSeed, publicSeed, seed };
  expect(checkDraw(published, () => undefined)).toBe(true);
  expect(checkDraw({ ...published, winners: [(shown.winners[0] ?? 0) + 1] }, () => undefined)).toBe(false);
});

test("[USR-5] each card has the same probability", () => {
  const seen = [0, 0, 0, 0, 0];
  for (let index = 0; index < 5_000; index++) {
    const { ticket } = drawTicket(row, SERVER, index.toString(16).padStart(64, "0"));
    seen[ticket - 1] = (seen[ticket - 1] ?? 0) + 1;
  }
  // Five standard deviations around a thousand.
  for (const count of seen) expect(Math.abs(count - 1_000)).toBeLessThan(142);
});
