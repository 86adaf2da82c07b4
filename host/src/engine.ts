// The engine as parts see it: commands in, committed events out, and the accounts in use. Declarations only; the
// server's engine implements them.
import type { IndexSources } from "@clockwork/core/inspect/contracts";
import type { Listing } from "@clockwork/core/inspect/listing";
import type { Command } from "@clockwork/core/protocol/command";
import type { MachineEvent } from "@clockwork/core/protocol/event";
import type { Rejection } from "@clockwork/core/protocol/rejection";
import type { AccountOwner } from "@clockwork/kit/books";
import type { LedgerFacts, LiveChange, LiveView } from "./projector.ts";

/**
 * BUSY: too many commands wait, retry later. STARTING and CLOSED: not accepted. HALTED: trading has stopped; a command
 * that was already handed over may or may not be in the journal, so repeat it by its client id after the restart.
 */
export type EngineRefusal = "ENGINE_BUSY" | "ENGINE_STARTING" | "ENGINE_CLOSED" | "ENGINE_HALTED";

export interface Applied {
  readonly done: true;
  readonly sequence: number;
  readonly timeMs: number;
  /** All that happened because of the command, in order. */
  readonly events: readonly MachineEvent[];
}

export interface Refused {
  readonly done: false;
  readonly code: Rejection | EngineRefusal;
  /** The core's rejections are journalled like everything else; the engine's are not and have no sequence. */
  readonly sequence: number | undefined;
  readonly events: readonly MachineEvent[];
}

export type Ack = Applied | Refused;

/** Events of consecutive commands; `decodeEvents(bytes, 0, bytes.length, timeBeforeMs)` gives their object form. */
export interface EventBatch {
  readonly firstSequence: number;
  readonly lastSequence: number;
  readonly timeBeforeMs: number;
  readonly bytes: Uint8Array;
}

/** May return a promise for back pressure: nothing more is read until it resolves. */
export type EventListener = (batch: EventBatch) => void | Promise<void>;

export interface CoreHealth {
  readonly state: "starting" | "replaying" | "running" | "halted";
  readonly sequence: number;
  readonly durableSequence: number;
  /** Of the newest snapshot, and the last command it counts. */
  readonly stateHash?: string;
  readonly stateHashSequence?: number;
  readonly reason?: string;
}

/** Whether the tables made from the journal follow it. */
export interface TablesHealth {
  /** Behind: the last write failed and is retried. Stopped: until a restart. */
  readonly state: "level" | "behind" | "stopped";
  /** Since the first failed try; 0 while level. */
  readonly forSeconds: number;
}

/** A consumer with a cursor of its own: the engine's replay starts where the slowest left off. */
export interface Follower {
  /** The last command whose events it has processed permanently. */
  readonly sequence: number;
  /** The last one it has stored. */
  readonly storedSequence: number;
  /** Called with the journal's identity before its first event; throwing keeps the engine from starting. */
  bind(identity: string): void;
  listen(batch: EventBatch): void | Promise<void>;
}

/** Accepts commands once it has started; parts are made before. */
export interface EngineHandle {
  /** Resolves after the commit with its events, or at once with a refusal; rejects only for malformed input. */
  submit(command: Command): Promise<Ack>;
  /** Several orders as one command, each answered on its own in the events. */
  submitBatch(account: number, items: readonly Command[]): Promise<Ack>;
  /** Every later batch of events, in order, after its commit. Returns the way to stop. */
  subscribe(listener: EventListener): () => void;
  /** The listing and the order books, after the last command taken; may be ahead of the commit. */
  readListing(): Promise<Listing | undefined>;
  /** The last values of the sources of every index, after the last command taken; may be ahead of the commit. */
  readIndexSources(): Promise<IndexSources | undefined>;
  /** False until it has started, and always in a process that never trades. */
  readonly isThere: boolean;
  readonly cache: AccountCache | undefined;
  /** Resolves when the tables hold everything up to this command; at once without tables. */
  reached(sequence: number): Promise<void>;
  health(): CoreHealth;
  /** Undefined without tables. */
  tables(): TablesReading | undefined;
}

export interface TablesReading extends TablesHealth {
  readonly sequence: number;
  readonly waitingBytes: number;
  /** Failed ones since the tables were level. */
  readonly tries: number;
}

/** The current state of an account. Views' states keep changing in place. */
export interface CachedAccount {
  readonly account: number;
  readonly owner: AccountOwner;
  /** The last command that changed anything here. */
  readonly changedSequence: number;
  of<State>(view: LiveView<State>): State;
}

/** The changes of an account by one run of events. Rows keep changing: read them before returning. */
export interface AccountChange {
  readonly account: number;
  readonly owner: AccountOwner;
  readonly sequence: number;
  /** Undefined when the view has not changed. */
  of<Change extends LiveChange>(view: LiveView<unknown, Change>): Change | undefined;
}

export interface AccountCache {
  /** The engine's listener; called before every other, so that no answer overtakes it. */
  readonly listen: (batch: EventBatch) => void;
  /** Everything up to here is in the cache. */
  readonly sequence: number;
  /** Markets, rates and so on, as level as the accounts. */
  readonly facts: LedgerFacts;
  /** The account's rows, read once and followed from then on. */
  open(account: number, nowMs: number): Promise<CachedAccount>;
  /** The account when it is in the cache already. */
  find(account: number): CachedAccount | undefined;
  /** Called for every change of cached accounts, in order; the changes of one run of events come together. */
  subscribe(listener: (changes: readonly AccountChange[]) => void): () => void;
  /** Called for every account that is opened, before its opener gets the answer. Simulated traders' are left out. */
  subscribeOpened(listener: (account: number, owner: AccountOwner) => void): () => void;
  /** Evicts accounts not used lately, except watched ones. */
  sweep(nowMs: number, isWatched: (owner: AccountOwner) => boolean): void;
  /**
   * Evicts accounts that change much without being used or watched: reading them again costs less than following them.
   */
  shed(nowMs: number, isWatched: (owner: AccountOwner) => boolean): void;
}
