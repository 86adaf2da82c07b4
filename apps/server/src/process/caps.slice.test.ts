// Limits on what is kept or requested too often are counted, and what may happen only once is decided, where it is
// written: concurrent calls do not exceed what one of them fills, on both databases.

import { DEVELOPMENT_NETWORKS } from "@clockwork/custody/chain/networks";
import { newRow } from "@clockwork/custody/withdrawals/rules";
import { withdrawStore } from "@clockwork/custody/withdrawals/store";
import { ChatService } from "@clockwork/fiat/otcorders/chat-service";
import { chatStore } from "@clockwork/fiat/otcorders/chat-store";
import type { OrderNeeds } from "@clockwork/fiat/otcorders/needs";
import { MESSAGES_MAX } from "@clockwork/fiat/otcorders/rules";
import { type OrderRow, orderStore } from "@clockwork/fiat/otcorders/store";
import type { PeopleNeeds } from "@clockwork/fiat/otcpeople/needs";
import { PaymentService } from "@clockwork/fiat/otcpeople/payment-service";
import { peopleStore } from "@clockwork/fiat/otcpeople/store";
import { DAY_MS } from "@clockwork/kit/time";
import { FILES_MAX, UNDER_WAY_MAX } from "@clockwork/trading/statements/rules";
import { StatementService } from "@clockwork/trading/statements/service";
import { type FileRow, statementStore } from "@clockwork/trading/statements/store";
import { expect, test } from "vitest";
import { forEachMigrated } from "../storage/test-databases.ts";

const NOW_MS = 1_790_000_000_000;
const TOGETHER = 8;
const all = <Value>(work: (at: number) => Promise<Value>): Promise<readonly Value[]> =>
  Promise.all(Array.from({ length: TOGETHER }, (_, at) => work(at)));
const codesOf = (answer: readonly { readonly done: boolean; readonly code?: string }[]) =>
  answer.map((one) => (one.done ? "done" : one.code)).sort();

