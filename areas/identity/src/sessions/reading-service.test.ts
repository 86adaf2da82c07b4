// A call never waits until its session's last use is written: a long transaction may be ahead of it.
import { expect, test } from "vitest";
import { SessionReading } from "./reading-service.ts";
import { formatAccess } from "./rules.ts";
import type { SessionRow, SessionStore } from "./store.ts";

const MINUTE_MS = 60_000;
const mark = (text: string, context: string): string => `${context}-${text.length}`;
const OPENED: SessionRow = {
  id: "session-1",
  user_id: 7,
  generation: 0,
  rotated_at_ms: 0,
  created_at_ms: 0,
  seen_at_ms: 0,
  ends_at_ms: 100 * MINUTE_MS,
  is_kept: true,
  verified_at_ms: 0,
  device_key: "",
  device_name: "",
  address: "",
  method: "password",
  version: 1,
};

/** Stored rows, and pending writes. */
class Rows {
  row = OPENED;
  readonly waiting: (() => void)[] = [];
  requested: number[] = [];

  readonly store: Pick<SessionStore, "find" | "touch"> = {
    find: async () => this.row,
    touch: async (_id, timeMs) => {
      this.requested.push(timeMs);
      const turn = Promise.withResolvers<void>();
      this.waiting.push(turn.resolve);
      await turn.promise;
      this.row = { ...this.row, seen_at_ms: timeMs };
    },
  };
}

test("[AUTH-3] a call is identified while its session's last use waits to be written, which is requested once", async () => {
  const rows = new Rows();
  const reading = new SessionReading(rows.store as SessionStore, mark);
  const token = formatAccess(OPENED.id, 50 * MINUTE_MS, "all", mark);
  const ask = async (timeMs: number) => (await reading.readAccess(token, "all", timeMs))?.userId;
  expect(await ask(MINUTE_MS - 1)).toBe("7");
  expect(rows.requested).toEqual([]);
  expect(await ask(2 * MINUTE_MS)).toBe("7");
  expect(await ask(2 * MINUTE_MS + 5_000)).toBe("7");
  expect(rows.requested).toEqual([2 * MINUTE_MS]);
  for (const write of rows.waiting.splice(0)) write();
  await expect.poll(() => rows.row.seen_at_ms).toBe(2 * MINUTE_MS);
  expect(await ask(2 * MINUTE_MS + 10_000)).toBe("7");
  expect(await ask(3 * MINUTE_MS + 10_000)).toBe("7");
  expect(rows.requested).toEqual([2 * MINUTE_MS, 3 * MINUTE_MS + 10_000]);
});
