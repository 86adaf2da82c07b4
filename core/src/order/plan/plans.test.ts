// Conditional orders, lists, slicers, switches, batches and client order ids.
import { beforeEach, describe, expect, it } from "vitest";
import { coreOf } from "../../machine/machine.ts";
import type { Command } from "../../protocol/command.ts";
import type { MachineEvent } from "../../protocol/event.ts";
import { eventsOf, sendChecked } from "../../testing/driver.ts";
import { createStage, drawBook, type Stage } from "../../testing/stage.ts";
import { scaledLots } from "./twap.ts";

let stage: Stage;
let alice: number;
let bob: number;

const send = (command: Command): MachineEvent[] => sendChecked(stage, command);
const limit = (account: number, side: "buy" | "sell", price: number, quantity: number): MachineEvent[] =>
  send({ kind: "placeOrder", account, market: stage.market, side, price, quantity });
/** Trades one lot at a price between bob and a stranger. */
const tradeAt = (price: number): MachineEvent[] => {
  const outsider = stage.trader(1e8, 1e8);
  limit(outsider, "sell", price, 1);
  return limit(bob, "buy", price, 1);
};
const kinds = (events: readonly MachineEvent[]): string[] =>
  events.map(({ kind }) => kind).filter((kind) => kind !== "posting" && kind !== "depth" && kind !== "clock");
const frozen = (account: number, asset: number): number => {
  const { ledger } = coreOf(stage.machine);
  return ledger.frozen(ledger.cellOf(account, asset));
};
const picture = (): string => drawBook(stage.machine, stage.market);

beforeEach(() => {
  stage = createStage({ anchorTicks: 1_000 });
  alice = stage.trader(1e8, 1e8);
  bob = stage.trader(1e8, 1e8);
  tradeAt(1_000);
});

