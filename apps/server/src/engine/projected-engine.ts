// Owns the engine and its projection as one part: the tables follow every commit from where they were left.
// Must never let the engine start on tables that belong to another journal.

import type { AccountCache, EventBatch, Follower } from "@clockwork/host/engine";
import type { ProjectorSet } from "@clockwork/host/projector";
import type { Kysely } from "kysely";
import { type Engine, type EngineOptions, startEngine } from "./engine.ts";
import { createAccountCache } from "./projection/account-cache.ts";
import { openProjection, type Projection, type ProjectionOptions } from "./projection/projection.ts";
import { findOlderTables, keepWitness } from "./tables-witness.ts";

export interface ProjectedEngineOptions extends Omit<EngineOptions, "eventsAfter" | "onJournal"> {
  readonly kysely: Kysely<unknown>;
  /** What is kept of the events, and followed in memory. */
  readonly projectors: ProjectorSet;
  /** Where the projection may write from its own thread. */
  readonly thread?: ProjectionOptions["thread"];
  readonly projection?: Omit<ProjectionOptions, "kysely" | "projectors" | "thread">;
  readonly followers?: readonly Follower[];
  /** Another engine than the one of three threads; only the simulation of the whole system has one. */
  readonly start?: (options: EngineOptions) => Promise<Engine>;
}

export interface ProjectedEngine extends Engine {
  readonly projection: Projection;
  /** The rows of accounts in use, never behind an answer. */
  readonly cache: AccountCache;
}

/** Starts the engine so that its replay also brings the tables forward; close waits until they hold everything. */
export async function startProjectedEngine(options: ProjectedEngineOptions): Promise<ProjectedEngine> {
  const { kysely, projectors, thread, projection: projectionOptions, followers = [], ...rest } = options;
  const { start = startEngine, ...engineOptions } = rest;
  const answer = reportTrouble(options);
  const projection = await openProjection({ ...answer, ...projectionOptions, kysely, projectors, thread });
  // Its own set: the facts cached by the tables' writer are as late as the tables.
  const { value: facts } = await projection.readSettled(0, (read) => projectors.facts.load(read));
  const cache = createAccountCache({ projection, projectors, facts });
  const journal = { identity: "" };
  const engine = await startOn(projection, start, {
    ...engineOptions,
    eventsAfter: Math.min(projection.sequence, ...followers.map(({ sequence }) => sequence)),
    tablesSequence: Math.max(projection.sequence, ...followers.map(({ sequence }) => sequence)),
    readStored: () => Math.min(projection.sequence, ...followers.map(({ storedSequence }) => storedSequence)),
    onJournal: (identity) => {
      journal.identity = identity;
      projection.bind(identity);
      const older = findOlderTables(options.folder, identity, projection.sequence);
      if (older !== undefined) (options.onAlarm ?? options.onNote)?.(older);
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
  const witness = keepWitness(options.folder, () => ({ journal: journal.identity, sequence: projection.sequence }));
  return {
    projection,
    cache,
    submit: (command) => engine.submit(command),
    submitBatch: (account, items) => engine.submitBatch(account, items),
    subscribe: (listener) => engine.subscribe(listener),
    health: () => engine.health(),
    stateHash: () => engine.stateHash(),
    readListing: () => engine.readListing(),
    readIndexSources: () => engine.readIndexSources(),
    readBalances: (slice) => engine.readBalances(slice),
    takeSnapshot: () => engine.takeSnapshot(),
    close: async () => {
      try {
        await engine.close();
      } finally {
        await projection.close().finally(() => witness.close(projection.trouble === undefined));
      }
    },
  };
}

/** Every failed try is an alarm: they become rarer while the trouble lasts. */
function reportTrouble({ onAlarm, onNote }: ProjectedEngineOptions): Pick<ProjectionOptions, "onFault" | "onLevel"> {
  const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
  return {
    onFault: (error, { tries, forMs, isFinal }) => {
      const how = isFinal ? "stopped until a restart" : `are behind for ${seconds(forMs)}, try ${tries} failed`;
      (onAlarm ?? onNote)?.(`the tables ${how}: ${error instanceof Error ? error.message : String(error)}`);
    },
    onLevel: ({ tries, forMs }) =>
      onNote?.(`the tables follow again after ${seconds(forMs)} and ${tries} failed tries`),
  };
}

/** An engine that does not start leaves no thread behind. */
async function startOn(projection: Projection, start: typeof startEngine, options: EngineOptions): Promise<Engine> {
  try {
    return await start(options);
  } catch (error) {
    await projection.close().catch(() => undefined);
    throw error;
  }
}
