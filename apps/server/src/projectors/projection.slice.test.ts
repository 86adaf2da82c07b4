// Checks the projection on both databases: the tables equal the machine's state, exactly once, however the events are
// cut, repeated or interrupted.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readDepth } from "@clockwork/core/inspect/depth";
import { coreOf, createMachine, restoreMachine } from "@clockwork/core/machine/machine";
import { readEvent } from "@clockwork/core/protocol/codec";
import { EVENT_BYTES } from "@clockwork/core/protocol/event";
import type { EventBatch } from "@clockwork/host/engine";
import type { Projector } from "@clockwork/host/projector";
import { allOf } from "@clockwork/kit/all-of";
import { createRandom } from "@clockwork/kit/random";
import { orderView } from "@clockwork/trading/projectors/orders/order-view";
import type { BalanceRow, BillRow, FillRow, OrderRow, ProjectionTables } from "@clockwork/trading/projectors/rows/rows";
import { sql } from "kysely";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { createAccountCache } from "../engine/projection/account-cache.ts";
import { openProjection, type Projection } from "../engine/projection/projection.ts";
import { rebuildProjection } from "../engine/projection/rebuild.ts";
import { ProjectionConflict, type ProjectionStore, projectionStore } from "../engine/projection/store.ts";
import { localWriter } from "../engine/projection/writer.ts";
import { migrate } from "../storage/migrations.ts";
import { forEachDatabase, type TestDatabase } from "../storage/test-databases.ts";
import { dumpTables, JOURNAL, PROJECTION_MIGRATIONS, runSession, type Session } from "./projection-fixture.ts";
import { PROJECTORS } from "./projectors.ts";
import { PROJECTION_WORKER, startEngineWithTables } from "./start.ts";

const factory = { createMachine, restoreMachine };
const projectors = PROJECTORS;

/** Where the database lends turns to a thread of the projection's own. */
function threadOf(given: TestDatabase) {
  const { aside } = given.database();
  return aside === undefined ? undefined : { aside, worker: PROJECTION_WORKER };
}

/** Consecutive commands as one batch, as the engine sends them. */
function joinBatches(batches: readonly EventBatch[]): EventBatch {
  const [first, last] = [batches[0], batches.at(-1)];
  if (first === undefined || last === undefined) throw new Error("nothing to join");
  const bytes = new Uint8Array(Buffer.concat(batches.map((batch) => batch.bytes)));
  const { firstSequence, timeBeforeMs } = first;
  return { firstSequence, timeBeforeMs, lastSequence: last.lastSequence, bytes };
}

