import { expect, test } from "vitest";
import { createStore } from "#live/store.ts";
import { FavouriteList } from "./favourite-list.ts";

/** A store whose answers the test gives, in any order. */
function openHome() {
  const reads: PromiseWithResolvers<readonly string[] | undefined>[] = [];
  const writes: { readonly codes: readonly string[]; readonly answer: (isKept: boolean) => void }[] = [];
  return {
    reads,
    writes,
    home: {
      read: () => {
        const requested = Promise.withResolvers<readonly string[] | undefined>();
        reads.push(requested);
        return requested.promise;
      },
      write: (codes: readonly string[]) => {
        const { promise, resolve } = Promise.withResolvers<boolean>();
        writes.push({ codes, answer: resolve });
        return promise;
      },
    },
  };
}

const turn = () => new Promise((done) => setTimeout(done, 0));

function open(known?: readonly string[]) {
  const { home, reads, writes } = openHome();
  const shown = createStore<readonly string[]>([]);
  return { list: new FavouriteList(home, shown, known), shown, reads, writes };
}

test("[SPOT-4] a star pressed while the account's list is on its way is put on that list, and shines all the while", async () => {
  const { list, shown, reads, writes } = open();
  list.toggle("SOL_USDT");
  expect(shown.get()).toEqual(["SOL_USDT"]);
  await turn();
  expect(writes).toEqual([]);
  reads[0]?.resolve(["BTC_USDT", "ETH_USDT"]);
  await turn();
  expect(shown.get()).toEqual(["BTC_USDT", "ETH_USDT", "SOL_USDT"]);
  expect(writes.map(({ codes }) => codes)).toEqual([["BTC_USDT", "ETH_USDT", "SOL_USDT"]]);
});

test("[SPOT-4] adding a star that was there already never removes it", async () => {
  const { list, shown, reads, writes } = open();
  list.toggle("BTC_USDT");
  reads[0]?.resolve(["BTC_USDT"]);
  await turn();
  expect(shown.get()).toEqual(["BTC_USDT"]);
  expect(writes).toEqual([]);
});

test("[SPOT-4] presses are kept one after the other, and the last of them in the end", async () => {
  const { list, writes } = open(["BTC_USDT"]);
  list.toggle("ETH_USDT");
  list.toggle("SOL_USDT");
  list.toggle("BTC_USDT");
  expect(writes.map(({ codes }) => codes)).toEqual([["BTC_USDT", "ETH_USDT"]]);
  writes[0]?.answer(true);
  await turn();
  expect(writes.slice(1).map(({ codes }) => codes)).toEqual([["ETH_USDT", "SOL_USDT"]]);
  writes[1]?.answer(true);
  await turn();
  expect(writes).toHaveLength(2);
});

test("[SPOT-4] a star that was not kept goes out; one whose list could not be read is not written over it", async () => {
  const known = open(["BTC_USDT"]);
  known.list.toggle("ETH_USDT");
  known.writes[0]?.answer(false);
  await turn();
  expect(known.shown.get()).toEqual(["BTC_USDT"]);

  const unknown = open();
  unknown.list.toggle("ETH_USDT");
  unknown.reads[0]?.resolve(undefined);
  await turn();
  expect(unknown.shown.get()).toEqual([]);
  expect(unknown.writes).toEqual([]);
  // Pressed again it is read again.
  unknown.list.toggle("ETH_USDT");
  unknown.reads[1]?.resolve(["BTC_USDT"]);
  await turn();
  expect(unknown.writes.map(({ codes }) => codes)).toEqual([["BTC_USDT", "ETH_USDT"]]);
});

test("[SPOT-4] an answer for a signed-out user is dropped", async () => {
  const { list, shown, reads } = open();
  list.end();
  shown.set(["DOGE_USDT"]);
  reads[0]?.resolve(["BTC_USDT"]);
  await turn();
  expect(shown.get()).toEqual(["DOGE_USDT"]);
});
