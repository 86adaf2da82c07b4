// Ending many orders at once: whose, of which market, in which order, and when by a switch.
import { present } from "@clockwork/kit/assert";
import { beforeEach, describe, expect, it } from "vitest";
import { O_FLAGS, ORDER_SHIFT } from "../../book/orders.ts";
import { coreOf } from "../../machine/machine.ts";
import type { Command } from "../../protocol/command.ts";
import type { MachineEvent } from "../../protocol/event.ts";
import { eventsOf, sendChecked } from "../../testing/driver.ts";
import { createStage, passRounds, type Stage } from "../../testing/stage.ts";

const NEVER = Number.POSITIVE_INFINITY;

let stage: Stage;
let other: number;
let alice: number;
let bob: number;

const send = (command: Command): MachineEvent[] => sendChecked(stage, command);
const limit = (account: number, side: "buy" | "sell", price: number, market = stage.market): number => {
  const events = send({ kind: "placeOrder", account, market, side, price, quantity: 5 });
  return present(eventsOf(events, "orderAccepted")[0], "TEST", "an order").orderId;
};
const plan = (market = stage.market): number => {
  const order = { account: alice, market, side: "sell", price: 900, quantity: 5 } as const;
  const stop = { conditional: "stopLimit", direction: "falls", trigger: 900 } as const;
  const events = send({ kind: "placeConditional", ...order, ...stop });
  return present(eventsOf(events, "conditionalAccepted")[0], "TEST", "a plan").orderId;
};
const slicer = (market = stage.market): number => {
  const order = { account: alice, market, side: "buy", price: 1_000, quantity: 300 } as const;
  const events = send({ kind: "placeTwap", ...order, durationMs: 300_000, intervalMs: 10_000 });
  return present(eventsOf(events, "twapStarted")[0], "TEST", "a slicer").twap;
};
const ended = (events: readonly MachineEvent[]): [number, string][] =>
  events.flatMap((event): [number, string][] => {
    if (event.kind === "orderEnded") return [[event.orderId, event.reason]];
    return event.kind === "twapEnded" ? [[event.twap, event.reason]] : [];
  });
const codes = (events: readonly MachineEvent[]): unknown[] => eventsOf(events, "rejected").map(({ code }) => code);

beforeEach(() => {
  stage = createStage({ anchorTicks: 1_000 });
  const listing = { base: stage.base, quote: stage.quote, tickMantissa: 1, tickDecimals: 1, stepUnits: 1_000 };
  const listed = send({ kind: "listMarket", ...listing, symbol: "BTC/USDT:2", anchorTicks: 1_000 });
  other = present(eventsOf(listed, "marketListed")[0], "TEST", "a market").market;
  alice = stage.trader(1e9, 1e9);
  bob = stage.trader(1e9, 1e9);
  // The first slot of all is a stranger's, who stays.
  limit(stage.trader(0, 1e9), "buy", 500);
  for (const market of [stage.market, other]) {
    limit(bob, "sell", 1_000, market);
    limit(alice, "buy", 1_000, market);
  }
});

