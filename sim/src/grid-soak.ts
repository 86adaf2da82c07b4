// Owns the long run of grids: random grids over random walks, each through the core and through the back-test, and each bot's own
// figures beside what its fills come to, compared to the unit after every step.
//   npm run soak -- grids --walks 1000 --from 1
import process from "node:process";
import { parseArgs } from "node:util";
import { runFillWalk } from "@clockwork/core/testing/fill-reference";
import { runGridReference } from "@clockwork/core/testing/grid-reference";

const { values } = parseArgs({
  options: { walks: { type: "string", default: "1000" }, from: { type: "string", default: "1" } },
});
const [walks, from] = [Number(values.walks), Number(values.from)];

interface Walked {
  readonly difference: string | undefined;
  readonly status: string;
  readonly pairs: number;
}

/** Runs every seed and tells what differs; returns how many did. */
function runAll(name: string, run: (seed: number) => Walked, also: () => string): number {
  let [pairs, failed] = [0, 0];
  const statuses = new Map<string, number>();
  for (let seed = from; seed < from + walks; seed++) {
    const { difference, status, pairs: closed } = run(seed);
    pairs += closed;
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    if (difference === undefined) continue;
    failed++;
    process.stdout.write(`${name}, seed ${seed}: ${difference}\n`);
  }
  const ends = [...statuses].map(([status, count]) => `${count} ${status}`).join(", ");
  process.stdout.write(`${name}: ${walks} walks, ${pairs} pairs${also()}, ${failed} differ; ${ends}\n`);
  return failed;
}

let [parts, restarts, mostLines] = [0, 0, 0];
const kinds = new Map<string, number>();
const runFills = (seed: number): Walked => {
  const result = runFillWalk(seed);
  parts += result.parts;
  restarts += result.restarts;
  mostLines = Math.max(mostLines, result.mostLines);
  kinds.set(result.kind, (kinds.get(result.kind) ?? 0) + 1);
  return result;
};

const failed =
  runAll("core and back-test", runGridReference, () => "") +
  runAll("profit and fills", runFills, () => {
    const of = [...kinds].map(([kind, count]) => `${count} ${kind}`).join(", ");
    return `, ${parts} fills in part, ${restarts} restarts, up to ${mostLines} fills of a command (${of})`;
  });
process.exitCode = failed === 0 ? 0 : 1;
