// Starts the engine with everything the process keeps of its events, and compares the tables with the core before anybody
// trades.
import { type ProjectedEngine, type ProjectedEngineOptions, startProjectedEngine } from "../engine/projected-engine.ts";
import type { Aside } from "../storage/database.ts";
import { describeDifferences, findDifferences, mendBalances } from "./ledger/audit.ts";
import { PROJECTORS } from "./projectors.ts";
import { requireSameReplay } from "./replay-check.ts";

// Written just so: the server's build finds its threads by this form and puts the built file in its place.
export const PROJECTION_WORKER = new URL("./projection-worker.ts", import.meta.url);

export interface StartOptions extends Omit<ProjectedEngineOptions, "projectors" | "thread"> {
  /** Where the tables may be written from a thread of their own. */
  readonly aside?: Aside | undefined;
}

export async function startEngineWithTables({ aside, ...options }: StartOptions): Promise<ProjectedEngine> {
  const thread = aside === undefined ? undefined : { aside, worker: PROJECTION_WORKER };
  if (options.replayOthers === true) await requireSameReplay(options.folder, options.kysely);
  const engine = await startProjectedEngine({ ...options, projectors: PROJECTORS, thread });
  try {
    await auditTables(engine, options);
    return engine;
  } catch (error) {
    await engine.close().catch(() => undefined);
    throw error;
  }
}

/** Tables that were tampered with or lost rows say what the core says before anybody reads them. */
async function auditTables(engine: ProjectedEngine, { kysely, onAlarm, onNote }: StartOptions): Promise<void> {
  const differences = await findDifferences(engine);
  if (differences === undefined) onNote?.("too many balances to compare at the start: run clockwork verify");
  if (differences === undefined || differences.length === 0) return;
  await mendBalances(kysely, differences);
  (onAlarm ?? onNote)?.(
    `${describeDifferences(differences)}. They were written again from the core; run clockwork verify, and clockwork rebuild if bills differ too`,
  );
}
