// Accounts under observation and under load: whether responses reveal existing accounts by their time, and whether two
// thousand users signing in at once slow down trading. Exits with 1 when a bar is missed. `same` or `storm` runs one
// part; a number after `storm` is how many sign in.
import { measureSameness } from "./accounts-sameness.ts";
import { Caller, startAccountsSite } from "./accounts-site.ts";
import { type Latency, measureStorm, SIGN_INS } from "./accounts-storm.ts";

const ms = (value: number): string => `${value.toFixed(2)} ms`.padStart(11);

async function runSameness(): Promise<boolean> {
  const site = await startAccountsSite();
  const caller = new Caller(site.origin);
  try {
    const rows = await measureSameness(caller);
    console.log("\nKnown against unknown accounts (median and 90 % of 240 calls each, bar: medians within 5 %)");
    for (const { name, knownMs, unknownMs, knownP90Ms, unknownP90Ms, apart, isAlike, statuses } of rows) {
      const medians = `${ms(knownMs)} ${ms(unknownMs)}  p90 ${ms(knownP90Ms)} ${ms(unknownP90Ms)}`;
      console.log(
        `${isAlike ? "✓" : "✗"} ${name.padEnd(26)} ${medians}  apart ${(apart * 100).toFixed(2)} %  (${statuses.join()})`,
      );
    }
    return rows.every(({ isAlike }) => isAlike);
  } finally {
    caller.close();
    await site.stop();
  }
}

function printLatency(name: string, { count, p50Ms, p99Ms, maxMs }: Latency): void {
  console.log(`  ${name.padEnd(18)} p50 ${ms(p50Ms)}  p99 ${ms(p99Ms)}  max ${ms(maxMs)}  (${count} calls)`);
}

async function runStorm(count: number): Promise<boolean> {
  const site = await startAccountsSite();
  const caller = new Caller(site.origin);
  try {
    const { call, commandsSinceGrowth, storm, signIns } = await measureStorm(caller, site.origin, count);
    console.log(`\n${count} sign-ins at once beside ${call}`);
    printLatency("before", commandsSinceGrowth);
    printLatency("during the storm", storm);
    const { entered, putOff, putOffWithoutTime, failed, tookMs, slowestMs } = signIns;
    console.log(
      `  sign-ins: ${entered} entered in ${(tookMs / 1000).toFixed(1)} s, ${putOff} times told to come again (429, ${putOffWithoutTime} without a time), ${failed} failed, slowest answer ${(slowestMs / 1000).toFixed(1)} s`,
    );
    return failed === 0 && putOffWithoutTime === 0;
  } finally {
    caller.close();
    await site.stop();
  }
}

const [part, count] = process.argv.slice(2);
const isSame = part === "storm" || (await runSameness());
const isCalm = part === "same" || (await runStorm(Number(count ?? SIGN_INS)));
process.exitCode = isSame && isCalm ? 0 : 1;
