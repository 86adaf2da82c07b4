// The SQL of rewards, in the subset both databases share.
import { HOUR_MS } from "@clockwork/kit/time";
import { type Kysely, sql } from "kysely";
import type { TaskKind } from "./contract.ts";
import type { FeesBack } from "./rules.ts";

export interface CampaignRow {
  readonly campaign_id: string;
  readonly number: number;
  readonly name: string;
  readonly is_open: boolean;
  readonly is_simulated: boolean;
  readonly created_ms: number;
}

export interface TaskRow {
  readonly task_id: string;
  readonly campaign_id: string;
  readonly kind: TaskKind;
  readonly target: bigint;
  readonly course: string;
  readonly after_task: string | null;
  readonly level_min: number;
  readonly reward: string;
  readonly cost_units: bigint;
  readonly terms: string;
  readonly starts_ms: number;
  readonly ends_ms: number;
  readonly claim_until_ms: number;
  readonly position: number;
  readonly is_open: boolean;
  readonly created_ms: number;
}

export interface ClaimRow {
  readonly claim_id: string;
  readonly user_id: number;
  readonly task_id: string;
  readonly campaign_id: string;
  readonly reward: string;
  readonly cost_units: bigint;
  readonly terms: string;
  readonly state: "INTENDED" | "SHORT" | "CLAIMED";
  readonly made_ms: number;
  readonly claimed_ms: number | null;
  readonly ends_ms: number | null;
  readonly returned_units: bigint | null;
}

export interface FeeCouponRow {
  readonly coupon_id: string;
  readonly user_id: number;
  readonly biz: "spot" | "futures";
  readonly ratio_bps: number;
  readonly face_units: bigint;
  readonly paid_units: bigint;
  readonly pending_units: bigint;
  readonly turn: number;
  readonly cursor_sequence: number;
  readonly state: "OPEN" | "USED" | "ENDED";
  readonly issued_ms: number;
  readonly expires_ms: number;
}

interface FeeBackRow {
  readonly hour: number;
  readonly user_id: number;
  readonly asset: number;
  readonly back_units: bigint;
}

type RewardTables = {
  rewards_campaign: CampaignRow;
  rewards_task: TaskRow;
  rewards_done: { readonly user_id: number; readonly task_id: string; readonly done_ms: number };
  rewards_claim: ClaimRow;
  rewards_fee_coupon: FeeCouponRow;
  rewards_fee_back: FeeBackRow;
};
type Tables = Kysely<RewardTables>;

const TASKS_MAX = 500;
const CLAIMS_MAX = 500;
const BATCH_MAX = 200;

export type RewardStore = ReturnType<typeof rewardStore>;

export function rewardStore(kysely: Kysely<unknown>) {
  const tables: Tables = kysely.$extendTables<RewardTables>();
  return {
    ...planQueries(tables),
    ...reportQueries(tables),
    ...ownQueries(tables),
    ...claimQueries(tables),
    ...returnQueries(tables),
    ...feeQueries(tables),
  };
}

