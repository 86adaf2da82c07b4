// What one order leaves outside the state decides nothing of the next: a machine just read from a snapshot does the same.
import { present } from "@clockwork/kit/assert";
import { beforeEach, describe, expect, it } from "vitest";
import { restoreMachine } from "../../machine/machine.ts";
import type { Command } from "../../protocol/command.ts";
import type { MachineEvent } from "../../protocol/event.ts";
import { type Driver, eventsOf, sendChecked } from "../../testing/driver.ts";
import { createPerpStage } from "../../testing/perp-stage.ts";
import { createStage, type Stage } from "../../testing/stage.ts";

/** Sends a command, and to a machine that knows nothing but the state as well. */
function sendTwice(driver: Driver, command: Command): MachineEvent[] {
  const fresh = restoreMachine(driver.machine.snapshot());
  const events = sendChecked(driver, command);
  fresh.apply(present(driver.journal.at(-1), "TEST", "a command"), 0);
  expect(fresh.events.bytes.slice(0, fresh.events.length)).toEqual(
    driver.machine.events.bytes.slice(0, driver.machine.events.length),
  );
  expect(fresh.stateHash()).toBe(driver.machine.stateHash());
  return events;
}

const orderId = (events: readonly MachineEvent[]): number =>
  eventsOf(events, "orderAccepted")[0]?.orderId ?? eventsOf(events, "conditionalAccepted")[0]?.orderId ?? 0;
const codes = (events: readonly MachineEvent[]): unknown[] => eventsOf(events, "rejected").map(({ code }) => code);

describe("spot", () => {
  let stage: Stage;
  let alice: number;
  let bob: number;

  const place = (account: number, side: "buy" | "sell", price: number, quantity: number, more: object = {}) =>
    sendTwice(stage, { kind: "placeOrder", account, market: stage.market, side, price, quantity, ...more } as Command);

  beforeEach(() => {
    stage = createStage({ anchorTicks: 1_000 });
    alice = stage.trader(1e8, 1e8);
    bob = stage.trader(1e8, 1e8);
  });

  it("[LEFT-1] a refused order, one that set fees aside and one that changed leave nothing to the next", () => {
    const bot = stage.trader(0, 1e6, { book: "bot" });
    expect(codes(place(alice, "sell", 1_000, 1e9))).toEqual(["INSUFFICIENT_BALANCE"]);
    expect(codes(place(alice, "sell", 1_000, 5))).toEqual([]);
    place(bot, "buy", 990, 5, { selfTrade: "EXPIRE_MAKER" });
    const plain = orderId(place(alice, "sell", 1_001, 5));
    sendTwice(stage, { kind: "amendOrder", account: alice, orderId: plain, price: 1_002, quantity: 6 });
    place(alice, "sell", 1_003, 5);
    place(alice, "sell", 1_004, 5, { clientOrderId: "named" });
    place(bob, "buy", 1_003, 13, { selfTrade: "EXPIRE_MAKER" });
    place(bob, "buy", 0, 1_004_000, { type: "market", inQuote: true });
    place(alice, "sell", 1_000, 3, { visible: 1 });
    place(alice, "sell", 1_000, 3, { timeInForce: "IOC" });
    place(bob, "buy", 1_000, 2, { selfTrade: "EXPIRE_MAKER" });
  });

  it("[LEFT-1] a plan that was refused when it was due leaves its slot to nobody", () => {
    const plan = { market: stage.market, conditional: "stopLimit", direction: "falls", trigger: 980 } as const;
    place(bob, "buy", 1_000, 1);
    place(alice, "sell", 1_000, 1);
    const poor = stage.trader(0, 10);
    const refused = { kind: "placeConditional", account: poor, side: "buy", price: 970, quantity: 1, ...plan } as const;
    const waiting = orderId(sendTwice(stage, refused));
    place(bob, "buy", 979, 1);
    expect(codes(place(alice, "sell", 979, 1))).toEqual(["INSUFFICIENT_BALANCE"]);
    const next = orderId(place(alice, "sell", 1_010, 1));
    expect(next).toBeGreaterThan(waiting);
    place(bob, "buy", 1_010, 1, { selfTrade: "EXPIRE_MAKER" });
  });
});

describe("perpetuals", () => {
  it("[LEFT-2] a stop that closed a position it names leaves neither its name nor its being a stop to the next", () => {
    const stage = createPerpStage();
    const sure = (command: Command): MachineEvent[] => sendTwice(stage, command);
    const made = stage.send({ kind: "createAccount", user: 77, book: "copyFLead" });
    const leader = present(eventsOf(made, "accountCreated")[0], "TEST", "a leader").account;
    const money = { asset: stage.usdt, business: "deposit", units: 1e12 } as const;
    stage.send({ kind: "mint", account: leader, ...money, reference: "leader" });
    const lead = { state: "active", asset: stage.usdt, shareRate: 10_000_000, followersMax: 10 } as const;
    stage.send({ kind: "setLeader", account: leader, ...lead });
    const maker = stage.trader(1e12);
    const owner = stage.trader(1e12);
    const other = stage.trader(1e12);
    sure({ kind: "setPositionMode", account: owner, hedge: true, split: true });
    const order = { kind: "placeOrder", market: stage.linear } as const;
    const trade = (account: number, side: "buy" | "sell", price: number, quantity: number): MachineEvent[] => {
      sure({ ...order, account: maker, side: side === "buy" ? "sell" : "buy", price, quantity });
      return sure({ ...order, account, side, price, quantity });
    };
    for (const account of [owner, other, leader]) trade(account, "buy", 500_000, 10);
    const [position] = stage.held(owner);
    const stop = { market: stage.linear, conditional: "stopMarket", type: "market", direction: "falls" } as const;
    const close = { ...stop, side: "sell", quantity: 4, trigger: 499_000, reduceOnly: true } as const;
    const named = { kind: "placeConditional", account: owner, position: position?.id ?? 0, ...close } as const;
    expect(codes(sure(named))).toEqual([]);
    sure({ kind: "placeConditional", account: other, ...close });
    sure({ ...order, account: maker, side: "buy", price: 498_990, quantity: 40 });
    sure({ ...order, account: leader, side: "sell", price: 498_990, quantity: 1 });
    expect(stage.held(owner)[0]?.lots).toBe(6);
    expect(stage.held(other)[0]?.lots).toBe(6);
    sure({ ...order, account: leader, side: "sell", price: 498_990, quantity: 2 });
    sure({ ...order, account: other, side: "sell", price: 500_100, quantity: 2 });
    sure({ ...order, account: owner, side: "buy", price: 490_100, quantity: 2 });
  });
});
