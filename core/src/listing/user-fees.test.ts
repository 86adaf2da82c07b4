import { beforeEach, describe, expect, it } from "vitest";
import { checkInvariants } from "../inspect/invariants.ts";
import { eventsOf } from "../testing/driver.ts";
import { createPerpStage } from "../testing/perp-stage.ts";
import { createStage, type Stage } from "../testing/stage.ts";

const USER = 7;
let stage: Stage;
let maker = 0;
beforeEach(() => {
  stage = createStage();
  maker = stage.trader(1e9, 1e9);
});

/** What an account pays as the taker of one lot at 100 000, in units of what it receives. */
function takerFee(account: number): number {
  stage.send({ kind: "placeOrder", account: maker, market: stage.market, side: "sell", price: 100_000, quantity: 100 });
  const events = stage.send({
    kind: "placeOrder",
    account,
    market: stage.market,
    side: "buy",
    price: 100_000,
    quantity: 100,
    timeInForce: "IOC",
  });
  expect(checkInvariants(stage.machine)).toEqual([]);
  return eventsOf(events, "posting")
    .filter((posting) => posting.business === "fee" && posting.account === account)
    .reduce((sum, { deltaUnits }) => sum - deltaUnits, 0);
}

describe("[LEDGER-20] rates of a user", () => {
  it("are inherited by every account of the user, those with open orders and those to come", () => {
    const first = stage.trader(0, 1e9, { user: USER });
    const outsider = stage.trader(0, 1e9, { user: USER + 1 });
    expect(takerFee(first)).toBe(100);
    const [published] = eventsOf(
      stage.send({ kind: "setUserFees", user: USER, spotMakerRate: 10_000, spotTakerRate: 20_000 }),
      "userFeesChanged",
    );
    expect(published).toMatchObject({
      user: USER,
      spotMakerRate: 10_000,
      spotTakerRate: 20_000,
      perpMakerRate: -1,
      perpTakerRate: -1,
    });
    const second = stage.trader(0, 1e9, { user: USER, sub: 1 });
    expect([takerFee(first), takerFee(second), takerFee(outsider)]).toEqual([20, 20, 100]);
  });

  it("may be set before the user has an account", () => {
    stage.send({ kind: "setUserFees", user: USER, spotTakerRate: 0 });
    expect(takerFee(stage.trader(0, 1e9, { user: USER }))).toBe(0);
  });

  it("give way to an account's own rates, and to the fee group's again when they end", () => {
    const account = stage.trader(0, 1e9, { user: USER });
    stage.send({ kind: "setUserFees", user: USER, spotTakerRate: 20_000 });
    stage.send({ kind: "setAccountFees", account, feeGroup: 0, makerRate: 0, takerRate: 50_000 });
    expect(takerFee(account)).toBe(50);
    stage.send({ kind: "setAccountFees", account, feeGroup: 0, makerRate: -1, takerRate: -1 });
    expect(takerFee(account)).toBe(20);
    stage.send({ kind: "setFeeGroup", feeGroup: 0, makerRate: 0, takerRate: 70_000 });
    expect(takerFee(account)).toBe(20);
    stage.send({ kind: "setUserFees", user: USER });
    expect(takerFee(account)).toBe(70);
  });

  it("outlive a snapshot", () => {
    const account = stage.trader(0, 1e9, { user: USER });
    stage.send({ kind: "setUserFees", user: USER, spotTakerRate: 20_000 });
    const hash = stage.machine.stateHash();
    stage.machine.restore(stage.machine.snapshot());
    expect(stage.machine.stateHash()).toBe(hash);
    expect(takerFee(account)).toBe(20);
  });

  it("are refused outside their bounds, with nothing changed", () => {
    const account = stage.trader(0, 1e9, { user: USER });
    const refused = (user: number, spotTakerRate: number) =>
      eventsOf(stage.send({ kind: "setUserFees", user, spotTakerRate }), "rejected")[0]?.code;
    expect(refused(USER, -2)).toBe("INVALID_FEE_RATE");
    expect(refused(USER, 10_000_001)).toBe("INVALID_FEE_RATE");
    expect(refused(0, 1)).toBe("MALFORMED_COMMAND");
    expect(takerFee(account)).toBe(100);
  });

  it("are apart for perpetuals", () => {
    const perps = createPerpStage();
    const [long, short] = [perps.trader(1e12, { user: USER }), perps.trader(1e12)];
    perps.sure({ kind: "setUserFees", user: USER, spotTakerRate: 0, perpTakerRate: 10_000 });
    perps.sell(short, 1_000, 500_000);
    const fees = eventsOf(perps.buy(long, 1_000, 500_000), "posting").filter(({ business }) => business === "openFee");
    // 50 000 USDT at 0.01 % for the user, at the group's 0.02 % for the maker.
    expect(fees.filter(({ account }) => account === long).map(({ deltaUnits }) => deltaUnits)).toEqual([-5_000_000]);
    expect(fees.filter(({ account }) => account === short).map(({ deltaUnits }) => deltaUnits)).toEqual([-10_000_000]);
  });
});
