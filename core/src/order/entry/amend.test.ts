// Changing orders that rest: what was filled stays counted, bounds are met and missed by one, and ids are whole.
import { present } from "@clockwork/kit/assert";
import { beforeEach, describe, expect, it } from "vitest";
import { checkInvariants } from "../../inspect/invariants.ts";
import { coreOf } from "../../machine/machine.ts";
import { decodeEvents, encodeCommand, stampCommand } from "../../protocol/codec.ts";
import { COMMAND_LENGTH_MAX, type Command } from "../../protocol/command.ts";
import type { MachineEvent } from "../../protocol/event.ts";
import { eventsOf, sendChecked } from "../../testing/driver.ts";
import { createStage, drawBook, type Stage } from "../../testing/stage.ts";

/** How far apart ids of the same slot are. */
const ROUND = 0x1000000;

let stage: Stage;
let alice: number;
let bob: number;

const send = (command: Command): MachineEvent[] => sendChecked(stage, command);
const limit = (account: number, side: "buy" | "sell", price: number, quantity: number, more: object = {}) =>
  send({ kind: "placeOrder", account, market: stage.market, side, price, quantity, ...more } as Command);
const placedId = (events: readonly MachineEvent[]): number =>
  present(eventsOf(events, "orderAccepted")[0], "TEST", "an order").orderId;
const refusals = (events: readonly MachineEvent[]): unknown[] =>
  eventsOf(events, "rejected").map(({ code, limit: bound }) => [code, bound]);
const amend = (orderId: number, change: { price?: number; quantity?: number }): MachineEvent[] =>
  send({ kind: "amendOrder", account: alice, orderId, ...change });
const amended = (events: readonly MachineEvent[]): unknown[] =>
  eventsOf(events, "orderAmended").map(({ lots, keptPriority, heldUnits }) => [lots, keptPriority, heldUnits]);
const frozen = (account: number, asset: number): number => {
  const { ledger } = coreOf(stage.machine);
  return ledger.frozen(ledger.cellOf(account, asset));
};

function open(market: Parameters<typeof createStage>[0] = {}): void {
  stage = createStage({ anchorTicks: 1_000, ...market });
  alice = stage.trader(1e8, 1e8);
  bob = stage.trader(1e8, 1e8);
}

beforeEach(() => open());

describe("the filled part", () => {
  it("[AMEND-1] counts what was filled on entering, in the book and by an amend that takes", () => {
    limit(bob, "sell", 1_000, 4);
    const orderId = placedId(limit(alice, "buy", 1_000, 10));
    limit(bob, "sell", 1_000, 3);
    expect(refusals(amend(orderId, { quantity: 7 }))).toEqual([["AMEND_BELOW_FILLED", 7]]);
    expect(refusals(amend(orderId, { quantity: 10 }))).toEqual([["AMEND_NO_CHANGE", 0]]);
    expect(amended(amend(orderId, { quantity: 9 }))).toEqual([[2, true, -1_000]]);
    expect(amended(amend(orderId, { quantity: 12 }))).toEqual([[5, false, 3_000]]);
    limit(bob, "sell", 1_005, 2);
    expect(amended(amend(orderId, { price: 1_005 }))).toEqual([[5, false, 25]]);
    expect(refusals(amend(orderId, { quantity: 9 }))).toEqual([["AMEND_BELOW_FILLED", 9]]);
    expect(drawBook(stage.machine, stage.market)).toBe("--\n1005 3");
    expect(frozen(alice, stage.quote)).toBe(3_015);
  });

  it("[AMEND-1] does not count what the order lost to its owner's own", () => {
    limit(alice, "sell", 1_000, 3);
    limit(bob, "sell", 1_000, 2);
    const orderId = placedId(limit(alice, "buy", 1_000, 10, { selfTrade: "DECREMENT" }));
    expect(refusals(amend(orderId, { quantity: 2 }))).toEqual([["AMEND_BELOW_FILLED", 2]]);
    expect(refusals(amend(orderId, { quantity: 7 }))).toEqual([["AMEND_NO_CHANGE", 0]]);
  });

  it("[AMEND-2] the least quantity and the least value are those of the whole order", () => {
    open({ minLots: 5, minNotionalUnits: 5_000 });
    const orderId = placedId(limit(alice, "buy", 1_000, 10));
    limit(bob, "sell", 1_000, 5, { timeInForce: "IOC" });
    expect(amended(amend(orderId, { quantity: 6 }))).toEqual([[1, true, -4_000]]);
    const other = placedId(limit(alice, "buy", 999, 10));
    expect(refusals(amend(other, { quantity: 4 }))).toEqual([["QUANTITY_TOO_SMALL", 5]]);
    expect(refusals(amend(other, { quantity: 5 }))).toEqual([["NOTIONAL_TOO_SMALL", 5_000]]);
    expect(amended(amend(other, { quantity: 6 }))).toEqual([[6, true, -3_996]]);
    const even = placedId(limit(alice, "buy", 1_000, 10));
    expect(amended(amend(even, { quantity: 5 }))).toEqual([[5, true, -5_000]]);
  });

  it("[AMEND-2] the largest number there is, is a quantity too large and no broken one", () => {
    open({ maxLots: 1_000 });
    const orderId = placedId(limit(alice, "buy", 1_000, 10));
    expect(refusals(amend(orderId, { quantity: Number.MAX_SAFE_INTEGER }))).toEqual([["QUANTITY_TOO_LARGE", 1_000]]);
  });
});