forEachMigrated("what is counted where it is written", (database) => {
  test("[WAL-3] of eight statements requested at once only the permitted number runs, and no more exist", async () => {
    const { kysely } = database.database();
    const service = new StatementService({
      store: statementStore(kysely),
      needs: {
        now: () => NOW_MS,
        randomId: () => crypto.randomUUID(),
        findAsset: () => undefined,
        findAssetById: () => undefined,
        listBooks: async () => new Map(),
        values: { valueAt: async () => undefined, launchCost: async () => undefined },
        issuer: { legalName: "", lines: [] },
        describeCustomer: async () => [],
        // Nothing is made while this test looks.
        settled: () => new Promise(() => undefined),
        changed: () => undefined,
        report: () => undefined,
      },
    });
    const make = (userId: number, clientId: string) =>
      service.make(userId, { kind: "postings", format: "CSV", from: 0, to: DAY_MS, clientId });
    const busy = codesOf(await all((at) => make(7, `b${at}`)));
    expect(busy.filter((code) => code === "done")).toHaveLength(UNDER_WAY_MAX);
    expect(new Set(busy)).toEqual(new Set(["done", "STATEMENTS_BUSY"]));
    // Eight identical requests are one, and still answered when the limit is reached.
    expect(new Set((await all(() => make(8, "same"))).map((one) => one.done && one.value.fileId)).size).toBe(1);
    const first = (await service.list(7)).files[0];
    expect((await make(7, first?.clientId ?? "")).done).toBe(true);
    const tables = kysely.$extendTables<{ statements_file: FileRow }>();
    const [row] = await tables.selectFrom("statements_file").selectAll().where("user_id", "=", 8).execute();
    const made = Array.from({ length: FILES_MAX - 1 }, (_, at) => ({
      ...(row as FileRow),
      file_id: `f${at}`,
      user_id: 9,
      client_id: `f${at}`,
      state: "DONE" as const,
    }));
    await tables.insertInto("statements_file").values(made).execute();
    const full = codesOf(await all((at) => make(9, `n${at}`)));
    expect(full.filter((code) => code === "done")).toHaveLength(1);
    expect(new Set(full)).toEqual(new Set(["done", "STATEMENTS_FULL"]));
  });

  test("[OTC-1] of eight messages at once one is the last a chat may hold", async () => {
    const { kysely } = database.database();
    const orders = orderStore(kysely);
    const tables = kysely.$extendTables<{ otcorders_order: OrderRow; otcorders_message: Record<string, unknown> }>();
    await tables.insertInto("otcorders_order").values(ORDER).execute();
    const answer = { order_id: "chat", author_id: 7, kind: "text", sealed: new Uint8Array([1]), created_ms: NOW_MS };
    const present = Array.from({ length: MESSAGES_MAX - 1 }, () => answer);
    await tables.insertInto("otcorders_message").values(present).execute();
    const needs = { now: () => NOW_MS, seal: (plain: Uint8Array) => plain, open: (sealed: Uint8Array) => sealed };
    const chat = new ChatService({
      store: chatStore(kysely),
      orders,
      needs: { ...needs, publish: () => undefined } as unknown as OrderNeeds,
    });
    const codes = codesOf(await all((at) => chat.send(at % 2 === 0 ? 7 : 8, "chat", `word ${at}`)));
    expect(codes.filter((code) => code === "done")).toHaveLength(1);
    expect(new Set(codes)).toEqual(new Set(["done", "CHAT_FULL"]));
    expect(await chatStore(kysely).count("chat")).toBe(MESSAGES_MAX);
  });

  test("[OTC-1] of first payment accounts in several names at once one name remains", async () => {
    const { kysely } = database.database();
    const service = new PaymentService({
      store: peopleStore(kysely),
      needs: {
        standing: async () => ({ level: 2, name: undefined }),
        isTestMoney: true,
        now: () => NOW_MS,
        randomId: () => crypto.randomUUID(),
        seal: (plain: Uint8Array) => plain,
        open: (sealed: Uint8Array) => sealed,
      } as unknown as PeopleNeeds,
    });
    const account = { kind: "bank", fiat: "AED", bank: "Harbour Bank", account: "AE070331234567890123456" } as const;
    const names = ["Mona Ek", "Siv Dahl", "Odd Berg", "Pia Grahn"];
    const answer = await all((at) => service.add(7, { ...account, name: names[at % names.length] ?? "" }));
    const { payments } = await service.list(7);
    expect(new Set(payments.map(({ name }) => name)).size).toBe(1);
    // The user with that name has all of their accounts.
    expect(payments).toHaveLength(TOGETHER / names.length);
    expect(new Set(codesOf(answer))).toEqual(new Set(["done", "PAYMENT_NAME"]));
  });

  test("[WAL-2] a payment started before saved addresses became mandatory is refused, whichever is first", async () => {
    const { kysely } = database.database();
    const store = withdrawStore(kysely);
    const setMode = (isOn: boolean) =>
      kysely.transaction().execute((inside) => store.setWhitelist(inside, 7, isOn, NOW_MS + DAY_MS));
    const place = { network: DEVELOPMENT_NETWORKS[0]?.network ?? "", address: `0x${"ab".repeat(20)}` };
    const payer = { userId: 7, isKey: false, nowMs: NOW_MS };
    const add = (clientId: string, who = payer) => {
      const request = { withdrawalId: clientId, nowMs: NOW_MS, userId: 7, asset: "USDT", clientId, amountUnits: 1n };
      const limit = { sinceMs: 0, limitUnits: 10n };
      return kysely.transaction().execute((inside) => store.add(inside, newRow(request), limit, who, place));
    };
    expect(await store.findBound(payer, place)).toBe("free");
    await setMode(true);
    expect(await add("a")).toBe("unsaved");
    const saved = { ...place, user_id: 7, name: "Ledger", created_ms: 0, usable_ms: NOW_MS };
    await kysely.transaction().execute((inside) => store.save(inside, saved, 1));
    expect(await add("b")).toBe("added");
    // Entering the mode anew rests what was saved; a program is bound in either.
    await setMode(false);
    expect(await add("c", { ...payer, isKey: true })).toBe("added");
    await setMode(true);
    expect(await add("d")).toBe("resting");
    await setMode(false);
    expect(await add("e")).toBe("added");
    expect(await add("f", { ...payer, isKey: true })).toBe("resting");
  });
});

const ORDER: OrderRow = {
  order_id: "chat",
  ad_id: 1,
  maker_id: 7,
  taker_id: 8,
  client_id: "c",
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
  state: "PAID",
  intent: "",
  intent_by: "",
  intent_ms: 0,
  pay_by_ms: NOW_MS,
  paid_ms: 0,
  is_cancel_asked: false,
  end_by: "",
  fault: "",
  ended_ms: 0,
  created_ms: NOW_MS,
};
