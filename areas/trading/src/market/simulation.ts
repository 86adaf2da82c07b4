// Runs the simulated market on the engine: opens and funds its accounts, makes the history before the first start,
// ticks, and stores what a restart needs. Uses the engine like any client; must never block or outlive it.
import { setTimeout as sleep } from "node:timers/promises";
import { readEvent } from "@clockwork/core/protocol/codec";
import type { Command } from "@clockwork/core/protocol/command";
import { EVENT_BYTES, EVENT_HEADER, EVENTS, type MachineEvent } from "@clockwork/core/protocol/event";
import { SIMULATED_USER_MIN } from "@clockwork/core/protocol/names";
import type { Clock } from "@clockwork/host/clock";
import type { EngineHandle, EventBatch } from "@clockwork/host/engine";
import type { Log } from "@clockwork/host/log";
import { measureMs } from "@clockwork/host/time/measure";
import { type SimulatedPair, simulatedPair } from "@clockwork/sim/market/instruments";
import type { PriceSource } from "@clockwork/sim/market/prices";
import {
  QUIET_LOOK_EVERY,
  QUIET_TICK_MS,
  SimulatedMarket,
  type SimulationState,
} from "@clockwork/sim/market/simulation";
import type { MarketPair } from "../markets/pair.ts";
import type { MarketData } from "./data.ts";
import { clearFutures, FuturesSimulation, simulatedContracts } from "./futures-simulation.ts";
import { writeHistory } from "./history.ts";
import { openQuietRate } from "./quiet-rate.ts";

export interface SimulationParts {
  readonly engine: Pick<EngineHandle, "submit" | "submitBatch" | "subscribe">;
  readonly data: MarketData;
  readonly log: Log;
  readonly clock: Clock;
  readonly seed: number;
  readonly speed: number;
  readonly source?: PriceSource;
  /** Whether anybody is there to look. */
  readonly isVisited: () => boolean;
  /** Days of minutes made before the first start. */
  readonly historyDays: number;
}

const STATE = "market";
const MAKER_USER = SIMULATED_USER_MIN;
const TAKER_USERS = [SIMULATED_USER_MIN + 1, SIMULATED_USER_MIN + 2, SIMULATED_USER_MIN + 3];
const TICK_MS = 500;
/** A faster market ticks more often down to this, and takes longer steps beyond it. */
const TICK_MS_MIN = 50;
const SAVE_MS = 5_000;
const RETRY_MS = 1_000;
const RETRY_MS_MAX = 30_000;
/** Days of hour candles per day of minute candles: a month before five. */
const HOUR_CANDLE_DAYS = 5;
const TRADE = EVENTS.trade.kind;
const DEPTH = EVENTS.depth.kind;
const AT_MAKER = EVENTS.trade.layout.makerAccount.at;

/** Starts in the background; the returned function stops it. */
export function startSimulation(parts: SimulationParts): () => Promise<void> {
  const host = new SimulationHost(parts);
  const running = host.keepRunning();
  return async () => {
    host.stop();
    await running;
  };
}

/** A market without simulated traders keeps none of their earlier orders. */
export async function clearSimulation(parts: Pick<SimulationParts, "engine" | "data">): Promise<void> {
  if ((await parts.data.store.readSimulation(STATE)) === undefined) return;
  await cancelOrders(parts.engine, await openAccount(parts.engine, MAKER_USER));
  await clearFutures(parts);
}

class SimulationHost {
  readonly #parts: SimulationParts;
  readonly #stopping = new AbortController();
  /** The observers of an account's events. */
  readonly #observers = new Map<number, (event: MachineEvent) => void>();
  #futures: FuturesSimulation | undefined;
  #wake: () => void = () => undefined;
  #savedAtMs = 0;
  readonly #findQuiet: () => Promise<boolean>;
  #isQuiet = false;
  #ended = false;

  constructor(parts: SimulationParts) {
    this.#parts = parts;
    const { speed, isVisited, data } = parts;
    const hasPositions = () => data.store.hasPositions(SIMULATED_USER_MIN);
    this.#findQuiet = openQuietRate({ speed, isVisited, hasPositions, nowMs: measureMs });
  }

  stop(): void {
    this.#stopping.abort();
    this.#wake();
  }

