// The SQL of withdrawals about what the hot wallet sends under which of its numbers, what networks took for it, and gifts: what
// the house's addresses hold beyond everything that explains it.
import type { Kysely } from "kysely";
import type { WithdrawTables } from "./store.ts";

export interface SendingRow {
  readonly network: string;
  readonly nonce: number;
  readonly key: string;
  readonly asset: string;
  readonly receiver: string;
  readonly chain_units: string;
  readonly gas: string;
  readonly max_fee: string;
  readonly tip: string;
  readonly hashes: string;
  readonly raw: string;
  readonly state: "OPEN" | "DONE" | "FAILED";
  readonly block_number: number | null;
  readonly fee_units: string;
  readonly is_success: boolean;
  readonly is_counted: boolean;
  readonly begun_ms: number;
  readonly sent_ms: number;
}

export interface MinedRow {
  readonly nonce: number;
  readonly block_number: number | null;
  readonly asset: string;
  readonly chain_units: string;
  readonly fee_units: string;
  readonly is_success: boolean;
  /** Its block is final, and the ledger was told of its fee. */
  readonly is_ended: boolean;
  readonly is_counted: boolean;
  /** Null for gas of a deposit address, which stays with the house. */
  readonly is_settled: boolean | null;
  readonly state: string | null;
}

export interface GasRow {
  readonly network: string;
  readonly chain_units: string;
  readonly posted_units: bigint;
}

type SendingTables = WithdrawTables & { withdrawals_sending: SendingRow; withdrawals_gas: GasRow };
type Tables = Kysely<SendingTables>;
export type SendingStore = ReturnType<typeof sendingStore>;

export function sendingStore(kysely: Kysely<unknown>) {
  const tables: Tables = kysely.$extendTables<SendingTables>();
  return { ...beginnings(tables), ...refusals(tables), ...sendings(tables), ...gas(tables), ...topUps(tables) };
}

/** From the queue to what was signed, many at once. */
function beginnings(tables: Tables) {
  return {
    /**
     * One transaction: numbers are taken and withdrawals on their way, or neither. Answers with those that were still queued;
     * they have the first of the numbers.
     */
    begin: (rows: readonly SendingRow[], timeMs: number): Promise<readonly SendingRow[]> =>
      tables.transaction().execute(async (inside) => {
        const keys = rows.map(({ key }) => key);
        const stepped = await inside
          .updateTable("withdrawals_withdrawal")
          .set({ state: "BROADCAST", changed_ms: timeMs })
          .where("withdrawal_id", "in", keys)
          .where("state", "=", "QUEUED")
          .returning("withdrawal_id")
          .execute();
        const queued = new Set(stepped.map(({ withdrawal_id }) => withdrawal_id));
        const begun = rows
          .filter(({ key }) => queued.has(key))
          .map((row, at) => ({ ...row, nonce: rows[at]?.nonce ?? row.nonce }));
        if (begun.length > 0) await inside.insertInto("withdrawals_sending").values(begun).execute();
        return begun;
      }),
    /** One transaction: what was signed for numbers that just began, and the hash its owner is told. */
    keepSigned: (rows: readonly SendingRow[]): Promise<void> =>
      tables.transaction().execute(async (inside) => {
        await inside
          .insertInto("withdrawals_sending")
          .values([...rows])
          .onConflict((at) =>
            at.columns(["network", "nonce"]).doUpdateSet(({ ref }) => ({
              hashes: ref("excluded.hashes"),
              raw: ref("excluded.raw"),
              sent_ms: ref("excluded.sent_ms"),
            })),
          )
          .execute();
        await inside
          .updateTable("withdrawals_withdrawal")
          .set(({ selectFrom }) => ({
            tx_hash: selectFrom("withdrawals_sending")
              .select("hashes")
              .whereRef("withdrawals_sending.key", "=", "withdrawals_withdrawal.withdrawal_id"),
          }))
          .where(
            "withdrawal_id",
            "in",
            rows.map(({ key }) => key),
          )
          .where("state", "=", "BROADCAST")
          .execute();
      }),
  };
}

