// Owns the rows of accounts somebody is looking at, in memory and never behind an answer: the engine tells the cache
// before it resolves a command's promise. Rows come from the tables once and follow the events from there on.
// Must never answer from rows older than what the caller was told, nor keep more accounts than its bound.
import { readEvent } from "@clockwork/core/protocol/codec";
import { EVENT_BYTES, EVENTS, type EventOf, type MachineEvent } from "@clockwork/core/protocol/event";
import { isSimulatedUser } from "@clockwork/core/protocol/names";
import type { AccountOwner } from "@clockwork/kit/books";
import type { EventBatch } from "../threads/event-pump.ts";
import { foldEvents, type ProjectionMemory } from "./fold.ts";
import type { Projection } from "./projection.ts";
import type { BalanceRow, FeeRow, FillRow, OrderRow } from "./rows.ts";
import { FILLS_SHOWN, OPEN_STATES } from "./store.ts";

/** What an account has now: open orders and plans, balances, its own rates, its newest fills (oldest first). */
export interface CachedAccount {
  readonly account: number;
  readonly owner: AccountOwner;
  readonly orders: ReadonlyMap<number, OrderRow>;
  readonly balances: ReadonlyMap<number, BalanceRow>;
  readonly fees: ReadonlyMap<number, FeeRow>;
  readonly fills: readonly FillRow[];
  /** The last command that changed anything here. */
  readonly changedSequence: number;
}

/** What one run of events changed for an account. Rows go on changing: read them before returning. */
export interface AccountChange {
  readonly account: number;
  readonly owner: AccountOwner;
  readonly sequence: number;
  readonly orders: readonly OrderRow[];
  readonly fills: readonly FillRow[];
  readonly balances: readonly BalanceRow[];
}

export interface AccountCacheOptions {
  readonly projection: Pick<Projection, "sequence" | "readSettled">;
  readonly memory: ProjectionMemory;
  readonly groupFees: readonly FeeRow[];
  /** The last account the tables know; any later one begins empty. */
  readonly lastAccount: number;
  readonly accountsMax?: number;
  readonly idleMs?: number;
}

export interface AccountCache {
  /** The engine's listener; comes before every other, so that no answer overtakes it. */
  readonly listen: (batch: EventBatch) => void;
  /** Everything up to here is in the cache. */
  readonly sequence: number;
  /** The account's rows, read once and followed from then on. */
  open(account: number, nowMs: number): Promise<CachedAccount>;
  /** The account when it is in the cache already. */
  find(account: number): CachedAccount | undefined;
  /** The rates of a fee group, in 1e-8. */
  groupFee(feeGroup: number): FeeRow | undefined;
  /** Told of every change of accounts in the cache, in order; what one run of events changed comes together. */
  subscribe(listener: (changes: readonly AccountChange[]) => void): () => void;
  /** Told of every account that is opened, before whoever opened it. Simulated traders' are left out. */
  subscribeOpened(listener: (account: number, owner: AccountOwner) => void): () => void;
  /** Puts away what nobody asked for lately, but for what is watched. */
  sweep(nowMs: number, isWatched: (owner: AccountOwner) => boolean): void;
  /** Puts away what changes much while nobody asks for it or watches: reading it again costs less than following it. */
  shed(nowMs: number, isWatched: (owner: AccountOwner) => boolean): void;
}

const ACCOUNTS_MAX = 20_000;
const IDLE_MS = 600_000;
/** Rows that may change between two readers before following them is waste. */
const CHANGES_MAX = 500;
const HELD_MS = 5_000;
const OPEN: ReadonlySet<string> = new Set(OPEN_STATES);

const KIND_CLOCK = EVENTS.clock.kind;
const KIND_TRADE = EVENTS.trade.kind;
const KIND_PREVENTED = EVENTS.selfTradePrevented.kind;
const KIND_DEPTH = EVENTS.depth.kind;
const KIND_LISTED = EVENTS.marketListed.kind;
const KIND_FEES = EVENTS.feesChanged.kind;
const KIND_OPENED = EVENTS.accountCreated.kind;

export function createAccountCache(options: AccountCacheOptions): AccountCache {
  return new MemoryAccountCache(options);
}

interface Entry extends CachedAccount {
  owner: AccountOwner;
  readonly orders: Map<number, OrderRow>;
  readonly balances: Map<number, BalanceRow>;
  readonly fees: Map<number, FeeRow>;
  fills: FillRow[];
  changedSequence: number;
  usedMs: number;
  /** Rows that changed since somebody asked. */
  changes: number;
  /** Events that came while the rows are being read; undefined once they are there. */
  waiting: MachineEvent[] | undefined;
  ready: Promise<CachedAccount>;
}

