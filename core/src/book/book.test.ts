// The book as pictures: what rests before, what is asked, what rests after.
import { beforeEach, describe, expect, it } from "vitest";
import { depthChecksum, readDepth } from "../inspect/depth.ts";
import { checkInvariants } from "../inspect/invariants.ts";
import type { Command } from "../protocol/command.ts";
import type { MachineEvent } from "../protocol/event.ts";
import { eventsOf } from "../testing/driver.ts";
import { createStage, drawBook, type Stage } from "../testing/stage.ts";

type Place = Extract<Command, { readonly kind: "placeOrder" }>;

let stage: Stage;
let maker: number;
let taker: number;

const picture = (): string => drawBook(stage.machine, stage.market);
const place = (
  account: number,
  side: "buy" | "sell",
  price: number,
  quantity: number,
  more: Partial<Place> = {},
): MachineEvent[] => {
  const events = stage.send({ kind: "placeOrder", account, market: stage.market, side, price, quantity, ...more });
  expect(checkInvariants(stage.machine)).toEqual([]);
  return events;
};
const idOf = (events: readonly MachineEvent[]): number => eventsOf(events, "orderAccepted")[0]?.orderId ?? 0;
const fills = (events: readonly MachineEvent[]): string[] =>
  eventsOf(events, "trade").map(
    (trade) => `${trade.price}x${trade.lots} maker ${trade.makerOrderId}${trade.makerDone ? " done" : ""}`,
  );
const ends = (events: readonly MachineEvent[]): string[] =>
  eventsOf(events, "orderEnded").map((end) => `${end.orderId} ${end.reason} ${end.lots}`);

beforeEach(() => {
  stage = createStage();
  maker = stage.trader(1e9, 1e9);
  taker = stage.trader(1e9, 1e9);
});

describe("price, then sequence", () => {
  it("[BOOK-5] the best price trades first, then the oldest order, at the maker's price", () => {
    const late = idOf(place(maker, "sell", 101, 5));
    const early = idOf(place(maker, "sell", 100, 5));
    const second = idOf(place(maker, "sell", 100, 5));
    const events = place(taker, "buy", 105, 12);
    expect(fills(events)).toEqual([`100x5 maker ${early} done`, `100x5 maker ${second} done`, `101x2 maker ${late}`]);
    expect(picture()).toBe("101 3\n--");
  });

  it("[BOOK-6] what is not filled rests on its side", () => {
    place(maker, "sell", 100, 5);
    const events = place(taker, "buy", 100, 8);
    expect(eventsOf(events, "trade")[0]).toMatchObject({ makerDone: true, takerDone: false, lots: 5 });
    expect(picture()).toBe("--\n100 3");
  });

  it("[BOOK-8] depth events carry the level's new lots under a gapless book sequence", () => {
    const all = [...place(maker, "sell", 100, 5), ...place(maker, "sell", 101, 5), ...place(taker, "buy", 101, 7)];
    const depth = eventsOf(all, "depth");
    expect(depth.map(({ price, lots, side }) => `${side} ${price} ${lots}`)).toEqual([
      "sell 100 5",
      "sell 101 5",
      "sell 100 0",
      "sell 101 3",
    ]);
    expect(depth.map(({ bookSequence }) => bookSequence)).toEqual([1, 2, 3, 4]);
    expect(readDepth(stage.machine, stage.market, 5).bookSequence).toBe(4);
  });

  it("[BOOK-9] the checksum covers the top 25 levels of both sides and nothing below", () => {
    for (let i = 0; i < 30; i++) place(maker, "sell", 200 + i, 1 + i);
    place(maker, "buy", 150, 3);
    const checksum = (): number => {
      const { bids, asks } = readDepth(stage.machine, stage.market, 25);
      return depthChecksum(bids, asks);
    };
    const before = checksum();
    expect(depthChecksum([{ price: 150, lots: 3 }], [])).toBe(0x23843447);
    place(maker, "sell", 240, 9);
    expect(checksum()).toBe(before);
    place(maker, "sell", 201, 1);
    expect(checksum()).not.toBe(before);
  });
});

