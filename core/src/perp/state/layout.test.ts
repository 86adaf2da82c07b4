// Where snapshots of layout 11 have every field of perpetual records. Whoever moves one makes a new layout: see
// machine/snapshot.ts.
import { expect, test } from "vitest";
import { coreOf } from "../../machine/machine.ts";
import type { Table } from "../../memory/table.ts";
import { eventsOf } from "../../testing/driver.ts";
import { createPerpStage } from "../../testing/perp-stage.ts";
import { noteTake } from "../margin/demo-orders.ts";
import { recordPeak } from "../margin/insurance.ts";
import * as records from "./records.ts";

const LAYOUT_11 = {
  CONTRACT_DOUBLE_SHIFT: 6,
  CONTRACT_SHIFT: 7,
  CONTRACT_WORDS: 128,
  CTF_CAPS: 21,
  CTF_DEDUCTIONS: 29,
  CTF_FACTOR: 20,
  CTF_FLOWS: 45,
  CTF_FLOW_BUCKET: 44,
  CTF_LAST_TRADE: 41,
  CTF_NEXT_FUNDING: 39,
  CTF_NEXT_MARK: 37,
  CTF_NEXT_PREMIUM: 38,
  CTF_NEXT_SLICE: 43,
  CTF_NEXT_WARN: 61,
  CTF_ROUNDED: 62,
  CTF_REMAINDER: 63,
  CTF_OPEN_LOTS: 42,
  CTF_PREMIUMS: 40,
  CT_ADL: 14,
  CT_BAND_BPS: 21,
  CT_CLAMP_BPS: 7,
  CT_CLASS: 5,
  CT_CLEARING_CELL: 16,
  CT_DEGRADED: 9,
  CT_DEMO_BUYS: 22,
  CT_DEMO_SELLS: 23,
  CT_FEES_CELL: 18,
  CT_FUNDING_HOURS: 4,
  CT_INSURANCE_CELL: 17,
  CT_INTEREST: 6,
  CT_KIND: 0,
  CT_LAST_RATE: 10,
  CT_LEVERAGES: 32,
  CT_LEVERAGE_MAX: 2,
  CT_LIQUIDATION_RATE: 3,
  CT_MIDS: 12,
  CT_MID_AT: 13,
  CT_MIRROR: 8,
  CT_MIRRORED: 20,
  CT_RATES: 24,
  CT_ROUNDING_CELL: 19,
  CT_SAMPLES: 11,
  CT_SOURCES: 15,
  CT_TIERS: 1,
  FLOW_BUCKETS: 16,
  LOOK_END: 0,
  LOOK_WARN: 1,
  MAF_BONUS: 7,
  MAF_REQUIRED: 6,
  MARGIN_ACCOUNT_DOUBLE_SHIFT: 3,
  MARGIN_ACCOUNT_SHIFT: 4,
  MARGIN_ACCOUNT_WORDS: 16,
  MA_ACCOUNT: 1,
  MA_ASSET: 3,
  MA_BONUS_CELL: 9,
  MA_CELL: 2,
  MA_DIRTY: 5,
  MA_FOLLOW: 0,
  MA_GRANTS: 6,
  MA_OPEN: 11,
  MA_POSITIONS: 4,
  MA_REDUCING: 10,
  MA_STALE: 7,
  MA_WARNED: 8,
  MIDS: 30,
  MODE_AUTO_APPEND: 8,
  MODE_DEMO: 32,
  MODE_HEDGE: 2,
  MODE_HOUSE: 16,
  MODE_ISOLATED: 1,
  MODE_SPLIT: 4,
  MODE_WATCHED: 64,
  POF_COST: 7,
  POF_LEADER: 12,
  POF_EXCESS: 13,
  POF_LOTS: 6,
  POF_MARGIN: 8,
  POF_OPENED: 10,
  POF_REALIZED: 9,
  POSITION_DOUBLE_SHIFT: 4,
  POSITION_IDS: 16777216,
  POSITION_LISTED: 2,
  POSITION_SHIFT: 5,
  POSITION_SPLIT: 1,
  POSITION_WORDS: 32,
  PO_FLAGS: 2,
  PO_GENERATION: 6,
  PO_KEY: 5,
  PO_LEVERAGE: 3,
  PO_NEXT: 7,
  PO_PLACE: 4,
  PO_PREV: 8,
  PO_SIBLING: 9,
  PO_SYMBOL_MARGIN: 1,
  PO_WARNED: 10,
  PO_WARN_KEY: 23,
  PO_WARN_PLACE: 22,
  SMF_BUY_LOTS: 4,
  SMF_BUY_VALUE: 3,
  SMF_REDUCE_BUY: 12,
  SMF_REDUCE_SELL: 13,
  SMF_REQUIRED: 7,
  SMF_SELL_LOTS: 6,
  SMF_SELL_VALUE: 5,
  SM_ACCOUNT: 17,
  SM_ACCOUNT_MARKET: 16,
  SM_FLAGS: 1,
  SM_LEVERAGE_LONG: 3,
  SM_LEVERAGE_SHORT: 19,
  SM_LONG: 4,
  SM_MARGIN_ACCOUNT: 2,
  SM_MARKET: 18,
  SM_SHORT: 20,
  SM_SPLITS: 21,
  SM_STALE: 5,
  SM_STOPS: 22,
  SM_TAKES: 0,
  SM_TOUCHED: 23,
  SOURCES_MAX: 8,
  SOURCE_DOUBLES: 32,
  SOURCE_SIZE: 4,
  SOURCE_WORDS: 64,
  SRC_MIDS: 32,
  SYMBOL_MARGIN_DOUBLE_SHIFT: 4,
  SYMBOL_MARGIN_SHIFT: 5,
  SYMBOL_MARGIN_WORDS: 32,
  TIERS_MAX: 8,
};

