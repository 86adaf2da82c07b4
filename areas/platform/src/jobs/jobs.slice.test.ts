// Named jobs on both databases, by a clock the test holds: each due time once, one at a time, one process, retries.

import type { JobPeriod } from "@clockwork/host/job";
import { measureMs } from "@clockwork/host/time/measure";
import { handClock } from "@clockwork/server/clock/clock-fixture";
import { ROOT_FOLDER } from "@clockwork/server/root-folder";
import { collectMigrations, migrate } from "@clockwork/server/storage/migrations";
import { forEachDatabase } from "@clockwork/server/storage/test-databases";
import { sql } from "kysely";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { JobService } from "./service.ts";
import { jobStore } from "./store.ts";

const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2026, 4, 6, 10);

forEachDatabase("jobs", (place) => {
  let hand = handClock(START_MS);
  let opened: { close(): Promise<void> }[] = [];
  beforeAll(async () => {
    const wanted = collectMigrations(ROOT_FOLDER).filter(({ name }) => name.startsWith("jobs/"));
    await migrate(place.database(), wanted);
  });
  beforeEach(async () => {
    await sql`delete from jobs_job`.execute(place.database().kysely);
    hand = handClock(START_MS);
    opened = [];
  });
  afterEach(async () => {
    for (const one of opened) await one.close();
  });

  const store = () => jobStore(place.database().kysely);
  const open = (
    holder: string,
    run: (period: JobPeriod) => Promise<void>,
    options: { readonly isLeader?: () => boolean; readonly missed?: "each" | "latest" } = {},
  ) => {
    const outcomes: string[] = [];
    const faults: unknown[] = [];
    const service = new JobService({
      store: store(),
      needs: {
        clock: hand.clock,
        isLeader: options.isLeader ?? (() => true),
        holder,
        measureMs,
        onRun: ({ outcome, failures }) => outcomes.push(`${outcome} ${failures}`),
        onFault: (error) => faults.push(error),
      },
    });
    const { missed = "each" } = options;
    service.add({ name: "test.daily", schedule: { dailyAt: "00:00" }, missed, run });
    service.start();
    opened.push(service);
    return { service, outcomes, faults };
  };
  const days = (periods: readonly JobPeriod[]) =>
    periods.map(({ dueMs }) => new Date(dueMs).toISOString().slice(8, 10));
  /** The row exists: the first poll is over. */
  const looked = () => expect.poll(async () => (await store().list()).length).toBe(1);
  const ranTo = (day: number) =>
    expect.poll(async () => (await store().list())[0]?.last_due_ms).toBe(Date.UTC(2026, 4, day));

  test("[JOB-1] a job runs when it is due and not before, and a leap over days runs each day once", async () => {
    const ran: JobPeriod[] = [];
    open("one", async (period) => void ran.push(period));
    await looked();
    expect(ran).toEqual([]);
    hand.moveTo(Date.UTC(2026, 4, 7) - 1);
    hand.moveTo(Date.UTC(2026, 4, 7));
    await ranTo(7);
    hand.moveTo(Date.UTC(2026, 4, 10, 12));
    await ranTo(10);
    expect(days(ran)).toEqual(["07", "08", "09", "10"]);
    expect(ran[1]).toEqual({
      dueMs: Date.UTC(2026, 4, 8),
      previousMs: Date.UTC(2026, 4, 7),
      key: "test.daily:2026-05-08T00:00:00.000Z",
    });
  });

  test("[JOB-1] after a stop missed runs are made up for once, in order, and where configured by the latest alone", async () => {
    const before = open("before", async () => undefined);
    await looked();
    await before.service.close();
    hand = handClock(START_MS + 3 * DAY_MS);
    const ran: JobPeriod[] = [];
    const after = open("after", async (period) => void ran.push(period));
    await ranTo(9);
    await after.service.close();
    expect(days(ran)).toEqual(["07", "08", "09"]);
    hand = handClock(START_MS + 9 * DAY_MS);
    open("latest", async (period) => void ran.push(period), { missed: "latest" });
    await ranTo(15);
    expect(days(ran)).toEqual(["07", "08", "09", "15"]);
  });

  test("[JOB-1] a job never runs twice at once, here or in another process", async () => {
    let running = 0;
    let most = 0;
    const ran: string[] = [];
    const run = (holder: string) => async (period: JobPeriod) => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((done) => setTimeout(done, 30));
      ran.push(`${holder} ${days([period])[0]}`);
      running -= 1;
    };
    open("one", run("one"));
    open("two", run("two"));
    await looked();
    for (let day = 7; day <= 12; day += 1) {
      hand.moveTo(Date.UTC(2026, 4, day));
      hand.moveTo(Date.UTC(2026, 4, day, 1));
      await ranTo(day);
    }
    expect(most).toBe(1);
    expect(ran.map((text) => text.slice(-2))).toEqual(["07", "08", "09", "10", "11", "12"]);
  });

  test("[JOB-1] a failed run is retried for the same day with growing delays, and shown", async () => {
    const ran: JobPeriod[] = [];
    const { outcomes } = open("one", async (period) => {
      ran.push(period);
      if (ran.length < 4) throw new Error("not yet");
    });
    await looked();
    const tried = (count: number) =>
      expect.poll(async () => [ran.length, (await store().list())[0]?.failures]).toEqual([count, count]);
    let nowMs = Date.UTC(2026, 4, 7);
    hand.moveTo(nowMs);
    for (const [index, waitMs] of [1_000, 2_000, 4_000].entries()) {
      await tried(index + 1);
      expect((await store().list())[0]).toMatchObject({ retry_at_ms: nowMs + waitMs, error: "Error: not yet" });
      nowMs += waitMs;
      hand.moveTo(nowMs);
    }
    await ranTo(7);
    // Reported after the row is written.
    await expect.poll(() => outcomes).toEqual(["failed 1", "failed 2", "failed 3", "done 0"]);
    expect(new Set(days(ran))).toEqual(new Set(["07"]));
    expect((await store().list())[0]).toMatchObject({ failures: 0, error: "", holder: null });
  });

  test("[JOB-1] a process that does not lead runs nothing, and takes over when it does; the lease of a dead holder is awaited", async () => {
    let isLeader = false;
    const ran: JobPeriod[] = [];
    const row = await store().open("test.daily", Date.UTC(2026, 4, 6));
    await store().claim(row, "dead", START_MS, START_MS + DAY_MS);
    open("one", async (period) => void ran.push(period), { isLeader: () => isLeader });
    hand.moveTo(START_MS + DAY_MS);
    isLeader = true;
    hand.moveTo(START_MS + DAY_MS + 5_000);
    await ranTo(7);
    expect(days(ran)).toEqual(["07"]);
  });
});
