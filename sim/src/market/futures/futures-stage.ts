// A machine with every contract of the catalogue on it and its simulated traders, for tests and soaks.
import { createMachine } from "@clockwork/core/machine/machine";
import type { Command } from "@clockwork/core/protocol/command";
import type { MachineEvent } from "@clockwork/core/protocol/event";
import { listMarketCommand, tiersCommand } from "@clockwork/core/protocol/listing-command";
import { RESERVES_ACCOUNT, SIMULATED_USER_MIN } from "@clockwork/core/protocol/names";
import { createDriver, type Driver, eventsOf } from "@clockwork/core/testing/driver";
import { present } from "@clockwork/kit/assert";
import {
  CATALOGUE_CONTRACTS,
  type CatalogueContract,
  CONTRACT_SLIPPAGE_BPS,
  contractInstrument,
  contractSymbol,
  contractTiers,
} from "@clockwork/kit/contract-catalogue";
import { stepRandom } from "../chance.ts";
import { coinsOf, simulatedPair } from "../instruments.ts";
import { type PriceState, stepPrices } from "../prices.ts";
import type { AccountGroup, SimulatedContract } from "./contracts.ts";
import { FIRST_FUTURES_STATE, type FuturesState, SimulatedFutures } from "./futures.ts";

const PRICES: Readonly<Record<string, number>> = {
  BTC: 96_420,
  ETH: 3_318,
  SOL: 143.6,
  XRP: 2.084,
  BNB: 904.5,
  DOGE: 0.13862,
  ADA: 0.3954,
  LINK: 13.655,
};
const SCALES: Readonly<Record<string, number>> = { USDT: 6, USD: 2, XRP: 4, DOGE: 4, ADA: 4 };
const TICK_MS = 500;

export interface FuturesStage {
  readonly driver: Driver;
  readonly contracts: readonly SimulatedContract[];
  readonly groups: readonly AccountGroup[];
  futures: SimulatedFutures;
  readonly prices: PriceState;
  readonly counts: { commands: number; refused: number };
  /** Pulls a coin's price away at once. */
  shock(coin: string, change: number): void;
  /** Lets ticks of half a second pass. */
  run(ticks: number, onEvents?: (events: readonly MachineEvent[]) => void): void;
  /** The traders begin again from what they had stored. */
  restart(): void;
}

export interface FuturesStageOptions {
  readonly seed: number;
  /** Simulated seconds in a tick; half a second unless said. */
  readonly seconds?: number;
  readonly participants?: number;
}

export function openFuturesStage(options: FuturesStageOptions): FuturesStage {
  const driver = createDriver(createMachine());
  const idOf = listCoins(driver);
  const contracts = CATALOGUE_CONTRACTS.map((entry) => listContract(driver, entry, idOf));
  const groups = openGroups(driver, contracts, options.participants ?? 30);
  const logs = Object.fromEntries(Object.entries(PRICES).map(([symbol, price]) => [symbol, Math.log(price)]));
  let prices: PriceState = { regime: "normal", logs, homes: logs };
  const coins = coinsOf(contracts);
  const begin = (state: FuturesState): SimulatedFutures =>
    new SimulatedFutures({ seed: options.seed, contracts, groups, state });
  const counts = { commands: 0, refused: 0 };
  let step = 0;
  let published: (events: readonly MachineEvent[]) => void = () => undefined;
  const hear = (events: readonly MachineEvent[]): void => {
    for (const event of events) {
      if (event.kind === "rejected") counts.refused += 1;
      stage.futures.observe(event);
    }
    published(events);
  };
  const stage: FuturesStage = {
    driver,
    contracts,
    groups,
    counts,
    futures: begin(FIRST_FUTURES_STATE),
    get prices() {
      return prices;
    },
    shock(coin, change) {
      prices = { ...prices, logs: { ...prices.logs, [coin]: (prices.logs[coin] ?? 0) + Math.log(1 + change) } };
    },
    restart() {
      const stored = JSON.parse(JSON.stringify(stage.futures.state)) as FuturesState;
      for (const { maker } of groups) hear(driver.send({ kind: "cancelAll", account: maker }));
      stage.futures = begin(stored);
    },
    run(ticks, onEvents = () => undefined) {
      published = onEvents;
      const seconds = options.seconds ?? TICK_MS / 1_000;
      for (let tick = 0; tick < ticks; tick += 1) {
        driver.time += TICK_MS;
        step += 1;
        prices = stepPrices(prices, coins, driver.time, seconds, stepRandom(options.seed, step, 0));
        const { commands, batches } = stage.futures.step({ nowMs: driver.time, step, seconds, prices });
        counts.commands += commands.length + batches.length;
        for (const command of commands) hear(driver.send(command));
        for (const { account, items } of batches) hear(driver.batch(account, items));
        if (driver.machine.nextTimerAt <= driver.time) hear(driver.send({ kind: "tick" }));
      }
    },
  };
  for (const command of stage.futures.open(driver.time, prices)) hear(driver.send(command));
  return stage;
}

