// Shows that the simulator can fail: each planted defect in what the machine tells must be found by the comparison.
import type { EventKind, EventOf, MachineEvent } from "@clockwork/core/protocol/event";
import { describe, expect, it } from "vitest";
import { runSession } from "./session.ts";

/** Changes the events of one kind that a test accepts, from the third on. */
function alter<K extends EventKind>(kind: K, change: (event: EventOf<K>) => MachineEvent[]) {
  let met = 0;
  return (events: MachineEvent[]): MachineEvent[] =>
    events.flatMap((event) => {
      if (event.kind !== kind) return [event];
      met++;
      return met > 2 ? change(event as EventOf<K>) : [event];
    });
}

/** The first seed of a few in which the defect shows. */
function find(defect: () => (events: MachineEvent[]) => MachineEvent[]) {
  for (let seed = 1; seed <= 6; seed++) {
    const { failure } = runSession({ seed, commands: 300, tamper: defect() });
    if (failure !== undefined) return failure;
  }
  return undefined;
}

describe("planted defects", () => {
  it("[SIM-8] a fee that is one unit off", () => {
    const defect = () =>
      alter("posting", (event) => [event.business === "fee" ? { ...event, deltaUnits: event.deltaUnits + 1 } : event]);
    expect(find(defect)).toMatchObject({ rule: "SIM-1", detail: expect.stringContaining("deltaUnits") });
  });

  it("[SIM-8] rounding that goes nowhere", () => {
    const defect = () => alter("posting", (event) => (event.business === "rounding" ? [] : [event]));
    expect(find(defect)).toMatchObject({ rule: "SIM-1" });
  });

  it("[SIM-8] time priority skipped: two makers of one price change places", () => {
    const defect = () => (events: MachineEvent[]) => {
      const trades = events.filter((event) => event.kind === "trade");
      const [a, b] = trades;
      if (a === undefined || b === undefined || a.price !== b.price) return events;
      const swapped = new Map([
        [a.makerOrderId, b.makerOrderId],
        [b.makerOrderId, a.makerOrderId],
      ]);
      return events.map((event) =>
        event.kind === "trade"
          ? { ...event, makerOrderId: swapped.get(event.makerOrderId) ?? event.makerOrderId }
          : event,
      );
    };
    expect(find(defect)).toMatchObject({ rule: "SIM-1", detail: expect.stringContaining("makerOrderId") });
  });

  it("[SIM-8] the taker's price instead of the maker's", () => {
    const defect = () => alter("trade", (event) => [{ ...event, price: event.price + 1 }]);
    expect(find(defect)).toMatchObject({ rule: "SIM-1", detail: expect.stringContaining("price") });
  });

  it("[SIM-8] an event that is lost, one that is told twice, one of another code", () => {
    expect(find(() => alter("depth", () => []))).toMatchObject({ rule: "SIM-1" });
    expect(find(() => alter("orderEnded", (event) => [event, event]))).toMatchObject({ rule: "SIM-1" });
    const code = () => alter("rejected", (event) => [{ ...event, code: "CAPACITY" }]);
    expect(find(code)).toMatchObject({ rule: "SIM-1", detail: expect.stringContaining("code") });
  });

  it("[SIM-8] a balance that is told wrong by one", () => {
    const defect = () => alter("orderAccepted", (event) => [{ ...event, frozenUnits: event.frozenUnits - 1 }]);
    expect(find(defect)).toMatchObject({ rule: "SIM-1", detail: expect.stringContaining("frozenUnits") });
  });

  it("[SIM-8] a failure names its seed, its command and its place, and re-runs alone to the same place", () => {
    const defect = () => alter("trade", (event) => [{ ...event, lots: event.lots + 1 }]);
    const failure = find(defect);
    expect(failure).toBeDefined();
    if (failure === undefined) return;
    const again = runSession({ seed: failure.seed, commands: failure.at, tamper: defect() });
    expect(again.failure).toEqual(failure);
    expect(runSession({ seed: failure.seed, commands: failure.at }).failure).toBeUndefined();
  });
});
