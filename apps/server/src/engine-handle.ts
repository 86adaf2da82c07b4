// The engine as parts hold it: made before the engine starts and bound to it when it has. Refuses commands until then.
// Also takes the time callers wait for their commands.
import { refuse } from "./engine/ack.ts";
import { AckTimes, timeSubmit } from "./engine/ack-times.ts";
import type { Engine } from "./engine/engine.ts";
import type { AccountCache } from "./engine/projection/account-cache.ts";
import type { Projection } from "./engine/projection/projection.ts";
import type { CoreHealth } from "./http/system.ts";

/** What the process needs of an engine. */
export interface EnginePart {
  health(): CoreHealth;
  /** Left out by tests that only look at the process. */
  submit?: Engine["submit"];
  submitBatch?: Engine["submitBatch"];
  subscribe?: Engine["subscribe"];
  readListing?: Engine["readListing"];
  readonly cache?: AccountCache;
  readonly projection?: Pick<Projection, "reached">;
  close(): Promise<void>;
}

export interface EngineHandle extends Pick<Engine, "submit" | "submitBatch" | "subscribe" | "readListing"> {
  /** False until it has started, and for ever in a process that never trades. */
  readonly isThere: boolean;
  readonly cache: AccountCache | undefined;
  /** Resolves when the tables hold everything up to this command; at once where there are none. */
  reached(sequence: number): Promise<void>;
  health(): CoreHealth;
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
      reached: async (sequence) => bound?.projection?.reached(sequence),
      health: () => bound?.health() ?? { state: "starting", sequence: 0, durableSequence: 0 },
    },
  };
}
