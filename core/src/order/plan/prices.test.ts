// What plans see of the prices: every print, in order, and nothing older than themselves.
import { beforeEach, describe, expect, it } from "vitest";
import type { Command } from "../../protocol/command.ts";
import type { MachineEvent } from "../../protocol/event.ts";
import { eventsOf, sendChecked } from "../../testing/driver.ts";
import { createStage, type Stage } from "../../testing/stage.ts";

let stage: Stage;
let alice: number;
let bob: number;
let carol: number;

const send = (command: Command): MachineEvent[] => sendChecked(stage, command);
const limit = (account: number, side: "buy" | "sell", price: number, quantity: number): MachineEvent[] =>
  send({ kind: "placeOrder", account, market: stage.market, side, price, quantity });
const tradeAt = (price: number): void => {
  limit(carol, "sell", price, 1);
  limit(bob, "buy", price, 1);
};
type Plan = Partial<Extract<Command, { kind: "placeConditional" }>>;
const plan = (more: Plan): number =>
  eventsOf(
    send({
      kind: "placeConditional",
      account: alice,
      market: stage.market,
      side: "sell",
      price: 900,
      quantity: 1,
      conditional: "stopLimit",
      ...more,
    }),
    "conditionalAccepted",
  )[0]?.orderId ?? 0;
const fired = (events: readonly MachineEvent[]): unknown[] =>
  eventsOf(events, "conditionalTriggered").map(({ orderId, observed }) => [orderId, observed]);

beforeEach(() => {
  stage = createStage({ anchorTicks: 1_000 });
  alice = stage.trader(1e8, 1e8);
  bob = stage.trader(1e8, 1e8);
  carol = stage.trader(1e8, 1e8);
});

describe("prints inside one command", () => {
  beforeEach(() => {
    tradeAt(980);
    limit(bob, "buy", 1_000, 1);
    limit(bob, "buy", 990, 1);
  });

  it("[TRIGGER-8] a plan fires at a price that printed on the way, though the last one is another", () => {
    const id = plan({ side: "buy", price: 1_000, direction: "rises", trigger: 1_000 });
    expect(fired(limit(carol, "sell", 990, 2))).toEqual([[id, 990]]);
  });

  it("[TRIGGER-8] a trailing stop keeps the peak that printed on the way", () => {
    plan({ conditional: "trailingStop", trigger: 0, callbackBps: 100 });
    // 1 % below the peak of 1 000 is 990.
    expect(fired(limit(carol, "sell", 990, 2))).toHaveLength(1);
  });

  it("[TRIGGER-8] a trailing stop begins to follow at the print, after that fill's postings", () => {
    plan({ conditional: "trailingStop", trigger: 1_000, callbackBps: 1_000 });
    const events = limit(carol, "sell", 990, 2);
    expect(eventsOf(events, "trailingActivated")).toMatchObject([{ observed: 1_000 }]);
    const order = events.map(({ kind }) => kind);
    const [first, second] = events.flatMap(({ kind }, at) => (kind === "trade" ? [at] : []));
    const activated = order.indexOf("trailingActivated");
    expect(order.slice(first, activated).filter((kind) => kind === "posting").length).toBeGreaterThan(3);
    expect(activated).toBeLessThan(second ?? 0);
  });

  it("[TRIGGER-8] plans fire in the order of the prints that made them due", () => {
    const falls = plan({ direction: "falls", trigger: 970 });
    const rises = plan({ side: "buy", price: 1_000, direction: "rises", trigger: 1_000 });
    limit(bob, "buy", 965, 1);
    expect(fired(limit(carol, "sell", 965, 3))).toEqual([
      [rises, 965],
      [falls, 965],
    ]);
  });

  it("[TRIGGER-8] scaled orders show every print too", () => {
    const id = plan({ side: "buy", price: 1_000, direction: "rises", trigger: 1_000 });
    const events = send({
      kind: "placeScaled",
      account: carol,
      market: stage.market,
      side: "sell",
      price: 1_000,
      priceTo: 990,
      quantity: 2,
      count: 2,
    });
    expect(fired(events)).toEqual([[id, 990]]);
  });
});

describe("marks", () => {
  it("[TRIGGER-9] a new mark is not taken for a new last price", () => {
    tradeAt(1_000);
    send({ kind: "setReferencePrice", market: stage.market, markTicks: 1_000 });
    const marked = plan({ source: "mark", direction: "falls", trigger: 950 });
    // Its activation is already behind; it begins to follow when a price prints.
    plan({ conditional: "trailingStop", source: "last", trigger: 990, callbackBps: 100 });
    const events = send({ kind: "setReferencePrice", market: stage.market, markTicks: 940 });
    expect(fired(events)).toEqual([[marked, 940]]);
    expect(eventsOf(events, "trailingActivated")).toEqual([]);
  });
});

describe("the ends of prices", () => {
  const observe = (markTicks: number): unknown[] =>
    fired(send({ kind: "setReferencePrice", market: stage.market, markTicks }));

  it("[TRIGGER-9] the lowest price there is fires what waits for it", () => {
    observe(1_000);
    const id = plan({ source: "mark", direction: "falls", trigger: 1 });
    expect(observe(2)).toEqual([]);
    expect(observe(1)).toEqual([[id, 1]]);
  });

  it("[TRIGGER-9] no price is none that has fallen: a stop waits for the first mark", () => {
    tradeAt(1_000);
    const order = { account: alice, market: stage.market, side: "buy", price: 1_000, quantity: 10 } as const;
    send({ kind: "placeBracket", ...order, source: "mark", stopTrigger: 950, stopPrice: 900 });
    const events = limit(carol, "sell", 1_000, 10);
    const id = eventsOf(events, "conditionalAccepted")[0]?.orderId;
    expect(fired(events)).toEqual([]);
    expect(observe(951)).toEqual([]);
    expect(observe(950)).toEqual([[id, 950]]);
  });
});

describe("turns", () => {
  it("[TRIGGER-10] a plan that follows a withdrawn one waits for its own turn", () => {
    tradeAt(1_000);
    const created = send({
      kind: "placeBracket",
      account: alice,
      market: stage.market,
      side: "buy",
      price: 1_000,
      quantity: 10,
      stopTrigger: 990,
      stopPrice: 900,
    });
    expect(eventsOf(created, "listCreated")).toHaveLength(1);
    const armed = eventsOf(limit(carol, "sell", 1_000, 5), "listLeg").at(-1)?.orderId ?? 0;
    const other = plan({ account: bob, direction: "falls", trigger: 988 });
    limit(bob, "buy", 985, 1);
    const events = limit(carol, "sell", 985, 6);
    const rearmed = eventsOf(events, "listLeg").at(-1)?.orderId ?? 0;
    expect(rearmed).toBeGreaterThan(armed);
    expect(fired(events)).toEqual([
      [other, 985],
      [rearmed, 985],
    ]);
  });
});
