// `npm run soak -- system [count] [first seed]`: the whole system by seed, again and again. Ends at the first violation
// and prints its seed, with which the same choices and faults come again.
import { runSystem, type SystemResult } from "./session.ts";
import { makeTemplate } from "./world.ts";

const COUNT_DEFAULT = 2_000;
const REPORT_EVERY = 50;

const [count = COUNT_DEFAULT, first = 1] = process.argv.slice(2).map(Number);
// Nothing else may be waited for between two runs.
const awake = setInterval(() => undefined, 1_000);
const template = await makeTemplate();
const sum = { commands: 0, confirmed: 0, crashes: 0, diskFaults: 0, answer: 0 };
try {
  for (let seed = first; seed < first + count; seed++) {
    add(await runSystem(seed, template.folder));
    if ((seed - first + 1) % REPORT_EVERY === 0 || seed === first + count - 1)
      process.stdout.write(`${seed - first + 1} seeds without a violation: ${JSON.stringify(sum)}\n`);
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  template.remove();
  clearInterval(awake);
}

function add({ seed, faults, counts }: SystemResult): void {
  if (faults.length > 0) throw new Error(`seed ${seed}: ${faults.join("; ")}`);
  for (const [name, value] of Object.entries(counts)) sum[name as keyof typeof sum] += value;
}
