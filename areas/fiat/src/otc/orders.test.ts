// Random histories of ads and orders on the real core: two buyers, a seller, support and the timer act at random, also
// concurrently; ads go online and offline, accounts are blocked, processes stop between the ledger and the table. After
// every step the coins in escrow are those of the open orders, nothing is lost, and every order has one end.
import { checkInvariants } from "@clockwork/core/inspect/invariants";
import { readRestriction } from "@clockwork/core/inspect/restrictions";
import { FEES_ACCOUNT } from "@clockwork/core/protocol/names";
import {
  findRule,
  isOpen,
  OTC_ACTIONS,
  OTC_ACTORS,
  type OtcAction,
  type OtcActor,
  type OtcState,
} from "@clockwork/kit/otc/order-machine";
import { escrowOf, feeOf, stockWithFee } from "@clockwork/kit/otc/price";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { OrderRow } from "../otcorders/store.ts";
import { BUYER, balanceOf, OTHER, OWNED, openWorld, SELLER, STOCK, WINDOW_MS, type World } from "./walk-fixture.ts";

const sum = (all: readonly bigint[]): bigint => all.reduce((whole, one) => whole + one, 0n);
const ENDS: readonly string[] = ["release", "awardBuyer", "cancel", "expire", "awardSeller", "refused"];
/** Longer than a resumed step waits after a stop, and than the ledger is not retried after a refusal. */
const LATER_MS = 61_000;

/** Invariants at every moment, whatever is under way: nothing is created or lost, no order ends twice. */
function checkAlways({ stage, seller, people, book, table }: World): void {
  expect(checkInvariants(stage.machine)).toEqual([]);
  const held = [seller, book, FEES_ACCOUNT, ...people.values()].map((account) => balanceOf(stage, account));
  expect(sum(held.flatMap(({ free, frozen }) => [free, frozen]))).toBe(OWNED);
  for (const { order_id } of table.rows.values())
    expect(table.steps.filter((step) => step.order_id === order_id && ENDS.includes(step.action)).length).toBeLessThan(
      2,
    );
}

/** Invariants while nothing is under way. */
function check(world: World): void {
  checkAlways(world);
  const { stage, people, book, table, ad } = world;
  const rows = [...table.rows.values()];
  if (rows.some((row) => row.intent !== "" || row.state === "PLACING")) return;
  // The timer's own step may be due and not done yet.
  if (rows.some((row) => row.state === "WAIT_PAY" && row.pay_by_ms <= stage.time)) return;
  const open = rows.filter((row) => isOpen(row.state)).map((row) => escrowOf(row.quantity_units, true));
  const done = rows.filter((row) => row.state === "COMPLETED");
  expect(balanceOf(stage, book).frozen).toBe(sum(open));
  for (const [user, account] of people) {
    const bought = done.filter((row) => row.buyer_id === user).map((row) => row.quantity_units);
    expect([user, balanceOf(stage, account).free]).toEqual([user, sum(bought)]);
  }
  expect(balanceOf(stage, FEES_ACCOUNT).free).toBe(sum(done.map((row) => feeOf(row.quantity_units))));
  const { state, stock_units } = ad.row;
  if (["OPENING", "CLOSING"].includes(state) || table.steps.some(({ untold }) => untold)) return;
  const { free } = balanceOf(stage, book);
  if (state === "ONLINE" || state === "SOLD_OUT") {
    // Its offer is covered; fees are rounded once per order, so each may leave a unit or lack one.
    const off = free - stockWithFee(stock_units);
    expect(off < 0n ? -off : off).toBeLessThanOrEqual(BigInt(rows.length));
  } else expect([state, free]).toEqual([state, 0n]);
}

type Single =
  | { readonly what: "place"; readonly by: number; readonly quantity: number }
  | { readonly what: "act"; readonly by: OtcActor; readonly action: OtcAction; readonly at: number }
  | { readonly what: "ad"; readonly to: "ONLINE" | "OFFLINE" | "DELETED" | "ban" | "free" };
type Press =
  | Single
  | { readonly what: "race"; readonly all: readonly Single[]; readonly turns: readonly number[] }
  | { readonly what: "wait"; readonly ms: number }
  | { readonly what: "block"; readonly isBlocked: boolean }
  | { readonly what: "price"; readonly isKnown: boolean }
  | { readonly what: "resume" }
  | { readonly what: "stop"; readonly writes: number };

