import { describe, expect, it } from "vitest";
import { checkInvariants } from "../inspect/invariants.ts";
import { coreOf, createMachine, restoreMachine } from "../machine/machine.ts";
import type { Command } from "../protocol/command.ts";
import { EVENT_BYTES, EVENTS, type MachineEvent } from "../protocol/event.ts";
import { ORDER_SLOT_COUNT } from "../protocol/layout.ts";
import { eventsOf } from "../testing/driver.ts";
import { createStage, passRounds, type Stage } from "../testing/stage.ts";
import { FOLLOW_UPS_MAX } from "../trigger/follow-ups.ts";

const STOPS = 600;

/** A market last traded at 1 000 with stops of one holder waiting below it, one lot each, and bids that take them all. */
function waitingStops(stops = STOPS): Stage & { holder: number; bidder: number; seller: number; ids: number[] } {
  const stage = createStage({ conditionalMax: 2_000, restingMax: 2_000, listMax: 2_000, sellMinBps: 1 });
  const holder = stage.trader(1e9, 1e9);
  const bidder = stage.trader(1e9, 1e12);
  const seller = stage.trader(1e9, 0);
  const place = (account: number, side: "buy" | "sell", price: number, quantity: number): MachineEvent[] =>
    stage.send({ kind: "placeOrder", account, market: stage.market, side, price, quantity });
  place(bidder, "sell", 1_000, 1);
  place(holder, "buy", 1_000, 1);
  const ids: number[] = [];
  for (let i = 0; i < stops; i++) {
    const accepted = stage.send({
      kind: "placeConditional",
      account: holder,
      market: stage.market,
      side: "sell",
      quantity: 1,
      type: "market",
      conditional: "stopMarket",
      direction: "falls",
      trigger: 990 - (i % 3),
    });
    ids.push(eventsOf(accepted, "conditionalAccepted")[0]?.orderId ?? 0);
  }
  place(bidder, "buy", 900, stops * 2);
  return Object.assign(stage, { holder, bidder, seller, ids });
}

/** A print at 900 makes every stop due. */
const fall = (stage: Stage, account: number): Command => ({
  kind: "placeOrder",
  account,
  market: stage.market,
  side: "sell",
  price: 900,
  quantity: 1,
});

const fired = (events: readonly MachineEvent[]): number[] =>
  eventsOf(events, "conditionalTriggered").map(({ orderId }) => orderId);

const sound = (stage: Stage): void => expect(checkInvariants(stage.machine)).toEqual([]);

