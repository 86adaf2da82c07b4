// Orders and fills by any filter against a full scan of the rows, of spot and of contracts: however a page is
// assembled, it is the same page.

import { createRandom } from "@clockwork/kit/random";
import { forEachMigrated } from "@clockwork/server/storage/test-databases";
import { beforeAll, expect, test } from "vitest";
import { futuresStore } from "../futures/store.ts";
import type { FillRow, OrderRow, ProjectionTables } from "../projectors/rows/rows.ts";
import { spotStore } from "./store.ts";

const MINUTE_MS = 60_000;
const random = createRandom(21);
const timeOf = (sequence: number): number => 1_000_000 + sequence * 7_000;
const ORDER = {
  kind: "order" as const,
  type: "limit",
  time_in_force: "GTC",
  post_only: "no",
  self_trade: "NONE",
  reduce_only: false,
  iceberg: false,
  in_quote: false,
  price_ticks: 1,
  quantity: 1n,
  filled_lots: 0n,
  filled_units: 0n,
  end_reason: null,
  client_order_id: null,
  list_leg: null,
  trigger_ticks: null,
  trigger_source: null,
  trigger_direction: null,
  callback_bps: null,
  profit_ticks: null,
  stop_ticks: null,
  stop_limit_ticks: null,
  peak_ticks: null,
  slices_done: null,
  slice_count: null,
  slice_ms: null,
  visible_lots: null,
  parent_id: null,
  expires_ms: null,
};

function makeOrders(): OrderRow[] {
  return Array.from({ length: 300 }, (_, at) => {
    const created_sequence = 1 + Math.floor(at / 2);
    return {
      ...ORDER,
      order_id: 1_000 + at,
      account: 100 + random.below(3),
      market: 1 + random.below(4),
      side: random.pick(["buy", "sell"]),
      state: random.pick(["NEW", "FILLED", "FILLED", "CANCELED"]),
      list_id: random.chance(1, 4) ? 5_000 + at : null,
      created_sequence,
      created_ms: timeOf(created_sequence),
      updated_sequence: created_sequence,
      updated_ms: timeOf(created_sequence),
    };
  });
}

function makeFills(): FillRow[] {
  return Array.from({ length: 300 }, (_, at) => {
    const sequence = 1 + Math.floor(at / 3);
    return {
      trade_number: at,
      account: 100 + random.below(3),
      market: 1 + random.below(4),
      role: random.pick(["maker", "taker"] as const),
      order_id: 1_000 + random.below(60),
      side: random.pick(["buy", "sell"]),
      price_ticks: 1,
      lots: BigInt(at),
      notional_units: 3n,
      fee_asset: null,
      fee_units: 0n,
      realized_units: 0n,
      gold_fee_units: 0n,
      sequence,
      time_ms: timeOf(sequence),
    };
  });
}