const singles: fc.Arbitrary<Single> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      what: fc.constant("place" as const),
      by: fc.constantFrom(BUYER, OTHER),
      quantity: fc.oneof(fc.integer({ min: 1, max: 600_000_000 }), fc.constant(Number(STOCK))),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      what: fc.constant("act" as const),
      by: fc.constantFrom(...OTC_ACTORS),
      action: fc.constantFrom(...OTC_ACTIONS),
      at: fc.nat(8),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      what: fc.constant("ad" as const),
      to: fc.constantFrom(
        "ONLINE" as const,
        "ONLINE" as const,
        "OFFLINE" as const,
        "DELETED" as const,
        "ban" as const,
        "free" as const,
      ),
    }),
  },
);
/** Concurrent actions of two or more users, mostly on one order. */
const together = (at: number): fc.Arbitrary<readonly Single[]> => {
  const act = (by: OtcActor, action: OtcAction): Single => ({ what: "act", by, action, at });
  const place = (by: number): Single => ({ what: "place", by, quantity: Number(STOCK) });
  return fc.oneof(
    fc.constantFrom<readonly Single[]>(
      [act("seller", "release"), act("seller", "release")],
      [act("seller", "release"), act("buyer", "appeal")],
      [act("buyer", "cancel"), act("buyer", "pay")],
      [act("buyer", "cancel"), act("seller", "release")],
      [act("support", "awardBuyer"), act("buyer", "withdrawAppeal")],
      [act("support", "awardBuyer"), act("support", "awardSeller")],
      [act("timer", "expire"), act("buyer", "pay")],
      [place(BUYER), place(OTHER)],
      [place(BUYER), { what: "ad", to: "OFFLINE" }],
      [act("buyer", "cancel"), { what: "ad", to: "OFFLINE" }],
      [act("buyer", "cancel"), { what: "ad", to: "DELETED" }],
      [act("buyer", "cancel"), { what: "ad", to: "ONLINE" }],
    ),
    fc.array(singles, { minLength: 2, maxLength: 3 }),
  );
};
const presses: fc.Arbitrary<Press> = fc.oneof(
  { weight: 12, arbitrary: singles },
  {
    weight: 6,
    arbitrary: fc
      .tuple(fc.nat(8).chain(together), fc.array(fc.nat(5), { minLength: 1, maxLength: 30 }))
      .map(([all, turns]) => ({ what: "race" as const, all, turns })),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      what: fc.constant("wait" as const),
      ms: fc.constantFrom(1, 60_000, WINDOW_MS - 1, WINDOW_MS),
    }),
  },
  { weight: 1, arbitrary: fc.record({ what: fc.constant("block" as const), isBlocked: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant("price" as const), isKnown: fc.boolean() }) },
  { weight: 2, arbitrary: fc.constant({ what: "resume" as const }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant("stop" as const), writes: fc.nat(7) }) },
);

let clients = 0;
function workOf({ orders, ads, table }: World, one: Single): () => Promise<unknown> {
  const rows = [...table.rows.values()];
  switch (one.what) {
    case "place": {
      clients += 1;
      const body = { adId: "1", quantity: String(one.quantity), paymentId: "p", clientId: `c${clients}` };
      return () => orders.place(one.by, body);
    }
    case "act": {
      const row = rows[one.at % Math.max(1, rows.length)];
      return async () => (row === undefined ? undefined : orders.step(row, one.by, one.action));
    }
    case "ad":
      if (one.to === "ban" || one.to === "free") return () => ads.ban(1, one.to === "ban", "reason");
      return () => ads.update(SELLER, { adId: "1", state: one.to as "ONLINE" });
  }
}

/** Whether the process ended in it. */
async function press(world: World, one: Press): Promise<boolean> {
  const { orders, ads, stage, process, worth } = world;
  switch (one.what) {
    case "race": {
      let turn = 0;
      const choose = (count: number): number => {
        turn += 1;
        return (one.turns[turn % one.turns.length] ?? 0) % count;
      };
      return process.race(
        one.all.map((single) => workOf(world, single)),
        choose,
      );
    }
    case "wait":
      stage.time += one.ms;
      stage.send({ kind: "tick" });
      return false;
    case "block":
      block(world, one.isBlocked);
      return false;
    case "price":
      worth.isKnown = one.isKnown;
      return false;
    case "stop":
      process.endAfter(one.writes);
      return false;
    case "resume":
      return process.race([() => orders.resume().then(() => ads.resume())], () => 0);
    default:
      return process.race([workOf(world, one)], () => 0);
  }
}

