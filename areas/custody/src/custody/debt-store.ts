// Custody's SQL of users' debts after reorganisations: the ledger's own debts, and those of an earlier release until
// the ledger has taken them over.
import type { Kysely } from "kysely";
import type { CustodyTables } from "./store.ts";

type Tables = Kysely<CustodyTables>;
const LIST_MAX = 200;

export interface LockRow {
  readonly restriction: string;
  readonly user_id: number;
  readonly asset: string;
}

/** From a release that stored debts only in this table. */
export interface EarlierDebtRow {
  readonly user_id: number;
  readonly asset: string;
  readonly owed_units: bigint;
  readonly restriction: string | null;
}

export interface OwedRow {
  readonly user_id: number;
  readonly asset: number;
  readonly owed_units: bigint;
  readonly updated_ms: number;
}

export function debtStore(tables: Tables) {
  return {
    /** All debtors, or one user's debts; the newest change first. */
    listOwed: (userId?: number): Promise<OwedRow[]> => {
      const query = tables.selectFrom("engine_debts").where("owed_units", ">", 0n);
      const own = userId === undefined ? query : query.where("user_id", "=", userId);
      return own
        .select(["user_id", "asset", "owed_units", "updated_ms"])
        .orderBy("updated_ms", "desc")
        .orderBy("user_id")
        .orderBy("asset")
        .limit(LIST_MAX)
        .execute();
    },
    listEarlierDebts: (): Promise<EarlierDebtRow[]> =>
      tables.selectFrom("custody_debt").selectAll().where("owed_units", ">", 0n).execute(),
    /** The ledger has it. */
    async closeEarlierDebt({ user_id, asset }: EarlierDebtRow): Promise<void> {
      await tables
        .updateTable("custody_debt")
        .set({ owed_units: 0n })
        .where("user_id", "=", user_id)
        .where("asset", "=", asset)
        .execute();
    },
    listLocks: (): Promise<LockRow[]> => tables.selectFrom("custody_lock").selectAll().execute(),
    async removeLock({ restriction }: LockRow): Promise<void> {
      await tables.deleteFrom("custody_lock").where("restriction", "=", restriction).execute();
    },
  };
}
