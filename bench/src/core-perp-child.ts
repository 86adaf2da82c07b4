// Owns one measurement of perpetuals in its own process: the mixed flow, or a mark over many open positions. Executes
// the parent's requests; prints nothing.

import { PerformanceObserver } from "node:perf_hooks";
import { setTimeout as wait } from "node:timers/promises";
import { applyFile, type Engine, fullEngine } from "./core-engines.ts";
import { measureMarks } from "./core-perp-marks.ts";
import { fundPerps } from "./core-perp-stage.ts";
import { answerParent } from "./core-process.ts";
import { createWorkload, SHAPES, type Shape } from "./core-workload.ts";

interface Request {
  readonly do: "prepare" | "run" | "marks" | "collections";
  readonly engine?: "spot" | "perp";
}

let engine: Engine | undefined;
const shape = SHAPES[0] as Shape;

function run(): unknown {
  if (engine === undefined) throw new Error("not prepared");
  const { seconds, quietSeconds, broken } = engine.run();
  if (broken.length > 0) throw new Error(`the run does not count: ${broken.join("; ")}`);
  return { perSecond: shape.timed / seconds, quietPerSecond: shape.timed / quietSeconds };
}

/** The timed commands once more on the machine that is warm, with the collector watched. */
async function collections(): Promise<unknown> {
  if (engine?.machine === undefined || engine.file === undefined) throw new Error("not prepared");
  const { machine, file } = engine;
  machine.restore();
  applyFile(machine, file, 0, file.timedFrom);
  globalThis.gc?.();
  let count = 0;
  const observer = new PerformanceObserver((list) => {
    count += list.getEntries().length;
  });
  await wait(50);
  observer.observe({ entryTypes: ["gc"] });
  const before = process.memoryUsage().heapUsed;
  applyFile(machine, file, file.timedFrom, file.count);
  const grown = process.memoryUsage().heapUsed - before;
  await wait(50);
  observer.disconnect();
  return { count, grown };
}

function answer(request: Request): unknown {
  switch (request.do) {
    case "prepare":
      engine =
        request.engine === "perp" ? fullEngine(createWorkload(shape), fundPerps) : fullEngine(createWorkload(shape));
      return {};
    case "run":
      return run();
    case "marks":
      return measureMarks();
    case "collections":
      return collections();
  }
}

answerParent(answer);
