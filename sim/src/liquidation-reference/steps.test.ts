// Single steps of a liquidation, each with the figures the rules give: fees, opening orders, the bankruptcy price, lots of
// a tier. The twin holds the core to the same after every command; here the figures are reckoned once more by hand.
import { expect, test } from "vitest";
import { type House, type NaivePosition, wholeCost } from "./exchange.ts";
import { Twins } from "./references.ts";

const START = 1_700_000_000_000;
const usdt = (amount: number): number => Math.round(amount * 1_000_000);
/** 1, 1.5, 2.5, 5 and 12 % up to these notionals. */
const CAPS = [30_000, 60_000, 200_000, 400_000, 800_000].map((cap) => BigInt(usdt(cap)));
const FEE_OVER = 6n;
const FEE_UNDER = 10_000n;
const feeOf = (value: bigint): bigint => (value * FEE_OVER + FEE_UNDER - 1n) / FEE_UNDER;

/** A fund of 100 000, a deep-pocketed maker, and a trader at 20× in two symbols of 50 000 and 3 000 USDT. */
function scene(cash: number, isolated: boolean) {
  const twins = new Twins(START);
  const [btc, eth, coin] = [twins.asset("BTC", 8), twins.asset("ETH", 8), twins.asset("USDT", 6)];
  const linear = { inverse: false, quote: coin, fundingHours: 8, caps: CAPS };
  const market = twins.list({
    ...linear,
    symbol: "BTCUSDT",
    base: btc,
    stepUnits: 100_000,
    tickDecimals: 1,
    mark: 500_000,
  });
  const other = twins.list({
    ...linear,
    symbol: "ETHUSDT",
    base: eth,
    stepUnits: 1_000_000,
    tickDecimals: 2,
    mark: 300_000,
  });
  twins.endow(coin, usdt(100_000));
  const open = (amount: number, alone: boolean): number =>
    twins.open({
      inverse: false,
      coin,
      units: usdt(amount),
      hedge: false,
      symbolMargins: [market, other].map((one) => ({ market: one, isolated: alone, long: 20, short: 20 })),
    });
  const maker = open(10_000_000, false);
  const trader = open(cash, isolated);
  const long = (where: number, lots: number, price: number): void => {
    expect(twins.order(maker, where, true, lots, price)).toBe(true);
    expect(twins.order(trader, where, false, lots, price)).toBe(true);
  };
  const account = () => twins.naive.accounts.get(trader);
  const held = (where: number) => account()?.symbolMargins.get(where)?.long as NaivePosition;
  const house = () => twins.naive.houses.get(coin) as House;
  const taken = (where: number) => twins.naive.held.get(where) as NaivePosition;
  return { twins, market, other, maker, trader, long, account, held, house, taken };
}

/** One BTC in the second tier; 480 000 ticks are bid for all of it when the mark falls to 480 500. */
function stepDown() {
  const at = scene(2_600, true);
  at.long(at.market, 1_000, 500_000);
  expect(at.twins.order(at.maker, at.market, false, 1_000, 480_000)).toBe(true);
  const before = at.house().fund;
  at.twins.mark(at.market, 480_500);
  expect([at.twins.seen.get("tierReduced"), at.twins.seen.get("takenOver")]).toEqual([1, undefined]);
  return { ...at, paid: at.house().fund - before };
}

test("[FUT-2] a tier step leaves exactly the lots the tier below holds at the mark, not one more", () => {
  const { held, market } = stepDown();
  // 30 000 USDT at 48.05 a lot are 624 lots; 625 are 30 031.25.
  expect(held(market).lots).toBe(624n);
});

test("[FUT-2] a tier step pays the liquidation fee of what it sold", () => {
  const { paid } = stepDown();
  expect(paid).toBe(feeOf(376n * 48_000_000n));
});

test("[FUT-2] a takeover in cross margin pays the liquidation fee of what is taken over", () => {
  const { twins, market, long, house, taken } = scene(3_000, false);
  long(market, 500, 500_000);
  const before = house().fund;
  twins.mark(market, 445_000);
  expect(twins.seen.get("takenOver")).toBe(1);
  expect(taken(market).lots).toBe(500n);
  expect(house().fund - before).toBe(feeOf(wholeCost(taken(market))));
});

test("[FUT-2] a liquidation in cross margin takes back the opening orders of every symbol", () => {
  const { twins, market, other, trader, long } = scene(3_200, false);
  long(market, 500, 500_000);
  expect(twins.order(trader, other, false, 100, 290_000)).toBe(true);
  expect(twins.order(trader, market, false, 10, 480_000)).toBe(true);
  twins.mark(market, 440_000);
  expect(twins.seen.get("ordersCancelled")).toBe(1);
  expect(twins.naive.orders.filter(({ account }) => account.id === trader)).toEqual([]);
});

test.each([-5, 5])(
  "[FUT-2] the bankruptcy price counts what other cross positions gain or lose: %i in a hundred",
  (percent) => {
    const { twins, market, other, long, account, held, taken } = scene(4_000, false);
    long(market, 500, 500_000);
    long(other, 300, 300_000);
    twins.mark(other, 300_000 + 3_000 * percent);
    const gain = BigInt(usdt(9_000 * (percent / 100)));
    const backing = (account()?.cash ?? 0n) + gain;
    const cost = wholeCost(held(market));
    twins.mark(market, 410_000);
    // What is left of the cost after all of the backing, and the fee of that: value − cost + backing − fee = 0, rounded up.
    const over = (cost - backing) * FEE_UNDER;
    const under = FEE_UNDER - FEE_OVER;
    expect(wholeCost(taken(market))).toBe((over + under - 1n) / under);
  },
);
