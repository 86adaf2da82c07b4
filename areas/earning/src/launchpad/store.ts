// The SQL of launches, in the subset both databases share.
import { type Kysely, sql } from "kysely";
import { commits, LIST_MAX, orders, takeOpen, waitingOrders } from "./order-store.ts";

export interface ProjectRow {
  readonly project_id: string;
  readonly name: string;
  readonly asset: string;
  readonly scale: number;
  readonly summary: string;
  readonly supply: string;
  readonly price_units: bigint;
  readonly vest_bps: number;
  readonly vest_days: number;
  readonly announced_ms: number;
  readonly listing_ms: number;
  readonly state: "ACTIVE" | "DISTRIBUTED" | "CANCELLED";
  readonly promise: string;
  readonly server_seed: string;
  readonly salt: string;
  readonly sub: number;
  readonly is_simulated: boolean;
}

export interface RoundRow {
  readonly round_id: string;
  readonly project_id: string;
  readonly number: number;
  readonly kind: "lottery" | "subscription" | "flash";
  readonly stock_units: bigint;
  readonly lot_units: bigint;
  readonly cap_units: bigint;
  readonly tickets_max: number;
  readonly unit_units: bigint;
  readonly snapshot_days: number;
  readonly preheat_ms: number;
  readonly opens_ms: number;
  readonly closes_ms: number;
  readonly pay_until_ms: number;
  /** When it is drawn or shared; null where that follows the close at once. */
  readonly draw_ms: number | null;
  /**
   * OPEN until it is closed, CLOSED with its tickets counted, DRAWN with its orders made, WAITED once the list had its
   * turn.
   */
  readonly stage: "OPEN" | "CLOSED" | "DRAWN" | "WAITED";
  readonly root: string | null;
  readonly close_sequence: number;
  /** Of its own seed; null where the project's was promised. */
  readonly promise: string | null;
  /** The journalled seed of the draw, as JSON. */
  readonly journal: string | null;
  readonly public_seed: string | null;
  readonly seed: string | null;
  readonly tickets: number;
  readonly winners_max: number;
  readonly sub: number;
  /** Unsold units returned to the exchange; null before that. */
  readonly returned_units: bigint | null;
}

export interface EntryRow {
  readonly round_id: string;
  readonly user_id: number;
  readonly number: number;
  readonly tickets: number;
  readonly first_ticket: number;
  readonly commit_units: bigint;
  readonly is_auto: boolean;
}

export interface CommitRow {
  readonly reference: string;
  readonly round_id: string;
  readonly user_id: number;
  readonly client_id: string;
  readonly units: bigint;
  /** Done means money in the escrow, until it is shared or refunded. */
  readonly state: "intended" | "done" | "refused" | "shared" | "refunded";
  readonly made_ms: number;
}

export type OrderState = "QUEUED" | "WON" | "LOST" | "PAID" | "CANCELLED" | "TIMEOUT" | "REFUNDED";

export interface OrderRow {
  readonly order_id: string;
  readonly round_id: string;
  readonly project_id: string;
  readonly user_id: number;
  readonly place: number;
  readonly token_units: bigint;
  readonly cost_units: bigint;
  readonly released_units: bigint;
  readonly state: OrderState;
  readonly until_ms: number;
  readonly made_ms: number;
}

interface SnapshotRow {
  readonly project_id: string;
  readonly user_id: number;
  readonly day: number;
  readonly units: bigint;
}

export type Launch = {
  launchpad_project: ProjectRow;
  launchpad_round: RoundRow;
  launchpad_snapshot: SnapshotRow;
  launchpad_entry: EntryRow;
  launchpad_commit: CommitRow;
  launchpad_order: OrderRow;
};
export type Tables = Kysely<Launch>;
export type LaunchStore = ReturnType<typeof launchStore>;
const CHUNK = 200;

export function launchStore(kysely: Kysely<unknown>) {
  const tables: Tables = kysely.$extendTables<Launch>();
  return {
    ...projects(tables),
    ...simulations(tables),
    ...stages(tables),
    ...entries(tables),
    ...commits(tables),
    ...orders(tables),
    ...waitingOrders(tables),
  };
}

