// Entry of the core's and the snapshots' thread in tests: the loops around a test machine. Must never be started by the server.
import { workerData } from "node:worker_threads";
import { runCore } from "./core-loop.ts";
import type { CoreWorkerData, SnapshotWorkerData } from "./messages.ts";
import { runSnapshots } from "./snapshot-loop.ts";
import { testFactory } from "./test-machine.ts";

const run = (workerData as CoreWorkerData | SnapshotWorkerData).role === "core" ? runCore : runSnapshots;
run(testFactory);
