// Owns the machine's whole state as one object that every command function receives, and the writing of events.
// Never decides what a command means.

import { present } from "@clockwork/kit/assert";
import { Books } from "../book/book.ts";
import { RE_DEADLINE } from "../bot/state/rebalancers.ts";
import { BO_DEADLINE, Bots } from "../bot/state/records.ts";
import { Copies } from "../copy/state/records.ts";
import { Debts } from "../ledger/debts.ts";
import { H_PLACE, Holds } from "../ledger/holds.ts";
import { A_FLAGS, A_GROUP, A_MARKETS, A_OWNER, A_RATES, Ledger, U_RATES } from "../ledger/ledger.ts";
import { R_PLACE, Restrictions } from "../ledger/restrictions.ts";
import {
  AccountMarkets,
  AM_BASE_CELL,
  AM_FLAGS,
  AM_GROUP,
  AM_MAKER_RATE,
  AM_NEXT,
  AM_QUOTE_CELL,
  AM_SYMBOL_MARGIN,
  AM_TAKER_RATE,
} from "../market/account-markets.ts";
import { M_BASE, M_FEE_GROUP, M_QUOTE, M_SETTLE, Markets } from "../market/markets.ts";
import type { Byte, Double, Id, Word } from "../memory/record.ts";
import { Table } from "../memory/table.ts";
import { TextIndex } from "../memory/text-index.ts";
import { Perps } from "../perp/state/records.ts";
import { openSymbolMargin } from "../perp/state/symbol-margins.ts";
import type { MachineOptions } from "../protocol/contract.ts";
import { COMMAND_NAMES, eventPlaces } from "../protocol/event.ts";
import { EventBuffer } from "../protocol/event-log.ts";
import { ORDER_SLOT_COUNT } from "../protocol/layout.ts";
import { RULES, type Rules } from "../protocol/rules.ts";
import { Deadlines } from "../trigger/deadlines.ts";
import { FollowUps } from "../trigger/follow-ups.ts";
import { Timers } from "../trigger/timers.ts";
import { Triggers } from "../trigger/triggers.ts";
import { Values } from "../value/state/records.ts";
import type { Paths } from "./paths.ts";
import { RULES_STRIDE } from "./rules.ts";
import { SEED_STRIDE } from "./seed.ts";
import { STEP_RECORDS_MAX, takeViews, type Views, writeDepth, writeOrder, writePosting } from "./views.ts";

const REJECTED = eventPlaces("rejected");
const FROZEN = eventPlaces("frozen");

/** Doubles of `placed`. */
export const PLACED_ID: Double<"placed"> = 0;
export const PLACED_FILLED: Double<"placed"> = 1;
/** Doubles of the one globals record. */
export const G_SEQUENCE = 0;
export const G_NOW = 1;
/** Kinds of deadlines. */
export const DEADLINE_HOLD = 0;
export const DEADLINE_RESTRICTION = 1;
export const DEADLINE_BOT = 2;
export const DEADLINE_REBALANCER = 3;
/** Words of a fee group: maker and taker rate in 1e-8. */
export const FEE_GROUPS = 16;

/**
 * Each binding costs what the compiler has learnt of the last ones, so not while tables still grow.
 */
const FAST_PATHS_AFTER_DEFAULT = 4_096;

