// Entry of the core thread: the exchange's machine inside its host. Owns nothing else; see core-loop.ts.
import { createMachine, restoreMachine } from "@clockwork/core/machine";
import { runCore } from "./core-loop.ts";

runCore({ createMachine, restoreMachine });
