// A lottery that closes while users join: entries made in time have their tickets in the root, and late ones are
// refused.
import { createHash } from "node:crypto";
import { shuffleTickets, type TicketRange, ticketRoot } from "@clockwork/kit/earn/draw";
import { forEachMigrated, forMigrated } from "@clockwork/server/storage/test-databases";
import { expect, test } from "vitest";
import type { BookEnd, LaunchBook } from "../launchpad/book-service.ts";
import { DrawService, type LaunchParts } from "../launchpad/draw-service.ts";
import { FlashService } from "../launchpad/flash-service.ts";
import type { LaunchNeeds } from "../launchpad/needs.ts";
import { roundState } from "../launchpad/rules.ts";
import { type EntryRow, launchStore, type OrderRow, type ProjectRow, type RoundRow } from "../launchpad/store.ts";

const NOW_MS = 1_000_000;
const project = {
  project_id: "park",
  name: "Park",
  asset: "DOT",
  scale: 8,
  summary: "",
  supply: "1000",
  price_units: 500_000n,
  vest_bps: 10_000,
  vest_days: 0,
  announced_ms: 0,
  listing_ms: 9 * NOW_MS,
  state: "ACTIVE",
  promise: "aa",
  server_seed: "5a".repeat(32),
  salt: "salt",
  sub: 1,
  is_simulated: false,
} as const satisfies ProjectRow;
const round: RoundRow = {
  round_id: "park-1",
  project_id: "park",
  number: 1,
  kind: "lottery",
  stock_units: 1_000n,
  lot_units: 100n,
  cap_units: 0n,
  tickets_max: 20,
  unit_units: 1n,
  snapshot_days: 1,
  preheat_ms: 0,
  opens_ms: 0,
  closes_ms: NOW_MS,
  pay_until_ms: 2 * NOW_MS,
  draw_ms: null,
  stage: "OPEN",
  promise: "bb",
  journal: null,
  root: null,
  close_sequence: 0,
  public_seed: null,
  seed: null,
  tickets: 0,
  winners_max: 10,
  sub: 1,
  returned_units: null,
};

forEachMigrated("a lottery closes", ({ database }) => {
  test("[EARN-2] all who joined while it closed are among the tickets, and none join afterwards", async () => {
    const store = launchStore(database().kysely);
    await store.add(project, [round]);
    const join = (user_id: number) =>
      store.join({ round_id: "park-1", user_id, tickets: 3, commit_units: 0n, is_auto: false });
    expect(await join(1)).toBe(true);
    const late: boolean[] = [];
    const bound: (readonly TicketRange[])[] = [];
    const needs = {
      now: () => NOW_MS,
      hash: (text: string) => Buffer.from(text.padEnd(32)).toString("hex").slice(-32),
      sequence: () => 7,
      seedAfter: async () => undefined,
      // Tickets are being hashed: a moment in which users still press.
      rootOf: async (ranges: readonly TicketRange[]) => {
        late.push(await join(2));
        bound.push(ranges);
        return ticketRoot(ranges);
      },
    } as unknown as LaunchNeeds;
    const book = {} as LaunchBook;
    const draws = new DrawService({ store, needs, book, flash: new FlashService({ store, needs, book }) });
    const joining = Promise.all([3, 4, 5, 6].map(join));
    await draws.run(NOW_MS);
    const joined = await joining;
    const entries = await store.listEntries("park-1");
    const isIn = [true, late[0], ...joined].filter((one) => one === true).length;
    expect(entries).toHaveLength(isIn);
    expect(late).toEqual([false]);
    const closed = await store.findRound("park-1");
    expect(closed).toMatchObject({ stage: "CLOSED", tickets: 3 * isIn, close_sequence: 7 });
    expect(bound[0]).toHaveLength(isIn);
    expect(closed?.root).toBe(ticketRoot(bound[0] ?? []));
    expect(await join(9)).toBe(false);
  });
});

forMigrated("sqlite", "a lottery is drawn later than it closes", ({ database }) => {
  test("[EARN-2] tickets are fixed at the close, and nothing of the draw is published before its time", async () => {
    const store = launchStore(database().kysely);
    const DRAW_MS = NOW_MS + 5_000;
    await store.add(project, [{ ...round, draw_ms: DRAW_MS, winners_max: 2 }]);
    for (const user_id of [1, 2, 3]) {
      await store.join({ round_id: "park-1", user_id, tickets: 1, commit_units: 0n, is_auto: false });
    }
    let requested = 0;
    const needs = {
      now: () => NOW_MS,
      hash: (text: string) => createHash("sha256").update(text).digest("hex"),
      sequence: () => 7,
      seedAfter: async (sequence: number) => {
        requested += 1;
        return { number: 3, sinceSequence: sequence + 1, untilSequence: 9, seed: "c3".repeat(32) };
      },
      rootOf: async (ranges: readonly TicketRange[]) => ticketRoot(ranges),
      orderOf: async (seed: string, tickets: number) => shuffleTickets(seed, tickets),
      notify: async () => undefined,
      report: () => undefined,
    } as unknown as LaunchNeeds;
    const book = new Ledger() as unknown as LaunchBook;
    const draws = new DrawService({ store, needs, book, flash: new FlashService({ store, needs, book }) });
    for (const atMs of [NOW_MS, DRAW_MS - 1]) {
      await draws.run(atMs);
      expect(await store.findRound("park-1")).toMatchObject({ stage: "CLOSED", tickets: 3, seed: null });
      expect(roundState((await store.findRound("park-1")) as RoundRow, project, atMs)).toBe("CALCULATING");
    }
    const { root, close_sequence } = (await store.findRound("park-1")) as RoundRow;
    expect([root?.length, close_sequence, requested]).toEqual([64, 7, 0]);
    expect(await store.listOrders("park-1", ["WON"])).toEqual([]);
    await draws.run(DRAW_MS);
    const drawn = (await store.findRound("park-1")) as RoundRow;
    expect(drawn).toMatchObject({ stage: "DRAWN", root, close_sequence: 7 });
    expect(await store.listOrders("park-1", ["WON"])).toHaveLength(2);
    expect(roundState(drawn, project, DRAW_MS)).toBe("PAY");
  });
});