export class Core {
  readonly books: Books;
  readonly ledger: Ledger;
  readonly markets = new Markets();
  readonly accountMarkets: AccountMarkets;
  readonly timers: Timers;
  readonly triggers: Triggers;
  readonly perps = new Perps();
  readonly events: EventBuffer;
  readonly clientIds: TextIndex;
  readonly references: TextIndex;
  readonly holds: Holds;
  readonly restrictions: Restrictions;
  readonly debts: Debts;
  readonly deadlines: Deadlines;
  readonly followUps = new FollowUps();
  readonly copies = new Copies();
  readonly bots = new Bots();
  readonly values = new Values();
  readonly globals = new Table("globals", 4, 2);
  /** One record: see seed.ts. */
  readonly seed = new Table("seed", SEED_STRIDE, 2);
  readonly feeGroups = new Table("fee-groups", 2, FEE_GROUPS);
  /** What is known, and which of it is in force; see rules.ts. */
  readonly knownRules: readonly Rules[];
  rules: Rules;
  readonly rulesTable = new Table("rules", RULES_STRIDE, 2);
  readonly fastPathsAfter: number;
  /** Where the current command's members are read from: word and double views and the word it starts at. */
  inputWords: Int32Array = new Int32Array(64);
  inputDoubles: Float64Array = new Float64Array(this.inputWords.buffer);
  inputAt = 0;
  /**
   * Sequence of the current command and its time. In a buffer of its own, which unlike one inside the heap never moves.
   */
  readonly clock = new Float64Array(new ArrayBuffer(16));
  /** Position inside a batch, and the kind the host sent, for refusals. */
  item = 0;
  commandKind = 0;
  /** Slot of the order the last accepted placement made, 0 when it is already gone; its id and filled lots. */
  placedSlot = 0;
  readonly placed = new Float64Array(2);
  /** The bound a refused check names, set only with its code. */
  readonly checkLimit = new Float64Array(1);
  /** Lists whose legs were filled, to be worked off at the end of the command, as triggers.due is. */
  readonly touchedLists: number[] = [];

  /** The hot functions bound to the views, while no table they are of has grown. */
  bound: Paths | undefined;
  /** Commands since a table that views are taken of last grew. */
  commandsSinceGrowth = 0;
  /** How often one has grown. */
  growths = 0;
  /** Views that are always the current ones. */
  readonly views: Views & { readonly isCurrent: true };

  constructor(options: MachineOptions) {
    const orders = options.orderCapacity ?? 1024;
    const accounts = options.accountCapacity ?? 256;
    this.books = new Books(orders, Math.max(8, orders >> 7));
    this.ledger = new Ledger(accounts);
    this.accountMarkets = new AccountMarkets(accounts, orders);
    this.timers = new Timers(this.books.orders);
    this.triggers = new Triggers(this.books.orders);
    this.events = new EventBuffer(options.eventCapacity ?? 1024, options.eventBuffer);
    this.clientIds = new TextIndex("client-ids", 64);
    this.references = new TextIndex("references", 64);
    this.holds = new Holds(this.ledger);
    this.restrictions = new Restrictions(this.ledger);
    this.debts = new Debts(this.ledger);
    this.deadlines = new Deadlines((kind, owner, place) => {
      if (kind === DEADLINE_HOLD) this.holds.setWord(owner, H_PLACE, place);
      else if (kind === DEADLINE_BOT) this.bots.bots.setWord(owner, BO_DEADLINE, place);
      else if (kind === DEADLINE_REBALANCER) this.bots.rebalancers.setWord(owner, RE_DEADLINE, place);
      else this.restrictions.setWord(owner, R_PLACE, place);
    });
    this.knownRules = options.rules ?? RULES;
    this.rules = present(this.knownRules[0], "RULES-1", "no rules are known");
    this.fastPathsAfter = options.fastPathsAfter ?? FAST_PATHS_AFTER_DEFAULT;
    // Made otherwise than those that are bound, so that the compiler need not see those change.
    const makeRoom = (): void => this.events.reserve(1);
    this.views = { isCurrent: true, ...takeViews(this), makeRoom };
    this.events.onMove = () => this.#refreshViews();
    this.#watchGrowth();
    this.seed.take();
    this.feeGroups.count = FEE_GROUPS;
    for (let group = 0; group < FEE_GROUPS; group++) {
      this.feeGroups.i32[group * 2] = 100_000;
      this.feeGroups.i32[group * 2 + 1] = 100_000;
    }
  }

