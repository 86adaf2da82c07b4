// Client order ids: which texts are ids, and for how long one is taken.
import { beforeEach, describe, expect, it } from "vitest";
import { checkInvariants } from "../../inspect/invariants.ts";
import { coreOf } from "../../machine/machine.ts";
import { ENTRY_FINGERPRINT } from "../../memory/text-index.ts";
import type { Command } from "../../protocol/command.ts";
import type { MachineEvent } from "../../protocol/event.ts";
import { ORDER_SLOT_COUNT } from "../../protocol/layout.ts";
import { eventsOf } from "../../testing/driver.ts";
import { createStage, passRounds, type Stage } from "../../testing/stage.ts";
import { isPlainText } from "./client-ids.ts";

const DAY_MS = 86_400_000;
const WORDS = 10;

/** A length and its letters, at a word behind others. */
function wordsOf(length: number, codes: readonly number[], at = 3): Int32Array {
  const words = new Int32Array(at + WORDS + 2).fill(-1, 0, at);
  const bytes = new Uint8Array(words.buffer, at * 4);
  bytes[0] = length;
  bytes.set(codes, 1);
  return words;
}

describe("texts", () => {
  const letters = "-./0123456789:ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz";

  it("[ID-4] consist of letters, digits and six signs, at every place", () => {
    for (let code = 0; code < 256; code++) {
      const allowed = letters.includes(String.fromCharCode(code)) && code !== 0;
      expect([code, isPlainText(wordsOf(1, [code]), 3)]).toEqual([code, allowed]);
      const last = [...Array<number>(35).fill(65), code];
      expect([code, isPlainText(wordsOf(36, last), 3)]).toEqual([code, allowed]);
    }
  });

  it("[ID-4] have 1 to 36 of them, and nothing behind", () => {
    const full = (length: number, count: number): boolean =>
      isPlainText(wordsOf(length, Array<number>(count).fill(97)), 3);
    for (let count = 0; count <= 39; count++)
      expect([count, full(count, count)]).toEqual([count, count >= 1 && count <= 36]);
    for (const length of [1, 2, 20, 35]) {
      expect(full(length, length + 1)).toBe(false);
      expect(full(length, length - 1)).toBe(false);
    }
    // The last byte of all belongs to the text too.
    expect(isPlainText(wordsOf(3, [97, 97, 97, ...Array<number>(35).fill(0), 1]), 3)).toBe(false);
  });
});

