// Take-profit, stop-loss and trailing orders of positions, and plans that only reduce: what is refused, what is told of
// each, which position each closes and how much of it, and what ends with what.
import { describe, expect, test } from "vitest";
import type { Command } from "../../protocol/command.ts";
import type { MachineEvent } from "../../protocol/event.ts";
import { eventsOf } from "../../testing/driver.ts";
import { createPerpStage, type PerpStage } from "../../testing/perp-stage.ts";
import { sendChanged } from "../../testing/raw-command.ts";
import { published, RICH, take } from "./hold-fixture.ts";

type Stops = Partial<Extract<Command, { readonly kind: "setPositionStops" }>>;

/** Alice holds, and the book takes back whatever she closes. */
function open(lots: number, modes: object | undefined = undefined) {
  const stage = createPerpStage();
  const [alice, bob] = [stage.trader(RICH), stage.trader(RICH * 10)];
  if (modes !== undefined) stage.sure({ kind: "setPositionMode", account: alice, hedge: true, ...modes });
  take(stage, alice, bob, lots);
  const ask = (stops: Stops): Command => ({ kind: "setPositionStops", account: alice, market: stage.linear, ...stops });
  const send = (stops: Stops): MachineEvent[] => stage.sure(ask(stops));
  return { stage, alice, bob, ask, send };
}

const waiting = (stage: PerpStage, alice: number): number => {
  const ended = stage.sure({ kind: "cancelAll", account: alice, conditionals: true } as Command);
  return eventsOf(ended, "orderEnded").length;
};

describe("[FUT-2] what is told of a position's stops", () => {
  test("each leg as a plan that reduces, then what it belongs to; a pair names its first", () => {
    for (const lots of [100, -100]) {
      const { stage, alice, send } = open(lots);
      const [long, side] = [lots > 0, lots > 0 ? ("sell" as const) : ("buy" as const)];
      const [high, low] = [510_000, 490_000];
      const [profitTrigger, stopTrigger] = long ? [high, low] : [low, high];
      const position = stage.held(alice)[0]?.id;
      const plain = {
        account: alice,
        market: stage.linear,
        side,
        reduceOnly: true,
        callbackBps: 0,
        peak: 0,
        heldUnits: 0,
      };
      const [rises, falls] = long ? (["rises", "falls"] as const) : (["falls", "rises"] as const);
      const part = send({ lots: 40, profitTrigger, profitPrice: 501_000, stopTrigger, source: "last" });
      const plans = eventsOf(part, "conditionalAccepted");
      expect(plans).toMatchObject([
        {
          ...plain,
          conditionalType: "stopLimit",
          type: "limit",
          price: 501_000,
          quantity: 40,
          trigger: profitTrigger,
          source: "last",
          direction: rises,
        },
        {
          ...plain,
          conditionalType: "stopMarket",
          type: "market",
          quantity: 40,
          trigger: stopTrigger,
          source: "last",
          direction: falls,
        },
      ]);
      expect(eventsOf(part, "positionStop")).toMatchObject([
        { account: alice, whole: false, position, orderId: plans[0]?.orderId, pair: 0 },
        { account: alice, whole: false, position, orderId: plans[1]?.orderId, pair: plans[0]?.orderId },
      ]);
      const whole = send({ stopTrigger, trailBps: 70, trailFrom: profitTrigger });
      expect(eventsOf(whole, "conditionalAccepted")).toMatchObject([
        {
          ...plain,
          conditionalType: "stopMarket",
          quantity: 100,
          trigger: stopTrigger,
          source: "mark",
          direction: falls,
        },
        {
          ...plain,
          conditionalType: "trailingStop",
          quantity: 100,
          trigger: profitTrigger,
          callbackBps: 70,
          source: "mark",
        },
      ]);
      expect(eventsOf(whole, "positionStop").map((stop) => [stop.whole, stop.position])).toEqual([
        [true, position],
        [true, position],
      ]);
      expect(eventsOf(whole, "orderEnded")).toEqual([]);
    }
  });

  test("a pair of the whole takes the place of the pair before, parts stay; no trigger only takes it back", () => {
    const { stage, alice, send } = open(100);
    send({ lots: 40, stopTrigger: 480_000 });
    const first = eventsOf(send({ profitTrigger: 510_000, stopTrigger: 490_000 }), "positionStop");
    const again = send({ stopTrigger: 485_000 });
    expect(eventsOf(again, "orderEnded").map(({ orderId, reason }) => [orderId, reason])).toEqual(
      first.map(({ orderId }) => [orderId, "AMEND_REPLACED"]),
    );
    const back = send({});
    expect([eventsOf(back, "orderEnded").length, eventsOf(back, "positionStop")]).toEqual([1, []]);
    expect(eventsOf(send({}), "orderEnded")).toEqual([]);
    expect(stage.held(alice)).toMatchObject([{ lots: 100 }]);
    send({ stopTrigger: 475_000 });
    expect(eventsOf(send({ lots: 1, stopTrigger: 470_000 }), "orderEnded")).toEqual([]);
    expect(waiting(stage, alice)).toBe(3);
  });
});

