// A quote and the ledger's result: in any order of concurrent writes, a quote whose money moved is never open.
import { expect, test } from "vitest";
import type { ConvertNeeds } from "./needs.ts";
import { readLevel } from "./rules.ts";
import { ConvertService } from "./service.ts";
import type { ConvertStore, QuoteRow } from "./store.ts";

function makeDesk() {
  let row: QuoteRow = {
    quote_id: "q",
    user_id: 7,
    from_asset: "BTC",
    to_asset: "USDT",
    from_units: 1_000_000n,
    to_units: 2_000_000n,
    worth_units: 2_000_000n,
    state: "OPEN",
    expires_ms: 100,
  };
  /** Each request is answered by hand. */
  const asked: ((answer: { readonly done: boolean; readonly code?: string }) => void)[] = [];
  const at = { nowMs: 1, bid: "1000", fairPrice: 10n ** 21n, beforeStep: async (): Promise<void> => undefined };
  const store = {
    find: async (): Promise<QuoteRow> => row,
    listTaken: async () => (row.state === "TAKEN" ? [row] : []),
    listTakenSmall: async () => [],
    async step(_: string, from: QuoteRow["state"], to: QuoteRow["state"]) {
      await at.beforeStep();
      if (row.state !== from) return false;
      row = { ...row, state: to };
      return true;
    },
    take: async () => ((await store.step("q", "OPEN", "TAKEN")) ? undefined : "gone"),
    giveBack: () => store.step("q", "TAKEN", "OPEN"),
  } as unknown as ConvertStore;
  const needs = {
    now: () => at.nowMs,
    findCoin: (symbol: string) => ({ asset: symbol === "USDT" ? 1 : 2, symbol, scale: 6 }),
    readBook: async () => ({ bids: [readLevel([at.bid, "1"])], asks: [] }),
    worthUnits: () => at.fairPrice,
    openAccount: async () => 70,
    submit: () => new Promise((answer) => asked.push(answer)),
  } as unknown as ConvertNeeds;
  const set = (state: QuoteRow["state"]): void => {
    row = { ...row, state };
  };
  return { at, asked, set, state: () => row.state, service: new ConvertService({ store, needs }) };
}

const until = async (isThere: () => boolean): Promise<void> => {
  while (!isThere()) await new Promise((wake) => setImmediate(wake));
};

test("[WAL-1] two concurrent accepts of a quote send one command to the ledger and get the same answer", async () => {
  const { asked, service, state } = makeDesk();
  const both = Promise.all([service.accept(7, "q"), service.accept(7, "q")]);
  await until(() => asked.length > 0);
  expect(asked).toHaveLength(1);
  asked[0]?.({ done: true });
  expect((await both).map((one) => one.done)).toEqual([true, true]);
  expect(state()).toBe("DONE");
});

test("[WAL-1] a quote whose money moved is done, even if another caller was rejected and reopened it", async () => {
  const { asked, service, set, state } = makeDesk();
  const taken = service.accept(7, "q");
  await until(() => asked.length > 0);
  set("OPEN");
  asked[0]?.({ done: true });
  expect((await taken).done).toBe(true);
  expect(state()).toBe("DONE");
});

test("[WAL-1] a quote accepted by another caller since it was read is not settled as if it were open", async () => {
  const { at, asked, service, set, state } = makeDesk();
  at.beforeStep = async () => {
    set("DONE");
    at.beforeStep = async () => undefined;
  };
  expect(await service.accept(7, "q")).toMatchObject({ done: true });
  expect([asked.length, state()]).toEqual([0, "DONE"]);
});

test("[WAL-1] a quote is accepted at its price only while the book and the fair price still support it", async () => {
  const { at, asked, service, state } = makeDesk();
  const codeOf = async () => {
    const result = await service.accept(7, "q");
    return result.done ? "" : result.code;
  };
  // The liquidity behind the quote has left the book.
  at.bid = "1.9";
  expect(await codeOf()).toBe("PRICE_MOVED");
  at.bid = "1000";
  at.fairPrice = 19n * 10n ** 17n;
  expect(await codeOf()).toBe("PRICE_MOVED");
  expect([asked.length, state()]).toEqual([0, "OPEN"]);
  at.fairPrice = 10n ** 21n;
  const taken = service.accept(7, "q");
  await until(() => asked.length > 0);
  asked[0]?.({ done: true });
  expect((await taken).done).toBe(true);
});
