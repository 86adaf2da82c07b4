// The SQL of the exchange's own moves.
import type { Kysely } from "kysely";

export interface MoveRow {
  readonly network: string;
  readonly sender: string;
  readonly nonce: number;
  readonly kind: "sweep" | "refill";
  readonly user_id: number;
  readonly asset: string;
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

interface GasRow {
  readonly network: string;
  readonly chain_units: string;
  readonly posted_units: bigint;
}

const SHOWN = 50;
export type TreasuryStore = ReturnType<typeof treasuryStore>;

export function treasuryStore(kysely: Kysely<unknown>) {
  const tables = kysely.$extendTables<{ treasury_move: MoveRow; treasury_gas: GasRow }>();
  const all = () => tables.selectFrom("treasury_move").selectAll();
  return {
    /** False when the sender's number is taken: then another move is under way. */
    async begin(row: MoveRow): Promise<boolean> {
      const insert = tables.insertInto("treasury_move").values(row);
      const added = await insert.onConflict((at) => at.doNothing()).executeTakeFirst();
      return (added.numInsertedOrUpdatedRows ?? 0n) > 0n;
    },
    listOpen: (network: string): Promise<MoveRow[]> =>
      all().where("network", "=", network).where("state", "=", "OPEN").orderBy("begun_ms").execute(),
    listNewest: (): Promise<MoveRow[]> => all().orderBy("begun_ms", "desc").limit(SHOWN).execute(),
    /** Moves of a network that did or may still move coins: for the balances left to sweep, and for reconciliation. */
    listMoves: (network: string): Promise<MoveRow[]> =>
      all().where("network", "=", network).orderBy("begun_ms").execute(),
    async change({ network, sender, nonce }: MoveRow, values: Partial<MoveRow>): Promise<void> {
      const change = tables.updateTable("treasury_move").set(values).where("network", "=", network);
      await change.where("sender", "=", sender).where("nonce", "=", nonce).where("state", "=", "OPEN").execute();
    },
    /** Never signed: the number is free again. */
    async callOff({ network, sender, nonce }: MoveRow): Promise<void> {
      const remove = tables.deleteFrom("treasury_move").where("network", "=", network).where("sender", "=", sender);
      await remove.where("nonce", "=", nonce).where("hashes", "=", "").execute();
    },
    readGas: async (network: string): Promise<GasRow> =>
      (await tables.selectFrom("treasury_gas").selectAll().where("network", "=", network).executeTakeFirst()) ?? {
        network,
        chain_units: "0",
        posted_units: 0n,
      },
    listUncounted: (network: string): Promise<MoveRow[]> =>
      all()
        .where("network", "=", network)
        .where("is_counted", "=", false)
        .where("state", "in", ["DONE", "FAILED"])
        .orderBy("begun_ms")
        .execute(),
    /** One transaction: the fee counts once. */
    countFee: ({ network, sender, nonce }: MoveRow, sum: GasRow): Promise<void> =>
      tables.transaction().execute(async (inside) => {
        const counted = await inside
          .updateTable("treasury_move")
          .set({ is_counted: true })
          .where("network", "=", network)
          .where("sender", "=", sender)
          .where("nonce", "=", nonce)
          .where("is_counted", "=", false)
          .executeTakeFirst();
        if (counted.numUpdatedRows === 0n) return;
        const { chain_units, posted_units } = sum;
        await inside
          .insertInto("treasury_gas")
          .values(sum)
          .onConflict((at) => at.column("network").doUpdateSet({ chain_units, posted_units }))
          .execute();
      }),
  };
}