describe("follow-ups", () => {
  it("[QUEUE-1] one command works off 256, the next ticks the rest in the same order, each naming its cause", () => {
    const stage = waitingStops();
    // Nearest trigger first, then sequence.
    const order = [0, 1, 2].flatMap((row) => stage.ids.filter((_, i) => i % 3 === row));
    const first = stage.send(fall(stage, stage.seller));
    const cause = stage.machine.sequence;
    sound(stage);
    expect(fired(first)).toEqual(order.slice(0, FOLLOW_UPS_MAX));
    expect(eventsOf(first, "followUp")).toEqual([]);
    expect(stage.machine.nextTimerAt).toBe(stage.machine.now);
    const second = stage.send({ kind: "tick" });
    sound(stage);
    expect(fired(second)).toEqual(order.slice(FOLLOW_UPS_MAX, FOLLOW_UPS_MAX * 2));
    expect(eventsOf(second, "followUp").map(({ what, orderId, cause: by }) => [what, orderId, by])).toEqual(
      order.slice(FOLLOW_UPS_MAX, FOLLOW_UPS_MAX * 2).map((id) => ["plan", id, cause]),
    );
    const third = stage.send({ kind: "tick" });
    sound(stage);
    expect(fired(third)).toEqual(order.slice(FOLLOW_UPS_MAX * 2));
    expect(stage.machine.nextTimerAt).toBe(Number.POSITIVE_INFINITY);
    expect(coreOf(stage.machine).followUps.length).toBe(0);
  });

  it("[QUEUE-2] what a later command causes waits behind what is waiting, and says which command it was", () => {
    const stage = waitingStops(FOLLOW_UPS_MAX + 2);
    const rising = stage.send({
      kind: "placeConditional",
      account: stage.bidder,
      market: stage.market,
      side: "buy",
      quantity: 1,
      type: "market",
      conditional: "stopMarket",
      direction: "rises",
      trigger: 1_010,
    });
    const late = eventsOf(rising, "conditionalAccepted")[0]?.orderId ?? 0;
    stage.send(fall(stage, stage.seller));
    expect(coreOf(stage.machine).followUps.length).toBe(2);
    stage.send({
      kind: "placeOrder",
      account: stage.holder,
      market: stage.market,
      side: "sell",
      price: 1_020,
      quantity: 2,
    });
    const print = stage.send({
      kind: "placeOrder",
      account: stage.bidder,
      market: stage.market,
      side: "buy",
      price: 1_020,
      quantity: 1,
    });
    const cause = stage.machine.sequence;
    expect(eventsOf(print, "trade")).toHaveLength(1);
    expect(fired(print)).toEqual([]);
    sound(stage);
    const ticked = stage.send({ kind: "tick" });
    expect(fired(ticked).at(-1)).toBe(late);
    expect(fired(ticked)).toHaveLength(3);
    expect(eventsOf(ticked, "followUp").at(-1)).toMatchObject({ what: "plan", orderId: late, cause });
    sound(stage);
  });

  it("[QUEUE-3] lists come before plans, and a stop whose sibling is filled while it waits is withdrawn", () => {
    const stage = waitingStops(FOLLOW_UPS_MAX + 10);
    const placed = stage.send({
      kind: "placeOco",
      account: stage.holder,
      market: stage.market,
      side: "sell",
      quantity: 5,
      price: 1_050,
      trigger: 980,
    });
    const legs = eventsOf(placed, "listLeg");
    const stop = legs.find(({ leg }) => leg === "stop")?.orderId ?? 0;
    stage.send(fall(stage, stage.seller));
    expect([...coreOf(stage.machine).followUps.waiting()].map(({ subject }) => subject)).toContain(stop);
    // The limit leg is taken while the stop waits its turn.
    stage.send({
      kind: "placeOrder",
      account: stage.bidder,
      market: stage.market,
      side: "buy",
      price: 1_050,
      quantity: 5,
    });
    sound(stage);
    const kinds = [...coreOf(stage.machine).followUps.waiting()].map(({ kind }) => kind);
    expect(kinds.at(-1)).toBe(0);
    const ticked = stage.send({ kind: "tick" });
    sound(stage);
    expect(fired(ticked)).toHaveLength(10);
    expect(fired(ticked)).not.toContain(stop);
    expect(eventsOf(ticked, "orderEnded").find(({ orderId }) => orderId === stop)?.reason).toBe("LIST_SIBLING");
    expect(eventsOf(ticked, "listEnded")).toHaveLength(1);
  });

  it("[QUEUE-4] a plan withdrawn while it waits does nothing when its turn comes", () => {
    const stage = waitingStops(FOLLOW_UPS_MAX + 5);
    stage.send(fall(stage, stage.seller));
    const waiting = [...coreOf(stage.machine).followUps.waiting()].map(({ subject }) => subject);
    const gone = waiting[2] as number;
    stage.send({ kind: "cancelOrder", account: stage.holder, orderId: gone });
    sound(stage);
    const ticked = stage.send({ kind: "tick" });
    expect(fired(ticked)).toEqual(waiting.filter((id) => id !== gone));
    expect(eventsOf(ticked, "followUp")).toHaveLength(4);
    sound(stage);
  });

  it("[QUEUE-7] a plan that is due and waits for its turn is not changed any more", () => {
    const stage = waitingStops(FOLLOW_UPS_MAX + 1);
    stage.send(fall(stage, stage.seller));
    const [{ subject: orderId } = { subject: 0 }] = coreOf(stage.machine).followUps.waiting();
    const events = stage.send({ kind: "amendPlan", account: stage.holder, orderId, trigger: 980 });
    expect(eventsOf(events, "rejected")).toMatchObject([{ code: "AMEND_NOT_ALLOWED" }]);
    expect(fired(stage.send({ kind: "tick" }))).toEqual([orderId]);
    sound(stage);
  });

  it("[QUEUE-8] an OCO whose limit leg was filled while its list waits is decided: it is not changed any more", () => {
    const stage = waitingStops(FOLLOW_UPS_MAX + 2);
    const order = { kind: "placeOrder", market: stage.market } as const;
    stage.send({ kind: "setReferencePrice", market: stage.market, markTicks: 1_000 });
    const oco = { account: stage.holder, market: stage.market, side: "sell", quantity: 5, price: 1_050 } as const;
    const placed = stage.send({ kind: "placeOco", ...oco, trigger: 900, source: "mark" });
    const stop = eventsOf(placed, "conditionalAccepted")[0]?.orderId ?? 0;
    const high = eventsOf(placed, "orderAccepted")[0]?.orderId ?? 0;
    stage.send(fall(stage, stage.seller));
    stage.send({ ...order, account: stage.bidder, side: "buy", price: 1_050, quantity: 2 });
    stage.send({ ...order, account: stage.bidder, side: "buy", price: 1_000, quantity: 1 });
    stage.send({ ...order, account: stage.seller, side: "sell", price: 1_000, quantity: 1 });
    expect(coreOf(stage.machine).followUps.isEmpty).toBe(false);
    for (const change of [
      { orderId: stop, trigger: 890 },
      { orderId: high, price: 1_060 },
    ]) {
      const events = stage.send({ kind: "amendPlan", account: stage.holder, ...change });
      expect(eventsOf(events, "rejected")).toMatchObject([{ code: "AMEND_NOT_ALLOWED" }]);
      sound(stage);
    }
    const ticked = stage.send({ kind: "tick" });
    expect(eventsOf(ticked, "orderEnded").find(({ orderId }) => orderId === stop)?.reason).toBe("LIST_SIBLING");
    sound(stage);
  });

  it("[QUEUE-9] a bracket whose market is delisted while it waits arms nothing and freezes nothing", () => {
    const stage = waitingStops(FOLLOW_UPS_MAX + 2);
    const owner = stage.trader(0, 1e6);
    stage.send(fall(stage, stage.seller));
    stage.send({
      kind: "placeOrder",
      account: stage.seller,
      market: stage.market,
      side: "sell",
      price: 950,
      quantity: 5,
    });
    const entry = { account: owner, market: stage.market, side: "buy", price: 950, quantity: 5 } as const;
    const placed = stage.send({ kind: "placeBracket", ...entry, stopTrigger: 850 });
    expect(eventsOf(placed, "trade")).toHaveLength(1);
    expect(coreOf(stage.machine).followUps.isEmpty).toBe(false);
    stage.send({ kind: "setMarketStatus", market: stage.market, status: "DELISTED" });
    while (!coreOf(stage.machine).followUps.isEmpty) {
      expect(eventsOf(stage.send({ kind: "tick" }), "conditionalAccepted")).toEqual([]);
      sound(stage);
    }
    const { ledger } = coreOf(stage.machine);
    expect(ledger.frozen(ledger.cellOf(owner, stage.base))).toBe(0);
  });

  it("[QUEUE-5] the queue is state: a snapshot, a restart or a replay at any command goes on as if nothing had been", () => {
    const stage = waitingStops();
    stage.send(fall(stage, stage.seller));
    stage.send({ kind: "tick" });
    stage.send({
      kind: "placeOrder",
      account: stage.bidder,
      market: stage.market,
      side: "buy",
      price: 800,
      quantity: 1,
    });
    stage.send({ kind: "tick" });
    const hash = stage.machine.stateHash();
    const replay = createMachine({ orderCapacity: 8, fastPathsAfter: 0 });
    const last = stage.journal.length;
    for (const [at, bytes] of stage.journal.entries()) {
      if (at >= last - 3) {
        // Killed here: what a snapshot holds and the rest of the journal make the same machine.
        const forked = restoreMachine(replay.snapshot());
        expect(forked.nextTimerAt).toBe(replay.nextTimerAt);
        for (const rest of stage.journal.slice(at)) forked.apply(rest, 0);
        expect(forked.stateHash()).toBe(hash);
      }
      replay.apply(bytes, 0);
      replay.events.clear();
    }
    expect(replay.stateHash()).toBe(hash);
  });

  it("[QUEUE-6] a machine taken back repeats a command with a whole budget", () => {
    const stage = waitingStops();
    const parts = stage.machine.snapshot();
    stage.send(fall(stage, stage.seller));
    const hash = stage.machine.stateHash();
    stage.machine.restore(parts);
    stage.machine.apply(stage.journal.at(-1) as Uint8Array, 0);
    expect(stage.machine.stateHash()).toBe(hash);
  });

  it("[QUEUE-10] a fall that feeds itself goes on in the next tick where it stopped, and loses nobody on its way", () => {
    const count = FOLLOW_UPS_MAX + 40;
    const stage = createStage({ conditionalMax: 2_000, restingMax: 2_000, sellMinBps: 1 });
    const holder = stage.trader(1e9, 1e9);
    const bidder = stage.trader(1e9, 1e12);
    const order = { kind: "placeOrder", market: stage.market, quantity: 1 } as const;
    stage.send({ ...order, account: bidder, side: "sell", price: 1_000 });
    stage.send({ ...order, account: holder, side: "buy", price: 1_000 });
    // Each stop sells one tick lower, where the next is due.
    const ids = Array.from({ length: count }, (_, i) => {
      stage.send({ ...order, account: bidder, side: "buy", price: 990 - i });
      const stop = { conditional: "stopMarket", type: "market", direction: "falls", trigger: 990 - i } as const;
      const { price: _price, ...plan } = { ...order, ...stop, price: 0 };
      const accepted = stage.send({ ...plan, kind: "placeConditional", account: holder, side: "sell" });
      return eventsOf(accepted, "conditionalAccepted")[0]?.orderId ?? 0;
    });
    stage.send({ ...order, account: bidder, side: "buy", price: 990 - count });
    const first = stage.send({ ...order, account: holder, side: "sell", price: 990 });
    const cause = stage.machine.sequence;
    sound(stage);
    expect(fired(first)).toEqual(ids.slice(0, FOLLOW_UPS_MAX));
    const second = stage.send({ kind: "tick" });
    sound(stage);
    expect(fired(second)).toEqual(ids.slice(FOLLOW_UPS_MAX));
    // The others are due by what happens in this tick.
    expect(eventsOf(second, "followUp").map(({ orderId, cause: by }) => [orderId, by])).toEqual([
      [ids[FOLLOW_UPS_MAX], cause],
    ]);
    expect(eventsOf(second, "rejected")).toEqual([]);
    expect(coreOf(stage.machine).followUps.length).toBe(0);
  });

  it("[QUEUE-11] a list that a waiting plan's fill touches is worked off before the next plan, in the same tick", () => {
    const stage = waitingStops(FOLLOW_UPS_MAX + 3);
    const lister = stage.trader(0, 1e9);
    stage.send(fall(stage, stage.seller));
    // The print was at 900; a bid above all others is the first that the next stop meets.
    const oco = { account: lister, market: stage.market, side: "buy", quantity: 1, trigger: 905 } as const;
    stage.send({ kind: "placeOrder", ...oco, account: stage.bidder, price: 902 });
    stage.send({ kind: "placeOrder", ...oco, account: stage.seller, side: "sell", price: 902 });
    const placed = stage.send({ kind: "placeOco", ...oco, price: 901 });
    const stop = eventsOf(placed, "conditionalAccepted")[0]?.orderId;
    const ticked = stage.send({ kind: "tick" });
    sound(stage);
    const published = ticked.filter(
      ({ kind }) => kind === "conditionalTriggered" || kind === "orderEnded" || kind === "listEnded",
    );
    expect(published.map(({ kind }) => kind)).toEqual([
      "conditionalTriggered",
      "orderEnded",
      "listEnded",
      "conditionalTriggered",
      "conditionalTriggered",
    ]);
    expect(eventsOf(ticked, "orderEnded")).toMatchObject([{ orderId: stop, reason: "LIST_SIBLING" }]);
    expect(coreOf(stage.machine).followUps.length).toBe(0);
  });

  it("[QUEUE-12] what names its cause says the whole id of what it is about, and is of no account", () => {
    for (const isLater of [false, true]) {
      const stage = createStage({ conditionalMax: 2_000 });
      const holder = stage.trader(1e9, 1e9);
      if (isLater) passRounds(stage.machine, 1);
      stage.send({ kind: "setReferencePrice", market: stage.market, markTicks: 1_000 });
      const ids = Array.from({ length: FOLLOW_UPS_MAX + 2 }, () => {
        const plan = { conditional: "stopLimit", direction: "falls", trigger: 990, source: "mark" } as const;
        const order = { account: holder, market: stage.market, side: "sell", price: 1_500, quantity: 1 } as const;
        const accepted = stage.send({ kind: "placeConditional", ...order, ...plan });
        return eventsOf(accepted, "conditionalAccepted")[0]?.orderId ?? 0;
      });
      // The youngest first: the one with the first slot of all is the last.
      stage.send({ kind: "setReferencePrice", market: stage.market, markTicks: 990 });
      const rest = stage.send({ kind: "tick" });
      expect(eventsOf(rest, "followUp").map(({ what, orderId }) => [what, orderId])).toEqual(
        ids.slice(FOLLOW_UPS_MAX).map((id) => ["plan", id]),
      );
      expect((ids[0] ?? 0) > ORDER_SLOT_COUNT).toBe(isLater);
      const { events } = stage.machine;
      const view = new DataView(events.bytes.buffer, events.bytes.byteOffset);
      for (let at = 0; at < events.length; at += EVENT_BYTES)
        if (view.getUint8(at) === EVENTS.followUp.kind) expect(view.getInt32(at + 4, true)).toBe(0);
    }
  });
});

