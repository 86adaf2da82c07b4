import type { Fields } from "@clockwork/kit/endpoint";
import type { FuturesFill, FuturesOrder } from "@clockwork/trading/futures/contract";
import { expect, test } from "vitest";
import { encodeFields } from "#live/encode-fields.ts";
import type { OrdersText } from "#words/orders-text.ts";
import { columnsOf, rowsOf } from "./orders-rows.ts";
import { callsOf, type OrdersCall, readOrdersView, writeOrdersView } from "./orders-view.ts";

/** The view's calls as the addresses they go to. */
const addresses = async (calls: readonly OrdersCall[]) => {
  const requested: string[] = [];
  for (const call of calls) {
    await call(async ({ path }, input, api) => {
      requested.push(`${api} ${path}?${encodeFields(input as Fields)}`);
      return undefined;
    });
  }
  return requested;
};

const read = (text: string) => readOrdersView(new URLSearchParams(text));

test("[SPOT-4] the address selects the content, and invalid parameters are ignored", () => {
  const text = "?tab=trades&pair=BTC_USDT&side=sell&from=2026-03-01&to=2026-03-09";
  expect(writeOrdersView(read(text))).toBe(text);
  expect(read("?tab=x&pair=<b>&side=up&from=today")).toEqual({
    tab: "open",
    market: "spot",
    pair: "",
    side: "",
    from: "",
    to: "",
  });
  expect(writeOrdersView(read("?tab=nothing"))).toBe("?");
});

test("[SPOT-4] each view requests its own pages, whole days included", async () => {
  const requested = (text: string, before?: string) => addresses(callsOf(read(text), before));
  expect(await requested("?pair=BTC_USDT")).toEqual([
    "spot /v1/spot/orders?state=open&pairCode=BTC_USDT",
    "spot /v1/spot/orders?state=plan&pairCode=BTC_USDT",
  ]);
  expect(await requested("?tab=history&side=buy&from=1970-01-02&to=1970-01-02", "7-3")).toEqual([
    "spot /v1/spot/orders?state=history&side=buy&from=86400000&to=172799999&limit=50&before=7-3",
  ]);
  expect(await requested("?tab=trades")).toEqual(["spot /v1/spot/fills?limit=50"]);
  expect(await requested("?tab=transfers&side=buy&market=futures")).toEqual([
    "spot /asset/v1/api/wallet/bills?business=transfer&limit=50",
  ]);
});

test("[FUT-1] contracts have the same pages: linear and inverse, each in the coins it is counted in", async () => {
  const requested = (text: string) => addresses(callsOf(read(text)));
  expect(await requested("?market=delivery&side=sell")).toEqual([
    "futures /v1/futuresc/orders?state=open&biz=delivery&side=sell",
    "futures /v1/futuresc/orders?state=plan&biz=delivery&side=sell",
  ]);
  // Trades of contracts have no side.
  expect(await requested("?tab=trades&market=futures&side=sell&pair=BTC_USDT")).toEqual([
    "futures /v1/futuresc/fills?biz=futures&pairCode=BTC_USDT&limit=50",
  ]);
  const fill = {
    tradeId: 7,
    orderId: "9",
    side: "sell",
    role: "taker",
    price: "50000",
    feeAsset: "BTC",
    timeMs: 0,
  } as const;
  const inverse = { ...fill, biz: "delivery", pairCode: "BTC_USD", quantity: "100", amount: "0.002", fee: "0.000001" };
  const speak = ((key: string) => key) as OrdersText;
  const pages = [{ fills: [{ ...inverse, realizedPnl: "-0.0001" } as FuturesFill], next: "7-1" }];
  const { rows, next } = rowsOf(speak, read("?tab=trades&market=delivery"), pages, "0");
  expect(next).toBe("7-1");
  expect(rows[0]?.cells).toMatchObject({ pair: "BTCUSD", amount: "100 USD", total: "0.002 BTC", pnl: "-0.0001 BTC" });
  const borne = { ...inverse, realizedPnl: "0", goldFee: "0.0000004" } as FuturesFill;
  const reply = rowsOf(speak, read("?tab=trades&market=delivery"), [{ fills: [borne], next: null }], "0");
  expect([rows[0]?.cells.fee, reply.rows[0]?.cells.fee]).toEqual(["0.000001 BTC", "0.000001 BTC, goldPaid"]);
  expect(columnsOf(read("?tab=trades&market=delivery"))).toContain("pnl");
  expect(columnsOf(read("?tab=trades"))).not.toContain("pnl");
});

test("[SPOT-4] an open order names the list it is a leg of, so that cancelling it can confirm the others", () => {
  const order = {
    orderId: "1",
    pairCode: "BTC_USDT",
    side: "buy",
    type: "limit",
    listId: "5",
    listLeg: "stop",
    quantity: "1",
  };
  const contract = { ...order, stopProfit: "2", stopLoss: "1", status: "NEW", filledQuantity: "0", createdAtMs: 0 };
  const speak = ((key: string) => key) as OrdersText;
  const { rows } = rowsOf(speak, read("?market=futures"), [{ orders: [contract as unknown as FuturesOrder] }], "0");
  expect(rows[0]?.openOrder).toMatchObject({ listId: "5", takeProfitPrice: "2", stopLossPrice: "1", amount: null });
});