describe("cancel all", () => {
  it("[CANCEL-2] ends one market's or every market's, and nobody else's", () => {
    const [first, second] = [limit(alice, "buy", 990), limit(alice, "buy", 990, other)];
    limit(bob, "buy", 980);
    expect(ended(send({ kind: "cancelAll", account: alice, market: other }))).toEqual([[second, "CANCEL_ALL"]]);
    const third = limit(alice, "buy", 991, other);
    expect(ended(send({ kind: "cancelAll", account: alice }))).toEqual([
      [first, "CANCEL_ALL"],
      [third, "CANCEL_ALL"],
    ]);
    expect(ended(send({ kind: "cancelAll", account: alice }))).toEqual([]);
    for (const market of [0, other + 1, -2])
      expect(codes(send({ kind: "cancelAll", account: alice, market }))).toEqual(["UNKNOWN_MARKET"]);
  });

  it("[CANCEL-2] of a market nobody has traded in ends nothing", () => {
    const carol = stage.trader(0, 1e6);
    limit(carol, "buy", 990);
    expect(ended(send({ kind: "cancelAll", account: carol, market: other }))).toEqual([]);
  });

  it("[CANCEL-3] leaves plans and slicers alone when told to, and ends them oldest first when not", () => {
    const ids = [plan(), limit(alice, "buy", 990), slicer(), plan(other), limit(alice, "buy", 980, other)];
    expect(ended(send({ kind: "cancelAll", account: alice, conditionals: false }))).toEqual([
      [ids[1], "CANCEL_ALL"],
      [ids[4], "CANCEL_ALL"],
    ]);
    const younger = limit(alice, "buy", 970);
    expect(ended(send({ kind: "cancelAll", account: alice }))).toEqual(
      [ids[0], ids[2], ids[3], younger].map((id) => [id, "CANCEL_ALL"]),
    );
    expect(stage.machine.nextTimerAt).toBe(NEVER);
    const { ledger } = coreOf(stage.machine);
    for (const asset of [stage.base, stage.quote]) expect(ledger.frozen(ledger.cellOf(alice, asset))).toBe(0);
  });

  it("[CANCEL-3] orders of one command end by their ids, an amended one by its new age", () => {
    const order = { account: alice, market: stage.market, side: "buy", price: 990, priceTo: 980 } as const;
    const scaled = eventsOf(send({ kind: "placeScaled", ...order, quantity: 30, count: 3 }), "orderAccepted");
    const [a, b, c] = scaled.map(({ orderId }) => orderId);
    send({ kind: "cancelOrder", account: alice, orderId: b ?? 0 });
    const d = limit(alice, "buy", 970);
    send({ kind: "amendOrder", account: alice, orderId: a ?? 0, price: 991 });
    expect(ended(send({ kind: "cancelAll", account: alice })).map(([id]) => id)).toEqual([c, d, a]);
    // Whatever places among the open orders they get.
    for (const places of [
      [0, 1, 2],
      [2, 1, 0],
      [1, 0, 2],
    ]) {
      const before = [limit(alice, "buy", 970), limit(alice, "buy", 970), limit(alice, "buy", 970)];
      for (const place of places) send({ kind: "cancelOrder", account: alice, orderId: before[place] ?? 0 });
      const again = send({ kind: "placeScaled", ...order, quantity: 30, count: 3 });
      const ids = eventsOf(again, "orderAccepted").map(({ orderId }) => orderId);
      expect(ended(send({ kind: "cancelAll", account: alice })).map(([id]) => id)).toEqual(ids);
    }
  });

  it("[CANCEL-4] does nothing but end them: nothing is refused, and a stranger's bracket keeps what it has gathered", () => {
    stage = createStage({ anchorTicks: 1_000, minNotionalUnits: 4_000 });
    alice = stage.trader(1e9, 1e9);
    bob = stage.trader(1e9, 1e9);
    const order = { account: bob, market: stage.market, price: 1_000, quantity: 10 } as const;
    const made = send({ kind: "placeBracket", side: "buy", ...order, profitPrice: 1_100, stopTrigger: 900 });
    expect(eventsOf(made, "listCreated")).toMatchObject([{ list: 1 }]);
    send({ kind: "placeOrder", side: "sell", ...order, account: alice, quantity: 4 });
    limit(alice, "buy", 990);
    const swept = send({ kind: "cancelAll", account: alice });
    expect(swept.map(({ kind }) => kind)).toEqual(["orderEnded", "depth"]);
    // Ten lots less a fee of a thousandth.
    const rest = send({ kind: "placeOrder", side: "sell", ...order, account: alice, quantity: 6 });
    expect(eventsOf(rest, "conditionalAccepted")).toMatchObject([{ account: bob, quantity: 9 }]);
  });
});