function projects(tables: Tables) {
  const rounds = tables.selectFrom("launchpad_round").selectAll();
  return {
    listProjects: (): Promise<ProjectRow[]> =>
      tables.selectFrom("launchpad_project").selectAll().orderBy("announced_ms", "desc").limit(LIST_MAX).execute(),
    findProject: (projectId: string): Promise<ProjectRow | undefined> =>
      tables.selectFrom("launchpad_project").selectAll().where("project_id", "=", projectId).executeTakeFirst(),
    listRounds: (projectId: string): Promise<RoundRow[]> =>
      rounds.where("project_id", "=", projectId).orderBy("number").execute(),
    findRound: (roundId: string): Promise<RoundRow | undefined> =>
      rounds.where("round_id", "=", roundId).executeTakeFirst(),
    listStage: (stage: RoundRow["stage"], closedMs: number): Promise<RoundRow[]> =>
      rounds
        .where("stage", "=", stage)
        .where("closes_ms", "<=", closedMs)
        .orderBy("closes_ms")
        .limit(LIST_MAX)
        .execute(),
    listPreheated: (timeMs: number): Promise<RoundRow[]> =>
      rounds.where("kind", "=", "lottery").where("preheat_ms", "<=", timeMs).where("opens_ms", ">=", timeMs).execute(),
    /** A project with its rounds and initial participants; false for a name in use. */
    add: (project: ProjectRow, own: readonly RoundRow[], joined: readonly EntryRow[] = []): Promise<boolean> =>
      tables.transaction().execute(async (inside) => {
        const insert = inside
          .insertInto("launchpad_project")
          .values(project)
          .onConflict((at) => at.doNothing());
        if (((await insert.executeTakeFirst()).numInsertedOrUpdatedRows ?? 0n) === 0n) return false;
        await inside.insertInto("launchpad_round").values(own).execute();
        for (let at = 0; at < joined.length; at += CHUNK) {
          await inside
            .insertInto("launchpad_entry")
            .values(joined.slice(at, at + CHUNK))
            .execute();
        }
        return true;
      }),
    async addSnapshots(rows: readonly SnapshotRow[]): Promise<void> {
      for (let at = 0; at < rows.length; at += 200) {
        const part = rows.slice(at, at + 200);
        await tables
          .insertInto("launchpad_snapshot")
          .values(part)
          .onConflict((on) => on.doNothing())
          .execute();
      }
    },
    listSnapshots: (projectId: string, userId: number): Promise<SnapshotRow[]> =>
      tables
        .selectFrom("launchpad_snapshot")
        .selectAll()
        .where("project_id", "=", projectId)
        .where("user_id", "=", userId)
        .orderBy("day")
        .execute(),
  };
}

/** The rows of the default run. */
function simulations(tables: Tables) {
  const simulated = tables
    .selectFrom("launchpad_round")
    .innerJoin("launchpad_project", "launchpad_project.project_id", "launchpad_round.project_id")
    .selectAll("launchpad_round")
    .where("launchpad_project.is_simulated", "=", true)
    .where("launchpad_project.state", "=", "ACTIVE");
  return {
    /** Whether a simulated launch is upcoming. */
    async isAhead(timeMs: number): Promise<boolean> {
      const ahead = simulated.where("preheat_ms", ">", timeMs).where("launchpad_round.number", "=", 1);
      return (await ahead.limit(1).execute()).length > 0;
    },
    /** Rounds of simulated launches that users can join now. */
    listOpenSimulated: (timeMs: number): Promise<RoundRow[]> =>
      simulated
        .where("stage", "=", "OPEN")
        .where("kind", "in", ["lottery", "subscription"])
        .where("opens_ms", "<=", timeMs)
        .where("closes_ms", ">", timeMs)
        .execute(),
  };
}