describe("stops", () => {
  const stop = (more: Partial<Extract<Command, { kind: "placeConditional" }>> = {}): MachineEvent[] =>
    send({
      kind: "placeConditional",
      account: alice,
      market: stage.market,
      side: "sell",
      price: 940,
      quantity: 10,
      conditional: "stopLimit",
      direction: "falls",
      trigger: 950,
      ...more,
    });

  it("[TRIGGER-1] a protecting sell freezes what it protects; a buying plan freezes nothing", () => {
    stop();
    expect(frozen(alice, stage.base)).toBe(10_000);
    stop({ side: "buy", direction: "rises", trigger: 1_100, price: 1_100 });
    expect(frozen(alice, stage.quote)).toBe(0);
  });

  it("[TRIGGER-2] a due stop becomes an order under its own id", () => {
    const [plan] = eventsOf(stop(), "conditionalAccepted");
    expect(kinds(tradeAt(960))).not.toContain("conditionalTriggered");
    const events = tradeAt(950);
    expect(eventsOf(events, "conditionalTriggered")[0]).toMatchObject({
      orderId: plan?.orderId,
      trigger: 950,
      observed: 950,
    });
    expect(eventsOf(events, "orderAccepted").at(-1)).toMatchObject({
      orderId: plan?.orderId,
      price: 940,
      conditional: false,
    });
    expect(picture()).toBe("940 10\n--");
  });

  it("[TRIGGER-3] one price fires in the order it crosses triggers, then by sequence", () => {
    const ids = [945, 950, 950].map(
      (trigger) => eventsOf(stop({ trigger, price: 941 }), "conditionalAccepted")[0]?.orderId,
    );
    const fired = eventsOf(tradeAt(942), "conditionalTriggered").map(({ orderId }) => orderId);
    expect(fired).toEqual([ids[1], ids[2], ids[0]]);
  });

  it("[TRIGGER-4] a plan that cannot be paid when due is refused under its id and gone", () => {
    const poor = stage.trader(0, 10);
    const [plan] = eventsOf(
      stop({ account: poor, side: "buy", direction: "rises", trigger: 1_010, price: 1_010 }),
      "conditionalAccepted",
    );
    const events = tradeAt(1_010);
    expect(eventsOf(events, "rejected")[0]).toMatchObject({ code: "INSUFFICIENT_BALANCE", orderId: plan?.orderId });
    expect(
      eventsOf(send({ kind: "cancelOrder", account: poor, orderId: plan?.orderId ?? 0 }), "rejected"),
    ).toHaveLength(1);
  });

  it("[TRIGGER-5] stops listen to mark and index when told to", () => {
    stop({ source: "last", trigger: 900, conditional: "stopMarket", price: 0 });
    send({ kind: "setReferencePrice", market: stage.market, markTicks: 1_000, indexTicks: 1_000 });
    stop({ source: "mark" });
    stop({ source: "index" });
    const fired = (events: MachineEvent[]): number => eventsOf(events, "conditionalTriggered").length;
    expect(fired(send({ kind: "setReferencePrice", market: stage.market, markTicks: 949 }))).toBe(1);
    expect(fired(send({ kind: "setReferencePrice", market: stage.market, indexTicks: 950 }))).toBe(1);
  });

  it("[TRIGGER-6] a trailing sell follows the peak from its activation and fires on the way back", () => {
    limit(bob, "buy", 900, 50);
    stop({ conditional: "trailingStop", trigger: 1_050, callbackBps: 200, type: "market", price: 0 });
    expect(kinds(tradeAt(1_040))).not.toContain("trailingActivated");
    expect(kinds(tradeAt(1_060))).toContain("trailingActivated");
    tradeAt(1_100);
    expect(kinds(tradeAt(1_079))).not.toContain("conditionalTriggered");
    expect(kinds(tradeAt(1_078))).toContain("conditionalTriggered");
  });

  it("[TRIGGER-7] a trailing buy mirrors it with the trough", () => {
    stop({ side: "buy", conditional: "trailingStop", trigger: 0, callbackBps: 100, price: 1_200 });
    tradeAt(900);
    expect(kinds(tradeAt(908))).not.toContain("conditionalTriggered");
    expect(kinds(tradeAt(909))).toContain("conditionalTriggered");
  });
});

