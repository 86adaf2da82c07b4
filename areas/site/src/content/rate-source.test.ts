// An outside source of rates, over a real connection: valid responses, and its failures.
import { createServer, type Server } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { urlRateSource } from "./rate-source.ts";

const AT_MS = Date.UTC(2026, 2, 9);
let server: Server;
let url: string;
let next: { status: number; body: string; headers?: Record<string, string>; hangs?: boolean };

beforeAll(async () => {
  server = createServer((_, response) => {
    if (next.hangs === true) return;
    response.writeHead(next.status, { "content-type": "application/json", ...next.headers }).end(next.body);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}/latest?key=secret`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

test("[SITE-7] numbers and decimal text of our currencies are read, with the time they were made", async () => {
  const body = JSON.stringify({
    base: "USD",
    timestamp: AT_MS / 1000 - 60,
    rates: { EUR: 0.8612, JPY: "150.5", GBP: 0.7 },
  });
  next = { status: 200, body };
  const source = urlRateSource(url);
  expect(await source.fetchRates(AT_MS)).toEqual({ rates: { EUR: "0.8612", JPY: "150.5" }, asOfMs: AT_MS - 60_000 });
  expect(source.name).not.toContain("secret");
  expect(source.isSimulated).toBe(false);
});

test.each([undefined, "today", -5, 1e15, 1.5])("[SITE-7] a time of %s counts as now", async (timestamp) => {
  next = { status: 200, body: JSON.stringify({ timestamp, rates: { EUR: 1 } }) };
  expect((await urlRateSource(url).fetchRates(AT_MS)).asOfMs).toBe(AT_MS);
});

test.each([
  ["a refusal", { status: 500, body: "{}" }],
  ["no JSON", { status: 200, body: "<html>" }],
  ["no rates", { status: 200, body: '{"base":"USD"}' }],
  ["another base", { status: 200, body: '{"base":"EUR","rates":{"JPY":1}}' }],
  ["none of our currencies", { status: 200, body: '{"rates":{"GBP":1}}' }],
  ["nothing", { status: 200, body: "null" }],
  ["a way elsewhere", { status: 302, body: "", headers: { location: "http://127.0.0.1:1/" } }],
  ["a flood", { status: 200, body: `{"rates":{"EUR":1},"x":"${"a".repeat(300_000)}"}` }],
  ["silence", { status: 200, body: "", hangs: true }],
])("[SITE-7] a source that answers %s rejects", async (_what, answer) => {
  next = answer;
  await expect(urlRateSource(url, 300).fetchRates(AT_MS)).rejects.toThrow();
});
