// Five hundred visitors on the home page at once while the simulated market runs: each keeps a connection, requests
// `/`, reads for a moment and requests again. The clients are a separate process. Prints a table, or JSON with --json.
import { fork } from "node:child_process";
import { startServer } from "./visitors-site.ts";

const VISITORS = 500;
const WARM_MS = 8_000;
const RUN_MS = 20_000;
/** A visitor who requests again sooner is reloading the page. */
const POLL_MS = 1_000;
const P99_MAX_MS = 500;

export interface VisitorsTask {
  readonly origin: string;
  readonly visitors: number;
  readonly pollMs: number;
  readonly runMs: number;
}

export interface VisitorsReport {
  readonly pages: number;
  readonly faults: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly mostMs: number;
}

function visit(task: VisitorsTask): Promise<VisitorsReport> {
  const child = fork(new URL("./visitors-client.ts", import.meta.url), { stdio: "inherit" });
  return new Promise((done, fail) => {
    child.once("message", (report) => done(report as VisitorsReport));
    child.once("exit", (code) => fail(new Error(`the visitors ended with ${code}`)));
    child.send(task);
  });
}

async function main(): Promise<void> {
  const site = await startServer();
  try {
    const task = { origin: site.origin, visitors: VISITORS, pollMs: POLL_MS };
    await visit({ ...task, runMs: WARM_MS });
    const report = await visit({ ...task, runMs: RUN_MS });
    const passed = report.faults === 0 && report.p99Ms < P99_MAX_MS;
    const perSecond = Math.round(report.pages / (RUN_MS / 1_000));
    if (process.argv.includes("--json")) {
      process.stdout.write(
        `${JSON.stringify({ name: "visitors", ...report, perSecond, p99MaxMs: P99_MAX_MS, passed })}\n`,
      );
    } else {
      process.stdout.write(
        `${VISITORS} visitors, ${report.pages} pages (${perSecond}/s), ${report.faults} faults\n` +
          `p50 ${report.p50Ms.toFixed(1)} ms, p99 ${report.p99Ms.toFixed(1)} ms (below ${P99_MAX_MS}), ` +
          `most ${report.mostMs.toFixed(1)} ms: ${passed ? "passed" : "FAILED"}\n`,
      );
    }
    process.exitCode = passed ? 0 : 1;
  } finally {
    await site.stop();
  }
}

await main();