describe("lists", () => {
  const oco = (side: "buy" | "sell", price: number, trigger: number): MachineEvent[] =>
    send({ kind: "placeOco", account: alice, market: stage.market, side, price, quantity: 10, trigger });

  it("[LIST-1] an OCO freezes once; the first fill of the limit withdraws the stop", () => {
    oco("sell", 1_100, 950);
    expect(frozen(alice, stage.base)).toBe(10_000);
    const events = limit(bob, "buy", 1_100, 4);
    expect(eventsOf(events, "orderEnded")[0]).toMatchObject({ reason: "LIST_SIBLING", lots: 10 });
    expect(kinds(events)).toContain("listEnded");
    expect(picture()).toBe("1100 6\n--");
  });

  it("[LIST-2] the stop's trigger withdraws the limit before it takes the money", () => {
    limit(bob, "buy", 930, 50);
    oco("sell", 1_100, 950);
    const events = tradeAt(940);
    expect(kinds(events)).toEqual(
      expect.arrayContaining(["conditionalTriggered", "orderEnded", "orderAccepted", "trade"]),
    );
    expect(eventsOf(events, "trade").at(-1)).toMatchObject({ lots: 10, price: 930 });
    expect(picture()).toBe("--\n930 40");
  });

  it("[LIST-3] a buying OCO freezes the larger need", () => {
    oco("buy", 900, 1_100);
    // The market stop may cost 1 100 plus 5 %: 1 155 ticks for 10 lots.
    expect(frozen(alice, stage.quote)).toBe(11_550);
    send({ kind: "cancelAll", account: alice });
    expect(frozen(alice, stage.quote)).toBe(0);
  });

  it("[LIST-4] withdrawing one leg withdraws the list", () => {
    const [plan] = eventsOf(oco("sell", 1_100, 950), "conditionalAccepted");
    send({ kind: "cancelOrder", account: alice, orderId: plan?.orderId ?? 0 });
    expect(picture()).toBe("--");
    expect(frozen(alice, stage.base)).toBe(0);
  });

  it("[LIST-5] a bracket arms its exits for what was filled after fees, fill by fill", () => {
    send({
      kind: "placeBracket",
      account: alice,
      market: stage.market,
      side: "buy",
      price: 990,
      quantity: 2_000,
      profitPrice: 1_100,
      stopTrigger: 950,
    });
    const first = limit(bob, "sell", 990, 1_000);
    // 0.1 % of the fill went as fee: 999 lots came in.
    expect(eventsOf(first, "conditionalAccepted")[0]).toMatchObject({ side: "sell", quantity: 999, trigger: 950 });
    expect(picture()).toBe("1100 999\n--\n990 1000");
    limit(bob, "sell", 990, 1_000);
    expect(picture()).toBe("1100 1998\n--");
    const fired = tradeAt(950);
    expect(eventsOf(fired, "orderEnded").some(({ reason, lots }) => reason === "LIST_SIBLING" && lots === 1_998)).toBe(
      true,
    );
    expect(kinds(fired)).toContain("listEnded");
  });

  it("[LIST-6] cancelling a list ends every leg", () => {
    const [list] = eventsOf(oco("sell", 1_100, 950), "listCreated");
    const events = send({ kind: "cancelList", account: alice, list: list?.list ?? 0 });
    expect(eventsOf(events, "orderEnded")).toHaveLength(2);
    expect(eventsOf(events, "listEnded")).toHaveLength(1);
  });
});

describe("slices", () => {
  it("[TWAP-1] slices are what is left by intervals left; what does not fill rolls forward, bounded", () => {
    send({
      kind: "placeTwap",
      account: alice,
      market: stage.market,
      side: "buy",
      price: 1_010,
      quantity: 300,
      durationMs: 300_000,
      intervalMs: 30_000,
    });
    const run = (): number => {
      stage.time += 30_000;
      return eventsOf(send({ kind: "tick" }), "orderAccepted")[0]?.quantity ?? 0;
    };
    expect([run(), run(), run(), run(), run(), run(), run(), run()]).toEqual([33, 37, 42, 50, 60, 75, 90, 90]);
    limit(bob, "sell", 1_000, 500);
    stage.time += 30_000;
    const last = send({ kind: "tick" });
    expect(eventsOf(last, "twapSlice")[0]).toMatchObject({ filledLots: 90, leftLots: 210 });
    expect(eventsOf(last, "twapEnded")[0]).toMatchObject({ leftLots: 210, reason: "TWAP_ENDED" });
  });

  it("[SCALE-1] sizes follow the shape and always sum to the whole", () => {
    expect(scaledLots(10, 3, 0)).toEqual([3, 3, 4]);
    expect(scaledLots(60, 3, 1)).toEqual([10, 20, 30]);
    expect(scaledLots(60, 3, 2)).toEqual([30, 20, 10]);
    send({
      kind: "placeScaled",
      account: alice,
      market: stage.market,
      side: "buy",
      price: 900,
      priceTo: 904,
      quantity: 15,
      count: 5,
      shape: "rising",
    });
    expect(picture()).toBe("--\n904 5\n903 4\n902 3\n901 2\n900 1");
  });
});

