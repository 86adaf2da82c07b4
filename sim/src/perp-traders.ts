// Owns random flow on perpetual markets: every command a futures trader can send, at prices near the mark, and an
// operator who moves prices, sources and settings. Everything follows from the world's random.
import type { Command } from "@clockwork/core/protocol/command";
import type { MachineEvent } from "@clockwork/core/protocol/event";
import { BTC, DEMO, INVERSE, LINEAR, MIDDLE, type PerpWorld, PLAY, SMALLER, USDT } from "./perp-session.ts";

const MARKETS = [LINEAR, SMALLER, INVERSE] as const;
/** Where orders go: the real market that the demo market follows has the most. */
const VENUES = [LINEAR, LINEAR, SMALLER, INVERSE, DEMO] as const;

interface TradingServer {
  readonly linear: number[];
  readonly inverse: number[];
  readonly demo: number[];
  readonly marks: Map<number, number>;
  readonly orders: number[];
  readonly positions: number[];
}

/** Opens accounts with fortunes of very different size, in all modes. */
export function startTradingServer(world: PerpWorld): TradingServer {
  const { random } = world;
  const floor: TradingServer = { linear: [], inverse: [], demo: [], marks: new Map(), orders: [], positions: [] };
  for (let i = 0; i < 5; i++)
    floor.linear.push(world.trader(random.pick([60_000_000, 3_000_000_000, 80_000_000_000, 5_000_000_000_000])));
  for (let i = 0; i < 3; i++) floor.inverse.push(world.trader(random.pick([500_000, 20_000_000, 3_000_000_000]), true));
  for (let i = 0; i < 2; i++) floor.demo.push(world.player());
  for (const market of MARKETS) floor.marks.set(market, MIDDLE);
  if (random.chance(1, 2)) world.endow(USDT, random.pick([1, 1_000_000_000, 1_000_000_000_000]));
  if (random.chance(1, 2)) world.endow(BTC, random.pick([1, 100_000_000]));
  for (const account of [...floor.linear, ...floor.inverse])
    if (random.chance(1, 3)) world.send({ kind: "setPositionMode", account, hedge: true, split: random.chance(1, 3) });
  return floor;
}

/** One step of the floor: mostly orders, now and then everything else. */
export function step(world: PerpWorld, floor: TradingServer): void {
  const { random } = world;
  if (random.chance(1, 3)) world.time += random.pick([1, 50, 500, 1_000, 5_000]);
  const dice = random.below(100);
  if (dice < 55) remember(floor, world.send(placeCommand(world, floor)));
  else if (dice < 63) remember(floor, world.send(cancelCommand(world, floor)));
  else if (dice < 78) remember(floor, world.send(priceCommand(world, floor)));
  else if (dice < 96) remember(floor, world.send(settingCommand(world, floor)));
  else if (dice < 98) remember(floor, world.send({ kind: "tick" }));
  else {
    world.time += random.pick([60_000, 3_600_000, 8 * 3_600_000]);
    remember(floor, world.send({ kind: "tick" }));
  }
}

function remember(floor: TradingServer, events: readonly MachineEvent[]): void {
  for (const event of events) {
    if (event.kind === "orderAccepted" || event.kind === "conditionalAccepted") floor.orders.push(event.orderId);
    if (event.kind === "positionChanged" && event.lots !== 0) floor.positions.push(event.position);
  }
  floor.orders.splice(0, Math.max(0, floor.orders.length - 60));
  floor.positions.splice(0, Math.max(0, floor.positions.length - 20));
}

function pickAccountMarket(world: PerpWorld, floor: TradingServer): { account: number; market: number } {
  const { random } = world;
  const market = random.pick(VENUES);
  const accounts = market === INVERSE ? floor.inverse : market === DEMO ? floor.demo : floor.linear;
  return { market, account: random.pick(accounts) };
}

function near(world: PerpWorld, floor: TradingServer, market: number, bps: number): number {
  const mark = floor.marks.get(market === DEMO ? LINEAR : market) ?? MIDDLE;
  return Math.max(1, mark + Math.trunc((mark * world.random.between(-bps, bps)) / 10_000));
}

