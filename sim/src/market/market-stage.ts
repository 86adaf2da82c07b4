// A machine with a few simulated pairs on it, for tests and soaks of the simulated market.

import { createMachine } from "@clockwork/core/machine/machine";
import type { Command } from "@clockwork/core/protocol/command";
import type { MachineEvent } from "@clockwork/core/protocol/event";
import { RESERVES_ACCOUNT, SIMULATED_USER_MIN } from "@clockwork/core/protocol/names";
import { createDriver, type Driver, eventsOf } from "@clockwork/core/testing/driver";
import { present } from "@clockwork/kit/assert";
import type { SimulatedPair } from "./instruments.ts";
import type { PriceSource } from "./prices.ts";
import { SimulatedMarket } from "./simulation.ts";

const PRICES: Readonly<Record<string, number>> = { BTC: 96_420, ETH: 3_318, ADA: 0.3954 };
const SCALES: Readonly<Record<string, number>> = { USDT: 6, BTC: 8, ETH: 8, ADA: 4 };
type Row = readonly [
  base: string,
  quote: string,
  tickDecimals: number,
  stepUnits: number,
  minNotional: number,
  maxLots: number,
];
const ROWS: readonly Row[] = [
  ["BTC", "USDT", 1, 1_000, 5, 100_000_000],
  ["ETH", "USDT", 2, 10_000, 5, 200_000_000],
  ["ADA", "USDT", 4, 1_000, 5, 1_000_000_000],
  ["ETH", "BTC", 5, 100_000, 0.00005, 5_000_000],
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

export function openMarketStage(options: { seed: number; speed?: number; source?: PriceSource }): MarketStage {
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
        driver.time += 500;
        const { money, batches } = market.step(driver.time);
        const told = (events: readonly MachineEvent[]): void => {
          observe(events);
          onEvents(events);
        };
        for (const command of money) told(driver.send(command));
        for (const { account: owner, items } of batches) {
          counts.items += items.length;
          told(driver.batch(owner, items));
        }
      }
    },
  };
}

function listPair(driver: Driver, row: Row, idOf: (symbol: string) => number): SimulatedPair {
  const [base, quote, tickDecimals, stepUnits, minNotional, maxLots] = row;
  const tick = 10 ** -tickDecimals;
  const price = (PRICES[base] ?? 1) / (PRICES[quote] ?? 1);
  const minNotionalUnits = Math.round(minNotional * 10 ** (SCALES[quote] ?? 0));
  const command: Command = {
    kind: "listMarket",
    symbol: `${base}/${quote}`,
    base: idOf(base),
    quote: idOf(quote),
    tickMantissa: 1,
    tickDecimals,
    stepUnits,
    minNotionalUnits,
    maxLots,
    anchorTicks: Math.round(price / tick),
  };
  const listed = present(eventsOf(driver.send(command), "marketListed")[0], "STAGE-1", command.symbol);
  return {
    pairCode: `${base}_${quote}`,
    market: listed.market,
    baseAsset: listed.base,
    quoteAsset: listed.quote,
    base,
    quote,
    tick,
    lot: stepUnits / 10 ** (SCALES[base] ?? 0),
    minNotional,
    maxLots,
  };
}
