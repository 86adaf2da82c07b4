// A user's own spring draws, saved from the page, are repeated by the command like a launch's.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { commitTo, drawSeed, publicSeedOf, shuffleTickets, ticketRoot } from "@clockwork/kit/earn/draw";
import { afterAll, expect, test } from "vitest";
import { verifyDraw } from "./draw-check.ts";

const folder = mkdtempSync(join(tmpdir(), "clockwork-draws-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const [serverSeed, kept] = ["a1".repeat(32), "b2".repeat(32)];
const ranges = [{ holder: "0123456789abcdef0123456789abcdef", count: 5 }];

function drawOf(drawId: string, behind: string) {
  const journal = { number: 7, sinceSequence: 91, untilSequence: 120, seed: "c3".repeat(32) };
  const [root, closeSequence] = [ticketRoot(ranges), 90];
  const publicSeed = publicSeedOf(closeSequence, journal);
  const seed = drawSeed(behind, root, publicSeed);
  const winners = [...shuffleTickets(seed, 5).subarray(0, 1)];
  const published = { drawId, promise: commitTo(behind), serverSeed: behind as string | null };
  return { ...published, root, closeSequence, journal, publicSeed, seed, winnersMax: 1, ranges, winners };
}

async function check(draws: readonly unknown[]): Promise<{ isRight: boolean; lines: string[] }> {
  const file = join(folder, "spring-draws.json");
  writeFileSync(file, JSON.stringify({ code: 200, data: { draws } }));
  const lines: string[] = [];
  const isRight = await verifyDraw({ name: "spring", from: file }, (line) => lines.push(line));
  return { isRight, lines };
}

test("[USR-5] saved draws agree line by line; one whose seed is still secret is reported and decides nothing", async () => {
  const waiting = { ...drawOf("second", kept), serverSeed: null };
  const { isRight, lines } = await check([drawOf("first", serverSeed), waiting]);
  expect(isRight).toBe(true);
  expect(lines).toContain("first: 5 tickets, 1 winners");
  expect(lines).toContain(`second has not been drawn, or its seed is still kept; its promise is ${commitTo(kept)}`);
  expect(lines.filter((line) => line.startsWith("DIFFERS"))).toEqual([]);
  expect((await check([waiting])).isRight).toBe(false);
  expect((await check([])).isRight).toBe(false);
});

test("[USR-5] another card than the seeds draw, or another seed than was promised, is detected", async () => {
  const draw = drawOf("first", serverSeed);
  const [ticket = 0] = draw.winners;
  const other = await check([drawOf("before", kept), { ...draw, winners: [(ticket % 5) + 1] }]);
  expect(other.isRight).toBe(false);
  expect(other.lines).toContain("DIFFERS  winners");
  expect((await check([{ ...draw, promise: commitTo(kept) }])).lines).toContain("DIFFERS  promise");
});
