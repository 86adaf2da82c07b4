// Margin notices are sent even when the process ends before it could: the next one resumes at the stored position, and
// sends nothing twice.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Visitor } from "@clockwork/server/process/account-fixture";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTradingServer, type TradingServer } from "../spot/spot-fixture.ts";
import { meet, startFuturesServer } from "./futures-fixture.ts";

let folder: string;
let server: TradingServer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "cw-margin-notices-"));
});
afterAll(async () => {
  await server?.close();
  await rm(folder, { recursive: true, force: true });
});

const run = (text: string) => sql.raw(text).execute(server.kysely as never);
const count = async (table: string): Promise<number> => {
  const { rows } = await sql<{ n: unknown }>`select count(*) as n from ${sql.table(table)}`.execute(
    server.kysely as never,
  );
  return Number(rows[0]?.n);
};

const titlesOf = async (visitor: Visitor): Promise<readonly string[]> => {
  const { letters } = (await visitor.get("/v2/users/letters")).data as { letters: { kind: string; title: string }[] };
  return letters
    .filter(({ kind }) => /margin-call|liquidation/.test(kind))
    .map(({ title }) => title)
    .sort();
};

test("[USR-3] a margin call and a liquidation that a process did not send are sent by the next, once each", async () => {
  const first = await startFuturesServer({ CW_DATA: folder });
  server = first;
  const [alice, bob] = [await first.player("3000"), await first.player("100000")];
  await alice.futures("/v1/futuresc/positions/margin-mode", { pairCode: "BTC_USDT", mode: "isolated" });
  await meet(alice, bob, { price: "50000", quantity: "1" });
  // From here on no notice can be written.
  await run("alter table notices_notice rename to notices_away");
  await first.mark(first.linear, 478_000);
  await first.mark(first.linear, 477_000);
  await expect.poll(() => count("engine_liquidations")).toBe(1);
  const rows = await count("engine_margin_told");
  expect(rows).toBeGreaterThan(1);
  // Rounds fail, and the stored position is unchanged.
  expect(await count("notices_place")).toBe(0);
  await run("alter table notices_away rename to notices_notice");
  await first.close();

  server = await startTradingServer({ CW_DATA: folder });
  const again = new Visitor(server, alice.headers);
  for (const [name, value] of alice.jar) again.jar.set(name, value);
  const both = ["70% of your margin is used", "Your BTC_USDT position was liquidated"];
  await expect.poll(() => titlesOf(again)).toEqual(expect.arrayContaining(both));
  const answer = await titlesOf(again);
  expect(answer.length).toBe(rows);
  await expect.poll(() => count("notices_place")).toBe(1);
});
