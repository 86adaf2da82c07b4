// Starts the engine with all consumers of its events, and compares the tables with the core before trading starts.
import { setTimeout as sleep } from "node:timers/promises";
import {
  type BalanceDifference,
  describeDifferences,
  findBySlices,
  findDifferences,
  repairBalances,
} from "@clockwork/trading/projectors/ledger/audit";
import { type ProjectedEngine, type ProjectedEngineOptions, startProjectedEngine } from "../engine/projected-engine.ts";
import type { Aside } from "../storage/database.ts";
import { PROJECTORS } from "./projectors.ts";
import { checkReplay, requireSameReplay } from "./replay-check.ts";

// Written just so: the server's build finds its threads by this form and puts the built file in its place.
export const PROJECTION_WORKER = new URL("./projection-worker.ts", import.meta.url);

export interface StartOptions extends Omit<ProjectedEngineOptions, "projectors" | "thread"> {
  /** Where the tables may be written from a thread of their own. */
  readonly aside?: Aside | undefined;
  /** More balances are compared in slices after the start. */
  readonly balancesMax?: number;
}

/** Between two slices: others go first. */
const PAUSE_MS = 20;

export async function startEngineWithTables({ aside, ...options }: StartOptions): Promise<ProjectedEngine> {
  const thread = aside === undefined ? undefined : { aside, worker: PROJECTION_WORKER };
  if (checkReplay(options)) await requireSameReplay(options.folder, options.kysely);
  const engine = await startProjectedEngine({ ...options, projectors: PROJECTORS, thread });
  try {
    const audit = await auditTables(engine, options);
    return { ...engine, close: () => audit.close().then(() => engine.close()) };
  } catch (error) {
    await engine.close().catch(() => undefined);
    throw error;
  }
}

/**
 * Tables that were tampered with or lost rows are corrected from the core before they are read; a large number, soon
 * after.
 */
async function auditTables(
  engine: ProjectedEngine,
  options: StartOptions,
): Promise<{ readonly close: () => Promise<void> }> {
  const differences = await findDifferences(engine, options.balancesMax);
  let isClosed = false;
  const work = async (): Promise<void> => {
    for await (const some of findBySlices(engine)) {
      if (isClosed) return;
      await repair(some, options);
      await sleep(PAUSE_MS);
    }
    options.onNote?.("all balances in the tables were compared with the core");
  };
  const report = (error: unknown): void => options.onNote?.(`balances were not all compared: ${String(error)}`);
  const working = differences === undefined ? work().catch(report) : repair(differences, options);
  if (differences !== undefined) await working;
  return {
    close: async () => {
      isClosed = true;
      await working;
    },
  };
}

async function repair(
  differences: readonly BalanceDifference[],
  { kysely, onAlarm, onNote }: StartOptions,
): Promise<void> {
  if (differences.length === 0) return;
  await repairBalances(kysely, differences);
  (onAlarm ?? onNote)?.(
    `${describeDifferences(differences)}. They were written again from the core; run clockwork verify, and clockwork rebuild if bills differ too`,
  );
}
