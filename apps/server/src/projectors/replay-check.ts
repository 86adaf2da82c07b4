// What a replay by another release than the one that wrote the journal would change: the core it leads to at the tables'
// cursor is compared with the tables before anything is started. Writes nothing.
import { type BalanceColumns, readBalances } from "@clockwork/core/inspect/balances";
import { type OpenOrder, type OpenState, readOpen } from "@clockwork/core/inspect/open";
import { createMachine, restoreMachine } from "@clockwork/core/machine/machine";
import { judgeLayout } from "@clockwork/core/machine/snapshot";
import { SIMULATED_USER_MAX, SIMULATED_USER_MIN } from "@clockwork/core/protocol/names";
import { KNOWN_RULES } from "@clockwork/core/protocol/rules";
import type { ReadRows } from "@clockwork/host/projector";
import type { PositionRow } from "@clockwork/trading/projectors/futures/futures-rows";
import { compareBalances, describeDifferences, readBalanceRows } from "@clockwork/trading/projectors/ledger/audit";
import { OPEN_STATES } from "@clockwork/trading/projectors/orders/order-projector";
import type { OrderRow } from "@clockwork/trading/projectors/rows/rows";
import type { Kysely } from "kysely";
import { localFiles } from "../engine/journal/files.ts";
import { EngineFault } from "../engine/memory/fault.ts";
import { journalFolderOf, snapshotFolderOf } from "../engine/places.ts";
import { projectionStore } from "../engine/projection/store.ts";
import { recover } from "../engine/recovery/recovery.ts";
import { checkFolder } from "../engine/recovery/releases.ts";

/** Enough to see what is wrong. */
const SHOWN_MAX = 5;

/**
 * Whether commands of another release follow the newest snapshot. Throws where this one reads neither them nor the snapshot: a start
 * asks before it migrates the tables, so that the release before can still begin from them.
 */
export function checkReplay(start: { folder: string; release: string; replayOthers?: boolean }): boolean {
  const { folder, release, replayOthers = false } = start;
  const [journalFolder, snapshotFolder] = [journalFolderOf(folder), snapshotFolderOf(folder)];
  const running = { release, replayOthers, rules: KNOWN_RULES };
  return checkFolder({ files: localFiles, journalFolder, snapshotFolder, judgeLayout, ...running });
}

/** Refuses when the replay would change a balance, an order or a position that the tables show. */
export async function requireSameReplay(folder: string, kysely: Kysely<unknown>): Promise<void> {
  const store = projectionStore(kysely);
  const cursor = await store.readCursor();
  if (cursor === undefined || cursor.sequence === 0) return;
  const { machine } = recover({
    files: localFiles,
    journalFolder: journalFolderOf(folder),
    snapshotFolder: snapshotFolderOf(folder),
    factory: { createMachine, restoreMachine, rules: KNOWN_RULES },
    replayOthers: true,
    toSequence: cursor.sequence,
  });
  const changes = await findChanges(store.read, readBalances(machine), readOpen(machine));
  if (changes.length === 0) return;
  const more = changes.length > SHOWN_MAX ? "; …" : "";
  throw new EngineFault(
    "REPLAY_CHANGES",
    `this release replays the journal to another state than the tables hold at ${cursor.sequence}: ` +
      `${changes.slice(0, SHOWN_MAX).join("; ")}${more}. Nothing was written. Start the release that wrote the journal ` +
      "and stop it in order: it leaves a snapshot this release can begin from",
    { file: journalFolderOf(folder) },
  );
}

/** One line for each kind of balances, and for each order and position that differs. */
export async function findChanges(read: ReadRows, held: BalanceColumns, open: OpenState): Promise<string[]> {
  const balances = compareBalances(held, await readBalanceRows(read));
  return [
    ...(balances.length === 0 ? [] : [describeDifferences(balances)]),
    ...(await compareOrders(read, open)),
    ...(await comparePositions(read, open)),
  ];
}

async function compareOrders(read: ReadRows, open: OpenState): Promise<string[]> {
  const states = OPEN_STATES.map(() => "?").join(", ");
  const rows = await read<OrderRow>(`select * from engine_orders where state in (${states})`, [...OPEN_STATES]);
  const kept = await readKeptAccounts(read);
  const left = new Map(open.orders.map((order) => [order.orderId, order]));
  const found: string[] = [];
  for (const row of rows) {
    const order = left.get(Number(row.order_id));
    left.delete(Number(row.order_id));
    const reason = order === undefined ? "would be gone" : changeOf(row, order);
    if (reason !== undefined) found.push(`order ${row.order_id} of account ${row.account} ${reason}`);
  }
  for (const { orderId, account } of left.values())
    if (kept.has(account)) found.push(`order ${orderId} of account ${account} would be open`);
  return found;
}

function changeOf(row: OrderRow, order: OpenOrder): string | undefined {
  if (Number(row.account) !== order.account || Number(row.market) !== order.market) return "would be another's";
  if (order.kind !== "order" || row.in_quote) return undefined;
  if (BigInt(row.price_ticks) !== BigInt(order.priceTicks))
    return `would stand at ${order.priceTicks}, not ${row.price_ticks}`;
  const lots = Number(BigInt(row.quantity) - BigInt(row.filled_lots));
  return lots === order.lots ? undefined : `would have ${order.lots} lots open, not ${lots}`;
}

async function comparePositions(read: ReadRows, open: OpenState): Promise<string[]> {
  const rows = await read<PositionRow>("select * from engine_positions where closed_sequence is null");
  const kept = await readKeptAccounts(read);
  const left = new Map(open.positions.map((position) => [position.positionId, position]));
  const found: string[] = [];
  for (const row of rows) {
    const position = left.get(Number(row.position_id));
    left.delete(Number(row.position_id));
    const name = `position ${row.position_id} of account ${row.account}`;
    const [lots, cost, excess, margin] = [row.lots, row.cost_units, row.cost_excess, row.margin_units].map(BigInt);
    if (position === undefined) found.push(`${name} would be gone`);
    else if (BigInt(position.lots) !== lots) found.push(`${name} would have ${position.lots} lots, not ${lots}`);
    else if (
      BigInt(position.costUnits) !== cost ||
      BigInt(position.costExcess) !== excess ||
      BigInt(position.marginUnits) !== margin
    )
      found.push(`${name} would cost ${position.costUnits} with ${position.marginUnits}, not ${cost} with ${margin}`);
  }
  for (const { positionId, account } of left.values())
    if (kept.has(account)) found.push(`position ${positionId} of account ${account} would be open`);
  return found;
}

/** Of simulated traders the tables keep no orders. */
async function readKeptAccounts(read: ReadRows): Promise<ReadonlySet<number>> {
  const rows = await read<{ account: number }>(
    "select account from engine_accounts where user_id > 0 and book <> 'house' and (user_id < ? or user_id > ?)",
    [SIMULATED_USER_MIN, SIMULATED_USER_MAX],
  );
  return new Set(rows.map(({ account }) => Number(account)));
}