class MemoryAccountCache implements AccountCache {
  readonly #options: AccountCacheOptions;
  readonly #memory: ProjectionMemory;
  readonly #entries = new Map<number, Entry>();
  readonly #loading = new Set<Entry>();
  readonly #busy = new Set<Entry>();
  /** What everybody pays who has no rate of his own. */
  readonly #groupFees: Map<number, FeeRow>;
  /** Open orders of every account in the cache. */
  readonly #orders = new Map<number, OrderRow>();
  readonly #listeners = new Set<(changes: readonly AccountChange[]) => void>();
  readonly #openedListeners = new Set<(account: number, owner: AccountOwner) => void>();
  #lastAccount: number;
  sequence: number;

  constructor(options: AccountCacheOptions) {
    this.#options = options;
    this.#memory = { markets: new Map(options.memory.markets), simulated: new Set() };
    this.#groupFees = new Map(options.groupFees.map((row) => [row.fee_group, row]));
    this.#lastAccount = options.lastAccount;
    this.sequence = options.projection.sequence;
  }

  groupFee(feeGroup: number): FeeRow | undefined {
    return this.#groupFees.get(feeGroup);
  }

  subscribe(listener: (changes: readonly AccountChange[]) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  subscribeOpened(listener: (account: number, owner: AccountOwner) => void): () => void {
    this.#openedListeners.add(listener);
    return () => this.#openedListeners.delete(listener);
  }

  readonly listen = (batch: EventBatch): void => {
    const events = this.#select(batch);
    // A replay for somebody slower begins before what the tables hold.
    this.sequence = Math.max(this.sequence, batch.lastSequence);
    if (events.length === 0) return;
    if (this.#loading.size === 0) {
      this.#apply(events, this.#orders, (account) => this.#entries.get(account));
      return;
    }
    for (const { account, waiting } of this.#loading)
      waiting?.push(...events.filter((event) => concerns(event, account)));
    const ready = events.filter((event) => {
      const accounts = parties(event);
      return accounts.length === 0 || accounts.some((account) => this.#readyEntry(account) !== undefined);
    });
    this.#apply(ready, this.#orders, (account) => this.#readyEntry(account));
  };

  find(account: number): CachedAccount | undefined {
    return this.#readyEntry(account);
  }

  open(account: number, nowMs: number): Promise<CachedAccount> {
    const known = this.#entries.get(account);
    if (known !== undefined) {
      known.usedMs = nowMs;
      known.changes = 0;
      return known.ready;
    }
    const entry = emptyEntry(account, NOBODY, nowMs);
    this.#entries.set(account, entry);
    this.#loading.add(entry);
    entry.ready = this.#load(entry);
    entry.ready.catch(() => {
      this.#entries.delete(account);
      this.#loading.delete(entry);
    });
    return entry.ready;
  }

  sweep(nowMs: number, isWatched: (owner: AccountOwner) => boolean): void {
    const idleMs = this.#options.idleMs ?? IDLE_MS;
    const max = this.#options.accountsMax ?? ACCOUNTS_MAX;
    let surplus = this.#entries.size - max;
    for (const entry of [...this.#entries.values()].sort((left, right) => left.usedMs - right.usedMs)) {
      if (surplus <= 0 && nowMs - entry.usedMs < idleMs) return;
      if (entry.waiting !== undefined || isWatched(entry.owner)) continue;
      this.#putAway(entry);
      surplus -= 1;
    }
  }

  shed(nowMs: number, isWatched: (owner: AccountOwner) => boolean): void {
    for (const entry of this.#busy) {
      // Whoever asked a moment ago may still hold its rows and count on their following a command.
      if (entry.changes <= CHANGES_MAX || isWatched(entry.owner)) this.#busy.delete(entry);
      else if (nowMs - entry.usedMs >= HELD_MS) this.#putAway(entry);
    }
  }

  #putAway(entry: Entry): void {
    this.#busy.delete(entry);
    for (const orderId of entry.orders.keys()) this.#orders.delete(orderId);
    if (this.#entries.get(entry.account) === entry) this.#entries.delete(entry.account);
  }

  #readyEntry(account: number): Entry | undefined {
    const entry = this.#entries.get(account);
    return entry?.waiting === undefined ? entry : undefined;
  }

  /** Events of accounts in the cache; the rest is not even decoded. */
  #select(batch: EventBatch): MachineEvent[] {
    const { bytes } = batch;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const events: MachineEvent[] = [];
    const entries = this.#entries;
    let time = batch.timeBeforeMs;
    for (let at = 0; at < bytes.length; at += EVENT_BYTES) {
      const kind = view.getUint8(at);
      if (kind === KIND_DEPTH) continue;
      if (kind === KIND_CLOCK) {
        time = view.getFloat64(at + 16, true);
        continue;
      }
      if (kind === KIND_OPENED) this.#noteOpened(readEvent(view, at, time) as EventOf<"accountCreated">);
      let isOurs = entries.has(view.getInt32(at + 4, true)) || kind === KIND_LISTED || kind === KIND_FEES;
      if (!isOurs && (kind === KIND_TRADE || kind === KIND_PREVENTED))
        isOurs = entries.has(view.getInt32(at + 56, true));
      if (isOurs) events.push(readEvent(view, at, time));
    }
    return events;
  }

  /**
   * An account opened just now has no rows: it is followed from here on without asking the tables, so that its first
   * change is told together with the others of its command.
   */
  #noteOpened({ account, user, book, sub, time }: EventOf<"accountCreated">): void {
    if (isSimulatedUser(user)) return;
    const owner = { userId: user, book, sub };
    if (account > this.#lastAccount && !this.#entries.has(account)) {
      this.#lastAccount = account;
      const entry = emptyEntry(account, owner, time);
      entry.waiting = undefined;
      entry.ready = Promise.resolve(entry);
      this.#entries.set(account, entry);
    }
    for (const listener of this.#openedListeners) listener(account, owner);
  }

  async #load(entry: Entry): Promise<CachedAccount> {
    const { projection } = this.#options;
    const { sequence, value } = await projection.readSettled(this.sequence, (store) =>
      store.readAccount(entry.account),
    );
    entry.owner = value.owner ?? NOBODY;
    for (const row of value.orders) entry.orders.set(row.order_id, row);
    for (const row of value.balances) entry.balances.set(row.asset, row);
    for (const row of value.fees) entry.fees.set(row.fee_group, row);
    entry.fills = value.fills;
    const later = (entry.waiting ?? []).filter((event) => event.sequence > sequence);
    entry.waiting = undefined;
    this.#loading.delete(entry);
    // In a map of its own: these events have been applied to everybody else's orders already.
    this.#apply(later, new Map(entry.orders), (account) => (account === entry.account ? entry : undefined));
    for (const [orderId, row] of entry.orders) this.#orders.set(orderId, row);
    return entry;
  }

  #apply(
    events: readonly MachineEvent[],
    orders: Map<number, OrderRow>,
    entryOf: (account: number) => Entry | undefined,
  ): void {
    if (events.length === 0) return;
    const changes = foldEvents(events, this.#memory, orders);
    const found = new Map<Entry, { orders: OrderRow[]; fills: FillRow[]; balances: BalanceRow[] }>();
    const changeOf = (account: number) => {
      const entry = entryOf(account);
      if (entry === undefined) return undefined;
      let change = found.get(entry);
      if (change === undefined) {
        change = { orders: [], fills: [], balances: [] };
        found.set(entry, change);
      }
      return { entry, change };
    };
    for (const row of changes.orders) {
      const own = changeOf(row.account);
      own?.change.orders.push(row);
      if (own !== undefined && OPEN.has(row.state)) own.entry.orders.set(row.order_id, row);
      else {
        own?.entry.orders.delete(row.order_id);
        orders.delete(row.order_id);
      }
    }
    for (const row of changes.fills) changeOf(row.account)?.change.fills.push(row);
    for (const row of changes.balances) {
      const own = changeOf(row.account);
      own?.change.balances.push(row);
      own?.entry.balances.set(row.asset, row);
    }
    for (const row of changes.fees) {
      if (row.account === 0) this.#groupFees.set(row.fee_group, row);
      else entryOf(row.account)?.fees.set(row.fee_group, row);
    }
    if (found.size === 0) return;
    for (const [entry, change] of found) this.#note(entry, change);
    const { sequence } = this;
    const told = [...found].map(([{ account, owner }, change]) => ({ account, owner, sequence, ...change }));
    for (const listener of this.#listeners) listener(told);
  }

  #note(entry: Entry, change: Pick<AccountChange, "orders" | "fills" | "balances">): void {
    if (change.fills.length > 0) entry.fills = [...entry.fills, ...change.fills].slice(-FILLS_SHOWN);
    entry.changedSequence = this.sequence;
    entry.changes += change.orders.length + change.balances.length + change.fills.length;
    if (entry.changes > CHANGES_MAX) this.#busy.add(entry);
  }
}

/** The house's own accounts belong to no user. */
const NOBODY: AccountOwner = { userId: 0, book: "house", sub: 0 };

function emptyEntry(account: number, owner: AccountOwner, nowMs: number): Entry {
  const entry: Omit<Entry, "ready"> = {
    account,
    owner,
    orders: new Map(),
    balances: new Map(),
    fees: new Map(),
    fills: [],
    changedSequence: 0,
    usedMs: nowMs,
    changes: 0,
    waiting: [],
  };
  return entry as Entry;
}

/** Whose events these are: two accounts meet in a trade, a listing is everybody's. */
function parties(event: MachineEvent): readonly number[] {
  if (event.kind === "trade" || event.kind === "selfTradePrevented") return [event.account, event.makerAccount];
  return "account" in event && event.account !== 0 ? [event.account] : [];
}

function concerns(event: MachineEvent, account: number): boolean {
  return parties(event).includes(account);
}
