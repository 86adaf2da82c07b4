import { describe, expect, it } from "vitest";
import {
  commandLength,
  commandSequence,
  commandTime,
  decodeCommand,
  encodeBatch,
  encodeCommand,
  stampCommand,
} from "./codec.ts";
import { COMMANDS, type Command } from "./command.ts";
import { EVENT_BYTES, EVENTS } from "./event.ts";
import type { Layout } from "./layout.ts";

const samples: readonly Command[] = [
  { kind: "tick" },
  { kind: "createAccount", user: 7, book: "bot", sub: 3, group: 5 },
  { kind: "listAsset", symbol: "BTC", scale: 8 },
  { kind: "mint", account: 16, asset: 2, units: 2 ** 53 - 1, business: "deposit", reference: "a".repeat(36) },
  { kind: "capture", account: 16, to: 10, units: 5, business: "withdrawal", reference: "c", hold: "h" },
  {
    kind: "placeOrder",
    account: 16,
    market: 1,
    side: "sell",
    price: 5,
    quantity: 9,
    timeInForce: "FOK",
    selfTrade: "DECREMENT",
    clientOrderId: "x:y/z",
  },
  { kind: "amendOrder", account: 16, orderId: 2 ** 52 + 77, price: 4 },
  { kind: "placeBracket", account: 16, market: 1, side: "buy", price: 5, quantity: 9, profitPrice: 8, stopTrigger: 3 },
];

describe("command bytes", () => {
  it.each(samples)("[CODEC-7] $kind reads back as it was written", (command) => {
    const bytes = new Uint8Array(512).fill(255);
    const length = encodeCommand(command, bytes, 8);
    const view = new DataView(bytes.buffer);
    stampCommand(view, 8, 42, 1_700_000_000_000);
    expect(decodeCommand(bytes, 8)).toMatchObject({ ...command, sequence: 42, time: 1_700_000_000_000 });
    expect([commandLength(view, 8), commandSequence(view, 8), commandTime(view, 8)]).toEqual([
      length,
      42,
      1_700_000_000_000,
    ]);
    expect(length % 8).toBe(0);
  });

  it("[CODEC-8] trailing zeros are not carried: a plain order is 48 bytes, a cancel 32", () => {
    const bytes = new Uint8Array(512);
    const plain = {
      kind: "placeOrder",
      account: 16,
      market: 1,
      side: "sell",
      price: 5,
      quantity: 9,
      timeInForce: "IOC",
    } as const;
    expect(encodeCommand(plain, bytes)).toBe(48);
    expect(encodeCommand({ kind: "cancelOrder", account: 16, orderId: 5 }, bytes)).toBe(32);
  });

  it("[CODEC-9] a batch keeps its items", () => {
    const bytes = new Uint8Array(2_048);
    const items: Command[] = [{ kind: "cancelOrder", account: 16, orderId: 3 }, samples[5] as Command];
    encodeBatch(16, items, bytes);
    expect(decodeCommand(bytes).items).toMatchObject(items);
  });

  it.each([
    ["CODEC-1", { kind: "mint", account: 16, asset: 2, units: 2 ** 53, business: "deposit", reference: "a" }],
    ["CODEC-2", { kind: "mint", account: 16, asset: 2, units: 1, business: "theft", reference: "a" }],
    ["CODEC-3", { kind: "mint", account: 16, asset: 2, units: 1, business: "deposit", reference: "a".repeat(37) }],
    ["CODEC-5", { kind: "mint", account: 16, asset: 2, business: "deposit", reference: "a" }],
  ])("[%s] what has no bytes is not written", (rule, command) => {
    expect(() => encodeCommand(command as unknown as Command, new Uint8Array(512))).toThrow(rule);
  });

  it("[CODEC-10] kinds are unique and members never overlap or leave their record", () => {
    const places = (layout: Layout, header: number): void => {
      const taken = new Map<number, string>();
      for (const [name, { at, size }] of Object.entries(layout)) {
        for (let byte = at; byte < at + size; byte++) {
          // Flag words are shared on purpose.
          if (byte >= header) expect(taken.get(byte), `${name} at byte ${byte}`).toBeUndefined();
          taken.set(byte, name);
        }
      }
    };
    for (const { layout } of Object.values(COMMANDS)) places(layout as unknown as Layout, 8);
    for (const { layout } of Object.values(EVENTS)) {
      places(layout as unknown as Layout, 8);
      for (const { at, size } of Object.values(layout)) expect(at + size).toBeLessThanOrEqual(EVENT_BYTES);
    }
    for (const table of [COMMANDS, EVENTS]) {
      const kinds = Object.values(table).map(({ kind }) => kind);
      expect(new Set(kinds).size).toBe(kinds.length);
    }
  });
});
