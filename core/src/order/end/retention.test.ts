// How long client order ids and money references are known, and what counts as the same content.
import { beforeEach, describe, expect, it } from "vitest";
import { createMachine } from "../../machine/machine.ts";
import type { Command } from "../../protocol/command.ts";
import type { MachineEvent } from "../../protocol/event.ts";
import { eventsOf, sendChecked } from "../../testing/driver.ts";
import { createStage, type Stage } from "../../testing/stage.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let stage: Stage;
let alice: number;

const send = (command: Command): MachineEvent[] => sendChecked(stage, command);
const codes = (events: readonly MachineEvent[]): unknown[] => eventsOf(events, "rejected").map(({ code }) => code);
const place = (clientOrderId: string, price: number, reduceOnly = false): MachineEvent[] =>
  send({
    kind: "placeOrder",
    account: alice,
    market: stage.market,
    side: "buy",
    price,
    quantity: 1,
    clientOrderId,
    reduceOnly,
  });

beforeEach(() => {
  stage = createStage({ anchorTicks: 1_000 }, createMachine({ rules: [{ number: 1, referenceRetentionMs: DAY_MS }] }));
  alice = stage.trader(0, 1e6);
});

describe("client order ids", () => {
  it("[ID-1] an id older than a day is free the moment its order ends, collected in between or not", () => {
    for (const between of [false, true]) {
      const id = `x-${between}`;
      place(id, 900);
      stage.time += 25 * HOUR_MS;
      if (between) place("y", 900);
      expect(codes(place(id, 901))).toEqual(["DUPLICATE_CLIENT_ORDER_ID"]);
      send({ kind: "cancelOrder", account: alice, clientOrderId: id });
      expect(eventsOf(place(id, 901), "orderAccepted")).toHaveLength(1);
    }
  });

  it("[ID-2] every member of the order is its content, those behind the id too", () => {
    place("x", 900);
    expect(eventsOf(place("x", 900), "repeated")).toHaveLength(1);
    expect(codes(place("x", 900, true))).toEqual(["DUPLICATE_CLIENT_ORDER_ID"]);
  });
});

describe("money references", () => {
  const hold = (units: number): MachineEvent[] =>
    send({ kind: "hold", account: alice, asset: stage.quote, business: "withdrawal", units, reference: "h" });
  const release = (reference: string): MachineEvent[] =>
    send({ kind: "release", account: alice, units: 1, reference, hold: "h" });
  /** Enough commands for the collection to come by. */
  const collect = (name: string): void => {
    for (let i = 0; i < 6; i++)
      send({
        kind: "mint",
        account: alice,
        asset: stage.quote,
        business: "deposit",
        units: 1,
        reference: `${name}:${i}`,
      });
  };

  it("[LEDGER-17] neither kind nor account of a money command can stand in for the other", () => {
    const accounts = [alice, ...Array.from({ length: 20 }, () => stage.trader(0, 10))];
    const content = { asset: stage.quote, business: "deposit", units: 5, reference: "r" } as const;
    expect(eventsOf(send({ kind: "mint", account: alice, ...content }), "posting")).toHaveLength(2);
    for (const account of accounts)
      for (const kind of ["burn", "hold"] as const)
        expect(codes(send({ kind, account, ...content }))).toEqual(["REFERENCE_REUSED"]);
  });

  it("[LEDGER-18] a spent hold past its time is unknown, collected or not", () => {
    for (const collected of [false, true]) {
      collect(`older-${collected}`);
      expect(eventsOf(hold(1), "frozen")).toHaveLength(1);
      release(`a-${collected}`);
      expect(codes(release(`b-${collected}`))).toEqual(["HOLD_EXCEEDED"]);
      stage.time += DAY_MS;
      if (collected) collect("spent");
      expect(codes(release(`c-${collected}`))).toEqual(["UNKNOWN_HOLD"]);
      expect(eventsOf(hold(1), "frozen")).toHaveLength(1);
      release(`d-${collected}`);
      stage.time += DAY_MS;
    }
  });

  it("[LEDGER-18] a hold with units left outlives its time, and its reference is taken as long", () => {
    hold(5);
    for (const name of ["one", "two"]) {
      stage.time += DAY_MS;
      collect(name);
      expect(codes(hold(4))).toEqual(["REFERENCE_REUSED"]);
      expect(eventsOf(release(name), "frozen")).toHaveLength(1);
    }
  });
});
