// The memory of the insurance fund beside a plain list of all that ever happened to it.
import { createRandom } from "@clockwork/kit/random";
import { expect, test } from "vitest";
import { coreOf } from "../../machine/machine.ts";
import { type Core, G_NOW } from "../../state/core.ts";
import { createPerpStage } from "../../testing/perp-stage.ts";
import { CT_ADL, CT_MIRROR } from "../state/records.ts";
import { isDrained, readDrawdown, recordFlow, recordPeak } from "./insurance.ts";

const HALF_HOUR = 1_800_000;
const HALF_HOURS = 16;

/** A core whose fund has what is said, at a moment that is said. */
function fundAt() {
  const stage = createPerpStage();
  const real = coreOf(stage.machine);
  const fund = { balance: 0 };
  const core = Object.create(real, { ledger: { value: { available: () => fund.balance } } }) as Core;
  return { core, fund, markets: [stage.linear, stage.inverse], setNow: (ms: number) => (core.clock[G_NOW] = ms) };
}

test.each([1, 2, 3])(
  "[FUT-2] flows and peaks of the last eight hours count, by half hours, whatever lay between (seed %i)",
  (seed) => {
    const random = createRandom(seed);
    const { core, fund, markets, setNow } = fundAt();
    // The first half hours of all time too, where there is nothing before.
    let bucket = seed === 1 ? 0 : 900_000 + seed;
    const flows: { market: number; bucket: number; units: number }[] = [];
    const peaks: { market: number; bucket: number; balance: number }[] = [];
    const started = new Map<number, boolean>();
    for (let step = 0; step < 600; step++) {
      if (step > 12) bucket += random.pick([0, 0, 0, 1, 1, 2, 5, 14, 15, 16, 17, 40]);
      setNow(bucket * HALF_HOUR + random.pick([0, 1, HALF_HOUR - 1]));
      const market = random.pick(markets);
      const within = <T extends { market: number; bucket: number }>(all: T[]): T[] =>
        all.filter((one) => one.market === market && one.bucket > bucket - HALF_HOURS);
      const naive = () => ({
        flow: within(flows).reduce((sum, { units }) => sum + units, 0),
        peak: Math.max(0, fund.balance, ...within(peaks).map(({ balance }) => balance)),
      });
      const drains = (): boolean => {
        const { flow, peak } = naive();
        const is = flow < 0 && -flow * 100 > peak * (started.get(market) === true ? 25 : 30);
        started.set(market, is);
        return is;
      };
      fund.balance = random.pick([0, 100, 1_000, 1_200, 990, 2_000]);
      if (random.chance(1, 2)) {
        peaks.push({ market, bucket, balance: fund.balance });
        recordPeak(core, market);
      } else {
        const units = random.pick([-300, -301, -250, -50, 40, 500]);
        flows.push({ market, bucket, units });
        recordFlow(core, market, units);
        const remembered = core.perps.contract(market, CT_ADL) !== 0;
        expect([step, remembered]).toEqual([step, drains()]);
      }
      expect([step, readDrawdown(core, market)]).toEqual([step, naive()]);
      expect([step, isDrained(core, market)]).toEqual([step, drains()]);
    }
  },
);

test("[FUT-2] play money never drains its fund", () => {
  const { core, markets, setNow } = fundAt();
  const [market = 0] = markets;
  setNow(900_000 * HALF_HOUR);
  core.perps.setContract(market, CT_MIRROR, 2);
  recordFlow(core, market, -1_000);
  expect([readDrawdown(core, market), isDrained(core, market)]).toEqual([{ flow: -1_000, peak: 0 }, false]);
});

test("[FUT-2] the peaks of a coin stand in its own record", () => {
  const { core, fund, markets, setNow } = fundAt();
  const bucket = 900_000;
  setNow(bucket * HALF_HOUR);
  fund.balance = 77;
  for (const market of markets) recordPeak(core, market);
  const doubles = core.perps.peaks.f64;
  const begins = [...doubles.entries()].filter(([, value]) => value === bucket).map(([at]) => at);
  const held = [...doubles.entries()].filter(([, value]) => value === 77).map(([at]) => at);
  expect(begins).toEqual([1, 2].map((asset) => asset * 32));
  expect(held.map((at) => Math.floor(at / 32))).toEqual([1, 2]);
});
