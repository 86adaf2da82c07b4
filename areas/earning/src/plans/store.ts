// The SQL of recurring buys. A due time becomes a run by one statement that advances the plan.
import type { PlanRhythm } from "@clockwork/kit/earn/schedule";
import { type Kysely, sql } from "kysely";

export type PlanState = "RUNNING" | "PAUSED" | "ENDED";
export type RunState = "RUNNING" | "DONE" | "PART" | "SKIPPED" | "LATE";

export interface PlanRow {
  readonly plan_id: string;
  readonly user_id: number;
  readonly client_id: string;
  readonly name: string;
  readonly coins: string;
  readonly amount_units: bigint;
  readonly rhythm: PlanRhythm;
  readonly minute_of_day: number;
  readonly weekday: number;
  readonly month_day: number;
  readonly sources: string;
  readonly state: PlanState;
  readonly skips: number;
  readonly next_ms: number;
  readonly created_ms: number;
  readonly changed_ms: number;
}

export interface RunRow {
  readonly plan_id: string;
  readonly due_ms: number;
  readonly user_id: number;
  readonly state: RunState;
  readonly spent_units: bigint;
  readonly legs: string;
  readonly note: string;
}

type Tables = Kysely<{ plans_plan: PlanRow; plans_run: RunRow }>;
export type PlanStore = ReturnType<typeof planStore>;
const LIST_MAX = 200;

export function planStore(kysely: Kysely<unknown>) {
  const tables: Tables = kysely.$extendTables<{ plans_plan: PlanRow; plans_run: RunRow }>();
  return { ...plans(tables), ...runs(tables) };
}

function plans(tables: Tables) {
  const all = tables.selectFrom("plans_plan").selectAll();
  return {
    find: (planId: string): Promise<PlanRow | undefined> => all.where("plan_id", "=", planId).executeTakeFirst(),
    findByClient: (userId: number, clientId: string): Promise<PlanRow | undefined> =>
      all.where("user_id", "=", userId).where("client_id", "=", clientId).executeTakeFirst(),
    list: (userId: number): Promise<PlanRow[]> =>
      all
        .where("user_id", "=", userId)
        .where("state", "!=", "ENDED")
        .orderBy("created_ms")
        .orderBy("plan_id")
        .limit(LIST_MAX)
        .execute(),
    listDue: (timeMs: number): Promise<PlanRow[]> =>
      all.where("state", "=", "RUNNING").where("next_ms", "<=", timeMs).orderBy("next_ms").limit(LIST_MAX).execute(),
    /**
     * Counted once visible to all: of several concurrent calls the last sees all of them and removes its own, so that
     * the limit is never exceeded. Two that see each other may both be refused.
     */
    async add(row: PlanRow, plansMax: number): Promise<boolean> {
      await tables
        .insertInto("plans_plan")
        .values(row)
        .onConflict((at) => at.doNothing())
        .execute();
      const counted = await tables
        .selectFrom("plans_plan")
        .select(sql<number>`cast(count(*) as bigint)`.as("count"))
        .where("user_id", "=", row.user_id)
        .where("state", "!=", "ENDED")
        .executeTakeFirst();
      if (Number(counted?.count ?? 0) <= plansMax) return true;
      await tables.deleteFrom("plans_plan").where("plan_id", "=", row.plan_id).execute();
      return false;
    },
    async change(planId: string, changedMs: number, values: Partial<PlanRow>): Promise<boolean> {
      const change = tables
        .updateTable("plans_plan")
        .set(values)
        .where("plan_id", "=", planId)
        .where("changed_ms", "=", changedMs)
        .where("state", "!=", "ENDED");
      return (await change.executeTakeFirst()).numUpdatedRows > 0n;
    },
  };
}

function runs(tables: Tables) {
  const all = tables.selectFrom("plans_run").selectAll();
  return {
    /** The plan moves on from this due time, and the run is there; false when it did before. */
    begin: (plan: PlanRow, nextMs: number, run: RunRow): Promise<boolean> =>
      tables.transaction().execute(async (inside) => {
        const moved = await inside
          .updateTable("plans_plan")
          .set({ next_ms: nextMs })
          .where("plan_id", "=", plan.plan_id)
          .where("next_ms", "=", plan.next_ms)
          .where("state", "=", "RUNNING")
          .executeTakeFirst();
        if (moved.numUpdatedRows === 0n) return false;
        const insert = inside
          .insertInto("plans_run")
          .values(run)
          .onConflict((at) => at.doNothing());
        return ((await insert.executeTakeFirst()).numInsertedOrUpdatedRows ?? 0n) > 0n;
      }),
    /** Ends a run once, and counts consecutive skips. */
    end: (run: RunRow, skipsMax: number): Promise<"ended" | "paused" | "over"> =>
      tables.transaction().execute(async (inside) => {
        const { state, spent_units, legs, note } = run;
        const ended = await inside
          .updateTable("plans_run")
          .set({ state, spent_units, legs, note })
          .where("plan_id", "=", run.plan_id)
          .where("due_ms", "=", run.due_ms)
          .where("state", "=", "RUNNING")
          .executeTakeFirst();
        if (ended.numUpdatedRows === 0n) return "over";
        const isSkipped = state === "SKIPPED" || state === "LATE";
        const own = inside.updateTable("plans_plan").where("plan_id", "=", run.plan_id);
        await own.set({ skips: isSkipped ? sql<number>`skips + 1` : 0 }).execute();
        const paused = await own
          .set({ state: "PAUSED" })
          .where("state", "=", "RUNNING")
          .where("skips", ">=", skipsMax)
          .executeTakeFirst();
        return paused.numUpdatedRows > 0n ? "paused" : "ended";
      }),
    /** The progress of a run, for its resumption. */
    async keep({ plan_id, due_ms, spent_units, legs, note }: RunRow): Promise<void> {
      const change = tables.updateTable("plans_run").set({ spent_units, legs, note });
      await change.where("plan_id", "=", plan_id).where("due_ms", "=", due_ms).where("state", "=", "RUNNING").execute();
    },
    listUnended: (): Promise<RunRow[]> =>
      all.where("state", "=", "RUNNING").orderBy("due_ms").limit(LIST_MAX).execute(),
    listRuns: (planId: string, limit: number): Promise<RunRow[]> =>
      all.where("plan_id", "=", planId).orderBy("due_ms", "desc").limit(limit).execute(),
    listBought: (planId: string): Promise<RunRow[]> =>
      all.where("plan_id", "=", planId).where("state", "in", ["DONE", "PART"]).orderBy("due_ms").execute(),
  };
}
