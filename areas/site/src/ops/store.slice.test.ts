// The ops store and service on real databases: both must count, limit and read alike.
import { ROOT_FOLDER } from "@clockwork/server/root-folder";
import { collectMigrations, migrate } from "@clockwork/server/storage/migrations";
import { forEachDatabase } from "@clockwork/server/storage/test-databases";
import { beforeAll, expect, test } from "vitest";
import type { StatisticsQuery } from "./contract.ts";
import { FOLDED, keyOf, labelEvent, RETENTION_DAYS } from "./rules.ts";
import { OpsService } from "./service.ts";
import { type OpsStore, opsStore } from "./store.ts";

const NOON_MS = Date.UTC(2026, 2, 9, 12);
const DAY_MS = 86_400_000;
const VISIT: StatisticsQuery = { event: "page_view", request_source: "PC", type: "home", utm_source: "mail" };

forEachDatabase("ops statistics", (place) => {
  let store: OpsStore;

  beforeAll(async () => {
    const ops = collectMigrations(ROOT_FOLDER).filter(({ name }) => name.startsWith("ops/"));
    await migrate(place.database(), ops);
    store = opsStore(place.database().kysely);
  });

  test("[NET-8] equal events add up in one row, others get their own", async () => {
    const service = new OpsService({ store });
    await service.recordEvent(VISIT, NOON_MS);
    await service.recordEvent({ ...VISIT, utm_source: " mail " }, NOON_MS + 5);
    await service.recordEvent({ ...VISIT, request_source: "H5" }, NOON_MS + 6);
    await service.recordEvent(VISIT, NOON_MS + DAY_MS);

    const read = await service.readRows({ fromDay: "2026-03-09", toDay: "2026-03-10" }, { offset: 0, limit: 10 });
    expect(read.done && read.value.rows.map((row) => [row.day, row.request_source, row.utm_source, row.count])).toEqual(
      [
        ["2026-03-10", "PC", "mail", 1],
        ["2026-03-09", "PC", "mail", 2],
        ["2026-03-09", "H5", "mail", 1],
      ],
    );
    expect(read.done && read.value.rows[1]).toMatchObject({ first_at_ms: NOON_MS, last_at_ms: NOON_MS + 5 });
  });

  test("[NET-8] events at the same moment are all counted", async () => {
    const service = new OpsService({ store });
    const many = Array.from({ length: 300 }, () =>
      service.recordEvent({ event: "burst", request_source: "H5" }, NOON_MS),
    );
    await Promise.all(many);
    const totals = await service.readTotals({ fromDay: "2026-03-09", toDay: "2026-03-09", event: "burst" });
    expect(totals).toEqual({
      done: true,
      value: [{ day: "2026-03-09", event: "burst", request_source: "H5", count: 300 }],
    });
  });

  test("[NET-8] an operator reads page by page and by filter", async () => {
    const service = new OpsService({ store });
    const timeMs = Date.UTC(2026, 5, 1);
    for (let index = 0; index < 7; index += 1) {
      await service.recordEvent({ event: "paged", request_source: "PC", utm_campaign: `c${index}` }, timeMs);
    }
    const filter = { fromDay: "2026-06-01", toDay: "2026-06-01", event: "paged", requestSource: "PC" as const };
    const campaigns = new Set<string>();
    let offset: number | undefined = 0;
    while (offset !== undefined) {
      const page = await service.readRows(filter, { offset, limit: 3 });
      if (!page.done) throw new Error(page.code);
      for (const row of page.value.rows) campaigns.add(row.utm_campaign);
      offset = page.value.nextOffset;
    }
    expect(campaigns.size).toBe(7);
    const none = await service.readRows({ ...filter, requestSource: "H5" }, { offset: 0, limit: 3 });
    expect(none.done && none.value.rows).toEqual([]);
  });

  test("[NET-8] past the day's bound a known row still counts and a new one is folded", async () => {
    const timeMs = Date.UTC(2026, 7, 1);
    const known: StatisticsQuery = { event: "known", request_source: "PC", utm_source: "a" };
    const labels = labelEvent(known, timeMs);
    await store.count(keyOf(labels), labels, timeMs);
    const full = new OpsService({ store: { ...store, countDayRows: async () => 20_000 } });
    await full.recordEvent(known, timeMs);
    await full.recordEvent({ ...known, utm_source: "b" }, timeMs);
    await full.recordEvent({ ...known, event: "invented", utm_source: "c" }, timeMs);

    const rows = await store.listRows({ fromDay: "2026-08-01", toDay: "2026-08-01" }, 0, 10);
    expect(rows.map((row) => [row.event, row.utm_source, row.count]).sort()).toEqual([
      [FOLDED, FOLDED, 2],
      ["known", "a", 2],
    ]);
  });

  test("[NET-8] rows older than the retention are removed when a new day starts", async () => {
    const oldMs = Date.UTC(2020, 0, 1);
    await new OpsService({ store }).recordEvent({ event: "old", request_source: "PC" }, oldMs);
    await new OpsService({ store }).recordEvent(
      { event: "old", request_source: "PC" },
      oldMs + RETENTION_DAYS * DAY_MS,
    );
    expect(await store.countDayRows("2020-01-01")).toBe(1);
    await new OpsService({ store }).recordEvent(
      { event: "old", request_source: "PC" },
      oldMs + (RETENTION_DAYS + 1) * DAY_MS,
    );
    expect(await store.countDayRows("2020-01-01")).toBe(0);
  });

  test("[NET-8] the longest labels in four-byte characters fit", async () => {
    const long = "😀".repeat(64);
    const query: StatisticsQuery = {
      event: "e".repeat(64),
      request_source: "H5",
      type: "t".repeat(64),
      utm_source: long,
      utm_medium: long,
      utm_campaign: long,
      utm_term: long,
      utm_content: long,
      utm_id: long,
    };
    const timeMs = Date.UTC(2026, 9, 1);
    await new OpsService({ store }).recordEvent(query, timeMs);
    const [row] = await store.listRows({ fromDay: "2026-10-01", toDay: "2026-10-01" }, 0, 1);
    expect(row?.utm_content).toBe(long);
  });
});