function placeCommand(world: PerpWorld, floor: TradingServer): Command {
  const { random } = world;
  const accountMarket = pickAccountMarket(world, floor);
  const side = random.pick(["buy", "sell"] as const);
  const quantity = random.pick([1, 3, 10, 40, 200, 2_000, 30_000]);
  const common = {
    ...accountMarket,
    side,
    quantity,
    selfTrade: random.pick(["EXPIRE_TAKER", "EXPIRE_MAKER", "DECREMENT"] as const),
  } as const;
  const named = random.chance(1, 4) && floor.positions.length > 0 ? { position: random.pick(floor.positions) } : {};
  if (random.chance(1, 10)) return listCommand(world, floor, common);
  if (random.chance(1, 8))
    return {
      kind: "placeConditional",
      ...common,
      conditional: random.pick(["stopLimit", "stopMarket", "trailingStop"] as const),
      source: random.pick(["last", "mark", "index"] as const),
      direction: random.pick(["rises", "falls"] as const),
      trigger: near(world, floor, accountMarket.market, 200),
      callbackBps: random.pick([10, 100]),
      price: near(world, floor, accountMarket.market, 200),
      reduceOnly: random.chance(1, 2),
      closeOnTrigger: random.chance(1, 4),
      ...named,
    };
  return {
    kind: "placeOrder",
    ...common,
    ...named,
    price: near(world, floor, accountMarket.market, random.pick([5, 50, 600])),
    type: random.chance(1, 4) ? "market" : "limit",
    timeInForce: random.pick(["GTC", "GTC", "GTC", "IOC", "FOK"] as const),
    postOnly: random.chance(1, 9) ? "reprice" : "no",
    reduceOnly: random.chance(1, 3),
    visible: random.chance(1, 12) ? Math.ceil(quantity / 10) : 0,
  };
}

/** Lists: a limit with a stop behind it, or an entry that arms its exits. */
function listCommand(
  world: PerpWorld,
  floor: TradingServer,
  common: {
    readonly account: number;
    readonly market: number;
    readonly side: "buy" | "sell";
    readonly quantity: number;
  },
): Command {
  const { random } = world;
  const { market } = common;
  const up = near(world, floor, market, 0) + random.between(1, 4_000);
  const down = Math.max(1, near(world, floor, market, 0) - random.between(1, 4_000));
  const buys = common.side === "buy";
  if (random.chance(1, 2))
    return {
      kind: "placeOco",
      ...common,
      price: buys ? down : up,
      trigger: buys ? up : down,
      reduceOnly: random.chance(1, 2),
      source: random.pick(["last", "mark"] as const),
    };
  return {
    kind: "placeBracket",
    ...common,
    price: near(world, floor, market, 20),
    type: random.chance(1, 3) ? "market" : "limit",
    profitPrice: random.chance(3, 4) ? (buys ? up : down) : 0,
    stopTrigger: random.chance(3, 4) ? (buys ? down : up) : 0,
    source: random.pick(["last", "mark"] as const),
  };
}

function cancelCommand(world: PerpWorld, floor: TradingServer): Command {
  const { random } = world;
  const accountMarket = pickAccountMarket(world, floor);
  const orderId = floor.orders.length === 0 ? 1 : random.pick(floor.orders);
  if (random.chance(1, 3))
    return {
      kind: "amendOrder",
      account: accountMarket.account,
      orderId,
      price: random.chance(1, 2) ? near(world, floor, accountMarket.market, 100) : 0,
      quantity: random.pick([0, 1, 5, 50, 500]),
    };
  if (random.chance(1, 8)) return { kind: "cancelAll", account: accountMarket.account };
  if (random.chance(1, 6)) {
    const trigger = near(world, floor, accountMarket.market, 300);
    return { kind: "moveStop", account: accountMarket.account, orderId, trigger };
  }
  return { kind: "cancelOrder", account: accountMarket.account, orderId };
}

