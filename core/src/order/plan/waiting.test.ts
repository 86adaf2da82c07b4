// Lists and plans that wait for their turn behind more than one command may work off: what is decided is not changed any more,
// and what came in is protected as far as it is still there.
import { present } from "@clockwork/kit/assert";
import { beforeEach, describe, expect, it } from "vitest";
import { coreOf } from "../../machine/machine.ts";
import type { Command } from "../../protocol/command.ts";
import type { MachineEvent } from "../../protocol/event.ts";
import { eventsOf, sendChecked } from "../../testing/driver.ts";
import { createStage, type Stage } from "../../testing/stage.ts";
import { FOLLOW_UPS_MAX } from "../../trigger/follow-ups.ts";

let stage: Stage;
let alice: number;
let bob: number;
/** Whose plans are the crowd. */
let holder: number;
/** The last plan of the crowd: it waits when all of them became due. */
let late: number;

const send = (command: Command): MachineEvent[] => sendChecked(stage, command);
const order = (kind: Command["kind"], more: object): MachineEvent[] =>
  send({ kind, account: alice, market: stage.market, side: "buy", price: 800, quantity: 10, ...more } as Command);
const take = (side: "buy" | "sell", price: number, quantity: number): MachineEvent[] =>
  order("placeOrder", { account: bob, side, price, quantity, timeInForce: "IOC" });
const amend = (orderId: number, change: object): unknown => {
  const events = send({ kind: "amendPlan", account: alice, orderId, ...change });
  return eventsOf(events, "rejected").map(({ code }) => code)[0];
};
const legs = (events: readonly MachineEvent[]): { stop: number; limit: number; list: number } => {
  const idOf = (leg: string): number => {
    const found = eventsOf(events, "listLeg").find((event) => event.leg === leg);
    return present(found, "TEST", leg).orderId;
  };
  const { list } = present(eventsOf(events, "listCreated")[0], "TEST", "a list");
  return { stop: idOf("stop"), limit: idOf("profit"), list };
};
const base = (): [number, number] => {
  const { ledger } = coreOf(stage.machine);
  const cell = ledger.cellOf(alice, stage.base);
  return [ledger.available(cell), ledger.frozen(cell)];
};

/** Makes one plan more due than a command may fire. */
const crowd = (): void => {
  const events = order("placeOrder", { account: bob, side: "sell", price: 900, quantity: 1, selfTrade: "NONE" });
  expect(eventsOf(events, "conditionalTriggered")).toHaveLength(FOLLOW_UPS_MAX);
};

beforeEach(() => {
  stage = createStage({ anchorTicks: 1_000, conditionalMax: 1_000, restingMax: 1_000 });
  stage.send({ kind: "setFeeGroup", feeGroup: 0, makerRate: 0, takerRate: 0 });
  alice = stage.trader(1e5, 1e6);
  bob = stage.trader(1e9, 1e9);
  holder = stage.trader(1e9, 0);
  stage.send({ kind: "setAccountFlags", account: bob, allowSelfTrade: true });
  const { market } = stage;
  const trade = { kind: "placeOrder", account: bob, market, price: 1_000, quantity: 1 } as const;
  stage.send({ ...trade, side: "buy" });
  stage.send({ ...trade, side: "sell", selfTrade: "NONE" });
  const stop = { conditional: "stopMarket", direction: "falls", trigger: 950 } as const;
  const plan = { kind: "placeConditional", account: holder, market, side: "sell", quantity: 1, ...stop } as const;
  for (let i = 0; i < FOLLOW_UPS_MAX; i++) stage.send(plan);
  late = present(
    eventsOf(stage.send({ ...plan, account: alice, price: 0 }), "conditionalAccepted")[0],
    "TEST",
    "a plan",
  ).orderId;
  stage.send({ ...trade, side: "buy", price: 900, quantity: FOLLOW_UPS_MAX * 2 });
});

