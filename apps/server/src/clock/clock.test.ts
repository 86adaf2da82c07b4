// The one clock against a machine whose clocks the test controls: set back, set forward, suspended; and its timers.
import { afterEach, expect, test, vi } from "vitest";
import { openClock } from "./clock.ts";

const START_MS = Date.UTC(2026, 4, 1);
const HOUR_MS = 3_600_000;

/** A machine: its monotonic clock, the offset of its wall clock, and how long it was suspended. */
class Machine {
  elapsedMs = 0;
  setMs = 0;
  sleptMs = 0;
  readonly notices: string[] = [];
  readonly clock = openClock({
    wall: () => START_MS + this.elapsedMs + this.sleptMs + this.setMs,
    monotonic: () => 5_000 + this.elapsedMs,
    uptime: () => 90_000 + this.elapsedMs + this.sleptMs,
    onNotice: (fact) => this.notices.push(fact),
  });

  /** Lets time pass as the watch sees it, a second at a time. */
  pass(ms: number): void {
    vi.advanceTimersByTime(0);
    for (let left = ms; left > 0; left -= 1_000) {
      this.elapsedMs += Math.min(left, 1_000);
      vi.advanceTimersByTime(Math.min(left, 1_000));
    }
  }

  get sinceStartMs(): number {
    return this.clock.now() - START_MS;
  }
}

let machine: Machine;
function open(): Machine {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
  machine = new Machine();
  return machine;
}
afterEach(() => {
  machine.clock.close();
  vi.useRealTimers();
});

test("[OPS-4] a clock set back an hour stalls nothing: timers fire on time, the hour is reported and regained", () => {
  const { clock, notices } = open();
  let fired = 0;
  clock.at(clock.now() + 20_000, () => {
    fired += 1;
  });
  machine.pass(10_000);
  machine.setMs = -HOUR_MS;
  machine.pass(9_000);
  expect(fired).toBe(0);
  machine.pass(1_000);
  expect([fired, machine.sinceStartMs]).toEqual([1, 20_000]);
  expect(notices).toEqual(["clock.set-back"]);
  expect(clock.read()).toEqual({ aheadMs: 0, wallDriftMs: -HOUR_MS, wallJumps: 1 });
  let last = clock.now();
  for (let minute = 0; minute < 11 * 60; minute += 1) {
    machine.pass(60_000);
    expect(clock.now()).toBeGreaterThan(last);
    last = clock.now();
  }
  expect(Math.abs(clock.read().wallDriftMs)).toBeLessThan(200);
  expect(notices).toEqual(["clock.set-back", "clock.recovered"]);
});

test("[OPS-4] a clock set days ahead and back within minutes is reported and fires no timer early or late", () => {
  const { clock, notices } = open();
  machine.setMs = 72 * HOUR_MS;
  machine.pass(120_000);
  let fired = 0;
  clock.at(clock.now() + 5_000, () => {
    fired += 1;
  });
  machine.setMs = 0;
  machine.pass(5_000);
  expect([fired, machine.sinceStartMs]).toEqual([1, 125_000]);
  expect(notices).toEqual(["clock.jumped", "clock.recovered"]);
});

test("[OPS-4] a clock set ahead permanently is followed after five minutes, and callers receive the drift", () => {
  const { clock, notices } = open();
  const jumps: number[] = [];
  clock.onJump(({ fromMs, toMs }) => jumps.push(toMs - fromMs));
  machine.setMs = 72 * HOUR_MS;
  machine.pass(299_000);
  expect(jumps).toEqual([]);
  machine.pass(3_000);
  expect(jumps).toEqual([72 * HOUR_MS]);
  expect(machine.sinceStartMs).toBe(72 * HOUR_MS + 302_000);
  expect(notices).toEqual(["clock.jumped", "clock.followed"]);
});

test("[OPS-4] a machine resumed from sleep has the right time at once", () => {
  const { clock, notices } = open();
  let fired = 0;
  clock.at(clock.now() + HOUR_MS, () => {
    fired += 1;
  });
  machine.sleptMs = 2 * HOUR_MS;
  machine.pass(2_000);
  expect([fired, machine.sinceStartMs]).toEqual([1, 2 * HOUR_MS + 2_000]);
  expect(notices).toEqual(["clock.slept"]);
});

test("[OPS-4] when moved ahead on purpose it remains ahead, fires what is due once each, and never goes back", () => {
  const { clock } = open();
  const fired: string[] = [];
  clock.at(clock.now() + HOUR_MS, () => fired.push("at"));
  const stop = clock.every(60_000, () => fired.push("every"));
  clock.advance(24 * HOUR_MS);
  machine.pass(1_000);
  expect(fired.sort()).toEqual(["at", "every"]);
  machine.pass(58_000);
  expect(fired).toHaveLength(2);
  machine.pass(2_000);
  expect(fired).toHaveLength(3);
  stop();
  machine.pass(120_000);
  expect(fired).toHaveLength(3);
  expect(clock.read()).toEqual({ aheadMs: 24 * HOUR_MS, wallDriftMs: 0, wallJumps: 0 });
  expect(() => clock.advance(-1)).toThrow("CLOCK-1");
});

test("[OPS-4] a journal ahead of the machine's clock is continued in real time", () => {
  const { clock } = open();
  clock.raiseTo(START_MS + HOUR_MS);
  machine.pass(10_000);
  expect(machine.sinceStartMs).toBe(HOUR_MS + 10_000);
  clock.raiseTo(START_MS);
  expect(machine.sinceStartMs).toBe(HOUR_MS + 10_000);
});
