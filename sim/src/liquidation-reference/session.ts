// Owns random sessions of the twins: levered accounts of every mode, makers, marks that drift and fall, hours that pass,
// funds that are rich, poor or empty. One seed, one session.
import { createRandom, type Random } from "@clockwork/kit/random";
import type { NaiveAccount } from "./exchange.ts";
import { Twins } from "./references.ts";

const HOUR = 3_600_000;
const START = 1_700_000_000_000 - (1_700_000_000_000 % (8 * HOUR)) + 1;
const USDT_ONE = 1_000_000;
const BTC_ONE = 100_000_000;

interface Place {
  readonly market: number;
  readonly inverse: boolean;
  /** Lots of about a thousand coins' worth. */
  readonly lots: number;
  middle: number;
  /** Percent a move goes one way. */
  drift: number;
}

class Session {
  readonly twins = new Twins(START);
  readonly random: Random;
  readonly places: Place[];
  readonly accounts = new Map<number, Place[]>();
  readonly makers = new Map<number, Place[]>();
  refused = 0;

  constructor(seed: number, funds: { readonly usdt: number; readonly btc: number }) {
    this.random = createRandom(seed);
    const { twins } = this;
    const [btc, eth, usdt, usd] = [
      ["BTC", 8] as const,
      ["ETH", 8] as const,
      ["USDT", 6] as const,
      ["USD", 2] as const,
    ].map(([symbol, scale]) => twins.asset(symbol, scale)) as [number, number, number, number];
    const caps = (one: number, all: readonly number[]): bigint[] => all.map((cap) => BigInt(cap * one));
    const linear = { inverse: false, quote: usdt, caps: caps(USDT_ONE, [20_000, 60_000, 150_000, 400_000, 2_000_000]) };
    const inverse = { inverse: true, base: btc, quote: usd, stepUnits: 1, caps: caps(BTC_ONE, [1, 3, 8, 20, 100]) };
    const btcusdt = twins.list({
      ...linear,
      symbol: "BTCUSDT",
      base: btc,
      stepUnits: 100_000,
      tickDecimals: 1,
      fundingHours: 8,
      mark: 500_000,
    });
    const ethusdt = twins.list({
      ...linear,
      symbol: "ETHUSDT",
      base: eth,
      stepUnits: 1_000_000,
      tickDecimals: 2,
      fundingHours: 1,
      mark: 300_000,
    });
    const btcusd = twins.list({
      ...inverse,
      symbol: "BTCUSD",
      faceUnits: 10_000,
      tickDecimals: 1,
      fundingHours: 8,
      mark: 500_000,
    });
    const small = twins.list({
      ...inverse,
      symbol: "BTCUSDS",
      faceUnits: 1_000,
      tickDecimals: 1,
      fundingHours: 1,
      mark: 500_000,
    });
    if (funds.usdt > 0) twins.endow(usdt, funds.usdt);
    if (funds.btc > 0) twins.endow(btc, funds.btc);
    this.places = [
      { market: btcusdt, inverse: false, lots: 20, middle: 500_000, drift: 0 },
      { market: ethusdt, inverse: false, lots: 33, middle: 300_000, drift: 0 },
      { market: btcusd, inverse: true, lots: 10, middle: 500_000, drift: 0 },
      { market: small, inverse: true, lots: 100, middle: 500_000, drift: 0 },
    ];
    for (let i = 0; i < 14; i++) this.#open(i % 3 === 2, i, usdt, btc);
  }