forEachMigrated("pages of history", (place) => {
  const [orders, fills] = [makeOrders(), makeFills()];
  beforeAll(async () => {
    const tables = place.database().kysely.$extendTables<ProjectionTables>();
    await tables.insertInto("engine_orders").values(orders).execute();
    await tables.insertInto("engine_fills").values(fills).execute();
    const minutes = new Map<number, number>();
    for (let sequence = 150; sequence >= 1; sequence--) minutes.set(Math.floor(timeOf(sequence) / MINUTE_MS), sequence);
    // One minute is missing: one in which the tables hold nothing.
    minutes.delete([...minutes.keys()][3] ?? 0);
    const rows = [...minutes].map(([minute, sequence]) => ({ minute, sequence }));
    await tables.insertInto("engine_minutes").values(rows).execute();
  });
  const sometimes = <Value>(value: () => Value): Value | undefined => (random.chance(1, 3) ? value() : undefined);
  const some = () => ({
    market: sometimes(() => 1 + random.below(5)),
    side: sometimes(() => random.pick(["buy", "sell"] as const)),
    fromMs: sometimes(() => timeOf(random.below(160)) + random.below(3) - 1),
    toMs: sometimes(() => timeOf(random.below(160)) + random.below(3) - 1),
    limit: random.between(1, 40),
  });
  type Some = ReturnType<typeof some> & { fromId?: number | undefined };
  const fits = (row: { market: number; side: string }, timeMs: number, id: number, filter: Some): boolean =>
    (filter.market === undefined || row.market === filter.market) &&
    (filter.side === undefined || row.side === filter.side) &&
    (filter.fromMs === undefined || timeMs >= filter.fromMs) &&
    (filter.toMs === undefined || timeMs <= filter.toMs) &&
    (filter.fromId === undefined || id >= filter.fromId);
  /** In the order of the first two numbers, from beyond a place. */
  const page = <Row>(rows: readonly Row[], keys: (row: Row) => readonly number[], filter: Paging, limit: number) => {
    const { before, after } = filter;
    const compare = (left: readonly number[], right: readonly number[]): number =>
      (left[0] ?? 0) - (right[0] ?? 0) || (left[1] ?? 0) - (right[1] ?? 0);
    const sorted = [...rows].sort((left, right) => compare(keys(left), keys(right)));
    if (after !== undefined) return sorted.filter((row) => compare(keys(row), after) > 0).slice(0, limit);
    const newest = sorted.reverse();
    return newest.filter((row) => before === undefined || compare(keys(row), before) < 0).slice(0, limit);
  };
  interface Paging {
    readonly before?: readonly [number, number] | undefined;
    readonly after?: readonly [number, number] | undefined;
  }
  const paging = (top: number): Paging => {
    const at = sometimes(() => [random.between(1, 150), random.below(top)] as const);
    return random.chance(1, 2) ? { before: at } : { after: at };
  };

  test("[SPOT-14] a page of ended orders is the same through any filter", async () => {
    const [spot, futures] = [spotStore(place.database().kysely), futuresStore(place.database().kysely)];
    let found = 0;
    for (let round = 0; round < 80; round++) {
      const filter = { ...some(), ...paging(1_300), fromId: sometimes(() => 1_000 + random.below(300)) };
      const ended = orders.filter((row) => row.state !== "NEW" && fits(row, row.created_ms, row.order_id, filter));
      const keys = (row: OrderRow) => [row.created_sequence, row.order_id];
      const own = ended.filter(({ account }) => account === 100);
      const expected = page(own, keys, filter, filter.limit);
      expect(await spot.listHistory(100, filter)).toEqual(expected);
      const accounts = [100, 101, 102].slice(0, random.between(0, 3));
      const both = ended.filter(({ account }) => accounts.includes(account));
      expect(await futures.listHistory({ ...filter, accounts })).toEqual(page(both, keys, filter, filter.limit));
      found += expected.length;
    }
    expect(found).toBeGreaterThan(200);
    const listed = orders.filter(
      ({ account, state, list_id }) => account === 100 && state !== "NEW" && list_id !== null,
    );
    const byList = await spot.listHistory(100, { fromListId: 5_050, after: [0, 0], limit: 500 });
    expect(byList.map(({ order_id }) => order_id)).toEqual(
      listed.filter((row) => (row.list_id ?? 0) >= 5_050).map(({ order_id }) => order_id),
    );
    expect(await spot.listHistory(100, { isListed: true, limit: 500 })).toHaveLength(listed.length);
  });

  test("[SPOT-14] a page of fills is the same through any filter", async () => {
    const [spot, futures] = [spotStore(place.database().kysely), futuresStore(place.database().kysely)];
    let found = 0;
    for (let round = 0; round < 80; round++) {
      const ids = { fromId: sometimes(() => random.below(300)), orderId: sometimes(() => 1_000 + random.below(60)) };
      const filter = { ...some(), ...paging(300), ...ids };
      const fitting = fills.filter(
        (row) =>
          fits(row, row.time_ms, row.trade_number, filter) &&
          (filter.orderId === undefined || row.order_id === filter.orderId),
      );
      const keys = (row: FillRow) => [row.sequence, row.trade_number];
      // The position after a trade is the next trade: there are no self-trades here.
      const at = filter.before ?? filter.after;
      const cursor = at === undefined ? undefined : ([at[0], at[1], filter.after === undefined ? 0 : 9, 1] as const);
      const requested = { ...filter, before: filter.before && cursor, after: filter.after && cursor };
      const own = fitting.filter(({ account }) => account === 100);
      const expected = page(own, keys, filter, filter.limit);
      expect(await spot.listFills(100, requested)).toEqual(expected);
      const accounts = [100, 101, 102].slice(0, random.between(0, 3));
      const { side: _, ...sideless } = requested;
      const both = fills.filter(
        (row) =>
          accounts.includes(row.account) &&
          fits(row, row.time_ms, row.trade_number, { ...filter, side: undefined }) &&
          (filter.orderId === undefined || row.order_id === filter.orderId),
      );
      expect(await futures.listFills({ ...sideless, accounts })).toEqual(page(both, keys, filter, filter.limit));
      found += expected.length;
    }
    expect(found).toBeGreaterThan(150);
  });
});
