// The engine as parts hold it: made before the engine starts and bound to it when it has. Refuses commands until then.
// Also takes the time callers wait for their commands.

import type { AccountCache, CoreHealth, EngineHandle, TablesReading } from "@clockwork/host/engine";
import { AckTimes, timeSubmit } from "./ack-times.ts";
import type { Engine } from "./engine.ts";
import { refuse } from "./memory/ack.ts";
import type { Projection } from "./projection/projection.ts";

/** What the process needs of an engine. */
export interface EnginePart {
  health(): CoreHealth;
  /** Left out by tests that only inspect the process. */
  submit?: Engine["submit"];
  submitBatch?: Engine["submitBatch"];
  subscribe?: Engine["subscribe"];
  readListing?: Engine["readListing"];
  readIndexSources?: Engine["readIndexSources"];
  readonly cache?: AccountCache;
  readonly projection?: Pick<Projection, "reached" | "sequence" | "waitingBytes" | "trouble">;
  close(): Promise<void>;
}

export interface BoundEngine {
  readonly handle: EngineHandle;
  readonly times: AckTimes;
  bind(engine: EnginePart): void;
}

export function engineHandle(): BoundEngine {
  const times = new AckTimes();
  let bound: EnginePart | undefined;
  let submit: Engine["submit"] = async () => refuse("ENGINE_STARTING");
  let submitBatch: Engine["submitBatch"] = async () => refuse("ENGINE_STARTING");
  return {
    times,
    bind(engine) {
      bound = engine;
      if (engine.submit !== undefined) submit = timeSubmit(engine.submit.bind(engine), times);
      if (engine.submitBatch !== undefined) submitBatch = timeSubmit(engine.submitBatch.bind(engine), times);
    },
    handle: {
      get isThere() {
        return bound?.submit !== undefined;
      },
      get cache() {
        return bound?.cache;
      },
      submit: (command) => submit(command),
      submitBatch: (account, items) => submitBatch(account, items),
      subscribe: (listener) => bound?.subscribe?.(listener) ?? (() => undefined),
      readListing: async () => bound?.readListing?.(),
      readIndexSources: async () => bound?.readIndexSources?.(),
      reached: async (sequence) => bound?.projection?.reached(sequence),
      tables: () => (bound?.projection === undefined ? undefined : readTables(bound.projection)),
      health: () => bound?.health() ?? { state: "starting", sequence: 0, durableSequence: 0 },
    },
  };
}

function readTables({ sequence, waitingBytes, trouble }: NonNullable<EnginePart["projection"]>): TablesReading {
  if (trouble === undefined) return { state: "level", forSeconds: 0, sequence, waitingBytes, tries: 0 };
  const state = trouble.isFinal ? "stopped" : "behind";
  return { state, forSeconds: Math.round(trouble.forMs / 1000), sequence, waitingBytes, tries: trouble.tries };
}
