import type { AccountChange } from "@clockwork/host/engine";
import type { LedgerFacts, ReadRows } from "@clockwork/host/projector";
import type { AccountOwner } from "@clockwork/kit/books";
import { emptyFacts } from "@clockwork/trading/projectors/ledger/facts";
import { expect, test } from "vitest";
import { createAccountCache } from "../engine/projection/account-cache.ts";
import { runSession } from "./projection-fixture.ts";
import { PROJECTORS } from "./projectors.ts";

/** An account cache whose tables are empty and never move; how often an account was read from them is counted. */
function openCache(lastAccount: number, beforeRead: () => Promise<void> = async () => undefined) {
  const reads = { count: 0 };
  // Nothing is stored but owners: each account's is the user of the same number.
  const none: ReadRows = async <Row>() => [] as Row[];
  const projection = {
    sequence: 0,
    readSettled: async <Value>(_: number, read: (rows: ReadRows) => Promise<Value>) => {
      reads.count += 1;
      await beforeRead();
      return { sequence: 0, value: await read(none) };
    },
  };
  const source = {
    ...PROJECTORS.facts,
    readOwner: async (__: ReadRows, account: number) => ({ userId: account, book: "spot", sub: 0 }),
  };
  const facts = emptyFacts();
  (facts.facts as { -readonly [Name in keyof LedgerFacts]: LedgerFacts[Name] }).lastAccount = lastAccount;
  return { cache: createAccountCache({ projection, projectors: { ...PROJECTORS, facts: source }, facts }), reads };
}

test("[SPOT-4] rows that change often while no request reads them are evicted, and read again on demand", async () => {
  const { batches, accounts } = runSession(7, 3_000);
  const { cache, reads } = openCache(Number.POSITIVE_INFINITY);
  const [idle = 0, watched = 0, held = 0] = accounts;
  const isWatched = ({ userId }: AccountOwner) => userId === watched;
  for (const account of [idle, watched]) await cache.open(account, 0);
  for (const batch of batches) cache.listen(batch);
  await cache.open(held, 10_000);
  const before = cache.find(watched);
  cache.shed(1_000, isWatched);
  expect(cache.find(idle)).toBeDefined();
  cache.shed(10_000, isWatched);
  expect(cache.find(idle)).toBeUndefined();
  expect(cache.find(watched)).toBe(before);
  expect(cache.find(held)).toBeDefined();
  expect(reads.count).toBe(3);
  await cache.open(idle, 10_000);
  expect(reads.count).toBe(4);
  expect(cache.find(idle)).toBeDefined();
});

test("[SPOT-4] a new account is followed from its first event, and one command's changes are published at once", () => {
  const { batches, accounts } = runSession(8, 400);
  const { cache, reads } = openCache(0);
  const opened: (readonly [number, AccountOwner])[] = [];
  const runs: (readonly AccountChange[])[] = [];
  cache.subscribeOpened((account, owner) => opened.push([account, owner]));
  cache.subscribe((changes) => runs.push(changes));
  for (const batch of batches) cache.listen(batch);
  expect(opened.map(([account]) => account)).toEqual(accounts);
  expect(opened.map(([, { userId, book, sub }]) => `${userId} ${book} ${sub}`)).toEqual([
    "1 spot 0",
    "2 spot 0",
    "3 spot 0",
    "4 spot 0",
    "9 bot 3",
  ]);
  expect(reads.count).toBe(0);
  const owners = new Map(opened);
  expect(runs.some((changes) => changes.length > 1)).toBe(true);
  for (const changes of runs) {
    expect(new Set(changes.map(({ sequence }) => sequence)).size).toBe(1);
    for (const { account, owner } of changes) expect(owner).toEqual(owners.get(account));
  }
});

test("[SPOT-4] events that come while an account's rows are being read are not lost", async () => {
  const { batches, accounts } = runSession(9, 600);
  const account = accounts[2] ?? 0;
  const always = openCache(Number.POSITIVE_INFINITY).cache;
  await always.open(account, 0);
  for (const batch of batches) always.listen(batch);
  const expected = always.find(account);

  // The initial rows arrive when half of the events have been published, some more than once.
  const gate = Promise.withResolvers<void>();
  const { cache } = openCache(Number.POSITIVE_INFINITY, () => gate.promise);
  const opening = cache.open(account, 0);
  for (const batch of batches.slice(0, 300)) cache.listen(batch);
  expect(cache.find(account)).toBeUndefined();
  gate.resolve();
  await opening;
  for (const batch of batches.slice(300)) cache.listen(batch);
  for (const view of PROJECTORS.views) expect(cache.find(account)?.of(view), view.name).toEqual(expected?.of(view));
  expect(cache.find(account)?.changedSequence).toBeGreaterThan(0);
});
