// The slice of docs/new-slice.md, made by following the page and served next to all others, so that the page cannot go
// stale.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Part } from "@clockwork/host/part";
import { SESSION_COOKIE } from "@clockwork/kit/constants";
import { DAY_MS } from "@clockwork/kit/time";
import type { PartContext } from "@clockwork/trading/context";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestServer, type TestServer, Visitor } from "../process/account-fixture.ts";
import { startEngineWithTables } from "../projectors/start.ts";
import { ROOT_FOLDER } from "../root-folder.ts";
import { openClient } from "../socket/socket-fixture.ts";
import { resolveTokens } from "../storage/dialect.ts";
import { notesPart } from "./part.ts";

const read = (file: string): string => readFileSync(join(import.meta.dirname, file), "utf8");

/** The page's blocks by the path written above each. */
function blocksOf(page: string): ReadonlyMap<string, string> {
  const found = page.matchAll(/^`([^`\n]+)`\n\n```[a-z]+\n(.*?)```$/gms);
  return new Map([...found].map(([, path = "", text = ""]) => [path, text]));
}

test("[OPS-4] the page shows the slice's files unchanged", () => {
  const blocks = blocksOf(readFileSync(join(ROOT_FOLDER, "docs/new-slice.md"), "utf8"));
  for (const file of ["001-notes.sql", "contract.ts", "store.ts", "service.ts", "routes.ts", "part.ts"]) {
    expect(blocks.get(`areas/site/src/notes/${file}`), file).toBe(read(file));
  }
});

/** Migrations are found below areas; this slice is elsewhere, so its table is made when it starts. */
function part(context: PartContext): Part {
  const table = resolveTokens(read("001-notes.sql"), "sqlite").split(";").slice(0, 2);
  return {
    ...notesPart(context),
    start: async () => {
      for (const statement of table) await sql.raw(statement).execute(context.database.kysely);
    },
  };
}

let server: TestServer;
beforeAll(async () => {
  const engine: Parameters<typeof startTestServer>[1] = (options) =>
    startEngineWithTables({ ...options, segmentBytes: 1 << 20 });
  server = await startTestServer({ CW_RATE_WEIGHT_PER_MINUTE: "0" }, engine, "listed", (context) => [part(context)]);
});
afterAll(() => server.close());

test("[OPS-4] its calls, its channel and its job are served by the one line in the list", async () => {
  const ada = new Visitor(server);
  expect((await ada.get("/v1/notes")).code).toBe("UNAUTHENTICATED");
  expect((await ada.signUp("ada@example.com")).code).toBe(0);
  const client = await openClient(`${server.url.replace("http", "ws")}/ws`);
  client.send({ event: "login", data: { token: ada.jar.get(SESSION_COOKIE.accessToken) } });
  await client.until(({ event }) => event === "login");
  client.send({ event: "sub", channel: "notes" });
  expect((await client.until(({ event }) => event === "data")).data).toEqual({ notes: [] });
  expect((await ada.post("/v1/notes/keep", { slot: 2, text: "buy low" })).data.notes).toHaveLength(1);
  const answer = await client.until(({ data }) => (data as { notes?: unknown[] } | undefined)?.notes?.length === 1);
  expect(answer.data).toMatchObject({ notes: [{ slot: 2, text: "buy low" }] });
  expect((await ada.post("/v1/notes/keep", { slot: 21, text: "x" })).code).toBe("VALIDATION_FAILED");
  expect((await ada.post("/v1/notes/remove", { slot: 3 })).code).toBe("NOTE_UNKNOWN");
  const { kysely } = server;
  server.wait(366 * DAY_MS);
  const count = async () =>
    kysely === undefined ? -1 : (await sql`SELECT slot FROM notes_note`.execute(kysely)).rows.length;
  await expect.poll(count).toBe(0);
  client.socket.close();
});
