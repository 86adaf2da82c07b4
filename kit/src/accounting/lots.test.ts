// Lots against a naive reference model in exact fractions, over random histories of an account.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { EventReader, eventOf, type Movement } from "./events.ts";
import { type EventResult, LotBook, type LotMethod, type Moment } from "./lots.ts";

const [USDT, BTC, ETH, NEW] = [1, 2, 3, 4];
const METHODS: readonly LotMethod[] = ["FIFO", "LIFO", "AVERAGE"];
/** Of a thousand units in money, changing with time; a coin without a market has none. */
const priceAt = (asset: number, timeMs: number): bigint =>
  BigInt(asset === BTC ? 7_000 + (timeMs % 977) : 300 + (timeMs % 101));
const moment: Moment = {
  valueAt: (asset, units, timeMs) => (asset === NEW ? undefined : (units * priceAt(asset, timeMs)) / 1_000n),
  launchCost: (reference, units) => (reference.startsWith("launch:") ? units * 2n : undefined),
};

const move = (
  sequence: number,
  asset: number,
  business: string,
  units: bigint,
  more: Partial<Movement> = {},
): Movement => ({
  sequence,
  timeMs: sequence * 1_000,
  asset,
  business,
  units,
  market: 0,
  reference: "",
  isBot: false,
  ...more,
});

function live(method: LotMethod, movements: readonly Movement[]) {
  const book = new LotBook(method, USDT);
  const results: EventResult[] = [];
  const reader = new EventReader();
  const take = (groups: readonly (readonly Movement[])[]): void => {
    for (const group of groups) {
      const event = eventOf(group);
      if (event !== undefined) results.push(book.take(event, moment));
    }
  };
  for (const one of movements) take(reader.add(one));
  take(reader.end());
  return { book, results, gains: results.flatMap(({ disposals }) => disposals.map(({ gainUnits }) => gainUnits)) };
}

test("[WAL-3] each method uses its own lot, a fee in the coin is part of its cost, and a fee in money reduces the proceeds of a sale", () => {
  const trades = [
    move(1, USDT, "trade", -1_000n),
    move(1, BTC, "trade", 10n),
    move(2, USDT, "trade", -3_000n),
    move(2, BTC, "trade", 11n),
    move(2, BTC, "fee", -1n),
    move(3, BTC, "trade", -5n),
    move(3, USDT, "trade", 1_510n),
    move(3, USDT, "fee", -10n),
  ];
  const given = [move(0, USDT, "deposit", 10_000n), ...trades];
  expect(METHODS.map((method) => live(method, given).gains)).toEqual([[1_000n], [0n], [500n]]);
  expect(live("AVERAGE", given).book.cost(BTC)).toEqual({
    units: 15n,
    knownUnits: 15n,
    costUnits: 3_000n,
    realisedUnits: 500n,
  });
});

test("[WAL-3] coins spent for coins are sold at the worth of what comes back, and a later bonus inherits none of their cost", () => {
  const { book, gains } = live("FIFO", [
    move(0, USDT, "deposit", 10_000n),
    move(1, USDT, "trade", -7_000n),
    move(1, BTC, "trade", 1_000n),
    // All of it for ETH, which is worth 302 per thousand then.
    move(2, BTC, "convert", -1_000n),
    move(2, ETH, "convert", 20_000n),
    move(3, BTC, "internalTransfer", 1_000n),
  ]);
  const worth = (20_000n * priceAt(ETH, 2_000)) / 1_000n;
  expect(gains).toEqual([worth - 7_000n]);
  expect(book.cost(ETH).costUnits).toBe(worth);
  expect(book.cost(BTC)).toMatchObject({ units: 1_000n, costUnits: priceAt(BTC, 3_000) });
});

test("[WAL-3] movements between own books, into earn or a bot are no event; commitments to a launch or a bond keep their cost", () => {
  const { book, results } = live("FIFO", [
    move(0, USDT, "deposit", 10_000n),
    ...[move(1, USDT, "earnSubscribe", -500n), move(1, USDT, "earnSubscribe", 500n)],
    move(2, USDT, "launchCommit", -600n),
    move(3, USDT, "merchantBond", -1_000n),
    // A part of the coins, which had cost two each, and the money beyond their price.
    move(4, NEW, "launchAllocate", 100n, { reference: "launch:v:1:0" }),
    move(5, USDT, "launchRefund", 300n),
  ]);
  expect(book.committed).toEqual({ launchUnits: 100n, bondUnits: 1_000n });
  expect(book.moneyUnits).toBe(8_700n);
  expect(book.cost(NEW)).toMatchObject({ units: 100n, costUnits: 200n });
  expect(
    results.map(({ inUnits, outUnits, incomeUnits, expenseUnits }) => [inUnits, outUnits, incomeUnits, expenseUnits]),
  ).toEqual([[10_000n, 0n, 0n, 0n], ...Array(4).fill([0n, 0n, 0n, 0n])]);
});

