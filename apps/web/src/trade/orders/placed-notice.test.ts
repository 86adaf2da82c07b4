import { expect, test } from "vitest";
import { tradeCatalogue } from "#locales/en-us-trade.ts";
import type { TradeText } from "#trade/trade-text.ts";
import { describePlaced, type PlacedOutcome, type SentOrder } from "./placed-notice.ts";

const text: TradeText = (key, values) =>
  tradeCatalogue[key].replace(/\{(\w+)\}/g, (whole, name: string) => String(values?.[name] ?? whole));
const sent: SentOrder = {
  side: "buy",
  isPlan: false,
  quantity: "3",
  price: "96000",
  unit: "BTC",
  priceDecimals: 1,
  quantityDecimals: 2,
};
const say = (placed: Partial<PlacedOutcome>): readonly string[] => {
  const none = { status: "NEW", filledQuantity: "0.00", averagePrice: null, isRepeat: false };
  const { title, detail, tone } = describePlaced(text, sent, { ...none, ...placed });
  return [title, detail, tone];
};

test("[SPOT-2] an order that ended at once is reported with its reason, not as placed", () => {
  expect(say({})).toEqual(["Buy order placed", "3.00 BTC @ 96,000.0", "done"]);
  expect(say({ status: "FILLED", filledQuantity: "3.00", averagePrice: "95999" })).toEqual([
    "Buy order filled",
    "3.00 BTC @ 95,999.0",
    "done",
  ]);
  const [killed, why, tone] = say({ status: "EXPIRED", endReason: "FOK_UNFILLED" });
  expect([killed, why, tone]).toEqual([text("toast.notFilled", { side: "Buy" }), text("ended.FOK_UNFILLED"), "warn"]);
  const part = say({ status: "EXPIRED", endReason: "IOC_REST", filledQuantity: "0.50", averagePrice: "96000" });
  expect(part[0]).toBe(text("toast.partlyEnded", { side: "Buy" }));
  expect(part[1]).toBe(`0.50 BTC @ 96,000.0. ${text("ended.IOC_REST")}`);
});