function planQueries(tables: Tables) {
  return {
    listCampaigns: (): Promise<CampaignRow[]> =>
      tables.selectFrom("rewards_campaign").selectAll().orderBy("number", "desc").limit(TASKS_MAX).execute(),
    findCampaign: (campaignId: string): Promise<CampaignRow | undefined> =>
      tables.selectFrom("rewards_campaign").selectAll().where("campaign_id", "=", campaignId).executeTakeFirst(),
    /**
     * The next number is taken in the same statement; the key separates concurrent ones. An existing one is unchanged.
     */
    async addCampaign(row: Omit<CampaignRow, "number">): Promise<void> {
      await tables
        .insertInto("rewards_campaign")
        .values({
          ...row,
          number: sql<number>`(SELECT coalesce(max(number), 0) + 1 FROM rewards_campaign)`,
        })
        .onConflict((conflict) => conflict.column("campaign_id").doNothing())
        .execute();
    },
    async openCampaign(campaignId: string, isOpen: boolean): Promise<boolean> {
      const change = tables.updateTable("rewards_campaign").set({ is_open: isOpen });
      return (await change.where("campaign_id", "=", campaignId).executeTakeFirst()).numUpdatedRows > 0n;
    },

    listTasks: (): Promise<TaskRow[]> =>
      tables.selectFrom("rewards_task").selectAll().orderBy("position").orderBy("task_id").limit(TASKS_MAX).execute(),
    findTask: (taskId: string): Promise<TaskRow | undefined> =>
      tables.selectFrom("rewards_task").selectAll().where("task_id", "=", taskId).executeTakeFirst(),
    /** Does nothing when it exists: the reward of a task never changes for its participants. */
    async addTask(row: TaskRow): Promise<void> {
      await tables
        .insertInto("rewards_task")
        .values(row)
        .onConflict((conflict) => conflict.column("task_id").doNothing())
        .execute();
    },
    async openTask(campaignId: string, taskId: string, isOpen: boolean): Promise<boolean> {
      const change = tables.updateTable("rewards_task").set({ is_open: isOpen }).where("task_id", "=", taskId);
      return (await change.where("campaign_id", "=", campaignId).executeTakeFirst()).numUpdatedRows > 0n;
    },
  };
}

function reportQueries(tables: Tables) {
  return {
    /** Claims of a campaign, by kind of reward. */
    async sumClaims(campaignId: string) {
      const rows = await tables
        .selectFrom("rewards_claim")
        .select(({ fn }) => [
          "reward",
          fn.countAll<number | bigint | string>().as("count"),
          sql<string>`cast(sum(cost_units) as text)`.as("spent"),
          sql<string>`cast(coalesce(sum(returned_units), 0) as text)`.as("returned"),
        ])
        .where("campaign_id", "=", campaignId)
        .where("state", "=", "CLAIMED")
        .groupBy("reward")
        .orderBy("reward")
        .execute();
      return rows.map(({ reward, count, spent, returned }) => ({
        reward,
        count: Number(count),
        spentUnits: BigInt(spent),
        returnedUnits: BigInt(returned),
      }));
    },
    async countByTask(): Promise<Map<string, { done: number; claimed: number }>> {
      const counts = new Map<string, { done: number; claimed: number }>();
      const of = (taskId: string) => {
        const known = counts.get(taskId) ?? { done: 0, claimed: 0 };
        counts.set(taskId, known);
        return known;
      };
      const count = sql<number | bigint | string>`count(*)`.as("count");
      const done = await tables.selectFrom("rewards_done").select(["task_id", count]).groupBy("task_id").execute();
      for (const row of done) of(row.task_id).done = Number(row.count);
      const claims = tables.selectFrom("rewards_claim").select(["task_id", count]).where("state", "=", "CLAIMED");
      for (const row of await claims.groupBy("task_id").execute()) of(row.task_id).claimed = Number(row.count);
      return counts;
    },
  };
}

function ownQueries(tables: Tables) {
  return {
    listDone: (userId: number) =>
      tables.selectFrom("rewards_done").select(["task_id", "done_ms"]).where("user_id", "=", userId).execute(),
    /** True for the first caller: it is notified once. */
    async markDone(userId: number, taskId: string, timeMs: number): Promise<boolean> {
      const row = { user_id: userId, task_id: taskId, done_ms: timeMs };
      const insert = tables.insertInto("rewards_done").values(row);
      const made = await insert
        .onConflict((conflict) => conflict.columns(["user_id", "task_id"]).doNothing())
        .returning("task_id")
        .execute();
      return made.length > 0;
    },
    listClaims: (userId: number): Promise<ClaimRow[]> =>
      tables.selectFrom("rewards_claim").selectAll().where("user_id", "=", userId).limit(CLAIMS_MAX).execute(),
  };
}

