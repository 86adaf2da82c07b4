import { describe, expect, test } from "vitest";
import { decideGate, shortenPath } from "./gate.ts";
import type { PageRoute } from "./route-table.ts";

const futures: PageRoute = { path: "/futures/*", file: "futures", title: "Futures", middleware: "futures" };
const spot: PageRoute = { path: "/spot/*", file: "spot", title: "Spot", validate: "pairCode" };

describe("futures middleware", () => {
  const ask = (rest: string) => decideGate(futures, { rest, search: "?a=1" });

  test("[SITE-10] a contract code passes, lower case is corrected, anything else is no page", () => {
    expect(ask("/futures")).toEqual({ kind: "allow" });
    expect(ask("/futures/BTC_USDT")).toEqual({ kind: "allow" });
    expect(ask("/futures/btc_usdt")).toEqual({ kind: "redirect", to: "/futures/BTC_USDT?a=1" });
    expect(ask("/futures/<script>")).toMatchObject({ kind: "reject", status: 404 });
    expect(ask("/futures//evil.example")).toMatchObject({ kind: "reject", status: 404 });
  });

  test("[SITE-10] the figures of a contract follow the same rule, and are valid without one too", () => {
    expect(ask("/futures/data")).toEqual({ kind: "allow" });
    expect(ask("/futures/data/BTC_USDT")).toEqual({ kind: "allow" });
    expect(ask("/futures/data/btc-usdt")).toEqual({ kind: "redirect", to: "/futures/data/BTC_USDT?a=1" });
    expect(ask("/futures/data/nothing")).toMatchObject({ kind: "reject", status: 404 });
  });

  test("[SITE-10] the correction ends: what it redirects to is allowed", () => {
    const first = ask("/futures/eth_usdt");
    expect(
      first.kind === "redirect" && decideGate(futures, { rest: first.to.replace("?a=1", ""), search: "" }),
    ).toEqual({
      kind: "allow",
    });
  });
});

describe("validate step", () => {
  test("[SITE-10] a route's validate step allows or rejects, and a route without one allows", () => {
    expect(decideGate(spot, { rest: "/spot/BTC_USDT", search: "" })).toEqual({ kind: "allow" });
    expect(decideGate(spot, { rest: "/spot", search: "" })).toEqual({ kind: "allow" });
    expect(decideGate(spot, { rest: "/spot/BTC_USDT/more", search: "" })).toEqual({
      kind: "redirect",
      to: "/spot/BTC_USDT",
    });
    for (const code of ["btc_usdt", "BTC-USDT", "btc-usdt", "BTCUSDT", "btcusdt"]) {
      const decision = decideGate(spot, { rest: `/spot/${code}`, search: "?a=1" });
      expect(decision, code).toEqual({ kind: "redirect", to: "/spot/BTC_USDT?a=1" });
    }
    expect(decideGate(futures, { rest: "/futures/BTCUSD", search: "" })).toEqual({
      kind: "redirect",
      to: "/futures/BTC_USD",
    });
    expect(decideGate(spot, { rest: "/spot/USDT", search: "" })).toMatchObject({ kind: "reject" });
    expect(decideGate(spot, { rest: "/spot/../x", search: "" })).toMatchObject({ kind: "reject", status: 404 });
    expect(decideGate(undefined, { rest: "/anything", search: "" })).toEqual({ kind: "allow" });
  });
});

test("[SITE-11] a long path is named by its start", () => {
  expect(shortenPath("/short")).toBe("/short");
  expect(shortenPath(`/${"a".repeat(10_000)}`).length).toBeLessThan(130);
});
