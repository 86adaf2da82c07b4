// `clockwork verify` for the tables: their state at their cursor against the core at the same command, and the bills of
// every user against the user's balances. Changes nothing.
import { readBalances } from "@clockwork/core/inspect/balances";
import { SIMULATED_USER_MAX, SIMULATED_USER_MIN } from "@clockwork/core/protocol/names";
import type { ReadRows } from "@clockwork/host/projector";
import { compareBalances, describeDifferences, readBalanceRows } from "@clockwork/trading/projectors/ledger/audit";
import type { Kysely } from "kysely";
import { localFiles } from "../engine/journal/files.ts";
import { journalFolderOf, snapshotFolderOf } from "../engine/places.ts";
import { projectionStore } from "../engine/projection/store.ts";
import { type MachineFactory, recover } from "../engine/recovery/recovery.ts";

export interface VerifyTablesOptions {
  readonly folder: string;
  readonly kysely: Kysely<unknown>;
  readonly factory: MachineFactory;
  readonly print: (line: string) => void;
}

/** True when they agree. The tables must not be written during the check. */
export async function verifyTables({ folder, kysely, factory, print }: VerifyTablesOptions): Promise<boolean> {
  const store = projectionStore(kysely);
  const cursor = await store.readCursor();
  if (cursor === undefined) {
    print("tables    none");
    return true;
  }
  const { sequence } = cursor;
  const places = { journalFolder: journalFolderOf(folder), snapshotFolder: snapshotFolderOf(folder) };
  const { machine, identity } = recover({ files: localFiles, ...places, factory, toSequence: sequence });
  if (identity !== cursor.journal) {
    print(`tables    DIFFER: they were written from journal ${cursor.journal}`);
    return false;
  }
  const rows = await readBalanceRows(store.read);
  const differences = compareBalances(readBalances(machine), rows);
  const unbilled = await countUnbilled(store.read);
  if (differences.length > 0) print(`tables    DIFFER at ${sequence}: ${describeDifferences(differences)}`);
  if (unbilled > 0) print(`tables    DIFFER at ${sequence}: bills of ${unbilled} balances do not add up to them`);
  const isGood = differences.length === 0 && unbilled === 0;
  if (isGood) print(`tables    agree at ${sequence}: ${rows.length} balances, and the bills add up to them`);
  return isGood;
}

/** Of users only: the exchange's side of simulated trades is in the journal and not in the bills. */
async function countUnbilled(read: ReadRows): Promise<number> {
  const rows = await read<{ held: unknown; billed: unknown }>(
    `select cast(b.available_units + b.frozen_units as text) as held,
       cast(coalesce((select sum(l.delta_units) from engine_bills l
         where l.account = b.account and l.asset = b.asset), 0) as text) as billed
     from engine_balances b join engine_accounts a on a.account = b.account
     where a.user_id > 0 and a.book <> 'house' and (a.user_id < ? or a.user_id > ?)`,
    [SIMULATED_USER_MIN, SIMULATED_USER_MAX],
  );
  return rows.filter(({ held, billed }) => BigInt(String(held)) !== BigInt(String(billed))).length;
}
