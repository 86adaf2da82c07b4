// Owns a small exchange with a grid bot to try things on: a spot market and a contract, a maker on both sides, a way to move
// the price. For tests and benchmarks; never part of a running exchange.
import { assert, present } from "@clockwork/kit/assert";
import { isSpotGrid } from "@clockwork/kit/grid/plan";
import { T_LAST, TOP_SHIFT } from "../book/book.ts";
import { FLAG_SELL, O_FLAGS, O_PRICE, ORDER_SHIFT } from "../book/orders.ts";
import { stateOf } from "../bot/note/view.ts";
import { checkInvariants } from "../inspect/invariants.ts";
import { coreOf } from "../machine/machine.ts";
import type { Command } from "../protocol/command.ts";
import type { Machine } from "../protocol/contract.ts";
import type { MachineEvent } from "../protocol/event.ts";
import { eventsOf } from "./driver.ts";
import { createPerpStage, type PerpStage } from "./perp-stage.ts";

export type CreateBot = Extract<Command, { readonly kind: "createBot" }>;

export interface BotStage extends PerpStage {
  readonly spot: number;
  /** A user's spot account with 100 000 USDT and 10 BTC, and a futures account with 100 000 USDT. */
  readonly user: number;
  readonly futures: number;
  readonly maker: number;
  /** Who stand on both sides of the price and trade with each other. */
  readonly spotMakers: readonly [number, number];
  readonly futuresMakers: readonly [number, number];
  /** Trades whatever lies between the last price and this one, and one lot at it. Returns all events, ticks included. */
  moveTo(ticks: number, market?: number): MachineEvent[];
  /** Spot, 90 000 to 110 000 in 20 cells with 10 000 USDT at 100 400, unless it says. */
  create(own?: Partial<CreateBot>): MachineEvent[];
  /** The book of the bot made last, its number and its state. */
  bot(): { readonly account: number; readonly bot: number };
  state(bot?: number): ReturnType<typeof stateOf>;
  /** Prices and sides of what a bot has in the book, from the lowest. */
  resting(account: number, market?: number): (readonly ["buy" | "sell", number])[];
}

export const COIN = 1_000_000;
const DEEP_LOTS = 200_000;

const PRINT_LOTS = 10;

function open(stage: PerpStage, book: "spot" | "linear", user: number, quote: number, base: number): number {
  const made = stage.send({ kind: "createAccount", user, book });
  const { account } = present(eventsOf(made, "accountCreated")[0], "STAGE-1", book);
  for (const [asset, units] of [
    [stage.usdt, quote],
    [stage.btc, base],
  ] as const) {
    if (units === 0) continue;
    const reference = `fund:${account}:${asset}`;
    stage.send({ kind: "mint", account, asset, business: "deposit", units, reference });
  }
  return account;
}

function listSpot(stage: PerpStage): number {
  const listed = stage.send({
    kind: "listMarket",
    base: stage.btc,
    quote: stage.usdt,
    tickMantissa: 1,
    tickDecimals: 1,
    stepUnits: 1_000,
    symbol: "BTC/USDT",
    restingMax: 1_000,
    minNotionalUnits: 5 * COIN,
  });
  return present(eventsOf(listed, "marketListed")[0], "STAGE-1", "spot").market;
}

/** Sends, works off all that follows, and checks every invariant. */
function sendSurely(stage: PerpStage, command: Command): MachineEvent[] {
  const events = stage.send(command);
  for (let i = 0; i < 1_000 && stage.machine.nextTimerAt <= stage.machine.now; i++)
    events.push(...stage.send({ kind: "tick" }));
  const [violation] = checkInvariants(stage.machine);
  assert(violation === undefined, violation?.rule ?? "", violation?.detail ?? "");
  return events;
}

