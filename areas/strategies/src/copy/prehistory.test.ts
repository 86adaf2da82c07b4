// The simulated leaders' past: generated again from the same seed it is the same, and its journal alone gives the same
// days.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readListing } from "@clockwork/core/inspect/listing";
import { createMachine } from "@clockwork/core/machine/machine";
import { createDriver } from "@clockwork/core/testing/driver";
import { createRandom } from "@clockwork/kit/random";
import { LEADER_STYLES } from "@clockwork/sim/market/leader-styles";
import { listCatalogue } from "@clockwork/trading/market/listing";
import { afterAll, describe, expect, test } from "vitest";
import { LEAD_DAYS, type LeadDayRow } from "../projectors/copy/copy-rows.ts";
import {
  type HourPrices,
  type PastMarket,
  type PrehistoryOptions,
  readPrehistory,
  runPrehistory,
} from "./prehistory.ts";
import { pastRows } from "./simulated.ts";

const folder = mkdtempSync(join(tmpdir(), "cw-past-"));
afterAll(() => rmSync(folder, { recursive: true }));

const START = Date.UTC(2026, 0, 5);
const HOURS = 24 * 6;

async function optionsOf(seed: number): Promise<PrehistoryOptions> {
  const driver = createDriver(createMachine());
  await listCatalogue({
    submit: async (command) => ({ done: true, sequence: 0, events: driver.send(command) }) as never,
    readListing: async () => readListing(driver.machine),
  });
  const { markets, assets } = readListing(driver.machine);
  const idOf = (symbol: string): number => assets.find((one) => one.symbol === symbol)?.asset ?? 0;
  const coin = { asset: idOf("USDT"), scale: 6 };
  const made: PastMarket[] = [];
  for (const name of ["BTC", "ETH", "SOL", "XRP", "DOGE"]) {
    for (const listed of markets) {
      if (listed.base !== idOf(name) || listed.quote !== coin.asset || listed.contract?.mirror) continue;
      const kind = listed.contract === undefined ? "spot" : "futures";
      if (listed.contract !== undefined && listed.contract.settle !== coin.asset) continue;
      made.push({
        kind,
        market: listed.market,
        coin: name,
        asset: kind === "spot" ? listed.base : -1,
        stepUnits: listed.stepUnits,
        factor: kind === "spot" ? listed.tickLotUnits : (listed.contract?.factor ?? 1),
        minLots: 1,
        minUnits: 5_000_000,
        maxLots: 1_000_000,
        hours: walk(seed, name.length * 977),
      });
    }
  }
  return { folder, seed, startMs: START, coin, markets: made };
}

function walk(seed: number, stream: number): HourPrices[] {
  const random = createRandom(seed * 31 + stream);
  let ticks = 400_000;
  return Array.from({ length: HOURS }, (): HourPrices => {
    const open = ticks;
    ticks = Math.max(100_000, ticks + random.between(-6_000, 6_000));
    return [open, ticks];
  });
}

describe("the past of simulated leaders", () => {
  test("[COPY-3] twelve leaders of futures and some of spot trade every day's prices, the same from the same seed", async () => {
    const options = await optionsOf(7);
    const first = await runPrehistory(options);
    const again = await runPrehistory(options);
    expect(again.hash).toBe(first.hash);
    expect(LEADER_STYLES.filter(({ kind }) => kind === "futures").length).toBeGreaterThanOrEqual(12);
    for (const [index, account] of first.accounts.entries()) {
      const { days, trades } = pastRows(first, account);
      expect(days.length, LEADER_STYLES[index]?.nickname).toBeGreaterThanOrEqual(5);
      // Made-up prices are outside the band of some spot pairs.
      if (LEADER_STYLES[index]?.kind === "futures") expect(trades.length).toBeGreaterThan(0);
      // No deposits or withdrawals: the days' results are the gain of the book.
      const gained = days.reduce((sum, day) => sum + day.pnl_units, 0n);
      const funds = BigInt((LEADER_STYLES[index]?.funds ?? 0) * 1_000_000);
      expect(days.at(-1)?.equity_units).toBe(funds + gained);
    }
  });

  test("[COPY-3] the journal alone gives the same days", async () => {
    const made = await runPrehistory(await optionsOf(7));
    const read = await readPrehistory(folder);
    expect(read?.hash).toBe(made.hash);
    expect(read?.tables.of<LeadDayRow>(LEAD_DAYS)).toEqual(made.tables.of<LeadDayRow>(LEAD_DAYS));
  });
});
