// Who is looked at when the next mark comes, once each; and that what left an account counts from then on.
import { expect, test } from "vitest";
import { coreOf } from "../../machine/machine.ts";
import { eventsOf } from "../../testing/driver.ts";
import { createPerpStage } from "../../testing/perp-stage.ts";

const MILLION = 1_000_000_000_000;
const INSURANCE = 2;
const usdt = (amount: number): number => Math.round(amount * 1_000_000);

test("[FUT-2] whoever changed is on the list once until the next mark, and nobody else", () => {
  const stage = createPerpStage();
  const [alice, bob] = [stage.trader(MILLION), stage.trader(MILLION)];
  const opened = stage.send({ kind: "createAccount", user: 80, book: "spot" });
  const spot = eventsOf(opened, "accountCreated")[0]?.account ?? 0;
  const money = { account: spot, asset: stage.usdt, units: 10 } as const;
  stage.sure({ kind: "mint", ...money, business: "deposit", reference: "in" });
  const { dirty } = coreOf(stage.machine).perps;
  const listed = (): number[] => Array.from({ length: dirty.count - 1 }, (_, i) => dirty.i32[(i + 1) * 2] as number);
  for (let round = 0; round < 3; round++) {
    for (let i = 0; i < 2; i++) {
      stage.sell(bob, 1, 500_000);
      stage.buy(alice, 1, 500_000);
    }
    stage.sure({ kind: "burn", ...money, units: 1, business: "withdrawal", reference: `out${round}` });
    expect([...listed()].sort()).toEqual([1, 2]);
    stage.mark(stage.linear, 500_000);
    expect(listed()).toEqual([]);
  }
});

test("[FUT-2] who has let his money leave is ended where what is left ends", () => {
  const stage = createPerpStage();
  const endow = { asset: stage.usdt, business: "adjustment", units: usdt(1_000), reference: "endow" } as const;
  stage.sure({ kind: "mint", account: INSURANCE, ...endow });
  const [alice, bob] = [stage.trader(usdt(1_000)), stage.trader(MILLION)];
  stage.sell(bob, 10, 500_000);
  stage.buy(alice, 10, 500_000);
  // With so much no price ends her.
  stage.mark(stage.linear, 500_000);
  const leaves = { asset: stage.usdt, business: "withdrawal", units: usdt(975) - 300_000 } as const;
  const refused = stage.sure({ kind: "burn", account: alice, ...leaves, units: leaves.units + 1, reference: "more" });
  expect(eventsOf(refused, "rejected")).toMatchObject([{ limit: leaves.units }]);
  stage.sure({ kind: "burn", account: alice, ...leaves, reference: "all" });
  // All that is left is asked for: not a unit may leave.
  const one = stage.sure({ kind: "burn", account: alice, ...leaves, units: 1, reference: "one" });
  expect(eventsOf(one, "rejected")).toMatchObject([{ code: "INSUFFICIENT_BALANCE", limit: 0 }]);
  // At 47 719.5 2.195 of 25 are left and 2.195 097 are needed.
  expect(eventsOf(stage.mark(stage.linear, 477_196), "liquidationStarted")).toEqual([]);
  expect(eventsOf(stage.mark(stage.linear, 477_195), "liquidationStarted")).toMatchObject([{ account: alice }]);
});

test.each([0, 1])("[FUT-2] margin is appended from what no order asks for, to the last unit (%i)", (more) => {
  const stage = createPerpStage();
  const [alice, bob] = [stage.trader(usdt(1_000)), stage.trader(MILLION)];
  const market = stage.linear;
  stage.sure({ kind: "setMarginMode", account: alice, market, isolated: true });
  stage.sure({ kind: "setLeverage", account: alice, market, long: 100 });
  stage.sure({ kind: "setAutoAppend", account: alice, market, on: true });
  for (const side of ["buy", "sell", "buy"] as const) {
    stage[side === "buy" ? "sell" : "buy"](bob, 10, 500_000);
    stage[side](alice, 10, 500_000);
  }
  const id = stage.held(alice)[0]?.id;
  stage.buy(alice, 10, 490_000);
  // The order asks for 4.90 and a fee of 0.294; all but that leaves.
  const units = stage.balance(alice).available - 5_194_000 - more;
  const burn = { asset: stage.usdt, business: "withdrawal", units, reference: "out" } as const;
  expect(eventsOf(stage.sure({ kind: "burn", account: alice, ...burn }), "rejected")).toEqual([]);
  const published = eventsOf(stage.mark(market, 497_800), "marginChanged");
  const appended = { account: alice, position: id, market, deltaUnits: 1, marginUnits: usdt(5) + 1, automatic: true };
  expect(published).toMatchObject(more === 0 ? [] : [appended]);
  expect(id).toBeGreaterThan(0x1000000);
});
