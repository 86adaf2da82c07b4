// Runs the simulated futures market next to the spot one: opens its accounts once, gives the contracts prices and
// traders, and stores what a restart needs. Uses the engine like any client.
import type { Command } from "@clockwork/core/protocol/command";
import type { MachineEvent } from "@clockwork/core/protocol/event";
import { SIMULATED_USER_MIN } from "@clockwork/core/protocol/names";
import type { EngineHandle } from "@clockwork/host/engine";
import type { AccountGroup, SimulatedContract } from "@clockwork/sim/market/futures/contracts";
import {
  FIRST_FUTURES_STATE,
  type FuturesState,
  type FuturesTick,
  SimulatedFutures,
} from "@clockwork/sim/market/futures/futures";
import { simulatedPair } from "@clockwork/sim/market/instruments";
import type { PriceState } from "@clockwork/sim/market/prices";
import type { MarketPair } from "../markets/pair.ts";
import type { MarketData } from "./data.ts";
import { CONTRACT_FEE_GROUP } from "./listing.ts";

export interface FuturesParts {
  readonly engine: Pick<EngineHandle, "submit" | "submitBatch">;
  readonly data: MarketData;
  readonly seed: number;
}

const STATE = "futures";
/**
 * When the first opening started: its grants carry that time, so that an opening repeated after a crash grants nothing
 * twice.
 */
const OPENING = "futures-opening";
const MAKER_USER = SIMULATED_USER_MIN + 10;
const TAKER_USERS = [SIMULATED_USER_MIN + 11, SIMULATED_USER_MIN + 12];
const LONG_USER = SIMULATED_USER_MIN + 13;
const SHORT_USER = SIMULATED_USER_MIN + 14;
const FIRST_TRADER_USER = SIMULATED_USER_MIN + 100;
/** Levered retail on USDT contracts, and on those of each coin. */
const PARTICIPANTS = 110;
const COIN_TRADERS = 14;
/** Concurrent commands while the market is being opened. */
const TOGETHER = 200;

interface Stored {
  readonly groups: readonly AccountGroup[];
  readonly state: FuturesState;
}

/** Contracts that simulated traders keep active: those of the catalogue that are not closed. */
export function simulatedContracts(pairs: readonly MarketPair[]): SimulatedContract[] {
  return pairs.flatMap((pair) => {
    const { contract, kind, settle } = pair;
    const isOpen = pair.status === "TRADING" || pair.status === "PRE";
    if (contract === undefined || kind === "spot" || !pair.isSimulated || !isOpen) return [];
    const { contractClass, tiers, fundingHours, interestRate } = contract;
    const money = { settleAsset: settle.asset, settle: settle.symbol, unitsPerCoin: 10 ** settle.scale };
    return [{ ...simulatedPair(pair), kind, contractClass, tiers, fundingHours, interestRate, ...money }];
  });
}

export class FuturesSimulation {
  readonly #parts: FuturesParts;
  readonly #futures: SimulatedFutures;
  readonly #groups: readonly AccountGroup[];

  private constructor(parts: FuturesParts, contracts: readonly SimulatedContract[], { groups, state }: Stored) {
    this.#parts = parts;
    this.#groups = groups;
    this.#futures = new SimulatedFutures({ seed: parts.seed, contracts, groups, state });
  }

  /** Whether it was opened before. */
  static async isKnown(data: MarketData): Promise<boolean> {
    return (await data.store.readSimulation(STATE)) !== undefined;
  }

