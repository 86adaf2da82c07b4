import { describe, expect, it } from "vitest";
import { coreOf } from "../machine/machine.ts";
import { type BotStage, COIN, createBotStage } from "../testing/bot-stage.ts";
import { eventsOf } from "../testing/driver.ts";
import { termsOf } from "./note/view.ts";

const P = 500_000;
const range = { lowTicks: 480_000, highTicks: 520_000, cells: 10, leverage: 2 } as const;

function started(grid: "neutral" | "long" | "short", own: object = {}): BotStage {
  const stage = createBotStage();
  stage.moveTo(P, stage.linear);
  stage.create({ grid, ...range, ...own });
  return stage;
}

const held = (stage: BotStage): number => stage.held(stage.bot().account)[0]?.lots ?? 0;

describe("a futures grid in the core", () => {
  it.each([
    ["neutral", 0],
    ["long", 5],
    ["short", -5],
  ] as const)("[GRID-1] %s begins with %i orders' lots and lays every line", (grid, orders) => {
    const stage = started(grid);
    expect(stage.state().status).toBe("RUNNING");
    expect(stage.resting(stage.bot().account, stage.linear)).toHaveLength(10);
    expect(held(stage)).toBe(orders * termsOf(coreOf(stage.machine), stage.bot().bot).lots);
  });

  it("[GRID-1] a pair whose orders were met counts its profit less the maker's fee of both", () => {
    const stage = started("neutral");
    const { lots } = termsOf(coreOf(stage.machine), stage.bot().bot);
    stage.moveTo(495_000, stage.linear);
    const [pair] = eventsOf(stage.moveTo(501_000, stage.linear), "botPairClosed");
    const fee = (ticks: number): number => Math.ceil((lots * ticks * 100 * 2) / 10_000);
    expect(pair).toMatchObject({ later: "sell", lowTicks: 496_000, highTicks: 500_000, lots });
    expect(pair?.profitUnits).toBe(lots * 4_000 * 100 - fee(496_000) - fee(500_000));
  });

  it.each(["neutral", "long", "short"] as const)(
    "[GRID-1] %s earns pairs over a walk, and its end leaves nothing",
    (grid) => {
      const stage = started(grid);
      const { account } = stage.bot();
      for (const ticks of [485_000, 515_000, 482_000, 519_000, 481_000, 501_000]) stage.moveTo(ticks, stage.linear);
      const { pairs, profitUnits } = stage.state();
      expect(pairs).toBeGreaterThan(10);
      expect(profitUnits).toBeGreaterThan(0);
      const before = stage.balance(stage.futures).available;
      const ended = stage.sure({ kind: "stopBot", account, sells: true });
      expect(eventsOf(ended, "botChanged").at(-1)).toMatchObject({ change: "closed", reason: "USER" });
      expect(stage.held(account)).toEqual([]);
      expect(stage.balance(account)).toEqual({ available: 0, frozen: 0 });
      expect(stage.balance(stage.futures).available).toBeGreaterThan(before + 9_000 * COIN);
    },
  );

  it("[GRID-1] margin goes in and out, but never so far that it would be liquidated inside of its range", () => {
    const stage = started("long");
    const { account } = stage.bot();
    const added = stage.sure({ kind: "changeBot", reference: "r:1", account, marginUnits: 500 * COIN });
    expect(eventsOf(added, "botChanged").at(-1)).toMatchObject({ change: "funds", investedUnits: 10_500 * COIN });
    const out = stage.sure({ kind: "changeBot", reference: "r:2", account, marginUnits: -500 * COIN });
    expect(eventsOf(out, "botChanged").at(-1)).toMatchObject({ investedUnits: 10_000 * COIN });
    const all = stage.sure({ kind: "changeBot", reference: "r:3", account, marginUnits: -9_900 * COIN });
    expect(["INSUFFICIENT_BALANCE", "GRID_LIQUIDATION_INSIDE"]).toContain(eventsOf(all, "rejected")[0]?.code);
    expect(eventsOf(stage.sure({ kind: "closeAll", account, market: stage.linear }), "rejected")[0]?.code).toBe(
      "BOT_BOOK_CLOSED",
    );
  });

  it("[GRID-1] its owner's modes change without it, and not at all where it is named", () => {
    const stage = started("long");
    const set = { kind: "setPositionMode", account: stage.futures, hedge: true } as const;
    const events = stage.sure({ ...set, also1: stage.bot().account });
    expect(eventsOf(events, "rejected")[0]?.code).toBe("BOT_BOOK_CLOSED");
    expect(eventsOf(events, "perpSettings")).toEqual([]);
    expect(eventsOf(stage.sure(set), "perpSettings").map(({ account }) => account)).toEqual([stage.futures]);
  });

  it("[GRID-1] a bot that is liquidated is over", () => {
    const stage = started("long", { leverage: 3 });
    const { account } = stage.bot();
    const events = stage.sure({ kind: "setReferencePrice", market: stage.linear, markTicks: 100_000 });
    expect(eventsOf(events, "liquidationEnded")).toHaveLength(1);
    expect(eventsOf(events, "botChanged").at(-1)).toMatchObject({ change: "closed", reason: "LIQUIDATED" });
    expect(stage.held(account)).toEqual([]);
  });
});