describe("[FUT-2] what no stop can be", () => {
  test("no part of nothing, of less than a lot or of more than is held; no limit for the whole", () => {
    const { stage, ask, send } = open(100);
    const stopTrigger = 490_000;
    const code = (stops: Stops): unknown => published(send(stops))?.[0];
    expect([code({ stopTrigger, stopPrice: 480_000 }), code({ profitTrigger: 510_000, profitPrice: 1 })]).toEqual([
      "INVALID_COMBINATION",
      "INVALID_COMBINATION",
    ]);
    expect([code({ lots: 10 }), code({ lots: -1, stopTrigger })]).toEqual(["INVALID_QUANTITY", "INVALID_QUANTITY"]);
    for (const lots of [0.5, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53]) {
      const events = sendChanged(stage, ask({ lots: 1, stopTrigger }), (view) => view.setFloat64(40, lots, true));
      expect(published(events)?.[0]).toBe("INVALID_QUANTITY");
    }
    expect(published(send({ lots: 101, stopTrigger }))).toEqual(["QUANTITY_TOO_LARGE", 100]);
    expect([code({ lots: 100, stopTrigger }), code({ lots: 1, stopTrigger })]).toEqual([undefined, undefined]);
  });

  test("a second leg that cannot be leaves neither, and the pair before stands", () => {
    const { stage, alice, send } = open(100);
    send({ profitTrigger: 511_000 });
    expect(published(send({ profitTrigger: 510_000, stopTrigger: 501_000 }))).toBeDefined();
    expect(waiting(stage, alice)).toBe(1);
  });

  test("no part has three, of which one could not end both others", () => {
    const { send } = open(100);
    const three = { profitTrigger: 510_000, stopTrigger: 490_000, trailBps: 100 };
    expect(published(send({ lots: 1, ...three }))).toEqual(["INVALID_COMBINATION", 0]);
    expect(published(send(three))).toBeUndefined();
  });

  test("forty parts are the most, however they are paired; the whole comes on top", () => {
    const { send } = open(100);
    for (let i = 0; i < 19; i++) send({ lots: 1, profitTrigger: 510_000, stopTrigger: 490_000 });
    send({ lots: 1, trailBps: 100 });
    expect(published(send({ lots: 1, profitTrigger: 510_000, stopTrigger: 490_000 }))).toEqual(["TOO_MANY_STOPS", 20]);
    expect(published(send({ stopTrigger: 489_000 }))).toBeUndefined();
    expect(published(send({ lots: 1, stopTrigger: 490_000 }))).toBeUndefined();
    expect(published(send({ lots: 1, stopTrigger: 490_000 }))).toEqual(["TOO_MANY_STOPS", 20]);
  });
});

