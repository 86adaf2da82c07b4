// How readers share their time, with threads that answer when the test resolves them.

import { readFor } from "@clockwork/host/reading";
import { expect, test } from "vitest";
import { READERS_MAX, SqliteReaders } from "./sqlite-readers.ts";
import type { Measured, SqliteThread, StatementText } from "./sqlite-thread.ts";

/** Statements being read, by their text; `answer` ends one with the time it took. */
function openBench() {
  const running = new Map<string, (measured: Measured) => void>();
  const open = async (): Promise<SqliteThread> =>
    ({
      runMeasured: (_: string, [statement]: readonly StatementText[]) =>
        new Promise<Measured>((resolve) => running.set(statement?.sql ?? "", resolve)),
      close: async () => undefined,
    }) as unknown as SqliteThread;
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return {
    running,
    open,
    settle,
    async answer(sql: string, ms: number) {
      const resolve = running.get(sql);
      running.delete(sql);
      resolve?.({ results: [], ms });
      await settle();
    },
    names: () => [...running.keys()].sort(),
  };
}

async function openReaders() {
  const bench = openBench();
  const readers = new SqliteReaders(await bench.open(), bench.open);
  const read = async (key: string, sql: string): Promise<{ spentMs: number }> => {
    const caller = { key, spentMs: 0 };
    readFor(caller, () => void readers.read({ sql, parameters: [] }));
    await bench.settle();
    await bench.settle();
    return caller;
  };
  return { ...bench, readers, read };
}

test("[OPS-4] a caller has one thread at a time, and others do not wait for its statement", async () => {
  const { read, names, answer, readers } = await openReaders();
  await read("heavy", "heavy 1");
  await read("heavy", "heavy 2");
  expect(names()).toEqual(["heavy 1"]);
  await read("light", "light 1");
  expect([names(), readers.threads]).toEqual([["heavy 1", "light 1"], 2]);
  await answer("heavy 1", 900);
  expect(names()).toEqual(["heavy 2", "light 1"]);
});

test("[OPS-4] however many callers are slow, a quick one finds a thread free of them", async () => {
  const { read, names, answer } = await openReaders();
  const slow = ["a", "b", "c", "d", "e"];
  for (const key of slow) {
    await read(key, `${key} 1`);
    await answer(`${key} 1`, 500);
  }
  for (const key of slow) await read(key, `${key} 2`);
  expect(names()).toHaveLength(READERS_MAX - 1);
  await read("quick", "quick 1");
  expect(names()).toContain("quick 1");
});

test("[OPS-4] the caller with the least usage is served first, and statements are charged to callers", async () => {
  const { read, names, answer } = await openReaders();
  // Every thread has a quick caller's first statement.
  const first = await read("a", "a 1");
  for (const key of ["b", "c", "d"]) await read(key, `${key} 1`);
  await read("a", "a 2");
  await read("e", "e 1");
  await answer("a 1", 7);
  expect(first.spentMs).toBe(7);
  expect(names()).toEqual(["b 1", "c 1", "d 1", "e 1"]);
  await answer("e 1", 1);
  expect(names()).toContain("a 2");
});

test("[OPS-4] quick statements of one caller share a message, slow ones go one by one", async () => {
  const { read, names, answer } = await openReaders();
  await read("other", "other 1");
  for (const number of [1, 2, 3]) void read("a", `a ${number}`);
  await read("a", "a 4");
  expect(names().filter((name) => name.startsWith("a"))).toHaveLength(4);
  for (const number of [1, 2, 3, 4]) await answer(`a ${number}`, 20);
  for (const number of [5, 6]) void read("a", `a ${number}`);
  await read("a", "a 7");
  expect(names().filter((name) => name.startsWith("a"))).toEqual(["a 5"]);
});
