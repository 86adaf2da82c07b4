// Entry of the core thread in tests: the host around a test machine. Must never be started by the server.
import { runCore } from "./core-loop.ts";
import { testFactory } from "./test-machine.ts";

runCore(testFactory);