/** Sends a command with another double at a byte than its object form could say. */
function sendWith(command: Command, byte: number, value: number): MachineEvent[] {
  const bytes = new Uint8Array(COMMAND_LENGTH_MAX);
  const view = new DataView(bytes.buffer);
  encodeCommand(command, bytes);
  view.setFloat64(byte, value, true);
  stampCommand(view, 0, stage.machine.sequence + 1, stage.time);
  stage.machine.events.clear();
  stage.machine.apply(bytes, 0);
  expect(checkInvariants(stage.machine)).toEqual([]);
  return decodeEvents(stage.machine.events.bytes, 0, stage.machine.events.length, stage.time);
}

describe("broken numbers", () => {
  it("[AMEND-2] a total that is no whole number is refused, whatever it would leave", () => {
    const orderId = placedId(limit(alice, "buy", 1_000, 10));
    limit(bob, "sell", 1_000, 2);
    const command: Command = { kind: "amendOrder", account: alice, orderId, price: 1_000, quantity: 5 };
    for (const total of [-1, 4.5, 12.5, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY])
      expect(refusals(sendWith(command, 40, total))).toEqual([["INVALID_QUANTITY", 0]]);
    expect(drawBook(stage.machine, stage.market)).toBe("--\n1000 8");
  });

  it("[AMEND-2] an iceberg never shows a part of a lot", () => {
    const order = { kind: "placeOrder", account: alice, market: stage.market, side: "buy", price: 900 } as const;
    for (const visible of [2.5, 0.5, Number.NaN, Number.POSITIVE_INFINITY])
      expect(refusals(sendWith({ ...order, quantity: 8, visible: 2 }, 56, visible))).toEqual([["INVALID_ICEBERG", 0]]);
  });
});

