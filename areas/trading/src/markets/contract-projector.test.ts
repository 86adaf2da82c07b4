// The outcome in a public print of a liquidation, compared with the core's own steps.

import { createMachine } from "@clockwork/core/machine/machine";
import { decodeEvents } from "@clockwork/core/protocol/codec";
import { EVENT_BYTES } from "@clockwork/core/protocol/event";
import { createPerpStage, type PerpStage } from "@clockwork/core/testing/perp-stage";
import { describe, expect, test } from "vitest";
import { ContractFolder, ContractState, FundState } from "./contract-projector.ts";

const MILLION = 1_000_000_000_000;
const INSURANCE = 2;
const usdt = (amount: number): number => Math.round(amount * 1_000_000);

function endow(stage: PerpStage, units: number): void {
  stage.sure({
    kind: "mint",
    account: INSURANCE,
    asset: stage.usdt,
    business: "adjustment",
    units,
    reference: "endow",
  });
}

/** A long of the given lots at 50 000 with 20×, isolated, and its seller. */
function openLong(stage: PerpStage, lots: number, funds: number): { alice: number; bob: number } {
  const alice = stage.trader(funds);
  const bob = stage.trader(MILLION);
  stage.sure({ kind: "setMarginMode", account: alice, market: stage.linear, isolated: true });
  stage.sell(bob, lots, 500_000);
  stage.buy(alice, lots, 500_000);
  return { alice, bob };
}

/** The prints of the whole journal as published, with the steps and prints of the core. */
function fold(stage: PerpStage) {
  const state = new ContractState(stage.linear);
  const folder = new ContractFolder((market) => (market === stage.linear ? state : undefined), new FundState([]));
  const machine = createMachine();
  const steps: string[] = [];
  for (const command of stage.journal) {
    machine.events.clear();
    machine.apply(command, 0);
    const { bytes, length } = machine.events;
    const view = new DataView(bytes.buffer, bytes.byteOffset, length);
    for (let at = 0; at < length; at += EVENT_BYTES) folder.fold(view, at, machine.now, 0, new Set());
    for (const event of decodeEvents(bytes, 0, length)) {
      if (event.kind === "liquidationStep") steps.push(event.step);
      if (event.kind === "liquidationPrint") steps.push("print");
    }
  }
  return { outcomes: state.liquidations.map(({ outcome }) => outcome), places: state.liquidations, steps };
}

test("[FUT-1] a print reports that the fund took it at the bankruptcy price", () => {
  const stage = createPerpStage();
  endow(stage, usdt(1_000));
  openLong(stage, 1_000, usdt(2_530));
  stage.mark(stage.linear, 477_000);
  expect(fold(stage)).toMatchObject({ steps: ["takenOver", "print"], outcomes: ["takenOver"] });
});

test("[FUT-1] a print reports that winners were closed against it when the fund could not bear it", () => {
  const stage = createPerpStage();
  openLong(stage, 1_000, usdt(2_530));
  stage.mark(stage.linear, 400_000);
  expect(fold(stage)).toMatchObject({ steps: ["deleveraged", "print"], outcomes: ["deleveraged"] });
});

describe("[FUT-1] of tiers sold into the book", () => {
  /** A long of the third tier against a bid above the coming marks: a tier sold brings more than its worth. */
  const begin = () => {
    const stage = createPerpStage();
    endow(stage, usdt(100_000));
    const { alice, bob } = openLong(stage, 24_000, usdt(61_000));
    stage.mark(stage.linear, 480_500);
    stage.buy(bob, 24_000, 480_000);
    return { stage, held: () => stage.held(alice)[0]?.lots };
  };

  test("a print reports that the position is healthy again", () => {
    const { stage, held } = begin();
    for (let ticks = 480_480; held() === 24_000; ticks -= 20) stage.mark(stage.linear, ticks);
    expect(held()).toBeGreaterThan(0);
    expect(fold(stage)).toMatchObject({ steps: ["tierReduced", "print"], outcomes: ["recovered"] });
  });

  test("each print reports that it continued, until the fund took the rest", () => {
    const { stage, held } = begin();
    stage.mark(stage.linear, 477_000);
    expect(held()).toBeUndefined();
    const { steps, outcomes } = fold(stage);
    expect(steps.filter((step) => step !== "print")).toEqual(["tierReduced", "tierReduced", "takenOver"]);
    expect(outcomes).toEqual(["reduced", "reduced", "takenOver"]);
  });
});

test("[FUT-1] a part the book took and a rest the fund took are distinguished, and places do not repeat", () => {
  const stage = createPerpStage();
  endow(stage, usdt(1_000_000));
  const { bob } = openLong(stage, 24_000, usdt(61_000));
  stage.buy(bob, 4_000, 477_000);
  stage.mark(stage.linear, 476_000);
  const { outcomes, places } = fold(stage);
  expect(outcomes[0]).toBe("reduced");
  expect(outcomes.at(-1)).toBe("takenOver");
  expect(new Set(places.map(({ sequence, place }) => `${sequence}-${place}`)).size).toBe(outcomes.length);
});
