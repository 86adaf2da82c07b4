// Publishes the auto-deleveraging rank of each open position, as the core ranks it: 1 to 5 among all positions of its
// contract and side. Read from the tables periodically while there are subscribers, in slices that block no other work.
import { setImmediate } from "node:timers/promises";
import type { Log } from "@clockwork/host/log";
import { compareFractions, type Fraction } from "@clockwork/kit/fraction";
import { bankruptcyPrice, type Contract, deleverageScore, profitFloor } from "@clockwork/kit/margin";
import type { Kysely } from "kysely";
import type { BonusRow, PositionRow } from "../projectors/futures/futures-rows.ts";
import type { BalanceRow } from "../projectors/rows/rows.ts";

export interface IndicatorParts {
  readonly kysely: Kysely<unknown>;
  readonly log: Log;
  now(): number;
  /** The contract with its mark and settlement coin; undefined while it has no mark. */
  termsOf(
    market: number,
  ): { readonly contract: Contract; readonly markTicks: bigint; readonly settle: number } | undefined;
}

export interface Indicators {
  indicatorOf(positionId: number): number;
  /** Resolves when ranks are available; requests newer ones when those at hand have aged. */
  ready(): Promise<void>;
}

const INDICATORS = 5;
const FRESH_MS = 10_000;
/** With many positions ranks are published less often: ranking never takes more than this share of the time. */
const PART_OF_TIME = 1 / 20;
const PAGE = 500;
/** Positions scored before yielding to other work. */
const TURN = 50;
/** Positions sorted or merged between two turns. */
const SORT_TURN = 1_000;
/** Scores as doubles decide unless they differ by less than this; then the exact ones do. */
const NEAR = 1e-9;

type Row = Pick<
  PositionRow,
  "position_id" | "account" | "market" | "lots" | "cost_units" | "cost_excess" | "margin_units" | "isolated"
>;
type Tables = { engine_positions: PositionRow; engine_balances: BalanceRow; engine_bonuses: BonusRow };

export function createIndicators(parts: IndicatorParts): Indicators {
  let indicators: ReadonlyMap<number, number> | undefined;
  let dueMs = 0;
  let reading: Promise<void> | undefined;
  const refresh = (): Promise<void> => {
    const startedMs = parts.now();
    reading ??= readIndicators(parts)
      .then((found) => {
        indicators = found;
        dueMs = parts.now() + Math.max(FRESH_MS, (parts.now() - startedMs) / PART_OF_TIME);
      })
      .catch((error: unknown) => parts.log.warn("futures.lamps.failed", { error }))
      .finally(() => {
        reading = undefined;
      });
    return reading;
  };
  return {
    indicatorOf: (positionId) => indicators?.get(positionId) ?? 1,
    async ready() {
      const first = parts.now() >= dueMs ? refresh() : undefined;
      if (indicators === undefined) await first;
    },
  };
}

async function readIndicators(parts: IndicatorParts): Promise<Map<number, number>> {
  const { rows, byAccount } = await readPositions(parts.kysely);
  const cash = await readCash(parts.kysely, byAccount);
  const scores = new Map<string, Scored[]>();
  let count = 0;
  for (const row of rows) {
    count += 1;
    if (count % TURN === 0) await setImmediate();
    const score = scoreOf(parts, row, byAccount.get(row.account) ?? [], cash);
    if (score === undefined) continue;
    const side = `${row.market}:${row.lots > 0n}`;
    const scored = { id: row.position_id, score, about: Number(score.over) / Number(score.under) };
    const known = scores.get(side);
    if (known === undefined) scores.set(side, [scored]);
    else known.push(scored);
  }
  const indicators = new Map<number, number>();
  for (const scored of scores.values()) {
    const ranked = await rankInTurns(scored);
    for (const [place, { id }] of ranked.entries()) {
      if (place % SORT_TURN === 0) await setImmediate();
      indicators.set(id, INDICATORS - Math.floor((place * INDICATORS) / ranked.length));
    }
  }
  return indicators;
}

export interface Scored {
  readonly id: number;
  readonly score: Fraction;
  /** The score as a double. */
  readonly about: number;
}

