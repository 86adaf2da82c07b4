// How a product keeps the journal's events in tables and follows them in memory: its kinds of events, its tables, its
// fold and its live view. The journal's reader is independent of all of them. Contains no behaviour.
import type { AccountOwner } from "@clockwork/kit/books";
import type { InstrumentKind } from "@clockwork/kit/instrument";
import type { RowShape } from "./row-shape.ts";

/** Rows of a statement with parameters written as ?. */
export type ReadRows = <Row>(text: string, values?: readonly unknown[]) => Promise<Row[]>;

/** One turn to write, inside the transaction that also moves the cursor. */
export interface WriteSession {
  readonly read: ReadRows;
  /** Rows whose values are concatenated in the order of the shape's columns; each key at most once among them. */
  write(shape: RowShape, values: readonly unknown[]): Promise<void>;
  /** The same from rows by column name. */
  writeRows(shape: RowShape, rows: readonly object[]): Promise<void>;
  /** A statement without rows to return; values are written as ?. */
  run(text: string, values: readonly unknown[]): Promise<void>;
}

/** Takes events one after another, each in place in a record of 64 bytes, with the journal's time of it. */
export interface EventFold {
  add(kind: number, view: DataView, at: number, timeMs: number): void;
}

/** A member of an event, read through the event's layout. */
export interface EventField<Value> {
  read(view: DataView, at: number): Value;
}

/** One run of events on its way into the tables. */
export interface ProjectorRun extends EventFold {
  /** Must write the same rows however the events are cut into runs, as long as a command stays whole. */
  write(session: WriteSession): Promise<void>;
  /** The rows are committed; the memory for the next run may be changed now. */
  committed?(): void;
}

export interface Projector {
  readonly name: string;
  /** Written by no other projector, emptied in this order when they are rebuilt. */
  readonly tables: readonly string[];
  /** Kinds of events it processes. */
  readonly kinds: readonly number[];
  /** Created again after a failed write: nothing of that write may be kept. */
  open(facts: LedgerFacts): { begin(): ProjectorRun };
}

/** An account's current state of one product, in memory, never behind an answer. */
export interface LiveView<State, Change extends LiveChange = LiveChange> {
  readonly name: string;
  readonly kinds: readonly number[];
  /** Of an account that has just been opened. */
  empty(): State;
  load(read: ReadRows, account: number): Promise<State>;
  /** Follows a run of events; only accounts with a state are followed. */
  begin(facts: LedgerFacts, stateOf: (account: number) => State | undefined, firstSequence: number): LiveRun<Change>;
}

export interface LiveRun<Change extends LiveChange> extends EventFold {
  /** The changes, by account. */
  end(): ReadonlyMap<number, Change>;
}

export interface LiveChange {
  /** Rows that changed. */
  readonly count: number;
}

/** Everything a process keeps of its events. */
export interface ProjectorSet {
  readonly facts: FactsSource;
  /** In the order in which they write. */
  readonly projectors: readonly Projector[];
  readonly views: readonly LiveView<unknown>[];
  /** For events of two accounts: the other one. */
  readonly others: ReadonlyMap<number, EventField<number>>;
}

/** Facts shared by all projectors and views, kept level with the events before any of them sees one. */
export interface FactsSource {
  readonly kinds: readonly number[];
  load(read: ReadRows): Promise<OpenFacts>;
  /** The owner of this account, from the tables; undefined for an exchange account. */
  readOwner(read: ReadRows, account: number): Promise<AccountOwner | undefined>;
}

export interface OpenFacts {
  readonly facts: LedgerFacts;
  note(kind: number, view: DataView, at: number): void;
}

/** Shared facts from the ledger's own events. */
export interface LedgerFacts {
  readonly markets: ReadonlyMap<number, MarketFacts>;
  /** Accounts of simulated traders: only their balances are kept. */
  readonly simulated: ReadonlySet<number>;
  /** The highest account; any later one starts empty. */
  readonly lastAccount: number;
  /** The rates of a fee group, and those of a user on every market, in 1e-8; −1 where the group's apply. */
  readonly groupFees: ReadonlyMap<number, FeeRates>;
  readonly userFees: ReadonlyMap<number, UserFeeRates>;
}

export interface FeeRates {
  readonly maker: number;
  readonly taker: number;
}

export interface UserFeeRates {
  readonly spot: FeeRates;
  readonly perpetual: FeeRates;
}

/** The facts of a market needed to count its money. */
export interface MarketFacts {
  readonly kind: InstrumentKind;
  readonly base: number;
  readonly quote: number;
  /** The asset fills and fees are paid in. */
  readonly settle: number;
  /** Settlement units of one tick of one lot; of an inverse contract settlement units × ticks of one lot. */
  readonly factor: number;
}