test("[FUT-2] stops count apart from plans, and belong to no list, not to the first there ever was", () => {
  const stage = createPerpStage(undefined, { conditionalMax: 2 });
  const [alice, bob] = [stage.trader(RICH), stage.trader(RICH)];
  const entry = { kind: "placeBracket", account: alice, market: stage.linear, side: "buy", quantity: 1 } as const;
  const listed = stage.sure({ ...entry, price: 490_000, stopTrigger: 480_000, source: "mark" });
  expect(eventsOf(listed, "listCreated").map(({ list }) => list % 2 ** 24)).toEqual([1]);
  const plan = { kind: "placeConditional", account: alice, market: stage.linear, side: "buy", quantity: 1 } as const;
  const waits = { conditional: "stopMarket", source: "mark", direction: "rises", trigger: 530_000 } as const;
  while (published(stage.sure({ ...plan, ...waits })) === undefined) expect(stage.machine.sequence).toBeLessThan(100);
  take(stage, alice, bob, 5);
  const stops = { kind: "setPositionStops", account: alice, market: stage.linear } as const;
  expect(published(stage.sure({ ...stops, stopTrigger: 490_000 }))).toBeUndefined();
  expect(eventsOf(stage.sure(stops), "orderEnded").map(({ reason }) => reason)).toEqual(["AMEND_REPLACED"]);
  expect(waiting(stage, alice)).toBeGreaterThan(2);
});

test.each([false, true])(
  "[FUT-2] split layout %s: stops are counted anew when their position shrinks or ends, and neither plans nor orders with them",
  (split) => {
    const stage = createPerpStage(undefined, { conditionalMax: 3 });
    const [alice, bob] = [stage.trader(RICH), stage.trader(RICH)];
    if (split) stage.sure({ kind: "setPositionMode", account: alice, hedge: true, split });
    take(stage, alice, bob, 5);
    const position = split ? { position: stage.held(alice)[0]?.id ?? 0 } : {};
    const { linear: market } = stage;
    const plan = (): unknown => {
      const shape = { conditional: "stopMarket", source: "mark", direction: "rises", trigger: 530_000 } as const;
      const base = { kind: "placeConditional", account: alice, market, side: "buy", quantity: 1 } as const;
      return published(stage.sure({ ...base, ...shape }))?.[0];
    };
    const reduce = (lots: number): void => {
      stage.buy(bob, lots, 499_000);
      stage.sure({ kind: "closePosition", account: alice, market, ...position, lots });
    };
    stage.sure({ kind: "setPositionStops", account: alice, market, ...position, stopTrigger: 490_000 });
    stage.sell(alice, 1, 510_000, { reduceOnly: true, ...position });
    expect(plan()).toBeUndefined();
    reduce(1);
    expect([plan(), plan(), plan() === undefined]).toEqual([undefined, undefined, false]);
    reduce(4);
    expect(plan()).toBeDefined();
  },
);

