// Owns the stage a session plays on: assets, markets, accounts and money chosen by the seed, and the picks traders
// share. Never sends anything itself.
import { BATCH_ITEMS_MAX } from "@clockwork/core/protocol/command";
import type { Side } from "@clockwork/core/protocol/names";
import { SIDES } from "@clockwork/core/protocol/names";
import type { Random } from "@clockwork/kit/random";
import type { Exchange, Market, Order } from "./reference/state.ts";
import type { SimCommand } from "./reference.ts";

export interface World {
  readonly random: Random;
  /** The reference's state, for reading what is open. */
  readonly exchange: Exchange;
  /** Journal time of the next command. */
  time: number;
  /** Where each market's price wanders, by market id. */
  readonly mid: Map<number, number>;
  /** Ids that once were, for commands that come too late. */
  readonly past: number[];
  /** Commands with a client order id or a reference, to be sent again. */
  readonly named: SimCommand[];
  /** Money references used so far. */
  readonly references: string[];
}

interface Venue {
  readonly base: number;
  readonly quote: number;
  readonly symbol: string;
  readonly tickMantissa: number;
  readonly tickDecimals: number;
  readonly stepUnits: number;
  readonly mid: number;
}

const ASSETS = [
  { kind: "listAsset", symbol: "BTC", scale: 8 },
  { kind: "listAsset", symbol: "USDT", scale: 6 },
  { kind: "listAsset", symbol: "DOGE", scale: 2 },
] as const;

/** The last one has prices near the top of the range, so that products leave 53 bits. */
const VENUES: readonly Venue[] = [
  { base: 1, quote: 2, symbol: "BTC/USDT", tickMantissa: 1, tickDecimals: 1, stepUnits: 1_000, mid: 1_000 },
  { base: 3, quote: 2, symbol: "DOGE/USDT", tickMantissa: 3, tickDecimals: 5, stepUnits: 100, mid: 600 },
  { base: 1, quote: 3, symbol: "BTC/DOGE", tickMantissa: 1, tickDecimals: 2, stepUnits: 1e8, mid: 500_000_000 },
];

const TRADERS = [
  { user: 1, book: "spot" },
  { user: 2, book: "spot" },
  { user: 3, book: "spot" },
  { user: 3, book: "spot", sub: 1 },
  { user: 4, book: "spot", group: 1 },
  { user: 5, book: "bot", sub: 7 },
  { user: 5, book: "copyS" },
  { user: 6, book: "funding" },
  { user: 6, book: "bonus" },
] as const;

export const FIRST_TRADER = 16;
export const TRADER_COUNT = 7;
export const LAST_ACCOUNT = FIRST_TRADER + TRADERS.length - 1;

/** Slots of the first round; see the reference's ids. */
const FIRST_ROUND = 1_024;

/** The commands that build the stage. */
export function setTheStage(random: Random): SimCommand[] {
  const commands: SimCommand[] = [...ASSETS];
  const venues = random.chance(1, 4) ? VENUES : VENUES.slice(0, 2);
  for (const venue of venues) {
    const { mid, ...listing } = venue;
    const isPlain = random.chance(1, 2);
    commands.push({
      kind: "listMarket",
      ...listing,
      anchorTicks: random.chance(5, 6) ? mid : 0,
      minNotionalUnits: isPlain ? 0 : mid * 3,
      minLots: isPlain ? 1 : random.between(1, 3),
      maxLots: random.chance(1, 2) ? 0 : 500,
      maxMarketLots: random.chance(1, 2) ? 0 : 30,
      feeGroup: random.below(2),
      restingMax: random.pick([4, 10, 25]),
      conditionalMax: random.pick([2, 6, 30]),
      listMax: random.pick([1, 4]),
      slippageBps: random.pick([100, 500]),
    });
  }
  if (random.chance(1, 2))
    commands.push({ kind: "setFeeGroup", feeGroup: 1, makerRate: random.below(9) * 10_000, takerRate: 1_234_567 });
  for (const trader of TRADERS) commands.push({ kind: "createAccount", ...trader });
  for (let account = FIRST_TRADER; account <= LAST_ACCOUNT; account++) {
    for (let asset = 1; asset <= ASSETS.length; asset++) {
      const units = random.pick([100_000, 500_000_000, 500_000_000_000, 200_000_000_000_000]);
      const reference = `fund:${account}:${asset}`;
      commands.push({ kind: "mint", account, asset, business: "deposit", units, reference });
    }
  }
  if (random.chance(1, 3)) commands.push({ kind: "setAccountFlags", account: FIRST_TRADER, allowSelfTrade: true });
  return commands;
}

/** So many orders that end at once that every slot of the first round has been somebody's. */
export function spendSlots(): SimCommand[] {
  const order = { kind: "placeOrder", account: FIRST_TRADER, market: 1, side: "buy", timeInForce: "IOC" } as const;
  const items = Array.from({ length: BATCH_ITEMS_MAX }, () => ({ ...order, price: 1_000, quantity: 3 }));
  const batch: SimCommand = { kind: "batch", account: FIRST_TRADER, items };
  return Array.from({ length: Math.ceil(FIRST_ROUND / BATCH_ITEMS_MAX) }, () => batch);
}

export function pickMarket({ random, exchange }: World): Market {
  return random.pick(exchange.markets);
}

/** Where a market's price is now; it wanders a little each time somebody looks. */
export function midOf(world: World, market: Market): number {
  const start = VENUES[market.id - 1]?.mid ?? 1_000;
  const mid = world.mid.get(market.id) ?? start;
  const moved = mid + Math.trunc((start * (world.random.below(21) - 10)) / 4_000);
  const kept = Math.max(Math.ceil(start / 2), Math.min(start * 2, moved));
  world.mid.set(market.id, kept);
  return kept;
}

/** A price some way from the middle: `bps` on one side or the other. */
export function priceNear(world: World, market: Market, bps: number): number {
  const mid = midOf(world, market);
  return Math.max(1, mid + Math.trunc((mid * world.random.between(-bps, bps)) / 10_000));
}

export function pickSide(world: World): Side {
  return world.random.pick(SIDES);
}

export function pickTrader(world: World): number {
  return FIRST_TRADER + world.random.below(TRADER_COUNT);
}

/** An open order that satisfies a wish, of anyone. */
export function pickOpen(world: World, target: (order: Order) => boolean): Order | undefined {
  const open = [...world.exchange.orders.values()].filter(target);
  return open.length === 0 ? undefined : world.random.pick(open);
}

export function pickQuantity(world: World, most = 40): number {
  return world.random.chance(1, 8) ? world.random.between(1, most * 10) : world.random.between(1, most);
}
