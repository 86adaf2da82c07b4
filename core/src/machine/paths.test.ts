// Bound paths beside the current views: the same script on a machine that binds them at once and on one that never
// does must write the same events and reach the same state.
import { PRICE_TICKS_MAX } from "@clockwork/kit/instrument";
import { expect, it } from "vitest";
import { checkInvariants } from "../inspect/invariants.ts";
import type { Command } from "../protocol/command.ts";
import type { MachineEvent } from "../protocol/event.ts";
import { eventsOf } from "../testing/driver.ts";
import { createStage, drawBook, type Stage, type TraderOptions } from "../testing/stage.ts";
import { createMachine } from "./machine.ts";

type Amend = Partial<Extract<Command, { kind: "amendOrder" }>>;
interface Player {
  readonly stage: Stage;
  limit(account: number, side: "buy" | "sell", price: number, quantity: number): number;
  amend(account: number, orderId: number, change: Amend): void;
}

/** Plays the script on both machines and returns the events of all its commands. */
function playTwice(market: Partial<Extract<Command, { kind: "listMarket" }>>, script: (player: Player) => void) {
  const played = [0, Number.POSITIVE_INFINITY].map((fastPathsAfter) => {
    const machine = createMachine({ fastPathsAfter, orderCapacity: 256, accountCapacity: 64, eventCapacity: 1_024 });
    const stage = createStage(market, machine);
    const events: MachineEvent[] = [];
    const send = (command: Command): MachineEvent[] => {
      const published = stage.send(command);
      events.push(...published);
      return published;
    };
    const player: Player = {
      stage,
      limit: (account, side, price, quantity) =>
        eventsOf(send({ kind: "placeOrder", account, market: stage.market, side, price, quantity }), "orderAccepted")[0]
          ?.orderId ?? 0,
      amend: (account, orderId, change) => void send({ kind: "amendOrder", account, orderId, ...change }),
    };
    script(player);
    expect(checkInvariants(machine)).toEqual([]);
    return { events, hash: machine.stateHash(), book: drawBook(machine, stage.market) };
  });
  expect(played[0]).toEqual(played[1]);
  return played[0]?.events ?? [];
}

const rich = (stage: Stage, options?: TraderOptions): number => stage.trader(1e12, 1e15, options);

it("[BOOK-14] a price beyond the highest is refused where it crosses and no band is known", () => {
  const events = playTwice({}, ({ stage, limit }) => {
    const [alice, bob] = [rich(stage), rich(stage)];
    limit(alice, "sell", 1_000, 5);
    limit(bob, "buy", PRICE_TICKS_MAX + 1, 1);
    limit(bob, "buy", PRICE_TICKS_MAX, 1);
  });
  expect(eventsOf(events, "rejected").map(({ code }) => code)).toEqual(["INVALID_PRICE"]);
  expect(eventsOf(events, "trade")).toHaveLength(1);
});

it("[BOOK-15] a changed price gives the same queue, money and depth on bound and on current views", () => {
  const events = playTwice({}, ({ stage, limit, amend }) => {
    const [alice, bob] = [rich(stage), rich(stage)];
    const alone = limit(alice, "sell", 5_000, 4);
    const first = limit(alice, "sell", 5_010, 4);
    limit(bob, "sell", 5_010, 6);
    const bid = limit(bob, "buy", 4_990, 8);
    limit(alice, "buy", 4_990, 3);
    // Alone at its price, to a queue and back; the last of a page that is needed again at once; a new page.
    amend(alice, alone, { price: 5_010 });
    amend(alice, alone, { price: 5_000 });
    amend(alice, first, { price: 5_011 });
    amend(bob, bid, { price: 4_980, quantity: 9 });
    amend(bob, bid, { quantity: 20 });
    amend(bob, bid, { quantity: 2 });
    const far = limit(alice, "sell", 200_000, 1);
    amend(alice, far, { price: 200_001 });
    amend(alice, far, { price: 300_000 });
    // Partly filled: the total counts what was filled.
    limit(bob, "buy", 5_000, 1);
    amend(alice, alone, { price: 5_002, quantity: 10 });
    amend(alice, alone, { price: 5_003, quantity: 1 });
    // Nothing changes, nobody's, gone.
    amend(alice, alone, { price: 5_002 });
    amend(bob, alone, { price: 5_004 });
    stage.send({ kind: "cancelOrder", account: alice, orderId: alone });
    amend(alice, alone, { price: 5_004 });
    amend(alice, first, { price: PRICE_TICKS_MAX + 1 });
    // Across the spread it is a taker.
    amend(bob, bid, { price: 5_010, quantity: 30 });
  });
  expect(eventsOf(events, "orderAmended").length).toBeGreaterThan(8);
});

it("[BOOK-15] a change that money, count, size or band forbid is refused with the same code on bound views", () => {
  const market = { anchorTicks: 1_000, minNotionalUnits: 500, restingOrdersMax: 2 } as const;
  const events = playTwice(market, ({ stage, limit, amend }) => {
    const [poor, bob] = [stage.trader(5_000, 9_000), rich(stage)];
    const bid = limit(poor, "buy", 900, 10);
    const ask = limit(poor, "sell", 1_100, 5);
    amend(poor, bid, { price: 901 });
    amend(poor, ask, { quantity: 6 });
    amend(poor, bid, { price: 899 });
    amend(poor, bid, { price: 50 });
    amend(poor, ask, { price: 90_000 });
    limit(bob, "sell", 950, 1);
    amend(poor, bid, { price: 960, quantity: 1 });
    amend(poor, bid, { price: 600, quantity: 12 });
  });
  expect(new Set(eventsOf(events, "rejected").map(({ code }) => code)).size).toBeGreaterThan(1);
});