function claimQueries(tables: Tables) {
  const find = (claimId: string): Promise<ClaimRow | undefined> =>
    tables.selectFrom("rewards_claim").selectAll().where("claim_id", "=", claimId).executeTakeFirst();
  return {
    findClaim: find,
    /** Stores that it is being paid; concurrent calls give one row. */
    intend: (row: ClaimRow): Promise<void> =>
      tables.transaction().execute(async (inside) => {
        const insert = inside.insertInto("rewards_claim").values(row);
        // By whichever key another call was first: PostgreSQL ignores only the named conflict.
        await insert.onConflict((conflict) => conflict.doNothing()).execute();
        const short = inside.updateTable("rewards_claim").where("state", "=", "SHORT");
        // Its time runs from when there is money for it; repeated within the hour it is the same claim to the ledger.
        const anew = { made_ms: row.made_ms, ends_ms: row.ends_ms };
        const stale = short.where("claim_id", "=", row.claim_id).where("made_ms", "<", row.made_ms - HOUR_MS);
        await stale.set(anew).execute();
        await short.set({ state: "INTENDED" }).where("claim_id", "=", row.claim_id).execute();
      }),
    /** The budget was used up: nothing was paid. A concurrent payment wins. */
    async markShort(claimId: string): Promise<void> {
      const change = tables.updateTable("rewards_claim").set({ state: "SHORT" }).where("claim_id", "=", claimId);
      await change.where("state", "=", "INTENDED").execute();
    },
    /** The payment is stored whatever a concurrent call did to the row. True for the first caller. */
    async complete(claimId: string, timeMs: number): Promise<boolean> {
      const change = tables.updateTable("rewards_claim").set({ state: "CLAIMED", claimed_ms: timeMs });
      const done = await change.where("claim_id", "=", claimId).where("state", "!=", "CLAIMED").executeTakeFirst();
      return done.numUpdatedRows > 0n;
    },
    listIntended: (): Promise<ClaimRow[]> =>
      tables
        .selectFrom("rewards_claim")
        .selectAll()
        .where("state", "=", "INTENDED")
        .orderBy("made_ms")
        .limit(BATCH_MAX)
        .execute(),
  };
}

/** The returns of claims. */
function returnQueries(tables: Tables) {
  return {
    /** Those whose time is over and whose used part is not determined. */
    listOver: (beforeMs: number): Promise<ClaimRow[]> =>
      tables
        .selectFrom("rewards_claim")
        .selectAll()
        .where("returned_units", "is", null)
        .where("ends_ms", "<", beforeMs)
        .where("state", "=", "CLAIMED")
        .orderBy("ends_ms")
        .limit(BATCH_MAX)
        .execute(),
    /** The next time to check its unused part. */
    async pollAgain(claimId: string, timeMs: number): Promise<void> {
      const change = tables.updateTable("rewards_claim").set({ ends_ms: timeMs });
      await change.where("claim_id", "=", claimId).where("returned_units", "is", null).execute();
    },
    async setReturned(claimId: string, returnedUnits: bigint): Promise<void> {
      const change = tables.updateTable("rewards_claim").set({ returned_units: returnedUnits });
      await change.where("claim_id", "=", claimId).where("returned_units", "is", null).execute();
    },
  };
}

