// One complete stream: snapshot and deltas in sequence, gaps detected and filled, duplicates dropped, HTTP while the
// socket is down. Never shows an unverified state without reporting it in its status.
import type { SocketMessage } from "@clockwork/kit/wire";
import type { Clock } from "./clock.ts";
import { CONNECTION_GRACE_MS } from "./connection.ts";
import type { FeedCounts, FeedDefinition, FeedState, FeedStatus, Snapshot } from "./feed-definition.ts";
import type { LiveSocket, SocketPhase } from "./socket.ts";
import { createStore, type ReadableStore, type Scheduler, type Store } from "./store.ts";

export interface FeedParts {
  readonly socket: LiveSocket;
  readonly clock: Clock;
  readonly schedule?: Scheduler;
  readonly reportPoll?: (answered: boolean) => void;
  readonly graceMs?: number;
  /** How long the stream remains open after the last holder left, so that a page change does not reopen it. */
  readonly lingerMs?: number;
}

const POLL_MS = 5_000;
const HEAL_MS = 3_000;
const HEAL_MAX_MS = 30_000;
const BUFFER_MAX = 1_000;

interface BufferedDelta<Delta> {
  readonly first: number;
  readonly last: number;
  readonly delta: Delta;
}

/** waiting: the base is unknown or unconfirmed. healing: a gap was seen. synced: contiguous up to `sequence`. */
type FeedMode = "waiting" | "healing" | "synced";

export class Feed<State, Delta> implements ReadableStore<FeedState<State>> {
  readonly counts: FeedCounts = { applied: 0, duplicates: 0, gaps: 0, heals: 0, polls: 0 };
  readonly #definition: FeedDefinition<State, Delta>;
  readonly #parts: FeedParts;
  readonly #store: Store<FeedState<State>>;
  #holders = 0;
  #releases: (() => void)[] = [];
  #mode: FeedMode = "waiting";
  #sequence: number | undefined;
  #buffer: BufferedDelta<Delta>[] = [];
  #healAttempt = 0;
  #resumeAllowed = true;
  #polling = false;
  #cancelLinger: () => void = () => {};
  #cancelHeal: () => void = () => {};
  #cancelPoll: () => void = () => {};
  #abort: AbortController | undefined;