describe("which order", () => {
  it("[AMEND-3] who has no account is told so, and no order of his is looked for", () => {
    const orderId = placedId(limit(alice, "buy", 990, 5));
    for (const account of [9_999, 1]) {
      expect(refusals(send({ kind: "cancelOrder", account, orderId }))).toEqual([["UNKNOWN_ACCOUNT", 0]]);
      expect(refusals(send({ kind: "amendOrder", account, orderId, price: 991, quantity: 5 }))).toEqual([
        ["UNKNOWN_ACCOUNT", 0],
      ]);
    }
    expect(drawBook(stage.machine, stage.market)).toBe("--\n990 5");
  });

  it("[AMEND-3] an id is its slot and its round: neither the next nor the last of a slot is this one", () => {
    const living = placedId(limit(alice, "buy", 990, 5));
    const ended = placedId(limit(alice, "buy", 991, 5));
    send({ kind: "cancelOrder", account: alice, orderId: ended });
    for (const orderId of [living + ROUND, ended, ended + ROUND])
      expect(refusals(amend(orderId, { quantity: 3 }))).toEqual([["UNKNOWN_ORDER", 0]]);
    for (const orderId of [living + ROUND, ended + ROUND])
      expect(refusals(send({ kind: "cancelOrder", account: alice, orderId }))).toEqual([["UNKNOWN_ORDER", 0]]);
    expect(refusals(send({ kind: "cancelOrder", account: bob, orderId: living }))).toEqual([["UNKNOWN_ORDER", 0]]);
    expect(drawBook(stage.machine, stage.market)).toBe("--\n990 5");
  });

  it("[AMEND-4] an exit is not changed by itself, whichever second record it has; an entry is", () => {
    limit(bob, "sell", 1_000, 1);
    limit(alice, "buy", 1_000, 1);
    const timed = { timeInForce: "GTD", expiresAt: stage.time + 600_000 };
    const first = placedId(limit(alice, "buy", 900, 1, timed));
    const bracket = { account: alice, market: stage.market, side: "buy", price: 990, quantity: 10 } as const;
    const entry = placedId(send({ kind: "placeBracket", ...bracket, profitPrice: 1_100, stopTrigger: 900 }));
    expect(amended(amend(entry, { quantity: 8 }))).toEqual([[8, true, -1_980]]);
    // The second record of the first order goes to the profit leg.
    send({ kind: "cancelOrder", account: alice, orderId: first });
    const armed = eventsOf(limit(bob, "sell", 990, 4), "orderAccepted").filter(({ account }) => account === alice);
    const exit = present(armed[0], "TEST", "an exit").orderId;
    expect(refusals(amend(exit, { price: 1_110 }))).toEqual([["AMEND_NOT_ALLOWED", 0]]);
    const filled = limit(bob, "buy", 1_100, 1);
    expect(eventsOf(filled, "orderEnded")).toMatchObject([{ account: alice, reason: "LIST_SIBLING", lots: 3 }]);
  });

  it("[AMEND-5] a market's status says whether an order may shrink", () => {
    const orderId = placedId(limit(alice, "buy", 990, 9));
    const shrink = (status: "PRE" | "AUCTION" | "CANCEL_ONLY" | "REDUCE_ONLY" | "HALT", quantity: number): unknown => {
      send({ kind: "setMarketStatus", market: stage.market, status });
      return refusals(amend(orderId, { quantity }))[0];
    };
    expect(shrink("PRE", 8)).toEqual(["MARKET_NOT_TRADING", 0]);
    expect(shrink("HALT", 8)).toEqual(["MARKET_NOT_TRADING", 0]);
    expect(shrink("CANCEL_ONLY", 8)).toEqual(["MARKET_CANCEL_ONLY", 0]);
    expect(shrink("AUCTION", 8)).toBeUndefined();
    expect(shrink("REDUCE_ONLY", 7)).toBeUndefined();
    expect(drawBook(stage.machine, stage.market)).toBe("--\n990 7");
  });
});

