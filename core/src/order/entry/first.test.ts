// The first list, the first second record and the smallest reserve are like any other: nothing takes a number for none.
import { present } from "@clockwork/kit/assert";
import { beforeEach, describe, expect, it } from "vitest";
import { EXTRA_WORDS } from "../../book/orders.ts";
import { coreOf } from "../../machine/machine.ts";
import type { Command } from "../../protocol/command.ts";
import type { MachineEvent } from "../../protocol/event.ts";
import { eventsOf, sendChecked } from "../../testing/driver.ts";
import { createStage, type Stage } from "../../testing/stage.ts";

let stage: Stage;
let alice: number;
let bob: number;

const send = (command: Command): MachineEvent[] => sendChecked(stage, command);
const limit = (account: number, side: "buy" | "sell", price: number, quantity: number, more: object = {}) =>
  send({ kind: "placeOrder", account, market: stage.market, side, price, quantity, ...more } as Command);
const bracket = (more: object = {}): MachineEvent[] => {
  const entry = { account: alice, market: stage.market, side: "buy", price: 990, quantity: 10, ...more } as const;
  return send({ kind: "placeBracket", ...entry, profitPrice: 1_100, stopTrigger: 900 });
};
const placedId = (events: readonly MachineEvent[]): number =>
  present(eventsOf(events, "orderAccepted")[0], "TEST", "an order").orderId;
const frozen = (account: number): number => {
  const { ledger } = coreOf(stage.machine);
  return ledger.frozen(ledger.cellOf(account, stage.quote));
};

beforeEach(() => {
  stage = createStage({ anchorTicks: 1_000 });
  send({ kind: "setFeeGroup", feeGroup: 0, makerRate: 0, takerRate: 0 });
  alice = stage.trader(1e8, 1e8);
  bob = stage.trader(1e8, 1e8);
});

describe("what comes first", () => {
  it("[FIRST-1] a list with the first id of all knows its legs: its exit is not changed, and filled takes the stop along", () => {
    const made = bracket();
    const list = present(eventsOf(made, "listCreated")[0], "TEST", "a list").list;
    expect(list).toBe(1);
    const armed = eventsOf(limit(bob, "sell", 990, 10), "orderAccepted").filter(({ account }) => account === alice);
    const exit = present(armed[0], "TEST", "an exit");
    expect(exit).toMatchObject({ side: "sell", price: 1_100, quantity: 10 });
    const amend = { kind: "amendOrder", account: alice, orderId: exit.orderId } as const;
    expect(eventsOf(send({ ...amend, price: 1_110 }), "rejected")).toMatchObject([{ code: "AMEND_NOT_ALLOWED" }]);
    const filled = limit(bob, "buy", 1_100, 10);
    expect(eventsOf(filled, "orderEnded")).toMatchObject([{ account: alice, reason: "LIST_SIBLING", lots: 10 }]);
    expect(eventsOf(filled, "listEnded")).toMatchObject([{ list, reason: "LIST_DONE" }]);
  });

  /** Two second records that are given back one after the other: a list takes the later, its entry the first of all. */
  const freeFirst = (): void => {
    const timed = { timeInForce: "GTD", expiresAt: stage.time + 600_000 };
    const orders = [limit(alice, "buy", 900, 1, timed), limit(alice, "buy", 900, 1, timed)].map(placedId);
    for (const orderId of orders) send({ kind: "cancelOrder", account: alice, orderId });
  };

  it("[FIRST-2] an entry that takes with the first second record arms its exits, and one that ends unfilled ends its list", () => {
    freeFirst();
    expect(eventsOf(bracket({ timeInForce: "IOC" }), "listEnded")).toMatchObject([{ reason: "LIST_DONE" }]);
    // Entry and list gave theirs back in the same order.
    limit(bob, "sell", 990, 10);
    const armed = eventsOf(bracket(), "orderAccepted").at(-1);
    expect(armed).toMatchObject({ side: "sell", price: 1_100, quantity: 10 });
    expect(eventsOf(limit(bob, "buy", 1_100, 10), "listEnded")).toMatchObject([{ reason: "LIST_DONE" }]);
  });
});