/** The states of rounds and projects: every step names the one before it. */
function stages(tables: Tables) {
  return {
    async stepRound(round: RoundRow, values: Partial<RoundRow>): Promise<boolean> {
      const change = tables
        .updateTable("launchpad_round")
        .set(values)
        .where("round_id", "=", round.round_id)
        .where("stage", "=", round.stage);
      return (await change.executeTakeFirst()).numUpdatedRows > 0n;
    },
    async stepProject(projectId: string, from: ProjectRow["state"], to: ProjectRow["state"]): Promise<boolean> {
      const change = tables.updateTable("launchpad_project").set({ state: to }).where("project_id", "=", projectId);
      return (await change.where("state", "=", from).executeTakeFirst()).numUpdatedRows > 0n;
    },
    /** No joins or commitments from here on; false while a commitment is under way. */
    closeRound: (round: RoundRow, values: Partial<RoundRow>): Promise<boolean> =>
      tables.transaction().execute(async (inside) => {
        if (!(await takeOpen(inside, round.round_id))) return false;
        const intended = inside.selectFrom("launchpad_commit").select("reference").where("state", "=", "intended");
        if ((await intended.where("round_id", "=", round.round_id).limit(1).execute()).length > 0) return false;
        await inside.updateTable("launchpad_round").set(values).where("round_id", "=", round.round_id).execute();
        return true;
      }),
    /** The shares of a subscription are distributed, and so its commitments are used up. */
    endShare: (roundId: string): Promise<void> =>
      tables.transaction().execute(async (inside) => {
        const ended = inside.updateTable("launchpad_round").set({ stage: "WAITED" }).where("round_id", "=", roundId);
        await ended.where("stage", "=", "CLOSED").execute();
        const used = inside.updateTable("launchpad_commit").set({ state: "shared" }).where("round_id", "=", roundId);
        await used.where("state", "=", "done").execute();
      }),
    /** Ended rounds whose stock has not been returned yet. */
    listUnreturned: (): Promise<RoundRow[]> =>
      tables
        .selectFrom("launchpad_round")
        .innerJoin("launchpad_project", "launchpad_project.project_id", "launchpad_round.project_id")
        .selectAll("launchpad_round")
        .where("launchpad_project.state", "in", ["DISTRIBUTED", "CANCELLED"])
        .where("returned_units", "is", null)
        .orderBy("round_id")
        .limit(LIST_MAX)
        .execute(),
    async endRound(roundId: string, returnedUnits: bigint): Promise<void> {
      await tables
        .updateTable("launchpad_round")
        .set({ returned_units: returnedUnits })
        .where("round_id", "=", roundId)
        .where("returned_units", "is", null)
        .execute();
    },
  };
}

class Twice extends Error {}

function isFirst(error: unknown): false {
  if (error instanceof Twice) return false;
  throw error;
}

function entries(tables: Tables) {
  const all = tables.selectFrom("launchpad_entry").selectAll();
  return {
    listEntries: (roundId: string): Promise<EntryRow[]> =>
      all.where("round_id", "=", roundId).orderBy("number").execute(),
    findEntry: (roundId: string, userId: number): Promise<EntryRow | undefined> =>
      all.where("round_id", "=", roundId).where("user_id", "=", userId).executeTakeFirst(),
    /** Numbers are consecutive: the row's own round is locked first, and only while it is open. */
    join: (row: Omit<EntryRow, "number" | "first_ticket">): Promise<boolean> =>
      tables
        .transaction()
        .execute(async (inside) => {
          const taken = await inside
            .updateTable("launchpad_round")
            .set({ tickets: sql<number>`tickets + ${row.tickets}` })
            .where("round_id", "=", row.round_id)
            .where("stage", "=", "OPEN")
            .where(({ not, exists, selectFrom }) =>
              not(
                exists(
                  selectFrom("launchpad_entry")
                    .select("user_id")
                    .where("round_id", "=", row.round_id)
                    .where("user_id", "=", row.user_id),
                ),
              ),
            )
            .returning("tickets")
            .executeTakeFirst();
          if (taken === undefined) return false;
          const last = await inside
            .selectFrom("launchpad_entry")
            .select(sql<number>`coalesce(max(number), 0)`.as("number"))
            .where("round_id", "=", row.round_id)
            .executeTakeFirst();
          const number = Number(last?.number ?? 0) + 1;
          const insert = inside
            .insertInto("launchpad_entry")
            .values({ ...row, number, first_ticket: taken.tickets - row.tickets + 1 })
            .onConflict((at) => at.doNothing());
          // Two concurrent ones: the tickets of the slower are rolled back with the rest.
          if (((await insert.executeTakeFirst()).numInsertedOrUpdatedRows ?? 0n) === 0n) throw new Twice();
          return true;
        })
        .catch(isFirst),
    async sumEntries(roundId: string): Promise<{ people: number; committed: bigint }> {
      const row = await tables
        .selectFrom("launchpad_entry")
        .select([
          sql<number>`cast(count(*) as bigint)`.as("people"),
          sql<string>`coalesce(cast(sum(commit_units) as text), '0')`.as("committed"),
        ])
        .where("round_id", "=", roundId)
        .executeTakeFirst();
      return { people: Number(row?.people ?? 0), committed: BigInt(row?.committed ?? "0") };
    },
  };
}
