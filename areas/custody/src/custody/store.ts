// Custody's SQL of addresses, blocks and deposits, in the subset both databases share.
import type { Kysely, Transaction } from "kysely";
import { debtStore, type EarlierDebtRow, type LockRow } from "./debt-store.ts";

export type DepositState = "CONFIRMING" | "KEPT" | "CREDITING" | "CREDITED" | "UNLOCKED" | "TAKING" | "REPLACED";

export interface AddressRow {
  readonly network: string;
  readonly address: string;
  readonly user_id: number;
  readonly created_ms: number;
}

export interface DepositRow {
  readonly deposit_id: string;
  readonly network: string;
  readonly tx_hash: string;
  readonly place: number;
  readonly user_id: number;
  readonly address: string;
  readonly sender: string;
  readonly asset: string;
  readonly chain_units: string;
  readonly units: bigint;
  readonly block_number: number | null;
  readonly block_hash: string | null;
  readonly state: DepositState;
  readonly round: number;
  readonly taken_units: bigint;
  readonly taking_round: number;
  readonly repaid_units: bigint;
  readonly seen_ms: number;
  readonly credited_ms: number | null;
  readonly unlocked_ms: number | null;
}

export interface UnknownRow {
  readonly network: string;
  readonly tx_hash: string;
  readonly place: number;
  readonly contract: string;
  readonly user_id: number;
  readonly chain_units: string;
  readonly seen_ms: number;
}

export interface CursorRow {
  readonly network: string;
  readonly number: number;
  readonly hash: string;
  readonly read_ms: number;
}

export type CustodyTables = {
  custody_house: { name: string; value: string };
  custody_address: AddressRow;
  custody_cursor: CursorRow;
  custody_block: { network: string; number: number; hash: string };
  custody_deposit: DepositRow;
  custody_debt: EarlierDebtRow;
  custody_lock: LockRow;
  custody_unknown: UnknownRow;
  engine_debts: { user_id: number; asset: number; owed_units: bigint; updated_ms: number };
  engine_balances: { account: number; asset: number; available_units: bigint };
};

/** The findings of a run of blocks. */
export interface Found {
  readonly network: string;
  readonly blocks: readonly { readonly number: number; readonly hash: string }[];
  readonly deposits: readonly DepositRow[];
  readonly unknown: readonly UnknownRow[];
  readonly timeMs: number;
  /** Blocks below this are never replaced. */
  readonly finalNumber: number;
}

export interface HouseRecord {
  readonly extendedPublicKey?: string;
  readonly hot?: string;
  readonly cold?: string;
  /** Addresses were issued to users. */
  readonly hasAddresses: boolean;
}

type Tables = Kysely<CustodyTables>;
export type CustodyStore = ReturnType<typeof custodyStore>;
const LIST_MAX = 100;

export function custodyStore(kysely: Kysely<unknown>) {
  const tables: Tables = kysely.$extendTables<CustodyTables>();
  return {
    ...houseStore(tables),
    ...blockStore(tables),
    ...depositReadings(tables),
    ...depositChanges(tables),
    ...debtStore(tables),
  };
}

