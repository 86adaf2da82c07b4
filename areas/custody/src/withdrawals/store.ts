// The SQL of withdrawals, in the subset both databases share. Also of unsolicited deposits: surpluses on the exchange's
// addresses.
import { type Kysely, sql } from "kysely";

export type WithdrawalState =
  | "CREATED"
  | "VERIFY"
  | "REVIEW"
  | "QUEUED"
  | "BROADCAST"
  | "CONFIRMING"
  | "DONE"
  | "CANCELLED"
  | "REJECTED"
  | "FAILED"
  | "REFUSED";

export interface WithdrawalRow {
  readonly withdrawal_id: string;
  readonly user_id: number;
  readonly client_id: string;
  readonly network: string;
  readonly address: string;
  readonly receiver_id: number | null;
  readonly asset: string;
  readonly book: "spot" | "funding";
  readonly amount_units: bigint;
  readonly fee_units: bigint;
  readonly worth_units: bigint;
  readonly state: WithdrawalState;
  readonly is_settled: boolean;
  readonly review: string;
  readonly reviewer_id: number | null;
  readonly reason: string;
  readonly tx_hash: string | null;
  readonly block_number: number | null;
  readonly created_ms: number;
  readonly changed_ms: number;
  readonly speed_ups: number;
  readonly speed_units: bigint;
  readonly speed_state: "" | "PAYING";
}

export interface SavedRow {
  readonly user_id: number;
  readonly network: string;
  readonly address: string;
  readonly name: string;
  readonly created_ms: number;
  readonly usable_ms: number;
}

interface SettingRow {
  readonly user_id: number;
  readonly is_whitelist: boolean;
  readonly version: number;
}

export interface PauseRow {
  readonly network: string;
  readonly cause: string;
  readonly since_ms: number;
}

export type WithdrawTables = {
  withdrawals_saved: SavedRow;
  withdrawals_setting: SettingRow;
  withdrawals_withdrawal: WithdrawalRow;
  withdrawals_pause: PauseRow;
};
type Tables = Kysely<WithdrawTables>;
export type WithdrawStore = ReturnType<typeof withdrawStore>;

/** They count against the limit until they are cancelled. */
const VOID: readonly WithdrawalState[] = ["CANCELLED", "REJECTED", "FAILED", "REFUSED"];
const LIST_MAX = 100;

export function withdrawStore(kysely: Kysely<unknown>) {
  const tables: Tables = kysely.$extendTables<WithdrawTables>();
  return { ...bookStore(tables), ...readings(tables), ...queues(tables), ...changes(tables), ...pauses(tables) };
}