/** A maker who stands on both sides of the price, and another who trades with him. */
function mover(stage: PerpStage, market: number, maker: number, other: number): (ticks: number) => MachineEvent[] {
  return (ticks) => {
    const from = coreOf(stage.machine).books.topWords[(market << TOP_SHIFT) | T_LAST] as number;
    const side = ticks < from ? "sell" : "buy";
    const order = { kind: "placeOrder", account: maker, market, price: ticks } as const;
    const passive: Command[] = [
      { ...order, side: "buy", price: ticks - 1, quantity: DEEP_LOTS },
      { ...order, side: "sell", price: ticks + 1, quantity: DEEP_LOTS },
    ];
    const commands: Command[] = [
      { kind: "cancelAll", account: maker, market },
      // What the coin is worth moves with the price: on spot by the index of its contract, which comes first.
      {
        kind: "setReferencePrice",
        market: stage.linear,
        ...(stage.linear === market ? { markTicks: ticks } : { indexTicks: ticks }),
      },
      // What lies behind first, so that a bot that ends meanwhile finds somebody; then sweeps what bots have on the way.
      ...(side === "buy" ? passive.toReversed() : passive),
      { ...order, account: other, side, quantity: DEEP_LOTS, timeInForce: "IOC" },
      { ...order, side: side === "buy" ? "sell" : "buy", quantity: PRINT_LOTS },
      { ...order, account: other, side, quantity: PRINT_LOTS },
    ];
    return commands.flatMap((command) => sendSurely(stage, command));
  };
}

function restingOf(stage: PerpStage, account: number, market: number): (readonly ["buy" | "sell", number])[] {
  const core = coreOf(stage.machine);
  const words = core.books.orderWords;
  return core.accountMarkets
    .openOrdersOf(core.accountMarkets.find(account, market))
    .map((slot): readonly ["buy" | "sell", number] => {
      const flags = words[(slot << ORDER_SHIFT) | O_FLAGS] as number;
      return [(flags & FLAG_SELL) !== 0 ? "sell" : "buy", words[(slot << ORDER_SHIFT) | O_PRICE] as number];
    })
    .sort((a, b) => a[1] - b[1]);
}

export function createBotStage(machine?: Machine): BotStage {
  const stage = createPerpStage(machine);
  const spot = listSpot(stage);
  const user = open(stage, "spot", 5_001, 1_000_000 * COIN, 1e10);
  const futures = open(stage, "linear", 5_001, 1_000_000 * COIN, 0);
  const maker = open(stage, "spot", 5_002, 1e15, 1e13);
  const spotMakers = [maker, open(stage, "spot", 5_003, 1e15, 1e13)] as const;
  const futuresMakers = [open(stage, "linear", 5_002, 1e15, 0), open(stage, "linear", 5_003, 1e15, 0)] as const;
  const moves = [mover(stage, spot, ...spotMakers), mover(stage, stage.linear, ...futuresMakers)] as const;
  let last: MachineEvent[] = [];
  const made = (): { readonly account: number; readonly bot: number } =>
    present(eventsOf(last, "botChanged")[0], "STAGE-1", "bot");
  const settings = { grid: "spot", spacing: "arithmetic", lowTicks: 900_000, highTicks: 1_100_000, cells: 20 } as const;
  return Object.assign(stage, {
    spot,
    user,
    futures,
    maker,
    spotMakers,
    futuresMakers,
    sure: (command: Command): MachineEvent[] => sendSurely(stage, command),
    moveTo: (ticks: number, market = spot): MachineEvent[] => moves[market === spot ? 0 : 1](ticks),
    create(own: Partial<CreateBot> = {}): MachineEvent[] {
      const isSpot = isSpotGrid(own.grid ?? "spot");
      const where = isSpot ? { account: user, market: spot } : { account: futures, market: stage.linear };
      const reference = `bot:${stage.journal.length}`;
      const requested = { quoteUnits: 10_000 * COIN, reference, ...where, ...settings, ...own };
      last = sendSurely(stage, { kind: "createBot", ...requested });
      return last;
    },
    bot: made,
    state: (bot?: number) => stateOf(coreOf(stage.machine), bot ?? made().bot),
    resting: (account: number, market = spot) => restingOf(stage, account, market),
  });
}
