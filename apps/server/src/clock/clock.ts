// The one clock of the process. Runs on the machine's monotonic clock from the point where the journal and the wall
// clock agree: setting the wall clock back or forth has no immediate effect. Detects the drift, reports it, and
// converges without ever going back: a clock that is ahead runs slower, one that is behind for some time catches up.
import { uptime } from "node:os";
import type { Clock, ClockJump } from "@clockwork/host/clock";
import { every } from "@clockwork/host/time/background";
import { monotonicMs, wallMs } from "@clockwork/host/time/measure";
import { SharedClock } from "./clock-memory.ts";
import { Timers } from "./timers.ts";

export interface ClockReading {
  /** How far this clock was moved ahead on purpose. */
  readonly aheadMs: number;
  /** Difference between the wall clock and this one; far from 0 after the wall clock was set. */
  readonly wallDriftMs: number;
  /** How often the machine's clock was seen to leap. */
  readonly wallJumps: number;
}

export interface ServerClock extends Clock {
  /** For other threads. */
  readonly shared: SharedClock;
  /** Moves ahead on purpose. */
  readonly advance: (byMs: number) => void;
  /** Never earlier than this from now on: the journal's last time at the start. */
  raiseTo(timeMs: number): void;
  readonly read: () => ClockReading;
  close(): void;
}

export interface ClockOptions {
  /** How far ahead of the machine's clock it was moved on purpose before. */
  readonly aheadMs?: number;
  readonly onNotice?: (fact: string, fields: Readonly<Record<string, number>>) => void;
  /** The machine's clocks; tests bring their own. */
  readonly wall?: () => number;
  readonly monotonic?: () => number;
  /** Since the machine was switched on, sleep included. */
  readonly uptime?: () => number;
  readonly watchMs?: number;
}

const WATCH_MS = 1_000;
/** Less is the common drift of clocks. */
const LEAP_MS = 1_000;
/** A wrongly set clock is usually corrected soon; after this time the new setting is accepted. */
const BELIEF_MS = 300_000;
/** While ahead: an hour is made up for in ten. */
const SLOW_RATE = 0.9;

export function openClock(options: ClockOptions = {}): ServerClock {
  return new WatchedClock(options);
}

class WatchedClock implements ServerClock {
  readonly shared: SharedClock;
  readonly now: () => number;
  readonly #options: ClockOptions;
  readonly #wall: () => number;
  readonly #monotonic: () => number;
  readonly #uptime: () => number;
  readonly #timers: Timers;
  readonly #listeners = new Set<(jump: ClockJump) => void>();
  readonly #watch: NodeJS.Timeout;
  #aheadMs: number;
  #wallJumps = 0;
  #rate = 1;
  /** The drift that is being watched, and since when. */
  #leap: { readonly driftMs: number; readonly sinceMs: number } | undefined;
  /** Uptime less monotonic time: grows while the machine sleeps. */
  #sleptMs: number;

  constructor(options: ClockOptions) {
    this.#options = options;
    this.#wall = options.wall ?? wallMs;
    this.#monotonic = options.monotonic ?? monotonicMs;
    this.#uptime = options.uptime ?? (() => uptime() * 1_000);
    this.#aheadMs = options.aheadMs ?? 0;
    this.shared = new SharedClock(undefined, this.#monotonic);
    this.shared.set(this.#wall() + this.#aheadMs, 1);
    this.now = this.shared.now;
    this.#timers = new Timers(this.now);
    this.#sleptMs = this.#uptime() - this.#monotonic();
    this.#watch = every("clock.watch", () => this.look(), options.watchMs ?? WATCH_MS);
    this.#watch.unref();
  }

  at(timeMs: number, run: () => void): () => void {
    return this.#timers.at(timeMs, run);
  }

  every(everyMs: number, run: () => void): () => void {
    return this.#timers.every(everyMs, run);
  }

  onJump(listener: (jump: ClockJump) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  readonly advance = (byMs: number): void => {
    if (!(byMs >= 0)) throw new RangeError("CLOCK-1: time goes forward alone");
    this.#aheadMs += byMs;
    this.#step(byMs);
  };

  raiseTo(timeMs: number): void {
    this.#step(timeMs - this.now());
  }

  readonly read = (): ClockReading => {
    return { aheadMs: this.#aheadMs, wallDriftMs: this.#drift(), wallJumps: this.#wallJumps };
  };

  close(): void {
    clearInterval(this.#watch);
    this.#timers.close();
  }

  /** Once a second: has the machine slept, and is its clock still where it should be? */
  look(): void {
    const sleptMs = this.#uptime() - this.#monotonic();
    const missedMs = Math.floor(sleptMs - this.#sleptMs);
    // Less is the coarseness of the uptime.
    if (missedMs >= LEAP_MS) {
      this.#sleptMs = sleptMs;
      this.#notice("clock.slept", { byMs: missedMs });
      this.#step(missedMs);
    }
    const driftMs = this.#drift();
    if (Math.abs(driftMs) < LEAP_MS) this.#keepLevel(driftMs);
    else this.#watchLeap(driftMs);
  }

  #keepLevel(driftMs: number): void {
    if (this.#leap !== undefined) this.#notice("clock.recovered", { driftMs });
    this.#leap = undefined;
    if (driftMs > 0) this.#move(driftMs);
    this.#run(driftMs < -1 ? SLOW_RATE : 1);
  }

  #watchLeap(driftMs: number): void {
    const nowMs = this.#monotonic();
    // A clock set twice is watched anew; coming level slowly is not setting it.
    if (this.#leap === undefined || Math.abs(driftMs - this.#leap.driftMs) > Math.abs(this.#leap.driftMs)) {
      this.#wallJumps += 1;
      this.#leap = { driftMs, sinceMs: nowMs };
      this.#notice(driftMs > 0 ? "clock.jumped" : "clock.set-back", { byMs: driftMs });
    }
    const isMeant = nowMs - this.#leap.sinceMs >= BELIEF_MS;
    this.#run(isMeant && driftMs < 0 ? SLOW_RATE : 1);
    if (!isMeant || driftMs < 0) return;
    this.#leap = undefined;
    this.#notice("clock.followed", { byMs: driftMs });
    this.#step(driftMs);
  }

  #drift(): number {
    return Math.round(this.#wall() + this.#aheadMs - this.now());
  }

  #run(rate: number): void {
    if (rate === this.#rate) return;
    this.#rate = rate;
    this.shared.setRate(rate);
  }

  #move(byMs: number): void {
    this.shared.set(this.now() + byMs, this.#rate);
    this.#timers.pollAgain();
  }

  #step(byMs: number): void {
    if (!(byMs > 0)) return;
    const fromMs = this.now();
    this.#move(byMs);
    for (const listener of this.#listeners) listener({ fromMs, toMs: fromMs + byMs });
  }

  #notice(fact: string, fields: Readonly<Record<string, number>>): void {
    this.#options.onNotice?.(fact, fields);
  }
}