/** Locks the user's row until the transaction ends. */
function upsert(inside: Tables, userId: number, values: { is_whitelist?: boolean }): Promise<SettingRow> {
  return inside
    .insertInto("withdrawals_setting")
    .values({ user_id: userId, is_whitelist: values.is_whitelist ?? false, version: 1 })
    .onConflict((at) =>
      at.column("user_id").doUpdateSet({ version: sql<number>`withdrawals_setting.version + 1`, ...values }),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
}

function bookStore(tables: Tables) {
  return {
    isWhitelist: async (userId: number): Promise<boolean> => {
      const query = tables.selectFrom("withdrawals_setting").select("is_whitelist").where("user_id", "=", userId);
      return (await query.executeTakeFirst())?.is_whitelist === true;
    },
    /** Entering the mode restarts the waiting time of every saved address. True where the mode was left. */
    async setWhitelist(
      inside: Kysely<unknown>,
      userId: number,
      isWhitelist: boolean,
      usableMs: number,
    ): Promise<boolean> {
      const own = inside.$extendTables<WithdrawTables>();
      const was = await upsert(own, userId, {});
      await upsert(own, userId, { is_whitelist: isWhitelist });
      if (isWhitelist && !was.is_whitelist)
        await own.updateTable("withdrawals_saved").set({ usable_ms: usableMs }).where("user_id", "=", userId).execute();
      return was.is_whitelist && !isWhitelist;
    },
    listSaved: (userId: number): Promise<SavedRow[]> =>
      tables
        .selectFrom("withdrawals_saved")
        .selectAll()
        .where("user_id", "=", userId)
        .orderBy("created_ms", "desc")
        .execute(),
    findBound: (payer: Payer, place: SavedPlace): Promise<Bound> => findBound(tables, payer, place),
    /** An existing one is only renamed. */
    async save(inside: Kysely<unknown>, row: SavedRow, max: number): Promise<"saved" | "full"> {
      const own = inside.$extendTables<WithdrawTables>();
      await upsert(own, row.user_id, {});
      const query = own.selectFrom("withdrawals_saved").select("address").where("user_id", "=", row.user_id);
      if ((await query.execute()).length >= max) return "full";
      await own
        .insertInto("withdrawals_saved")
        .values(row)
        .onConflict((at) => at.columns(["user_id", "network", "address"]).doUpdateSet({ name: row.name }))
        .execute();
      return "saved";
    },
    async removeSaved(userId: number, network: string, address: string): Promise<boolean> {
      const remove = tables
        .deleteFrom("withdrawals_saved")
        .where("user_id", "=", userId)
        .where("network", "=", network);
      return (await remove.where("address", "=", address).executeTakeFirst()).numDeletedRows > 0n;
    },
    /** Counted against the limit and written under one lock of the user: concurrent calls see each other. */
    async add(
      inside: Kysely<unknown>,
      row: WithdrawalRow,
      limit: LimitFacts,
      payer: Payer,
      place: SavedPlace,
    ): Promise<"added" | "known" | "refused" | Exclude<Bound, "free">> {
      const own = inside.$extendTables<WithdrawTables>();
      await upsert(own, row.user_id, {});
      if ((await findIntent(own, row.user_id, row.client_id)) !== undefined) return "known";
      const bound = await findBound(own, payer, place);
      if (bound !== "free") return bound;
      const isTooMuch = (await sumUsed(own, row.user_id, limit.sinceMs)) + row.worth_units > limit.limitUnits;
      const kept = isTooMuch ? { ...row, state: "REFUSED" as const, reason: "LIMIT_REACHED", is_settled: true } : row;
      await own.insertInto("withdrawals_withdrawal").values(kept).execute();
      return isTooMuch ? "refused" : "added";
    },
  };
}

interface LimitFacts {
  readonly sinceMs: number;
  readonly limitUnits: bigint;
}

/** The payer, in person or by API key, and the time. */
export interface Payer {
  readonly userId: number;
  readonly isKey: boolean;
  readonly nowMs: number;
}

export type SavedPlace = Pick<SavedRow, "network" | "address">;
type Bound = "free" | "unsaved" | "resting";

/** API keys, and all payments in the mode, use only saved entries past their waiting time. */
async function findBound(
  tables: Tables,
  { userId, isKey, nowMs }: Payer,
  { network, address }: SavedPlace,
): Promise<Bound> {
  const setting = tables.selectFrom("withdrawals_setting").select("is_whitelist").where("user_id", "=", userId);
  if (!isKey && (await setting.executeTakeFirst())?.is_whitelist !== true) return "free";
  const saved = await tables
    .selectFrom("withdrawals_saved")
    .select("usable_ms")
    .where("user_id", "=", userId)
    .where("network", "=", network)
    .where("address", "=", address)
    .executeTakeFirst();
  if (saved === undefined) return "unsaved";
  return saved.usable_ms > nowMs ? "resting" : "free";
}

function findIntent(tables: Tables, userId: number, clientId: string): Promise<WithdrawalRow | undefined> {
  const query = tables.selectFrom("withdrawals_withdrawal").selectAll().where("user_id", "=", userId);
  return query.where("client_id", "=", clientId).executeTakeFirst();
}

async function sumUsed(tables: Tables, userId: number, sinceMs: number): Promise<bigint> {
  const row = await tables
    .selectFrom("withdrawals_withdrawal")
    .select(sql<string | null>`cast(sum(worth_units) as text)`.as("sum"))
    .where("user_id", "=", userId)
    .where("created_ms", ">", sinceMs)
    .where("state", "not in", VOID)
    .executeTakeFirst();
  return BigInt(row?.sum ?? "0");
}

function readings(tables: Tables) {
  const all = () => tables.selectFrom("withdrawals_withdrawal").selectAll();
  return {
    find: (withdrawalId: string): Promise<WithdrawalRow | undefined> =>
      all().where("withdrawal_id", "=", withdrawalId).executeTakeFirst(),
    findIntent: (userId: number, clientId: string) => findIntent(tables, userId, clientId),
    sumUsed: (userId: number, sinceMs: number) => sumUsed(tables, userId, sinceMs),
    /** To addresses, including users of the exchange; without those the ledger rejected, which never happened. */
    listByUser: (userId: number, limit: number, beforeMs?: number): Promise<WithdrawalRow[]> => {
      let query = all().where("user_id", "=", userId).where("address", "!=", "").where("state", "!=", "REFUSED");
      if (beforeMs !== undefined) query = query.where("created_ms", "<", beforeMs);
      return query.orderBy("created_ms", "desc").orderBy("withdrawal_id").limit(limit).execute();
    },
    /** Frozen funds in a book on their way out. */
    listLeaving: (
      userId: number,
      book: WithdrawalRow["book"],
    ): Promise<Pick<WithdrawalRow, "asset" | "amount_units">[]> =>
      all()
        .clearSelect()
        .select(["asset", "amount_units"])
        .where("user_id", "=", userId)
        .where("book", "=", book)
        .where("network", "!=", "")
        .where("is_settled", "=", false)
        .where("state", "not in", ["CREATED", "REFUSED"])
        .execute(),
    /** Transfers to and from other users. */
    listBook: (userId: number, limit: number): Promise<WithdrawalRow[]> =>
      all()
        .where("network", "=", "")
        .where("state", "=", "DONE")
        .where(({ or, eb }) => or([eb("user_id", "=", userId), eb("receiver_id", "=", userId)]))
        .where(({ eb, ref }) => eb("user_id", "!=", ref("receiver_id")))
        .orderBy("created_ms", "desc")
        .limit(limit)
        .execute(),
    /** Whether a user was paid within the exchange before. */
    async hasPaid(userId: number, receiverId: number): Promise<boolean> {
      const query = tables.selectFrom("withdrawals_withdrawal").select("withdrawal_id").where("user_id", "=", userId);
      const paid = query.where("receiver_id", "=", receiverId).where("state", "=", "DONE");
      return (await paid.limit(1).executeTakeFirst()) !== undefined;
    },
    /** In the order they were put there. */
    listState: (state: WithdrawalState, network?: string): Promise<WithdrawalRow[]> => {
      let query = all().where("state", "=", state);
      if (network !== undefined) query = query.where("network", "=", network);
      return query.orderBy("changed_ms").orderBy("withdrawal_id").limit(LIST_MAX).execute();
    },
    /** Ended, but possibly not in the ledger. */
    listUnsettled: (): Promise<WithdrawalRow[]> =>
      all()
        .where("is_settled", "=", false)
        .where("state", "in", ["DONE", ...VOID])
        .limit(LIST_MAX)
        .execute(),
    async hasDone(userId: number, address?: string): Promise<boolean> {
      let query = tables.selectFrom("withdrawals_withdrawal").select("withdrawal_id").where("user_id", "=", userId);
      query = query.where("state", "=", "DONE").where("network", "!=", "");
      if (address !== undefined) query = query.where("address", "=", address);
      return (await query.limit(1).executeTakeFirst()) !== undefined;
    },
  };
}

/** The queues. */
function queues(tables: Tables) {
  const all = () => tables.selectFrom("withdrawals_withdrawal").selectAll();
  return {
    /** Sendable withdrawals of a network, longest waiting first, after a row of an earlier page. */
    listQueued: (network: string, limit: number, after?: WithdrawalRow): Promise<WithdrawalRow[]> => {
      let query = all().where("state", "=", "QUEUED").where("network", "=", network);
      if (after !== undefined) {
        query = query.where(({ or, and, eb }) =>
          or([
            eb("changed_ms", ">", after.changed_ms),
            and([eb("changed_ms", "=", after.changed_ms), eb("withdrawal_id", ">", after.withdrawal_id)]),
          ]),
        );
      }
      return query.orderBy("changed_ms").orderBy("withdrawal_id").limit(limit).execute();
    },
    /** Taken back from the queue because of its owner, after one of an earlier page. */
    listHeld: (after: string): Promise<WithdrawalRow[]> =>
      all()
        .where("state", "=", "REVIEW")
        .where("review", "like", "%held")
        .where("withdrawal_id", ">", after)
        .orderBy("withdrawal_id")
        .limit(LIST_MAX)
        .execute(),
    /**
     * Waiting since a time; withdrawals refused by the signer's policy or to a flagged address are not the simulated
     * reviewer's.
     */
    listForSimulated: (untilMs: number): Promise<WithdrawalRow[]> =>
      all()
        .where("state", "=", "REVIEW")
        .where("review", "!=", "policy")
        .where("review", "not like", "%flagged%")
        .where("review", "not like", "%held%")
        .where("changed_ms", "<=", untilMs)
        .orderBy("changed_ms")
        .limit(LIST_MAX)
        .execute(),
    listPaying: (): Promise<WithdrawalRow[]> => all().where("speed_state", "=", "PAYING").limit(LIST_MAX).execute(),
    /** Withdrawals over networks, sent or pending, since a time. */
    listSince: (userId: number, sinceMs: number): Promise<WithdrawalRow[]> =>
      all()
        .where("user_id", "=", userId)
        .where("network", "!=", "")
        .where("state", "not in", VOID)
        .where("created_ms", ">", sinceMs)
        .limit(LIST_MAX)
        .execute(),
  };
}

function changes(tables: Tables) {
  return {
    /** True for the first caller: the expected state is part of the change. */
    async stepWithdrawal(
      withdrawalId: string,
      from: WithdrawalState,
      values: Partial<WithdrawalRow>,
    ): Promise<boolean> {
      const change = tables.updateTable("withdrawals_withdrawal").set(values).where("withdrawal_id", "=", withdrawalId);
      return (await change.where("state", "=", from).executeTakeFirst()).numUpdatedRows > 0n;
    },
    /** Undefined unless the caller is the first, and once it is mined. */
    async beginSpeedUp(row: WithdrawalRow, timeMs: number): Promise<WithdrawalRow | undefined> {
      const values = { speed_ups: row.speed_ups + 1, speed_state: "PAYING", changed_ms: timeMs } as const;
      const change = tables
        .updateTable("withdrawals_withdrawal")
        .set(values)
        .where("withdrawal_id", "=", row.withdrawal_id)
        .where("state", "=", "BROADCAST")
        .where("speed_ups", "=", row.speed_ups)
        .where("speed_state", "=", "");
      return (await change.executeTakeFirst()).numUpdatedRows > 0n ? { ...row, ...values } : undefined;
    },
    async endSpeedUp(
      { withdrawal_id, speed_ups }: WithdrawalRow,
      values: Partial<Pick<WithdrawalRow, "speed_ups" | "speed_units">>,
    ): Promise<void> {
      await tables
        .updateTable("withdrawals_withdrawal")
        .set({ ...values, speed_state: "" })
        .where("withdrawal_id", "=", withdrawal_id)
        .where("speed_ups", "=", speed_ups)
        .where("speed_state", "=", "PAYING")
        .execute();
    },
    async settleWithdrawal(withdrawalId: string): Promise<void> {
      const change = tables.updateTable("withdrawals_withdrawal").set({ is_settled: true });
      await change.where("withdrawal_id", "=", withdrawalId).execute();
    },
  };
}

function pauses(tables: Tables) {
  return {
    listPauses: (): Promise<PauseRow[]> => tables.selectFrom("withdrawals_pause").selectAll().execute(),
    async pause(row: PauseRow): Promise<void> {
      await tables
        .insertInto("withdrawals_pause")
        .values(row)
        .onConflict((at) => at.doNothing())
        .execute();
    },
    /** The pause in question, not one that started since. */
    async unpause(network: string, sinceMs: number): Promise<boolean> {
      const remove = tables.deleteFrom("withdrawals_pause").where("network", "=", network);
      return (await remove.where("since_ms", "=", sinceMs).executeTakeFirst()).numDeletedRows > 0n;
    },
  };
}

export interface UnclaimedRow {
  readonly asset: string;
  readonly seen_ms: number;
  readonly fine_units: string;
  readonly blocks: string;
  readonly is_kept: boolean;
}

type UnclaimedTables = { withdrawals_gift: UnclaimedRow };
export type UnclaimedStore = ReturnType<typeof unclaimedStore>;

export function unclaimedStore(kysely: Kysely<unknown>) {
  const tables = kysely.$extendTables<UnclaimedTables>();
  return {
    /** Newest first. */
    listUnclaimed: (): Promise<UnclaimedRow[]> =>
      tables.selectFrom("withdrawals_gift").selectAll().orderBy("seen_ms", "desc").orderBy("asset").execute(),
    async addUnclaimed(row: UnclaimedRow): Promise<void> {
      await tables.insertInto("withdrawals_gift").values(row).execute();
    },
    /** A recent one may shrink, be removed, or be kept; a kept one never changes. */
    async changeUnclaimed(
      { asset, seen_ms }: UnclaimedRow,
      values: Pick<UnclaimedRow, "fine_units" | "is_kept">,
    ): Promise<void> {
      const { fine_units, is_kept } = values;
      const at = { asset, seen_ms };
      if (fine_units === "0") {
        const gone = tables.deleteFrom("withdrawals_gift").where("asset", "=", at.asset);
        await gone.where("seen_ms", "=", at.seen_ms).where("is_kept", "=", false).execute();
        return;
      }
      const change = tables.updateTable("withdrawals_gift").set({ fine_units, is_kept }).where("asset", "=", at.asset);
      await change.where("seen_ms", "=", at.seen_ms).where("is_kept", "=", false).execute();
    },
  };
}
