// Statements over the running exchange: made in the background, reproducible, adding up, and visible to their owner
// only.
import { createHash } from "node:crypto";
import type { Visitor } from "@clockwork/server/process/account-fixture";
import { afterAll, beforeAll, expect, test } from "vitest";
import { place, startTradingServer, type TradingServer } from "../spot/spot-fixture.ts";
import type { FilePart, StatementFile } from "./contract.ts";

/** Before any activity. */
const BEGINNING_MS = Date.UTC(2020, 0, 1);
let server: TradingServer;
beforeAll(async () => {
  server = await startTradingServer();
});
afterAll(() => server?.close());

/** A time after everything that happened, in the past. */
function passMoment(): number {
  server.wait(1_000);
  const timeMs = server.nowMs();
  server.wait(1_000);
  return timeMs;
}

async function made(visitor: Visitor, clientId: string): Promise<StatementFile> {
  for (;;) {
    const { files } = (await visitor.get("/asset/v1/api/statement/list")).data as { files: StatementFile[] };
    const file = files.find((one) => one.clientId === clientId);
    if (file?.state === "DONE" || file?.state === "FAILED") return file;
    await new Promise((wake) => setTimeout(wake, 20));
  }
}

async function read(visitor: Visitor, { fileId, parts }: StatementFile): Promise<string> {
  const texts: string[] = [];
  for (let part = 0; part < parts; part += 1) {
    const answer = await visitor.get(`/asset/v1/api/statement/file?fileId=${fileId}&part=${part}`);
    texts.push((answer.data as FilePart).text);
  }
  return texts.join("");
}

const ask = (visitor: Visitor, body: object) =>
  visitor.post("/asset/v1/api/statement/make", { kind: "postings", format: "CSV", from: BEGINNING_MS, ...body });

test("[WAL-3] a statement adds up, is reproducible, carries its hash and the journal's head, and is visible only to its owner", async () => {
  const [visitor, other] = [await server.trader({ USDT: "1000", BTC: "1" }), await server.trader({ USDT: "100000" })];
  const moved = { asset: "USDT", amount: "250.5", from: "1", to: "3", clientId: "m1" };
  expect((await visitor.post("/asset/v1/api/wallet/transfer", moved)).status).toBe(200);
  const order = { pairCode: "BTC_USDT", type: "limit", price: "90000", quantity: "0.01" };
  expect(await place(visitor, { ...order, side: "sell" })).toMatchObject({ status: 200 });
  expect(await place(other, { ...order, side: "buy" })).toMatchObject({ status: 200 });
  const to = passMoment();
  for (const clientId of ["one", "two"]) expect((await ask(visitor, { to, clientId })).status).toBe(200);
  const [one, two] = [await made(visitor, "one"), await made(visitor, "two")];
  expect(one.state).toBe("DONE");
  const text = await read(visitor, one);
  expect(await read(visitor, two)).toBe(text);
  expect(createHash("sha256").update(text).digest("hex")).toBe(one.sha256);
  expect(one.journalHead).toBeGreaterThan(0);
  expect(text).toContain(`# journal head: ${one.journalHead}`);
  const above = text.slice(0, text.lastIndexOf("# sha256"));
  expect(text.slice(above.length)).toContain(createHash("sha256").update(above).digest("hex"));
  const preview = await visitor.get(`/asset/v1/api/statement/preview?asset=USDT&from=${BEGINNING_MS}&to=${to}`);
  expect(preview.data.opening).toBe("0");
  const sum = (preview.data.groups as { change: string }[]).reduce((all, { change }) => all + Number(change), 0);
  expect(sum).toBeCloseTo(Number(preview.data.closing), 6);
  expect(text).toMatch(/# Spot BTC closing: 0\.99/);
  expect(text).toMatch(/# Futures, USDT USDT closing: 250\.500000/);
  const theirs = await other.get(`/asset/v1/api/statement/file?fileId=${one.fileId}&part=0`);
  expect(theirs.code).toBe("STATEMENT_UNKNOWN");
  expect((await other.post("/asset/v1/api/statement/remove", { fileId: one.fileId })).code).toBe("STATEMENT_UNKNOWN");
});

test("[WAL-3] JSON, PDF and the tax export; one clientId one file; bad periods and coins are refused", async () => {
  const [visitor, other] = [await server.trader({ USDT: "1000" }), await server.trader({ BTC: "1", USDT: "1000" })];
  const order = { pairCode: "BTC_USDT", type: "limit", price: "90000", quantity: "0.01" };
  expect(await place(other, { ...order, side: "sell" })).toMatchObject({ status: 200 });
  expect(await place(visitor, { ...order, side: "buy" })).toMatchObject({ status: 200 });
  expect(await place(other, { ...order, price: "91000", side: "buy" })).toMatchObject({ status: 200 });
  expect(await place(visitor, { ...order, price: "91000", quantity: "0.005", side: "sell" })).toMatchObject({
    status: 200,
  });
  const to = passMoment();
  const tax = { kind: "tax", format: "JSON", basis: "AVERAGE", to, clientId: "tax" };
  const [first, again] = [await ask(visitor, tax), await ask(visitor, tax)];
  expect(again.data.fileId).toBe(first.data.fileId);
  expect((await ask(visitor, { ...tax, basis: "LIFO" })).code).toBe("CLIENT_ID_REUSED");
  const { rows } = JSON.parse(await read(visitor, await made(visitor, "tax")));
  expect(rows.map(({ type }: { type: string }) => type)).toEqual(["faucet", "trade", "trade"]);
  expect(rows[1]).toMatchObject({ "sent coin": "USDT", "received coin": "BTC" });
  expect(Number(rows[2]["gain USDT"])).toBeGreaterThan(0);
  expect((await ask(visitor, { format: "PDF", asset: "USDT", to, clientId: "pdf" })).status).toBe(200);
  expect(await read(visitor, await made(visitor, "pdf"))).toMatch(/^%PDF-1\.4/);
  expect((await ask(visitor, { to: to + 900_000_000, clientId: "late" })).code).toBe("PERIOD_OPEN");
  expect((await ask(visitor, { from: to, to, clientId: "none" })).code).toBe("PERIOD_INVALID");
  expect((await ask(visitor, { to, asset: "NOPE", clientId: "coin" })).code).toBe("UNKNOWN_ASSET");
  const left = await visitor.post("/asset/v1/api/statement/remove", { fileId: first.data.fileId });
  expect(left.data.files).toHaveLength(1);
});