  constructor(definition: FeedDefinition<State, Delta>, parts: FeedParts) {
    this.#definition = definition;
    this.#parts = parts;
    this.#store = createStore<FeedState<State>>(
      { value: definition.initial, status: "idle", empty: true, updatedAtMs: 0 },
      parts.schedule,
    );
  }

  get sequence(): number | undefined {
    return this.#sequence;
  }

  get(): FeedState<State> {
    return this.#store.get();
  }

  readonly read = (): FeedState<State> => this.#store.get();

  /** Listening keeps the stream open; the last listener to leave closes it. */
  readonly subscribe = (listener: () => void): (() => void) => {
    const release = this.#store.subscribe(listener);
    const drop = this.hold();
    return () => {
      release();
      drop();
    };
  };

  /** Keeps the stream open without listening. */
  hold(): () => void {
    let held = true;
    this.#holders += 1;
    this.#cancelLinger();
    if (this.#releases.length === 0) this.#start();
    return () => {
      if (!held) return;
      held = false;
      this.#holders -= 1;
      if (this.#holders > 0) return;
      const { lingerMs = 0 } = this.#parts;
      if (lingerMs > 0) this.#cancelLinger = this.#parts.clock.after(lingerMs, () => this.#stop());
      else this.#stop();
    };
  }

  get isIdle(): boolean {
    return this.#releases.length === 0;
  }

  #start(): void {
    const { socket } = this.#parts;
    this.#setStatus("syncing");
    this.#releases = [
      socket.onPhase((phase) => this.#phaseChanged(phase)),
      socket.subscribe({
        topic: this.#definition.topic,
        ...(this.#definition.kind === undefined ? {} : { kind: this.#definition.kind }),
        argument: () => this.#resumePoint(),
        onSent: () => this.#subscriptionSent(),
        onMessage: (message) => this.#receive(message),
        onRefused: () => this.#refused(),
      }),
    ];
    socket.start();
    if (socket.phase !== "open") this.#startPolling();
  }

  #stop(): void {
    for (const release of this.#releases) release();
    this.#releases = [];
    this.#cancelTimers();
    this.#mode = "waiting";
    this.#buffer = [];
    this.#resumeAllowed = true;
    this.#setStatus("idle");
  }

  #cancelTimers(): void {
    this.#cancelHeal();
    this.#cancelPoll();
    this.#polling = false;
    this.#abort?.abort();
    this.#abort = undefined;
  }

  #phaseChanged(phase: SocketPhase): void {
    if (phase === "open") {
      this.#cancelTimers();
      return;
    }
    if (this.#polling) return;
    this.#cancelTimers();
    this.#mode = "waiting";
    this.#buffer = [];
    this.#setStatus("syncing");
    this.#startPolling();
  }

  #resumePoint(): { readonly sequence: number } | undefined {
    const usable = this.#definition.resumable === true && this.#resumeAllowed && this.#sequence !== undefined;
    return usable && this.#sequence !== undefined ? { sequence: this.#sequence } : undefined;
  }

  /** From here the server owes a snapshot, or the missing deltas; silence is a gap too. */
  #subscriptionSent(): void {
    this.#mode = "waiting";
    this.#buffer = [];
    if (this.#definition.quiet === true) {
      this.#mode = "synced";
      this.#setStatus("live");
      return;
    }
    if (this.#healAttempt === 0) this.#setStatus("syncing");
    this.#expectAnswer();
  }

  #expectAnswer(): void {
    this.#cancelHeal();
    const delayMs = Math.min(HEAL_MAX_MS, (this.#definition.healMs ?? HEAL_MS) * 2 ** Math.min(this.#healAttempt, 5));
    this.#cancelHeal = this.#parts.clock.after(delayMs, () => this.#heal());
  }

  #receive(message: SocketMessage): void {
    const update = this.#definition.read(message);
    switch (update.kind) {
      case "snapshot":
        this.#acceptSnapshot(update, "socket");
        break;
      case "delta":
        this.#acceptDelta(update);
        break;
      case "level":
        this.#acceptLevel(update.sequence);
        break;
      case "value":
        this.#counts("applied");
        this.#synced(update.state);
        break;
      case "none":
        break;
    }
  }

  #counts(name: keyof FeedCounts): void {
    this.counts[name] += 1;
  }

  /** The server sends in order, so its snapshot counts even when its numbers restarted; an HTTP answer may be late. */
  #acceptSnapshot(snapshot: Snapshot<State>, from: "socket" | "http"): void {
    const known = this.#mode === "waiting" ? undefined : this.#sequence;
    if (known !== undefined && (snapshot.sequence === known || (from === "http" && snapshot.sequence < known))) {
      this.#counts("duplicates");
      return;
    }
    this.#sequence = snapshot.sequence;
    this.#counts("applied");
    this.#drain(snapshot.state);
  }

  #acceptLevel(sequence: number): void {
    if (this.#mode === "synced" && sequence <= (this.#sequence ?? 0)) return;
    if (sequence === this.#sequence && this.#resumeAllowed) this.#drain(this.#store.get().value);
    else this.#noticeGap();
  }

  #acceptDelta(update: BufferedDelta<Delta>): void {
    const sequence = this.#sequence;
    const mayApply = this.#mode !== "waiting" || (this.#definition.resumable === true && this.#resumeAllowed);
    if (sequence === undefined || !mayApply) {
      this.#keep(update);
    } else if (update.last <= sequence) {
      // Here and not in the draining: duplicates say nothing about what is missing.
      this.#counts("duplicates");
    } else {
      this.#keep(update);
      this.#drain(this.#store.get().value);
    }
  }

  #keep(update: BufferedDelta<Delta>): void {
    this.#buffer.push(update);
    // Losing the oldest only makes a gap, and gaps are noticed.
    if (this.#buffer.length > BUFFER_MAX) this.#buffer.shift();
  }

  #noticeGap(): void {
    if (this.#mode === "healing") return;
    this.#mode = "healing";
    this.#counts("gaps");
    this.#heal();
  }

  /** The state is wrong though every number followed: nothing can build on it. */
  #distrust(): void {
    this.#mode = "waiting";
    this.#resumeAllowed = false;
    this.#buffer = [];
    this.#counts("gaps");
    this.#heal();
  }

  /** Applies every kept delta that follows on; what is left over shows a gap. */
  #drain(from: State): void {
    let state = from;
    const pending = this.#buffer.sort((left, right) => left.first - right.first || left.last - right.last);
    this.#buffer = [];
    for (const update of pending) {
      const sequence = this.#sequence ?? 0;
      if (update.last <= sequence) {
        this.#counts("duplicates");
      } else if (update.first > sequence + 1) {
        this.#buffer.push(update);
      } else {
        state = this.#definition.apply(state, update.delta);
        this.#sequence = update.last;
        this.#counts("applied");
        if (this.#definition.verify?.(state, update.delta) === false) {
          this.#distrust();
          return;
        }
      }
    }
    if (this.#buffer.length === 0) {
      this.#synced(state);
      return;
    }
    if (Object.is(state, this.#store.get().value)) this.#setStatus("stale");
    else this.#setValue(state, "stale");
    this.#noticeGap();
  }

  #synced(state: State): void {
    this.#mode = "synced";
    this.#healAttempt = 0;
    this.#resumeAllowed = true;
    this.#cancelTimers();
    this.#setValue(state, "live");
  }

  /** Requests HTTP first, then the socket, in turns, with growing delays, until the stream is complete again. */
  #heal(): void {
    this.#counts("heals");
    if (!this.#store.get().empty) this.#setStatus("stale");
    const byHttp = this.#definition.fetch !== undefined && this.#healAttempt % 2 === 0;
    this.#healAttempt += 1;
    this.#expectAnswer();
    if (byHttp) {
      void this.#fetchSnapshot().then((snapshot) => {
        if (snapshot !== undefined && this.#mode !== "synced") this.#acceptSnapshot(snapshot, "http");
      });
    } else {
      this.#resumeAllowed = false;
      this.#parts.socket.resubscribe(this.#definition.topic);
    }
  }

  #refused(): void {
    this.#cancelHeal();
    this.#setStatus("refused");
    this.#healAttempt += 1;
    this.#expectAnswer();
  }

  async #fetchSnapshot(): Promise<Snapshot<State> | undefined> {
    this.#abort?.abort();
    const abort = new AbortController();
    this.#abort = abort;
    try {
      const snapshot = await this.#definition.fetch?.(abort.signal);
      return abort.signal.aborted ? undefined : snapshot;
    } catch {
      return undefined;
    }
  }

  #startPolling(): void {
    this.#polling = true;
    this.#cancelPoll();
    this.#cancelPoll = this.#parts.clock.after(this.#parts.graceMs ?? CONNECTION_GRACE_MS, () => {
      if (this.#definition.fetch === undefined) this.#setStatus(this.#store.get().empty ? "syncing" : "stale");
      else void this.#poll();
    });
  }

  async #poll(): Promise<void> {
    const { socket, clock, reportPoll } = this.#parts;
    this.#counts("polls");
    const snapshot = await this.#fetchSnapshot();
    if (socket.phase === "open" || this.isIdle) return;
    if (snapshot !== undefined) {
      this.#acceptPoll(snapshot);
    } else if (!this.#store.get().empty) this.#setStatus("stale");
    reportPoll?.(snapshot !== undefined);
    this.#cancelPoll();
    this.#cancelPoll = clock.after(this.#definition.pollMs ?? POLL_MS, () => void this.#poll());
  }

  /** Answers may come from servers behind one another: time does not run backwards for the reader. */
  #acceptPoll(snapshot: Snapshot<State>): void {
    if (this.#sequence !== undefined && snapshot.sequence < this.#sequence) {
      this.#setStatus("polling");
      return;
    }
    this.#sequence = snapshot.sequence;
    this.#setValue(snapshot.state, "polling");
  }

  #setStatus(status: FeedStatus): void {
    const before = this.#store.get();
    if (before.status !== status) this.#store.set({ ...before, status });
  }

  #setValue(value: State, status: FeedStatus): void {
    this.#store.set({ value, status, empty: false, updatedAtMs: this.#parts.clock.now() });
  }
}
