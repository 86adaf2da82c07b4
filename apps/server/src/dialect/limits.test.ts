// Request limits for a client of the Binance dialect, and the answer above them.
import { expect, test } from "vitest";
import { dialectLimits, familyOf, ORDERS_PER_TEN_SECONDS, WEIGHT_PER_MINUTE, WEIGHTS_PER_MINUTE } from "./limits.ts";
import { DialectRefusal } from "./refusal.ts";
import { readCall } from "./request.ts";
import { chargeFailed, payAndRead, prove, type ServeParts } from "./serve.ts";

const ADDRESS = "192.0.2.7";
const ANN = { userId: 1, apiKey: "a", orderRate: ORDERS_PER_TEN_SECONDS };

function refusalOf(work: () => unknown): { code: number; status: number; retryAfterSeconds: number | undefined } {
  try {
    work();
  } catch (error) {
    const { code, status, retryAfterSeconds } = error as DialectRefusal;
    return { code, status, retryAfterSeconds };
  }
  throw new Error("it was allowed");
}

test("[BOT-1] weight is counted by address and minute; too much is 429, and going on is a ban with its end", () => {
  const limits = dialectLimits(true, () => 1);
  expect(limits.chargeWeight(ADDRESS, WEIGHT_PER_MINUTE, 0)).toBe(WEIGHT_PER_MINUTE);
  expect(refusalOf(() => limits.chargeWeight(ADDRESS, 1, 1_000))).toEqual({
    code: -1003,
    status: 429,
    retryAfterSeconds: 59,
  });
  expect(limits.chargeWeight("192.0.2.8", 1, 1_000)).toBe(1);
  for (let time = 0; time < 99; time += 1)
    expect(refusalOf(() => limits.chargeWeight(ADDRESS, 1, 1_000)).status).toBe(429);
  const banned = refusalOf(() => limits.chargeWeight(ADDRESS, 1, 1_000));
  expect([banned.code, banned.status]).toEqual([-1003, 418]);
  const untilMs = 1_000 + (banned.retryAfterSeconds ?? 0) * 1_000;
  expect(untilMs).toBeGreaterThan(61_000);
  expect(refusalOf(() => limits.chargeWeight(ADDRESS, 1, untilMs - 1)).status).toBe(418);
  expect(limits.chargeWeight(ADDRESS, 1, untilMs)).toBe(1);
});

test("[BOT-1] an account has one budget for all of its addresses and keys; spent, it waits and is never banned", () => {
  const limits = dialectLimits(true, () => 1);
  limits.chargeWeight(ADDRESS, WEIGHT_PER_MINUTE - 1, 0);
  limits.chargeAccount(1, WEIGHT_PER_MINUTE - 1, 0);
  limits.chargeWeight("192.0.2.8", 2, 0);
  const refused = { code: -1003, status: 429, retryAfterSeconds: 60 };
  for (let time = 0; time < 200; time += 1) expect(refusalOf(() => limits.chargeAccount(1, 2, 0))).toEqual(refused);
  // Of both budgets the fuller one is reported.
  expect(limits.readAll(1, "192.0.2.8", 0).weight.used).toBe(WEIGHT_PER_MINUTE - 1);
  // Others are not held back by it, and a minute later nothing is left of it.
  limits.chargeAccount(2, WEIGHT_PER_MINUTE, 0);
  limits.chargeAccount(1, WEIGHT_PER_MINUTE, 60_000);
  dialectLimits(false, () => 1).chargeAccount(1, WEIGHT_PER_MINUTE + 1, 0);
});