describe("how long an id is taken", () => {
  let stage: Stage;
  let alice: number;

  const place = (clientOrderId: string, more: object = {}): MachineEvent[] => {
    const order = { kind: "placeOrder", account: alice, market: stage.market, side: "buy", price: 990, quantity: 5 };
    const events = stage.send({ ...order, timeInForce: "IOC", clientOrderId, ...more } as Command);
    expect(checkInvariants(stage.machine)).toEqual([]);
    return events;
  };
  const kinds = (events: readonly MachineEvent[]): string[] =>
    events.map(({ kind }) => kind).filter((kind) => ["orderAccepted", "repeated", "rejected"].includes(kind));

  beforeEach(() => {
    stage = createStage({ anchorTicks: 1_000 });
    alice = stage.trader(1e9, 1e9);
  });

  it("[ID-5] a day to the millisecond, from the order that took it", () => {
    place("a");
    stage.time += DAY_MS - 1;
    expect(kinds(place("a"))).toEqual(["repeated"]);
    expect(eventsOf(place("a", { price: 991 }), "rejected")).toMatchObject([{ code: "DUPLICATE_CLIENT_ORDER_ID" }]);
    stage.time += 1;
    expect(kinds(place("a"))).toEqual(["orderAccepted"]);
    // Taken again, for another day from now.
    stage.time += DAY_MS - 1;
    expect(kinds(place("a"))).toEqual(["repeated"]);
  });

  it("[ID-5] a repeat names the first order and command", () => {
    const [first] = eventsOf(place("a"), "orderAccepted");
    place("b");
    expect(eventsOf(place("a"), "repeated")).toMatchObject([
      { command: "placeOrder", account: alice, firstSequence: first?.sequence, orderId: first?.orderId },
    ]);
  });

  it("[ID-6] two that are over are forgotten with every new one, so that the index does not grow", () => {
    const letters = ["a", "b", "c", "d", "e"];
    for (const letter of letters) place(letter);
    stage.time += DAY_MS;
    place("f");
    // Ids of open orders stay, and do not hold up those behind them.
    const open = place("g", { timeInForce: "GTC" });
    stage.time += DAY_MS;
    for (const letter of ["h", "i", "j"]) place(letter);
    const orderId = eventsOf(open, "orderAccepted")[0]?.orderId;
    const ended = stage.send({ kind: "cancelOrder", account: alice, clientOrderId: "g" });
    expect(eventsOf(ended, "orderEnded")).toMatchObject([{ orderId }]);
    expect(kinds(place("g"))).toEqual(["orderAccepted"]);
  });

  it("[ID-5] a day anew for one taken again while older ones still wait to be forgotten", () => {
    for (const letter of ["a", "b", "c", "d", "e"]) place(letter);
    stage.time += DAY_MS;
    expect(kinds(place("e"))).toEqual(["orderAccepted"]);
    stage.time += DAY_MS - 1;
    expect(kinds(place("e"))).toEqual(["repeated"]);
  });

  it("[ID-6] are as many as the flow of a day, and those of open orders", () => {
    const known = (): number => {
      const { clientIds } = coreOf(stage.machine);
      let count = 0;
      for (let entry = clientIds.oldest(); entry !== 0; entry = clientIds.newerThan(entry)) count++;
      return count;
    };
    place("a", { timeInForce: "GTC" });
    for (const letter of ["b", "c", "d", "e", "f"]) place(letter);
    stage.time += DAY_MS - 1;
    place("g");
    expect(known()).toBe(7);
    stage.time += 1;
    // The first one's order is open: it goes behind the others. Of b to f two go with each new one; g is young.
    const counts = ["h", "i", "j", "k"].map((letter) => {
      place(letter);
      return known();
    });
    expect(counts).toEqual([7, 6, 5, 6]);
    stage.send({ kind: "cancelOrder", account: alice, clientOrderId: "a" });
    expect(kinds(place("a"))).toEqual(["orderAccepted"]);
  });

  it("[ID-8] an id says nothing of another order that has got the slot of its own", () => {
    const bob = stage.trader(1e9, 1e9);
    place("");
    const [first] = eventsOf(place("a", { timeInForce: "GTC" }), "orderAccepted");
    const slot = (first?.orderId ?? 0) % ORDER_SLOT_COUNT;
    stage.send({ kind: "cancelOrder", account: alice, clientOrderId: "a" });
    passRounds(stage.machine, 1);
    const taken = Array.from({ length: 8 }, (_, at) => {
      const [one] = eventsOf(place("", { account: bob, price: 980 - at, timeInForce: "GTC" }), "orderAccepted");
      return (one?.orderId ?? 0) % ORDER_SLOT_COUNT;
    });
    expect(taken).toContain(slot);
    const cancel = (): MachineEvent[] =>
      stage.send({ kind: "cancelOrder", account: alice, clientOrderId: "a" }).filter(({ kind }) => kind !== "clock");
    expect(cancel()).toMatchObject([{ kind: "rejected", code: "UNKNOWN_ORDER" }]);
    stage.time += DAY_MS;
    expect(kinds(place("a"))).toEqual(["orderAccepted"]);
    expect(cancel()).toMatchObject([{ kind: "rejected", code: "UNKNOWN_ORDER" }]);
    expect(checkInvariants(stage.machine)).toEqual([]);
  });

  it("[ID-8] an id nobody has, or of an order that is over, names nobody's order", () => {
    const bob = stage.trader(1e9, 1e9);
    const [first] = eventsOf(place("", { account: bob, timeInForce: "GTC" }), "orderAccepted");
    expect(first?.orderId).toBe(1);
    place("over", { price: 980 });
    for (const clientOrderId of ["none", "over"]) {
      const events = stage.send({ kind: "cancelOrder", account: alice, clientOrderId });
      expect(eventsOf(events, "rejected")).toMatchObject([{ code: "UNKNOWN_ORDER" }]);
      expect(eventsOf(events, "orderEnded")).toEqual([]);
    }
  });

  it("[ID-9] what counts as the same content is reckoned the same in every release, for snapshots carry it on", () => {
    const orders = [{}, { side: "sell", price: 1_010 }, { quantity: 7, reduceOnly: true }];
    const figures = orders.map((more, at) => {
      place(`id-${at}`, more);
      const { clientIds } = coreOf(stage.machine);
      return clientIds.double(at + 1, ENTRY_FINGERPRINT);
    });
    expect(figures).toEqual([1_674_743_931_103_575, 5_726_626_085_057_701, 1_615_762_294_935_397]);
  });

  it("[ID-7] a refused order takes no id, and the next order does not get it", () => {
    expect(kinds(place("a", { price: 5_000 }))).toEqual(["rejected"]);
    expect(eventsOf(place("", {}), "clientOrderId")).toEqual([]);
    expect(kinds(place("a"))).toEqual(["orderAccepted"]);
  });
});
