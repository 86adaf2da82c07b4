// Cash at its edges: a single unit of fee, bonus, profit or loss; a wallet that just covers a fee; what pays a debt, in
// which order and how far, beside a plain reckoning.
import { createRandom } from "@clockwork/kit/random";
import { expect, test } from "vitest";
import { coreOf } from "../../machine/machine.ts";
import type { MachineEvent } from "../../protocol/event.ts";
import { BUSINESSES } from "../../protocol/names.ts";
import { eventsOf } from "../../testing/driver.ts";
import { createPerpStage, listAnother, type PerpStage } from "../../testing/perp-stage.ts";
import {
  CT_CLEARING_CELL,
  CT_INSURANCE_CELL,
  CTF_FLOW_BUCKET,
  POF_MARGIN,
  POF_REALIZED,
  POSITION_IDS,
  SM_LONG,
} from "../state/records.ts";
import { openMarginAccount } from "../state/symbol-margins.ts";
import { chargeFee, giveBack, payFromClearing, repayDeficit, setAside, takeDebt, takeUnits } from "./cash.ts";
import { readDrawdown } from "./insurance.ts";

const MILLION = 1_000_000_000_000;
const [FEES, INSURANCE, ROUNDING, CLEARING, DEFICIT] = [1, 2, 3, 11, 12];
const REALIZED = BUSINESSES.indexOf("realized");
const usdt = (amount: number): number => Math.round(amount * 1_000_000);
const bills = (events: readonly MachineEvent[], of: number) =>
  eventsOf(events, "posting")
    .filter(({ account, counterparty }) => account === of || counterparty === of)
    .map(({ business, account, counterparty, deltaUnits }) => [business, account, counterparty, deltaUnits]);

function setFees(stage: PerpStage, account: number, takerRate: number): void {
  stage.sure({ kind: "setAccountFees", account, feeGroup: 1, makerRate: 0, takerRate });
}

test.each([
  // Of 50 units: 0.5, 1 and 1.5 units.
  [
    1,
    [
      ["openFee", -1],
      ["rounding", 1],
    ],
  ],
  [
    2,
    [
      ["openFee", -1],
      ["openFee", 1],
    ],
  ],
  [
    3,
    [
      ["openFee", -2],
      ["openFee", 1],
      ["rounding", 1],
    ],
  ],
] as const)("[FUT-2] a fee of a unit or a part of one is paid whole and shared out (rate %i)", (rate, wanted) => {
  const stage = createPerpStage();
  const [alice, bob] = [stage.trader(MILLION), stage.trader(MILLION)];
  setFees(stage, alice, rate);
  setFees(stage, bob, 0);
  stage.sell(bob, 1, 500_000);
  const published = bills(stage.buy(alice, 1, 500_000), alice);
  expect(published.map(([business, , , units]) => [business, units])).toEqual(wanted);
  expect(stage.balance(alice).available).toBe(MILLION + wanted[0][1]);
});

test("[FUT-2] a bonus bears debts of a single unit, down to its last one", () => {
  const stage = createPerpStage();
  stage.fundTreasury(usdt(10));
  const [alice, bob] = [stage.trader(usdt(100)), stage.trader(MILLION)];
  setFees(stage, alice, 2);
  setFees(stage, bob, 0);
  const money = { asset: stage.usdt, units: 3, reference: "g" } as const;
  stage.sure({ kind: "grantBonus", account: alice, ...money, expiresAt: stage.time + 10_000 });
  const borne = (["buy", "sell", "buy", "sell"] as const).map((side) => {
    stage[side === "buy" ? "sell" : "buy"](bob, 1, 500_000);
    const events = stage[side](alice, 1, 500_000);
    return eventsOf(events, "bonusChanged").map(({ state, deltaUnits, leftUnits }) => [state, deltaUnits, leftUnits]);
  });
  expect(borne).toEqual([[["ACTIVE", -1, 2]], [["ACTIVE", -1, 1]], [["USED", -1, 0]], []]);
  expect(stage.balance(alice).available).toBe(usdt(100) - 1);
});