describe("the smallest reserve", () => {
  let bot: number;
  const fees = (rate: number): unknown =>
    send({ kind: "setAccountFees", account: bot, feeGroup: 0, makerRate: 0, takerRate: rate });
  const cancel = (orderId: number): unknown =>
    eventsOf(send({ kind: "cancelOrder", account: bot, orderId }), "orderEnded")[0]?.releasedUnits;

  beforeEach(() => {
    bot = stage.trader(0, 1e6, { book: "bot" });
  });

  it("[FIRST-3] one unit set aside for a fee belongs to its order, from the start or by a change, and comes back", () => {
    // A ten-thousandth of 5 000 is half a unit.
    fees(10_000);
    const orderId = placedId(limit(bot, "buy", 1_000, 5));
    expect(frozen(bot)).toBe(5_001);
    expect(cancel(orderId)).toBe(5_001);
    fees(0);
    const later = placedId(limit(bot, "buy", 1_000, 5));
    expect(frozen(bot)).toBe(5_000);
    fees(10_000);
    send({ kind: "amendOrder", account: bot, orderId: later, price: 1_001 });
    expect(frozen(bot)).toBe(5_006);
    expect(cancel(later)).toBe(5_006);
    expect(frozen(bot)).toBe(0);
  });

  it("[FIRST-3] a change without a fee gives the reserve back, whichever second record holds it", () => {
    for (const others of [0, 1]) {
      for (let i = 0; i < others; i++)
        limit(alice, "buy", 900, 1, { timeInForce: "GTD", expiresAt: stage.time + 600_000 });
      fees(1_000_000);
      const orderId = placedId(limit(bot, "buy", 1_000, 5));
      expect(frozen(bot)).toBe(5_050);
      fees(0);
      const [amended] = eventsOf(send({ kind: "amendOrder", account: bot, orderId, price: 1_001 }), "orderAmended");
      expect(amended).toMatchObject({ heldUnits: -45, frozenUnits: 5_005 });
      expect(cancel(orderId)).toBe(5_005);
    }
  });

  it("[FIRST-4] what is filled with a second record and no list is noted nowhere", () => {
    fees(1_000_000);
    const until = { timeInForce: "GTD", expiresAt: stage.time + 600_000 };
    limit(bot, "buy", 1_000, 5);
    limit(alice, "sell", 1_000, 3);
    limit(alice, "sell", 1_001, 3, until);
    limit(bot, "buy", 1_001, 4);
    const { extras } = coreOf(stage.machine).books.orders;
    expect([...extras.i32.subarray(0, EXTRA_WORDS)]).toEqual(Array.from({ length: EXTRA_WORDS }, () => 0));
  });
});

describe("an entry that is changed", () => {
  it("[FIRST-6] and meets its owner's own order ends with its list, whichever second record it has", () => {
    for (const others of [0, 1]) {
      const timed = { timeInForce: "GTD", expiresAt: stage.time + 600_000 };
      for (let i = 0; i < others; i++) limit(bob, "buy", 900, 1, timed);
      // The later of two that are given back goes to the list, the first to its entry.
      const freed = [limit(alice, "buy", 900, 1, timed), limit(alice, "buy", 900, 1, timed)].map(placedId);
      for (const orderId of freed) send({ kind: "cancelOrder", account: alice, orderId });
      const entry = placedId(bracket());
      const own = placedId(limit(alice, "sell", 1_000, 1));
      const changed = send({ kind: "amendOrder", account: alice, orderId: entry, price: 1_000 });
      expect(eventsOf(changed, "orderEnded")).toMatchObject([{ orderId: entry, reason: "STP_TAKER", lots: 10 }]);
      expect(eventsOf(changed, "listEnded")).toMatchObject([{ reason: "LIST_DONE" }]);
      send({ kind: "cancelOrder", account: alice, orderId: own });
    }
  });
});
