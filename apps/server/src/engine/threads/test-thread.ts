// Entry of the core thread in tests: the host around a toy machine. Must never be started by the server.
import { runCore } from "./core-loop.ts";
import { toyFactory } from "./test-machine.ts";

runCore(toyFactory);