test("[SNAPSHOT-7] fields of perpetual records lie where layout 14 has them", () => {
  const numbers = Object.entries(records).filter(([, value]) => typeof value === "number");
  expect(Object.fromEntries(numbers)).toEqual(LAYOUT_11);
});

/** The words and doubles of a record that are not zero, by their place. */
function fieldsOf(table: Table, record: number, firstDouble: number): object {
  const words = [...table.i32.slice(record * table.stride, record * table.stride + firstDouble * 2)];
  const half = table.stride / 2;
  const doubles = [...table.f64.slice(record * half + firstDouble, (record + 1) * half)];
  const shown = (values: number[], from: number): object =>
    Object.fromEntries(values.map((value, at) => [at + from, value]).filter(([, value]) => value !== 0));
  return { words: shown(words, 0), doubles: shown(doubles, firstDouble) };
}

test("[SNAPSHOT-7] a grant lies where layout 11 has it", () => {
  const stage = createPerpStage();
  stage.fundTreasury(1_000_000);
  const [alice, bob] = [stage.trader(19_300_000), stage.trader(1_000_000_000_000)];
  const grant = { kind: "grantBonus", account: alice, asset: stage.usdt, ratioBps: 5_000, leverageMax: 30 } as const;
  const [late, early] = [stage.time + 20_000, stage.time + 10_000];
  stage.sure({ ...grant, units: 600_000, expiresAt: late, reference: "a" });
  stage.sure({ ...grant, units: 400_000, expiresAt: early, reference: "b" });
  const { grants } = coreOf(stage.machine).perps;
  const words = { 1: 1, 3: 1, 4: 5_000, 5: 30 };
  expect([grants.table.stride, grants.table.count]).toEqual([32, 3]);
  expect(fieldsOf(grants.table, 1, 8)).toEqual({ words, doubles: { 8: 600_000, 9: late } });
  expect(fieldsOf(grants.table, 2, 8)).toEqual({ words: { ...words, 2: 1 }, doubles: { 8: 400_000, 9: early } });
  // Eight thousandths ask 20 of the 20.06 there are: the first to end waits for a day.
  stage.sell(bob, 8, 500_000);
  expect(eventsOf(stage.buy(alice, 8, 500_000), "trade")).toHaveLength(1);
  stage.time = early;
  stage.sure({ kind: "tick" });
  const waits = fieldsOf(grants.table, 2, 8);
  expect(waits).toMatchObject({ doubles: { 9: early, 10: early + 86_400_000 } });
});

test("[SNAPSHOT-7] where a grant came from, what a demo taker took and the fund's peak lie where layout 14 has them", () => {
  const stage = createPerpStage();
  const opened = stage.sure({ kind: "openHouseAccount", purpose: "campaignTreasury", sub: 7 });
  const account = eventsOf(opened, "houseAccountOpened")[0]?.account ?? 0;
  const alice = stage.trader(1_000_000);
  for (const [to, reference] of [
    [account, "treasury"],
    [2, "fund"],
  ] as const)
    stage.sure({ kind: "mint", account: to, asset: stage.usdt, business: "deposit", units: 500, reference });
  const money = { asset: stage.usdt, units: 5, reference: "g", source: 7 } as const;
  stage.sure({ kind: "grantBonus", account: alice, ...money, expiresAt: stage.time + 9 });
  const core = coreOf(stage.machine);
  const { grants, peaks, takes } = core.perps;
  expect(fieldsOf(grants.table, 1, 8)).toMatchObject({ words: { 6: 7 } });
  recordPeak(core, stage.linear);
  const bucket = Math.floor(stage.time / 1_800_000);
  expect(fieldsOf(peaks, 2, 0)).toEqual({ words: {}, doubles: { 0: bucket, [1 + (bucket % 16)]: 500 } });
  noteTake(core, 1, 500_000, 12);
  noteTake(core, 1, 500_001, 3);
  expect([takes.table.stride, fieldsOf(takes.table, 2, 2)]).toEqual([
    8,
    { words: { 1: 1, 2: 500_001 }, doubles: { 2: 3, 3: stage.time } },
  ]);
});

test("[FUT-2] every market has a record of its own, spot ones too", () => {
  const stage = createPerpStage();
  const { contracts, sources } = coreOf(stage.machine).perps;
  expect([contracts.count, sources.count]).toEqual([stage.inverse + 1, stage.inverse + 1]);
});
