// The ops service's own decisions: refused reads and recovery. The store here is a plain object.
import { expect, test } from "vitest";
import { OpsService } from "./service.ts";
import type { OpsStore } from "./store.ts";

function plainStore(overrides: Partial<OpsStore> = {}): OpsStore {
  return {
    count: async () => ({ isNew: true }),
    countKnown: async () => false,
    countDayRows: async () => 0,
    deleteBefore: async () => undefined,
    listRows: async () => [],
    listTotals: async () => [],
    ...overrides,
  };
}

test.each([
  ["no date", "yesterday", "2026-03-09"],
  ["a day that does not exist", "2026-02-30", "2026-03-09"],
  ["a time of day", "2026-03-09 10:00", "2026-03-10"],
  ["the end before the start", "2026-03-09", "2026-03-08"],
  ["more than the range admits", "2024-01-01", "2026-03-09"],
])("[NET-8] a reading with %s is refused", async (_what, fromDay, toDay) => {
  const service = new OpsService({ store: plainStore() });
  expect(await service.readTotals({ fromDay, toDay })).toMatchObject({ done: false, code: "OPS_RANGE_INVALID" });
  const rows = await service.readRows({ fromDay, toDay }, { offset: 0, limit: 10 });
  expect(rows).toMatchObject({ done: false, code: "OPS_RANGE_INVALID" });
});

test.each([
  [-1, 10],
  [0, 0],
  [0, 501],
  [0.5, 10],
])("[NET-8] a page at %d of %d rows is refused", async (offset, limit) => {
  const service = new OpsService({ store: plainStore() });
  const read = await service.readRows({ fromDay: "2026-03-09", toDay: "2026-03-09" }, { offset, limit });
  expect(read).toMatchObject({ done: false, code: "OPS_PAGE_INVALID" });
});

test("[NET-8] a failed first count of the day is retried by the next event", async () => {
  let requested = 0;
  const store = plainStore({
    countDayRows: async () => {
      requested += 1;
      if (requested === 1) throw new Error("away");
      return 0;
    },
  });
  const service = new OpsService({ store });
  await expect(service.recordEvent({ event: "a", request_source: "PC" }, 0)).rejects.toThrow("away");
  await service.recordEvent({ event: "a", request_source: "PC" }, 0);
  await service.recordEvent({ event: "a", request_source: "PC" }, 1);
  expect(requested).toBe(2);
});

test("[NET-8] a day of invented campaigns stays within its limit of rows", async () => {
  const keys = new Set<string>();
  const store = plainStore({
    count: async (key) => {
      const isNew = !keys.has(key);
      keys.add(key);
      return { isNew };
    },
    countKnown: async (key) => keys.has(key),
  });
  const service = new OpsService({ store });
  for (let index = 0; index < 12_000; index += 1) {
    await service.recordEvent({ event: "a", request_source: "PC", utm_source: `s${index}` }, 0);
  }
  expect(keys.size).toBe(10_001);
  for (let index = 0; index < 12_000; index += 1) {
    await service.recordEvent({ event: `e${index}`, request_source: "PC" }, 0);
  }
  expect(keys.size).toBe(20_001);
});

test("[NET-8] the limit holds for concurrent labels", async () => {
  const keys = new Set<string>();
  const store = plainStore({
    countDayRows: async () => 9_990,
    count: async (key) => {
      await new Promise((done) => setImmediate(done));
      const isNew = !keys.has(key);
      keys.add(key);
      return { isNew };
    },
  });
  const service = new OpsService({ store });
  await Promise.all(
    Array.from({ length: 200 }, (_, index) =>
      service.recordEvent({ event: "a", request_source: "PC", utm_source: `s${index}` }, 0),
    ),
  );
  expect(keys.size).toBe(11);
});
