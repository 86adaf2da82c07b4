// Owns the kinds of traders: each turns the world it sees and the session's chance into one command.
// Never looks at the machine, only at what a client could know.
import {
  CONDITIONAL_TYPES,
  SCALED_SHAPES,
  SELF_TRADE_MODES,
  TRIGGER_DIRECTIONS,
  TRIGGER_SOURCES,
} from "@clockwork/core/protocol/names";
import { pushLimits, waitExactly } from "./edges.ts";
import { fuzz } from "./fuzzers.ts";
import { moveMoney } from "./movers.ts";
import { operate } from "./operators.ts";
import type { SimCommand, SingleCommand } from "./reference.ts";
import { midOf, pickMarket, pickOpen, pickQuantity, pickSide, pickTrader, priceNear, type World } from "./world.ts";

/** Rests orders around the middle: plain, post-only, expiring. */
function make(world: World): SingleCommand {
  const { random } = world;
  const market = pickMarket(world);
  const side = pickSide(world);
  const away = random.between(-5, 60);
  const mid = midOf(world, market);
  const distance = Math.trunc((mid * away) / 10_000) + random.below(3);
  const timeInForce = random.chance(1, 6) ? "GTD" : "GTC";
  return {
    kind: "placeOrder",
    account: pickTrader(world),
    market: market.id,
    side,
    price: Math.max(1, side === "buy" ? mid - distance : mid + distance),
    quantity: pickQuantity(world),
    timeInForce,
    expiresAt: timeInForce === "GTD" ? world.time + random.between(59_000, 300_000) : 0,
    postOnly: random.pick(["no", "no", "reject", "reprice"] as const),
    clientOrderId: clientId(world),
  };
}

function clientId({ random }: World): string {
  return random.chance(1, 6) ? `c-${random.below(12)}` : "";
}

/** Crosses the spread: limits, IOC, FOK, market by lots or by amount. */
function take(world: World): SingleCommand {
  const { random } = world;
  const market = pickMarket(world);
  const side = pickSide(world);
  const shape = { kind: "placeOrder", account: pickTrader(world), market: market.id, side } as const;
  if (random.chance(1, 4)) {
    const inQuote = side === "buy" && random.chance(1, 2);
    const mid = midOf(world, market);
    const quantity = inQuote ? random.below(60) * mid + random.between(1, mid) : pickQuantity(world);
    return { ...shape, type: "market", quantity, inQuote, slippageBps: random.pick([0, 0, 1, 50, 1_000]) };
  }
  const mid = midOf(world, market);
  const reach = Math.trunc((mid * random.between(0, 80)) / 10_000);
  return {
    ...shape,
    price: side === "buy" ? mid + reach : Math.max(1, mid - reach),
    quantity: pickQuantity(world),
    timeInForce: random.pick(["GTC", "IOC", "IOC", "FOK"] as const),
    clientOrderId: clientId(world),
  };
}

/** Shows a slice and hides the rest. */
function hide(world: World): SingleCommand {
  const { random } = world;
  const quantity = random.between(4, 120);
  return { ...make(world), quantity, visible: Math.ceil(quantity / random.between(1, 22)) } as SingleCommand;
}

/** Meets itself on purpose, in every mode. */
function meetSelf(world: World): SingleCommand {
  const { random } = world;
  const own = pickOpen(world, (order) => order.state === "resting");
  if (own === undefined) return make(world);
  const selfTrade = random.pick(SELF_TRADE_MODES);
  const side = own.side === "buy" ? "sell" : "buy";
  const shape = { kind: "placeOrder", account: own.account.id, market: own.market.id, side, selfTrade } as const;
  if (random.chance(1, 5)) {
    const inQuote = side === "buy" && random.chance(1, 2);
    return {
      ...shape,
      type: "market",
      quantity: inQuote ? own.price * pickQuantity(world) : pickQuantity(world),
      inQuote,
    };
  }
  return {
    ...shape,
    price: own.price,
    quantity: pickQuantity(world),
    timeInForce: random.pick(["GTC", "GTC", "IOC", "FOK"] as const),
  };
}