function houseStore(tables: Tables) {
  return {
    /** The stored value: the given one, or an earlier. */
    async keepHouse(name: string, value: string): Promise<string> {
      await tables
        .insertInto("custody_house")
        .values({ name, value })
        .onConflict((at) => at.doNothing())
        .execute();
      const row = await tables.selectFrom("custody_house").select("value").where("name", "=", name).executeTakeFirst();
      return row?.value ?? value;
    },
    /** Stored facts about keys in use, all of them public. */
    async readHouse(): Promise<HouseRecord> {
      const rows = await tables.selectFrom("custody_house").selectAll().execute();
      const given = await tables.selectFrom("custody_address").select("address").limit(1).executeTakeFirst();
      return { ...Object.fromEntries(rows.map(({ name, value }) => [name, value])), hasAddresses: given !== undefined };
    },
    async keepAddress(row: AddressRow): Promise<void> {
      await tables
        .insertInto("custody_address")
        .values(row)
        .onConflict((at) => at.doNothing())
        .execute();
    },
    listAddresses: (network: string): Promise<AddressRow[]> =>
      tables.selectFrom("custody_address").selectAll().where("network", "=", network).execute(),
    findAddress: (address: string): Promise<AddressRow | undefined> =>
      tables.selectFrom("custody_address").selectAll().where("address", "=", address).executeTakeFirst(),
    /** Units of each asset that were deposited and not withdrawn, by the ledger. */
    async issuedUnits(external: number): Promise<ReadonlyMap<number, bigint>> {
      const rows = await tables
        .selectFrom("engine_balances")
        .select(["asset", "available_units"])
        .where("account", "=", external)
        .execute();
      return new Map(rows.map(({ asset, available_units }) => [asset, -available_units]));
    },
    /** Sweepable deposits: unlocked, in blocks up to one. */
    listUnlocked: (
      network: string,
      number: number,
    ): Promise<Pick<DepositRow, "asset" | "chain_units" | "address" | "user_id">[]> =>
      tables
        .selectFrom("custody_deposit")
        .select(["asset", "chain_units", "address", "user_id"])
        .where("network", "=", network)
        .where("state", "=", "UNLOCKED")
        .where("block_number", "<=", number)
        .execute(),
    listUnknown: (): Promise<UnknownRow[]> =>
      tables.selectFrom("custody_unknown").selectAll().orderBy("seen_ms", "desc").limit(LIST_MAX).execute(),
  };
}

function blockStore(tables: Tables) {
  return {
    readCursor: (network: string): Promise<CursorRow | undefined> =>
      tables.selectFrom("custody_cursor").selectAll().where("network", "=", network).executeTakeFirst(),
    /** Blocks that may still be replaced, newest first. */
    listBlocks: (network: string): Promise<{ number: number; hash: string }[]> =>
      tables
        .selectFrom("custody_block")
        .select(["number", "hash"])
        .where("network", "=", network)
        .orderBy("number", "desc")
        .execute(),
    /** One transaction: the findings, and the block read up to. */
    keepFound: (found: Found): Promise<void> => tables.transaction().execute((inside) => keepFound(inside, found)),
    /** One transaction: blocks above are removed, and their deposits are in no block. */
    dropBlocks: (network: string, above: number, hash: string): Promise<void> =>
      tables.transaction().execute(async (inside) => {
        await inside.deleteFrom("custody_block").where("network", "=", network).where("number", ">", above).execute();
        await inside
          .updateTable("custody_deposit")
          .set({ block_number: null, block_hash: null })
          .where("network", "=", network)
          .where("block_number", ">", above)
          .execute();
        await inside
          .updateTable("custody_cursor")
          .set({ number: above, hash })
          .where("network", "=", network)
          .execute();
      }),
  };
}

async function keepFound(inside: Transaction<CustodyTables>, found: Found): Promise<void> {
  const { network, blocks, deposits, unknown, timeMs, finalNumber } = found;
  for (const row of deposits) {
    const { block_number, block_hash, chain_units, units } = row;
    await inside
      .insertInto("custody_deposit")
      .values(row)
      // Seen again in another block: it counts from there on. What was credited since is unchanged.
      .onConflict((at) => at.columns(["network", "tx_hash", "place"]).doUpdateSet({ block_number, block_hash }))
      .execute();
    // One that was replaced before it was credited starts again, with the amount that arrived this time.
    await inside
      .updateTable("custody_deposit")
      .set({ state: "CONFIRMING", chain_units, units })
      .where("deposit_id", "=", row.deposit_id)
      .where("state", "=", "REPLACED")
      .execute();
  }
  for (const row of unknown) {
    await inside
      .insertInto("custody_unknown")
      .values(row)
      .onConflict((at) => at.doNothing())
      .execute();
  }
  for (const { number, hash } of blocks) {
    if (number < finalNumber) continue;
    const insert = inside.insertInto("custody_block").values({ network, number, hash });
    await insert.onConflict((at) => at.columns(["network", "number"]).doUpdateSet({ hash })).execute();
  }
  await inside.deleteFrom("custody_block").where("network", "=", network).where("number", "<", finalNumber).execute();
  const last = blocks.at(-1);
  if (last === undefined) return;
  const cursor = { network, number: last.number, hash: last.hash, read_ms: timeMs };
  await inside
    .insertInto("custody_cursor")
    .values(cursor)
    .onConflict((at) => at.column("network").doUpdateSet({ number: last.number, hash: last.hash, read_ms: timeMs }))
    .execute();
}

