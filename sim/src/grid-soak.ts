// Owns the long run of grids: random grids over random walks, each through the core and through the back-test, compared to the
// unit after every price.
//   npm run soak -- grids --walks 1000 --from 1
import process from "node:process";
import { parseArgs } from "node:util";
import { runGridTwin } from "@clockwork/core/testing/grid-twin";

const { values } = parseArgs({
  options: { walks: { type: "string", default: "1000" }, from: { type: "string", default: "1" } },
});
const [walks, from] = [Number(values.walks), Number(values.from)];
let pairs = 0;
let failed = 0;
const statuses = new Map<string, number>();
for (let seed = from; seed < from + walks; seed++) {
  const result = runGridTwin(seed);
  pairs += result.pairs;
  statuses.set(result.status, (statuses.get(result.status) ?? 0) + 1);
  if (result.difference === undefined) continue;
  failed++;
  process.stdout.write(`seed ${seed}: ${result.difference}\n`);
}
const ends = [...statuses].map(([status, count]) => `${count} ${status}`).join(", ");
process.stdout.write(`${walks} walks, ${pairs} pairs, ${ends}; ${failed} differ\n`);
process.exitCode = failed === 0 ? 0 : 1;
