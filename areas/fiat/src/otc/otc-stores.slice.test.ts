// What the tables of OTC decide on both databases: who has made a statement, whose coins are out, whose name it is.

import { collectMigrations, migrate } from "@clockwork/server/storage/migrations";
import { forEachDatabase } from "@clockwork/server/storage/test-databases";
import { beforeAll, expect, test } from "vitest";
import { type AdRow, adStore } from "../otcads/store.ts";
import { chatStore, type FileRow, FilesFull } from "../otcorders/chat-store.ts";
import { type ComplaintRow, type OrderRow, orderStore } from "../otcorders/store.ts";
import { type MerchantRow, peopleStore } from "../otcpeople/store.ts";

const MOMENT = 1_790_000_000_000;
const DAY_MS = 86_400_000;
const ORDER: OrderRow = {
  order_id: "one",
  ad_id: 1,
  maker_id: 7,
  taker_id: 8,
  client_id: "one",
  buyer_id: 8,
  seller_id: 7,
  slot: 1,
  asset: "USDT",
  fiat: "AED",
  price_e4: 1n,
  quantity_units: 5n,
  fee_units: 1n,
  amount_cents: 1n,
  worth_units: 1n,
  payment_kind: "bank",
  payment_sealed: new Uint8Array(),
  state: "APPEAL",
  intent: "",
  intent_by: "",
  intent_ms: 0,
  pay_by_ms: MOMENT,
  paid_ms: 0,
  is_cancel_asked: false,
  end_by: "",
  fault: "",
  ended_ms: 0,
  created_ms: MOMENT,
};
const COMPLAINT: Omit<ComplaintRow, "complaint_id"> = {
  order_id: "one",
  by_role: "buyer",
  reason: "other",
  buyer_says: "Paid.",
  seller_says: "",
  opened_ms: MOMENT,
  buyer_pictures: 0,
  seller_pictures: 0,
  state: "OPEN",
  winner: "",
  fault: "",
  compensation_units: 0n,
  decision: "",
  decision_id: "",
  decided_ms: 0,
};
const AD: Omit<AdRow, "ad_id"> = {
  user_id: 7,
  client_id: "ad",
  slot: 1,
  side: "sell",
  asset: "USDT",
  fiat: "AED",
  price_e4: 0n,
  premium_bps: 10_000,
  quantity_units: 100n,
  stock_units: 0n,
  min_cents: 1n,
  max_cents: 9n,
  payments: "p",
  payment_kinds: "bank",
  window_minutes: 15,
  note: "",
  need_level: 2,
  need_days: 0,
  need_orders: 0,
  need_completion: 0,
  need_traded: false,
  state: "OPENING",
  reason: "new",
  version: 1,
  round: 1,
  created_ms: 0,
  changed_ms: 0,
};
const MERCHANT: MerchantRow = {
  user_id: 7,
  name: "Gulf Star",
  state: "ACTIVE",
  level: 1,
  bond_units: 1n,
  version: 1,
  opens_minute: 0,
  closes_minute: 0,
  reply: "",
  reason: "",
  is_simulated: false,
  applied_ms: 0,
  changed_ms: 0,
  refill_by_ms: 0,
  exit_ms: 0,
};

