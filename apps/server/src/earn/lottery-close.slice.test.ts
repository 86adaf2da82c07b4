// A lottery that closes while people join: whoever is in has his tickets in the root, and whoever is late is told so.
import type { LaunchBook } from "@clockwork/domains/launchpad/book-service";
import { DrawService } from "@clockwork/domains/launchpad/draw-service";
import { FlashService } from "@clockwork/domains/launchpad/flash-service";
import type { LaunchNeeds } from "@clockwork/domains/launchpad/needs";
import { launchStore, type ProjectRow, type RoundRow } from "@clockwork/domains/launchpad/store";
import { type TicketRange, ticketRoot } from "@clockwork/kit/earn/draw";
import { expect, test } from "vitest";
import { forEachMigrated } from "../storage/test-databases.ts";

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
  test("[EARN-2] everybody who joined while it closed is among the tickets, and nobody joins them afterwards", async () => {
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
      // Tickets are being hashed: a moment in which people still press.
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
