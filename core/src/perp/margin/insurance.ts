// Owns the memory of the insurance fund: per symbol what flowed in half hours, per coin its highest balance in them,
// and whether a symbol has drawn so much that its losses go to counterparties instead. Moves no money.

import { M_SETTLE } from "../../market/markets.ts";
import type { Core } from "../../state/core.ts";
import { G_NOW } from "../../state/core.ts";
import { CT_ADL, CT_INSURANCE_CELL, CT_MIRROR, CTF_FLOW_BUCKET, CTF_FLOWS, FLOW_BUCKETS } from "../state/records.ts";

const BUCKET_MS = 1_800_000;
/** Deleveraging begins when the symbol drew more than 30 % of the fund's peak in eight hours, and ends at 25 %. */
export const BEGIN_PERCENT = 30;
export const END_PERCENT = 25;
/** Of a peaks record: the newest bucket's number, then the buckets. */
const PEAK_BUCKETS = 1;
const PEAK_DOUBLES = 32;

/** Notes units that came to the fund (or, negative, left it) because of a symbol. */
export function recordFlow(core: Core, market: number, units: number): void {
  const { perps } = core;
  const now = Math.floor((core.clock[G_NOW] as number) / BUCKET_MS);
  const newest = perps.contractDouble(market, CTF_FLOW_BUCKET);
  for (let bucket = Math.max(newest + 1, now - FLOW_BUCKETS + 1); bucket <= now; bucket++)
    perps.setContractDouble(market, CTF_FLOWS + (bucket % FLOW_BUCKETS), 0);
  if (now > newest) perps.setContractDouble(market, CTF_FLOW_BUCKET, now);
  const at = CTF_FLOWS + (now % FLOW_BUCKETS);
  perps.setContractDouble(market, at, perps.contractDouble(market, at) + units);
  // The bound that is passed here decides which one holds when the next position has to go.
  isDrained(core, market);
}

/** Notes what the fund has before it pays: the highest balance is always one it falls from, or the one it has now. */
export function recordPeak(core: Core, market: number): void {
  const { perps } = core;
  const now = Math.floor((core.clock[G_NOW] as number) / BUCKET_MS);
  const asset = core.markets.word(market, M_SETTLE);
  while (perps.peaks.count <= asset) perps.peaks.take();
  const f64 = perps.peaks.f64;
  const at = asset * PEAK_DOUBLES;
  const newest = f64[at] as number;
  for (let bucket = Math.max(newest + 1, now - FLOW_BUCKETS + 1); bucket <= now; bucket++)
    f64[at + PEAK_BUCKETS + (bucket % FLOW_BUCKETS)] = 0;
  if (now > newest) f64[at] = now;
  const place = at + PEAK_BUCKETS + (now % FLOW_BUCKETS);
  const balance = core.ledger.available(perps.contract(market, CT_INSURANCE_CELL));
  f64[place] = Math.max(f64[place] as number, balance);
}

/** What flowed because of a symbol in the last eight hours, and the highest balance of its coin's fund in them. */
export function readDrawdown(core: Core, market: number): { readonly flow: number; readonly peak: number } {
  const { perps } = core;
  const asset = core.markets.word(market, M_SETTLE);
  let flow = 0;
  let peak = Math.max(0, core.ledger.available(perps.contract(market, CT_INSURANCE_CELL)));
  const oldest = Math.floor((core.clock[G_NOW] as number) / BUCKET_MS) - FLOW_BUCKETS;
  const newest = perps.contractDouble(market, CTF_FLOW_BUCKET);
  for (let bucket = Math.max(0, newest - FLOW_BUCKETS + 1); bucket <= newest; bucket++)
    if (bucket > oldest) flow += perps.contractDouble(market, CTF_FLOWS + (bucket % FLOW_BUCKETS));
  if (asset < perps.peaks.count) {
    const last = perps.peaks.f64[asset * PEAK_DOUBLES] as number;
    for (let bucket = Math.max(0, last - FLOW_BUCKETS + 1); bucket <= last; bucket++)
      if (bucket > oldest)
        peak = Math.max(peak, perps.peaks.f64[asset * PEAK_DOUBLES + PEAK_BUCKETS + (bucket % FLOW_BUCKETS)] as number);
  }
  return { flow, peak };
}

/** Whether the symbol's eight-hour drawdown asks for deleveraging; remembers the answer, as the bounds differ. */
export function isDrained(core: Core, market: number): boolean {
  const { perps } = core;
  if (perps.contract(market, CT_MIRROR) !== 0) return false;
  const { flow, peak } = readDrawdown(core, market);
  const percent = perps.contract(market, CT_ADL) !== 0 ? END_PERCENT : BEGIN_PERCENT;
  const drained = flow < 0 && (0 - flow) * 100 > peak * percent;
  perps.setContract(market, CT_ADL, drained ? 1 : 0);
  return drained;
}
