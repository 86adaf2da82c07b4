// The SQL of spring cards, in the subset both databases share.
import { type Kysely, sql } from "kysely";

export interface ActivityRow {
  readonly activity_id: string;
  readonly campaign_id: string;
  readonly name: string;
  readonly starts_ms: number;
  readonly ends_ms: number;
  readonly volume_units: bigint;
  readonly draws_max: number;
  readonly prizes: string;
  readonly is_open: boolean;
  readonly is_simulated: boolean;
}

export interface DayRow {
  readonly activity_id: string;
  readonly day: number;
  readonly server_seed: string;
  readonly promise: string;
}

export type DrawState = "INTENDED" | "SHORT" | "PENDING" | "DRAWN" | "DONE";

export interface DrawRow {
  /** 32 hexadecimal digits: the holder of its tickets. */
  readonly draw_id: string;
  readonly activity_id: string;
  readonly user_id: number;
  readonly what: "card" | "movement";
  readonly day: number;
  readonly slot: number;
  readonly seed_day: number;
  readonly client_id: string;
  readonly tickets: number;
  readonly close_sequence: number;
  readonly root: string;
  readonly public_seed: string | null;
  /** The journalled seed of the draw, as JSON. */
  readonly journal: string | null;
  readonly seed: string | null;
  readonly ticket: number | null;
  readonly prize_units: bigint;
  readonly state: DrawState;
  readonly made_ms: number;
}

type SpringTables = {
  spring_activity: ActivityRow;
  spring_day: DayRow;
  spring_draw: DrawRow;
  spring_lock: { readonly name: string; readonly turns: number };
};

const DRAWS_MAX = 5_000;
const SHOWN_MAX = 100;
const BATCH_MAX = 200;

export type SpringStore = ReturnType<typeof springStore>;

export function springStore(kysely: Kysely<unknown>) {
  const tables = kysely.$extendTables<SpringTables>();
  return { ...activityQueries(tables), ...activityChanges(tables), ...drawQueries(tables), ...stepQueries(tables) };
}

function activityQueries(tables: Kysely<SpringTables>) {
  return {
    /** The running one, or the last that ran; a closed one only if none is open. */
    findActivity: (timeMs: number): Promise<ActivityRow | undefined> =>
      tables
        .selectFrom("spring_activity")
        .selectAll()
        .where("starts_ms", "<=", timeMs)
        .orderBy(sql`case when is_open and ends_ms > ${timeMs} then 0 else 1 end`)
        .orderBy("ends_ms", "desc")
        .limit(1)
        .executeTakeFirst(),
    findActivityById: (activityId: string): Promise<ActivityRow | undefined> =>
      tables.selectFrom("spring_activity").selectAll().where("activity_id", "=", activityId).executeTakeFirst(),
    findOverlap: (row: ActivityRow): Promise<ActivityRow | undefined> => findOverlap(tables, row),
    listActivities: (): Promise<ActivityRow[]> =>
      tables
        .selectFrom("spring_activity")
        .selectAll()
        .orderBy("starts_ms", "desc")
        .orderBy("activity_id")
        .limit(SHOWN_MAX)
        .execute(),
    /** The day's seed; the first caller creates it, and it never changes. */
    async day(row: DayRow): Promise<DayRow> {
      const insert = tables.insertInto("spring_day").values(row);
      await insert.onConflict((conflict) => conflict.columns(["activity_id", "day"]).doNothing()).execute();
      const kept = tables.selectFrom("spring_day").selectAll().where("activity_id", "=", row.activity_id);
      return kept.where("day", "=", row.day).executeTakeFirstOrThrow();
    },
    findDay: (activityId: string, day: number): Promise<DayRow | undefined> =>
      tables
        .selectFrom("spring_day")
        .selectAll()
        .where("activity_id", "=", activityId)
        .where("day", "=", day)
        .executeTakeFirst(),
    async sumPrizes(campaignId: string): Promise<{ count: number; units: bigint }> {
      const row = await tables
        .selectFrom("spring_draw")
        .innerJoin("spring_activity", "spring_activity.activity_id", "spring_draw.activity_id")
        .select([
          sql<number | bigint | string>`count(*)`.as("count"),
          sql<string>`cast(coalesce(sum(prize_units), 0) as text)`.as("units"),
        ])
        .where("campaign_id", "=", campaignId)
        .where("what", "=", "movement")
        .where("state", "=", "DONE")
        .executeTakeFirst();
      return { count: Number(row?.count ?? 0), units: BigInt(row?.units ?? 0) };
    },
  };
}

/** An overlapping open one. */
function findOverlap(tables: Kysely<SpringTables>, row: ActivityRow): Promise<ActivityRow | undefined> {
  return tables
    .selectFrom("spring_activity")
    .selectAll()
    .where("activity_id", "<>", row.activity_id)
    .where("is_open", "=", true)
    .where("starts_ms", "<", row.ends_ms)
    .where("ends_ms", ">", row.starts_ms)
    .executeTakeFirst();
}

