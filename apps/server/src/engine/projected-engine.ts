// Owns the engine and its projection as one part: the tables follow every commit from where they were left.
// Must never let the engine start on tables that belong to another journal.
import type { ProjectorSet } from "@clockwork/kit/projector";
import type { Kysely } from "kysely";
import { type Engine, type EngineOptions, startEngine } from "./engine.ts";
import { type AccountCache, createAccountCache } from "./projection/account-cache.ts";
import { openProjection, type Projection, type ProjectionOptions } from "./projection/projection.ts";
import type { EventBatch } from "./threads/event-pump.ts";

/** Somebody with a cursor of his own: the engine's replay begins where the slowest left off. */
export interface Follower {
  /** The last command whose events it has taken for good. */
  readonly sequence: number;
  /** Told whose events these are, before the first of them; throwing keeps the engine from starting. */
  bind(identity: string): void;
  listen(batch: EventBatch): void | Promise<void>;
}

export interface ProjectedEngineOptions extends Omit<EngineOptions, "eventsAfter" | "onJournal"> {
  readonly kysely: Kysely<unknown>;
  /** What is kept of the events, and followed in memory. */
  readonly projectors: ProjectorSet;
  /** Where the projection may write from a thread of its own. */
  readonly thread?: ProjectionOptions["thread"];
  readonly projection?: Omit<ProjectionOptions, "kysely" | "projectors" | "thread">;
  readonly followers?: readonly Follower[];
}

export interface ProjectedEngine extends Engine {
  readonly projection: Projection;
  /** The rows of accounts somebody looks at, never behind an answer. */
  readonly cache: AccountCache;
}

/** Starts the engine so that its replay also brings the tables forward; close waits until they hold everything. */
export async function startProjectedEngine(options: ProjectedEngineOptions): Promise<ProjectedEngine> {
  const { kysely, projectors, thread, projection: projectionOptions, followers = [], ...engineOptions } = options;
  const onFault = (error: unknown): void => options.onNote?.(`the projection stopped: ${String(error)}`);
  const projection = await openProjection({ onFault, ...projectionOptions, kysely, projectors, thread });
  // Of its own: what the tables' writer knows by heart is as late as the tables.
  const { value: facts } = await projection.readSettled(0, (read) => projectors.facts.load(read));
  const cache = createAccountCache({ projection, projectors, facts });
  const engine = await startOn(projection, {
    ...engineOptions,
    eventsAfter: Math.min(projection.sequence, ...followers.map(({ sequence }) => sequence)),
    tablesSequence: Math.max(projection.sequence, ...followers.map(({ sequence }) => sequence)),
    onJournal: (identity) => {
      projection.bind(identity);
      for (const follower of followers) follower.bind(identity);
    },
    listeners: [
      // First: no answer may overtake the account cache.
      cache.listen,
      projection.listen,
      ...followers.map((follower) => (batch: EventBatch) => follower.listen(batch)),
      ...(options.listeners ?? []),
    ],
  });
  return {
    projection,
    cache,
    submit: (command) => engine.submit(command),
    submitBatch: (account, items) => engine.submitBatch(account, items),
    subscribe: (listener) => engine.subscribe(listener),
    health: () => engine.health(),
    stateHash: () => engine.stateHash(),
    readListing: () => engine.readListing(),
    takeSnapshot: () => engine.takeSnapshot(),
    close: async () => {
      await engine.close();
      await projection.close();
    },
  };
}

/** An engine that does not start leaves no thread behind. */
async function startOn(projection: Projection, options: EngineOptions): Promise<Engine> {
  try {
    return await startEngine(options);
  } catch (error) {
    await projection.close().catch(() => undefined);
    throw error;
  }
}