/** Plans: stops, stop-limits, trailing stops, on every source. */
function plan(world: World): SingleCommand {
  const { random } = world;
  const market = pickMarket(world);
  const conditional = random.pick(CONDITIONAL_TYPES);
  const isFollowing = conditional === "trailingStop";
  return {
    kind: "placeConditional",
    account: pickTrader(world),
    market: market.id,
    side: pickSide(world),
    conditional,
    type: random.pick(["limit", "market"] as const),
    price: priceNear(world, market, 100),
    quantity: pickQuantity(world),
    source: random.pick(["last", "last", ...TRIGGER_SOURCES] as const),
    direction: random.pick(TRIGGER_DIRECTIONS),
    trigger: isFollowing && random.chance(1, 2) ? 0 : priceNear(world, market, 80),
    callbackBps: isFollowing ? random.between(10, 120) : 0,
    timeInForce: random.pick(["GTC", "GTC", "IOC", "FOK"] as const),
    selfTrade: random.pick(SELF_TRADE_MODES.slice(0, 4)),
    clientOrderId: clientId(world),
  };
}

/** Lists: one cancels the other, and brackets with either exit or both. */
function pair(world: World): SingleCommand {
  const { random } = world;
  const market = pickMarket(world);
  const side = pickSide(world);
  const at = market.last === 0 ? midOf(world, market) : market.last;
  const beyond = (bps: number): number => at + Math.trunc((at * bps) / 10_000) + Math.sign(bps);
  const sign = side === "sell" ? 1 : -1;
  const far = (): number => random.between(1, 60);
  const shape = { account: pickTrader(world), market: market.id, side, quantity: pickQuantity(world) };
  if (random.chance(1, 3)) {
    const trigger = beyond(-sign * far());
    const stopPrice = random.chance(1, 2) ? trigger - sign * random.below(4) : 0;
    const clientOrderId = clientId(world);
    return { kind: "placeOco", ...shape, price: beyond(sign * far()), trigger, stopPrice, clientOrderId };
  }
  const type = random.pick(["limit", "limit", "market"] as const);
  const entry = type === "limit" ? beyond(sign * random.between(-10, 5)) : at;
  const exit = (bps: number): number => Math.max(1, entry + Math.trunc((entry * bps) / 10_000) + Math.sign(bps));
  return {
    kind: "placeBracket",
    ...shape,
    type,
    price: type === "limit" ? entry : 0,
    profitPrice: random.chance(3, 4) ? exit(-sign * far()) : 0,
    stopTrigger: random.chance(3, 4) ? exit(sign * far()) : 0,
    stopPrice: random.chance(1, 4) ? exit(sign * far()) : 0,
    source: random.pick(TRIGGER_SOURCES),
    clientOrderId: clientId(world),
  };
}

/** Slices over time and over prices. */
function slice(world: World): SingleCommand {
  const { random } = world;
  const market = pickMarket(world);
  const shape = { account: pickTrader(world), market: market.id, side: pickSide(world) };
  if (random.chance(1, 2)) {
    const intervalMs = random.between(10_000, 120_000);
    const timeInForce = random.pick(["GTC", "IOC", "FOK"] as const);
    return {
      kind: "placeTwap",
      ...shape,
      price: priceNear(world, market, 60),
      quantity: random.between(20, 400),
      durationMs: 300_000,
      intervalMs,
      timeInForce,
      clientOrderId: clientId(world),
    };
  }
  return {
    kind: "placeScaled",
    ...shape,
    price: priceNear(world, market, 90),
    priceTo: priceNear(world, market, 90),
    quantity: random.between(2, 150),
    count: random.between(2, 6),
    shape: random.pick(SCALED_SHAPES),
    selfTrade: random.pick(SELF_TRADE_MODES.slice(0, 4)),
  };
}