forEachDatabase("projection", (given) => {
  beforeAll(() => migrate(given.database(), PROJECTION_MIGRATIONS));

  const open = async (): Promise<Projection> => {
    const projection = await openProjection({ kysely: given.database().kysely, projectors, transactionEvents: 300 });
    projection.bind(JOURNAL);
    return projection;
  };
  const dump = () => dumpTables(given.database().kysely);
  const tables = () => given.database().kysely.$extendTables<ProjectionTables>();
  const project = async (batches: readonly EventBatch[]): Promise<void> => {
    const projection = await open();
    for (const batch of batches) await projection.listen(batch);
    await projection.flush();
  };
  beforeEach(async () => (await open()).clear());

  test("[PROJECTION-1] balances are the ledger's, bills add up to them and every entry sums to zero", async () => {
    const session = runSession(11, 1_200);
    await project(session.batches);
    const { ledger } = coreOf(session.stage.machine);
    const balances = await tables().selectFrom("engine_balances").selectAll().execute();
    expect(balances.length).toBeGreaterThan(10);
    for (const row of balances) expect(ledgerRow(session, row)).toEqual(row);
    const sums = await sql<{ account: number; asset: number; total: string }>`
      select account, asset, cast(sum(delta_units) as text) as total from engine_bills group by account, asset
    `.execute(tables());
    for (const { account, asset, total } of sums.rows) {
      const cell = ledger.cellOf(account, asset);
      expect(Number(total)).toBe(ledger.available(cell) + ledger.frozen(cell));
    }
    const entries = await sql<{ total: string }>`
      select cast(sum(delta_units) as text) as total from engine_bills group by sequence, asset
    `.execute(tables());
    expect(entries.rows.length).toBeGreaterThan(100);
    expect(allOf(entries.rows, ({ total }) => Number(total) === 0)).toBe(true);
  });

  test("[PROJECTION-1] sums by day add up to the bills and the fills, and minutes to the sequences of both", async () => {
    await project(runSession(11, 1_200).batches);
    const days = await sql<{ apart: number }>`
      select cast(count(*) as bigint) as apart from (
        select account, time_ms / 86400000 as day, asset, business, sum(delta_units) as units, count(*) as bills,
          max(abs(delta_units)) as most from engine_bills group by account, time_ms / 86400000, asset, business
      ) b full outer join engine_bill_days d using (account, day, asset, business)
      where d.units is null or b.units is null or d.units <> b.units or d.bills <> b.bills
        or d.most_units <> b.most`.execute(tables());
    expect(Number(days.rows[0]?.apart)).toBe(0);
    const blocks = await sql<{ apart: number; some: number }>`
      select cast(count(*) as bigint) as some,
        cast(sum(case when b.most is null or k.most_units is null or b.most <> k.most_units then 1 else 0 end) as bigint) as apart
      from (select account, asset, business, sequence / 2048 as block, max(abs(delta_units)) as most from engine_bills
        where account >= 16 group by account, asset, business, sequence / 2048
      ) b full outer join engine_bill_blocks k using (account, asset, business, block)`.execute(tables());
    expect(Number(blocks.rows[0]?.some)).toBeGreaterThan(0);
    expect(Number(blocks.rows[0]?.apart)).toBe(0);
    const fills = await sql<{ apart: number }>`
      select cast(count(*) as bigint) as apart from (
        select account, time_ms / 86400000 as day, market, side, coalesce(fee_asset, -1) as fee_asset, sum(lots) as lots,
          sum(notional_units) as notional, sum(fee_units) as fee
          from engine_fills group by account, time_ms / 86400000, market, side, coalesce(fee_asset, -1)
      ) f full outer join engine_fill_days d using (account, day, market, side, fee_asset)
      where d.lots is null or f.lots is null or d.lots <> f.lots or d.notional_units <> f.notional or d.fee_units <> f.fee
    `.execute(tables());
    expect(Number(fills.rows[0]?.apart)).toBe(0);
    const early = await sql<{ count: number; minutes: number }>`
      select cast(count(*) as bigint) as count, cast((select count(*) from engine_minutes) as bigint) as minutes
      from engine_bills b join engine_minutes m on m.minute = b.time_ms / 60000 where b.sequence < m.sequence
    `.execute(tables());
    expect(Number(early.rows[0]?.count)).toBe(0);
    expect(Number(early.rows[0]?.minutes)).toBeGreaterThan(1);
  });

  test("[PROJECTION-1] of what assets are worth the last value published in each minute and day is kept", async () => {
    const { batches } = runSession(11, 1_200);
    await project(batches);
    const expected = new Map<string, object>();
    const seen = new Map<number, number>();
    for (const { bytes, timeBeforeMs } of batches) {
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      let time = timeBeforeMs;
      for (let at = 0; at < view.byteLength; at += EVENT_BYTES) {
        const event = readEvent(view, at, time);
        if (event.kind === "clock") time = event.time;
        if (event.kind !== "assetValued" || event.down === 0) continue;
        const { asset, up, down } = event;
        seen.set(asset, (seen.get(asset) ?? 0) + 1);
        for (const span_ms of [60_000, 86_400_000]) {
          const slot_ms = Math.floor(time / span_ms) * span_ms;
          expected.set(`${asset}:${span_ms}:${slot_ms}`, { asset, span_ms, slot_ms, up, down });
        }
      }
    }
    const { engine_values } = await dump();
    expect(new Set(engine_values)).toEqual(new Set(expected.values()));
    expect(engine_values.length).toBeGreaterThan(2);
    expect(Math.max(...seen.values())).toBeGreaterThan(2);
  });

  test("[PROJECTION-2] open orders add up to the book, and filled lots to the fills", async () => {
    const session = runSession(12, 1_200);
    await project(session.batches);
    const rows = await tables().selectFrom("engine_orders").selectAll().execute();
    const { bids, asks } = readDepth(session.stage.machine, session.stage.market, 10_000);
    expect(levels(rows, "buy")).toEqual(bids);
    expect(levels(rows, "sell").toReversed()).toEqual(asks);
    expect(bids.length + asks.length).toBeGreaterThan(5);
    const fills = await tables().selectFrom("engine_fills").selectAll().execute();
    for (const row of rows.filter(({ kind }) => kind === "order")) {
      const own = fills.filter((fill) => fill.order_id === row.order_id);
      expect(own.reduce((sum, fill) => sum + fill.lots, 0n)).toBe(row.filled_lots);
      expect(own.reduce((sum, fill) => sum + fill.notional_units, 0n)).toBe(row.filled_units);
    }
    const paid = fills.reduce((sum, fill) => sum + fill.fee_units, 0n);
    const bills = await tables().selectFrom("engine_bills").selectAll().where("business", "=", "fee").execute();
    const charged = bills.reduce((sum, bill) => sum + (bill.delta_units < 0n ? -bill.delta_units : 0n), 0n);
    expect(paid).toBe(charged);
    expect(paid).toBeGreaterThan(0n);
  });

  test("[PROJECTION-3] however the events are cut, repeated and interrupted, the rows are the same", async () => {
    const { batches } = runSession(13, 800);
    await project([joinBatches(batches)]);
    const expected = await dump();
    for (const seed of [1, 2, 3]) {
      await (await open()).clear();
      const random = createRandom(seed);
      let at = 0;
      while (at < batches.length) {
        // A new projection each time, as after a crash, fed from a little before its cursor.
        const projection = await open();
        expect(projection.sequence).toBe(at);
        const from = Math.max(0, at - random.below(30));
        const to = Math.min(batches.length, at + random.between(1, 250));
        for (let next = from; next < to; ) {
          const end = Math.min(to, next + random.between(1, 40));
          await projection.listen(joinBatches(batches.slice(next, end)));
          next = end;
        }
        await projection.flush();
        at = to;
      }
      expect(await dump()).toEqual(expected);
    }
  });

  test("[PROJECTION-9] rows followed in memory from the start equal the tables at the end", async () => {
    const { batches, accounts } = runSession(23, 1_500, 1);
    const projection = await open();
    const { value: facts } = await projection.readSettled(0, (read) => projectors.facts.load(read));
    const cache = createAccountCache({ projection, projectors, facts });
    for (let at = 0; at < batches.length; at += 7) {
      const batch = joinBatches(batches.slice(at, at + 7));
      cache.listen(batch);
      await projection.listen(batch);
    }
    await projection.flush();
    const later = await projection.readSettled(0, (read) => projectors.facts.load(read));
    expect(cache.facts).toEqual(later.value.facts);
    const after = createAccountCache({ projection, projectors, facts: later.value });
    for (const account of accounts.slice(1)) {
      const [followed, read] = [cache.find(account), await after.open(account, 0)];
      expect(followed?.owner).toEqual(read.owner);
      // As lists in order: comparing maps costs the square of their size.
      for (const view of projectors.views) expect(listed(followed?.of(view)), view.name).toEqual(listed(read.of(view)));
      expect(read.of(orderView).fills.length).toBeGreaterThan(10);
    }
  });

  test("[PROJECTION-10] a reader that waits during another read is answered even if no event follows", async () => {
    const projection = await open();
    let second: Promise<{ readonly value: number }> | undefined;
    await projection.readSettled(0, async () => {
      second = Promise.resolve().then(() => projection.readSettled(0, async () => 2));
    });
    expect((await second)?.value).toBe(2);
    await projection.readSettled(0, async () => 3);
    expect((await projection.readSettled(0, async () => 4)).value).toBe(4);
  });

  test("[PROJECTION-3] a thread of the projection's own writes the same rows as the calling thread", async () => {
    const { batches } = runSession(19, 900, 1);
    await project(batches);
    const expected = await dump();
    await (await open()).clear();
    for (const part of [batches.slice(0, 400), batches.slice(400)]) {
      const projection = await openProjection({
        kysely: given.database().kysely,
        projectors,
        thread: threadOf(given),
        transactionEvents: 300,
      });
      projection.bind(JOURNAL);
      for (const batch of part) await projection.listen(batch);
      await projection.close();
    }
    expect(await dump()).toEqual(expected);
  });

  test("[PROJECTION-4] a lot that fails half way leaves no row, and the cursor where it was", async () => {
    const { batches } = runSession(20, 700);
    await project(batches);
    const expected = await dump();
    const last = (expected.engine_bills as BillRow[]).at(-1);
    if (last === undefined) throw new Error("nobody was billed");
    await (await open()).clear();
    await project(batches.slice(0, 300));
    const before = await dump();
    // Occupies the place of the last bill.
    await tables().insertInto("engine_bills").values(last).execute();
    for (const thread of [undefined, threadOf(given)]) {
      const projection = await openProjection({ kysely: given.database().kysely, projectors, thread });
      projection.bind(JOURNAL);
      await projection.listen(joinBatches(batches.slice(300)));
      await expect(projection.close()).rejects.toThrow();
      expect(projection.sequence).toBe(300);
    }
    await tables().deleteFrom("engine_bills").where("sequence", "=", last.sequence).execute();
    expect(await dump()).toEqual(before);
    await project(batches.slice(300));
    expect(await dump()).toEqual(expected);
  });

  test("[PROJECTION-4] a second writer is refused and leaves no trace", async () => {
    const { batches } = runSession(14, 200);
    const [first, second] = [await open(), await open()];
    await first.listen(joinBatches(batches.slice(0, 150)));
    await first.flush();
    const expected = await dump();
    await second.listen(joinBatches(batches.slice(0, 100)));
    await expect(second.flush()).rejects.toThrow();
    expect(await dump()).toEqual(expected);
    await first.listen(joinBatches(batches.slice(150)));
    await first.flush();
  });

  test("[PROJECTION-4] a cursor that has moved stops the write, even if no row conflicts", async () => {
    const store = projectionStore(given.database().kysely);
    const at = (sequence: number) => ({ journal: JOURNAL, sequence, time_ms: sequence });
    await store.write(undefined, at(10), async () => undefined);
    const from = await store.readCursor();
    await store.write(from, at(20), async () => undefined);
    const written: string[] = [];
    const late = store.write(from, at(30), async () => void written.push("rows"));
    await expect(late).rejects.toThrow(ProjectionConflict);
    await expect(store.write(undefined, at(5), async () => undefined)).rejects.toThrow();
    expect(written).toEqual([]);
    expect((await store.readCursor())?.sequence).toBe(20);
  });

  /** The same events by a writer each of whose writes fails once; returns the actual rows next to the expected. */
  async function failEachWriteOnce(set: typeof projectors) {
    const { batches } = runSession(24, 900, 1);
    await project(batches);
    const expected = await dump();
    await (await open()).clear();
    const store = projectionStore(given.database().kysely);
    let failing = false;
    const breaking: ProjectionStore = {
      ...store,
      write: (from, to, write) =>
        store.write(from, to, async (session) => {
          await write(session);
          if (failing) throw new Error("the disk is full");
        }),
    };
    const writer = localWriter(breaking, set);
    let from = await store.readCursor();
    for (let at = 0; at < batches.length; at += 90) {
      const work = { journal: JOURNAL, from, batches: [joinBatches(batches.slice(at, at + 90))] };
      failing = true;
      await expect(writer.write(work)).rejects.toThrow("the disk is full");
      failing = false;
      from = await writer.write(work);
    }
    return { expected, written: await dump() };
  }

  test("[PROJECTION-4] of a write that failed nothing is remembered: the same events once more give the same rows", async () => {
    const { expected, written } = await failEachWriteOnce(projectors);
    expect(written).toEqual(expected);
  });

  test("[PROJECTION-4] a projector planted among them that counts as written what only was taken is found", async () => {
    const [first, ...others] = projectors.projectors;
    let taken = 0;
    const planted: Projector = {
      ...(first as Projector),
      open(facts) {
        const inner = (first as Projector).open(facts);
        return {
          begin() {
            const run = inner.begin();
            return {
              add: (kind, view, at, timeMs) => run.add(kind, view, at, timeMs),
              // Its own cursor moves on before the rows are there.
              write: async (session) => (taken++ % 2 === 0 ? run.write(session) : undefined),
            };
          },
        };
      },
    };
    const { expected, written } = await failEachWriteOnce({ ...projectors, projectors: [planted, ...others] });
    expect(written).not.toEqual(expected);
  });

  test("[PROJECTION-4] a hole in the events, or another journal's, is refused", async () => {
    const { batches } = runSession(15, 50);
    await project(batches.slice(0, 20));
    const projection = await open();
    expect(() => projection.bind("ff".repeat(16))).toThrow(/were written from journal/);
    await projection.listen(joinBatches(batches.slice(30)));
    await expect(projection.flush()).rejects.toThrow("events begin at 31 after 20");
  });

  test("[PROJECTION-6] of simulated traders only balances are kept; all other users' rows are unchanged", async () => {
    const session = runSession(16, 900, 2);
    const [first = 0, second = 0] = session.accounts;
    await project(session.batches.slice(0, 500));
    await project(session.batches.slice(500));
    const kept = await dump();
    const balances = kept.engine_balances as BalanceRow[];
    for (const row of balances) expect(ledgerRow(session, row)).toEqual(row);
    expect(balances.some(({ account }) => account === first)).toBe(true);
    const owners = (rows: unknown[]) => new Set((rows as { account: number }[]).map(({ account }) => account));
    for (const rows of [kept.engine_orders, kept.engine_fills, kept.engine_bills]) {
      expect(rows.length).toBeGreaterThan(50);
      expect(owners(rows).has(first) || owners(rows).has(second)).toBe(false);
    }
    const { ledger } = coreOf(session.stage.machine);
    const bills = kept.engine_bills as { account: number; asset: number; delta_units: bigint }[];
    for (const account of session.accounts.slice(2)) {
      for (const asset of [session.stage.base, session.stage.quote]) {
        const own = bills.filter((bill) => bill.account === account && bill.asset === asset);
        const cell = ledger.cellOf(account, asset);
        const total = own.reduce((sum, bill) => sum + bill.delta_units, 0n);
        expect(total).toBe(BigInt(ledger.available(cell) + ledger.frozen(cell)));
      }
    }
  });

  test("[PROJECTION-7] a plan that fires keeps its id and its origin; one that is rejected states why", async () => {
    const session = runSession(17, 2_000);
    await project(session.batches);
    const rows = await tables()
      .selectFrom("engine_orders")
      .selectAll()
      .where("trigger_source", "is not", null)
      .execute();
    expect(rows.some(({ state }) => state === "TRIGGERED")).toBe(false);
    const fired = rows.filter(({ kind }) => kind === "order");
    expect(fired.length).toBeGreaterThan(3);
    for (const { type } of fired) expect(["stopLimit", "stopMarket", "trailingStop"]).toContain(type);
    const refused = rows.filter(({ state, end_reason }) => state === "REJECTED" && end_reason !== null);
    expect(refused.length).toBeGreaterThan(0);
  });

  test("[PROJECTION-5] the tables follow a running engine and come out the same when rebuilt from the journal", async () => {
    const folder = mkdtempSync(join(tmpdir(), "cw-projection-"));
    const { kysely } = given.database();
    const start = () => startEngineWithTables({ folder, release: "test-1", segmentBytes: 1 << 20, kysely });
    let engine = await start();
    const spot = { tickDecimals: 1, base: 1, quote: 2, tickMantissa: 1, stepUnits: 1_000, symbol: "BTC/USDT" };
    await engine.submit({ kind: "listAsset", scale: 8, symbol: "BTC" });
    await engine.submit({ kind: "listAsset", scale: 6, symbol: "USDT" });
    await engine.submit({ kind: "listMarket", ...spot });
    for (const account of [16, 17]) {
      await engine.submit({ kind: "createAccount", user: account, book: "spot" });
      for (const asset of [1, 2]) {
        const reference = `${account}:${asset}`;
        await engine.submit({ kind: "mint", account, asset, business: "deposit", units: 10 ** 10, reference });
      }
    }
    const order = { kind: "placeOrder", market: 1, price: 1_000, quantity: 5 } as const;
    for (let index = 0; index < 30; index++) {
      await engine.submit({ ...order, account: 16, side: "sell", clientOrderId: `s${index}` });
      if (index === 15) {
        await engine.close();
        engine = await start();
      }
      const ack = await engine.submit({ ...order, account: 17, side: "buy", quantity: 4 });
      expect(ack.done).toBe(true);
    }
    await engine.close();
    const followed = await dump();
    expect(followed.engine_fills.length).toBeGreaterThanOrEqual(60);
    expect(followed.engine_values.length).toBeGreaterThanOrEqual(2);
    const other = { folder, kysely, projectors, factory, release: "test-2" };
    await expect(rebuildProjection(other)).rejects.toThrow(/JOURNAL_RELEASE: .*CW_REPLAY_OTHER_RELEASES=on/);
    expect(await dump()).toEqual(followed);
    expect(await rebuildProjection({ ...other, replayOthers: true })).toBe(engine.projection.sequence);
    expect(await dump()).toEqual(followed);
    expect(await rebuildProjection({ folder, kysely, projectors, factory, release: "test-1" })).toBe(
      engine.projection.sequence,
    );
    expect(await dump()).toEqual(followed);
    rmSync(folder, { recursive: true, force: true });
  });
});

