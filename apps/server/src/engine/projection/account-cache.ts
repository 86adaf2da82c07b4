// Owns the rows in memory of accounts in use, never behind an answer: the engine updates the cache before it resolves a
// command's promise. Each registered view reads an account's rows from the tables once and follows the events from
// there on. Must never answer from rows older than what the caller has received, nor keep more accounts than its bound.

import { readEvent } from "@clockwork/core/protocol/codec";
import { EVENT_BYTES, EVENT_HEADER, EVENTS, type EventOf } from "@clockwork/core/protocol/event";
import { isSimulatedUser } from "@clockwork/core/protocol/names";
import type { AccountCache, AccountChange, CachedAccount, EventBatch } from "@clockwork/host/engine";
import type { LedgerFacts, LiveChange, LiveRun, LiveView, OpenFacts, ProjectorSet } from "@clockwork/host/projector";
import type { AccountOwner } from "@clockwork/kit/books";
import { KindTable } from "./dispatch.ts";
import type { Projection } from "./projection.ts";

export interface AccountCacheOptions {
  readonly projection: Pick<Projection, "sequence" | "readSettled">;
  readonly projectors: Pick<ProjectorSet, "views" | "others" | "facts">;
  readonly facts: OpenFacts;
  readonly accountsMax?: number;
  readonly idleMs?: number;
}

const ACCOUNTS_MAX = 20_000;
const IDLE_MS = 600_000;
/** Rows that may change between two readers before following them is waste. */
const CHANGES_MAX = 500;
const HELD_MS = 5_000;
const KINDS = 256;

const CLOCK = EVENTS.clock.kind;
const OPENED = EVENTS.accountCreated.kind;
const { time: clockTime } = EVENTS.clock.layout;
const { account: accountField, sequence: sequenceField } = EVENT_HEADER;

/** The exchange's own accounts belong to no user. */
const NOBODY: AccountOwner = { userId: 0, book: "house", sub: 0 };

type Views = readonly LiveView<unknown>[];

/** An event in place. */
interface EventPlace {
  readonly kind: number;
  readonly view: DataView;
  readonly at: number;
  readonly timeMs: number;
}

class Entry implements CachedAccount {
  readonly account: number;
  readonly #views: Views;
  owner: AccountOwner;
  /** By view. */
  states: unknown[];
  changedSequence = 0;
  usedMs: number;
  /** Rows that changed since the last request. */
  changes = 0;
  /** Events that came while the rows are being read; undefined once they are there. */
  waiting: EventPlace[] | undefined = [];
  ready: Promise<CachedAccount>;

  constructor(account: number, owner: AccountOwner, views: Views, nowMs: number) {
    this.account = account;
    this.owner = owner;
    this.#views = views;
    this.states = [];
    this.usedMs = nowMs;
    this.ready = Promise.resolve(this);
  }

  of<State>(view: LiveView<State>): State {
    return this.states[this.#views.indexOf(view as LiveView<unknown>)] as State;
  }
}

export function createAccountCache(options: AccountCacheOptions): AccountCache {
  return new MemoryAccountCache(options);
}

class MemoryAccountCache implements AccountCache {
  readonly #options: AccountCacheOptions;
  readonly #views: Views;
  readonly #table: KindTable;
  readonly #factKinds = new Uint8Array(KINDS);
  readonly #entries = new Map<number, Entry>();
  readonly #loading = new Set<Entry>();
  readonly #busy = new Set<Entry>();
  readonly #listeners = new Set<(changes: readonly AccountChange[]) => void>();
  readonly #openedListeners = new Set<(account: number, owner: AccountOwner) => void>();
  sequence: number;

  constructor(options: AccountCacheOptions) {
    this.#options = options;
    this.#views = options.projectors.views;
    this.#table = new KindTable(this.#views.map(({ kinds }) => kinds));
    for (const kind of options.projectors.facts.kinds) this.#factKinds[kind] = 1;
    this.sequence = options.projection.sequence;
  }

