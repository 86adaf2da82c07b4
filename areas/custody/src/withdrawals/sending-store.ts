// The SQL of withdrawals for what the hot wallet sends under which number, single or batched, and the network fees.
import { KEY_STARTS } from "@clockwork/kit/chains/batch";
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

/** One of several withdrawals in a batch. */
export interface PartRow {
  readonly withdrawal_id: string;
  readonly batch_key: string;
  readonly place: number;
  readonly receiver: string;
  readonly chain_units: string;
  readonly is_success: boolean;
}

export interface MinedRow {
  readonly nonce: number;
  /** From 1 on for the parts of a batch, stored with their transaction, which has 0 and pays the fee. */
  readonly place: number;
  readonly block_number: number | null;
  readonly asset: string;
  readonly chain_units: string;
  readonly fee_units: string;
  readonly is_success: boolean;
  /** Its block is final, and its fee is in the ledger. */
  readonly is_ended: boolean;
  readonly is_counted: boolean;
  /** Null for payments that are no withdrawal, such as gas for a deposit address. */
  readonly is_settled: boolean | null;
  readonly state: string | null;
}

export interface GasRow {
  readonly network: string;
  readonly chain_units: string;
  readonly posted_units: bigint;
}

type SendingTables = WithdrawTables & {
  withdrawals_sending: SendingRow;
  withdrawals_gas: GasRow;
  withdrawals_part: PartRow;
};
type Tables = Kysely<SendingTables>;
export type SendingStore = ReturnType<typeof sendingStore>;

export function sendingStore(kysely: Kysely<unknown>) {
  const tables: Tables = kysely.$extendTables<SendingTables>();
  return {
    ...beginnings(tables),
    ...signings(tables),
    ...refusals(tables),
    ...sendings(tables),
    ...parts(tables),
    ...gas(tables),
    ...topUps(tables),
  };
}

/** From the queue to numbers of the hot wallet, several at once. */
function beginnings(tables: Tables) {
  return {
    /**
     * One transaction: numbers are assigned and withdrawals on their way, or neither. Returns those that were still
     * queued; they have the first of the numbers. A batch leaves only when all of it is queued.
     */
    begin: (
      rows: readonly SendingRow[],
      together: readonly PartRow[],
      timeMs: number,
    ): Promise<readonly SendingRow[]> =>
      tables.transaction().execute(async (inside) => {
        const partsOf = (key: string) => together.filter(({ batch_key }) => batch_key === key);
        const idsOf = (key: string) => {
          const own = partsOf(key).map(({ withdrawal_id }) => withdrawal_id);
          return own.length === 0 ? [key] : own;
        };
        const stepped = await inside
          .updateTable("withdrawals_withdrawal")
          .set({ state: "BROADCAST", changed_ms: timeMs })
          .where(
            "withdrawal_id",
            "in",
            rows.flatMap(({ key }) => idsOf(key)),
          )
          .where("state", "=", "QUEUED")
          .returning("withdrawal_id")
          .execute();
        const queued = new Set(stepped.map(({ withdrawal_id }) => withdrawal_id));
        const isWhole = ({ key }: SendingRow): boolean => idsOf(key).every((id) => queued.has(id));
        const started = rows.filter(isWhole).map((row, at) => ({ ...row, nonce: rows[at]?.nonce ?? row.nonce }));
        const left = rows
          .filter((row) => !isWhole(row))
          .flatMap(({ key }) => idsOf(key).filter((id) => queued.has(id)));
        if (left.length > 0) {
          const back = inside.updateTable("withdrawals_withdrawal").set({ state: "QUEUED" });
          await back.where("withdrawal_id", "in", left).execute();
        }
        if (started.length > 0) await inside.insertInto("withdrawals_sending").values(started).execute();
        const kept = started.flatMap(({ key }) => partsOf(key));
        if (kept.length > 0) await inside.insertInto("withdrawals_part").values(kept).execute();
        return started;
      }),
  };
}

function signings(tables: Tables) {
  return {
    /** One transaction: the signatures for new numbers, and the hash shown to the owner. */
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
        for (const { key, hashes } of rows) {
          const own = inside.selectFrom("withdrawals_part").select("withdrawal_id").where("batch_key", "=", key);
          const answer = inside.updateTable("withdrawals_withdrawal").set({ tx_hash: hashes });
          if (key.startsWith(KEY_STARTS.many))
            await answer.where("withdrawal_id", "in", own).where("state", "=", "BROADCAST").execute();
        }
      }),
  };
}