/** Highest first; of equal scores the older position. */
function compareScored(left: Scored, right: Scored): number {
  const apart = right.about - left.about;
  if (Math.abs(apart) > NEAR * Math.max(Math.abs(left.about), Math.abs(right.about))) return apart;
  return compareFractions(right.score, left.score) || left.id - right.id;
}

/** Merge sort that yields to other work after every slice. */
export async function rankInTurns(scored: readonly Scored[]): Promise<readonly Scored[]> {
  let from = [...scored];
  for (let at = 0; at < from.length; at += SORT_TURN) {
    const part = from.slice(at, at + SORT_TURN).sort(compareScored);
    for (const [place, one] of part.entries()) from[at + place] = one;
    await setImmediate();
  }
  for (let length = SORT_TURN; length < from.length; length *= 2) {
    const into: Scored[] = [];
    for (let at = 0; at < from.length; at += length * 2) {
      const [middle, end] = [Math.min(at + length, from.length), Math.min(at + length * 2, from.length)];
      for (let [left, right] = [at, middle]; left < middle || right < end; ) {
        const [one, other] = [from[left] as Scored, from[right] as Scored];
        const takesLeft = right >= end || (left < middle && compareScored(one, other) <= 0);
        into.push(takesLeft ? one : other);
        if (takesLeft) left += 1;
        else right += 1;
        if (into.length % SORT_TURN === 0) await setImmediate();
      }
    }
    from = into;
  }
  return from;
}

function scoreOf(
  { termsOf }: IndicatorParts,
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

function holdingOf({ lots, cost_units: cost, cost_excess: excess }: Row) {
  return { side: lots > 0n ? 1n : -1n, lots: lots < 0n ? -lots : lots, cost, excess } as const;
}

interface Open {
  readonly rows: readonly Row[];
  readonly byAccount: ReadonlyMap<number, readonly Row[]>;
}

async function readPositions(kysely: Kysely<unknown>): Promise<Open> {
  const tables = kysely.$extendTables<Tables>();
  const rows: Row[] = [];
  const byAccount = new Map<number, Row[]>();
  for (let after = 0; ; ) {
    const page = await tables
      .selectFrom("engine_positions")
      .select(["position_id", "account", "market", "lots", "cost_units", "cost_excess", "margin_units", "isolated"])
      .where("closed_sequence", "is", null)
      .where("position_id", ">", after)
      .orderBy("position_id")
      .limit(PAGE)
      .execute();
    for (const row of page) {
      rows.push(row);
      const own = byAccount.get(row.account);
      if (own === undefined) byAccount.set(row.account, [row]);
      else own.push(row);
    }
    if (page.length < PAGE) return { rows, byAccount };
    after = page.at(-1)?.position_id ?? 0;
  }
}

/**
 * The funds behind cross positions, by account and coin: the wallet and bonuses. A page at a time, as positions are
 * read.
 */
async function readCash(kysely: Kysely<unknown>, byAccount: Open["byAccount"]): Promise<Map<string, bigint>> {
  const cash = new Map<string, bigint>();
  let page: number[] = [];
  for (const [account, own] of byAccount) {
    if (own.every(({ isolated }) => isolated)) continue;
    page.push(account);
    if (page.length < PAGE) continue;
    await addCash(kysely, page, cash);
    page = [];
  }
  if (page.length > 0) await addCash(kysely, page, cash);
  return cash;
}

async function addCash(kysely: Kysely<unknown>, accounts: readonly number[], cash: Map<string, bigint>): Promise<void> {
  const tables = kysely.$extendTables<Tables>();
  const balances = await tables
    .selectFrom("engine_balances")
    .select(["account", "asset", "available_units as units"])
    .where("account", "in", accounts)
    .execute();
  const bonuses = await tables
    .selectFrom("engine_bonuses")
    .select(["account", "asset", "left_units as units"])
    .where("account", "in", accounts)
    .where("state", "=", "ACTIVE")
    .execute();
  for (const { account, asset, units } of [...balances, ...bonuses]) {
    const key = `${account}:${asset}`;
    cash.set(key, (cash.get(key) ?? 0n) + units);
  }
}
