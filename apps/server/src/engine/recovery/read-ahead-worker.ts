// Entry of the thread that reads the journal ahead of a replay. Owns nothing; see read-ahead.ts.
import { workerData } from "node:worker_threads";
import { fillChunks, type ReadAheadWorkerData } from "./read-ahead.ts";

fillChunks(workerData as ReadAheadWorkerData);