test("[FUT-2] a profit and a loss of a single unit are paid", () => {
  for (const [side, prices, delta] of [
    ["sell", [500_001, 499_997], 1],
    ["buy", [500_002, 500_001], -1],
  ] as const) {
    const stage = createPerpStage();
    const market = stage.inverse;
    const [alice, bob] = [stage.trader(MILLION, { inverse: true }), stage.trader(MILLION, { inverse: true })];
    for (const account of [alice, bob]) setFees(stage, account, 0);
    const other = side === "buy" ? "sell" : "buy";
    stage[other](bob, 1, prices[0], { market });
    stage[side](alice, 1, prices[0], { market });
    stage[side](bob, 1, prices[1], { market });
    const events = stage[other](alice, 1, prices[1], { market });
    expect(bills(events, alice)).toEqual([
      ...(delta > 0 ? [["realized", CLEARING, alice, -1]] : []),
      ["realized", alice, CLEARING, delta],
      ...(delta < 0 ? [["realized", CLEARING, alice, 1]] : []),
    ]);
    expect(stage.balance(alice, stage.btc).available).toBe(MILLION + delta);
  }
});

test("[FUT-2] a wallet of just the fee pays it like any other: its exact part to the fee book, the rest to the rounding", () => {
  const stage = createPerpStage();
  // Opening at 50 000.1 costs 30 000.06 units, a loss of 372 down to 49 628.1 and 29 776.86 for closing there.
  const [alice, bob] = [stage.trader(30_001 + 372_000 + 29_777), stage.trader(MILLION)];
  stage.sure({ kind: "setLeverage", account: alice, market: stage.linear, long: 125 });
  stage.sell(bob, 1, 500_001);
  stage.buy(alice, 1, 500_001);
  stage.buy(bob, 1, 496_281);
  const closed = stage.sell(alice, 1, 496_281, { reduceOnly: true });
  expect(bills(closed, alice).slice(2)).toEqual([
    ["closeFee", alice, FEES, -29_777],
    ["closeFee", FEES, alice, 29_776],
    ["rounding", ROUNDING, alice, 1],
  ]);
  expect(stage.balance(alice)).toEqual({ available: 0, frozen: 0 });
  // Who has nothing left and nothing open is warned of nothing.
  expect(eventsOf(stage.mark(stage.linear, 496_000), "marginWarning")).toEqual([]);
});

test("[FUT-2] profit of open cross positions pays what the wallet lacks, the newest first, and no isolated one's", () => {
  const stage = createPerpStage();
  const others = [listAnother(stage, "TWO"), listAnother(stage, "THREE")] as const;
  const [alice, bob] = [stage.trader(usdt(5_250)), stage.trader(MILLION)];
  for (const account of [alice, bob]) setFees(stage, account, 0);
  stage.sure({ kind: "setPositionMode", account: alice, hedge: true });
  stage.sure({ kind: "setLeverage", account: alice, market: stage.linear, long: 50, short: 50 });
  stage.sure({ kind: "setMarginMode", account: alice, market: others[1], isolated: true });
  const open = (side: "buy" | "sell", lots: number, market: number): void => {
    stage[side === "buy" ? "sell" : "buy"](bob, lots, 500_000, { market });
    stage[side](alice, lots, 500_000, { market });
  };
  open("buy", 1_000, stage.linear);
  open("sell", 1_000, stage.linear);
  for (const market of others) open("buy", 100, market);
  for (const market of [stage.linear, ...others]) stage.mark(market, 560_000);
  expect(stage.balance(alice)).toEqual({ available: usdt(5_000), frozen: usdt(250) });
  stage.sell(bob, 1_000, 560_000);
  const events = stage.buy(alice, 1_000, 560_000, { reduceOnly: true });
  const published = eventsOf(events, "positionChanged").filter(({ account }) => account === alice);
  expect(
    published.map(({ market, lots, costUnits, realizedUnits }) => [market, lots, costUnits, realizedUnits]),
  ).toEqual([
    [others[0], 100, usdt(5_600), usdt(600)],
    [stage.linear, 1_000, usdt(50_400), usdt(400)],
    [stage.linear, 0, 0, -usdt(6_000)],
  ]);
  expect(stage.held(alice, others[1])).toMatchObject([{ cost: usdt(5_000), margin: usdt(250) }]);
  const { perps } = coreOf(stage.machine);
  const had = [stage.linear, ...others].map((market) => (stage.held(alice, market)[0]?.id ?? 0) % POSITION_IDS);
  expect(had.map((position) => perps.positionDouble(position, POF_REALIZED))).toEqual([usdt(400), usdt(600), 0]);
  expect(stage.balance(alice)).toEqual({ available: 0, frozen: usdt(250) });
  // What they cost now is what they ask for from now on: a fiftieth of 50 400 and a twentieth of 5 600.
  const money = { asset: stage.usdt, business: "deposit", units: usdt(1_000), reference: "more" } as const;
  stage.sure({ kind: "mint", account: alice, ...money });
  const [refused] = eventsOf(stage.buy(alice, 10_000, 560_000), "rejected");
  expect([refused?.code, refused?.limit]).toEqual(["INSUFFICIENT_MARGIN", usdt(1_000 + 5_600 - 1_008 - 280)]);
});