describe("[FUT-2] which position a stop closes", () => {
  const fired = (events: readonly MachineEvent[]): [string, number][] =>
    eventsOf(events, "trade").map(({ takerSide, lots }) => [takerSide, lots]);

  test("of a hedge the side it was set for, the whole of it as it is then, a part as it was said", () => {
    const { stage, alice, bob, send } = open(60, {});
    take(stage, alice, bob, -30);
    send({ side: "short", stopTrigger: 504_000 });
    send({ side: "long", lots: 15, stopTrigger: 496_000 });
    take(stage, alice, bob, -7);
    stage.sell(bob, 500, 504_500);
    stage.buy(bob, 500, 495_500);
    expect(fired(stage.mark(stage.linear, 504_000))).toEqual([["buy", 37]]);
    expect(fired(stage.mark(stage.linear, 496_000))).toEqual([["sell", 15]]);
    expect(stage.held(alice)).toMatchObject([{ lots: 45 }]);
  });

  test("in split layout the one it names; a plan that reduces names one too, and waits for no other", () => {
    const { stage, alice, bob, send } = open(60, { split: true });
    take(stage, alice, bob, 25);
    const of = (lots: number): number => stage.held(alice).find((one) => one.lots === lots)?.id ?? 0;
    const [large, small] = [of(60), of(25)];
    send({ position: small, stopTrigger: 496_000 });
    const plan = {
      kind: "placeConditional",
      account: alice,
      market: stage.linear,
      side: "sell",
      conditional: "stopMarket",
      quantity: 20,
      source: "mark",
      direction: "falls",
      trigger: 494_000,
      reduceOnly: true,
    } as const;
    expect(published(stage.sure(plan))?.[0]).toBe("UNKNOWN_POSITION");
    expect(published(stage.sure({ ...plan, position: large }))).toBeUndefined();
    // What opens names none.
    const { reduceOnly: _, ...opening } = plan;
    expect(published(stage.sure({ ...opening, trigger: 400_000 }))).toBeUndefined();
    stage.buy(bob, 500, 493_000);
    expect(fired(stage.mark(stage.linear, 496_000))).toEqual([["sell", 25]]);
    expect(stage.held(alice)).toMatchObject([{ id: large, lots: 60 }]);
    expect(fired(stage.mark(stage.linear, 494_000))).toEqual([["sell", 20]]);
    expect(stage.held(alice)).toMatchObject([{ id: large, lots: 40 }]);
  });

  test("a plan that reduces in split layout ends with the position it named, a stop with its own and not with another", () => {
    const { stage, alice, bob, send } = open(60, { split: true });
    take(stage, alice, bob, 25);
    const of = (lots: number): number => stage.held(alice).find((one) => one.lots === lots)?.id ?? 0;
    const [large, small] = [of(60), of(25)];
    const base = { kind: "placeConditional", account: alice, market: stage.linear, side: "sell" } as const;
    const shape = { conditional: "stopMarket", quantity: 20, source: "mark", direction: "falls" } as const;
    stage.sure({ ...base, ...shape, trigger: 494_000, reduceOnly: true, position: large });
    send({ position: small, stopTrigger: 496_000 });
    stage.buy(bob, 500, 499_000);
    const closed = stage.sure({ kind: "closePosition", account: alice, market: stage.linear, position: large });
    expect(eventsOf(closed, "orderEnded").map(({ reason }) => reason)).toEqual(["POSITION_CLOSED"]);
    expect(fired(stage.mark(stage.linear, 496_000))).toEqual([["sell", 25]]);
  });

  test("a stop fires at the market's own slippage, and one that fires takes its pair with it and no other", () => {
    const { stage, alice, bob, send } = open(60);
    send({ lots: 10, profitTrigger: 510_000, stopTrigger: 496_000 });
    send({ lots: 20, profitTrigger: 510_000, stopTrigger: 490_000 });
    // Only close-on-trigger takes back what rests.
    stage.buy(alice, 1, 480_000);
    stage.buy(bob, 1, 495_900);
    stage.buy(bob, 500, 490_000);
    const events = stage.mark(stage.linear, 496_000);
    expect(eventsOf(events, "trade").map(({ lots, price }) => [lots, price])).toEqual([
      [1, 495_900],
      [9, 490_000],
    ]);
    expect(eventsOf(events, "orderEnded").map(({ reason }) => reason)).toEqual(["LIST_SIBLING"]);
    expect(waiting(stage, alice)).toBe(3);
  });

  test("of a single lot too, and without a sibling that was taken back", () => {
    for (const lots of [1, -1]) {
      const { stage, alice, bob, send } = open(lots);
      const [profitTrigger, stopTrigger] = lots > 0 ? [510_000, 496_000] : [490_000, 504_000];
      const [profit] = eventsOf(send({ lots: 1, profitTrigger, stopTrigger }), "positionStop");
      stage.sure({ kind: "cancelOrder", account: alice, orderId: profit?.orderId ?? 0 });
      stage[lots > 0 ? "buy" : "sell"](bob, 10, stopTrigger);
      const events = stage.mark(stage.linear, stopTrigger);
      expect([fired(events), eventsOf(events, "orderEnded")]).toEqual([[[lots > 0 ? "sell" : "buy", 1]], []]);
      expect(stage.held(alice)).toEqual([]);
    }
  });

  test("the whole of one side of a hedge takes no place of the other's", () => {
    const { stage, alice, bob, send } = open(60, {});
    take(stage, alice, bob, -30);
    send({ side: "long", stopTrigger: 490_000 });
    expect(eventsOf(send({ side: "short", stopTrigger: 510_000 }), "orderEnded")).toEqual([]);
    expect(waiting(stage, alice)).toBe(2);
  });

  test("a plan that reduces in split layout ends with the position it named though no stop was ever set", () => {
    const { stage, alice, bob } = open(60, { split: true });
    // One that came in the place of another is known by its number as well.
    stage.buy(bob, 60, 500_000);
    stage.sure({ kind: "closeAll", account: alice });
    take(stage, alice, bob, 60);
    const position = stage.held(alice)[0]?.id ?? 0;
    expect(position).toBeGreaterThan(2 ** 24);
    const base = {
      kind: "placeConditional",
      account: alice,
      market: stage.linear,
      side: "sell",
      quantity: 20,
    } as const;
    const shape = { conditional: "stopMarket", source: "mark", direction: "falls", trigger: 494_000 } as const;
    stage.sure({ ...base, ...shape, reduceOnly: true, position });
    stage.buy(bob, 60, 499_000);
    const closed = stage.sure({ kind: "closePosition", account: alice, market: stage.linear, position });
    expect(eventsOf(closed, "orderEnded").map(({ reason }) => reason)).toEqual(["POSITION_CLOSED"]);
  });

  test("close-on-trigger takes back what rests, and what waits stays", () => {
    const { stage, alice, bob, send } = open(60);
    send({ stopTrigger: 480_000 });
    stage.buy(bob, 500, 489_000);
    const resting = eventsOf(stage.buy(alice, 1, 485_000), "orderAccepted")[0]?.orderId;
    const plan = {
      kind: "placeConditional",
      account: alice,
      market: stage.linear,
      side: "sell",
      quantity: 20,
    } as const;
    const fires = { conditional: "stopMarket", source: "mark", direction: "falls", trigger: 490_000 } as const;
    const closing = eventsOf(stage.sure({ ...plan, ...fires, closeOnTrigger: true }), "conditionalAccepted");
    expect(closing).toMatchObject([{ reduceOnly: true }]);
    const events = stage.mark(stage.linear, 490_000);
    expect(eventsOf(events, "orderEnded").map(({ orderId, reason }) => [orderId, reason])).toEqual([
      [resting, "CLOSE_ON_TRIGGER"],
    ]);
    expect(fired(events)).toEqual([["sell", 20]]);
    // A plan without it leaves what rests.
    stage.buy(alice, 1, 484_000);
    stage.sure({ ...plan, ...fires, trigger: 489_000, reduceOnly: true });
    expect(eventsOf(stage.mark(stage.linear, 489_000), "orderEnded")).toEqual([]);
    expect(stage.held(alice)).toMatchObject([{ lots: 20 }]);
  });
});

