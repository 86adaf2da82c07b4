// Connects the scheduler with the clock, the database, the engine that makes this process the leader, and the metrics.
import { randomUUID } from "node:crypto";
import type { Jobs } from "@clockwork/host/job";
import type { BaseContext, Part } from "@clockwork/host/part";
import { readFor } from "@clockwork/host/reading";
import { measureMs } from "@clockwork/host/time/measure";
import { Counter, Gauge } from "prom-client";
import { JobService } from "./service.ts";
import { jobStore } from "./store.ts";

export interface JobsPart extends Part, Jobs {}

export function jobsPart(context: Pick<BaseContext, "clock" | "database" | "engine" | "log" | "metrics">): JobsPart {
  const { clock, database, engine, log, metrics } = context;
  const registers = [metrics.registry];
  const labelNames = ["job"] as const;
  const runs = new Counter({
    name: "cw_job_runs_total",
    help: "Runs of named jobs, by outcome",
    labelNames: ["job", "outcome"],
    registers,
  });
  const failing = new Gauge({
    name: "cw_job_failures",
    help: "Failures of a job since its last good run; 0 is well",
    labelNames,
    registers,
  });
  const due = new Gauge({
    name: "cw_job_done_due_ms",
    help: "The due time of a job's last good run",
    labelNames,
    registers,
  });
  const service = new JobService({
    store: jobStore(database.kysely),
    needs: {
      clock,
      measureMs,
      holder: randomUUID(),
      // The process that runs the engine leads: its folder and its journal have one owner.
      isLeader: () => engine.health().state === "running",
      onRun: ({ job, outcome, dueMs, tookMs, failures, error }) => {
        runs.inc({ job, outcome });
        failing.set({ job }, failures);
        if (outcome === "done") due.set({ job }, dueMs);
        else log.warn("job.failed", { job, dueMs, tookMs, failures, error });
      },
      onFault: (error) => log.warn("job.fault", { error }),
    },
  });
  return {
    // Each job has a share of the readers of its own: a long one blocks neither requests nor other jobs.
    add: (job) =>
      service.add({ ...job, run: (run) => readFor({ key: `job ${job.name}`, spentMs: 0 }, () => job.run(run)) }),
    start: () => service.start(),
    close: () => service.close(),
  };
}