function priceCommand(world: PerpWorld, floor: TradingServer): Command {
  const { random } = world;
  const market = random.pick(MARKETS);
  // Only one market lives on sources; a source that falls silent degrades it for a while.
  if (market === SMALLER && random.chance(2, 3))
    return {
      kind: "setIndexPrice",
      market,
      source: random.below(3),
      price: near(world, floor, market, random.pick([10, 10, 2_000])),
    };
  const ticks = Math.max(1_000, near(world, floor, market, random.pick([20, 100, 300, 2_500])));
  floor.marks.set(market, ticks);
  return { kind: "setReferencePrice", market, markTicks: ticks, indexTicks: ticks };
}

function settingCommand(world: PerpWorld, floor: TradingServer): Command {
  const { random } = world;
  const accountMarket = pickAccountMarket(world, floor);
  if (accountMarket.market === DEMO && random.chance(1, 4))
    return { kind: "resetDemo", account: accountMarket.account, asset: PLAY };
  const side = random.pick(["both", "long", "short"] as const);
  const position = floor.positions.length === 0 ? 0 : random.pick(floor.positions);
  const named = { ...accountMarket, side, position } as const;
  switch (random.below(11)) {
    case 0:
      return {
        kind: "setLeverage",
        ...accountMarket,
        long: random.pick([1, 5, 20, 50, 100, 125]),
        short: random.pick([0, 3, 50]),
      };
    case 1:
      return { kind: "setMarginMode", ...accountMarket, isolated: random.chance(1, 2) };
    case 2:
      return { kind: "changeMargin", ...named, units: random.pick([1, 1_000_000, 500_000_000, -1, -1_000_000]) };
    case 3:
      return { kind: "setAutoAppend", ...accountMarket, on: random.chance(1, 2) };
    case 4:
      return {
        kind: "closePosition",
        ...named,
        lots: random.pick([0, 0, 1, 10]),
        price: random.chance(1, 3) ? near(world, floor, accountMarket.market, 50) : 0,
      };
    case 5:
      return random.chance(1, 4)
        ? { kind: "closeAll", account: accountMarket.account }
        : { kind: "closeAll", ...accountMarket };
    case 6:
      return { kind: "reversePosition", ...named };
    case 7:
      return {
        kind: "setPositionStops",
        ...named,
        lots: random.pick([0, 0, 1, 5]),
        profitTrigger: random.chance(1, 2) ? near(world, floor, accountMarket.market, 300) : 0,
        stopTrigger: random.chance(1, 2) ? near(world, floor, accountMarket.market, 300) : 0,
        trailBps: random.chance(1, 4) ? 100 : 0,
        source: random.pick(["last", "mark"] as const),
      };
    case 8:
      return {
        kind: "setPositionMode",
        account: accountMarket.account,
        hedge: random.chance(1, 2),
        split: random.chance(1, 4),
      };
    case 9:
      return bonusCommand(world, accountMarket);
    default:
      return moneyCommand(world, accountMarket);
  }
}

function bonusCommand(world: PerpWorld, accountMarket: { account: number; market: number }): Command {
  const { random } = world;
  return {
    kind: "grantBonus",
    account: accountMarket.account,
    asset: accountMarket.market === INVERSE ? BTC : USDT,
    units: random.pick([1_000, 5_000_000, 900_000_000]),
    reference: `bonus:${world.journal.length}`,
    ratioBps: random.pick([1_000, 5_000, 10_000]),
    leverageMax: random.pick([0, 0, 50]),
    expiresAt: world.time + random.pick([10_000, 3_600_000]),
  };
}

function moneyCommand(world: PerpWorld, { account, market }: { account: number; market: number }): Command {
  const { random } = world;
  if (market === DEMO) return { kind: "resetDemo", account, asset: PLAY };
  const asset = market === INVERSE ? BTC : USDT;
  const units = random.pick([1, 1_000_000, 40_000_000_000]);
  const reference = `m:${world.journal.length}`;
  return random.chance(1, 2)
    ? { kind: "burn", account, asset, business: "withdrawal", units, reference }
    : { kind: "mint", account, asset, business: "deposit", units: 1_000_000, reference };
}

/** A whole session; throws what it finds. */
export function playPerps(world: PerpWorld, commands: number): void {
  world.open();
  const floor = startTradingServer(world);
  while (world.journal.length < commands) {
    step(world, floor);
    if (world.random.chance(1, 400)) world.restore();
  }
  world.check();
  world.replay();
}