test("[BOT-1] reads by two keys of an account from many addresses share a budget, another user's do not", async () => {
  const limits = dialectLimits(true, () => 1);
  const holderOf = (apiKey: string) => ({
    ...ANN,
    apiKey,
    userId: apiKey.startsWith("a") ? 1 : 2,
    permissions: ["read"],
  });
  const reading = {
    recall: (apiKey: string) => ({ done: true, value: holderOf(apiKey) }),
    touch: () => undefined,
  };
  const parts = { limits, reading } as unknown as ServeParts;
  const read = readCall({ query: "", body: "" });
  let requested = 0;
  const ask = (first: string, weight: number | (() => number)) => {
    requested += 1;
    const from = { apiKey: first.padEnd(64, "k"), address: `192.0.2.${requested % 200}`, call: "GET /" };
    const endpoint = { method: "GET", path: "/api/v3/", weight, security: "key", handle: () => undefined } as const;
    return prove(parts, endpoint, read, from, 0);
  };
  for (let time = 0; time < WEIGHT_PER_MINUTE / 40; time += 1) {
    await ask("a1", 20);
    await ask("a2", () => 20);
  }
  for (const key of ["a1", "a2"]) expect(refusalOf(() => ask(key, 1))).toMatchObject({ code: -1003, status: 429 });
  await ask("b", 20);
  // Placing an order weighs nothing there and continues: a client that cannot read must be able to exit.
  await ask("a1", 0);
});

test("[BOT-1] orders are counted by account and by key; a key's own rate holds it back before its owner's", () => {
  const limits = dialectLimits(true, () => 1);
  const slow = { ...ANN, apiKey: "slow", orderRate: 2 };
  for (let order = 1; order <= 2; order += 1)
    expect(limits.chargeOrders(slow, 1, 0)).toEqual({ tenSeconds: order, day: order });
  expect(refusalOf(() => limits.chargeOrders(slow, 1, 0))).toMatchObject({ code: -1015, status: 429 });
  expect(limits.chargeOrders(ANN, ORDERS_PER_TEN_SECONDS - 2, 0).tenSeconds).toBe(ORDERS_PER_TEN_SECONDS);
  expect(refusalOf(() => limits.chargeOrders(ANN, 1, 9_999))).toMatchObject({ code: -1015, status: 429 });
  expect(limits.readOrders(1, 9_999).tenSeconds).toBe(ORDERS_PER_TEN_SECONDS);
  expect(limits.chargeOrders(ANN, 1, 10_000)).toEqual({ tenSeconds: 1, day: ORDERS_PER_TEN_SECONDS + 1 });
});

test("[VIP-1] who may send more may send as many times more", () => {
  const limits = dialectLimits(true, () => 2);
  expect(limits.chargeOrders(ANN, 2 * ORDERS_PER_TEN_SECONDS, 0).tenSeconds).toBe(2 * ORDERS_PER_TEN_SECONDS);
  expect(refusalOf(() => limits.chargeOrders(ANN, 1, 0)).code).toBe(-1015);
});

test("[BOT-1] where nothing is counted orders are reported and never held back", () => {
  const limits = dialectLimits(false, () => 1);
  for (let order = 1; order <= 200; order += 1) expect(limits.chargeOrders(ANN, 1, 0).tenSeconds).toBe(order);
  expect(limits.chargeWeight(ADDRESS, WEIGHT_PER_MINUTE + 1, 0)).toBe(0);
});

test("[BOT-1] weight is charged before anything is read, and reported whether or not the call is refused", () => {
  const limits = dialectLimits(true, () => 1);
  const answer = { lines: "", used: 0 };
  let reads = 0;
  const ask = (weight: number | (() => number), query: string) =>
    payAndRead({ limits }, { weight, path: "/api/v3/" }, ADDRESS, 0, answer, () => {
      reads += 1;
      return readCall({ query, body: "" });
    });
  const head = (used: number) => `x-mbx-used-weight: ${used}\r\nx-mbx-used-weight-1m: ${used}\r\n`;
  expect(refusalOf(() => ask(20, "a=1&a=1")).code).toBe(-1101);
  expect([answer.lines, answer.used, reads]).toEqual([head(20), 20, 1]);
  expect(refusalOf(() => ask(() => 80, "a=%E0")).code).toBe(-1100);
  expect(answer.used).toBe(21);
  ask(() => 80, "a=1");
  expect(answer.used).toBe(101);
  limits.chargeWeight(ADDRESS, WEIGHT_PER_MINUTE - 101, 0);
  reads = 0;
  expect(refusalOf(() => ask(1, "a=1")).status).toBe(429);
  expect([answer.lines, reads]).toEqual([head(WEIGHT_PER_MINUTE), 0]);
  for (let time = 0; time < 100; time += 1) refusalOf(() => ask(1, "a=1"));
  expect(refusalOf(() => ask(1, "a=1")).status).toBe(418);
  expect([answer.lines, reads]).toEqual([head(WEIGHT_PER_MINUTE), 0]);
});

