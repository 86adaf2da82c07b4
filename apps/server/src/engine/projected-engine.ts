// Owns the engine and its projection as one part: the tables follow every commit from where they were left.
// Must never let the engine start on tables that belong to another journal.
import type { Kysely } from "kysely";
import { type Engine, type EngineOptions, startEngine } from "./engine.ts";
import { openProjection, type Projection, type ProjectionOptions } from "./projection.ts";

export interface ProjectedEngineOptions extends Omit<EngineOptions, "eventsAfter" | "onJournal"> {
  readonly kysely: Kysely<unknown>;
  readonly projection?: Omit<ProjectionOptions, "kysely">;
}

export interface ProjectedEngine extends Engine {
  readonly projection: Projection;
}

/** Starts the engine so that its replay also brings the tables forward; close waits until they hold everything. */
export async function startProjectedEngine(options: ProjectedEngineOptions): Promise<ProjectedEngine> {
  const { kysely, projection: projectionOptions, ...engineOptions } = options;
  const onFault = (error: unknown): void => options.onNote?.(`the projection stopped: ${String(error)}`);
  const projection = await openProjection({ onFault, ...projectionOptions, kysely });
  const engine = await startEngine({
    ...engineOptions,
    eventsAfter: projection.sequence,
    onJournal: projection.bind,
    listeners: [projection.listen, ...(options.listeners ?? [])],
  });
  return {
    projection,
    submit: (command) => engine.submit(command),
    submitBatch: (account, items) => engine.submitBatch(account, items),
    subscribe: (listener) => engine.subscribe(listener),
    health: () => engine.health(),
    stateHash: () => engine.stateHash(),
    readRoster: () => engine.readRoster(),
    takeSnapshot: () => engine.takeSnapshot(),
    close: async () => {
      await engine.close();
      await projection.flush();
    },
  };
}