/** Two concurrent ones are compared with each other, not both with the state before. */
async function takeActivities(inside: Kysely<SpringTables>): Promise<void> {
  await inside
    .updateTable("spring_lock")
    .set((update) => ({ turns: update("turns", "+", 1) }))
    .execute();
}

function activityChanges(tables: Kysely<SpringTables>) {
  const find = (inside: Kysely<SpringTables>, activityId: string) =>
    inside.selectFrom("spring_activity").selectAll().where("activity_id", "=", activityId).executeTakeFirst();
  return {
    openActivity: (row: ActivityRow): Promise<"ACTIVITY_EXISTS" | "ACTIVITY_OVERLAPS" | undefined> =>
      tables.transaction().execute(async (inside) => {
        await takeActivities(inside);
        if ((await find(inside, row.activity_id)) !== undefined) return "ACTIVITY_EXISTS";
        if ((await findOverlap(inside, row)) !== undefined) return "ACTIVITY_OVERLAPS";
        await inside.insertInto("spring_activity").values(row).execute();
        return undefined;
      }),
    setOpen: (activityId: string, isOpen: boolean): Promise<"ACTIVITY_UNKNOWN" | "ACTIVITY_OVERLAPS" | undefined> =>
      tables.transaction().execute(async (inside) => {
        await takeActivities(inside);
        const row = await find(inside, activityId);
        if (row === undefined) return "ACTIVITY_UNKNOWN";
        if (isOpen && (await findOverlap(inside, row)) !== undefined) return "ACTIVITY_OVERLAPS";
        const update = inside.updateTable("spring_activity").set({ is_open: isOpen });
        await update.where("activity_id", "=", activityId).execute();
        return undefined;
      }),
    async countDraws(): Promise<Map<string, { cards: number; movements: number; wonUnits: bigint }>> {
      const rows = await tables
        .selectFrom("spring_draw")
        .select("activity_id")
        .select(sql<number | bigint | string>`sum(case when what = 'card' then 1 else 0 end)`.as("cards"))
        .select(sql<number | bigint | string>`sum(case when what = 'movement' then 1 else 0 end)`.as("movements"))
        .select(sql<string>`cast(coalesce(sum(prize_units), 0) as text)`.as("won"))
        .where("state", "=", "DONE")
        .groupBy("activity_id")
        .execute();
      return new Map(
        rows.map((row) => [
          row.activity_id,
          { cards: Number(row.cards), movements: Number(row.movements), wonUnits: BigInt(row.won) },
        ]),
      );
    },
  };
}

function drawQueries(tables: Kysely<SpringTables>) {
  const own = (activityId: string, userId: number) =>
    tables.selectFrom("spring_draw").selectAll().where("activity_id", "=", activityId).where("user_id", "=", userId);
  return {
    /** All of a user's, oldest first. */
    listOwn: (activityId: string, userId: number): Promise<DrawRow[]> =>
      own(activityId, userId).orderBy("made_ms").orderBy("draw_id").limit(DRAWS_MAX).execute(),
    /** The newest of a user's. */
    /** Of all activities. */
    listNewest: (userId: number): Promise<DrawRow[]> =>
      tables
        .selectFrom("spring_draw")
        .selectAll()
        .where("user_id", "=", userId)
        .orderBy("made_ms", "desc")
        .orderBy("draw_id")
        .limit(SHOWN_MAX)
        .execute(),
    findByClient: (activityId: string, userId: number, clientId: string): Promise<DrawRow | undefined> =>
      own(activityId, userId).where("client_id", "=", clientId).executeTakeFirst(),
    find: (drawId: string): Promise<DrawRow | undefined> =>
      tables.selectFrom("spring_draw").selectAll().where("draw_id", "=", drawId).executeTakeFirst(),
    listOpen: (): Promise<DrawRow[]> =>
      tables
        .selectFrom("spring_draw")
        .selectAll()
        .where("state", "in", ["INTENDED", "PENDING", "DRAWN"])
        .orderBy("made_ms")
        .limit(BATCH_MAX)
        .execute(),
  };
}

function stepQueries(tables: Kysely<SpringTables>) {
  return {
    /** False when the slot is taken, or this press of the button was received before. */
    async add(row: DrawRow): Promise<boolean> {
      const insert = tables
        .insertInto("spring_draw")
        .values(row)
        .onConflict((conflict) => conflict.doNothing());
      return (await insert.returning("draw_id").execute()).length > 0;
    },
    async step(drawId: string, from: DrawState, change: Partial<DrawRow>): Promise<boolean> {
      const update = tables.updateTable("spring_draw").set(change).where("draw_id", "=", drawId);
      return (await update.where("state", "=", from).executeTakeFirst()).numUpdatedRows > 0n;
    },
  };
}
