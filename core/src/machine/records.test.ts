// Records at their edges: cut short, malformed, of an unknown kind, with other bytes behind them.
import { beforeEach, describe, expect, it } from "vitest";
import { decodeEvents, encodeBatch, encodeCommand, stampCommand } from "../protocol/codec.ts";
import { COMMAND_HEADER_BYTES, COMMANDS, type Command } from "../protocol/command.ts";
import type { MachineEvent } from "../protocol/event.ts";
import { eventsOf } from "../testing/driver.ts";
import { createStage, drawBook, type Stage } from "../testing/stage.ts";

let stage: Stage;
let alice: number;

/** Applies bytes with others behind them, as in a journal or a ring. */
const applyBytes = (record: Uint8Array, behind: Uint8Array, at = 0): MachineEvent[] => {
  const bytes = new Uint8Array(at + record.length + behind.length + 64);
  bytes.set(record, at);
  bytes.set(behind, at + record.length);
  const { machine } = stage;
  stampCommand(new DataView(bytes.buffer), at, machine.sequence + 1, stage.time);
  const before = machine.now;
  machine.events.clear();
  machine.apply(bytes, at);
  return decodeEvents(machine.events.bytes, 0, machine.events.length, before);
};
const encode = (command: Command): Uint8Array => {
  const bytes = new Uint8Array(512);
  return bytes.slice(0, encodeCommand(command, bytes));
};
const clientIdX = Uint8Array.of(1, "x".charCodeAt(0));
const nothing = new Uint8Array(0);
const codes = (events: readonly MachineEvent[]): unknown[] => eventsOf(events, "rejected").map(({ code }) => code);

beforeEach(() => {
  stage = createStage({ anchorTicks: 1_000 });
  alice = stage.trader(1e8, 1e8);
  stage.send({
    kind: "placeOrder",
    account: alice,
    market: stage.market,
    side: "buy",
    price: 1_000,
    quantity: 5,
    clientOrderId: "x",
  });
});

describe("what stands behind a record", () => {
  it("[CODEC-11] an amend that names no order never reads a client id from the bytes behind it", () => {
    const record = encode({ kind: "amendOrder", account: alice, orderId: 0, quantity: 7 });
    expect(record.length).toBe(48);
    expect(codes(applyBytes(record, clientIdX))).toEqual(["UNKNOWN_ORDER"]);
    expect(drawBook(stage.machine, stage.market)).toBe("--\n1000 5");
  });

  it("[CODEC-11] a cancel that names no slot never reads a client id from the bytes behind it", () => {
    const record = encode({ kind: "cancelOrder", account: alice, orderId: 5 * 2 ** 24 });
    expect(record.length).toBe(32);
    expect(codes(applyBytes(record, clientIdX))).toEqual(["UNKNOWN_ORDER"]);
    expect(drawBook(stage.machine, stage.market)).toBe("--\n1000 5");
  });

  it("[CODEC-11] a batch cut before its count has none, whatever stands behind it", () => {
    const item = encode({ kind: "cancelOrder", account: alice, clientOrderId: "x" });
    const record = encode({ kind: "batch", account: alice, count: 0 });
    const behind = new Uint8Array(8 + item.length);
    behind[0] = 1;
    behind.set(item, 8);
    expect(codes(applyBytes(record, behind))).toEqual(["BATCH_TOO_LARGE"]);
    expect(drawBook(stage.machine, stage.market)).toBe("--\n1000 5");
  });
});

describe("malformed records", () => {
  const place = (): Uint8Array =>
    encode({ kind: "placeOrder", account: alice, market: stage.market, side: "buy", price: 1_000, quantity: 5 });

  it.each([8, 44])("[CODEC-12] a record of %i bytes is refused and names no market of an earlier one", (length) => {
    const record = place();
    record[0] = length;
    expect(eventsOf(applyBytes(record, nothing), "rejected")[0]).toMatchObject({
      code: "MALFORMED_COMMAND",
      command: "placeOrder",
      market: 0,
    });
  });

  it("[CODEC-12] a record that is not aligned is refused as an aligned one is", () => {
    const record = place();
    record[0] = 8;
    expect(eventsOf(applyBytes(record, nothing, 4), "rejected")[0]).toMatchObject({ code: "MALFORMED_COMMAND" });
    const long = new Uint8Array(9_000);
    encodeBatch(alice, [{ kind: "cancelOrder", account: alice, clientOrderId: "x" }], long);
    new DataView(long.buffer).setUint16(0, 8_200, true);
    for (const at of [0, 4]) expect(codes(applyBytes(long, nothing, at))).toEqual(["MALFORMED_COMMAND"]);
  });

  it("[CODEC-13] a kind nobody knows is refused without a name", () => {
    const record = new Uint8Array(COMMAND_HEADER_BYTES);
    record[0] = COMMAND_HEADER_BYTES;
    record[2] = 200;
    expect(eventsOf(applyBytes(record, nothing), "rejected")[0]).toMatchObject({
      code: "UNKNOWN_COMMAND",
      command: "none",
    });
  });

  it("[CODEC-13] a money command of a business nobody knows is refused", () => {
    for (const kind of ["mint", "burn", "hold"] as const) {
      const record = encode({
        kind,
        account: alice,
        asset: stage.quote,
        business: "deposit",
        units: 5,
        reference: "r",
      });
      expect(record[2]).toBe(COMMANDS[kind].kind);
      record[28] = 250;
      expect(codes(applyBytes(record, nothing))).toEqual(["MALFORMED_COMMAND"]);
    }
  });
});

describe("who asks", () => {
  it("[MACHINE-6] a stranger is unknown before his order is, by id as by client id", () => {
    const outsider = 9_999;
    const commands: readonly Command[] = [
      { kind: "cancelOrder", account: outsider, orderId: 1 },
      { kind: "cancelOrder", account: outsider, clientOrderId: "x" },
      { kind: "amendOrder", account: outsider, orderId: 1, quantity: 7 },
      { kind: "amendOrder", account: outsider, clientOrderId: "x", quantity: 7 },
    ];
    for (const command of commands) expect(codes(stage.send(command))).toEqual(["UNKNOWN_ACCOUNT"]);
  });

  it("[MACHINE-6] a stranger is unknown before his order is malformed, short or long", () => {
    const order = {
      kind: "placeOrder",
      account: 9_999,
      market: stage.market,
      side: "sell",
      price: 1,
      quantity: 1,
    } as const;
    for (const command of [order, { ...order, clientOrderId: "y" }]) {
      const record = encode(command);
      record[40] = 9;
      expect(codes(applyBytes(record, nothing))).toEqual(["UNKNOWN_ACCOUNT"]);
      new DataView(record.buffer).setInt32(4, alice, true);
      expect(codes(applyBytes(record, nothing))).toEqual(["MALFORMED_COMMAND"]);
    }
  });
});
