// One order through more resting ones than a book has room to note beforehand.
import { expect, it } from "vitest";
import { checkInvariants } from "../inspect/invariants.ts";
import { eventsOf } from "../testing/driver.ts";
import { createStage } from "../testing/stage.ts";

it.each([0, 1])(
  "[BOOK-1] an order that meets five thousand others is filled by each once, in their order, %i hidden",
  (hidden) => {
    const stage = createStage({ restingMax: 10_000 });
    const maker = stage.trader(1e9, 0);
    const taker = stage.trader(0, 1e12);
    const order = { kind: "placeOrder", market: stage.market } as const;
    const ids: number[] = [];
    for (let i = 0; i < 5_000; i++) {
      const more = hidden !== 0 && i === 0 ? { visible: 1 } : {};
      const ask = { ...order, account: maker, side: "sell", price: 1_000 + (i % 7), quantity: 2, ...more } as const;
      ids.push(eventsOf(stage.send(ask), "orderAccepted")[0]?.orderId ?? 0);
    }
    const inOrder = [0, 1, 2, 3, 4, 5, 6].flatMap((step) => ids.filter((_, i) => i % 7 === step));
    const trades = eventsOf(
      stage.send({ ...order, account: taker, side: "buy", price: 1_010, quantity: 10_000 }),
      "trade",
    );
    const met = trades.map(({ makerOrderId }) => makerOrderId);
    if (hidden === 0) expect(met).toEqual(inOrder);
    else expect([...new Set(met)].toSorted((a, b) => a - b)).toEqual(ids.toSorted((a, b) => a - b));
    expect(trades.reduce((sum, { lots }) => sum + lots, 0)).toBe(10_000);
    expect(checkInvariants(stage.machine)).toEqual([]);
  },
);
