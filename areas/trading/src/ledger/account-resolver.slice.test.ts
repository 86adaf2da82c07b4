// Checks that one intent gives one account, however often and by however many callers it is opened, on both databases
// and after a restart.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ProjectedEngine } from "@clockwork/server/engine/projected-engine";
import { startEngineWithTables } from "@clockwork/server/projectors/start";
import { ROOT_FOLDER } from "@clockwork/server/root-folder";
import { collectMigrations, migrate } from "@clockwork/server/storage/migrations";
import { forEachMigrated } from "@clockwork/server/storage/test-databases";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type AccountResolver, createAccountResolver } from "./account-resolver.ts";

forEachMigrated("account resolver", (place) => {
  const folder = mkdtempSync(join(tmpdir(), "cw-resolver-"));
  let engine: ProjectedEngine;
  let sent = 0;
  const start = async (): Promise<void> => {
    engine = await startEngineWithTables({
      folder,
      release: "test",
      kysely: place.database().kysely,
      segmentBytes: 1 << 20,
    });
  };
  /** As a newly started process with an empty cache. */
  const resolver = (): AccountResolver =>
    createAccountResolver({
      kysely: place.database().kysely,
      submit: (command) => {
        sent += 1;
        return engine.submit(command);
      },
    });
  beforeAll(async () => {
    await migrate(place.database(), collectMigrations(ROOT_FOLDER));
    await start();
  });
  afterAll(async () => {
    await engine.close();
    rmSync(folder, { recursive: true });
  });

  test("[WAL-1] two concurrent openings give one account, and so does a third by a process that has seen neither", async () => {
    const one = resolver();
    const [first, second] = await Promise.all([one.open(1_001, "linear"), one.open(1_001, "linear")]);
    const [third, fourth] = await Promise.all([resolver().open(1_001, "linear"), resolver().open(1_001, "linear")]);
    expect(first).toBeGreaterThan(0);
    expect([second, third, fourth]).toEqual([first, first, first]);
    expect(one.recall(1_001, "linear")).toBe(first);
    expect(await one.open(1_002, "linear")).not.toBe(first);
  });

  test("[WAL-1] many users are found at once: their accounts are cached from then on, and none is opened", async () => {
    const users = Array.from({ length: 450 }, (_, at) => 2_000 + at);
    const traders = users.filter((_, at) => at % 3 === 0);
    const opened = await Promise.all(traders.map((userId) => resolver().open(userId, "spot")));
    await engine.projection.flush();
    const [one, before] = [resolver(), sent];
    await one.meet(users);
    expect(traders.map((userId) => one.recall(userId, "spot"))).toEqual(opened);
    const others = users.filter((userId) => !traders.includes(userId));
    expect(others.flatMap((userId) => one.recall(userId, "spot") ?? [])).toEqual([]);
    expect(sent).toBe(before);
  });

  test("[WAL-1] books, subs and users are distinguished, both ways, and finding opens nothing", async () => {
    const one = resolver();
    expect(await one.find(1_010, "spot")).toBeUndefined();
    const opened = [
      await one.open(1_010, "funding"),
      await one.open(1_010, "spot"),
      await one.open(1_010, "inverse", { sub: 1 }),
      await one.open(1_010, "inverse", { sub: 2 }),
    ];
    expect(new Set(opened).size).toBe(4);
    const listed = (await one.list(1_010)).map(({ account, book, sub }) => [account, book, sub]);
    const names = [
      [opened[0], "funding", 0],
      [opened[1], "spot", 0],
      [opened[2], "inverse", 1],
      [opened[3], "inverse", 2],
    ];
    expect(listed).toEqual(names);
    await engine.projection.flush();
    const other = resolver();
    const before = sent;
    expect((await other.list(1_010)).map(({ account, book, sub }) => [account, book, sub])).toEqual(names);
    expect(await other.find(1_010, "inverse", 2)).toBe(opened[3]);
    expect(await other.open(1_010, "spot")).toBe(opened[1]);
    expect(await resolver().ownerOf(opened[3] ?? 0)).toEqual({ userId: 1_010, book: "inverse", sub: 2 });
    expect(await other.ownerOf(999_999)).toBeUndefined();
    expect(sent).toBe(before);
  });

  test("[OPS-1] a user whose first book is blocked gets every later one blocked as well", async () => {
    const one = resolver();
    const funding = await one.open(1_020, "funding", { blocked: true });
    expect(await one.open(1_020, "funding", { blocked: true })).toBe(funding);
    await engine.projection.flush();
    const earn = await one.open(1_020, "earn");
    const spot = await one.open(1_021, "spot");
    const move = { kind: "transfer", asset: 1, units: 1, reference: "blocked" } as const;
    await engine.submit({ kind: "listAsset", scale: 6, symbol: "USDT" });
    const refused = await engine.submit({ ...move, account: earn ?? 0, to: spot ?? 0 });
    expect(refused).toMatchObject({ done: false, code: "ACCOUNT_BLOCKED" });
  });

  test("[OPS-1] a book opened for a blocked user by a process that ended before it blocked it is blocked by the next", async () => {
    const funding = await resolver().open(1_030, "funding", { blocked: true });
    await engine.projection.flush();
    const dying = createAccountResolver({
      kysely: place.database().kysely,
      submit: (command) => (command.kind === "setAccountFlags" ? new Promise(() => undefined) : engine.submit(command)),
    });
    void dying.open(1_030, "earn");
    await expect.poll(() => resolver().find(1_030, "earn")).toBeGreaterThan(funding ?? 0);
    await engine.projection.flush();
    expect(await resolver().blockLeftOpen()).toBe(1);
    await engine.projection.flush();
    expect(await resolver().blockLeftOpen()).toBe(0);
    const earn = (await resolver().find(1_030, "earn")) ?? 0;
    const moved = { kind: "transfer", asset: 1, units: 1, reference: "left-open", account: earn, to: 16 } as const;
    expect(await engine.submit(moved)).toMatchObject({ done: false, code: "ACCOUNT_BLOCKED" });
  });

  test("[OPS-1] what a user is blocked for holds in every account, in one opened later as well, until it is lifted", async () => {
    const one = resolver();
    const spot = (await one.open(1_040, "spot")) ?? 0;
    await one.open(1_040, "funding");
    const to = (await one.open(1_041, "spot")) ?? 0;
    expect(await one.block(1_040, { trading: false, outgoing: true })).toBe(true);
    await engine.projection.flush();
    const earn = (await one.open(1_040, "earn")) ?? 0;
    const codeOf = async (account: number) => {
      const move = { kind: "transfer", asset: 1, units: 1, reference: crypto.randomUUID(), account, to } as const;
      const ack = await engine.submit(move);
      return ack.done ? "done" : ack.code;
    };
    expect([await codeOf(spot), await codeOf(earn)]).toEqual(["ACCOUNT_BLOCKED", "ACCOUNT_BLOCKED"]);
    expect(await one.block(1_040, { trading: false, outgoing: false })).toBe(true);
    expect([await codeOf(spot), await codeOf(earn)]).toEqual(["INSUFFICIENT_BALANCE", "INSUFFICIENT_BALANCE"]);
  });

  test("[WAL-1] after a restart the same request has the same answer", async () => {
    const before = await resolver().list(1_010);
    await engine.close();
    await start();
    expect(await resolver().list(1_010)).toEqual(before);
    expect(await resolver().open(1_010, "inverse", { sub: 1 })).toBe(before[2]?.account);
  });
});
