// Owns the trader that lives on the edges: quantities, prices, amounts and times exactly at a bound and one beyond.
import type { SingleCommand } from "./reference.ts";
import { midOf, pickMarket, pickSide, pickTrader, type World } from "./world.ts";

const DAY_MS = 86_400_000;

/** An order that passes every check but sits on one bound. */
export function pushLimits(world: World): SingleCommand {
  const { random } = world;
  const market = pickMarket(world);
  const side = pickSide(world);
  const mid = midOf(world, market);
  const off = random.pick([-1, 0, 0, 1]);
  const shape = { kind: "placeOrder", account: pickTrader(world), market: market.id, side, price: mid } as const;
  switch (random.below(8)) {
    case 0:
      return { ...shape, quantity: Math.max(1, Math.min(market.maxLots, 1_000) + off) };
    case 1:
      return { ...shape, price: 0, type: "market", quantity: Math.max(1, Math.min(market.maxMarketLots, 1_000) + off) };
    case 2:
      return { ...shape, quantity: Math.max(1, market.minLots + off) };
    case 3: {
      const lots = Number(market.minNotional / (BigInt(mid) * market.tickLot)) + off;
      return { ...shape, quantity: Math.max(1, lots) };
    }
    case 4: {
      const [minBps, maxBps] =
        side === "buy" ? [market.buyMinBps, market.buyMaxBps] : [market.sellMinBps, market.sellMaxBps];
      const edge = Math.floor((market.anchor * random.pick([minBps, maxBps])) / 10_000) + off;
      return { ...shape, price: Math.max(1, Math.min(edge, 0x3fffffff)), quantity: random.between(1, 5) };
    }
    case 5: {
      const ahead = random.pick([60_000, 90 * DAY_MS]) + off;
      return { ...shape, quantity: random.between(1, 9), timeInForce: "GTD", expiresAt: world.time + ahead };
    }
    case 6: {
      const quantity = random.between(20, 100);
      return { ...shape, quantity, visible: Math.max(1, Math.ceil(quantity / 20) + off) };
    }
    default:
      return exactMoney(world);
  }
}

/** All that is available and not one unit more, or one more. */
function exactMoney(world: World): SingleCommand {
  const { random, exchange } = world;
  const market = pickMarket(world);
  const account = exchange.accounts.get(pickTrader(world));
  const off = random.pick([0, 0, 1]);
  if (account === undefined) return { kind: "tick" };
  const order = { kind: "placeOrder", account: account.id, market: market.id } as const;
  if (random.chance(1, 2)) {
    const lots = Number(exchange.balance(account, market.base).available / market.step) + off;
    return { ...order, side: "sell", price: midOf(world, market), quantity: Math.max(1, lots) };
  }
  const quantity = Math.max(1, Number(exchange.balance(account, market.quote).available) + off);
  return { ...order, side: "buy", type: "market", inQuote: true, quantity };
}

/** Times that lie on the bounds other things live by: expiries, ids of a day, the five minutes of the band. */
export function waitExactly(world: World): SingleCommand {
  const { random, exchange } = world;
  const oldest = [...exchange.clientIds.values()].map(({ time }) => time + DAY_MS);
  const timers = exchange.timers.map(({ at }) => at);
  const bounds = [...oldest, ...timers].filter((at) => at > world.time);
  if (bounds.length === 0 || random.chance(1, 3)) world.time += random.pick([290_000, 299_999, 300_000, 300_001]);
  else
    world.time = Math.max(
      world.time,
      random.pick(random.chance(1, 12) ? bounds : [Math.min(...bounds)]) + random.below(2) - 1,
    );
  return { kind: "tick" };
}