  get facts(): LedgerFacts {
    return this.#options.facts.facts;
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
    // A replay for a slower consumer starts before what the tables hold.
    this.sequence = Math.max(this.sequence, batch.lastSequence);
    if (events.length === 0) return;
    for (const { account, waiting } of this.#loading)
      for (const event of events) if (this.#concerns(event, account)) waiting?.push(event);
    this.#apply(events, (account) => this.#readyEntry(account));
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
    const entry = new Entry(account, NOBODY, this.#views, nowMs);
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
      this.#evict(entry);
      surplus -= 1;
    }
  }

  shed(nowMs: number, isWatched: (owner: AccountOwner) => boolean): void {
    for (const entry of this.#busy) {
      // A recent reader may still hold its rows and rely on their following a command.
      if (entry.changes <= CHANGES_MAX || isWatched(entry.owner)) this.#busy.delete(entry);
      else if (nowMs - entry.usedMs >= HELD_MS) this.#evict(entry);
    }
  }

  #evict(entry: Entry): void {
    this.#busy.delete(entry);
    if (this.#entries.get(entry.account) === entry) this.#entries.delete(entry.account);
  }

  #readyEntry(account: number): Entry | undefined {
    const entry = this.#entries.get(account);
    return entry?.waiting === undefined ? entry : undefined;
  }

  /** Events of accounts in the cache that a view takes; the rest is not even decoded. */
  #select({ bytes, timeBeforeMs }: EventBatch): EventPlace[] {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const events: EventPlace[] = [];
    const entries = this.#entries;
    const { others } = this.#options.projectors;
    let timeMs = timeBeforeMs;
    for (let at = 0; at < bytes.length; at += EVENT_BYTES) {
      const kind = bytes[at] as number;
      if (kind === CLOCK) {
        timeMs = clockTime.read(view, at);
        continue;
      }
      if (kind === OPENED) this.#noteOpened(readEvent(view, at, timeMs) as EventOf<"accountCreated">);
      if (this.#factKinds[kind] === 1) this.#options.facts.note(kind, view, at);
      if (this.#table.takers(kind) === undefined) continue;
      let isOurs = entries.has(accountField.read(view, at));
      if (!isOurs) {
        const other = others.get(kind);
        isOurs = other !== undefined && entries.has(other.read(view, at));
      }
      if (isOurs) events.push({ kind, view, at, timeMs });
    }
    return events;
  }

  /**
   * A newly opened account has no rows: it is followed from here on without reading the tables, so that its first
   * change is published together with the others of its command.
   */
  #noteOpened({ account, user, book, sub, time }: EventOf<"accountCreated">): void {
    if (isSimulatedUser(user)) return;
    const owner = { userId: user, book, sub };
    if (account > this.facts.lastAccount && !this.#entries.has(account)) {
      const entry = new Entry(account, owner, this.#views, time);
      entry.states = this.#views.map((view) => view.empty());
      entry.waiting = undefined;
      this.#entries.set(account, entry);
    }
    for (const listener of this.#openedListeners) listener(account, owner);
  }

  async #load(entry: Entry): Promise<CachedAccount> {
    const { account } = entry;
    const { projection, projectors } = this.#options;
    const { sequence, value } = await projection.readSettled(this.sequence, async (read) => ({
      owner: await projectors.facts.readOwner(read, account),
      states: await Promise.all(this.#views.map((view) => view.load(read, account))),
    }));
    entry.owner = value.owner ?? NOBODY;
    entry.states = value.states;
    const later = (entry.waiting ?? []).filter(({ view, at }) => sequenceField.read(view, at) > sequence);
    entry.waiting = undefined;
    this.#loading.delete(entry);
    this.#apply(later, (one) => (one === account ? entry : undefined));
    return entry;
  }

  #apply(events: readonly EventPlace[], entryOf: (account: number) => Entry | undefined): void {
    const first = events[0];
    if (first === undefined) return;
    const firstSequence = sequenceField.read(first.view, first.at);
    const runs: (LiveRun<LiveChange> | undefined)[] = this.#views.map(() => undefined);
    for (const { kind, view, at, timeMs } of events) {
      for (const taker of this.#table.takers(kind) ?? []) {
        runs[taker] ??= this.#views[taker]?.begin(
          this.facts,
          (account) => entryOf(account)?.states[taker],
          firstSequence,
        );
        runs[taker]?.add(kind, view, at, timeMs);
      }
    }
    const found = new Map<Entry, (LiveChange | undefined)[]>();
    for (const [taker, run] of runs.entries()) {
      for (const [account, change] of run?.end() ?? []) {
        const entry = entryOf(account);
        if (entry === undefined) continue;
        const changes = found.get(entry) ?? this.#views.map(() => undefined);
        changes[taker] = change;
        found.set(entry, changes);
      }
    }
    this.#publish(found);
  }

  #publish(found: ReadonlyMap<Entry, readonly (LiveChange | undefined)[]>): void {
    if (found.size === 0) return;
    const { sequence } = this;
    const answer: AccountChange[] = [];
    for (const [entry, changes] of found) {
      entry.changedSequence = sequence;
      for (const change of changes) entry.changes += change?.count ?? 0;
      if (entry.changes > CHANGES_MAX) this.#busy.add(entry);
      const of = <Change extends LiveChange>(view: LiveView<unknown, Change>): Change | undefined =>
        changes[this.#views.indexOf(view)] as Change | undefined;
      answer.push({ account: entry.account, owner: entry.owner, sequence, of });
    }
    for (const listener of this.#listeners) listener(answer);
  }

  #concerns({ kind, view, at }: EventPlace, account: number): boolean {
    if (accountField.read(view, at) === account) return true;
    return this.#options.projectors.others.get(kind)?.read(view, at) === account;
  }
}