describe("the dead-man's switch", () => {
  const arm = (timeoutMs: number, market?: number): MachineEvent[] =>
    send({ kind: "setDeadMan", account: alice, timeoutMs, ...(market === undefined ? {} : { market }) });
  const pass = (ms: number): MachineEvent[] => {
    stage.time += ms;
    return send({ kind: "tick" });
  };

  it("[DEAD-MAN-2] takes three seconds to five minutes, both included, of a market there is", () => {
    expect(codes(arm(2_999))).toEqual(["INVALID_TIMEOUT"]);
    expect(codes(arm(300_001))).toEqual(["INVALID_TIMEOUT"]);
    expect(codes(arm(-1))).toEqual(["INVALID_TIMEOUT"]);
    expect(codes(arm(3_000, other + 1))).toEqual(["UNKNOWN_MARKET"]);
    expect(stage.machine.nextTimerAt).toBe(NEVER);
    expect(eventsOf(arm(3_000), "deadManSet")).toMatchObject([
      { account: alice, market: -1, firesAt: stage.time + 3_000 },
    ]);
    expect(eventsOf(arm(300_000, other), "deadManSet")).toMatchObject([
      { account: alice, market: other, firesAt: stage.time + 300_000 },
    ]);
    expect(stage.machine.nextTimerAt).toBe(stage.time + 3_000);
  });

  it("[DEAD-MAN-2] is renewed and disarmed for what it was armed for", () => {
    arm(3_000);
    arm(5_000, other);
    arm(9_000);
    expect(stage.machine.nextTimerAt).toBe(stage.time + 5_000);
    expect(eventsOf(arm(0, other), "deadManSet")).toMatchObject([{ market: other, firesAt: 0 }]);
    expect(stage.machine.nextTimerAt).toBe(stage.time + 9_000);
    arm(0, stage.market);
    arm(0);
    expect(stage.machine.nextTimerAt).toBe(NEVER);
    limit(alice, "buy", 990);
    expect(ended(pass(300_000))).toEqual([]);
  });

  it("[DEAD-MAN-4] that fired or was disarmed leaves no slot behind and has no hand in whoever gets it next", () => {
    const { table } = coreOf(stage.machine).books.orders;
    const isLive = (slot: number): boolean => (table.i32[(slot << ORDER_SHIFT) | O_FLAGS] as number) !== 0;
    const live = (): number => Array.from({ length: table.count }, (_, slot) => slot).filter(isLive).length;
    const first = limit(bob, "buy", 980);
    const before = live();
    for (const market of [undefined, stage.market, other]) {
      arm(3_000, market);
      expect(live()).toBe(before + 1);
      arm(4_000, market);
      expect(live()).toBe(before + 1);
      arm(0, market);
      expect(live()).toBe(before);
      arm(3_000, market);
      expect(eventsOf(pass(3_000), "deadManFired")).toHaveLength(1);
      expect(live()).toBe(before);
    }
    expect(coreOf(stage.machine).books.orders.id(0)).toBe(0);
    passRounds(stage.machine, 1);
    const next = Array.from({ length: 24 }, (_, at) => limit(bob, "buy", 950 - at));
    for (const market of [undefined, stage.market, other]) {
      expect(arm(0, market).map(({ kind }) => kind)).toEqual(["deadManSet"]);
      arm(3_000, market);
      arm(0, market);
    }
    const all = ended(send({ kind: "cancelAll", account: bob }));
    expect(all.map(([id]) => id)).toEqual([first, ...next]);
  });

  it("[DEAD-MAN-3] of one market ends what is there, plans and slicers too, once", () => {
    const kept = limit(alice, "buy", 990);
    const ids = [limit(alice, "buy", 990, other), plan(other), slicer(other)];
    limit(bob, "buy", 980, other);
    arm(5_000, other);
    expect(ended(pass(4_999))).toEqual([]);
    const events = pass(1);
    expect(eventsOf(events, "deadManFired")).toMatchObject([{ account: alice, market: other }]);
    expect(ended(events)).toEqual(ids.map((id) => [id, "DEAD_MAN"]));
    expect(stage.machine.nextTimerAt).toBe(NEVER);
    arm(4_000);
    const all = pass(4_000);
    expect(eventsOf(all, "deadManFired")).toMatchObject([{ account: alice, market: -1 }]);
    expect(ended(all)).toEqual([[kept, "DEAD_MAN"]]);
    // Neither is armed any more: what comes now stays.
    limit(alice, "buy", 990, other);
    arm(0);
    arm(0, other);
    expect(ended(pass(600_000))).toEqual([]);
  });
});