function block({ stage, seller, book }: World, isBlocked: boolean): void {
  for (const account of [seller, book])
    stage.send({ kind: "setAccountFlags", account, blockTrading: isBlocked, blockOutgoing: isBlocked });
}

/** A restarted process completes everything it finds, and notifies all parties. */
async function startAgain(world: World): Promise<void> {
  const { process, orders, ads, stage, table, ad } = world;
  process.live();
  stage.time += LATER_MS;
  stage.send({ kind: "tick" });
  await orders.resume();
  await ads.resume();
  check(world);
  expect([...table.rows.values()].every((row) => row.intent === "" && row.state !== "PLACING")).toBe(true);
  expect(table.steps.filter(({ untold }) => untold)).toEqual([]);
  expect(ad.row.state).not.toBe("OPENING");
}

test("[OTC-1] for any actions of users, support and the timer, also concurrent, and any stop of the process, escrow equals the open orders", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(presses, { minLength: 5, maxLength: 40 }), async (all) => {
      const world = openWorld();
      await world.ads.update(SELLER, { adId: "1", state: "ONLINE" });
      for (const one of all) {
        // The next start finds a stop in the middle of a step.
        if (await press(world, one)) await startAgain(world);
        else check(world);
      }
      block(world, false);
      world.worth.isKnown = true;
      await startAgain(world);
      // An ad that is not online leaves nothing behind.
      expect(world.ad.row.state).not.toBe("CLOSING");
    }),
    { numRuns: 100 },
  );
}, 120_000);

test("[OTC-1] the coins of a blocked seller's closed ad come back once the seller is free, and never to another user", async () => {
  const world = openWorld();
  const { ads, orders, stage, seller, book, ad, table } = world;
  await ads.update(SELLER, { adId: "1", state: "ONLINE" });
  await orders.place(BUYER, { adId: "1", quantity: "1000000", paymentId: "p", clientId: "blocked" });
  block(world, true);
  await ads.update(SELLER, { adId: "1", state: "OFFLINE" });
  await orders.step(rowOf(table.rows), "buyer", "cancel");
  expect([ad.row.state, balanceOf(stage, book).free]).toEqual(["CLOSING", stockWithFee(STOCK)]);
  expect(await ads.update(SELLER, { adId: "1", state: "ONLINE" })).toMatchObject({ code: "AD_STATE" });
  expect(await ads.update(SELLER, { adId: "1", state: "DELETED" })).toMatchObject({ done: false });
  block(world, false);
  await startAgain(world);
  expect([ad.row.state, balanceOf(stage, book).free]).toEqual(["OFFLINE", 0n]);
  expect(balanceOf(stage, seller).free).toBe(OWNED);
});

test("[OTC-1] coins without a price are not released; released ones are locked for a day", async () => {
  const world = openWorld();
  const { ads, orders, stage, people, table, worth } = world;
  await ads.update(SELLER, { adId: "1", state: "ONLINE" });
  await orders.place(BUYER, { adId: "1", quantity: "1000000", paymentId: "p", clientId: "unpriced" });
  await orders.step(rowOf(table.rows), "buyer", "pay");
  const release = () => orders.step(rowOf(table.rows), "seller", "release");
  worth.isKnown = false;
  // From before prices were read when an order is placed.
  const old = rowOf(table.rows);
  table.rows.set(old.order_id, { ...old, worth_units: 0n });
  expect(await release()).toMatchObject({ code: "NO_PRICE" });
  expect(rowOf(table.rows)).toMatchObject({ state: "PAID", intent: "" });
  expect(readRestriction(stage.machine, BUYER).restrictedUnits).toBe(0n);
  worth.isKnown = true;
  expect(await release()).toMatchObject({ done: true });
  expect(balanceOf(stage, people.get(BUYER) ?? 0).free).toBe(1_000_000n);
  expect(readRestriction(stage.machine, BUYER).restrictedUnits).toBe(1_000_000n);
});

