// A trigger that the price jumps over: the bot begins at the price it finds, with orders that price pays for.
import { expect, it } from "vitest";
import { createMachine } from "../machine/machine.ts";
import { type BotStage, COIN, createBotStage } from "../testing/bot-stage.ts";
import { eventsOf } from "../testing/driver.ts";

const range = { lowTicks: 490_000, highTicks: 510_000, cells: 10, leverage: 2 } as const;
/** Half of the lines lie above: planned there, either side is half of what all buys would be. */
const TRIGGER = 500_000;

function waiting(own: object = {}): BotStage {
  const stage = createBotStage();
  stage.moveTo(497_000, stage.linear);
  stage.create({ grid: "neutral", ...range, triggerTicks: TRIGGER, ...own });
  expect(stage.state().status).toBe("WAIT_TRIGGER");
  return stage;
}

const lotsOf = (events: ReturnType<BotStage["moveTo"]>): number | undefined =>
  eventsOf(events, "botChanged").at(-1)?.lots;

/** floor( I × 90 % × leverage ÷ the dearer side ): lines in ticks, a hundred units each. */
const paidLots = (units: number, ticks: number): number => Math.floor((units * 18) / (ticks * 1_000));

it("[GRID-1] a futures grid whose trigger is jumped over lays every order: its lots are those of the price found", () => {
  const exact = waiting();
  const planned = lotsOf(exact.moveTo(TRIGGER, exact.linear));
  // Lines 502 000 to 510 000 are the dearer side.
  expect(planned).toBe(paidLots(10_000 * COIN, 5 * 506_000));
  const stage = waiting();
  const jumped = stage.moveTo(509_500, stage.linear);
  expect(eventsOf(jumped, "rejected")).toEqual([]);
  // Nine buys below the gap at 508 000.
  expect(lotsOf(jumped)).toBe(paidLots(10_000 * COIN, 9 * 498_000));
  expect(stage.state().status).toBe("RUNNING");
  expect(stage.resting(stage.bot().account, stage.linear)).toHaveLength(10);
  // With every buy filled none of it was short of margin.
  const fallen = stage.moveTo(490_500, stage.linear);
  expect(eventsOf(fallen, "rejected")).toEqual([]);
  const replayed = createMachine();
  for (const command of stage.journal) {
    replayed.events.clear();
    replayed.apply(command, 0);
  }
  expect(replayed.stateHash()).toBe(stage.machine.stateHash());
});

it("[GRID-1] it never begins with more than it was planned with, however cheap the price found is", () => {
  const stage = createBotStage();
  stage.moveTo(1_090_000);
  const planned = lotsOf(stage.create({ triggerTicks: 1_050_000 }));
  stage.moveTo(1_060_000);
  const started = stage.moveTo(1_030_000);
  expect(lotsOf(started)).toBe(planned);
  expect(eventsOf(started, "rejected")).toEqual([]);
  expect(stage.state().status).toBe("RUNNING");
});

it("[GRID-1] so far beyond its trigger that no order could be paid it ends, says why, and gives the money back", () => {
  const stage = createBotStage();
  stage.moveTo(497_000, stage.linear);
  const before = stage.balance(stage.futures).available;
  stage.create({ grid: "neutral", ...range, triggerTicks: TRIGGER, quoteUnits: 150 * COIN });
  expect(stage.balance(stage.futures).available).toBe(before - 150 * COIN);
  const jumped = stage.moveTo(509_500, stage.linear);
  expect(eventsOf(jumped, "botChanged").at(-1)).toMatchObject({
    change: "closed",
    reason: "PRICE_JUMPED",
    feesUnits: 0,
  });
  expect(stage.balance(stage.futures).available).toBe(before);
});