  /** Resumes from the stored state, or opens everything for the first time. */
  static async open(
    parts: FuturesParts,
    contracts: readonly SimulatedContract[],
    watch: (accounts: readonly number[], observe: (event: MachineEvent) => void) => void,
    nowMs: number,
    prices: PriceState,
  ): Promise<FuturesSimulation> {
    const stored = readStored(await parts.data.store.readSimulation(STATE), contracts);
    const groups = stored?.groups ?? (await openGroups(parts.engine, contracts));
    const state = stored?.state ?? FIRST_FUTURES_STATE;
    const simulation = new FuturesSimulation(parts, contracts, { groups, state });
    watch(groups.flatMap(accountsOf), (event) => simulation.#futures.observe(event));
    if (stored === undefined) {
      await submitAll(parts.engine, simulation.#futures.open(await beginOpening(parts.data, nowMs), prices));
      await simulation.save(nowMs);
    } else {
      await submitAll(parts.engine, clearing(groups));
    }
    return simulation;
  }

  /** The commands of this tick; the caller waits for the answers. */
  tick(tick: FuturesTick): ReturnType<EngineHandle["submit"]>[] {
    const { engine } = this.#parts;
    const { commands, batches } = this.#futures.step(tick);
    return [
      ...commands.map((command) => engine.submit(command)),
      ...batches.map(({ account, items }) => engine.submitBatch(account, items)),
    ];
  }

  async save(nowMs: number): Promise<void> {
    const stored: Stored = { groups: this.#groups, state: this.#futures.state };
    await this.#parts.data.store.writeSimulation(STATE, JSON.stringify(stored), nowMs);
  }
}

async function beginOpening({ store }: MarketData, nowMs: number): Promise<number> {
  const started = await store.readSimulation(OPENING);
  if (started !== undefined) return Number(started);
  await store.writeSimulation(OPENING, String(nowMs), nowMs);
  return nowMs;
}

/** A market without simulated traders keeps none of their earlier orders. */
export async function clearFutures({ engine, data }: Pick<FuturesParts, "engine" | "data">): Promise<void> {
  const text = await data.store.readSimulation(STATE);
  if (text !== undefined) await submitAll(engine, clearing((JSON.parse(text) as Stored).groups));
}

/** Orders left in the books by an earlier run are not recorded here. */
function clearing(groups: readonly AccountGroup[]): Command[] {
  return groups.map(({ maker }) => ({ kind: "cancelAll", account: maker }));
}

function accountsOf({ maker, takers, long, short, participants }: AccountGroup): number[] {
  return [maker, ...takers, long, short, ...participants];
}

/** In order, in batches: the engine refuses when too many wait. */
async function submitAll(engine: Pick<EngineHandle, "submit">, commands: readonly Command[]): Promise<void> {
  for (let from = 0; from < commands.length; from += TOGETHER) {
    await Promise.all(commands.slice(from, from + TOGETHER).map((command) => engine.submit(command)));
  }
}

/** One account of every simulated user for each settlement coin. Simulated accounts pay no fees. */
async function openGroups(
  engine: Pick<EngineHandle, "submit">,
  contracts: readonly SimulatedContract[],
): Promise<AccountGroup[]> {
  const settles = [...new Map(contracts.map((contract) => [contract.settleAsset, contract])).values()];
  const groups: AccountGroup[] = [];
  for (const { settle, settleAsset, unitsPerCoin, kind } of settles) {
    const size = kind === "inverse" ? COIN_TRADERS : PARTICIPANTS;
    const traderUsers = Array.from({ length: size }, (_, index) => FIRST_TRADER_USER + index);
    const users = [MAKER_USER, ...TAKER_USERS, LONG_USER, SHORT_USER, ...traderUsers];
    const book = kind === "inverse" ? ({ book: "inverse", sub: settleAsset } as const) : ({ book: "linear" } as const);
    const accounts = await Promise.all(users.map((user) => openAccount(engine, { user, ...book })));
    const free = { feeGroup: CONTRACT_FEE_GROUP, makerRate: 0, takerRate: 0 };
    await submitAll(
      engine,
      accounts.map((account) => ({ kind: "setAccountFees", account, ...free })),
    );
    const [maker, ...others] = accounts as [number, ...number[]];
    const takers = others.slice(0, TAKER_USERS.length);
    const [long, short, ...participants] = others.slice(TAKER_USERS.length) as [number, number, ...number[]];
    groups.push({ settle, settleAsset, unitsPerCoin, maker, takers, long, short, participants });
  }
  return groups;
}

async function openAccount(
  engine: Pick<EngineHandle, "submit">,
  account: { readonly user: number; readonly book: "linear" | "inverse"; readonly sub?: number },
): Promise<number> {
  const ack = await engine.submit({ kind: "createAccount", ...account });
  for (const event of ack.events) if (event.kind === "accountCreated") return event.account;
  throw new Error(`no account for simulated user ${account.user}: ${ack.done ? "no answer" : ack.code}`);
}

/** Undefined when a new coin is not traded yet: then everything is opened again. */
function readStored(text: string | undefined, contracts: readonly SimulatedContract[]): Stored | undefined {
  if (text === undefined) return undefined;
  const stored = JSON.parse(text) as Stored;
  const known = new Set(stored.groups.map(({ settleAsset }) => settleAsset));
  return contracts.every(({ settleAsset }) => known.has(settleAsset)) ? stored : undefined;
}
