// The check of a draw as a visitor runs it: the site's own worker with the given number of tickets in Chromium, and how
// long the page's thread was blocked during it. npm run bench -- draw-browser [tickets]
import { resolve } from "node:path";
import {
  commitTo,
  drawSeed,
  type PublishedDraw,
  publicSeedOf,
  shuffleTickets,
  ticketRoot,
} from "@clockwork/kit/earn/draw";
import { rolldown } from "rolldown";
import { openBrowser } from "./browser.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const WORKER = "apps/web/src/features/launchpad/draw-worker.ts";
const tickets = Number(process.argv[2] ?? 100_000);
const HELD = 10;
const WINNERS = 1_000;
const ROUNDS = 5;
const BAR_MS = 1_000;

function publish(): PublishedDraw {
  const serverSeed = "11".repeat(32);
  const journal = { number: 1, sinceSequence: 101, untilSequence: 102, seed: "22".repeat(32) };
  const [closeSequence, publicSeed] = [100, publicSeedOf(100, journal)];
  const ranges = Array.from({ length: Math.ceil(tickets / HELD) }, (_, index) => ({
    holder: index.toString(16).padStart(32, "0"),
    count: HELD,
  }));
  const root = ticketRoot(ranges);
  const seed = drawSeed(serverSeed, root, publicSeed);
  const winners = [...shuffleTickets(seed, ranges.length * HELD).subarray(0, WINNERS)];
  const seeds = { promise: commitTo(serverSeed), serverSeed, root, publicSeed, closeSequence, journal, seed };
  return { ...seeds, winnersMax: WINNERS, ranges, winners };
}

async function readWorker(): Promise<string> {
  const bundle = await rolldown({ cwd: ROOT, input: WORKER });
  const { output } = await bundle.generate({ format: "iife" });
  await bundle.close();
  return output[0].code;
}

interface Checked {
  readonly isRight: boolean;
  readonly tookMs: number;
  /** From the press to the verdict, with the thread's start. */
  readonly wholeMs: number;
  /** The longest the page could do nothing. */
  readonly takenMs: number;
}

/** A worker with the pages' types; this file's own types are Node's. */
interface PageWorker {
  onmessage: (event: { readonly data: { kind: string; isRight: boolean; tookMs: number; sequence: number } }) => void;
  postMessage(data: unknown): void;
  terminate(): void;
}

const browser = await openBrowser();
try {
  const page = await browser.newPage();
  const [code, draw] = [await readWorker(), publish()];
  const check = (given: PublishedDraw): Promise<Checked> =>
    page.evaluate(
      ({ source, data }) =>
        new Promise<Checked>((done) => {
          const startedMs = performance.now();
          let [lastMs, takenMs] = [startedMs, 0];
          const turning = setInterval(() => {
            takenMs = Math.max(takenMs, performance.now() - lastMs);
            lastMs = performance.now();
          }, 0);
          const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
          const worker = new (globalThis as unknown as { Worker: new (url: string) => PageWorker }).Worker(address);
          worker.onmessage = ({ data: answer }) => {
            // There is no exchange here that serves its record of seeds.
            if (answer.kind === "wanted")
              worker.postMessage({ kind: "seed", sequence: answer.sequence, seed: undefined });
            if (answer.kind !== "end") return;
            clearInterval(turning);
            worker.terminate();
            const { isRight, tookMs } = answer;
            done({ isRight, tookMs, takenMs, wholeMs: performance.now() - startedMs });
          };
          worker.postMessage({ kind: "draw", draw: data });
        }),
      { source: code, data: given },
    );
  const runs: Checked[] = [];
  for (let round = 0; round < ROUNDS; round++) runs.push(await check(draw));
  const planted = await check({ ...draw, ranges: draw.ranges.with(7, { holder: "f".repeat(32), count: HELD }) });
  const sorted = (of: (run: Checked) => number): number[] => runs.map(of).sort((left, right) => left - right);
  const text = (times: readonly number[]): string => times.map((time) => Math.round(time)).join(", ");
  const whole = sorted(({ wholeMs }) => wholeMs);
  const isMet = runs.every(({ isRight }) => isRight) && !planted.isRight && (whole[ROUNDS >> 1] ?? 0) < BAR_MS;
  process.stdout.write(
    `${tickets} tickets checked in Chromium: ${text(sorted(({ tookMs }) => tookMs))} ms in the worker, ${text(whole)} ms from the ` +
      `press (below ${BAR_MS}), the page's thread taken for at most ${text(sorted(({ takenMs }) => takenMs))} ms; one changed ticket ` +
      `${planted.isRight ? "did not show" : "shows"}\n${isMet ? "passed" : "FAILED"}\n`,
  );
  process.exitCode = isMet ? 0 : 1;
} finally {
  await browser.close();
}