function listCoins(driver: Driver): (symbol: string) => number {
  const ids = new Map<string, number>();
  return (symbol) => {
    const known = ids.get(symbol);
    if (known !== undefined) return known;
    const command: Command = { kind: "listAsset", symbol, scale: SCALES[symbol] ?? 8 };
    const { asset } = present(eventsOf(driver.send(command), "assetListed")[0], "STAGE-1", symbol);
    const reserves = { account: RESERVES_ACCOUNT, asset, business: "deposit" } as const;
    driver.send({ kind: "mint", ...reserves, units: 2 ** 52, reference: `genesis:${symbol}` });
    ids.set(symbol, asset);
    return asset;
  };
}

function listContract(driver: Driver, entry: CatalogueContract, idOf: (symbol: string) => number): SimulatedContract {
  const coin = (symbol: string) => ({ symbol, scale: SCALES[symbol] ?? 8, asset: idOf(symbol) });
  const [base, quote] = [coin(entry.base), coin(entry.quote)];
  const instrument = contractInstrument(entry, base, quote);
  const { contractClass, fundingHours, interestRate } = entry;
  const terms = { base: base.asset, quote: quote.asset, contractClass, fundingHours, interestRate };
  const listing = {
    ...terms,
    symbol: contractSymbol(entry),
    status: "PRE",
    slippageBps: CONTRACT_SLIPPAGE_BPS,
  } as const;
  const listed = eventsOf(driver.send(listMarketCommand(instrument, listing)), "marketListed")[0];
  const { market } = present(listed, "STAGE-1", listing.symbol);
  const tiers = contractTiers(entry, instrument.settle);
  driver.send(tiersCommand(market, tiers));
  const settle = entry.kind === "inverse" ? base : quote;
  return {
    ...simulatedPair({ ...instrument, base, quote, market, pairCode: `${entry.base}_${entry.quote}` }),
    kind: entry.kind,
    contractClass,
    settleAsset: settle.asset,
    settle: settle.symbol,
    unitsPerCoin: 10 ** settle.scale,
    tiers,
    fundingHours,
    interestRate,
  };
}

function openGroups(driver: Driver, contracts: readonly SimulatedContract[], participants: number): AccountGroup[] {
  const open = (user: number, settleAsset: number, isInverse: boolean): number => {
    const book = isInverse ? ({ book: "inverse", sub: settleAsset } as const) : ({ book: "linear" } as const);
    const made = eventsOf(
      driver.send({ kind: "createAccount", user: SIMULATED_USER_MIN + user, ...book }),
      "accountCreated",
    )[0];
    return present(made, "STAGE-1", "account").account;
  };
  const settles = [...new Map(contracts.map((contract) => [contract.settleAsset, contract])).values()];
  return settles.map(({ settle, settleAsset, unitsPerCoin, kind }) => {
    const account = (user: number): number => open(user, settleAsset, kind === "inverse");
    const count = kind === "inverse" ? Math.ceil(participants / 6) : participants;
    return {
      settle,
      settleAsset,
      unitsPerCoin,
      maker: account(10),
      takers: [account(11), account(12)],
      long: account(13),
      short: account(14),
      participants: Array.from({ length: count }, (_, index) => account(100 + index)),
    };
  });
}
