// What a stream is to the live client: its topic, how its messages are read and applied, and what it shows.
// Types only; the work is done in the feed.
import type { SocketMessage, SocketTopic } from "@clockwork/kit/wire";

export interface Snapshot<State> {
  readonly sequence: number;
  readonly state: State;
}

export type FeedUpdate<State, Delta> =
  | ({ readonly kind: "snapshot" } & Snapshot<State>)
  /** Changes number `first` to `last`, both included. */
  | { readonly kind: "delta"; readonly first: number; readonly last: number; readonly delta: Delta }
  /** A stream without numbers: the latest value is the whole truth. */
  | { readonly kind: "value"; readonly state: State }
  /** Everything up to this number was sent: what a resumption is answered with. */
  | { readonly kind: "level"; readonly sequence: number }
  | { readonly kind: "none" };

export interface FeedDefinition<State, Delta> {
  readonly topic: SocketTopic;
  readonly kind?: "sub" | "login";
  readonly initial: State;
  readonly read: (message: SocketMessage) => FeedUpdate<State, Delta>;
  // Methods, so that a stream of richer rows is assignable to one of plainer rows.
  apply(state: State, delta: Delta): State;
  /** Compares a checksum the delta carries; false means the state is not what the server has. */
  verify?(state: State, delta: Delta): boolean;
  /** The same stream over HTTP: fills gaps and replaces the socket while it is down. A plain value has sequence 0. */
  readonly fetch?: (signal: AbortSignal) => Promise<Snapshot<State> | undefined>;
  readonly pollMs?: number;
  /** The server can resume from a sequence: resubscriptions carry `{sequence}` and may be answered with deltas. */
  readonly resumable?: boolean;
  /** The server sends nothing on subscription: silence is no gap. */
  readonly quiet?: boolean;
  readonly healMs?: number;
}

/** syncing: just (re)connected or just dropped, a fresh snapshot is due. stale: the value shown may be well behind. */
export type FeedStatus = "idle" | "syncing" | "live" | "polling" | "stale" | "refused";

export interface FeedState<State> {
  readonly value: State;
  readonly status: FeedStatus;
  /** Nothing was received yet: the value is the definition's initial one. */
  readonly empty: boolean;
  readonly updatedAtMs: number;
}

export interface FeedCounts {
  applied: number;
  duplicates: number;
  gaps: number;
  heals: number;
  polls: number;
}