/** One way through the table for each action, from the order to the action itself. */
const WAYS: readonly (readonly (readonly [OtcActor, OtcAction])[])[] = [
  [["buyer", "pay"]],
  [["buyer", "cancel"]],
  [["timer", "expire"]],
  [
    ["buyer", "pay"],
    ["seller", "release"],
  ],
  [
    ["buyer", "pay"],
    ["buyer", "cancel"],
  ],
  [
    ["buyer", "pay"],
    ["seller", "askCancel"],
  ],
  [
    ["buyer", "pay"],
    ["buyer", "appeal"],
    ["buyer", "withdrawAppeal"],
    ["seller", "appeal"],
    ["support", "awardBuyer"],
  ],
  [
    ["buyer", "pay"],
    ["seller", "appeal"],
    ["support", "awardSeller"],
  ],
];

test("[OTC-1] stopped at every single write of every step, an order ends once and its parties are notified of each step", async () => {
  for (const way of WAYS) {
    let isThrough = false;
    for (let writes = 0; !isThrough; writes += 1) {
      const world = openWorld();
      const { orders, ads, table, stage, process } = world;
      await ads.update(SELLER, { adId: "1", state: "ONLINE" });
      process.endAfter(writes);
      isThrough = true;
      const again = async <Value>(work: () => Promise<Value>): Promise<Value> => {
        try {
          return await work();
        } catch {
          isThrough = false;
          await startAgain(world);
          return work();
        }
      };
      const body = { adId: "1", quantity: "1000000", paymentId: "p", clientId: "c" };
      await again(() => orders.place(BUYER, body));
      for (const [by, action] of way) {
        if (action === "expire") stage.time += WINDOW_MS;
        if (action === "expire") stage.send({ kind: "tick" });
        // A step the next start has completed already is refused the second time.
        await again(async () => orders.step(rowOf(table.rows), by, action));
        await startAgain(world);
      }
      const last = way.at(-1);
      expect(table.steps.map(({ action }) => action)).toEqual(["placed", ...way.map(([, action]) => action)]);
      expect([rowOf(table.rows).state, last]).toEqual([findEnd(way), last]);
      expect(world.answer.size).toBe(publishedOf(table.steps.map(({ action }) => action)));
    }
  }
});

test("[OTC-1] stopped at every single write of going online, offline and deleted, an ad's coins are where its state says", async () => {
  let isThrough = false;
  for (let writes = 0; !isThrough; writes += 1) {
    const world = openWorld();
    const { orders, ads, table, process, stage, seller, book, ad } = world;
    isThrough = true;
    process.endAfter(writes);
    const again = async (work: () => Promise<unknown>): Promise<void> => {
      try {
        await work();
      } catch {
        isThrough = false;
        await startAgain(world);
        await work();
      }
    };
    await again(() => ads.update(SELLER, { adId: "1", state: "ONLINE" }));
    await again(() => orders.place(BUYER, { adId: "1", quantity: "1000000", paymentId: "p", clientId: "c" }));
    await again(() => ads.update(SELLER, { adId: "1", state: "OFFLINE" }));
    await again(async () => orders.step(rowOf(table.rows), "buyer", "cancel"));
    await startAgain(world);
    expect([ad.row.state, balanceOf(stage, book).free]).toEqual(["OFFLINE", 0n]);
    await again(() => ads.update(SELLER, { adId: "1", state: "DELETED" }));
    expect(ad.row.state).toBe("DELETED");
    expect(balanceOf(stage, seller).free).toBe(OWNED);
  }
});

const rowOf = (rows: ReadonlyMap<string, OrderRow>): OrderRow => {
  const [row] = rows.values();
  if (row === undefined) throw new Error("there is no order");
  return row;
};

const findEnd = (way: (typeof WAYS)[number]): string =>
  way.reduce<OtcState>((state, [by, action]) => findRule(state, by, action)?.to ?? state, "WAIT_PAY");

/** Most steps notify one of the two; steps by neither or both notify both. */
const BOTH: readonly string[] = ["expire", "release", "appeal", "withdrawAppeal", "awardBuyer", "awardSeller"];
const publishedOf = (actions: readonly string[]): number =>
  actions.reduce((whole, action) => whole + (BOTH.includes(action) ? 2 : 1), 0);
