// What a fill moves and what it costs, entry by entry: seeded trades of spot and bot books at any rates beside a plain
// reckoning in whole numbers of any size.
import { createRandom, type Random } from "@clockwork/kit/random";
import { expect, test } from "vitest";
import { checkInvariants } from "../inspect/invariants.ts";
import { coreOf } from "../machine/machine.ts";
import type { MachineEvent } from "../protocol/event.ts";
import { FEES_ACCOUNT, ROUNDING_ACCOUNT } from "../protocol/names.ts";
import { eventsOf } from "../testing/driver.ts";
import { createStage, type Stage } from "../testing/stage.ts";

const UNIT = 25;
const STEP = 1_000;
const RATES = [0, 0, 1, 3, 99_999, 100_000, 10_000_000];

interface Trader {
  readonly account: number;
  readonly paysInQuote: boolean;
  maker: number;
  taker: number;
}

/** An order that rests or takes, and what it has set aside for fees. */
interface Placed {
  readonly trader: Trader;
  readonly sells: boolean;
  readonly price: number;
  reserve: number;
}

type Entry = readonly [business: string, account: number, counterparty: number, asset: number, units: number];

/** A fee: what is paid is rounded up; of it the house has what is exact, and the book of roundings the rest. */
function feeEntries(
  payer: number,
  asset: number,
  units: number,
  rate: number,
  most = Number.MAX_SAFE_INTEGER,
): Entry[] {
  const product = BigInt(units) * BigInt(rate);
  const paid = Math.min(Number((product + 99_999_999n) / 100_000_000n), most);
  const exact = Math.min(Number(product / 100_000_000n), paid);
  const entries: Entry[] = [];
  if (paid !== 0) entries.push(["fee", payer, FEES_ACCOUNT, asset, 0 - paid]);
  if (exact !== 0) entries.push(["fee", FEES_ACCOUNT, payer, asset, exact]);
  if (paid !== exact) entries.push(["rounding", ROUNDING_ACCOUNT, payer, asset, paid - exact]);
  return entries;
}

/** All entries of one fill, in the order in which they are told. */
function fillEntries(stage: Stage, maker: Placed, taker: Placed, lots: number): Entry[] {
  const [buy, sell] = maker.sells ? [taker, maker] : [maker, taker];
  const [buyer, seller] = [buy.trader.account, sell.trader.account];
  const rateOf = (placed: Placed): number => (placed === maker ? placed.trader.maker : placed.trader.taker);
  const [notional, amount] = [maker.price * lots * UNIT, lots * STEP];
  const entries: Entry[] = [
    ["trade", buyer, seller, stage.quote, 0 - notional],
    ["trade", seller, buyer, stage.quote, notional],
    ["trade", seller, buyer, stage.base, 0 - amount],
    ["trade", buyer, seller, stage.base, amount],
  ];
  if (buy.trader.paysInQuote) {
    const own = feeEntries(buyer, stage.quote, notional, rateOf(buy), buy.reserve);
    buy.reserve += own[0]?.[4] ?? 0;
    entries.push(...own);
  } else entries.push(...feeEntries(buyer, stage.base, amount, rateOf(buy)));
  entries.push(...feeEntries(seller, stage.quote, notional, rateOf(sell)));
  return entries;
}

const postingsOf = (events: readonly MachineEvent[]): Entry[] =>
  eventsOf(events, "posting").map(({ business, account, counterparty, asset, deltaUnits, reference, market }) => {
    expect([reference, market]).toEqual([
      eventsOf(events, "trade")[0]?.tradeNumber,
      eventsOf(events, "trade")[0]?.market,
    ]);
    return [business, account, counterparty, asset, deltaUnits];
  });

class Trades {
  readonly stage = createStage({
    tickMantissa: UNIT,
    buyMaxBps: 1_000_000,
    sellMaxBps: 1_000_000,
    buyMinBps: 0,
    sellMinBps: 0,
  });
  readonly traders: Trader[];
  readonly #random: Random;
  /** Units of each account and asset, as their entries come to. */
  readonly #held = new Map<string, number>();

  constructor(random: Random) {
    this.#random = random;
    this.traders = (["spot", "bot", "spot", "bot"] as const).map((book) => ({
      account: this.stage.trader(1e12, 1e12, { book }),
      paysInQuote: book === "bot",
      maker: 0,
      taker: 0,
    }));
    for (const { account } of this.traders)
      for (const asset of [this.stage.base, this.stage.quote]) this.#held.set(`${account} ${asset}`, 1e12);
  }

  setRates(): void {
    for (const trader of this.traders) {
      trader.maker = this.#random.pick(RATES);
      trader.taker = this.#random.pick(RATES);
      const rates = { makerRate: trader.maker, takerRate: trader.taker };
      this.stage.send({ kind: "setAccountFees", account: trader.account, feeGroup: 0, ...rates });
    }
  }

  place(trader: Trader, sells: boolean, price: number, lots: number): { placed: Placed; events: MachineEvent[] } {
    const side = sells ? "sell" : "buy";
    const order = { kind: "placeOrder", account: trader.account, market: this.stage.market, side } as const;
    const events = this.stage.send({ ...order, price, quantity: lots });
    const held = eventsOf(events, "orderAccepted")[0]?.heldUnits ?? 0;
    return { placed: { trader, sells, price, reserve: sells ? 0 : held - price * lots * UNIT }, events };
  }

  /** One order that rests, then others that take it piece by piece; rates may change in between. */
  round(): void {
    const random = this.#random;
    const [one, other] = random.pick([
      [0, 1],
      [1, 0],
      [2, 0],
      [1, 3],
      [3, 2],
      [0, 2],
    ] as const);
    const [maker, taker] = [this.traders[one], this.traders[other]] as [Trader, Trader];
    const [sells, price] = [random.chance(1, 2), random.between(1, 500)];
    const pieces = Array.from({ length: random.between(1, 4) }, () =>
      random.pick([1, 2, 40, 1_000, random.between(1, 9_999)]),
    );
    const lots = pieces.reduce((sum, piece) => sum + piece, 0);
    const resting = this.place(maker, sells, price, lots).placed;
    for (const piece of pieces) {
      if (random.chance(1, 4)) this.setRates();
      const limit = sells ? price + random.below(4) : Math.max(1, price - random.below(4));
      const { placed, events } = this.place(taker, !sells, limit, piece);
      const entries = fillEntries(this.stage, resting, placed, piece);
      expect(postingsOf(events)).toEqual(entries);
      for (const [, account, , asset, units] of entries) {
        const key = `${account} ${asset}`;
        this.#held.set(key, (this.#held.get(key) ?? 0) + units);
      }
    }
    this.#compare();
  }

  /** Nothing is on hold any more, and everybody has what the entries come to. */
  #compare(): void {
    const { ledger } = coreOf(this.stage.machine);
    for (const [key, units] of this.#held) {
      const [account, asset] = key.split(" ").map(Number) as [number, number];
      const cell = ledger.cellOf(account, asset);
      expect([key, ledger.available(cell), ledger.frozen(cell)]).toEqual([key, units, 0]);
    }
    expect(checkInvariants(this.stage.machine)).toEqual([]);
  }
}

test("[FEE-1] every fill posts what a plain reckoning does, at any rates, whoever buys and whichever book pays", () => {
  const trades = new Trades(createRandom(12));
  for (let round = 0; round < 200; round++) {
    if (round % 5 === 0) trades.setRates();
    trades.round();
  }
});
