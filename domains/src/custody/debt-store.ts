// Custody's SQL about what users owe after reorganisations, and the locks that keep their money inside until it is repaid.
import type { Kysely, Transaction } from "kysely";
import type { CustodyTables, DepositRow } from "./store.ts";

type Tables = Kysely<CustodyTables>;
type Owner = Pick<DepositRow, "user_id" | "asset">;

export interface LockRow {
  readonly restriction: string;
  readonly user_id: number;
  readonly asset: string;
}

export function debtStore(tables: Tables) {
  return {
    /**
     * One transaction: a credit begins, and what of it repays a debt is decided and off the debt. Two credits at once never
     * repay the same. Nothing for whoever was not first.
     */
    beginCredit: (row: DepositRow): Promise<DepositRow | undefined> =>
      tables.transaction().execute(async (inside) => {
        const repaid_units = await takeOffDebt(inside, row);
        const values = { state: "CREDITING", repaid_units } as const;
        const changed = await inside
          .updateTable("custody_deposit")
          .set(values)
          .where("deposit_id", "=", row.deposit_id)
          .where("state", "=", row.state)
          .where("round", "=", row.round)
          .executeTakeFirst();
        if (changed.numUpdatedRows > 0n) return { ...row, ...values };
        if (repaid_units > 0n) await changeDebt(inside, row, repaid_units);
        return undefined;
      }),
    /** One transaction: the deposit is gone, and what the house stands in for is owed and locked. */
    endTaking: (row: DepositRow, owedUnits: bigint, restriction: string): Promise<boolean> =>
      tables.transaction().execute(async (inside) => {
        const gone = { state: "REPLACED", round: row.round + 1, taken_units: 0n, taking_round: 0, repaid_units: 0n };
        const changed = await inside
          .updateTable("custody_deposit")
          .set({ ...gone, state: "REPLACED" })
          .where("deposit_id", "=", row.deposit_id)
          .where("state", "=", row.state)
          .where("round", "=", row.round)
          .executeTakeFirst();
        if (changed.numUpdatedRows === 0n) return false;
        // Mined again while it was taken back: it counts from its new block on.
        await inside
          .updateTable("custody_deposit")
          .set({ state: "CONFIRMING" })
          .where("deposit_id", "=", row.deposit_id)
          .where("state", "=", "REPLACED")
          .where("block_number", "is not", null)
          .execute();
        if (owedUnits === 0n) return true;
        await changeDebt(inside, row, owedUnits);
        const { user_id, asset } = row;
        const lock = inside.insertInto("custody_lock").values({ restriction, user_id, asset });
        await lock.onConflict((at) => at.doNothing()).execute();
        return true;
      }),
    /** Locks of debts that are repaid, and not yet lifted. */
    listRepaid: (): Promise<LockRow[]> =>
      tables
        .selectFrom("custody_lock")
        .innerJoin("custody_debt", (join) =>
          join
            .onRef("custody_debt.user_id", "=", "custody_lock.user_id")
            .onRef("custody_debt.asset", "=", "custody_lock.asset"),
        )
        .select(["custody_lock.restriction", "custody_lock.user_id", "custody_lock.asset"])
        .where("owed_units", "<=", 0n)
        .execute(),
    async removeLock({ restriction }: LockRow): Promise<void> {
      await tables.deleteFrom("custody_lock").where("restriction", "=", restriction).execute();
    },
  };
}

/** Takes the debt's row first: whoever else would repay it waits. */
async function takeOffDebt(
  inside: Transaction<CustodyTables>,
  { user_id, asset, units }: Owner & Pick<DepositRow, "units">,
): Promise<bigint> {
  const held = await inside
    .updateTable("custody_debt")
    .set(({ eb }) => ({ owed_units: eb("owed_units", "+", 0n) }))
    .where("user_id", "=", user_id)
    .where("asset", "=", asset)
    .returning("owed_units")
    .executeTakeFirst();
  const owed = held?.owed_units ?? 0n;
  if (owed <= 0n) return 0n;
  const repaid = owed < units ? owed : units;
  await changeDebt(inside, { user_id, asset }, -repaid);
  return repaid;
}

async function changeDebt(
  inside: Transaction<CustodyTables>,
  { user_id, asset }: Owner,
  owedChange: bigint,
): Promise<void> {
  await inside
    .insertInto("custody_debt")
    .values({ user_id, asset, owed_units: owedChange, restriction: null })
    .onConflict((at) =>
      at.columns(["user_id", "asset"]).doUpdateSet(({ eb, ref }) => ({
        owed_units: eb(ref("custody_debt.owed_units"), "+", owedChange),
      })),
    )
    .execute();
}
