// Entry of the core thread, and of the one that takes snapshots: the exchange's machine, once in each. Owns nothing else;
// see core-loop.ts and snapshot-loop.ts.
import { setFlagsFromString } from "node:v8";
import { workerData } from "node:worker_threads";
import { readBalances } from "@clockwork/core/inspect/balances";
import { readIndexSources } from "@clockwork/core/inspect/contracts";
import { readListing } from "@clockwork/core/inspect/listing";
import { createMachine } from "@clockwork/core/machine/machine";
import { KNOWN_RULES } from "@clockwork/core/protocol/rules";
import { placeBytes } from "../memory/memory.ts";
import { runCore } from "./core-loop.ts";
import { CHUNK_HEADER_BYTES } from "./event-chunk.ts";
import type { CoreWorkerData, SnapshotWorkerData } from "./messages.ts";
import { runSnapshots } from "./snapshot-loop.ts";

// The machine's functions are made to be inlined into one another; the usual limits stop half way. Flags belong to the
// whole process, but only code that is optimized after this line and is as large as the core's is changed by them.
setFlagsFromString("--max-inlined-bytecode-size=2000");
setFlagsFromString("--max-inlined-bytecode-size-cumulative=12000");

// One machine for the life of the thread: its fast paths are compiled with their tables as constants, which holds only
// while there is one of each. Capacity is reserved, not used: untouched pages cost nothing. Events are written where
// the main thread will read them.
const data = workerData as CoreWorkerData | SnapshotWorkerData;
const events = data.buffers.events;
const capacity = { orderCapacity: 1 << 18, accountCapacity: 1 << 15 };
const machine = createMachine(data.role === "core" ? { ...capacity, eventBuffer: events } : capacity);
if (data.role === "core") machine.events.place(CHUNK_HEADER_BYTES, placeBytes(events.byteLength));

const run = data.role === "core" ? runCore : runSnapshots;
run({
  createMachine: () => {
    machine.restore();
    return machine;
  },
  restoreMachine: (parts) => {
    machine.restore(parts);
    return machine;
  },
  rules: KNOWN_RULES,
  readListing,
  readIndexSources,
  readBalances,
});