  get #stopped(): boolean {
    return this.#stopping.signal.aborted;
  }

  /** A failed run, for example with the database unavailable, restarts: at once at first, then with growing delays. */
  async keepRunning(): Promise<void> {
    for (let waitMs = RETRY_MS; !this.#stopped; waitMs = Math.min(RETRY_MS_MAX, waitMs * 2)) {
      const startedMs = measureMs();
      try {
        return await this.run();
      } catch (error) {
        this.#parts.log.error("market.simulation.failed", { error, againInMs: waitMs });
      }
      if (measureMs() - startedMs > RETRY_MS_MAX) waitMs = RETRY_MS;
      this.#observers.clear();
      this.#futures = undefined;
      await this.#sleep(waitMs);
    }
  }

  #known(): MarketPair[] {
    return this.#parts.data.pairs.pairs.filter((pair) => pair.isSimulated && pair.status === "TRADING");
  }

  async run(): Promise<void> {
    const { engine, data, log, clock, seed, speed } = this.#parts;
    this.#ended = false;
    const known = this.#known();
    const pairs = known.map(simulatedPair);
    const stored = readState(await data.store.readSimulation(STATE));
    const started =
      stored === undefined
        ? await this.#begin(known, pairs)
        : { state: stored, writeRest: () => this.#writeContracts(known) };
    if (this.#stopped || started === undefined) return;
    const maker = await openAccount(engine, MAKER_USER);
    const takers: number[] = [];
    for (const user of TAKER_USERS) takers.push(await openAccount(engine, user));
    const assets = data.pairs.assets
      .filter(({ symbol }) => pairs.some(({ base, quote }) => base === symbol || quote === symbol))
      .map(({ asset, symbol, scale }) => ({ asset, symbol, unitsPerCoin: 10 ** scale }));
    const source = this.#parts.source === undefined ? {} : { source: this.#parts.source };
    const { state } = started;
    const market = new SimulatedMarket({ seed, pairs, assets, maker, takers, state, speed, ...source });
    this.#watch([maker, ...takers], (event) => market.observe(event));
    const unsubscribe = engine.subscribe((batch) => this.#show(batch));
    const futures = this.#keepOpeningFutures(market, started.writeRest);
    try {
      if (stored === undefined) await this.#openFunds(market, [maker, ...takers]);
      log.info("market.simulated", { pairs: pairs.length, step: market.state.step, speed });
      // Done just before the orders of the first tick, so that the books never lack the maker's orders for long.
      const cleared = cancelOrders(engine, maker);
      while (!this.#stopped) {
        await this.#tick(market);
        await cleared;
        this.#isQuiet = await this.#findQuiet();
        await this.#sleep(this.#isQuiet ? QUIET_TICK_MS : Math.max(TICK_MS_MIN, TICK_MS / speed));
      }
    } finally {
      this.#ended = true;
      await futures;
      unsubscribe();
      await this.#trySave(market, clock.now());
    }
  }

  /** Until it is open or the run has ended: its past and its state are in the database too. */
  async #keepOpeningFutures(market: SimulatedMarket, writeRest: () => Promise<boolean>): Promise<void> {
    let write = writeRest;
    for (let waitMs = RETRY_MS; !this.#stopped && !this.#ended; waitMs = Math.min(RETRY_MS_MAX, waitMs * 2)) {
      if (await this.#openFutures(market, write)) return;
      write = () => this.#writeContracts(this.#known());
      await sleep(waitMs, undefined, { ref: false, signal: this.#stopping.signal }).catch(() => undefined);
    }
  }

  /** Opens the futures market in the background, once its history is written; false when a retry may help. */
  async #openFutures(market: SimulatedMarket, writeRest: () => Promise<boolean>): Promise<boolean> {
    const { data, engine, log, clock, seed } = this.#parts;
    try {
      if (!(await writeRest()) || this.#stopped) return true;
      const contracts = simulatedContracts([
        ...data.pairs.listContracts("futures"),
        ...data.pairs.listContracts("delivery"),
      ]);
      if (contracts.length === 0) return true;
      const watch = this.#watch.bind(this);
      this.#futures = await FuturesSimulation.open(
        { engine, data, seed },
        contracts,
        watch,
        clock.now(),
        market.state.prices,
      );
      log.info("market.futures", { contracts: contracts.length });
      return true;
    } catch (error) {
      log.error("market.futures.failed", { error });
      return false;
    }
  }

  /** The first start: candles up to this minute, ending where the live market starts. */
  async #begin(
    known: readonly MarketPair[],
    pairs: readonly SimulatedPair[],
  ): Promise<{ readonly state: SimulationState; readonly writeRest: () => Promise<boolean> } | undefined> {
    const { data, clock, log, seed } = this.#parts;
    const startedMs = clock.now();
    const days = this.#parts.historyDays;
    const listed = [...data.pairs.listContracts("futures"), ...data.pairs.listContracts("delivery")];
    const written = await writeHistory({
      data,
      known: [...known, ...listed],
      pairs,
      contracts: simulatedContracts(listed),
      seed,
      minutes: days * 1_440,
      hours: days * HOUR_CANDLE_DAYS * 24,
      nowMs: startedMs,
      stopped: this.#stopping.signal,
    });
    if (written === undefined) return undefined;
    const notify = (what: string): void => log.info("market.history", { what, tookMs: clock.now() - startedMs });
    notify("pairs");
    const rest = written.rest.then((isDone) => {
      if (isDone) notify("contracts");
      return isDone;
    });
    return { state: { step: 0, prices: written.prices }, writeRest: () => rest };
  }

  /** An exchange older than its contracts gives them a history too. */
  async #writeContracts(known: readonly MarketPair[]): Promise<boolean> {
    if (await FuturesSimulation.isKnown(this.#parts.data)) return true;
    const started = await this.#begin(known, []);
    return started !== undefined && (await started.writeRest());
  }

  /** Simulated accounts pay no fees: the exchange's income comes from customers only. */
  async #openFunds(market: SimulatedMarket, accounts: readonly number[]): Promise<void> {
    const { engine, clock } = this.#parts;
    for (const account of accounts) {
      await engine.submit({ kind: "setAccountFees", account, feeGroup: 0, makerRate: 0, takerRate: 0 });
    }
    await Promise.all(market.fund(clock.now()).map((command) => engine.submit(command)));
    await this.#save(market, clock.now());
  }

  async #tick(market: SimulatedMarket): Promise<void> {
    const { engine, clock } = this.#parts;
    const nowMs = clock.now();
    const lookEvery = this.#isQuiet ? QUIET_LOOK_EVERY : 1;
    const { money, references, batches, seconds } = market.step(nowMs, lookEvery);
    const { step, prices } = market.state;
    const acks = await Promise.all([
      ...[...money, ...references].map((command: Command) => engine.submit(command)),
      ...batches.map(({ account, items }) => engine.submitBatch(account, items)),
      ...(this.#futures?.tick({ nowMs, step, seconds, prices, lookEvery }) ?? []),
    ]);
    const refusal = acks.find((ack) => !ack.done && ack.sequence === undefined);
    // An engine that halted on a full disk resumes without a restart.
    if (refusal !== undefined && !refusal.done && refusal.code === "ENGINE_CLOSED") this.#stopping.abort();
    if (clock.now() - this.#savedAtMs >= SAVE_MS) await this.#trySave(market, clock.now());
  }

  /** A market whose state cannot be stored now continues; the next save is complete. */
  async #trySave(market: SimulatedMarket, nowMs: number): Promise<void> {
    await this.#save(market, nowMs).catch((error: unknown) => {
      this.#parts.log.error("market.simulation.unsaved", { error });
    });
  }

  async #save(market: SimulatedMarket, nowMs: number): Promise<void> {
    this.#savedAtMs = nowMs;
    await this.#parts.data.store.writeSimulation(STATE, JSON.stringify(market.state), nowMs);
    await this.#futures?.save(nowMs);
  }

  #watch(accounts: readonly number[], observe: (event: MachineEvent) => void): void {
    for (const account of accounts) this.#observers.set(account, observe);
  }

  /** Passes each market the events of its own accounts; all others cost one comparison. */
  #show({ bytes, timeBeforeMs }: EventBatch): void {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let at = 0; at < bytes.length; at += EVENT_BYTES) {
      if (bytes[at] === DEPTH) continue;
      const observe =
        this.#observers.get(EVENT_HEADER.account.read(view, at)) ??
        (bytes[at] === TRADE ? this.#observers.get(view.getInt32(at + AT_MAKER, true)) : undefined);
      observe?.(readEvent(view, at, timeBeforeMs));
    }
  }

  #sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      timer.unref();
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
      if (this.#stopped) this.#wake();
    });
  }
}

async function openAccount(engine: Pick<EngineHandle, "submit">, user: number): Promise<number> {
  const ack = await engine.submit({ kind: "createAccount", user, book: "spot" });
  for (const event of ack.events) if (event.kind === "accountCreated") return event.account;
  throw new Error(`no account for simulated user ${user}: ${ack.done ? "no answer" : ack.code}`);
}

/** Orders left in the books by an earlier run are not recorded here. */
async function cancelOrders(engine: Pick<EngineHandle, "submit">, account: number): Promise<void> {
  await engine.submit({ kind: "cancelAll", account });
}

function readState(text: string | undefined): SimulationState | undefined {
  return text === undefined ? undefined : (JSON.parse(text) as SimulationState);
}
