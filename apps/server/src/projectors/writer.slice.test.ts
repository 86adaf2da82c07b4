// Checks the projection's writer and its cursor on both databases: nothing of a failed write is kept, and a cursor
// moved by another writer stops the write.

import type { EventBatch } from "@clockwork/host/engine";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { type CursorRow, type ProjectionStore, projectionStore } from "../engine/projection/store.ts";
import { localWriter } from "../engine/projection/writer.ts";
import { migrate } from "../storage/migrations.ts";
import { forEachDatabase } from "../storage/test-databases.ts";
import { dumpTables, JOURNAL, PROJECTION_MIGRATIONS, runSession } from "./projection-fixture.ts";
import { PROJECTORS } from "./projectors.ts";

const LOTS = 6;

forEachDatabase("projection writer", (given) => {
  beforeAll(() => migrate(given.database(), PROJECTION_MIGRATIONS));
  const store = (): ProjectionStore => projectionStore(given.database().kysely);
  const dump = () => dumpTables(given.database().kysely);
  const clear = () => store().clear(PROJECTORS.projectors.flatMap(({ tables }) => tables));
  beforeEach(clear);

  /** Writes the events in batches; `fails` decides for each transaction whether it fails after its rows are written. */
  const writeAll = async (batches: readonly EventBatch[], fails: (transaction: number) => boolean): Promise<number> => {
    const tables = store();
    let transactions = 0;
    const breaking: ProjectionStore = {
      ...tables,
      write: (from, to, write) =>
        tables.write(from, to, async (session) => {
          transactions++;
          await write(session);
          if (fails(transactions)) throw new Error("the disk is full");
        }),
    };
    const writer = localWriter(breaking, PROJECTORS);
    let cursor: CursorRow | undefined;
    const size = Math.ceil(batches.length / LOTS);
    for (let at = 0; at < batches.length; ) {
      const lot = batches.slice(at, at + size);
      const work = { journal: JOURNAL, from: cursor, batches: lot };
      const written = await writer.write(work).catch((error: unknown) => String(error));
      if (typeof written === "string") {
        expect(written).toContain("the disk is full");
        continue;
      }
      cursor = written;
      at += size;
    }
    return transactions;
  };

  test("[PROJECTION-4] a writer remembers nothing of a write that failed: the same lot again writes the same rows", async () => {
    const { batches } = runSession(21, 700);
    await writeAll(batches, () => false);
    const expected = await dump();
    await clear();
    expect(await writeAll(batches, (transaction) => transaction % 2 === 1)).toBe(LOTS * 2);
    expect(await dump()).toEqual(expected);
  });

  test("[PROJECTION-4] a cursor moved by another writer is detected, and nothing is written with it", async () => {
    const { batches } = runSession(22, 300);
    const [first, second] = [localWriter(store(), PROJECTORS), localWriter(store(), PROJECTORS)];
    const work = (from: CursorRow | undefined, to: number) => ({
      journal: JOURNAL,
      from,
      batches: batches.slice(0, to),
    });
    const started = await first.write(work(undefined, 100));
    await first.write(work(started, 200));
    const before = await dump();
    // It read the tables before the other went on.
    await expect(second.write(work(started, 300))).rejects.toThrow("another process writes it");
    expect(await dump()).toEqual(before);
  });
});
