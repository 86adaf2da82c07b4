// Owns one measurement of perpetuals in a process of its own: the mixed flow, or a mark over many open positions.
// Does what the parent asks and answers; prints nothing.

import { PerformanceObserver } from "node:perf_hooks";
import { setTimeout as wait } from "node:timers/promises";
import { encodeCommand, stampCommand } from "@clockwork/core/codec";
import { EVENT_BYTES, EVENTS } from "@clockwork/core/event";
import { checkInvariants } from "@clockwork/core/invariants";
import { createMachine } from "@clockwork/core/machine";
import { createPerpStage } from "@clockwork/core/perp-stage";
import { createRandom } from "@clockwork/kit/random";
import { applyFile, type Engine, fullEngine } from "./core-engines.ts";
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

const HOLDERS = 100_000;
const MARKS = 200;
/** Marks before it counts: the compiler must have seen them. */
const WARM_MARKS = 50;

/** 100 000 levered holders, then a mark that wanders and each time reaches a few of them. */
function marks(): unknown {
  const stage = createPerpStage(
    createMachine({ orderCapacity: 4_096, accountCapacity: HOLDERS, eventCapacity: 65_536 }),
    { restingMax: 1_000_000 },
  );
  const random = createRandom(7);
  const maker = stage.trader(8 * 10 ** 15);
  const quiet = { kind: "placeOrder", market: stage.linear, price: 500_000 } as const;
  stage.send({
    kind: "mint",
    account: 2,
    asset: stage.usdt,
    business: "adjustment",
    units: 10 ** 12,
    reference: "fund",
  });
  for (let i = 0; i < HOLDERS; i++) {
    // No two people have the same money; those who have would all be looked at in the same instant.
    const account = stage.trader(random.between(60_000_000, 400_000_000));
    stage.send({ kind: "setLeverage", account, market: stage.linear, long: random.between(5, 100) });
    if (i % 2 === 0) stage.send({ kind: "setMarginMode", account, market: stage.linear, isolated: true });
    const long = random.chance(1, 2);
    stage.send({ ...quiet, account: maker, side: long ? "sell" : "buy", quantity: 10 });
    stage.send({ ...quiet, account, side: long ? "buy" : "sell", quantity: 10 });
  }
  stage.send({ kind: "setReferencePrice", market: stage.linear, markTicks: 500_000 });
  globalThis.gc?.();
  const bytes = new Uint8Array(256);
  const view = new DataView(bytes.buffer);
  const idle: number[] = [];
  let liquidated = 0;
  let liquidatingMs = 0;
  let ticks = 500_000;
  for (let i = 0 - WARM_MARKS; i < MARKS; i++) {
    ticks += i < MARKS / 2 ? random.between(-60, 60) : random.between(-90, 0);
    encodeCommand({ kind: "setReferencePrice", market: stage.linear, markTicks: ticks }, bytes);
    stampCommand(view, 0, stage.machine.sequence + 1, stage.time);
    stage.machine.events.clear();
    const before = performance.now();
    stage.machine.apply(bytes, 0);
    const took = performance.now() - before;
    const { bytes: told, length } = stage.machine.events;
    let started = 0;
    for (let event = 0; event < length; event += EVENT_BYTES)
      if (told[event] === EVENTS.liquidationStarted.kind) started++;
    if (i < 0) continue;
    if (started === 0) idle.push(took);
    else liquidatingMs += took;
    liquidated += started;
  }
  idle.sort((a, b) => a - b);
  const broken = checkInvariants(stage.machine);
  if (broken.length > 0) throw new Error(`broken: ${JSON.stringify(broken[0])}`);
  const each = liquidated === 0 ? 0 : (liquidatingMs * 1_000) / liquidated;
  return { median: idle[idle.length >> 1], worst: idle.at(-1), marks: idle.length, liquidated, each };
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
      return marks();
    case "collections":
      return collections();
  }
}

answerParent(answer);