  /** What paths are bound to: when it is replaced, they are dropped. */
  #watchGrowth(): void {
    const drop = (): void => {
      this.bound = undefined;
      this.commandsSinceGrowth = 0;
      this.growths++;
      this.#refreshViews();
    };
    const { books, ledger, markets, accountMarkets, perps } = this;
    const held = [perps.contracts, perps.marginAccounts, perps.symbolMargins, perps.positions];
    const bound = [
      ...held,
      books.orders.table,
      books.pool.levels,
      books.pool.bits,
      books.tops,
      ledger.cells,
      markets.table,
    ];
    for (const table of [
      ...bound,
      markets.buckets,
      accountMarkets.table,
      accountMarkets.index.table,
      accountMarkets.openOrders,
    ]) {
      const own = table.onGrow;
      let seen = table.i32;
      table.onGrow = () => {
        own();
        if (table.i32 !== seen) drop();
        seen = table.i32;
      };
    }
  }

  #refreshViews(): void {
    const { makeRoom } = this.views;
    Object.assign(this.views, takeViews(this), { makeRoom });
  }

  /** The bound functions where they may be called now: they write at home, so they need room for a step there. */
  get paths(): Paths | undefined {
    return this.events.count + STEP_RECORDS_MAX <= this.events.capacity ? this.bound : undefined;
  }

  get sequence(): number {
    return this.clock[G_SEQUENCE] as number;
  }

  get now(): number {
    return this.clock[G_NOW] as number;
  }

  /** The number a command has set last, 0 before the first. */
  get rulesSet(): number {
    return this.rulesTable.count === 1 ? 0 : (this.rulesTable.i32[RULES_STRIDE] as number);
  }

  /** Every table of the state, in the fixed order of snapshots and hashes. Ladders come after, per market. */
  tables(): Table[] {
    const tables = [
      this.globals,
      this.feeGroups,
      this.seed,
      this.rulesTable,
      ...this.ledger.tables(),
      ...this.markets.tables(),
      ...this.accountMarkets.tables(),
      this.books.orders.table,
      this.books.orders.extras,
      this.books.orders.rounds,
      this.books.pool.levels,
      this.books.pool.bits,
      this.books.tops,
      this.timers.heap,
      this.deadlines.heap,
      this.followUps.queue,
      ...this.copies.tables(),
      ...this.bots.tables(),
      this.holds.table,
      this.restrictions.table,
      this.debts.table,
      this.clientIds.entries,
      this.clientIds.buckets,
      this.references.entries,
      this.references.buckets,
      ...this.triggers.tables(),
      ...this.perps.tables(),
      ...this.values.tables(),
    ];
    for (let market = 1; market < this.markets.table.count; market++) {
      tables.push(...this.books.ladder(market).tables(), ...this.triggers.marketTables(market));
      tables.push(...this.perps.marketTables(market), ...this.bots.marketTables(market));
    }
    return tables;
  }

  /** Members of the current command, by their places. */
  readWord<R>(member: Word<R>): number {
    return this.inputWords[this.inputAt + member] as number;
  }

  readDouble<R>(member: Double<R>): number {
    return this.inputDoubles[(this.inputAt >> 1) + member] as number;
  }

  readByte<R>(member: Byte<R>): number {
    return ((this.inputWords[this.inputAt + (member >> 2)] as number) >>> ((member & 3) * 8)) & 0xff;
  }

  /** The upper or lower half of a word. */
  readHalf<R>(member: Byte<R>): number {
    return ((this.inputWords[this.inputAt + (member >> 2)] as number) >>> ((member & 2) * 8)) & 0xffff;
  }

  readId<R>(member: Id<R>): number {
    const at: number = member;
    return this.readWord(at) + this.readWord(at + 1) * ORDER_SLOT_COUNT;
  }

  readSlot<R>(member: Id<R>): number {
    return this.inputWords[this.inputAt + member] as number;
  }

  /** The word a text begins at. */
  textAt<R>(member: Byte<R>): number {
    return this.inputAt + (member >> 2);
  }

  inputWord(byte: number): number {
    return this.inputWords[this.inputAt + (byte >> 2)] as number;
  }

  inputByte(byte: number): number {
    return ((this.inputWords[this.inputAt + (byte >> 2)] as number) >>> ((byte & 3) * 8)) & 255;
  }

  inputDouble(byte: number): number {
    return this.inputDoubles[(this.inputAt >> 1) + (byte >> 3)] as number;
  }

  /** The account's account market in a market, made when it is its first order there. */
  accountMarketOf(account: number, market: number): number {
    const found = this.accountMarkets.find(account, market);
    return found !== 0 ? found : this.#addAccountMarket(account, market);
  }

  #addAccountMarket(account: number, market: number): number {
    const perp = this.perps.isPerp(market);
    const settle = this.markets.word(market, M_SETTLE);
    const base = this.ledger.cellOf(account, perp ? settle : this.markets.word(market, M_BASE));
    const quote = this.ledger.cellOf(account, perp ? settle : this.markets.word(market, M_QUOTE));
    const accountMarket = this.accountMarkets.add(account, market);
    if (perp)
      this.accountMarkets.setWord(
        accountMarket,
        AM_SYMBOL_MARGIN,
        openSymbolMargin(this.perps, this.ledger, account, market, settle, accountMarket),
      );
    this.accountMarkets.setWord(accountMarket, AM_BASE_CELL, base);
    this.accountMarkets.setWord(accountMarket, AM_QUOTE_CELL, quote);
    this.accountMarkets.setWord(accountMarket, AM_FLAGS, this.ledger.accountWord(account, A_FLAGS));
    this.accountMarkets.setWord(accountMarket, AM_GROUP, this.ledger.accountWord(account, A_GROUP));
    this.accountMarkets.setWord(accountMarket, AM_NEXT, this.ledger.accountWord(account, A_MARKETS));
    this.ledger.setAccountWord(account, A_MARKETS, accountMarket);
    this.setAccountMarketRates(account, accountMarket, market);
    return accountMarket;
  }

  /** The account's own rates where it has them, then its user's, else the fee group's. */
  setAccountMarketRates(account: number, accountMarket: number, market: number): void {
    const group = this.markets.word(market, M_FEE_GROUP);
    const inherited = U_RATES + (this.perps.isPerp(market) ? 2 : 0);
    const owner = this.ledger.accountWord(account, A_OWNER);
    const maker = this.ledger.accountWord(account, A_RATES + group * 2) || this.ledger.ownerWord(owner, inherited);
    const taker =
      this.ledger.accountWord(account, A_RATES + group * 2 + 1) || this.ledger.ownerWord(owner, inherited + 1);
    this.accountMarkets.setWord(
      accountMarket,
      AM_MAKER_RATE,
      maker !== 0 ? maker - 1 : (this.feeGroups.i32[group * 2] as number),
    );
    this.accountMarkets.setWord(
      accountMarket,
      AM_TAKER_RATE,
      taker !== 0 ? taker - 1 : (this.feeGroups.i32[group * 2 + 1] as number),
    );
  }

  /** Notes the bound a refusal names and returns its code. */
  refuse(code: number, limit: number): number {
    this.checkLimit[0] = limit;
    return code;
  }

  emitRejected(code: number, account: number, market: number, asset: number, limit: number): void {
    // A kind nobody knows has no name to be told by.
    const kind = this.commandKind < COMMAND_NAMES.length ? this.commandKind : 0;
    const record = this.events.openClean(REJECTED.kind, kind, code, account, this.sequence);
    this.events.setWord(record, REJECTED.market, market);
    this.events.setWord(record, REJECTED.asset, asset);
    this.events.setDouble(record, REJECTED.limit, limit);
    this.events.setWord(record, REJECTED.item, this.item);
  }

  /** As writeOrder, wherever there is no room yet. */
  emitOrder(kind: number, sub: number, slot: number, account: number, cell: number, lots: number, units: number): void {
    writeOrder(this.views, kind, sub, slot, account, cell, lots, units);
  }

  /** As writeDepth, wherever there is no room yet. */
  emitDepth(market: number, sell: number, price: number, lots: number): void {
    writeDepth(this.views, market, sell, price, lots);
  }

  emitPosting(
    business: number,
    cell: number,
    counterparty: number,
    delta: number,
    reference: number,
    market: number,
  ): void {
    writePosting(this.views, business, cell, counterparty, delta, reference, market);
  }

  /** Units went to frozen (positive) or came back (negative). */
  emitFrozen(business: number, cell: number, delta: number, reference: number): void {
    const account = this.ledger.cellAccount(cell);
    const record = this.events.openClean(FROZEN.kind, business, 0, account, this.sequence);
    this.events.setWord(record, FROZEN.asset, this.ledger.cellAsset(cell));
    this.events.setDouble(record, FROZEN.deltaUnits, delta);
    this.events.setDouble(record, FROZEN.reference, reference);
    this.events.setDouble(record, FROZEN.availableUnits, this.ledger.available(cell));
    this.events.setDouble(record, FROZEN.frozenUnits, this.ledger.frozen(cell));
  }
}
