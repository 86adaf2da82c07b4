// Client order ids: which texts are ids, and for how long one is taken.
import { beforeEach, describe, expect, it } from "vitest";
import { checkInvariants } from "../../inspect/invariants.ts";
import type { Command } from "../../protocol/command.ts";
import type { MachineEvent } from "../../protocol/event.ts";
import { eventsOf } from "../../testing/driver.ts";
import { createStage, type Stage } from "../../testing/stage.ts";
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

  it("[ID-7] a refused order takes no id, and the next order does not get it", () => {
    expect(kinds(place("a", { price: 5_000 }))).toEqual(["rejected"]);
    expect(eventsOf(place("", {}), "clientOrderId")).toEqual([]);
    expect(kinds(place("a"))).toEqual(["orderAccepted"]);
  });
});
