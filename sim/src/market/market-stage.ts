// A machine with a few simulated pairs on it, for tests and soaks of the simulated market.

import { createMachine } from "@clockwork/core/machine/machine";
import type { MachineEvent } from "@clockwork/core/protocol/event";
import { listMarketCommand } from "@clockwork/core/protocol/listing-command";
import { RESERVES_ACCOUNT, SIMULATED_USER_MIN } from "@clockwork/core/protocol/names";
import { createDriver, type Driver, eventsOf } from "@clockwork/core/testing/driver";
import { present } from "@clockwork/kit/assert";
import { readInstrument } from "@clockwork/kit/instrument";
import { type SimulatedPair, simulatedPair } from "./instruments.ts";
import type { PriceSource } from "./prices.ts";
import { SimulatedMarket } from "./simulation.ts";

const PRICES: Readonly<Record<string, number>> = { BTC: 96_420, ETH: 3_318, ADA: 0.3954 };
const SCALES: Readonly<Record<string, number>> = { USDT: 6, BTC: 8, ETH: 8, ADA: 4 };
type Row = readonly [base: string, quote: string, tick: string, step: string, minNotional: string, maxQuantity: string];
const ROWS: readonly Row[] = [
  ["BTC", "USDT", "0.1", "0.00001", "5", "1000"],
  ["ETH", "USDT", "0.01", "0.0001", "5", "20000"],
  ["ADA", "USDT", "0.0001", "0.1", "5", "100000000"],
  ["ETH", "BTC", "0.00001", "0.001", "0.00005", "5000"],
];

export interface MarketStage {
  readonly driver: Driver;
  readonly pairs: readonly SimulatedPair[];
  readonly market: SimulatedMarket;
  /** Items asked for so far. */
  readonly counts: { items: number; refused: number };
  /** Lets so much time pass in ticks; answers the events. */
  run(ticks: number, onEvents?: (events: readonly MachineEvent[]) => void): void;
}

interface StageOptions {
  readonly seed: number;
  readonly speed?: number;
  readonly source?: PriceSource;
  /** Time of a tick, and how many times more rarely books are read: the rate the market is driven at. */
  readonly tickMs?: number;
  readonly lookEvery?: number;
}

export function openMarketStage({ tickMs = 500, lookEvery = 1, ...options }: StageOptions): MarketStage {
  const driver = createDriver(createMachine());
  const assets = Object.entries(SCALES).map(([symbol, scale]) => {
    const listed = eventsOf(driver.send({ kind: "listAsset", symbol, scale }), "assetListed")[0];
    return { symbol, asset: present(listed, "STAGE-1", symbol).asset, unitsPerCoin: 10 ** scale };
  });
  for (const { asset, symbol } of assets) {
    const reserves = { account: RESERVES_ACCOUNT, asset, business: "deposit" } as const;
    driver.send({ kind: "mint", ...reserves, units: 2 ** 52, reference: `genesis:${symbol}` });
  }
  const idOf = (symbol: string): number => assets.find((asset) => asset.symbol === symbol)?.asset ?? 0;
  const pairs = ROWS.map((row) => listPair(driver, row, idOf));
  const account = (user: number): number => {
    const made = eventsOf(driver.send({ kind: "createAccount", user, book: "spot" }), "accountCreated")[0];
    return present(made, "STAGE-1", "account").account;
  };
  const maker = account(SIMULATED_USER_MIN);
  const takers = [account(SIMULATED_USER_MIN + 1), account(SIMULATED_USER_MIN + 2)];
  const logs = Object.fromEntries(Object.entries(PRICES).map(([symbol, price]) => [symbol, Math.log(price)]));
  const prices = { regime: "normal" as const, logs, homes: logs };
  const market = new SimulatedMarket({ ...options, pairs, assets, maker, takers, state: { step: 0, prices } });
  const counts = { items: 0, refused: 0 };
  const observe = (events: readonly MachineEvent[]): void => {
    for (const event of events) {
      if (event.kind === "rejected") counts.refused += 1;
      market.observe(event);
    }
  };
  for (const command of market.fund(driver.time)) observe(driver.send(command));
  return {
    driver,
    pairs,
    market,
    counts,
    run(ticks, onEvents = () => undefined) {
      for (let tick = 0; tick < ticks; tick += 1) {
        driver.time += tickMs;
        const { money, batches } = market.step(driver.time, lookEvery);
        const published = (events: readonly MachineEvent[]): void => {
          observe(events);
          onEvents(events);
        };
        for (const command of money) published(driver.send(command));
        for (const { account: owner, items } of batches) {
          counts.items += items.length;
          published(driver.batch(owner, items));
        }
      }
    },
  };
}

function listPair(driver: Driver, row: Row, idOf: (symbol: string) => number): SimulatedPair {
  const [base, quote, tick, step, minNotional, maxQuantity] = row;
  const coin = (symbol: string) => ({ symbol, scale: SCALES[symbol] ?? 0, asset: idOf(symbol) });
  const read = readInstrument({
    kind: "spot",
    base: coin(base),
    quote: coin(quote),
    tickSize: tick,
    stepSize: step,
    minQuantity: step,
    maxQuantity,
    maxMarketQuantity: maxQuantity,
    minNotional,
    band: { buyMax: "1.2", buyMin: "0.2", sellMin: "0.8", sellMax: "5" },
  });
  if (!read.done) throw new Error(read.code);
  const price = (PRICES[base] ?? 1) / (PRICES[quote] ?? 1);
  const terms = { symbol: `${base}/${quote}`, base: idOf(base), quote: idOf(quote) };
  const anchorTicks = Math.round(price / Number(tick));
  const listed = eventsOf(driver.send(listMarketCommand(read.value, { ...terms, anchorTicks })), "marketListed")[0];
  const { market } = present(listed, "STAGE-1", terms.symbol);
  return simulatedPair({ ...read.value, market, pairCode: `${base}_${quote}`, base: coin(base), quote: coin(quote) });
}