forEachDatabase("tables of OTC", (given) => {
  beforeAll(async () => {
    const root = new URL("../../../..", import.meta.url).pathname;
    const own = collectMigrations(root).filter(({ name }) => /^(otcads|otcorders|otcpeople)\//.test(name));
    await migrate(given.database(), own);
    const tables = given.database().kysely.$extendTables<{ otcorders_order: OrderRow }>();
    await tables.insertInto("otcorders_order").values(ORDER).execute();
  });

  test("[OTC-1] silence decides only while it lasts, and a decided complaint takes no more statements", async () => {
    const { kysely } = given.database();
    const store = orderStore(kysely);
    await store.addComplaint(kysely as never, COMPLAINT);
    const [silent] = await store.listOpen(undefined, 10);
    if (silent === undefined) throw new Error("there is no complaint");
    expect(await store.speak(silent, { by: "seller" }, MOMENT)).toBe(true);
    const decision = { winner: "buyer", fault: "", compensation_units: 0n, decision: "", decision_id: "silence" };
    expect(await store.decideComplaint(silent.complaint_id, decision, silent)).toBe(false);
    const received = await store.findComplaint(silent.complaint_id);
    expect(received).toMatchObject({ seller_pictures: 1, buyer_pictures: 0, winner: "" });
    expect(await store.decideComplaint(silent.complaint_id, decision, received)).toBe(true);
    expect(await store.speak(silent, { by: "seller", statement: "Late." }, MOMENT)).toBe(false);
    expect(await store.listOpen({ atMs: MOMENT, id: String(silent.complaint_id) }, 10)).toEqual([]);
    expect((await store.listLog("one")).map(({ action, detail }) => [action, detail])).toEqual([
      ["evidence", "picture"],
    ]);
    expect(await store.countSteps("one", "evidence")).toBe(1);
  });

  test("[OTC-1] of many concurrent pictures an order keeps up to its limit, each with its message", async () => {
    const { kysely } = given.database();
    const chat = chatStore(kysely);
    const send = (index: number, user_id: number) => {
      const file: FileRow = {
        file_id: `file-${user_id}-${index}`,
        order_id: "one",
        user_id,
        purpose: "chat",
        media_type: "image/png",
        sealed: new Uint8Array(1),
        small_sealed: null,
        created_ms: MOMENT,
      };
      const response = { order_id: "one", author_id: user_id, kind: "picture", sealed: new Uint8Array(1) } as const;
      return chat.addPicture(file, { ...response, created_ms: MOMENT }, 3);
    };
    const sent = await Promise.all(Array.from({ length: 8 }, (_, index) => send(index, 8)));
    expect(sent.filter((row) => row !== undefined)).toHaveLength(3);
    expect(await send(1, 7)).toMatchObject({ kind: "picture", author_id: 7 });
    const messages = (await chat.list("one", 0)).filter(({ kind }) => kind === "picture");
    expect([messages.length, (await chat.listFiles("one")).length]).toEqual([4, 4]);
  });

  test("[OTC-1] of much concurrent evidence a complaint counts up to the limit of an order", async () => {
    const { kysely } = given.database();
    const [orders, chat] = [orderStore(kysely), chatStore(kysely)];
    await orders.addComplaint(kysely as never, { ...COMPLAINT, order_id: "two" });
    const complaint = await orders.findComplaintOf("two");
    if (complaint === undefined) throw new Error("there is no complaint");
    const show = (index: number) => {
      const file: FileRow = {
        file_id: `proof-${index}`,
        order_id: "two",
        user_id: 8,
        purpose: "evidence",
        media_type: "image/png",
        sealed: new Uint8Array(1),
        small_sealed: null,
        created_ms: MOMENT,
      };
      return orders.speak(complaint, { by: "seller" }, MOMENT, (inside) => chat.addEvidence(file, inside, 3));
    };
    const shown = await Promise.allSettled(Array.from({ length: 8 }, (_, index) => show(index)));
    const refused = shown.filter((one) => one.status === "rejected" && one.reason instanceof FilesFull);
    expect([refused.length, (await chat.listFiles("two")).length]).toEqual([5, 3]);
    expect(await orders.findComplaintOf("two")).toMatchObject({ seller_pictures: 3 });
  });

  test("[OTC-1] an ad is settled once none of its orders is under way, and reopens with the coins that came back", async () => {
    const { kysely } = given.database();
    const [orders, ads] = [orderStore(kysely), adStore(kysely)];
    const tables = kysely.$extendTables<{ otcorders_order: OrderRow; otcorders_log: { untold: number } }>();
    const look = async (nowMs = MOMENT) => [
      await orders.hasCoinsOut(1, kysely as never),
      await orders.isUnsettled(1, nowMs, kysely as never),
    ];
    const become = (change: Partial<OrderRow>) => tables.updateTable("otcorders_order").set(change).execute();
    expect(await look()).toEqual([true, false]);
    await become({ state: "WAIT_PAY" });
    expect([await look(MOMENT - 1), await look(MOMENT)]).toEqual([
      [true, false],
      [true, true],
    ]);
    await become({ state: "CANCELLED", fault: "buyer", end_by: "timer", ended_ms: MOMENT });
    expect(await look()).toEqual([false, false]);
    await tables.updateTable("otcorders_log").set({ untold: 1 }).execute();
    expect(await look()).toEqual([true, true]);
    const placed = { ...ORDER, order_id: "two", client_id: "two", state: "PLACING" } as const;
    expect(await orders.place(placed, { openMax: 1, nowMs: MOMENT + DAY_MS }, async () => true)).toBe("placed");
    expect(await look(MOMENT - 1)).toEqual([true, true]);

    const opening = (await ads.add(AD)) as AdRow;
    expect(await ads.giveBack(kysely as never, opening.ad_id, 5n, MOMENT)).toMatchObject({
      state: "OPENING",
      stock_units: 5n,
      changed_ms: 0,
    });
    expect(await ads.stock(opening, MOMENT)).toMatchObject({
      state: "ONLINE",
      reason: "",
      stock_units: 105n,
      version: 2,
    });
    expect(await ads.stock(opening, MOMENT)).toBeUndefined();
    expect(await ads.reserve(kysely as never, { ad_id: opening.ad_id, version: 2 }, 105n, MOMENT)).toMatchObject({
      state: "SOLD_OUT",
    });
    expect(await ads.giveBack(kysely as never, opening.ad_id, 5n, MOMENT)).toMatchObject({
      state: "ONLINE",
      stock_units: 5n,
      changed_ms: MOMENT,
    });
  });

  test("[OTC-1] a merchant's name is unique in any spelling, also when it changes", async () => {
    const store = peopleStore(given.database().kysely);
    expect(await store.addMerchant(MERCHANT)).toBe(true);
    expect(await store.addMerchant({ ...MERCHANT, user_id: 8, name: "GULF  star" })).toBe(false);
    expect([await store.isNameTaken("gulf STAR", 8), await store.isNameTaken("gulf STAR", 7)]).toEqual([true, false]);
    const renamed = await store.stepMerchant(MERCHANT, { name: "Étoile" });
    expect(renamed).toEqual({ ...MERCHANT, name: "Étoile", version: 2 });
    expect(await store.isNameTaken("ÉTOILE", 8)).toBe(true);
    expect(await store.addMerchant({ ...MERCHANT, user_id: 8 })).toBe(true);
  });
});
