// Tells each open position's place in the queue of deleveraging, as the core ranks it: lamps 1 to 5 among all positions
// of its contract and side. Read from the tables now and then while somebody looks, in turns that hold up nobody.
import { setImmediate } from "node:timers/promises";
import { compareFractions, type Fraction } from "@clockwork/kit/fraction";
import { bankruptcyPrice, type Contract, deleverageScore, profitFloor } from "@clockwork/kit/margin";
import type { Kysely } from "kysely";
import type { Log } from "../base/log.ts";
import type { BonusRow, PositionRow } from "../projectors/futures/futures-rows.ts";
import type { BalanceRow } from "../projectors/rows/rows.ts";

export interface LampParts {
  readonly kysely: Kysely<unknown>;
  readonly log: Log;
  now(): number;
  /** The contract with its mark and settlement coin; undefined while it has no mark. */
  termsOf(
    market: number,
  ): { readonly contract: Contract; readonly markTicks: bigint; readonly settle: number } | undefined;
}

export interface Lamps {
  lampOf(positionId: number): number;
  /** Resolves when there is something to tell; asks for newer lamps when those at hand have aged. */
  ready(): Promise<void>;
}

const LAMPS = 5;
const FRESH_MS = 10_000;
const PAGE = 2_000;
/** Positions ranked between two turns of everybody else. */
const TURN = 200;

type Row = Pick<
  PositionRow,
  "position_id" | "account" | "market" | "lots" | "cost_units" | "margin_units" | "isolated"
>;
type Tables = { engine_positions: PositionRow; engine_balances: BalanceRow; engine_bonuses: BonusRow };

export function createLamps(parts: LampParts): Lamps {
  let lamps: ReadonlyMap<number, number> | undefined;
  let readMs = 0;
  let reading: Promise<void> | undefined;
  const refresh = (): Promise<void> => {
    reading ??= readLamps(parts)
      .then((found) => {
        lamps = found;
        readMs = parts.now();
      })
      .catch((error: unknown) => parts.log.warn("futures.lamps.failed", { error }))
      .finally(() => {
        reading = undefined;
      });
    return reading;
  };
  return {
    lampOf: (positionId) => lamps?.get(positionId) ?? 1,
    async ready() {
      const first = parts.now() - readMs >= FRESH_MS ? refresh() : undefined;
      if (lamps === undefined) await first;
    },
  };
}

async function readLamps(parts: LampParts): Promise<Map<number, number>> {
  const rows = await readPositions(parts.kysely);
  const cash = await readCash(parts.kysely);
  const byAccount = Map.groupBy(rows, ({ account }) => account);
  const scores = new Map<string, { readonly id: number; readonly score: Fraction }[]>();
  let count = 0;
  for (const row of rows) {
    count += 1;
    if (count % TURN === 0) await setImmediate();
    const score = scoreOf(parts, row, byAccount.get(row.account) ?? [], cash);
    if (score === undefined) continue;
    const side = `${row.market}:${row.lots > 0n}`;
    const ranked = scores.get(side);
    if (ranked === undefined) scores.set(side, [{ id: row.position_id, score }]);
    else ranked.push({ id: row.position_id, score });
  }
  const lamps = new Map<number, number>();
  for (const ranked of scores.values()) {
    ranked.sort((left, right) => compareFractions(right.score, left.score) || left.id - right.id);
    await setImmediate();
    for (const [place, { id }] of ranked.entries()) lamps.set(id, LAMPS - Math.floor((place * LAMPS) / ranked.length));
  }
  return lamps;
}

function scoreOf(
  { termsOf }: LampParts,
  row: Row,
  own: readonly Row[],
  cash: ReadonlyMap<string, bigint>,
): Fraction | undefined {
  const terms = termsOf(row.market);
  if (terms === undefined) return undefined;
  const { contract, markTicks, settle } = terms;
  let carried = row.isolated ? row.margin_units : (cash.get(`${row.account}:${settle}`) ?? 0n);
  if (!row.isolated) {
    for (const other of own) {
      const beside = other === row || other.isolated ? undefined : termsOf(other.market);
      if (beside?.settle === settle) carried += profitFloor(beside.contract, holdingOf(other), beside.markTicks);
    }
  }
  const holding = holdingOf(row);
  return deleverageScore(contract, holding, markTicks, bankruptcyPrice(contract, carried, holding));
}

function holdingOf({ lots, cost_units: cost }: Row) {
  return { side: lots > 0n ? 1n : -1n, lots: lots < 0n ? -lots : lots, cost } as const;
}

async function readPositions(kysely: Kysely<unknown>): Promise<Row[]> {
  const tables = kysely.$extendTables<Tables>();
  const rows: Row[] = [];
  for (let after = 0; ; ) {
    const page = await tables
      .selectFrom("engine_positions")
      .select(["position_id", "account", "market", "lots", "cost_units", "margin_units", "isolated"])
      .where("closed_sequence", "is", null)
      .where("position_id", ">", after)
      .orderBy("position_id")
      .limit(PAGE)
      .execute();
    rows.push(...page);
    if (page.length < PAGE) return rows;
    after = page.at(-1)?.position_id ?? 0;
  }
}

/** What cross positions live on, by account and coin: the wallet and bonuses. */
async function readCash(kysely: Kysely<unknown>): Promise<Map<string, bigint>> {
  const tables = kysely.$extendTables<Tables>();
  const cash = new Map<string, bigint>();
  const holders = tables
    .selectFrom("engine_positions")
    .select("account")
    .where("closed_sequence", "is", null)
    .where("isolated", "=", false);
  const balances = await tables
    .selectFrom("engine_balances")
    .select(["account", "asset", "available_units"])
    .where("account", "in", holders)
    .execute();
  for (const { account, asset, available_units } of balances) cash.set(`${account}:${asset}`, available_units);
  const bonuses = await tables
    .selectFrom("engine_bonuses")
    .select(["account", "asset", "left_units"])
    .where("state", "=", "ACTIVE")
    .execute();
  for (const { account, asset, left_units } of bonuses) {
    const key = `${account}:${asset}`;
    cash.set(key, (cash.get(key) ?? 0n) + left_units);
  }
  return cash;
}
