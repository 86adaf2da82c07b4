// Owns the messages between the engine's threads: starts, ends, requests. Never commands or events, which go over the
// rings.
import type { MessagePort } from "node:worker_threads";
import type { BalanceColumns, BalanceSlice } from "@clockwork/core/inspect/balances";
import type { IndexSources } from "@clockwork/core/inspect/contracts";
import type { Listing } from "@clockwork/core/inspect/listing";
import type { ArchivePlace } from "../journal/archive-store.ts";
import type { EngineFaultCode, FaultPlace } from "../memory/fault.ts";
import type { EngineBuffers } from "../memory/memory.ts";
import type { HaltReason } from "./host.ts";

/** A fault as it crosses threads. */
export interface FaultMessage {
  readonly kind: "fault";
  readonly code: EngineFaultCode | "UNEXPECTED";
  readonly message: string;
  readonly place?: FaultPlace;
}

export interface NoteMessage {
  readonly kind: "note";
  readonly line: string;
}

export interface JournalWorkerData {
  readonly buffers: EngineBuffers;
  readonly folder: string;
  readonly release: string;
  readonly segmentBytes: number;
  readonly warmUpCommands: number;
  readonly maintenance: MessagePort;
}

export type JournalMessage =
  | { readonly kind: "open"; readonly identity: string; readonly durableSequence: number }
  | { readonly kind: "begun" }
  | { readonly kind: "closed" }
  | NoteMessage
  | FaultMessage;

export interface CoreWorkerData {
  readonly role: "core";
  readonly buffers: EngineBuffers;
  readonly journalFolder: string;
  readonly snapshotFolder: string;
  readonly release: string;
  readonly replayOthers: boolean;
  readonly identity: string;
  readonly durableSequence: number;
  /** Events after this sequence are given out even when they come from a replay. */
  readonly eventsAfter: number | undefined;
  readonly warmUpCommands: number;
  readonly maintenance: MessagePort;
  readonly requests: MessagePort;
  /** The hand of the one clock; commands are stamped with it. */
  readonly clock: SharedArrayBuffer;
}

export type CoreRequest =
  | { readonly kind: "hash"; readonly id: number }
  | { readonly kind: "listing"; readonly id: number }
  | { readonly kind: "balances"; readonly id: number; readonly slice?: BalanceSlice }
  | { readonly kind: "sources"; readonly id: number }
  | { readonly kind: "close"; readonly id: number };

/** A snapshot was written. */
export interface SnapshotMessage {
  readonly kind: "snapshot";
  readonly sequence: number;
  readonly stateHash: string;
  readonly tookMs: number;
}

/** Of the thread that takes snapshots; a message to it is the command after which to take one. */
export interface SnapshotWorkerData {
  readonly role: "snapshots";
  readonly buffers: EngineBuffers;
  readonly journalFolder: string;
  readonly snapshotFolder: string;
  readonly release: string;
  readonly identity: string;
  /** The snapshot the core started from; 0 for none. */
  readonly fromSnapshot: number;
  readonly everyMs: number;
  readonly everyCommands: number;
}

export type SnapshotThreadMessage = SnapshotMessage | FaultMessage;

export type CoreMessage =
  | {
      readonly kind: "running";
      readonly sequence: number;
      /** The journal's last time. */
      readonly timeMs: number;
      readonly replayed: number;
      readonly fromSnapshot: number;
      /** What is written from here on is decided by these; 0 of a test's machine. */
      readonly rules: number;
    }
  | { readonly kind: "halted"; readonly reason: HaltReason }
  | { readonly kind: "hash"; readonly id: number; readonly sequence: number; readonly stateHash: string }
  | { readonly kind: "listing"; readonly id: number; readonly listing: Listing | undefined }
  | { readonly kind: "balances"; readonly id: number; readonly balances: BalanceColumns | undefined }
  | { readonly kind: "sources"; readonly id: number; readonly sources: IndexSources | undefined }
  | { readonly kind: "done"; readonly id: number }
  | SnapshotMessage
  | { readonly kind: "alarm"; readonly line: string }
  | NoteMessage
  | FaultMessage;

export interface MaintenanceWorkerData {
  readonly buffers: EngineBuffers;
  readonly journalFolder: string;
  readonly snapshotFolder: string;
  /** Where old segments go; undefined where they remain. */
  readonly archive: ArchivePlace | undefined;
  readonly fromJournal: MessagePort;
  readonly fromCore: MessagePort;
}

export type MaintenanceTask =
  | { readonly kind: "scrub"; readonly folder: string; readonly beforeSequence: number }
  | { readonly kind: "blank"; readonly path: string; readonly bytes: number; readonly number: number };

export type MaintenanceMessage = FaultMessage | NoteMessage;