function feeQueries(tables: Tables) {
  const open = () => tables.selectFrom("rewards_fee_coupon").selectAll().where("state", "=", "OPEN");
  return {
    ...feeTurns(tables),
    async addFeeCoupon(row: FeeCouponRow): Promise<void> {
      await tables
        .insertInto("rewards_fee_coupon")
        .values(row)
        .onConflict((conflict) => conflict.column("coupon_id").doNothing())
        .execute();
    },
    findFeeCoupon: (couponId: string): Promise<FeeCouponRow | undefined> =>
      tables.selectFrom("rewards_fee_coupon").selectAll().where("coupon_id", "=", couponId).executeTakeFirst(),
    listFeeCoupons: (userId: number): Promise<FeeCouponRow[]> =>
      tables
        .selectFrom("rewards_fee_coupon")
        .selectAll()
        .where("user_id", "=", userId)
        .orderBy("expires_ms")
        .orderBy("coupon_id")
        .limit(CLAIMS_MAX)
        .execute(),
    listOpenFees: (userId: number): Promise<FeeCouponRow[]> =>
      open().where("user_id", "=", userId).orderBy("expires_ms").orderBy("coupon_id").execute(),
    /** Of the given users, those with a coupon that may return fees. */
    async listWithFees(userIds: readonly number[]): Promise<number[]> {
      const found: number[] = [];
      for (let at = 0; at < userIds.length; at += BATCH_MAX) {
        const some = userIds.slice(at, at + BATCH_MAX);
        const rows = tables.selectFrom("rewards_fee_coupon").select("user_id").distinct().where("state", "=", "OPEN");
        found.push(...(await rows.where("user_id", "in", some).execute()).map(({ user_id }) => user_id));
      }
      return found;
    },
    /** The returned fees of an hour, by user and coin. */
    listFeesBack: (hour: number): Promise<FeeBackRow[]> =>
      tables.selectFrom("rewards_fee_back").selectAll().where("hour", "=", hour).execute(),
    /** Users whose coupons must be checked without a trade: a payment is under way, or their time is over. */
    async listFeeUsers(timeMs: number): Promise<number[]> {
      const rows = await tables
        .selectFrom("rewards_fee_coupon")
        .select("user_id")
        .distinct()
        .where("state", "=", "OPEN")
        .where((where) => where.or([where("pending_units", ">", 0n), where("expires_ms", "<", timeMs)]))
        .limit(BATCH_MAX)
        .execute();
      return rows.map(({ user_id }) => user_id);
    },
    /** The position up to which the user's fees were returned, by any coupon; never before its own start. */
    async readFeeCursor({ user_id, biz, cursor_sequence }: FeeCouponRow): Promise<number> {
      const row = await tables
        .selectFrom("rewards_fee_coupon")
        .select(({ fn }) => fn.max("cursor_sequence").as("cursor"))
        .where("user_id", "=", user_id)
        .where("biz", "=", biz)
        .where("turn", ">", 0)
        .executeTakeFirst();
      return Math.max(cursor_sequence, row?.cursor ?? 0);
    },
  };
}

function feeTurns(tables: Tables) {
  const change = (row: FeeCouponRow, within: Tables = tables) =>
    within.updateTable("rewards_fee_coupon").where("coupon_id", "=", row.coupon_id).where("turn", "=", row.turn);
  return {
    /**
     * Stores that fees up to a command are counted and this much is being paid for them, in a turn of its own; false:
     * another call was first.
     */
    intendFees: (row: FeeCouponRow, sequence: number, back: FeesBack): Promise<boolean> =>
      tables.transaction().execute(async (inside) => {
        const next = { cursor_sequence: sequence, pending_units: back.usdtUnits, turn: row.turn + 1 };
        const made = await change(row, inside).set(next).where("pending_units", "=", 0n).executeTakeFirst();
        if (made.numUpdatedRows === 0n) return false;
        for (const { hour, asset, backUnits } of back.hours) {
          await inside
            .insertInto("rewards_fee_back")
            .values({ hour, user_id: row.user_id, asset, back_units: backUnits })
            .onConflict((conflict) =>
              conflict
                .columns(["hour", "user_id", "asset"])
                .doUpdateSet({ back_units: sql<bigint>`rewards_fee_back.back_units + excluded.back_units` }),
            )
            .execute();
        }
        return true;
      }),
    async completeFees(row: FeeCouponRow): Promise<void> {
      const paid_units = row.paid_units + row.pending_units;
      const state = paid_units === row.face_units ? "USED" : row.state;
      await change(row)
        .set({ paid_units, pending_units: 0n, state })
        .where("pending_units", "=", row.pending_units)
        .where("paid_units", "=", row.paid_units)
        .execute();
    },
    async endFees(row: FeeCouponRow): Promise<void> {
      await change(row).set({ state: "ENDED" }).where("pending_units", "=", 0n).where("state", "=", "OPEN").execute();
    },
  };
}
