// Owns the bad days of perpetuals as scripts: crashes, a market bankrupt at once, a source gone wrong, funding at the
// instant of liquidation, cascades of stops. Each returns the world it leaves behind.
import { BTC, INVERSE, LINEAR, MIDDLE, PerpWorld, USDT } from "./perp-session.ts";

const SECOND = 1_000;
const HOUR = 3_600_000;

/** Makers quote both sides around a price, so that there is somebody to sell to. */
function quote(world: PerpWorld, maker: number, market: number, middle: number, lots: number): void {
  world.send({ kind: "cancelAll", account: maker, market });
  for (const step of [1, 2, 4]) {
    world.order(maker, market, "buy", lots, middle - step * 400);
    world.order(maker, market, "sell", lots, middle + step * 400);
  }
}

/** Levered longs and shorts against one deep maker; returns the accounts. */
function participants(world: PerpWorld, count: number, market: number, maker: number, longsOnly: boolean): number[] {
  const { random } = world;
  const accounts: number[] = [];
  for (let i = 0; i < count; i++) {
    const account = world.trader(random.pick([600_000_000, 2_000_000_000, 9_000_000_000]));
    const leverage = random.pick([10, 20, 50, 100]);
    world.send({ kind: "setLeverage", account, market, long: leverage });
    if (random.chance(1, 2)) world.send({ kind: "setMarginMode", account, market, isolated: true });
    const long = longsOnly || random.chance(2, 3);
    const lots = random.pick([50, 100, 150]);
    world.order(maker, market, long ? "sell" : "buy", lots, MIDDLE);
    world.order(account, market, long ? "buy" : "sell", lots, MIDDLE);
    accounts.push(account);
  }
  return accounts;
}

/** 60 % down in a minute: one mark a second, makers following, timers running. */
export function crash(seed: number, accounts: number, everyCommand: number): PerpWorld {
  const world = new PerpWorld(seed);
  world.everyCommand = everyCommand;
  world.open();
  world.endow(USDT, 50_000_000_000);
  const maker = world.trader(900_000_000_000_000);
  participants(world, accounts, LINEAR, maker, false);
  for (let second = 1; second <= 60; second++) {
    const ticks = Math.round((MIDDLE * (100 - second)) / 100);
    world.tick(500);
    world.tick(500);
    quote(world, maker, LINEAR, ticks, 400);
    world.mark(LINEAR, ticks);
  }
  for (let i = 0; i < 40; i++) world.tick(500);
  world.check();
  world.replay();
  return world;
}

/** The mark jumps past every bankruptcy price at once, with an empty fund: winners must take it all. */
export function bankruptAtOnce(seed: number, inverse: boolean): PerpWorld {
  const world = new PerpWorld(seed);
  world.open();
  const market = inverse ? INVERSE : LINEAR;
  const winner = world.trader(inverse ? 500_000_000_000 : 900_000_000_000_000, inverse);
  const second = world.trader(inverse ? 500_000_000_000 : 900_000_000_000_000, inverse);
  for (let i = 0; i < 12; i++) {
    const account = world.trader(inverse ? 10_000_000 : 2_700_000_000, inverse);
    const lots = inverse ? 500 : 1_000;
    world.order(i % 2 === 0 ? winner : second, market, "sell", lots, MIDDLE);
    world.order(account, market, "buy", lots, MIDDLE);
  }
  world.mark(market, MIDDLE / 2);
  world.restore();
  world.replay();
  return world;
}

/** One source goes wild, then two fall silent: nobody may die of a lie. */
export function wrongSource(seed: number): PerpWorld {
  const world = new PerpWorld(seed);
  world.open();
  world.endow(USDT, 50_000_000_000);
  const maker = world.trader(900_000_000_000_000);
  participants(world, 30, LINEAR, maker, true);
  const observe = (prices: readonly number[]): void => {
    for (const [source, price] of prices.entries())
      world.send({ kind: "setIndexPrice", market: LINEAR, source, price });
  };
  for (let second = 0; second < 20; second++) {
    observe([MIDDLE, MIDDLE + 100, second < 5 ? MIDDLE : 5_000]);
    world.tick(SECOND);
  }
  for (let second = 0; second < 25; second++) {
    if (second > 10) observe([1_000]);
    world.tick(SECOND);
  }
  world.replay();
  return world;
}

/** The mark that liquidates and the hour that settles come in one tick. */
export function fundingAtLiquidation(seed: number): PerpWorld {
  const world = new PerpWorld(seed);
  world.time += 8 * HOUR - (world.time % (8 * HOUR)) - 30 * SECOND;
  world.open();
  world.endow(USDT, 50_000_000_000);
  const maker = world.trader(900_000_000_000_000);
  participants(world, 40, LINEAR, maker, true);
  quote(world, maker, LINEAR, MIDDLE + 3_000, 2_000);
  const observe = (price: number): void => {
    for (const source of [0, 1, 2]) world.send({ kind: "setIndexPrice", market: LINEAR, source, price });
  };
  for (let second = 0; second < 29; second++) {
    observe(MIDDLE);
    world.tick(SECOND);
  }
  observe(MIDDLE - 22_000);
  world.time += 8 * HOUR - (world.time % (8 * HOUR));
  observe(MIDDLE - 22_000);
  world.send({ kind: "tick" });
  world.replay();
  return world;
}

/** Stops below stops: each one's fills set off the next, in one command. */
export function stopCascade(seed: number): PerpWorld {
  const world = new PerpWorld(seed);
  world.open();
  world.endow(USDT, 50_000_000_000);
  const maker = world.trader(900_000_000_000_000);
  const accounts = participants(world, 25, LINEAR, maker, true);
  for (const [i, account] of accounts.entries())
    world.send({
      kind: "setPositionStops",
      account,
      market: LINEAR,
      stopTrigger: MIDDLE - 500 - i * 400,
      source: "last",
      trailBps: i % 3 === 0 ? 50 : 0,
    });
  for (let i = 0; i < 40; i++) world.order(maker, LINEAR, "buy", 120, MIDDLE - 400 - i * 300);
  const seller = world.trader(900_000_000_000_000);
  world.order(seller, LINEAR, "sell", 600, MIDDLE - 2_500, { timeInForce: "IOC" });
  world.replay();
  return world;
}

/** Inverse holders of every leverage through a doubling and a halving. */
export function inverseSwing(seed: number): PerpWorld {
  const world = new PerpWorld(seed);
  world.open();
  world.endow(BTC, 500_000_000);
  const maker = world.trader(900_000_000_000, true);
  for (let i = 0; i < 40; i++) {
    const account = world.trader(world.random.pick([2_000_000, 30_000_000]), true);
    world.send({ kind: "setLeverage", account, market: INVERSE, long: world.random.pick([1, 5, 25, 100]) });
    const long = world.random.chance(1, 2);
    world.order(maker, INVERSE, long ? "sell" : "buy", 90, MIDDLE);
    world.order(account, INVERSE, long ? "buy" : "sell", 90, MIDDLE);
  }
  for (const share of [110, 130, 160, 200, 150, 100, 75, 50]) {
    quote(world, maker, INVERSE, (MIDDLE * share) / 100, 500);
    world.mark(INVERSE, (MIDDLE * share) / 100);
    for (let i = 0; i < 6; i++) world.tick(500);
  }
  world.replay();
  return world;
}