test("[BOT-1] a weightless order costs its address one when it is refused before it counts as an order", () => {
  const limits = dialectLimits(true, () => 1);
  const answer = { lines: "", used: 0 };
  const parts = { limits, clock: () => 0 };
  const refused = new DialectRefusal(-2015, "Invalid API-key, IP, or permissions for action.", 401);
  const turnAway = (weight: number) => chargeFailed(parts, { weight, path: "/api/v3/" }, ADDRESS, answer, refused);
  expect(turnAway(1)).toBe(refused);
  expect(limits.readWeight(ADDRESS, 0)).toBe(0);
  expect(turnAway(0)).toBe(refused);
  expect([answer.used, limits.readWeight(ADDRESS, 0)]).toEqual([1, 1]);
  limits.chargeWeight(ADDRESS, WEIGHT_PER_MINUTE - 1, 0);
  expect(turnAway(0)).toMatchObject({ status: 429, code: -1003 });
  // Not for what is a fault of ours.
  const fault = new Error("the disk is gone");
  expect(chargeFailed(parts, { weight: 0, path: "/api/v3/" }, ADDRESS, answer, fault)).toBe(fault);
});

test("[BOT-1] spot, both kinds of contracts and wallets have budgets of their own, as Binance has them", () => {
  const paths = [
    "/api/v3/order",
    "/ws-api/v3",
    "/fapi/v1/order",
    "/futures/data/basis",
    "/ws-fapi/v1",
    "/dapi/v1/ping",
  ];
  expect(paths.map(familyOf)).toEqual(["api", "api", "fapi", "fapi", "fapi", "dapi"]);
  expect(familyOf("/sapi/v1/asset/transfer")).toBe("sapi");
  const limits = dialectLimits(true, () => 1);
  for (const family of ["api", "fapi", "dapi", "sapi"] as const) {
    const most = WEIGHTS_PER_MINUTE[family];
    expect(limits.chargeWeight(ADDRESS, most, 0, family)).toBe(most);
    expect(refusalOf(() => limits.chargeWeight(ADDRESS, 1, 0, family))).toMatchObject({ code: -1003, status: 429 });
    expect(limits.chargeOrders(ANN, ORDERS_PER_TEN_SECONDS, 0, family).tenSeconds).toBe(ORDERS_PER_TEN_SECONDS);
  }
});

test("[BOT-1] a weight on the account's own scale costs its address one", async () => {
  const limits = dialectLimits(true, () => 1);
  const endpoint = { weight: 900, path: "/sapi/v1/asset/transfer", isOwnWeight: true };
  const answer = { lines: "", used: 0 };
  for (let call = 1; call <= 200; call += 1) {
    payAndRead({ limits }, endpoint, ADDRESS, 0, answer, () => readCall({ query: "", body: "" }));
    expect(limits.chargeAccount(1, 900, 0, "sapi")).toBe(900 * call);
  }
  expect(answer.lines).toBe("x-sapi-used-ip-weight-1m: 200\r\n");
  expect(refusalOf(() => limits.chargeAccount(1, 900, 0, "sapi"))).toMatchObject({ code: -1003, status: 429 });
});

test("[BOT-1] when the order limit is used up, closing orders continue, as many times again and no more", () => {
  const limits = dialectLimits(true, () => 1);
  limits.chargeOrders(ANN, ORDERS_PER_TEN_SECONDS, 0, "fapi");
  expect(refusalOf(() => limits.chargeOrders(ANN, 1, 0, "fapi")).code).toBe(-1015);
  for (let order = 1; order <= ORDERS_PER_TEN_SECONDS; order += 1) {
    expect(limits.chargeOrders(ANN, 1, 0, "fapi", true).tenSeconds).toBe(ORDERS_PER_TEN_SECONDS);
  }
  expect(refusalOf(() => limits.chargeOrders(ANN, 1, 0, "fapi", true)).code).toBe(-1015);
  expect(limits.chargeOrders(ANN, 1, 10_000, "fapi", true).tenSeconds).toBe(1);
});