test.each([1, 2])(
  "[FUT-2] seed %i: wallet, fund and deficit book pay a debt in this order, each as far as it has",
  (seed) => {
    const stage = createPerpStage();
    const alice = stage.trader(0);
    // Makes a margin account.
    stage.sure({ kind: "setLeverage", account: alice, market: stage.linear, long: 20 });
    const core = coreOf(stage.machine);
    const { ledger, perps } = core;
    const marginAccount = perps.marginAccountIndex.find(alice, stage.usdt);
    const [wallet, fund] = [ledger.cellOf(alice, stage.usdt), perps.contract(stage.linear, CT_INSURANCE_CELL)];
    const clearing = perps.contract(stage.linear, CT_CLEARING_CELL);
    const source = ledger.cellOf(stage.trader(MILLION), stage.usdt);
    const random = createRandom(seed);
    const house = openMarginAccount(perps, ledger, INSURANCE, stage.usdt);
    const naive = { wallet: 0, fund: 0, owed: 0, cleared: 0 };
    const memory = { flow: 0, peak: 0 };
    const units = (): number => random.pick([1, 1, 2, 3, 4, 7]);
    for (let step = 0; step < 300; step++) {
      const dice = random.below(8);
      const given = units();
      if (dice < 2) {
        ledger.move(source, dice === 0 ? wallet : fund, given);
        naive[dice === 0 ? "wallet" : "fund"] += given;
      } else if (dice < 3) {
        repayDeficit(core, stage.linear);
        const repaid = Math.min(naive.fund, naive.owed);
        if (repaid > 0) memory.peak = Math.max(memory.peak, naive.fund);
        naive.fund -= repaid;
        naive.owed -= repaid;
      } else if (dice < 4) {
        // What the house gains and loses is the fund's, and remembered as that.
        const gains = Math.min(given, naive.cleared);
        if (gains > 0) payFromClearing(core, house, stage.linear, gains, REALIZED, step);
        naive.fund += gains;
        naive.cleared -= gains;
        memory.flow += gains;
        const paid = Math.min(naive.fund, 2);
        memory.peak = Math.max(memory.peak, naive.fund);
        expect([step, takeUnits(core, house, 0, stage.linear, clearing, 2, REALIZED, step)]).toEqual([step, 0]);
        naive.fund -= paid;
        naive.owed += 2 - paid;
        naive.cleared += 2;
        memory.flow -= 2;
      } else {
        const missing = takeDebt(core, marginAccount, 0, stage.linear, clearing, given, REALIZED, step);
        const own = Math.min(naive.wallet, given);
        const paid = Math.min(naive.fund, given - own);
        if (own < given) memory.peak = Math.max(memory.peak, naive.fund);
        memory.flow -= given - own;
        naive.wallet -= own;
        naive.fund -= paid;
        naive.owed += given - own - paid;
        naive.cleared += given;
        expect([step, missing]).toEqual([step, given - own]);
      }
      const of = (account: number): number => stage.balance(account).available;
      expect([step, of(alice), of(INSURANCE), 0 - of(DEFICIT), of(CLEARING)]).toEqual([step, ...Object.values(naive)]);
      const { flow, peak } = readDrawdown(core, stage.linear);
      expect([step, flow, peak]).toEqual([step, memory.flow, Math.max(memory.peak, naive.fund)]);
    }
  },
);