/** The parts of batches. */
function parts(tables: Tables) {
  return {
    /** In the order of their places. */
    listParts: (batchKeys: readonly string[]): Promise<PartRow[]> =>
      batchKeys.length === 0
        ? Promise.resolve([])
        : tables
            .selectFrom("withdrawals_part")
            .selectAll()
            .where("batch_key", "in", batchKeys)
            .orderBy("batch_key")
            .orderBy("place")
            .execute(),
    /** One transaction: the block of a payment, and the parts it paid. */
    judge: (row: SendingRow, values: Partial<SendingRow>, paid: readonly string[]): Promise<void> =>
      tables.transaction().execute(async (inside) => {
        const { network, nonce, key } = row;
        const change = inside.updateTable("withdrawals_sending").set(values).where("network", "=", network);
        await change.where("nonce", "=", nonce).where("state", "=", "OPEN").execute();
        const all = inside.updateTable("withdrawals_part").set({ is_success: false });
        await all.where("batch_key", "=", key).execute();
        if (paid.length === 0) return;
        const some = inside.updateTable("withdrawals_part").set({ is_success: true }).where("batch_key", "=", key);
        await some.where("withdrawal_id", "in", paid).execute();
      }),
  };
}

/** Numbers that were assigned without a payment. */
function refusals(tables: Tables) {
  return {
    /** The signer refused: the number is free again, and an operator reviews the withdrawal. */
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
    /** Nothing was signed for them: their numbers are free, and they wait again, each separately. */
    giveBack: (rows: readonly SendingRow[]): Promise<void> =>
      tables.transaction().execute(async (inside) => {
        const requested = rows.map(({ key }) => key);
        if (requested.length === 0) return;
        const unsigned = inside
          .deleteFrom("withdrawals_sending")
          .where("key", "in", requested)
          .where("hashes", "=", "");
        const keys = (await unsigned.returning("key").execute()).map(({ key }) => key);
        if (keys.length === 0) return;
        const bound = inside.deleteFrom("withdrawals_part").where("batch_key", "in", keys).returning("withdrawal_id");
        const ids = [...keys, ...(await bound.execute()).map(({ withdrawal_id }) => withdrawal_id)];
        const back = inside.updateTable("withdrawals_withdrawal").set({ state: "QUEUED" });
        await back.where("withdrawal_id", "in", ids).where("state", "=", "BROADCAST").execute();
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
    /** Assigned numbers from one on; the chain has used those before. */
    noncesFrom: async (network: string, first: number): Promise<ReadonlySet<number>> => {
      const query = tables.selectFrom("withdrawals_sending").select("nonce").where("network", "=", network);
      return new Set((await query.where("nonce", ">=", first).execute()).map(({ nonce }) => nonce));
    },
    /** Its fee, with its batch's, is raised in the next turn; false once it is mined. */
    async hurry(network: string, withdrawalId: string): Promise<boolean> {
      const batch = tables.selectFrom("withdrawals_part").select("batch_key").where("withdrawal_id", "=", withdrawalId);
      const change = tables
        .updateTable("withdrawals_sending")
        .set({ sent_ms: 0 })
        .where("network", "=", network)
        .where(({ or, eb }) => or([eb("key", "=", withdrawalId), eb("key", "in", batch)]))
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
    /**
     * All payments mined up to a block, and everything else the ledger received or is receiving: for reconciliation.
     */
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
      const whole = rows.map(({ sent, ...row }) => ({ ...row, place: 0, is_ended: sent !== "OPEN" }));
      return [...whole, ...(await listMinedParts(tables, network, number))];
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

async function listMinedParts(tables: Tables, network: string, number: number): Promise<readonly MinedRow[]> {
  const rows = await tables
    .selectFrom("withdrawals_part")
    .innerJoin("withdrawals_sending", "withdrawals_sending.key", "withdrawals_part.batch_key")
    .innerJoin("withdrawals_withdrawal", "withdrawals_withdrawal.withdrawal_id", "withdrawals_part.withdrawal_id")
    .select(["nonce", "place", "withdrawals_sending.block_number", "withdrawals_sending.asset"])
    .select(["withdrawals_part.chain_units", "withdrawals_part.is_success", "is_settled"])
    .select(["withdrawals_withdrawal.state", "withdrawals_sending.state as sent"])
    .where("withdrawals_sending.network", "=", network)
    .where(({ or, eb }) =>
      or([eb("withdrawals_sending.block_number", "<=", number), eb("withdrawals_withdrawal.state", "=", "DONE")]),
    )
    .execute();
  return rows.map(({ sent, place, ...row }) => ({
    ...row,
    place: place + 1,
    is_ended: sent !== "OPEN",
    fee_units: "0",
    is_counted: true,
  }));
}

/** Gas for deposit addresses, sent under the hot wallet's numbers too. */
function topUps(tables: Tables) {
  return {
    /** A number for a transaction other than a withdrawal. */
    async beginOwn(row: SendingRow): Promise<void> {
      await tables.insertInto("withdrawals_sending").values(row).execute();
    },
    /** Gas sent to deposit addresses up to a block. */
    async toppedUp(network: string, number: number): Promise<ReadonlyMap<string, bigint>> {
      const rows = await tables
        .selectFrom("withdrawals_sending")
        .select(["receiver", "chain_units"])
        .where("network", "=", network)
        .where("key", "like", `${KEY_STARTS.topUp}%`)
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