forEachDatabase("tables written before they were lean", (given) => {
  test("[PROJECTION-8] keep every bill and fill and resume where they were", async () => {
    await migrate(given.database(), PROJECTION_MIGRATIONS.slice(0, 4));
    const { batches } = runSession(18, 600);
    const tables = given.database().kysely.$extendTables<ProjectionTables>();
    const bill = { account: 16, asset: 1, business: "faucet", counterparty: 2, market: 0, reference_number: 0 };
    const units = { delta_units: 2n ** 60n, available_units: 5n, frozen_units: 6n };
    const fill = { market: 1, trade_number: 3, account: 16, order_id: 7, price_ticks: 5, lots: 2n, notional_units: 9n };
    const bills = [0, 1].map((line) => ({ ...bill, ...units, sequence: 9, line, reference: "ref:9", time_ms: 70 }));
    const fills = (["maker", "taker"] as const).map((role) => {
      const side = role === "maker" ? "buy" : "sell";
      return { ...fill, role, side, fee_asset: null, fee_units: 0n, sequence: 8, time_ms: 60 };
    }) as FillRow[];
    await tables.insertInto("engine_bills").values(bills).execute();
    await tables.insertInto("engine_fills").values(fills).execute();
    await migrate(given.database(), PROJECTION_MIGRATIONS.slice(0, 6));
    expect(await tables.selectFrom("engine_bills").selectAll().orderBy("line").execute()).toEqual(bills);
    expect(await tables.selectFrom("engine_fills").selectAll().orderBy("role").execute()).toEqual(fills);
    await migrate(given.database(), PROJECTION_MIGRATIONS);
    const projection = await openProjection({ kysely: given.database().kysely, projectors });
    projection.bind(JOURNAL);
    await projection.clear();
    for (const batch of batches) await projection.listen(batch);
    await projection.flush();
    expect(projection.sequence).toBe(batches.length);
  });
});

/** A view's state with its maps as lists, by key. */
function listed(state: unknown): unknown {
  return Object.entries(state ?? {}).map(([name, value]) => [
    name,
    value instanceof Map ? [...value].sort(([left], [right]) => left - right) : value,
  ]);
}

function ledgerRow(session: Session, row: BalanceRow): BalanceRow {
  const { ledger } = coreOf(session.stage.machine);
  const cell = ledger.cellOf(row.account, row.asset);
  const [available, frozen] = [ledger.available(cell), ledger.frozen(cell)];
  return { ...row, available_units: BigInt(available), frozen_units: BigInt(frozen) };
}

/** Open lots by price, highest first, from the rows alone. */
function levels(rows: readonly OrderRow[], side: string): { price: number; lots: number }[] {
  const found = new Map<number, number>();
  for (const row of rows) {
    if (row.kind !== "order" || row.side !== side || !["NEW", "PARTIALLY_FILLED"].includes(row.state)) continue;
    found.set(row.price_ticks, (found.get(row.price_ticks) ?? 0) + Number(row.quantity - row.filled_lots));
  }
  return [...found].map(([price, lots]) => ({ price, lots })).sort((left, right) => right.price - left.price);
}