describe("timers", () => {
  it("[QUEUE-13] what a slice sets off runs before the slicer that is due at the same time", () => {
    const stage = createStage({ anchorTicks: 1_000, conditionalMax: 10 });
    const [maker, slicer, holder] = [stage.trader(1e9, 1e9), stage.trader(1e9, 1e9), stage.trader(1e9, 1e9)];
    const market = { market: stage.market, account: slicer } as const;
    stage.send({ kind: "placeOrder", ...market, side: "sell", price: 1_000, quantity: 1 });
    stage.send({ kind: "placeOrder", ...market, account: maker, side: "buy", price: 1_000, quantity: 1 });
    const even = { side: "buy", price: 1_020, quantity: 300, durationMs: 300_000, intervalMs: 30_000 } as const;
    for (let i = 0; i < 2; i++) stage.send({ kind: "placeTwap", ...market, ...even });
    const stop = { conditional: "stopMarket", type: "market", direction: "rises", trigger: 1_010 } as const;
    stage.send({ kind: "placeConditional", market: stage.market, account: holder, side: "buy", quantity: 1, ...stop });
    stage.send({ kind: "placeOrder", ...market, account: maker, side: "sell", price: 1_010, quantity: 500 });
    stage.time += 30_000;
    const ticked = stage.send({ kind: "tick" });
    sound(stage);
    const kinds = ticked
      .map(({ kind }) => kind)
      .filter((kind) => kind === "twapSlice" || kind === "conditionalTriggered");
    expect(kinds).toEqual(["twapSlice", "conditionalTriggered", "twapSlice"]);
    expect(eventsOf(ticked, "rejected")).toEqual([]);
  });
});