/** A ledger of holds and payments by their names, which keeps everything. */
class Ledger {
  readonly holds = new Map<string, number>();
  readonly paid = new Set<string>();
  /** Users without money. */
  readonly poor = new Set<number>();
  nowMs = NOW_MS;

  async reserve({ order_id, until_ms }: OrderRow): Promise<BookEnd> {
    this.holds.set(order_id, until_ms);
    return "done";
  }

  async releaseOrder({ order_id }: OrderRow): Promise<BookEnd> {
    return this.holds.delete(order_id) ? "done" : "UNKNOWN_HOLD";
  }

  /** Its clock may be behind: a hold exists until it is released. */
  async pay({ order_id, user_id }: OrderRow): Promise<BookEnd> {
    if (this.paid.has(order_id)) return "done";
    if (!this.holds.has(order_id)) return "UNKNOWN_HOLD";
    if (this.poor.has(user_id)) return "INSUFFICIENT_BALANCE";
    this.paid.add(order_id);
    this.holds.delete(order_id);
    return "done";
  }
}

const PEOPLE = 1_500;
const WINNERS = 1_200;
const isAuto = (userId: number): boolean => userId % 10 === 0;

forMigrated("sqlite", "a lottery is paid", ({ database }) => {
  test("[EARN-2] only users with auto-pay are debited, and the waiting list is served completely", async () => {
    const store = launchStore(database().kysely);
    const entries = Array.from(
      { length: PEOPLE },
      (_, index): EntryRow => ({
        round_id: "park-1",
        user_id: index + 1,
        number: index + 1,
        tickets: 1,
        first_ticket: index + 1,
        commit_units: 0n,
        is_auto: isAuto(index + 1),
      }),
    );
    await store.add(project, [{ ...round, winners_max: WINNERS, tickets: PEOPLE }], entries);
    const ledger = new Ledger();
    ledger.poor.add(10);
    const needs = {
      now: () => ledger.nowMs,
      hash: (text: string) => createHash("sha256").update(text).digest("hex"),
      sequence: () => 7,
      seedAfter: async () => ({ number: 3, sinceSequence: 8, untilSequence: 9, seed: "c3".repeat(32) }),
      rootOf: async (ranges: readonly TicketRange[]) => ticketRoot(ranges),
      orderOf: async (seed: string, tickets: number) => shuffleTickets(seed, tickets),
      notify: async () => undefined,
      report: () => undefined,
    } as unknown as LaunchNeeds;
    const book = ledger as unknown as LaunchBook;
    const flash = new FlashService({ store, needs, book });
    const parts: LaunchParts = { store, needs, book, flash };
    const run = (atMs: number, draws = new DrawService(parts)) => {
      ledger.nowMs = atMs;
      return draws.run(atMs);
    };
    await run(NOW_MS);
    const of = async (...states: OrderRow["state"][]) => store.listOrders("park-1", states);
    const first = await of("WON", "PAID");
    expect(first).toHaveLength(WINNERS);
    const autos = first.filter(({ user_id }) => isAuto(user_id) && user_id !== 10);
    expect((await of("PAID")).map(({ user_id }) => user_id).sort()).toEqual(autos.map((one) => one.user_id).sort());
    // The exchange was stopped over the end of the window; the ledger's clock is behind.
    await run(round.pay_until_ms + 60_000);
    expect(await of("PAID")).toHaveLength(autos.length + (await waiting()).filter(isAutoOrder).length);
    const unpaid = WINNERS - autos.length;
    expect(await of("TIMEOUT")).toHaveLength(unpaid);
    expect((await store.findRound("park-1"))?.stage).toBe("WAITED");
    expect(await waiting()).toHaveLength(Math.min(unpaid, PEOPLE - WINNERS));
    function isAutoOrder({ user_id, state }: OrderRow): boolean {
      return isAuto(user_id) && state === "PAID";
    }
    async function waiting(): Promise<OrderRow[]> {
      return (await of("WON", "PAID")).filter(({ until_ms }) => until_ms > round.pay_until_ms);
    }
  });
});
