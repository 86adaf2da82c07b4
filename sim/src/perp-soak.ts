// Owns the long run of perpetuals: seeded sessions, the twins of liquidation and every bad day under many seeds, failing seeds told, an exit code.
//   npm run soak -- perps --sessions 300 --commands 600 --first 1
import process from "node:process";
import { parseArgs } from "node:util";
import { runSession } from "./liquidation-reference/session.ts";
import {
  bankruptAtOnce,
  crash,
  fundingAtLiquidation,
  inverseSwing,
  stopCascade,
  wrongSource,
} from "./perp-scenarios.ts";
import { PerpWorld } from "./perp-session.ts";
import { playPerps } from "./perp-traders.ts";

const FAILURES_MAX = 10;
const CRASH_ACCOUNTS = 60;

const DAYS: Readonly<Record<string, (seed: number) => PerpWorld>> = {
  crash: (seed) => crash(seed, CRASH_ACCOUNTS, 1),
  bankruptLinear: (seed) => bankruptAtOnce(seed, false),
  bankruptInverse: (seed) => bankruptAtOnce(seed, true),
  wrongSource,
  fundingAtLiquidation,
  stopCascade,
  inverseSwing,
};

const { values } = parseArgs({
  options: {
    first: { type: "string", default: "1" },
    sessions: { type: "string", default: "300" },
    commands: { type: "string", default: "600" },
  },
});
const [first, sessions, commands] = [Number(values.first), Number(values.sessions), Number(values.commands)];
const seen = new Map<string, number>();
let failed = 0;
let sent = 0;

interface Played {
  readonly sent: number;
  readonly seen: Iterable<readonly [string, number]>;
}

const published = ({ journal, seen: kinds }: PerpWorld): Played => ({ sent: journal.length, seen: kinds });

function attempt(name: string, play: () => Played): void {
  if (failed >= FAILURES_MAX) return;
  try {
    const played = play();
    sent += played.sent;
    for (const [kind, count] of played.seen) seen.set(kind, (seen.get(kind) ?? 0) + count);
  } catch (error) {
    failed++;
    console.log(`${name} failed: ${String(error)}`);
  }
}

for (let seed = first; seed < first + sessions; seed++) {
  attempt(`session ${seed}`, () => {
    const world = new PerpWorld(seed);
    playPerps(world, commands);
    return published(world);
  });
  attempt(`twins ${seed}`, () => ({ sent: commands, seen: runSession(seed, commands) }));
  // A bad day now and then: they are long, and every command of them is looked at.
  if (seed % 10 === 0)
    for (const [name, day] of Object.entries(DAYS)) attempt(`${name} ${seed}`, () => published(day(seed)));
}
for (const [kind, count] of [...seen].sort()) console.log(`${String(count).padStart(10)} ${kind}`);
console.log(`${sent} commands in ${sessions} sessions; ${failed === 0 ? "no violation" : `${failed} failed`}`);
process.exitCode = failed === 0 ? 0 : 1;