describe("orders with more than a price", () => {
  it("[AMEND-6] an iceberg gives up what it hides first, then what it shows; a new price keeps its slice", () => {
    const orderId = placedId(limit(alice, "buy", 990, 20, { visible: 5 }));
    const change = (quantity: number): unknown[] =>
      eventsOf(amend(orderId, { quantity }), "depth").map(({ price, lots }) => [price, lots]);
    // What is not shown is not told.
    expect(change(6)).toEqual([]);
    expect(change(5)).toEqual([]);
    expect(change(4)).toEqual([[990, 4]]);
    amend(orderId, { price: 991, quantity: 12 });
    expect(drawBook(stage.machine, stage.market)).toBe("--\n991 5");
    expect(frozen(alice, stage.quote)).toBe(11_892);
    // Fewer than a slice are all shown.
    amend(orderId, { price: 992, quantity: 3 });
    expect(drawBook(stage.machine, stage.market)).toBe("--\n992 3");
    amend(orderId, { price: 992, quantity: 12 });
    expect(drawBook(stage.machine, stage.market)).toBe("--\n992 5");
    amend(orderId, { price: 993, quantity: 3 });
    const [ended] = eventsOf(send({ kind: "cancelOrder", account: alice, orderId }), "orderEnded");
    expect(ended).toMatchObject({ lots: 3, releasedUnits: 2_979 });
  });

  it("[AMEND-7] an order that lasts until a time keeps it, and one that does not gets none", () => {
    const until = stage.time + 600_000;
    const timed = placedId(limit(alice, "buy", 990, 5, { timeInForce: "GTD", expiresAt: until }));
    amend(timed, { price: 991 });
    expect(stage.machine.nextTimerAt).toBe(until);
    // One of a book that pays in quote has a second record too.
    const bot = stage.trader(0, 1e6, { book: "bot" });
    const plain = placedId(limit(bot, "buy", 980, 5));
    send({ kind: "amendOrder", account: bot, orderId: plain, price: 981 });
    send({ kind: "cancelOrder", account: alice, orderId: timed });
    expect(stage.machine.nextTimerAt).toBe(Number.POSITIVE_INFINITY);
  });

  it("[AMEND-7] an order within its last minute may still be changed, and keeps its end", () => {
    const until = stage.time + 60_000;
    const orderId = placedId(limit(alice, "buy", 990, 5, { timeInForce: "GTD", expiresAt: until }));
    stage.time = until - 1;
    expect(amended(amend(orderId, { price: 991 }))).toEqual([[5, false, 5]]);
    stage.time = until;
    expect(eventsOf(send({ kind: "tick" }), "orderEnded")).toMatchObject([{ orderId, reason: "GTD_EXPIRED", lots: 5 }]);
  });

  it("[AMEND-7] one that must not take stays so", () => {
    limit(bob, "sell", 1_000, 5);
    const orderId = placedId(limit(alice, "buy", 990, 5, { postOnly: "reject" }));
    expect(refusals(amend(orderId, { price: 1_000 }))).toEqual([["POST_ONLY_WOULD_CROSS", 0]]);
    const giving = placedId(limit(alice, "buy", 980, 5, { postOnly: "reprice" }));
    expect(amended(amend(giving, { price: 1_001 }))).toEqual([[5, false, 95]]);
    expect(drawBook(stage.machine, stage.market)).toBe("1000 5\n--\n999 5\n990 5");
  });

  it("[AMEND-8] a refused price leaves the order, its money and its place in the count", () => {
    open({ restingMax: 2 });
    const orderId = placedId(limit(alice, "buy", 990, 5));
    limit(alice, "buy", 980, 5);
    expect(refusals(amend(orderId, { price: 1_201 }))).toEqual([["PRICE_TOO_HIGH", 1_200]]);
    expect(refusals(amend(orderId, { quantity: 200_000 }))).toEqual([["INSUFFICIENT_BALANCE", 1e8 - 4_900]]);
    expect(refusals(limit(alice, "buy", 970, 5))).toEqual([["TOO_MANY_ORDERS", 2]]);
    expect(frozen(alice, stage.quote)).toBe(9_850);
    expect(amended(amend(orderId, { price: 985 }))).toEqual([[5, false, -25]]);
  });
});

describe("many orders", () => {
  it("[AMEND-9] a change touches its own order and no other, wherever they stand", () => {
    open({ restingMax: 500 });
    const scaled = { account: alice, market: stage.market, side: "buy", count: 50, quantity: 500 } as const;
    const ids = [0, 1, 2].flatMap((row) =>
      eventsOf(
        send({ kind: "placeScaled", ...scaled, price: 900 - row * 50, priceTo: 851 - row * 50 }),
        "orderAccepted",
      ).map(({ orderId }) => orderId),
    );
    const lots = new Map<number, number>(ids.map((_, i) => [900 - i, 10]));
    for (const [i, id] of [...ids.entries()].filter(([at]) => at % 7 === 1)) {
      const quantity = 5 + (i % 11);
      amend(id, { price: 902 + i, quantity });
      lots.delete(900 - i);
      lots.set(902 + i, quantity);
      const drawn = [...lots].sort(([a], [b]) => b - a).map(([price, open]) => `${price} ${open}`);
      expect(drawBook(stage.machine, stage.market)).toBe(["--", ...drawn].join("\n"));
    }
    const [ended] = eventsOf(send({ kind: "cancelOrder", account: alice, orderId: ids[0] ?? 0 }), "orderEnded");
    expect(ended).toMatchObject({ lots: 10, releasedUnits: 9_000 });
  });
});