describe("time in force", () => {
  it("[ORDER-1] IOC fills what it can and the rest expires with its money back", () => {
    place(maker, "sell", 100, 5);
    const events = place(taker, "buy", 100, 8, { timeInForce: "IOC" });
    expect(ends(events)).toEqual([`${idOf(events)} IOC_REST 3`]);
    expect(eventsOf(events, "orderEnded")[0]?.frozenUnits).toBe(0);
    expect(picture()).toBe("--");
  });

  it("[ORDER-2] FOK fills whole or not at all, hidden lots counted", () => {
    place(maker, "sell", 100, 5, { visible: 1 });
    expect(ends(place(taker, "buy", 100, 6, { timeInForce: "FOK" }))[0]).toMatch(/FOK_UNFILLED 6$/);
    expect(picture()).toBe("100 1\n--");
    const events = place(taker, "buy", 100, 5, { timeInForce: "FOK" });
    expect(eventsOf(events, "trade").reduce((sum, { lots }) => sum + lots, 0)).toBe(5);
  });

  it("[ORDER-3] GTD ends at its time by a tick, not before", () => {
    const expiresAt = stage.time + 60_000;
    const events = place(maker, "sell", 100, 5, { timeInForce: "GTD", expiresAt });
    const id = idOf(events);
    expect(eventsOf(events, "expirySet")).toMatchObject([{ orderId: id, expiresAt }]);
    expect(eventsOf(place(maker, "sell", 101, 5), "expirySet")).toEqual([]);
    stage.time += 59_999;
    expect(ends(stage.send({ kind: "tick" }))).toEqual([]);
    expect(stage.machine.nextTimerAt).toBe(stage.time + 1);
    stage.time += 1;
    expect(ends(stage.send({ kind: "tick" }))).toEqual([`${id} GTD_EXPIRED 5`]);
    expect(stage.machine.nextTimerAt).toBe(Number.POSITIVE_INFINITY);
  });

  it("[ORDER-3] GTD that trades first ends at its time with what is left", () => {
    place(maker, "sell", 100, 5);
    const expiresAt = stage.time + 60_000;
    const id = idOf(place(taker, "buy", 100, 8, { timeInForce: "GTD", expiresAt }));
    expect(stage.machine.nextTimerAt).toBe(expiresAt);
    stage.time = expiresAt;
    expect(ends(stage.send({ kind: "tick" }))).toEqual([`${id} GTD_EXPIRED 3`]);
  });

  it("[ORDER-4] post-only is refused when it would cross, or steps one tick behind", () => {
    place(maker, "sell", 100, 5);
    expect(eventsOf(place(taker, "buy", 100, 1, { postOnly: "reject" }), "rejected")[0]?.code).toBe(
      "POST_ONLY_WOULD_CROSS",
    );
    place(taker, "buy", 103, 1, { postOnly: "reprice" });
    place(taker, "buy", 98, 1, { postOnly: "reject" });
    expect(picture()).toBe("100 5\n--\n99 1\n98 1");
  });
});

