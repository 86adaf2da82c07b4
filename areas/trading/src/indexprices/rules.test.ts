import { generateKeyPairSync, sign } from "node:crypto";
import { readConfig } from "@clockwork/host/settings/config";
import { expect, test } from "vitest";
import { isOwn, readMessage, readSources, ticksOf, toCommands } from "./rules.ts";
import { IndexPriceService } from "./service.ts";

const NOW_MS = 1_800_000_000_000;
const keys = ["venues", "second"].map((name) => {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const raw = publicKey.export({ format: "der", type: "spki" }).subarray(-32).toString("base64");
  return { name, setting: `${name}=${raw}`, privateKey };
});
const SOURCES = readSources(keys.map(({ setting }) => setting));
const contract = (market: number, symbol: string, status = "PRE") => ({
  market,
  base: { symbol, name: symbol, asset: market, scale: 8 },
  priceMantissa: 5,
  priceDecimals: 1,
  status,
});

function body(at: number, message: object, signer = at) {
  const text = JSON.stringify(message);
  const { name } = keys[at] ?? { name: "" };
  const key = keys[signer]?.privateKey;
  if (key === undefined) throw new Error("no such key");
  return { source: name, message: text, signature: sign(null, Buffer.from(text), key).toString("base64") };
}

test("[FUT-3] a price is rounded to the nearest tick exactly, and what a contract cannot express is left out", () => {
  const half = { priceMantissa: 5, priceDecimals: 1 };
  expect([ticksOf(half, "96500.5"), ticksOf(half, "96500.74"), ticksOf(half, "96500.75")]).toEqual([
    193_001, 193_001, 193_002,
  ]);
  expect([ticksOf(half, "0.2"), ticksOf(half, "0"), ticksOf(half, "999999999999"), ticksOf(half, "x")]).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

test("[FUT-3] a message gives a command for each contract of its coins that is listed, with the source's number", () => {
  const [, second] = SOURCES;
  if (second === undefined) throw new Error("no second source");
  const contracts = [
    contract(1, "BTC"),
    contract(2, "ETH"),
    contract(3, "BTC", "DELISTED"),
    contract(4, "BTC", "TRADING"),
  ];
  expect(toCommands(second, { atMs: 1, prices: { BTC: "100", DOGE: "1" } }, contracts)).toEqual([
    { kind: "setIndexPrice", market: 1, source: 1, price: 200 },
    { kind: "setIndexPrice", market: 4, source: 1, price: 200 },
  ]);
});

test("[FUT-3] a signature counts for its own source and its own bytes alone", () => {
  const [first, second] = SOURCES;
  if (first === undefined || second === undefined) throw new Error("no sources");
  const { message, signature } = body(0, { atMs: 1, prices: { BTC: "1" } });
  expect(isOwn(first, message, signature)).toBe(true);
  expect(isOwn(second, message, signature)).toBe(false);
  expect(isOwn(first, message.replace('"1"', '"2"'), signature)).toBe(false);
});

test("[FUT-3] a message without a time, with other fields, or with a price that is none is invalid", () => {
  for (const text of ["", "[]", '{"prices":{"BTC":"1"}}', '{"atMs":1,"prices":{}}', '{"atMs":1,"prices":{"btc":"1"}}'])
    expect(readMessage(text), text).toMatchObject({ done: false });
  for (const price of ["0", "-1", "1e5", "1,5", ""])
    expect(readMessage(JSON.stringify({ atMs: 1, prices: { BTC: price } })), price).toMatchObject({ done: false });
  expect(readMessage('{"atMs":1,"prices":{"BTC":"96500.5"}}')).toMatchObject({ done: true });
});

test("[FUT-3] a message is taken once: not again, not after a later one, not with a time that is off", async () => {
  const sent: unknown[] = [];
  const service = new IndexPriceService({
    sources: SOURCES,
    submit: async (command) => {
      sent.push(command);
      return { done: true, sequence: sent.length, timeMs: NOW_MS, events: [] };
    },
    listContracts: () => [contract(1, "BTC")] as never,
  });
  const push = async (given: ReturnType<typeof body>) => {
    const answer = await service.push(given, NOW_MS);
    return answer.done ? answer.value : answer.code;
  };
  const price = (atMs: number) => ({ atMs, prices: { BTC: "100" } });
  const first = body(0, price(NOW_MS));
  expect(await push({ ...first, source: "nobody" })).toBe("INDEX_SIGNATURE_WRONG");
  expect(await push(body(0, price(NOW_MS), 1))).toBe("INDEX_SIGNATURE_WRONG");
  expect(await push(body(0, price(NOW_MS + 10_001)))).toBe("INDEX_MESSAGE_OLD");
  expect(await push(body(0, price(NOW_MS - 10_001)))).toBe("INDEX_MESSAGE_OLD");
  expect(await push(body(0, { atMs: NOW_MS }))).toBe("INDEX_MESSAGE_INVALID");
  expect(sent).toEqual([]);
  expect(await push(first)).toBe(1);
  expect(await push(first)).toBe("INDEX_MESSAGE_OLD");
  expect(await push(body(0, price(NOW_MS - 1)))).toBe("INDEX_MESSAGE_OLD");
  // Sources do not wait for each other.
  expect(await push(body(1, price(NOW_MS - 1)))).toBe(1);
  expect(sent).toHaveLength(2);
});

test("[OPS-7] one source alone, two of one name, more than the core has places for, or a key that is none stop the start", () => {
  const problems = (text: string) => readConfig({ CW_INDEX_SOURCES: text }).problems.map(({ setting }) => setting);
  const [one = "", two = ""] = keys.map(({ setting }) => setting);
  expect(problems(`${one},${two}`)).toEqual([]);
  const nine = Array.from({ length: 9 }, (_, at) => one.replace("venues", `venue${at}`)).join(",");
  for (const wrong of [one, `${one},${one}`, "venues=abc", nine])
    expect(problems(wrong), wrong).toEqual(["CW_INDEX_SOURCES"]);
});