/** Numbers that were taken for nothing. */
function refusals(tables: Tables) {
  return {
    /** The signer refused: the number is free again, and a person looks at the withdrawal. */
    callOff: (row: SendingRow, withdrawalId: string, code: string, timeMs: number): Promise<void> =>
      tables.transaction().execute(async (inside) => {
        const removed = await inside
          .deleteFrom("withdrawals_sending")
          .where("network", "=", row.network)
          .where("nonce", "=", row.nonce)
          .where("hashes", "=", "")
          .executeTakeFirst();
        if (removed.numDeletedRows === 0n) return;
        await inside
          .updateTable("withdrawals_withdrawal")
          .set({ state: "REVIEW", review: "policy", reason: code, changed_ms: timeMs })
          .where("withdrawal_id", "=", withdrawalId)
          .where("state", "=", "BROADCAST")
          .execute();
      }),
    /** Nobody was asked to sign them: their numbers are free, and they wait again. */
    giveBack: (rows: readonly SendingRow[]): Promise<void> =>
      tables.transaction().execute(async (inside) => {
        const asked = rows.map(({ key }) => key);
        if (asked.length === 0) return;
        const unsigned = inside.deleteFrom("withdrawals_sending").where("key", "in", asked).where("hashes", "=", "");
        const keys = (await unsigned.returning("key").execute()).map(({ key }) => key);
        if (keys.length === 0) return;
        const back = inside.updateTable("withdrawals_withdrawal").set({ state: "QUEUED" });
        await back.where("withdrawal_id", "in", keys).where("state", "=", "BROADCAST").execute();
      }),
  };
}

function sendings(tables: Tables) {
  return {
    listOpen: (network: string): Promise<SendingRow[]> =>
      tables
        .selectFrom("withdrawals_sending")
        .selectAll()
        .where("network", "=", network)
        .where("state", "=", "OPEN")
        .orderBy("nonce")
        .execute(),
    /** Those from one on that are taken; those before it the chain has seen. */
    noncesFrom: async (network: string, first: number): Promise<ReadonlySet<number>> => {
      const query = tables.selectFrom("withdrawals_sending").select("nonce").where("network", "=", network);
      return new Set((await query.where("nonce", ">=", first).execute()).map(({ nonce }) => nonce));
    },
    /** Offered more in the next turn, as if it had waited for ever; false once it is in a block. */
    async hurry(network: string, key: string): Promise<boolean> {
      const change = tables
        .updateTable("withdrawals_sending")
        .set({ sent_ms: 0 })
        .where("network", "=", network)
        .where("key", "=", key)
        .where("state", "=", "OPEN")
        .where("block_number", "is", null);
      return (await change.executeTakeFirst()).numUpdatedRows > 0n;
    },
    async change(
      { network, nonce }: Pick<SendingRow, "network" | "nonce">,
      values: Partial<SendingRow>,
    ): Promise<void> {
      const change = tables.updateTable("withdrawals_sending").set(values).where("network", "=", network);
      await change.where("nonce", "=", nonce).where("state", "=", "OPEN").execute();
    },
  };
}

