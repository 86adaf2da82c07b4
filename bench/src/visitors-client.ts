// The visitors of the visitors benchmark, in a process of their own so that they do not slow down what they measure.
import { Agent, get } from "node:http";
import type { VisitorsReport, VisitorsTask } from "./visitors.ts";

function fetchPage(url: string, agent: Agent): Promise<boolean> {
  return new Promise((done) => {
    get(url, { agent, headers: { "accept-encoding": "gzip" } }, (response) => {
      let bytes = 0;
      response.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
      });
      response.on("end", () => done(response.statusCode === 200 && bytes > 2_000));
      response.on("error", () => done(false));
    }).on("error", () => done(false));
  });
}

async function run({ origin, visitors, pollMs, runMs }: VisitorsTask): Promise<VisitorsReport> {
  const agent = new Agent({ keepAlive: true, maxSockets: visitors });
  const tookMs: number[] = [];
  let faults = 0;
  const startedMs = performance.now();
  const stay = async (at: number): Promise<void> => {
    // They do not all arrive in the same instant, and not in step.
    await new Promise((done) => setTimeout(done, (at * pollMs) / visitors));
    while (performance.now() - startedMs < runMs) {
      const requestedMs = performance.now();
      if (!(await fetchPage(`${origin}/`, agent))) faults += 1;
      tookMs.push(performance.now() - requestedMs);
      await new Promise((done) => setTimeout(done, pollMs));
    }
  };
  await Promise.all(Array.from({ length: visitors }, (_, at) => stay(at)));
  agent.destroy();
  tookMs.sort((left, right) => left - right);
  const at = (share: number): number => tookMs[Math.min(tookMs.length - 1, Math.floor(tookMs.length * share))] ?? 0;
  return { pages: tookMs.length, faults, p50Ms: at(0.5), p99Ms: at(0.99), mostMs: tookMs.at(-1) ?? 0 };
}

process.once("message", async (task) => {
  process.send?.(await run(task as VisitorsTask));
  process.disconnect();
});
