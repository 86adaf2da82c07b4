import { describe, expect, test } from "vitest";
import {
  bankruptAtOnce,
  crash,
  fundingAtLiquidation,
  inverseSwing,
  stopCascade,
  wrongSource,
} from "./perp-scenarios.ts";
import { PerpWorld } from "./perp-session.ts";
import { playPerps } from "./perp-traders.ts";

describe("[FUT-2] bad days", () => {
  test("60 % down in a minute with 500 levered accounts: nobody below zero, every lot accounted for", () => {
    const world = crash(1, 500, 1);
    expect(world.count("liquidationStarted")).toBeGreaterThan(200);
    expect(world.count("takenOver") + world.count("deleveraged")).toBeGreaterThan(200);
  });

  test.each([false, true])(
    "a whole market bankrupt at once with an empty fund is deleveraged (inverse %s)",
    (inverse) => {
      const world = bankruptAtOnce(3, inverse);
      expect(world.count("liquidationStarted")).toBe(12);
      expect(world.count("deleveraged")).toBeGreaterThan(0);
      expect(world.count("takenOver")).toBe(0);
    },
  );

  test("a source that lies and sources that fall silent kill nobody", () => {
    const world = wrongSource(4);
    expect(world.count("liquidationStarted")).toBe(0);
    expect(world.count("indexState")).toBeGreaterThan(0);
  });

  test("funding and liquidation in one tick", () => {
    const world = fundingAtLiquidation(5);
    expect(world.count("fundingSettled")).toBeGreaterThan(0);
    expect(world.count("liquidationStarted")).toBeGreaterThan(0);
  });

  test("stops set off stops in one command", () => {
    const world = stopCascade(6);
    expect(world.count("conditionalTriggered")).toBeGreaterThan(3);
  });

  test("inverse holders through a doubling and a halving", () => {
    const world = inverseSwing(7);
    expect(world.count("liquidationStarted")).toBeGreaterThan(5);
  });
});

describe("[FUT-2] seeded sessions of perpetuals", () => {
  test.each([1, 2, 3, 4])(
    "seed %i: invariants after every command, bills sum to balances, replay and snapshots agree",
    (seed) => {
      const world = new PerpWorld(seed);
      playPerps(world, 500);
      expect(world.count("trade")).toBeGreaterThan(9);
      expect(world.count("positionChanged")).toBeGreaterThan(20);
    },
  );
});
