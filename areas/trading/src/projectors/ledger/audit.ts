// Compares the balances in the tables with the core's and repairs the rows that differ: the core is always right. Must
// never overwrite a row that has changed since it was read.
import type { BalanceColumns, BalanceSlice } from "@clockwork/core/inspect/balances";
import type { ReadRows } from "@clockwork/host/projector";
import type { Kysely } from "kysely";
import type { BalanceRow, ProjectionTables } from "../rows/rows.ts";

export interface BalanceDifference {
  readonly account: number;
  readonly asset: number;
  /** The row in the tables; undefined without one. */
  readonly answer: Amounts | undefined;
  /** The core's balance. */
  readonly held: Amounts;
}

export interface Amounts {
  readonly availableUnits: bigint;
  readonly frozenUnits: bigint;
}

export interface AuditedEngine {
  readBalances(slice?: BalanceSlice): Promise<BalanceColumns | undefined>;
  readonly projection: {
    readSettled<Value>(
      sequence: number,
      read: (rows: ReadRows) => Promise<Value>,
    ): Promise<{ readonly sequence: number; readonly value: Value }>;
  };
}

/** More than this are read in slices after the start: reading them at once would delay it. */
const BALANCES_MAX = 200_000;
/** Small enough that reading does not delay trading. */
const SLICE = 5_000;
const ACCOUNTS_A_READ = 500;
/** Trading continues: what still differs after this many reads, unchanged, differs. */
const POLLS_MAX = 5;
const NOTHING: Amounts = { availableUnits: 0n, frozenUnits: 0n };

export const readBalanceRows = (read: ReadRows): Promise<BalanceRow[]> =>
  read<BalanceRow>("select account, asset, available_units, frozen_units from engine_balances");

export function compareBalances(
  held: BalanceColumns,
  rows: readonly BalanceRow[],
  isWhole = true,
): BalanceDifference[] {
  const answer = new Map(rows.map((row) => [keyOf(row.account, row.asset), row]));
  const found: BalanceDifference[] = [];
  const judge = (account: number, asset: number, amounts: Amounts, row: BalanceRow | undefined): void => {
    const reply = row === undefined ? undefined : amountsOf(row);
    if (!isSame(reply ?? NOTHING, amounts)) found.push({ account, asset, answer: reply, held: amounts });
  };
  for (const [index, account] of held.accounts.entries()) {
    const asset = held.assets[index] as number;
    const availableUnits = BigInt(held.availableUnits[index] as number);
    const frozenUnits = BigInt(held.frozenUnits[index] as number);
    const key = keyOf(account, asset);
    judge(account, asset, { availableUnits, frozenUnits }, answer.get(key));
    answer.delete(key);
  }
  if (isWhole) for (const row of answer.values()) judge(row.account, row.asset, NOTHING, row);
  return found;
}

/** The differences between the running core and its tables. Undefined when there are too many rows to read at once. */
export async function findDifferences(
  engine: AuditedEngine,
  balancesMax = BALANCES_MAX,
): Promise<readonly BalanceDifference[] | undefined> {
  const held = await engine.readBalances({ from: 0, count: 0 });
  return held !== undefined && held.total > balancesMax ? undefined : findIn(engine);
}

/** The same, one slice at a time, for as long as the caller iterates. */
export async function* findBySlices(engine: AuditedEngine, size = SLICE): AsyncGenerator<readonly BalanceDifference[]> {
  for (let from = 0; ; from += size) {
    const held = await engine.readBalances({ from: 0, count: 0 });
    if (held === undefined || from >= held.total) return;
    yield await findIn(engine, { from, count: size });
  }
}

async function findIn(engine: AuditedEngine, slice?: BalanceSlice): Promise<readonly BalanceDifference[]> {
  let before: ReadonlySet<string> | undefined;
  for (let look = 1; ; look++) {
    const held = await engine.readBalances(slice);
    if (held === undefined) return [];
    const isWhole = slice === undefined;
    const readRows = isWhole ? readBalanceRows : (read: ReadRows) => readRowsOf(read, held.accounts);
    const { sequence, value } = await engine.projection.readSettled(held.sequence, readRows);
    const found = compareBalances(held, value, isWhole);
    if (found.length === 0 || sequence === held.sequence) return found;
    // The tables have advanced: only a difference seen in two reads is no trade under way.
    const still = found.filter((one) => before?.has(nameOf(one)) === true);
    if (look >= POLLS_MAX) return still;
    before = new Set(found.map(nameOf));
  }
}

async function readRowsOf(read: ReadRows, accounts: Int32Array): Promise<BalanceRow[]> {
  const wanted = [...new Set(accounts)];
  const rows: BalanceRow[] = [];
  for (let at = 0; at < wanted.length; at += ACCOUNTS_A_READ) {
    const some = wanted.slice(at, at + ACCOUNTS_A_READ);
    const places = some.map(() => "?").join(", ");
    const columns = "account, asset, available_units, frozen_units";
    const found = await read<BalanceRow>(`select ${columns} from engine_balances where account in (${places})`, some);
    for (const row of found) rows.push(row);
  }
  return rows;
}

/** Writes the core's balances into the rows that are still as they were read. */
export async function repairBalances(
  kysely: Kysely<unknown>,
  differences: readonly BalanceDifference[],
): Promise<void> {
  const tables = kysely.$extendTables<ProjectionTables>();
  await tables.transaction().execute(async (transaction) => {
    for (const { account, asset, answer, held } of differences) {
      const values = { available_units: held.availableUnits, frozen_units: held.frozenUnits };
      if (answer === undefined) {
        // Not from a command: the next one that changes the balance sets its own sequence.
        const row = { account, asset, ...values, updated_sequence: 0 };
        await transaction
          .insertInto("engine_balances")
          .values(row)
          .onConflict((conflict) => conflict.columns(["account", "asset"]).doNothing())
          .execute();
        continue;
      }
      await transaction
        .updateTable("engine_balances")
        .set(values)
        .where("account", "=", account)
        .where("asset", "=", asset)
        .where("available_units", "=", answer.availableUnits)
        .where("frozen_units", "=", answer.frozenUnits)
        .execute();
    }
  });
}

/** One line for the log: the count, and the first few. */
export function describeDifferences(differences: readonly BalanceDifference[]): string {
  const some = differences.slice(0, 5).map(({ account, asset, answer, held }) => {
    const reply = answer === undefined ? "nothing" : textOf(answer);
    return `account ${account} asset ${asset} said ${reply}, holds ${textOf(held)}`;
  });
  const more = differences.length > some.length ? "; …" : "";
  return `${differences.length} balances in the tables differed from the core's: ${some.join("; ")}${more}`;
}

const textOf = ({ availableUnits, frozenUnits }: Amounts): string => `${availableUnits}+${frozenUnits}`;
const keyOf = (account: number, asset: number): string => `${account}:${asset}`;
const nameOf = ({ account, asset, answer, held }: BalanceDifference): string =>
  `${keyOf(account, asset)}=${answer === undefined ? "" : textOf(answer)}/${textOf(held)}`;
const amountsOf = (row: BalanceRow): Amounts => ({
  availableUnits: BigInt(row.available_units),
  frozenUnits: BigInt(row.frozen_units),
});
const isSame = (left: Amounts, right: Amounts): boolean =>
  left.availableUnits === right.availableUnits && left.frozenUnits === right.frozenUnits;
