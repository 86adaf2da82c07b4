// The link between a terminal's panels: what one publishes, the others receive, and an absent panel gives no answer.
import { expect, test } from "vitest";
import type { TradeInstrument } from "./product.ts";
import { createTerminalLink, type TerminalMarket, type TerminalPick } from "./terminal-link.ts";
import type { TradeSide } from "./trade-order.ts";

const market: TerminalMarket = {
  pair: { pairCode: "BTC_USDT" } as TradeInstrument,
  last: "64118.4",
  bandPrice: "64000.0",
  bid: "64118.3",
  ask: "64118.4",
  isStale: false,
};

test("[SPOT-4] a pressed level reaches every listener until it leaves", () => {
  const link = createTerminalLink(market);
  const received: TerminalPick[] = [];
  const leave = link.onPick((pick) => received.push(pick));
  link.pick({ source: "book", price: "64120", quantity: "1.5", side: "buy" });
  leave();
  link.pick({ source: "trades", price: "1" });
  expect(received).toEqual([{ source: "book", price: "64120", quantity: "1.5", side: "buy" }]);
});

test("[SPOT-4] a listener added twice is called twice and removed one at a time", () => {
  const link = createTerminalLink(market);
  const sides: TradeSide[] = [];
  const listener = (side: TradeSide) => sides.push(side);
  const leave = link.onPressSide(listener);
  link.onPressSide(listener);
  link.pressSide("buy");
  leave();
  link.pressSide("sell");
  expect(sides).toEqual(["buy", "buy", "sell"]);
});

test("[SPOT-4] a dragged line requests the change from the orders panel, and is refused without one", async () => {
  const link = createTerminalLink(market);
  const request = { kind: "amend", orderId: "7", price: "64000" } as const;
  expect(await link.ask(request)).toBe(false);
  const requested: unknown[] = [];
  const leave = link.handleRequests(async (given) => {
    requested.push(given);
    return true;
  });
  expect(await link.ask(request)).toBe(true);
  leave();
  expect(await link.ask({ kind: "cancel", orderId: "7" })).toBe(false);
  expect(requested).toEqual([request]);
});

test("[SPOT-4] a handler that leaves late does not take its successor with it", async () => {
  const link = createTerminalLink(market);
  const leaveFirst = link.handleRequests(async () => false);
  link.handleRequests(async () => true);
  leaveFirst();
  expect(await link.ask({ kind: "cancel", orderId: "1" })).toBe(true);
});
