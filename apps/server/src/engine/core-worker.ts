// Entry of the core thread: the exchange's machine inside its host. Owns nothing else; see core-loop.ts.
import { setFlagsFromString } from "node:v8";
import { createMachine, restoreMachine } from "@clockwork/core/machine";
import { readRoster } from "@clockwork/core/roster";
import { runCore } from "./core-loop.ts";

// The machine's functions are made to be inlined into one another; the usual limits stop half way. Flags belong to the
// whole process, but only code that is optimized after this line and is as large as the core's is changed by them.
setFlagsFromString("--max-inlined-bytecode-size=1500");
setFlagsFromString("--max-inlined-bytecode-size-cumulative=5000");

runCore({ createMachine, restoreMachine, readRoster });
