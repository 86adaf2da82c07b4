// The simulated leaders of the default run on the ordinary path: opened, funded and given their past once, then trading
// continuously next to the simulated market. Uses the engine like any client; must never block it.
import { readEvent } from "@clockwork/core/protocol/codec";
import { EVENT_BYTES, EVENT_HEADER, EVENTS, type MachineEvent } from "@clockwork/core/protocol/event";
import { toCoreUnits, units } from "@clockwork/kit/money";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@clockwork/kit/time";
import { give } from "@clockwork/sim/market/funding";
import { LEADER_STYLES, type LeaderStyle } from "@clockwork/sim/market/leader-styles";
import { type LeaderMarket, type LedBook, SimulatedLeaders } from "@clockwork/sim/market/leaders";
import type { PartContext } from "@clockwork/trading/context";
import type { MarketPair } from "@clockwork/trading/markets/pair";
import { SeriesService } from "@clockwork/trading/markets/series-service";
import type { PositionRow } from "@clockwork/trading/projectors/futures/futures-rows";
import { commentStore } from "../comments/store.ts";
import {
  LEAD_DAYS,
  LEAD_POSITIONS,
  LEAD_SALES,
  type LeadDayRow,
  type LeadSaleRow,
} from "../projectors/copy/copy-rows.ts";
import {
  FIRST_LEADER_USER,
  type HourPrices,
  type PastMarket,
  type Prehistory,
  runPrehistory,
  setUpLeader,
} from "./prehistory.ts";
import type { RecordStore } from "./record-store.ts";
import { levelOf } from "./rules.ts";
import { commentsOn } from "./simulated-comments.ts";
import type { CopyStore, PastDayRow, PastTradeRow } from "./store.ts";

export interface SimulatedParts {
  readonly context: PartContext;
  readonly store: CopyStore;
  readonly records: RecordStore;
}

const COIN = "USDT";
const POLL_MS = 10_000;
const RETRY_MS = 5_000;
const PAST_DAYS = 90;
/** Live leaders act at the same frequency as in the pre-history, but a minute counts for more, since users watch. */
const PACE = 6;
const FOLLOWED = EVENTS.followChanged.kind;
const WATCHED: ReadonlySet<number> = new Set([EVENTS.posting.kind, EVENTS.positionChanged.kind]);

/** Starts in the background; the returned function stops it. */
export function startSimulatedLeaders(parts: SimulatedParts): () => Promise<void> {
  const host = new LeadersHost(parts);
  return host.start();
}

class LeadersHost {
  readonly #parts: SimulatedParts;
  readonly #accounts = new Set<number>();
  #leaders: SimulatedLeaders | undefined;
  #stops: (() => void)[] = [];
  #busy: Promise<void> = Promise.resolve();
  #isBusy = false;
  #step = 0;
  #clockSeconds = 0;
  #retryAtMs = 0;
  #isStopped = false;

  constructor(parts: SimulatedParts) {
    this.#parts = parts;
  }