  /** The first two of a family are makers; the others are levered, isolated or cross, one-way or hedged. */
  #open(inverse: boolean, i: number, usdt: number, btc: number): void {
    const { random, twins } = this;
    const maker = i < 5 && i !== 2 ? i < 2 : i === 2;
    const places = this.places.filter((place) => place.inverse === inverse);
    const thousands = maker ? 1_000_000 : random.pick([1, 2, 5, 12]);
    const units = inverse ? thousands * 2_000_000 : thousands * 1_000 * USDT_ONE;
    const bonus = { units: Math.floor(units / 4), ratioBps: random.pick([10_000, 5_000, 3_333]) };
    const id = twins.open({
      inverse,
      coin: inverse ? btc : usdt,
      units,
      hedge: !maker && random.chance(3, 5),
      ...(!maker && random.chance(1, 4) ? { bonus } : {}),
      symbolMargins: places.map(({ market }) => ({
        market,
        isolated: !maker && random.chance(1, 3),
        long: random.pick([10, 20, 30, 50]),
        short: random.pick([10, 20, 30, 50]),
      })),
    });
    (maker ? this.makers : this.accounts).set(id, places);
  }

  run(commands: number): void {
    while (this.twins.commands < commands) this.step();
  }

  step(): void {
    const dice = this.random.below(100);
    if (dice < 18) this.#quote();
    else if (dice < 62) this.#trade();
    else if (dice < 68) this.#cancel();
    else if (dice < 86) this.#move();
    else this.#wait();
  }

  /** A maker shows both sides, deep or thin. */
  #quote(): void {
    const { random } = this;
    const [maker, places] = random.pick([...this.makers]);
    const { market, middle, lots } = random.pick(places);
    const depth = random.pick([1, 20, 100, 300]) * lots;
    for (const sells of [true, false]) {
      const away = random.between(1, Math.floor(middle / random.pick([60, 400])));
      this.#order(maker, market, sells, random.between(1, depth), sells ? middle + away : middle - away);
    }
  }

  #order(...order: Parameters<Twins["order"]>): void {
    if (!this.twins.order(...order)) this.refused++;
  }

  /** A levered order: a good part of what the account's cash and leverage allow. */
  #trade(): void {
    const { random } = this;
    const [account, places] = random.pick([...this.accounts]);
    const { market, middle, lots, inverse } = random.pick(places);
    const { cash } = this.twins.naive.accounts.get(account) as NaiveAccount;
    const thousands = Number(cash) / (inverse ? 2_000_000 : 1_000 * USDT_ONE);
    const most = Math.ceil(thousands * lots * random.pick([2, 10, 20, 45]));
    const reduceOnly = random.chance(1, 10);
    const rests = !reduceOnly && random.chance(1, 3);
    const sells = random.chance(1, 2);
    const away = random.between(1, Math.floor(middle / 50)) * (rests === sells ? 1 : -1);
    this.#order(account, market, sells, random.between(Math.ceil(most / 3), Math.max(1, most)), middle + away, {
      ...(reduceOnly ? { reduceOnly } : {}),
      ...(rests ? {} : { timeInForce: "IOC" as const }),
    });
  }

  #cancel(): void {
    const { orders } = this.twins.naive;
    if (orders.length > 0) this.twins.cancel(this.random.pick(orders).id);
  }

  /** A market drifts one way for a while; now and then it jumps, and its index leaves it. */
  #move(): void {
    const { random } = this;
    const place = random.pick(this.places);
    if (random.chance(1, 6)) place.drift = random.pick([-3, -1, 0, 1, 3]);
    const jump = random.chance(1, 8) ? random.pick([-8, -5, 5, 8]) : 0;
    const reach = Math.floor(place.middle / 100);
    const low = place.middle < 150_000 ? 4 : place.middle > 1_500_000 ? -4 : 0;
    place.middle += (place.drift + jump + low) * reach + random.between(-reach, reach);
    const index = place.middle + random.pick([0, 0, 1, -1]) * Math.floor(place.middle / 200);
    this.twins.mark(place.market, place.middle, index);
  }

  #wait(): void {
    const { random, twins } = this;
    const toHour = HOUR - (twins.driver.time % HOUR);
    twins.tick(random.pick([500, 500, 500, 500, 5_000, 5_000, 60_000, toHour, 3 * HOUR]));
  }
}

/** From nothing to plenty, so that the fund bears, runs dry and is drained by a symbol. */
const FUND_COINS = [0, 300, 1_000, 3_000, 10_000, 100_000] as const;

/** One session from its seed; what went wrong names the seed. Returns how often each step was seen. */
export function runSession(seed: number, commands: number): ReadonlyMap<string, number> {
  const coins = FUND_COINS[seed % FUND_COINS.length] as number;
  const session = new Session(seed, { usdt: coins * USDT_ONE, btc: coins * 2_000 });
  try {
    session.run(commands);
  } catch (error) {
    throw new Error(`seed ${seed}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
  return session.twins.seen;
}