describe("market orders", () => {
  it("[ORDER-5] a market order stops at its protective limit and the rest expires", () => {
    place(maker, "sell", 1_000, 5);
    place(maker, "sell", 1_051, 5);
    const events = place(taker, "buy", 0, 8, { type: "market" });
    expect(fills(events)).toHaveLength(1);
    expect(ends(events)[0]).toMatch(/MARKET_REST 3$/);
    const wide = place(taker, "buy", 0, 3, { type: "market", slippageBps: 1_000 });
    expect(fills(wide)).toHaveLength(1);
  });

  it("[ORDER-6] without an opposite side there is nothing to convert", () => {
    expect(eventsOf(place(taker, "buy", 0, 1, { type: "market" }), "rejected")[0]?.code).toBe("NO_LIQUIDITY");
  });

  it("[ORDER-7] a buy for a quote amount spends it stepwise and returns what buys no lot", () => {
    place(maker, "sell", 1_000, 3);
    place(maker, "sell", 1_010, 10);
    const events = place(taker, "buy", 0, 5_500, { type: "market", inQuote: true });
    expect(fills(events).map((fill) => fill.split(" ")[0])).toEqual(["1000x3", "1010x2"]);
    expect(eventsOf(events, "frozen")).toEqual([]);
    expect(eventsOf(events, "orderEnded")).toMatchObject([
      { account: taker, reason: "QUOTE_SPENT", lots: 480, releasedUnits: 480, frozenUnits: 0 },
    ]);
    expect(picture()).toBe("1010 8\n--");
  });

  it("[ORDER-8] a quote amount the book cannot take expires in part", () => {
    place(maker, "sell", 1_000, 3);
    const events = place(taker, "buy", 0, 5_500, { type: "market", inQuote: true });
    expect(ends(events)[0]).toMatch(/MARKET_REST 2500$/);
  });
});

describe("icebergs", () => {
  it("[ORDER-9] only the slice shows, and each refill goes to the back of its price", () => {
    const iceberg = idOf(place(maker, "sell", 100, 10, { visible: 4 }));
    const plain = idOf(place(maker, "sell", 100, 5));
    expect(picture()).toBe("100 9\n--");
    const events = place(taker, "buy", 100, 7);
    expect(fills(events)).toEqual([`100x4 maker ${iceberg}`, `100x3 maker ${plain}`]);
    expect(eventsOf(events, "icebergRefilled")[0]).toMatchObject({ orderId: iceberg, lots: 4 });
    expect(picture()).toBe("100 6\n--");
    expect(fills(place(taker, "buy", 100, 8))).toEqual([
      `100x2 maker ${plain} done`,
      `100x4 maker ${iceberg}`,
      `100x2 maker ${iceberg} done`,
    ]);
  });
});

describe("amends", () => {
  it("[BOOK-7] an amend that grows loses priority, one that shrinks keeps it", () => {
    const first = idOf(place(maker, "sell", 100, 5));
    const second = idOf(place(maker, "sell", 100, 5));
    const shrunk = stage.send({ kind: "amendOrder", account: maker, orderId: first, quantity: 3 });
    expect(eventsOf(shrunk, "orderAmended")[0]).toMatchObject({ keptPriority: true, lots: 3, heldUnits: -2_000 });
    expect(fills(place(taker, "buy", 100, 1))).toEqual([`100x1 maker ${first}`]);
    const grown = stage.send({ kind: "amendOrder", account: maker, orderId: first, quantity: 6 });
    expect(eventsOf(grown, "orderAmended")[0]).toMatchObject({ keptPriority: false, lots: 5 });
    expect(fills(place(taker, "buy", 100, 1))).toEqual([`100x1 maker ${second}`]);
    expect(checkInvariants(stage.machine)).toEqual([]);
  });

  it("[BOOK-10] a new price is a new order under the old id and may trade at once", () => {
    place(maker, "buy", 90, 2);
    const id = idOf(place(taker, "sell", 100, 5));
    const events = stage.send({ kind: "amendOrder", account: taker, orderId: id, price: 90 });
    expect(eventsOf(events, "trade")[0]).toMatchObject({ takerOrderId: id, price: 90, lots: 2 });
    expect(picture()).toBe("90 3\n--");
    expect(checkInvariants(stage.machine)).toEqual([]);
  });

  it("[BOOK-11] a refused amend leaves the order as it was", () => {
    const id = idOf(place(maker, "buy", 90, 2));
    const events = stage.send({ kind: "amendOrder", account: maker, orderId: id, quantity: 2_000_000_000 });
    expect(eventsOf(events, "rejected")[0]?.code).toBe("INSUFFICIENT_BALANCE");
    expect(picture()).toBe("--\n90 2");
    expect(checkInvariants(stage.machine)).toEqual([]);
  });

  it("[BOOK-12] an iceberg gives up hidden lots before visible ones", () => {
    const id = idOf(place(maker, "sell", 100, 10, { visible: 4 }));
    stage.send({ kind: "amendOrder", account: maker, orderId: id, quantity: 5 });
    expect(picture()).toBe("100 4\n--");
    stage.send({ kind: "amendOrder", account: maker, orderId: id, quantity: 2 });
    expect(picture()).toBe("100 2\n--");
    expect(checkInvariants(stage.machine)).toEqual([]);
  });
});