test("[WAL-3] interest, rewards and funding are earned at their value; fees and losses in a coin lose its cost", () => {
  const { book, results } = live("FIFO", [
    move(0, BTC, "deposit", 1_000n),
    move(1, BTC, "earnInterest", 1_000n),
    move(2, BTC, "funding", -500n),
    move(3, BTC, "realized", -100n),
    move(3, BTC, "closeFee", -10n),
    move(4, BTC, "withdrawal", -100n),
    move(4, BTC, "withdrawalFee", -10n),
  ]);
  const [deposit, interest, funding, loss, withdrawal] = results;
  expect(deposit?.inUnits).toBe(7_000n - 0n);
  expect(interest?.incomeUnits).toBe(priceAt(BTC, 1_000));
  expect([funding?.expenseUnits, loss?.expenseUnits]).toEqual([3_500n, 770n]);
  expect([withdrawal?.outUnits, withdrawal?.outCostUnits, withdrawal?.expenseUnits]).toEqual([
    (100n * priceAt(BTC, 4_000)) / 1_000n,
    700n,
    70n,
  ]);
  expect(book.cost(BTC).realisedUnits).toBe(0n);
});

test("[WAL-3] a deposit without a value has no cost: its sale has no gain, and an average uses it last", () => {
  const { book, gains } = live("AVERAGE", [
    move(1, NEW, "deposit", 100n),
    ...[move(2, USDT, "trade", -500n), move(2, NEW, "trade", 100n)],
    ...[move(3, NEW, "trade", -100n), move(3, USDT, "trade", 900n)],
    ...[move(4, NEW, "trade", -50n), move(4, USDT, "trade", 450n)],
  ]);
  expect(gains).toEqual([400n, undefined]);
  expect(book.cost(NEW)).toEqual({ units: 50n, knownUnits: 0n, costUnits: 0n, realisedUnits: 400n });
});

/** A fraction of money: always exact. */
type Exact = readonly [over: bigint, under: bigint];
const plus = ([a, b]: Exact, [c, d]: Exact): Exact => reduced(a * d + c * b, b * d);
const minus = (one: Exact, [c, d]: Exact): Exact => plus(one, [-c, d]);
function reduced(over: bigint, under: bigint): Exact {
  let [a, b] = [over < 0n ? -over : over, under];
  while (b !== 0n) [a, b] = [b, a % b];
  return a === 0n ? [0n, 1n] : [over / a, under / a];
}

/** Every unit separate, with its own exact cost; disposals are picked unit by unit. */
class NaiveBook {
  readonly units = new Map<number, { cost: Exact }[]>();
  readonly method: LotMethod;
  constructor(method: LotMethod) {
    this.method = method;
  }

  add(asset: number, units: bigint, cost: bigint): void {
    const held = this.units.get(asset) ?? [];
    this.units.set(asset, held);
    for (let i = 0n; i < units; i += 1n) held.push({ cost: reduced(cost, units) });
  }

  remove(asset: number, units: bigint): Exact {
    const held = this.units.get(asset) ?? [];
    const whole = held.reduce<Exact>((sum, { cost }) => plus(sum, cost), [0n, 1n]);
    const average: Exact = held.length === 0 ? [0n, 1n] : reduced(whole[0], whole[1] * BigInt(held.length));
    if (this.method === "AVERAGE") for (const one of held) one.cost = average;
    let sum: Exact = [0n, 1n];
    for (let i = 0n; i < units; i += 1n) {
      const one = this.method === "LIFO" ? held.pop() : held.shift();
      sum = plus(sum, one?.cost ?? [0n, 1n]);
    }
    return sum;
  }

  cost(asset: number): Exact {
    return (this.units.get(asset) ?? []).reduce<Exact>((sum, { cost }) => plus(sum, cost), [0n, 1n]);
  }
}

type Step = readonly [kind: string, asset: number, other: number, amount: number, money: number];
const step: fc.Arbitrary<Step> = fc.tuple(
  fc.constantFrom(
    "deposit",
    "buy",
    "sell",
    "convert",
    "withdraw",
    "interest",
    "loss",
    "fee",
    "transfer",
    "commit",
    "refund",
  ),
  fc.constantFrom(BTC, ETH),
  fc.constantFrom(BTC, ETH),
  fc.integer({ min: 1, max: 30 }),
  fc.integer({ min: 1, max: 400 }),
);

