// Seeded sessions of every command kind: after each command the invariants hold, and a snapshot taken anywhere
// leads to the same hash as running through.
import { createRandom, type Random } from "@clockwork/kit/random";
import { describe, expect, it } from "vitest";
import { checkInvariants } from "../inspect/invariants.ts";
import type { Command } from "../protocol/command.ts";
import type { MachineEvent } from "../protocol/event.ts";
import {
  POST_ONLY_MODES,
  SCALED_SHAPES,
  SELF_TRADE_MODES,
  SIDES,
  TRIGGER_DIRECTIONS,
  TRIGGER_SOURCES,
} from "../protocol/names.ts";
import { eventsOf } from "../testing/driver.ts";
import { createStage, type Stage } from "../testing/stage.ts";
import { createMachine, restoreMachine } from "./machine.ts";

interface Session {
  readonly stage: Stage;
  readonly random: Random;
  readonly accounts: number[];
  readonly orders: { id: number; account: number }[];
  readonly lists: { id: number; account: number }[];
}

function openSession(seed: number): Session {
  const stage = createStage({ anchorTicks: 1_000, minNotionalUnits: 500 }, createMachine({ fastPathsAfter: seed % 2 }));
  const accounts = [
    ...[1, 2, 3].map(() => stage.trader(5e8, 5e8)),
    stage.trader(5e8, 5e8, { user: 9, group: 1 }),
    stage.trader(5e8, 5e8, { user: 10, book: "bot", sub: 7 }),
  ];
  return { stage, random: createRandom(seed), accounts, orders: [], lists: [] };
}

function shape(session: Session) {
  const { random, stage } = session;
  return {
    account: random.pick(session.accounts),
    market: stage.market,
    side: random.pick(SIDES),
    selfTrade: random.pick(SELF_TRADE_MODES.slice(0, 4)),
    price: random.between(900, 1_100),
    quantity: random.between(1, 40),
  } as const;
}

function limitOrder(session: Session): Command {
  const { random, stage } = session;
  const order = shape(session);
  const timeInForce = random.pick(["GTC", "GTC", "GTC", "IOC", "FOK", "GTD"] as const);
  const rests = timeInForce === "GTC" || timeInForce === "GTD";
  return {
    kind: "placeOrder",
    ...order,
    timeInForce,
    postOnly: rests && random.chance(1, 4) ? random.pick(POST_ONLY_MODES) : "no",
    expiresAt: timeInForce === "GTD" ? stage.time + random.between(60_000, 200_000) : 0,
    visible: rests && random.chance(1, 5) ? Math.ceil(order.quantity / random.between(1, 10)) : 0,
    clientOrderId: random.chance(1, 5) ? `c-${random.below(30)}` : "",
  };
}

function nextCommand(session: Session): Command {
  const { random, stage } = session;
  const order = shape(session);
  const known = session.orders.length > 0 ? random.pick(session.orders) : { id: 1, account: order.account };
  switch (random.below(20)) {
    case 0:
      return { kind: "placeOrder", ...order, price: 0, type: "market" };
    case 1:
      return {
        kind: "placeOrder",
        ...order,
        side: "buy",
        price: 0,
        type: "market",
        inQuote: true,
        quantity: random.between(500, 50_000),
      };
    case 2:
    case 3:
    case 4:
      return { kind: "cancelOrder", account: known.account, orderId: known.id };
    case 5:
    case 6:
      return {
        kind: "amendOrder",
        account: known.account,
        orderId: known.id,
        price: random.chance(1, 2) ? order.price : 0,
        quantity: random.chance(2, 3) ? order.quantity : 0,
      };
    case 7:
    case 8:
      return {
        kind: "placeConditional",
        ...order,
        conditional: random.pick(["stopLimit", "stopMarket", "trailingStop"] as const),
        source: random.pick(TRIGGER_SOURCES),
        direction: random.pick(TRIGGER_DIRECTIONS),
        trigger: random.between(900, 1_100),
        callbackBps: random.between(10, 300),
      };
    case 9:
      return {
        kind: "placeOco",
        ...order,
        trigger: random.between(900, 1_100),
        stopPrice: random.chance(1, 2) ? order.price : 0,
      };
    case 10:
      return {
        kind: "placeBracket",
        ...order,
        profitPrice: random.chance(3, 4) ? random.between(900, 1_100) : 0,
        stopTrigger: random.chance(3, 4) ? random.between(900, 1_100) : 0,
      };
    case 11:
      return {
        kind: "placeTwap",
        ...order,
        quantity: random.between(30, 400),
        durationMs: 300_000,
        intervalMs: random.between(10_000, 60_000),
      };
    case 12:
      return {
        kind: "placeScaled",
        ...order,
        quantity: random.between(10, 200),
        priceTo: random.between(900, 1_100),
        count: random.between(2, 8),
        shape: random.pick(SCALED_SHAPES),
      };
    case 13:
      stage.time += random.between(0, 20_000);
      return { kind: "tick" };
    case 14:
      if (random.chance(1, 4)) return { kind: "cancelAll", account: order.account, conditionals: random.chance(1, 2) };
      return {
        kind: "setDeadMan",
        account: order.account,
        timeoutMs: random.pick([0, 3_000, 60_000]),
        market: random.pick([-1, stage.market]),
      };
    case 15:
      if (session.lists.length === 0) return { kind: "tick" };
      return { kind: "cancelList", account: random.pick(session.lists).account, list: random.pick(session.lists).id };
    case 16:
      return {
        kind: "setReferencePrice",
        market: stage.market,
        markTicks: random.between(900, 1_100),
        indexTicks: random.between(900, 1_100),
      };
    default:
      return limitOrder(session);
  }
}

function remember(session: Session, events: readonly MachineEvent[]): void {
  for (const event of eventsOf(events, "orderAccepted"))
    session.orders.push({ id: event.orderId, account: event.account });
  for (const event of eventsOf(events, "conditionalAccepted"))
    session.orders.push({ id: event.orderId, account: event.account });
  for (const event of eventsOf(events, "listCreated")) session.lists.push({ id: event.list, account: event.account });
  while (session.orders.length > 60) session.orders.shift();
}

function runSession(seed: number, commands: number): void {
  const session = openSession(seed);
  const { stage, random } = session;
  for (let i = 0; i < commands; i++) {
    const command = nextCommand(session);
    if (random.chance(1, 3)) stage.time += random.below(500);
    remember(session, stage.send(command));
    const violations = checkInvariants(stage.machine);
    expect(violations, `seed ${seed}, command ${i}: ${JSON.stringify(command)}`).toEqual([]);
  }
  const hash = stage.machine.stateHash();
  const cut = random.below(stage.journal.length);
  const replay = createMachine();
  for (const bytes of stage.journal.slice(0, cut)) replay.apply(bytes, 0);
  const restored = restoreMachine(replay.snapshot());
  for (const bytes of stage.journal.slice(cut)) restored.apply(bytes, 0);
  expect(restored.stateHash(), `seed ${seed} cut at ${cut}`).toBe(hash);
}

describe("seeded sessions", () => {
  const first = Number(process.env.CW_SEED ?? 1);
  for (let seed = first; seed < first + Number(process.env.CW_SEEDS ?? 40); seed++) {
    it(`[MACHINE-4] seed ${seed}: invariants hold after every command and a snapshot changes nothing`, () => {
      runSession(seed, 400);
    });
  }
});