/** Changes its mind: cancels and amends, by id or by client id, sometimes too late. */
function change(world: World): SingleCommand {
  const { random } = world;
  const open = pickOpen(world, () => true);
  const late = random.chance(1, 12) && world.past.length > 0;
  const account = open !== undefined && !random.chance(1, 15) ? open.account.id : pickTrader(world);
  const orderId = late ? random.pick(world.past) : (open?.id ?? 1);
  const byName = random.chance(1, 8);
  const named = byName ? { clientOrderId: `c-${random.below(12)}` } : { orderId };
  if (random.chance(1, 2)) return { kind: "cancelOrder", account, ...named };
  const price = open === undefined || random.chance(1, 2) ? 0 : priceNear(world, open.market, 60);
  const quantity = random.chance(1, 4) ? 0 : (open?.filled ?? 0) + random.between(0, 50);
  if (open !== undefined && (open.plan !== undefined || open.list !== undefined) && random.chance(3, 4)) {
    const trigger = random.chance(1, 2) ? 0 : priceNear(world, open.market, 60);
    const callbackBps = random.chance(1, 8) ? random.between(5, 400) : 0;
    return {
      kind: "amendPlan",
      account,
      ...named,
      price,
      quantity: random.chance(1, 2) ? 0 : quantity,
      trigger,
      callbackBps,
    };
  }
  return { kind: "amendOrder", account, ...named, price, quantity };
}

/** Ends slicers and lists, and sometimes everything at once. */
function clear(world: World): SingleCommand {
  const { random, exchange } = world;
  const twaps = [...exchange.twaps.values()];
  const lists = [...exchange.lists.values()];
  if (lists.length > 0 && random.chance(1, 3)) {
    const list = random.pick(lists);
    return { kind: "cancelList", account: list.account.id, list: random.chance(1, 9) ? list.id + 1 : list.id };
  }
  if (twaps.length > 0 && random.chance(1, 3)) {
    const twap = random.pick(twaps);
    return { kind: "cancelOrder", account: twap.account.id, orderId: twap.id };
  }
  const market = random.chance(1, 2) ? -1 : pickMarket(world).id;
  if (random.chance(1, 2))
    return {
      kind: "setDeadMan",
      account: pickTrader(world),
      market,
      timeoutMs: random.pick([0, 3_000, 7_777, 60_000]),
    };
  return { kind: "cancelAll", account: pickTrader(world), market, conditionals: random.chance(1, 2) };
}

/** Several in one; now and then something that may not be in one. */
function batch(world: World): SimCommand {
  const { random } = world;
  const account = pickTrader(world);
  const kinds = [make, make, take, change, change, plan, meetSelf];
  const items = Array.from({ length: random.between(1, 6) }, () => ({ ...random.pick(kinds)(world), account }));
  if (random.chance(1, 10)) items.push({ ...slice(world), account });
  return { kind: "batch", account, items: items as SingleCommand[] };
}

/** Time goes by; now and then a lot of it. */
function wait(world: World): SingleCommand {
  const { random } = world;
  const jumps = [500, 3_000, 10_000, 60_000, 61_000, 310_000];
  world.time += random.chance(1, 60) ? random.pick([86_400_000, 90_000_000, 8_000_000_000]) : random.pick(jumps);
  return { kind: "tick" };
}

/** Was not sure it arrived, so sends it again as it was. */
function repeat(world: World): SimCommand {
  return world.named.length === 0 ? make(world) : world.random.pick(world.named);
}

const NAMED_KEPT = 12;

const KINDS: readonly (readonly [number, (world: World) => SimCommand])[] = [
  [22, make],
  [18, take],
  [6, hide],
  [7, meetSelf],
  [8, plan],
  [6, pair],
  [4, slice],
  [16, change],
  [3, clear],
  [5, batch],
  [6, wait],
  [2, waitExactly],
  [5, pushLimits],
  [2, repeat],
  [4, moveMoney],
  [5, operate],
  [3, fuzz],
];

const WEIGHT = KINDS.reduce((sum, [weight]) => sum + weight, 0);

/** The next command of the session: some trader's turn. */
export function nextCommand(world: World): SimCommand {
  const command = someonesTurn(world);
  const isNamed = ("clientOrderId" in command && command.clientOrderId !== "") || "reference" in command;
  if (isNamed) world.named.push(command);
  if (world.named.length > NAMED_KEPT) world.named.shift();
  return command;
}

function someonesTurn(world: World): SimCommand {
  if (world.random.chance(1, 4)) world.time += world.random.below(400);
  let at = world.random.below(WEIGHT);
  for (const [weight, act] of KINDS) {
    if (at < weight) return act(world);
    at -= weight;
  }
  return { kind: "tick" };
}
