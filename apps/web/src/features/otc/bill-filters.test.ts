// The parameters in an address of the bills and of the market are checked before the request.
import { DAY_MS } from "@clockwork/kit/time";
import { expect, test } from "vitest";
import { billsQuery, readBillFilters } from "./bill-filters.ts";
import { readRequested, requestedPath } from "./requested.ts";

test("[OTC-1] filters of bills are read from the address; what is unknown is left out", () => {
  const filters = readBillFilters(new URLSearchParams("kind=fee&asset=BTC&fiat=EUR&days=7"));
  expect(filters).toEqual({ kind: "fee", asset: "BTC", fiat: "EUR", days: "7" });
  expect(billsQuery(filters, 10 * DAY_MS)).toEqual({ kind: "fee", asset: "BTC", fiat: "EUR", since: 3 * DAY_MS });
  expect(readBillFilters(new URLSearchParams("kind=x&asset=DOGE&fiat=XXX&days=-1"))).toEqual({});
});

test("[OTC-1] a page opened with a coin and a currency requests them, and the defaults otherwise", () => {
  const requested = { side: "sell", asset: "ETH", fiat: "JPY" } as const;
  expect(readRequested(new URL(requestedPath("/otc", requested), "https://x.example").searchParams)).toEqual(requested);
  expect(readRequested(new URLSearchParams("side=?&asset=<b>&fiat=usd"))).toEqual({
    side: "buy",
    asset: "USDT",
    fiat: "AED",
  });
});
