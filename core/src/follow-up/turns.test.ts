// Bots and copies in the queue: how many begin at once, and what is told of those that wait.
import { describe, expect, it } from "vitest";
import { checkInvariants } from "../inspect/invariants.ts";
import { coreOf } from "../machine/machine.ts";
import type { Command } from "../protocol/command.ts";
import type { MachineEvent } from "../protocol/event.ts";
import { COIN, createBotStage } from "../testing/bot-stage.ts";
import { createCopyStage } from "../testing/copy-stage.ts";
import { eventsOf } from "../testing/driver.ts";
import { FOLLOW_UPS_MAX } from "../trigger/follow-ups.ts";

const causes = (events: readonly MachineEvent[]): unknown[] =>
  eventsOf(events, "followUp").map(({ what, orderId, cause }) => [what, orderId, cause]);

describe("bots", () => {
  /** A print at the trigger of so many bots that wait for it. */
  const triggered = (count: number) => {
    const stage = createBotStage();
    stage.moveTo(497_000, stage.linear);
    const range = { lowTicks: 490_000, highTicks: 510_000, cells: 2, leverage: 2, triggerTicks: 500_000 } as const;
    const [maker, other] = stage.futuresMakers;
    // One user may have twenty.
    for (let i = 0; i < count; i++) {
      const reference = `bot:${i}`;
      const account = i < 20 ? stage.futures : other;
      const requested = { account, market: stage.linear, reference, quoteUnits: 1_000 * COIN } as const;
      stage.send({ kind: "createBot", grid: "neutral", spacing: "arithmetic", ...range, ...requested });
    }
    stage.sure({ kind: "cancelAll", account: maker });
    const stop = { conditional: "stopLimit", direction: "rises", trigger: 500_000, price: 499_000 } as const;
    const plan = { account: maker, market: stage.linear, side: "buy", quantity: 1, ...stop } as const;
    for (let i = 0; i < 2; i++) stage.sure({ kind: "placeConditional", ...plan });
    const order = { kind: "placeOrder", market: stage.linear, price: 500_000, quantity: 1 } as const;
    stage.sure({ ...order, account: maker, side: "sell" });
    return { stage, print: stage.send({ ...order, account: other, side: "buy" }) };
  };
  const started = (events: readonly MachineEvent[]): number => eventsOf(events, "botChanged").length;
  const fired = (events: readonly MachineEvent[]): number => eventsOf(events, "conditionalTriggered").length;

  it("[QUEUE-14] thirty-two begin in the command whose price they waited for; one more, and all leave it to the ticks, but no plan does", () => {
    const { stage, print } = triggered(32);
    expect([fired(print), started(print), causes(print)]).toEqual([2, 32, []]);
    expect(coreOf(stage.machine).followUps.length).toBe(0);
    const more = triggered(33);
    const cause = more.stage.machine.sequence;
    expect([fired(more.print), started(more.print), causes(more.print)]).toEqual([2, 0, []]);
    expect(coreOf(more.stage.machine).followUps.length).toBe(33);
    const ticked = more.stage.send({ kind: "tick" });
    expect(started(ticked)).toBe(33);
    expect(causes(ticked)).toEqual(Array.from({ length: 33 }, () => ["bot", 0, cause]));
    expect(checkInvariants(more.stage.machine)).toEqual([]);
  });
});

describe("copies", () => {
  /** Of a leader with a follower: what his stop sets off, with as many plans behind it as one command may work off. */
  const fallen = (own: object) => {
    const stage = createCopyStage();
    const one = stage.follower({ multiplier: 50_000_000 });
    const holder = stage.trader(1e12);
    stage.sell(stage.maker, 1_000, 500_000);
    stage.buy(stage.leader, 20, 500_000);
    stage.buy(stage.maker, 100, 489_000);
    const at = { market: stage.linear, source: "mark" } as const;
    const set = stage.sure({ ...at, account: stage.leader, ...own } as Command);
    stage.sure({ kind: "setMarketLimits", market: stage.linear, conditionalMax: 500, restingMax: 500 });
    const waits = { conditional: "stopLimit", direction: "falls", side: "sell", price: 600_000, quantity: 1 } as const;
    for (let i = 1; i < FOLLOW_UPS_MAX; i++)
      stage.send({ kind: "placeConditional", ...at, ...waits, account: holder, trigger: 490_000 });
    const fell = stage.send({ kind: "setReferencePrice", market: stage.linear, markTicks: 489_900 });
    expect(checkInvariants(stage.machine)).toEqual([]);
    return { stage, one, set, fell, cause: stage.machine.sequence };
  };

  it("[QUEUE-15] what a leader's stop sets off waits where a command has done its part, and names it and no order", () => {
    const stop = { conditional: "stopMarket", type: "market", reduceOnly: true, direction: "falls", trigger: 490_500 };
    const { stage, one, fell, cause } = fallen({ kind: "placeConditional", side: "sell", quantity: 20, ...stop });
    expect(eventsOf(fell, "conditionalTriggered")).toHaveLength(FOLLOW_UPS_MAX);
    expect([eventsOf(fell, "copyPlaced"), causes(fell)]).toEqual([[], []]);
    const ticked = stage.sure({ kind: "tick" });
    expect(causes(ticked)).toEqual([["copy", 0, cause]]);
    expect(eventsOf(ticked, "copyPlaced")).toMatchObject([{ account: one, what: "close", filledLots: 10 }]);
    expect(coreOf(stage.machine).followUps.length).toBe(0);
  });

  it("[QUEUE-15] a mirror whose price came ends at once, though what its leader's stop closed is copied later", () => {
    const { stage, one, set, fell } = fallen({ kind: "setPositionStops", lots: 8, stopTrigger: 490_500 });
    const mirror = eventsOf(set, "conditionalAccepted").find(({ account }) => account === one);
    expect(eventsOf(fell, "orderEnded").filter(({ account }) => account === one)).toMatchObject([
      { orderId: mirror?.orderId, reason: "LIST_SIBLING" },
    ]);
    expect([eventsOf(fell, "copyPlaced"), stage.held(one)[0]?.lots]).toEqual([[], 10]);
    stage.sure({ kind: "tick" });
    expect(stage.held(one)).toMatchObject([{ lots: 6 }]);
  });
});