function gas(tables: Tables) {
  return {
    /** What stands in blocks up to one, and whatever else the ledger was or is being told of: for reconciliation. */
    async listMined(network: string, number: number): Promise<readonly MinedRow[]> {
      const rows = await tables
        .selectFrom("withdrawals_sending")
        .leftJoin("withdrawals_withdrawal", "withdrawals_withdrawal.withdrawal_id", "withdrawals_sending.key")
        .select([
          "nonce",
          "withdrawals_sending.block_number",
          "withdrawals_sending.asset",
          "chain_units",
          "withdrawals_sending.fee_units",
        ])
        .select(["is_success", "is_counted", "is_settled", "withdrawals_withdrawal.state"])
        .select("withdrawals_sending.state as sent")
        .where("withdrawals_sending.network", "=", network)
        .where(({ or, and, eb }) =>
          or([
            eb("withdrawals_sending.block_number", "<=", number),
            eb("withdrawals_withdrawal.state", "=", "DONE"),
            and([eb("withdrawals_sending.state", "!=", "OPEN"), eb("is_counted", "=", false)]),
          ]),
        )
        .execute();
      return rows.map(({ sent, ...row }) => ({ ...row, is_ended: sent !== "OPEN" }));
    },
    readGas: async (network: string): Promise<GasRow> =>
      (await tables.selectFrom("withdrawals_gas").selectAll().where("network", "=", network).executeTakeFirst()) ?? {
        network,
        chain_units: "0",
        posted_units: 0n,
      },
    listUncounted: (network: string): Promise<SendingRow[]> =>
      tables
        .selectFrom("withdrawals_sending")
        .selectAll()
        .where("network", "=", network)
        .where("is_counted", "=", false)
        .where("state", "in", ["DONE", "FAILED"])
        .orderBy("nonce")
        .execute(),
    /** One transaction: the fee counts once. */
    countFee: ({ network, nonce }: SendingRow, sum: GasRow): Promise<void> =>
      tables.transaction().execute(async (inside) => {
        const counted = await inside
          .updateTable("withdrawals_sending")
          .set({ is_counted: true })
          .where("network", "=", network)
          .where("nonce", "=", nonce)
          .where("is_counted", "=", false)
          .executeTakeFirst();
        if (counted.numUpdatedRows === 0n) return;
        const { chain_units, posted_units } = sum;
        await inside
          .insertInto("withdrawals_gas")
          .values(sum)
          .onConflict((at) => at.column("network").doUpdateSet({ chain_units, posted_units }))
          .execute();
      }),
  };
}

/** Gas for deposit addresses, sent under the hot wallet's numbers too. */
function topUps(tables: Tables) {
  return {
    async beginTopUp(row: SendingRow): Promise<void> {
      await tables.insertInto("withdrawals_sending").values(row).execute();
    },
    /** Gas that came to deposit addresses up to a block. */
    async toppedUp(network: string, number: number): Promise<ReadonlyMap<string, bigint>> {
      const rows = await tables
        .selectFrom("withdrawals_sending")
        .select(["receiver", "chain_units"])
        .where("network", "=", network)
        .where("key", "like", "gas:%")
        .where("is_success", "=", true)
        .where("block_number", "<=", number)
        .execute();
      const sums = new Map<string, bigint>();
      for (const { receiver, chain_units } of rows) {
        sums.set(receiver, (sums.get(receiver) ?? 0n) + BigInt(chain_units));
      }
      return sums;
    },
  };
}

export interface GiftRow {
  readonly asset: string;
  readonly seen_ms: number;
  readonly fine_units: string;
  readonly blocks: string;
  readonly is_kept: boolean;
}

type GiftTables = { withdrawals_gift: GiftRow };
export type GiftStore = ReturnType<typeof giftStore>;

export function giftStore(kysely: Kysely<unknown>) {
  const tables = kysely.$extendTables<GiftTables>();
  return {
    /** Newest first. */
    listGifts: (): Promise<GiftRow[]> =>
      tables.selectFrom("withdrawals_gift").selectAll().orderBy("seen_ms", "desc").orderBy("asset").execute(),
    async addGift(row: GiftRow): Promise<void> {
      await tables.insertInto("withdrawals_gift").values(row).execute();
    },
    /** A young one may shrink, be gone, or be kept; what is kept never changes. */
    async changeGift({ asset, seen_ms }: GiftRow, values: Pick<GiftRow, "fine_units" | "is_kept">): Promise<void> {
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