describe("switches, batches and client ids", () => {
  it("[DEAD-MAN-1] a switch that is not renewed cancels what it covers, a renewed one does not", () => {
    limit(alice, "buy", 900, 1);
    send({ kind: "setDeadMan", account: alice, timeoutMs: 5_000, market: stage.market });
    stage.time += 4_000;
    send({ kind: "setDeadMan", account: alice, timeoutMs: 5_000, market: stage.market });
    stage.time += 4_000;
    expect(eventsOf(send({ kind: "tick" }), "deadManFired")).toEqual([]);
    stage.time += 1_000;
    const events = send({ kind: "tick" });
    expect(eventsOf(events, "orderEnded")[0]?.reason).toBe("DEAD_MAN");
    send({ kind: "setDeadMan", account: alice, timeoutMs: 5_000 });
    expect(eventsOf(send({ kind: "setDeadMan", account: alice, timeoutMs: 0 }), "deadManSet")[0]?.firesAt).toBe(0);
    expect(stage.machine.nextTimerAt).toBe(Number.POSITIVE_INFINITY);
  });

  it("[BATCH-1] every item is checked and answered on its own, in order", () => {
    const item = {
      kind: "placeOrder",
      account: alice,
      market: stage.market,
      side: "buy",
      price: 900,
      quantity: 1,
    } as const;
    const events = stage.batch(alice, [
      item,
      { ...item, price: 0 },
      { ...item, price: 901, clientOrderId: "b" },
      { kind: "cancelOrder", account: alice, clientOrderId: "b" },
    ]);
    expect(kinds(events)).toEqual(["orderAccepted", "rejected", "orderAccepted", "clientOrderId", "orderEnded"]);
    expect(eventsOf(events, "rejected")[0]?.item).toBe(1);
    expect(picture()).toBe("--\n900 1");
  });

  it("[BATCH-2] an item speaks for the batch's account whatever it says", () => {
    const events = stage.batch(alice, [
      { kind: "placeOrder", account: bob, market: stage.market, side: "buy", price: 900, quantity: 1 },
    ]);
    expect(eventsOf(events, "orderAccepted")[0]?.account).toBe(alice);
  });

  it("[CLIENT-1] a repeat within a day returns the first result, even when the order is long gone", () => {
    const order = {
      kind: "placeOrder",
      account: alice,
      market: stage.market,
      side: "buy",
      price: 900,
      quantity: 1,
      clientOrderId: "my-1",
    } as const;
    const [first] = eventsOf(send(order), "orderAccepted");
    send({ kind: "cancelOrder", account: alice, clientOrderId: "my-1" });
    stage.time += 86_399_000;
    expect(eventsOf(send(order), "repeated")[0]).toMatchObject({
      orderId: first?.orderId,
      firstSequence: first?.sequence,
    });
    stage.time += 1_000;
    expect(eventsOf(send(order), "orderAccepted")).toHaveLength(1);
  });

  it("[CLIENT-2] an id stays taken as long as its order is open, and belongs to one account", () => {
    const order = {
      kind: "placeOrder",
      account: alice,
      market: stage.market,
      side: "buy",
      price: 900,
      quantity: 1,
      clientOrderId: "my-1",
    } as const;
    send(order);
    stage.time += 3 * 86_400_000;
    expect(eventsOf(send(order), "repeated")).toHaveLength(1);
    expect(eventsOf(send({ ...order, account: bob }), "orderAccepted")).toHaveLength(1);
  });

  it("[CANCEL-1] cancel all ends oldest first and can leave plans alone", () => {
    const ids = [901, 903, 902].map((price) => eventsOf(limit(alice, "buy", price, 1), "orderAccepted")[0]?.orderId);
    send({
      kind: "placeConditional",
      account: alice,
      market: stage.market,
      side: "sell",
      price: 940,
      quantity: 10,
      conditional: "stopLimit",
      direction: "falls",
      trigger: 950,
    });
    const events = send({ kind: "cancelAll", account: alice, market: stage.market, conditionals: false });
    expect(eventsOf(events, "orderEnded").map(({ orderId }) => orderId)).toEqual(ids);
    expect(eventsOf(send({ kind: "cancelAll", account: alice }), "orderEnded")).toHaveLength(1);
  });
});