test("[WAL-3] over any history of an account, cost and gain of every method equal those of a reference model that tracks each unit, and nothing is earned or lost on the way", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), fc.constantFrom(...METHODS), fc.nat(40), (steps, method, stopAt) => {
      const naive = new NaiveBook(method);
      let book = new LotBook(method, USDT);
      const held = new Map<number, bigint>();
      let [referenceGain, ownGain, removals, committed, flows] = [[0n, 1n] as Exact, 0n, 0n, 0n, 0n];
      const value = (asset: number, units: bigint, sequence: number) =>
        moment.valueAt(asset, units, sequence * 1_000) ?? 0n;
      for (const [at, [kind, asset, other, amount, price]] of steps.entries()) {
        const sequence = at + 1;
        const has = held.get(asset) ?? 0n;
        const units =
          kind === "deposit" || kind === "buy" || kind === "interest"
            ? BigInt(amount)
            : has < BigInt(amount)
              ? has
              : BigInt(amount);
        const money = BigInt(price);
        const moves: Movement[] = [];
        const sold = (worth: bigint): void => {
          referenceGain = plus(referenceGain, minus([worth, 1n], naive.remove(asset, units)));
          removals += 1n;
        };
        if (kind === "refund" ? committed === 0n : kind !== "commit" && units === 0n) continue;
        if (kind === "deposit" || kind === "interest") {
          moves.push(move(sequence, asset, kind === "deposit" ? "deposit" : "earnInterest", units));
          naive.add(asset, units, value(asset, units, sequence));
        } else if (kind === "buy") {
          moves.push(move(sequence, USDT, "trade", -money), move(sequence, asset, "trade", units));
          naive.add(asset, units, money);
        } else if (kind === "sell") {
          moves.push(
            move(sequence, asset, "trade", -units),
            move(sequence, USDT, "trade", money + 1n),
            move(sequence, USDT, "fee", -1n),
          );
          sold(money);
        } else if (kind === "convert" && other !== asset) {
          moves.push(move(sequence, asset, "convert", -units), move(sequence, other, "convert", BigInt(amount)));
          sold(value(other, BigInt(amount), sequence));
          naive.add(other, BigInt(amount), value(other, BigInt(amount), sequence));
        } else if (kind === "transfer") {
          moves.push(move(sequence, asset, "transfer", -units), move(sequence, asset, "transfer", units));
        } else if (kind === "commit") {
          moves.push(move(sequence, USDT, "launchCommit", -money));
          committed += money;
        } else if (kind === "refund") {
          moves.push(move(sequence, USDT, "launchRefund", committed));
          committed = 0n;
        } else if (kind !== "convert") {
          const business = { withdraw: "withdrawal", loss: "realized", fee: "closeFee" }[kind] as string;
          moves.push(move(sequence, asset, business, -units));
          naive.remove(asset, units);
          removals += 1n;
        }
        const event = eventOf(moves);
        for (const { asset: moved, units: change } of moves) held.set(moved, (held.get(moved) ?? 0n) + change);
        if (event === undefined) continue;
        // A stop in between changes nothing.
        if (at === stopAt) book = new LotBook(method, USDT, JSON.parse(JSON.stringify(book.write())));
        const { inUnits, outCostUnits, incomeUnits, expenseUnits, disposals } = book.take(event, moment);
        flows += inUnits - outCostUnits + incomeUnits - expenseUnits;
        if (kind === "sell" || kind === "convert") for (const { gainUnits } of disposals) ownGain += gainUnits ?? 0n;
      }
      const near = (own: bigint, [over, under]: Exact): void => {
        const off = own * under - over;
        expect((off < 0n ? -off : off) <= removals * under * 2n).toBe(true);
      };
      near(ownGain, referenceGain);
      let cost = 0n;
      for (const asset of [BTC, ETH]) {
        expect(book.cost(asset).units).toBe(held.get(asset) ?? 0n);
        near(book.cost(asset).costUnits, naive.cost(asset));
        cost += book.cost(asset).costUnits;
      }
      // The holding at its cost is deposits less withdrawals plus all earnings: to the unit.
      expect(book.moneyUnits).toBe(held.get(USDT) ?? 0n);
      expect(book.committed.launchUnits).toBe(committed);
      expect(book.moneyUnits + committed + cost).toBe(flows + ownGain);
    }),
    { numRuns: 200 },
  );
});