test("[FUT-2] what the fund repays stands in the bills of its market, as nothing else's", () => {
  const stage = createPerpStage();
  const alice = stage.trader(0);
  stage.sure({ kind: "setLeverage", account: alice, market: stage.linear, long: 20 });
  const core = coreOf(stage.machine);
  const marginAccount = core.perps.marginAccountIndex.find(alice, stage.usdt);
  takeDebt(core, marginAccount, 0, stage.linear, core.perps.contract(stage.linear, CT_CLEARING_CELL), 9, REALIZED, 1);
  const money = {
    account: INSURANCE,
    asset: stage.usdt,
    business: "adjustment",
    units: 5,
    reference: "endow",
  } as const;
  stage.send({ kind: "mint", ...money });
  const published = stage.send({ kind: "setReferencePrice", market: stage.linear, markTicks: 500_000 });
  const posted = eventsOf(published, "posting");
  expect(
    posted.map(({ business, account, deltaUnits, reference, market }) => [
      business,
      account,
      deltaUnits,
      reference,
      market,
    ]),
  ).toEqual([
    ["insurance", INSURANCE, -5, 0, stage.linear],
    ["insurance", DEFICIT, 5, 0, stage.linear],
  ]);
});

test("[FUT-2] a debt the wallet pays whole is nothing to the memory of the fund; a fee on nothing is no bill", () => {
  const stage = createPerpStage();
  const alice = stage.trader(10);
  stage.sure({ kind: "setLeverage", account: alice, market: stage.linear, long: 20 });
  const core = coreOf(stage.machine);
  const { perps } = core;
  const marginAccount = perps.marginAccountIndex.find(alice, stage.usdt);
  const clearing = perps.contract(stage.linear, CT_CLEARING_CELL);
  expect(takeDebt(core, marginAccount, 0, stage.linear, clearing, 10, REALIZED, 1)).toBe(0);
  expect([perps.peaks.count, perps.contractDouble(stage.linear, CTF_FLOW_BUCKET)]).toEqual([1, 0]);
  const published = core.events.count;
  chargeFee(core.views, marginAccount, stage.linear, 0, 0, 60_000, BUSINESSES.indexOf("openFee"), 1);
  // Nothing is left to set aside, and nothing has been.
  const position = perps.symbolMargin(1, SM_LONG);
  expect(setAside(core, marginAccount, position, 5)).toBe(0);
  giveBack(core, marginAccount, position, 0);
  expect(core.events.count).toBe(published);
});

test("[FUT-2] an isolated position pays to the last unit of its own margin, and what is missing is said", () => {
  const stage = createPerpStage();
  const [alice, bob] = [stage.trader(usdt(1_000)), stage.trader(MILLION)];
  stage.sure({ kind: "setMarginMode", account: alice, market: stage.linear, isolated: true });
  stage.sell(bob, 1, 500_000);
  stage.buy(alice, 1, 500_000);
  const core = coreOf(stage.machine);
  const { perps } = core;
  const [held] = stage.held(alice);
  const position = (held?.id ?? 0) % POSITION_IDS;
  const marginAccount = perps.marginAccountOf(position);
  const clearing = perps.contract(stage.linear, CT_CLEARING_CELL);
  const before = stage.balance(alice);
  giveBack(core, marginAccount, position, (held?.margin ?? 0) - 5);
  giveBack(core, marginAccount, position, 1);
  for (const [debt, left, bills] of [
    [3, 1, 2],
    [1, 0, 2],
    [2, 0, 0],
  ] as const) {
    const [published, had] = [core.events.count, perps.positionDouble(position, POF_MARGIN)];
    const missing = takeUnits(core, marginAccount, position, stage.linear, clearing, debt, REALIZED, 1);
    expect([missing, core.events.count - published]).toEqual([debt - (had - left), bills]);
    expect([perps.positionDouble(position, POF_MARGIN), stage.balance(alice).frozen]).toEqual([left, left]);
  }
  expect(stage.balance(alice).available).toBe(before.available + (held?.margin ?? 0) - 4);
});
