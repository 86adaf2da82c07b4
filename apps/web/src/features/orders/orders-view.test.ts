import { expect, test } from "vitest";
import { callsOf, readOrdersView, writeOrdersView } from "./orders-view.ts";

const read = (text: string) => readOrdersView(new URLSearchParams(text));

test("[SPOT-4] what is shown is said by the address, and nothing strange in it counts", () => {
  const text = "?tab=trades&pair=BTC_USDT&side=sell&from=2026-03-01&to=2026-03-09";
  expect(writeOrdersView(read(text))).toBe(text);
  expect(read("?tab=x&pair=<b>&side=up&from=today")).toEqual({ tab: "open", pair: "", side: "", from: "", to: "" });
  expect(writeOrdersView(read("?tab=nothing"))).toBe("?");
});

test("[SPOT-4] each view asks for its own pages, whole days included", () => {
  expect(callsOf(read("?pair=BTC_USDT"))).toEqual([
    "/v1/spot/orders?state=open&pairCode=BTC_USDT",
    "/v1/spot/orders?state=plan&pairCode=BTC_USDT",
  ]);
  expect(callsOf(read("?tab=history&side=buy&from=1970-01-02&to=1970-01-02"), "7-3")).toEqual([
    "/v1/spot/orders?state=history&side=buy&from=86400000&to=172799999&limit=50&before=7-3",
  ]);
  expect(callsOf(read("?tab=trades"))).toEqual(["/v1/spot/fills?limit=50"]);
  expect(callsOf(read("?tab=transfers&side=buy"))).toEqual(["/asset/v1/api/wallet/bills?business=transfer&limit=50"]);
});