describe("self-trade prevention", () => {
  const meet = (selfTrade: "EXPIRE_TAKER" | "EXPIRE_MAKER" | "EXPIRE_BOTH" | "DECREMENT" | "NONE", lots: number) => {
    const own = idOf(place(maker, "sell", 100, 5));
    const other = idOf(place(taker, "sell", 101, 5));
    const events = place(maker, "buy", 101, lots, { selfTrade });
    return { own, other, events, mine: idOf(events) };
  };

  it("[STP-1] EXPIRE_TAKER ends the newcomer and records the match that was prevented", () => {
    const { own, events, mine } = meet("EXPIRE_TAKER", 8);
    expect(eventsOf(events, "selfTradePrevented")[0]).toMatchObject({
      makerOrderId: own,
      takerOrderId: mine,
      lots: 5,
      mode: "EXPIRE_TAKER",
    });
    expect(ends(events)).toEqual([`${mine} STP_TAKER 8`]);
    expect(picture()).toBe("101 5\n100 5\n--");
  });

  it("[STP-2] EXPIRE_MAKER ends the resting order and goes on", () => {
    const { own, other, events } = meet("EXPIRE_MAKER", 8);
    expect(ends(events)).toEqual([`${own} STP_MAKER 5`]);
    expect(fills(events)).toEqual([`101x5 maker ${other} done`]);
    expect(picture()).toBe("--\n101 3");
  });

  it("[STP-3] EXPIRE_BOTH ends both", () => {
    const { own, events, mine } = meet("EXPIRE_BOTH", 8);
    expect(ends(events)).toEqual([`${own} STP_MAKER 5`, `${mine} STP_TAKER 8`]);
    expect(picture()).toBe("101 5\n--");
  });

  it("[STP-4] DECREMENT shrinks both by the overlap", () => {
    const { own, other, events } = meet("DECREMENT", 8);
    expect(ends(events)).toEqual([`${own} STP_DECREMENT 0`]);
    expect(fills(events)).toEqual([`101x3 maker ${other}`]);
    expect(picture()).toBe("101 2\n--");
    const again = place(maker, "sell", 99, 10);
    expect(eventsOf(again, "trade")).toEqual([]);
    const small = place(maker, "buy", 99, 4, { selfTrade: "DECREMENT" });
    expect(ends(small)[0]).toMatch(/STP_DECREMENT 0$/);
    expect(picture()).toBe("101 2\n99 6\n--");
  });

  it("[STP-5] NONE is for house test accounts only", () => {
    expect(eventsOf(meet("NONE", 1).events, "rejected")[0]?.code).toBe("SELF_TRADE_MODE_FORBIDDEN");
    stage.send({ kind: "setAccountFlags", account: maker, allowSelfTrade: true });
    expect(fills(place(maker, "buy", 100, 1, { selfTrade: "NONE" }))).toHaveLength(1);
  });

  it("[STP-6] sub-accounts share their master's group", () => {
    const sub = stage.trader(1e8, 1e8, { user: 77, group: 1 });
    place(maker, "sell", 100, 5);
    expect(eventsOf(place(sub, "buy", 100, 5), "selfTradePrevented")).toHaveLength(1);
  });
});
