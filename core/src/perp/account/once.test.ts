// One intent, one id: a trader's command with a reference runs once, whatever became of the first answer.
import { expect, test } from "vitest";
import type { Command } from "../../protocol/command.ts";
import { eventsOf } from "../../testing/driver.ts";
import { createPerpStage, type PerpStage } from "../../testing/perp-stage.ts";

const MILLION = 1_000_000_000_000;
const usdt = (amount: number): number => Math.round(amount * 1_000_000);

const code = (stage: PerpStage, command: Command): string | undefined =>
  eventsOf(stage.sure(command), "rejected")[0]?.code;

/** Alice is long a thousand lots with isolated margin; others bid for as many. */
function open(): { stage: PerpStage; alice: number } {
  const stage = createPerpStage();
  const market = stage.linear;
  const [alice, seller, buyer] = [stage.trader(usdt(10_000)), stage.trader(MILLION), stage.trader(MILLION)];
  stage.sure({ kind: "setMarginMode", account: alice, market, isolated: true });
  stage.sell(seller, 1_000, 500_000);
  stage.buy(alice, 1_000, 500_000);
  stage.buy(buyer, 1_000, 499_000);
  return { stage, alice };
}

test("margin added twice under one reference is added once, and other contents are refused", () => {
  const { stage, alice } = open();
  const add = (units: number, reference: string): Command => {
    return { kind: "changeMargin", account: alice, market: stage.linear, units, reference };
  };
  const first = stage.sure(add(usdt(100), "m:1:a"));
  expect(stage.sure(add(usdt(100), "m:1:a"))).toMatchObject([
    { kind: "repeated", command: "changeMargin", firstSequence: first.at(-1)?.sequence, account: alice },
  ]);
  expect(code(stage, add(usdt(101), "m:1:a"))).toBe("REFERENCE_REUSED");
  expect(code(stage, add(usdt(100), "not plain"))).toBe("INVALID_REFERENCE");
  expect(stage.held(alice)).toMatchObject([{ margin: usdt(2_600) }]);
  stage.sure(add(usdt(100), "m:1:b"));
  // Without a reference each counts.
  for (let count = 0; count < 2; count++) stage.sure(add(usdt(100), ""));
  expect(stage.held(alice)).toMatchObject([{ margin: usdt(2_900) }]);
});

test("a part closed twice under one reference is closed once, and no bill carries the reference", () => {
  const { stage, alice } = open();
  const close = (lots: number, reference: string): Command => {
    return { kind: "closePosition", account: alice, market: stage.linear, lots, reference };
  };
  const first = stage.sure(close(400, "p:1:a"));
  expect(eventsOf(first, "reference")).toEqual([]);
  expect(eventsOf(stage.sure(close(400, "p:1:a")), "repeated")).toHaveLength(1);
  expect(code(stage, close(600, "p:1:a"))).toBe("REFERENCE_REUSED");
  expect(stage.held(alice)).toMatchObject([{ lots: 600 }]);
  stage.sure(close(600, "p:1:b"));
  expect(stage.held(alice)).toEqual([]);
});

test("a refusal leaves the reference free", () => {
  const { stage, alice } = open();
  const add: Command = {
    kind: "changeMargin",
    account: alice,
    market: stage.linear,
    units: usdt(9_000),
    reference: "m:1:a",
  };
  expect(code(stage, add)).toBe("INSUFFICIENT_MARGIN");
  const more = { asset: stage.usdt, units: usdt(10_000), business: "deposit", reference: "more" } as const;
  stage.sure({ kind: "mint", account: alice, ...more });
  expect(code(stage, add)).toBeUndefined();
  expect(stage.held(alice)).toMatchObject([{ margin: usdt(11_500) }]);
});