  start(): () => Promise<void> {
    const { clock, engine } = this.#parts.context;
    this.#stops = [
      clock.every(POLL_MS, () => this.#turn()),
      engine.subscribe(({ bytes, timeBeforeMs }) => this.#show(bytes, timeBeforeMs)),
    ];
    this.#turn();
    return async () => {
      this.#isStopped = true;
      for (const stop of this.#stops) stop();
      await this.#busy;
    };
  }

  /** One after the other; a turn that takes long skips the next one. */
  #turn(): void {
    if (this.#isBusy || this.#isStopped) return;
    this.#isBusy = true;
    this.#busy = this.#act()
      .catch((error: unknown) => this.#parts.context.log.warn("copy.leaders.failed", { error }))
      .finally(() => {
        this.#isBusy = false;
      });
  }

  async #act(): Promise<void> {
    const { clock, engine } = this.#parts.context;
    if (this.#leaders === undefined) {
      if (clock.now() < this.#retryAtMs) return;
      this.#retryAtMs = clock.now() + RETRY_MS;
      this.#leaders = await this.#open();
      if (this.#leaders === undefined) return;
    }
    this.#step += 1;
    const seconds = (POLL_MS / 1_000) * PACE;
    this.#clockSeconds += seconds;
    const ticksOf = (market: number): number => this.#priceTicks(market);
    const requests = this.#leaders.step({ step: this.#step, clockSeconds: this.#clockSeconds, seconds, ticksOf });
    // One at a time, like users: refusals have no further effect.
    for (const request of requests) if (!this.#isStopped) await engine.submit(request);
  }

  #priceTicks(market: number): number {
    const { pairs, data } = this.#parts.context.market;
    return data.projector.states.get(market)?.contract?.markTicks ?? pairs.lastTicks(market);
  }

  #show(bytes: Uint8Array, timeBeforeMs: number): void {
    if (this.#leaders === undefined) return;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let at = 0; at < bytes.length; at += EVENT_BYTES) {
      const isFollow = bytes[at] === FOLLOWED;
      const account = isFollow
        ? EVENTS.followChanged.layout.leader.read(view, at)
        : EVENT_HEADER.account.read(view, at);
      if (!(isFollow || WATCHED.has(bytes[at] as number)) || !this.#accounts.has(account)) continue;
      this.#leaders.observe(readEvent(view, at, timeBeforeMs) as MachineEvent, this.#clockSeconds);
    }
  }

  /** Undefined until the simulated market is open. */
  async #open(): Promise<SimulatedLeaders | undefined> {
    const { context, records } = this.#parts;
    const { market, config } = context;
    const coin = market.pairs.findAsset(COIN);
    const listed = this.#listMarkets();
    if (coin === undefined || listed.length === 0) return undefined;
    const isOpen = this.#isMarketOpen();
    if (listed.some((one) => this.#priceTicks(one.market) === 0)) return undefined;
    const books: LedBook[] = [];
    let past: Prehistory | undefined;
    for (const [index, style] of LEADER_STYLES.entries()) {
      const account = await this.#account(FIRST_LEADER_USER + index, style);
      const known = await this.#parts.store.find(account);
      if (known === undefined) {
        // Started while contracts wait for their history, leaders would have none to trade, in their past and ever
        // after.
        if (!isOpen) return undefined;
        past ??= await this.#runPast(coin, listed);
        if (past === undefined) return undefined;
        await this.#begin(style, account, coin, listed);
        await this.#writePast(account, past, index);
      }
      this.#accounts.add(account);
      const balances = await records.balances(account);
      const cash = balances.find(({ asset }) => asset === coin.asset);
      const held = await this.#readHeld(style, account, listed);
      books.push({
        account,
        style,
        cashUnits: exact((cash?.available_units ?? 0n) + (cash?.frozen_units ?? 0n)),
        held,
      });
    }
    const of = (kind: string): LeaderMarket[] => listed.filter((one) => one.kind === kind);
    await this.#comment(books.map(({ account }) => account));
    context.log.info("copy.leaders", { leaders: books.length });
    return new SimulatedLeaders(config.marketSeed, books, { futures: of("futures"), spot: of("spot") });
  }

  /** Comments of simulated traders on each leader: written once, over any number of starts. */
  async #comment(leaders: readonly number[]): Promise<void> {
    const { clock, database } = this.#parts.context;
    const store = commentStore(database.kysely);
    for (const [index, leader] of leaders.entries())
      for (const row of commentsOn(leader, index, clock.now())) await store.addWithin(row, async () => true);
  }

  /** Trades open when the process ended continue. */
  async #readHeld(style: LeaderStyle, account: number, listed: readonly LeaderMarket[]): Promise<LedBook["held"]> {
    const held: LedBook["held"] = new Map();
    const { records } = this.#parts;
    if (style.kind === "futures") {
      for (const row of await records.openPositions(account)) {
        const factor = listed.find(({ market }) => market === row.market)?.factor ?? 1;
        const entryTicks = exact(row.cost_units) / Math.abs(exact(row.lots)) / factor;
        held.set(row.market, { lots: exact(row.lots), entryTicks, sinceSeconds: 0 });
      }
      return held;
    }
    for (const { asset, units: heldUnits } of await records.coins(account)) {
      const pair = listed.find((one) => one.asset === asset && one.stepUnits > 0);
      const lots = pair === undefined ? 0 : Math.floor(exact(heldUnits) / pair.stepUnits);
      if (pair === undefined || lots === 0) continue;
      held.set(pair.market, { lots, entryTicks: this.#priceTicks(pair.market), sinceSeconds: 0 });
    }
    return held;
  }

  /** Whether everything leaders trade has been opened: pairs are there before contracts. */
  #isMarketOpen(): boolean {
    const { pairs } = this.#parts.context.market;
    const wanted = [...pairs.listContracts("futures"), ...pairs.pairs].filter(isLed);
    return wanted.length > 0 && wanted.every(({ status }) => status === "TRADING");
  }

  #listMarkets(): (LeaderMarket & { readonly kind: "futures" | "spot"; readonly pair: MarketPair })[] {
    const { pairs } = this.#parts.context.market;
    const fits = (pair: MarketPair): boolean => isLed(pair) && pair.status === "TRADING";
    const shape = (pair: MarketPair, kind: "futures" | "spot") => ({
      kind,
      pair,
      market: pair.market,
      coin: pair.base.symbol,
      asset: kind === "spot" ? pair.base.asset : -1,
      stepUnits: pair.stepUnits,
      factor: pair.factor,
      minLots: pair.minLots,
      minUnits: pair.minNotionalUnits,
      maxLots: pair.maxMarketLots,
    });
    return [
      ...pairs
        .listContracts("futures")
        .filter(fits)
        .map((pair) => shape(pair, "futures")),
      ...pairs.pairs.filter(fits).map((pair) => shape(pair, "spot")),
    ];
  }

  async #account(user: number, { kind }: LeaderStyle): Promise<number> {
    const { engine } = this.#parts.context;
    const ack = await engine.submit({ kind: "createAccount", user, book: kind === "spot" ? "spot" : "copyFLead" });
    for (const event of ack.events) if (event.kind === "accountCreated") return event.account;
    throw new Error(`no book for simulated leader ${user}`);
  }

  /** Money comes once: its reference is the leader's own. */
  async #begin(
    style: LeaderStyle,
    account: number,
    coin: { readonly asset: number; readonly scale: number },
    listed: readonly { readonly market: number; readonly kind: "futures" | "spot" }[],
  ): Promise<void> {
    const { engine, clock, ledger } = this.#parts.context;
    const fundUnits = style.funds * 10 ** coin.scale;
    const level = levelOf(BigInt(fundUnits), coin.scale);
    const funding = { ...give(account, coin.asset, fundUnits, 0), reference: `lead:${account}` };
    for (const command of [funding, ...setUpLeader(style, account, coin.asset, listed)]) {
      const ack = await engine.submit(
        command.kind === "setLeader" ? { ...command, followersMax: level.followers } : command,
      );
      if (!ack.done)
        throw new Error(`simulated leader ${style.nickname}: ${command.kind} was refused with ${ack.code}`);
      await ledger.settled(ack.sequence);
    }
    const nowMs = clock.now();
    await this.#parts.store.apply(
      {
        account,
        user_id: FIRST_LEADER_USER + LEADER_STYLES.indexOf(style),
        kind: style.kind,
        nickname: style.nickname,
        bio: style.bio,
        state: "ACTIVE",
        level: level.level,
        share_rate: Math.min(style.shareRate, level.shareRate),
        is_simulated: true,
        reason: "",
        applied_ms: nowMs,
        decided_ms: nowMs,
        rest_until_ms: 0,
      },
      [],
    );
  }