describe("what is decided", () => {
  it("[PLAN-21] a plan that is due is not changed any more, and fires in its turn", () => {
    crowd();
    expect(amend(late, { trigger: 700 })).toBe("AMEND_NOT_ALLOWED");
    expect(amend(late, { quantity: 2 })).toBe("AMEND_NOT_ALLOWED");
    expect(eventsOf(send({ kind: "tick" }), "conditionalTriggered")).toMatchObject([{ orderId: late }]);
  });

  it("[PLAN-21] an OCO of which one leg is gone or has begun to fill is not changed any more", () => {
    const oco = { side: "sell", price: 1_050, trigger: 700 };
    const made = [0, 1].map(() => legs(order("placeOco", oco)));
    const [unstopped, unlimited] = made;
    const filling = legs(order("placeOco", { ...oco, price: 1_040 }));
    crowd();
    send({ kind: "cancelOrder", account: alice, orderId: unstopped?.stop ?? 0 });
    send({ kind: "cancelOrder", account: alice, orderId: unlimited?.limit ?? 0 });
    take("buy", 1_040, 1);
    expect(amend(unstopped?.limit ?? 0, { price: 1_060 })).toBe("AMEND_NOT_ALLOWED");
    expect(amend(unlimited?.stop ?? 0, { trigger: 710 })).toBe("AMEND_NOT_ALLOWED");
    expect(amend(filling.limit, { price: 1_060 })).toBe("AMEND_NOT_ALLOWED");
    expect(amend(filling.stop, { trigger: 710 })).toBe("AMEND_NOT_ALLOWED");
    const ended = eventsOf(send({ kind: "tick" }), "orderEnded").map(({ orderId, reason }) => [orderId, reason]);
    expect(ended).toEqual([
      [unstopped?.limit, "LIST_SIBLING"],
      [unlimited?.stop, "LIST_SIBLING"],
      [filling.stop, "LIST_SIBLING"],
    ]);
    expect(base()).toEqual([1e5 - 11_000, 9_000]);
  });

  it("[PLAN-21] a stop that is due and a limit that is filled before its turn: the limit is kept, the stop is not", () => {
    const made = legs(order("placeOco", { side: "sell", price: 1_050, trigger: 940 }));
    crowd();
    take("buy", 1_050, 4);
    const ticked = send({ kind: "tick" });
    expect(eventsOf(ticked, "orderEnded")).toMatchObject([{ orderId: made.stop, reason: "LIST_SIBLING" }]);
    expect(eventsOf(ticked, "listEnded")).toMatchObject([{ list: made.list, reason: "LIST_DONE" }]);
    expect(eventsOf(take("buy", 1_050, 6), "trade")).toMatchObject([{ lots: 6, makerAccount: alice }]);
    expect(base()[1]).toBe(0);
  });
});

describe("what is withdrawn", () => {
  it("[PLAN-21] plans that stand alone leave nothing to be worked off: their owner's list ends with them", () => {
    order("placeOco", { account: holder, side: "sell", price: 1_050, trigger: 700 });
    const events = send({ kind: "cancelAll", account: holder });
    expect(eventsOf(events, "orderEnded")).toHaveLength(FOLLOW_UPS_MAX + 2);
    expect(eventsOf(events, "listEnded")).toHaveLength(1);
    expect(stage.machine.nextTimerAt).toBe(Number.POSITIVE_INFINITY);
  });
});

describe("what came in", () => {
  const filled = (): void => {
    order("placeOrder", { account: bob, side: "sell", price: 1_010 });
    crowd();
    order("placeBracket", { price: 1_010, stopTrigger: 700 });
  };
  const armed = (): unknown => {
    const events = send({ kind: "tick" });
    expect(eventsOf(events, "conditionalAccepted")).toMatchObject([{ account: alice, quantity: 10, heldUnits: 0 }]);
    return eventsOf(events, "frozen").flatMap(({ account, deltaUnits }) => (account === alice ? [deltaUnits] : []));
  };
  /** All but so many units are set aside for a withdrawal. */
  const leave = (units: number): void => {
    const command = {
      kind: "hold",
      account: alice,
      asset: stage.base,
      business: "withdrawal",
      reference: "w",
    } as const;
    send({ ...command, units: base()[0] - units });
  };

  it.each([
    [20_000, [10_000]],
    [10_000, [10_000]],
    [3_500, [3_500]],
    [1, [1]],
    [0, []],
  ])("[LIST-11] is frozen by the stop as far as it is still there: of %i units %j", (left, frozen) => {
    filled();
    leave(left);
    // The plan before it in the queue gives back its lot and sells it.
    expect(armed()).toEqual([-1_000, ...frozen]);
  });
});