function depositReadings(tables: Tables) {
  return {
    /** Pending deposits and those that may still be replaced. */
    listOpen: (network: string): Promise<DepositRow[]> =>
      tables
        .selectFrom("custody_deposit")
        .selectAll()
        .where("network", "=", network)
        .where(({ or, eb }) => or([eb("state", "not in", ["UNLOCKED", "REPLACED"]), eb("block_number", "is", null)]))
        .where("state", "!=", "REPLACED")
        .orderBy("seen_ms")
        .execute(),
    listByUser: (userId: number, limit: number, beforeMs?: number): Promise<DepositRow[]> => {
      let query = tables.selectFrom("custody_deposit").selectAll().where("user_id", "=", userId);
      if (beforeMs !== undefined) query = query.where("seen_ms", "<", beforeMs);
      return query.orderBy("seen_ms", "desc").orderBy("deposit_id").limit(limit).execute();
    },
    /** Every deposit on a network: for reconciliation. */
    listAll: (
      network: string,
    ): Promise<
      Pick<DepositRow, "deposit_id" | "asset" | "chain_units" | "units" | "state" | "block_number" | "address">[]
    > =>
      tables
        .selectFrom("custody_deposit")
        .select(["deposit_id", "asset", "chain_units", "units", "state", "block_number", "address"])
        .where("network", "=", network)
        .execute(),
    /** The amount deposits of the chain's own coin added to each address up to a block. */
    async sumNative(network: string, asset: string, number: number): Promise<ReadonlyMap<string, bigint>> {
      const rows = await tables
        .selectFrom("custody_deposit")
        .select(["address", "chain_units"])
        .where("network", "=", network)
        .where("asset", "=", asset)
        .where("block_number", "<=", number)
        .execute();
      const sums = new Map<string, bigint>();
      for (const { address, chain_units } of rows) sums.set(address, (sums.get(address) ?? 0n) + BigInt(chain_units));
      return sums;
    },
  };
}

function depositChanges(tables: Tables) {
  return {
    /** True for the first caller: the expected state is part of the change. */
    async step(
      row: Pick<DepositRow, "deposit_id" | "state" | "round" | "taking_round">,
      values: Partial<DepositRow>,
    ): Promise<boolean> {
      const changed = await tables
        .updateTable("custody_deposit")
        .set(values)
        .where("deposit_id", "=", row.deposit_id)
        .where("state", "=", row.state)
        .where("round", "=", row.round)
        .where("taking_round", "=", row.taking_round)
        .executeTakeFirst();
      return changed.numUpdatedRows > 0n;
    },
    /**
     * One transaction: the deposit is removed; mined again while it was taken back, it counts from its new block on.
     */
    endTaking: (row: DepositRow): Promise<boolean> =>
      tables.transaction().execute(async (inside) => {
        const gone = {
          state: "REPLACED",
          round: row.round + 1,
          taken_units: 0n,
          taking_round: 0,
          repaid_units: 0n,
        } as const;
        const changed = await inside
          .updateTable("custody_deposit")
          .set(gone)
          .where("deposit_id", "=", row.deposit_id)
          .where("state", "=", row.state)
          .where("round", "=", row.round)
          .executeTakeFirst();
        if (changed.numUpdatedRows === 0n) return false;
        await inside
          .updateTable("custody_deposit")
          .set({ state: "CONFIRMING" })
          .where("deposit_id", "=", row.deposit_id)
          .where("state", "=", "REPLACED")
          .where("block_number", "is not", null)
          .execute();
        return true;
      }),
  };
}
