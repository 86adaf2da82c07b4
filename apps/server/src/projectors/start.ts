// Starts the engine with everything the process keeps of its events.
import { type ProjectedEngine, type ProjectedEngineOptions, startProjectedEngine } from "../engine/projected-engine.ts";
import type { Aside } from "../storage/database.ts";
import { PROJECTORS } from "./projectors.ts";

// Written just so: the server's build finds its threads by this form and puts the built file in its place.
export const PROJECTION_WORKER = new URL("./projection-worker.ts", import.meta.url);

export interface StartOptions extends Omit<ProjectedEngineOptions, "projectors" | "thread"> {
  /** Where the tables may be written from a thread of their own. */
  readonly aside?: Aside | undefined;
}

export function startEngineWithTables({ aside, ...options }: StartOptions): Promise<ProjectedEngine> {
  const thread = aside === undefined ? undefined : { aside, worker: PROJECTION_WORKER };
  return startProjectedEngine({ ...options, projectors: PROJECTORS, thread });
}