  /** Along the public candles: hours up to the start of this day. */
  async #runPast(
    coin: { readonly asset: number; readonly scale: number },
    listed: readonly (LeaderMarket & { readonly kind: "futures" | "spot"; readonly pair: MarketPair })[],
  ): Promise<Prehistory | undefined> {
    const { clock, config, log, market } = this.#parts.context;
    const endMs = clock.now() - (clock.now() % DAY_MS);
    const startMs = endMs - PAST_DAYS * DAY_MS;
    const markets: PastMarket[] = [];
    for (const { pair, ...one } of listed) {
      const source = market.pairs.findPair(`${one.coin}_${COIN}`);
      if (source === undefined) return undefined;
      const prices = await this.#readHours(source.market, startMs, endMs);
      if (prices === undefined) return undefined;
      const scale = tickSize(source) / tickSize(pair);
      const ticks = (price: number): number => Math.max(1, Math.round(price * scale));
      const hours = prices.map(([open, close]): HourPrices => [ticks(open), ticks(close)]);
      markets.push({ ...one, hours });
    }
    const made = await runPrehistory({ folder: config.folder, seed: config.marketSeed, startMs, coin, markets });
    log.info("copy.prehistory", { days: PAST_DAYS, hash: made.hash });
    return made;
  }

  /** First and last price of every hour; an hour with only minutes is made of them, one without any keeps the price. */
  async #readHours(market: number, startMs: number, endMs: number): Promise<HourPrices[] | undefined> {
    const series = new SeriesService(this.#parts.context.market.data.store).of(market, "last");
    const found = new Map<number, HourPrices>();
    for (const { timeMs, open, close } of await series.read(HOUR_MS, startMs, endMs - 1))
      found.set(timeMs, [open, close]);
    for (const { timeMs, open, close } of await series.read(MINUTE_MS, startMs, endMs - 1)) {
      const hour = timeMs - (timeMs % HOUR_MS);
      const first = found.get(hour)?.[0] ?? open;
      found.set(hour, [first, close]);
    }
    const hours: HourPrices[] = [];
    for (let at = startMs; at < endMs; at += HOUR_MS) {
      const last = hours.at(-1)?.[1];
      const known = found.get(at) ?? (last === undefined ? undefined : ([last, last] as const));
      if (known !== undefined) hours.push(known);
    }
    return hours.length < (endMs - startMs) / HOUR_MS / 2 ? undefined : hours;
  }

  async #writePast(account: number, past: Prehistory, index: number): Promise<void> {
    const own = past.accounts[index] as number;
    const steps = new Map(this.#listMarkets().map(({ market, stepUnits }) => [market, BigInt(stepUnits)]));
    const { days, trades } = pastRows(past, own, steps);
    await this.#parts.store.writePast(
      account,
      days.map((row): PastDayRow => ({ ...row, leader: account })),
      trades.map((row): PastTradeRow => ({ ...row, leader: account })),
    );
  }
}