describe("[FUT-2] one stop that moves", () => {
  test("is the account's own, waits, and is a position's", () => {
    const { stage, alice, bob, send } = open(60);
    const [stop = 0] = eventsOf(send({ lots: 10, stopTrigger: 490_000 }), "positionStop").map(({ orderId }) => orderId);
    const move = (orderId: number, account = alice): unknown =>
      published(stage.sure({ kind: "moveStop", account, orderId, trigger: 491_000 }))?.[0];
    const resting = eventsOf(stage.buy(alice, 1, 485_000), "orderAccepted")[0]?.orderId ?? 0;
    expect([move(stop, bob), move(stop + 1_000_000), move(0), move(resting)]).toEqual([
      "UNKNOWN_ORDER",
      "UNKNOWN_ORDER",
      "UNKNOWN_ORDER",
      "AMEND_NOT_ALLOWED",
    ]);
    const plan = { kind: "placeConditional", account: alice, market: stage.linear, side: "sell", quantity: 1 } as const;
    const shape = { conditional: "stopMarket", source: "mark", direction: "falls", trigger: 490_000 } as const;
    const [own] = eventsOf(stage.sure({ ...plan, ...shape }), "conditionalAccepted");
    expect(move(own?.orderId ?? 0)).toBe("AMEND_NOT_ALLOWED");
    expect([move(stop), move(stop)]).toEqual([undefined, "AMEND_NO_CHANGE"]);
  });
});
