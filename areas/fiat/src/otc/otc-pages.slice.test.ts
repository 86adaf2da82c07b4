// Lists of OTC page by page on both databases: rows of one moment never fall between two pages.

import { readMark, writeMark } from "@clockwork/kit/otc/page-mark";
import { collectMigrations, migrate } from "@clockwork/server/storage/migrations";
import { forEachDatabase } from "@clockwork/server/storage/test-databases";
import { beforeAll, expect, test } from "vitest";
import { type OrderRow, orderStore } from "../otcorders/store.ts";
import { OrderView } from "../otcorders/view-service.ts";
import type { Bill } from "../otcproviders/contract.ts";
import { billsUpTo, isAsked, PAGE, pageOfBills } from "../otcproviders/rules.ts";
import { providerStore } from "../otcproviders/store.ts";

const MOMENT = 1_790_000_000_000;
const COUNT = 45;
const ids = Array.from({ length: COUNT }, (_, index) => `id${String(index).padStart(3, "0")}`);

const orderOf = (order_id: string): OrderRow => ({
  order_id,
  ad_id: 1,
  maker_id: 7,
  taker_id: 8,
  client_id: order_id,
  buyer_id: 8,
  seller_id: 7,
  slot: 0,
  asset: "USDT",
  fiat: "AED",
  price_e4: 1n,
  quantity_units: 1n,
  fee_units: 1n,
  amount_cents: 1n,
  worth_units: 1n,
  payment_kind: "bank" as const,
  payment_sealed: new Uint8Array(),
  state: "COMPLETED" as const,
  intent: "",
  intent_by: "",
  intent_ms: 0,
  pay_by_ms: 0,
  paid_ms: 0,
  is_cancel_asked: false,
  end_by: "seller",
  fault: "",
  ended_ms: MOMENT,
  created_ms: MOMENT,
});
const dealOf = (deal_id: string) => ({
  deal_id,
  user_id: 7,
  provider: "simulated-pay",
  side: "buy" as const,
  asset: "USDT",
  fiat: "EUR",
  price_e4: 1n,
  amount_cents: 1n,
  quantity_units: 1n,
  source: "outside",
  state: "SUCCESS",
  result: "",
  reason: "",
  expires_ms: MOMENT,
  created_ms: MOMENT,
  changed_ms: MOMENT,
});

/** Every page, each requested with the cursor of the one before. */
async function readPages<Row>(
  read: (before: string | undefined) => Promise<{ rows: readonly Row[]; next: string | null }>,
): Promise<readonly Row[]> {
  const all: Row[] = [];
  for (let before: string | undefined; all.length <= 10 * COUNT; ) {
    const { rows, next } = await read(before);
    all.push(...rows);
    if (next === null) return all;
    before = next;
  }
  throw new Error("the pages never end");
}

forEachDatabase("pages of OTC", (given) => {
  beforeAll(async () => {
    const root = new URL("../../../..", import.meta.url).pathname;
    await migrate(
      given.database(),
      collectMigrations(root).filter(({ name }) => /^(otcorders|otcproviders)\//.test(name)),
    );
    const tables = given.database().kysely.$extendTables<{
      otcorders_order: OrderRow;
      otcproviders_deal: ReturnType<typeof dealOf>;
    }>();
    await tables.insertInto("otcorders_order").values(ids.map(orderOf)).execute();
    await tables.insertInto("otcproviders_deal").values(ids.map(dealOf)).execute();
  });

  test("[OTC-1] orders and deals of one moment are each on one page", async () => {
    const orders = orderStore(given.database().kysely);
    const view = new OrderView({
      store: orders,
      chat: { countUnread: async () => 0 },
      needs: { person: async () => ({ name: "Ann" }), coin: () => ({ scale: 6 }), now: () => MOMENT },
    } as unknown as ConstructorParameters<typeof OrderView>[0]);
    const own = await readPages(async (before) => {
      const { orders, nextBefore } = await view.list(7, false, before);
      return { rows: orders.map(({ orderId }) => orderId), next: nextBefore };
    });
    expect(own).toEqual([...ids].reverse());
    const deals = await readPages(async (before) => {
      const after = before === undefined ? undefined : readMark(before);
      const found = await providerStore(given.database().kysely).listTaken(7, after, PAGE);
      const last = found.length < PAGE ? undefined : found.at(-1);
      const next = last === undefined ? null : writeMark({ atMs: last.created_ms, id: last.deal_id });
      return { rows: found.map(({ deal_id }) => deal_id), next };
    });
    expect(deals).toEqual([...ids].reverse());
  });

  test("[OTC-1] bills of one moment, orders with their fees and deals, are each on one page", async () => {
    const { kysely } = given.database();
    const bill = { asset: "USDT", quantity: "1", fiat: null, amount: null, atMs: MOMENT };
    const seen = await readPages(async (before) => {
      const query = before === undefined ? {} : { before };
      const trades = await orderStore(kysely).listFinished(7, { role: "any", upTo: billsUpTo(before) }, PAGE + 2);
      const deals = await providerStore(kysely).listEnded(7, query, PAGE + 2);
      const all = [
        ...trades.flatMap(({ order_id: reference }): Bill[] => [
          { ...bill, kind: "sell", reference },
          { ...bill, kind: "fee", reference },
        ]),
        ...deals.map(({ deal_id: reference }): Bill => ({ ...bill, kind: "provider", reference })),
      ];
      const { bills, nextBefore } = pageOfBills(all.filter((one) => isAsked(one, query)));
      return { rows: bills.map(({ kind, reference }) => `${reference} ${kind}`), next: nextBefore };
    });
    expect(seen).toEqual([...ids].reverse().flatMap((id) => [`${id} sell`, `${id} fee`, `${id} provider`]));
  });
});