const LED_COINS = new Set(LEADER_STYLES.flatMap((style) => style.coins));
const isLed = ({ base, settle }: MarketPair): boolean => LED_COINS.has(base.symbol) && settle.symbol === COIN;

/** Shorts are held below zero, which the core counts by side. */
const exact = (value: bigint): number => (value < 0n ? -toCoreUnits(units(-value)) : toCoreUnits(units(value)));
const tickSize = ({ priceMantissa, priceDecimals }: MarketPair): number => priceMantissa / 10 ** priceDecimals;

/** A leader's days and closed trades of the pre-history, as rows of the copy slice. */
export function pastRows(
  { tables }: Pick<Prehistory, "tables">,
  account: number,
  /** Base units in a lot, by market; without them sales on spot have no quantity. */
  steps: ReadonlyMap<number, bigint> = new Map(),
): { readonly days: readonly Omit<PastDayRow, "leader">[]; readonly trades: readonly Omit<PastTradeRow, "leader">[] } {
  const days = tables
    .of<LeadDayRow>(LEAD_DAYS)
    .filter((row) => row.account === account)
    .map(({ day_ms, nav, equity_units, pnl_units }) => ({ day_ms, nav, equity_units, pnl_units }));
  const closed = new Map<number, PositionRow>();
  for (const row of tables.of<PositionRow>(LEAD_POSITIONS)) {
    if (row.account === account && row.closed_sequence !== null) closed.set(row.position_id, row);
  }
  const positions = [...closed.values()].map((row) => ({
    market: row.market,
    side: row.side as string,
    lots: row.closed_lots,
    entry_units: row.entered_units,
    exit_units: row.closed_units,
    pnl_units: row.realized_units + row.fee_units + row.funding_units,
    leverage: row.leverage,
    opened_ms: row.opened_ms,
    closed_ms: row.updated_ms,
  }));
  const sales = tables.of<LeadSaleRow>(LEAD_SALES).filter((row) => row.account === account);
  const sold = sales.map((row) => ({
    market: row.market,
    side: "long",
    lots: row.units / (steps.get(row.market) ?? row.units + 1n),
    entry_units: row.cost_units,
    exit_units: row.proceeds_units,
    pnl_units: row.proceeds_units - row.cost_units,
    leverage: 1,
    opened_ms: row.opened_ms,
    closed_ms: row.time_ms,
  }));
  const trades = [...positions, ...sold]
    .sort((left, right) => left.closed_ms - right.closed_ms)
    .map((row, number) => ({ ...row, number }));
  return { days, trades };
}
