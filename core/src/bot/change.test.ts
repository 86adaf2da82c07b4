// What the owner of a bot changes: on the range as it lies now, and before it has begun.
import { describe, expect, it } from "vitest";
import { coreOf } from "../machine/machine.ts";
import { type BotStage, COIN, createBotStage } from "../testing/bot-stage.ts";
import { eventsOf } from "../testing/driver.ts";
import { termsOf } from "./note/view.ts";

const P = 1_004_000;

function started(own: Parameters<BotStage["create"]>[0] = {}): BotStage {
  const stage = createBotStage();
  stage.moveTo(P);
  stage.create(own);
  return stage;
}

const lotsOf = (stage: BotStage): number => termsOf(coreOf(stage.machine), stage.bot().bot).lots;

describe("a range that has moved", () => {
  const settings = { stopAboveTicks: 1_500_000, stopBelowTicks: 795_000, trailDownTicks: 800_000 } as const;

  it("[GRID-1] still takes its own settings and others that fit it as it lies", () => {
    const stage = started(settings);
    const { account } = stage.bot();
    for (const ticks of [888_000, 850_000, 808_000]) stage.moveTo(ticks);
    // The lowest line has come to the bound.
    expect(stage.state().lines.at(0)).toBe(800_000);
    const change = { kind: "changeBot", account, ...settings } as const;
    expect(eventsOf(stage.sure({ ...change, reference: "same" }), "rejected")).toEqual([]);
    expect(eventsOf(stage.sure({ ...change, reference: "keep", keeps: true }), "botTerms")[0]).toMatchObject({
      keeps: true,
      trailDownTicks: 800_000,
    });
    const code = (own: object): string | undefined =>
      eventsOf(stage.sure({ ...change, reference: String(Object.values(own)), ...own }), "rejected")[0]?.code;
    // What is new is looked at against the range of now.
    expect(code({ trailDownTicks: 850_000 })).toBe("GRID_TRAIL_INVALID");
    expect(code({ stopBelowTicks: 850_000 })).toBe("GRID_STOP_INSIDE");
    expect(code({ stopAboveTicks: 1_010_000 })).toBeUndefined();
  });

  it("[GRID-1] a stop the edge has passed stays one: it can be kept, and it stops", () => {
    const own = { ...settings, stopBelowTicks: 884_000, trailDownTicks: 500_000 };
    const stage = started(own);
    const { account } = stage.bot();
    stage.moveTo(886_000);
    expect(stage.state().lines.at(0)).toBe(880_000);
    const events = stage.sure({ kind: "changeBot", account, reference: "same", ...own, exitBps: 900 });
    expect(eventsOf(events, "rejected")).toEqual([]);
    expect(eventsOf(stage.moveTo(883_500), "botChanged").at(-1)).toMatchObject({ reason: "STOP_LOSS" });
  });

  it("[GRID-1] margin of a futures grid goes in and out after it", () => {
    const stage = createBotStage();
    stage.moveTo(500_000, stage.linear);
    const own = { trailUpTicks: 536_000, stopAboveTicks: 540_000, stopBelowTicks: 300_000 } as const;
    stage.create({ grid: "long", lowTicks: 480_000, highTicks: 520_000, cells: 10, leverage: 2, ...own });
    const { account } = stage.bot();
    for (const ticks of [524_500, 530_000, 533_000]) stage.moveTo(ticks, stage.linear);
    expect(stage.state().lines.at(10)).toBe(536_000);
    for (const marginUnits of [500 * COIN, -400 * COIN]) {
      const events = stage.sure({ kind: "changeBot", account, reference: `m${marginUnits}`, marginUnits, ...own });
      expect(eventsOf(events, "botChanged").at(-1)).toMatchObject({ change: "funds" });
    }
    const { investedUnits } = eventsOf(
      stage.sure({ kind: "changeBot", account, reference: "last", marginUnits: COIN, ...own }),
      "botChanged",
    )[0] as { investedUnits: number };
    expect(investedUnits).toBe(10_101 * COIN);
  });
});

describe("another trigger", () => {
  it.each([
    ["spot", {}],
    ["with coins", { quoteUnits: 8_000 * COIN, baseUnits: 2_000_000 }],
    ["infinity", { grid: "infinity", spacing: "geometric", lowTicks: 850_000, cells: 8 }],
  ] as const)("[GRID-1] plans %s as if it had been made with it", (_, own) => {
    const highTicks = "grid" in own ? { highTicks: 910_000 } : {};
    const changed = started({ ...own, ...highTicks, triggerTicks: 910_000 });
    const { account } = changed.bot();
    const before = lotsOf(changed);
    const published = changed.sure({ kind: "changeBot", account, reference: "t", triggerTicks: 1_090_000 });
    const again = "grid" in own ? { highTicks: 1_090_000 } : {};
    const made = started({ ...own, ...again, triggerTicks: 1_090_000 });
    const first = made.bot().account;
    expect(lotsOf(changed)).toBe(lotsOf(made));
    expect(lotsOf(changed)).not.toBe(before);
    expect(eventsOf(published, "botChanged")[0]).toMatchObject({
      change: "settings",
      status: "WAIT_TRIGGER",
      lots: lotsOf(made),
      investedUnits: eventsOf(made.create({ ...own, ...again, triggerTicks: 1_090_000 }), "botChanged")[0]
        ?.investedUnits,
    });
    for (const stage of [changed, made]) stage.moveTo(1_090_500);
    expect(changed.state().status).toBe("RUNNING");
    expect(changed.resting(account)).toEqual(made.resting(first));
  });

  it("[GRID-1] is refused outside of the range and with nothing changed; without one it begins at once", () => {
    const stage = started({ triggerTicks: 950_000 });
    const { account } = stage.bot();
    const before = lotsOf(stage);
    const ask = (triggerTicks: number) =>
      stage.sure({ kind: "changeBot", account, reference: `t${triggerTicks}`, triggerTicks });
    expect(eventsOf(ask(1_200_000), "rejected")[0]?.code).toBe("GRID_PRICE_OUTSIDE");
    expect(lotsOf(stage)).toBe(before);
    expect(stage.state().status).toBe("WAIT_TRIGGER");
    ask(0);
    expect(stage.state().status).toBe("RUNNING");
    expect(lotsOf(stage)).toBe(lotsOf(started()));
    expect(eventsOf(ask(950_000), "rejected")[0]?.code).toBe("MODE_LOCKED");
  });
});
