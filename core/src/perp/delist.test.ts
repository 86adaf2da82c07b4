// The end of a perpetual market beside plain sums: everybody is paid at the last mark, who has lost most first, what rounding
// leaves belongs to nobody, and no other market hears of it.
import { createRandom } from "@clockwork/kit/random";
import { expect, test } from "vitest";
import { coreOf } from "../machine/machine.ts";
import { FIRST_USER_ACCOUNT, ROUNDING_ACCOUNT } from "../protocol/names.ts";
import { eventsOf } from "../testing/driver.ts";
import { createPerpStage } from "../testing/perp-stage.ts";
import { profitOf, Watched } from "./account/standing-fixture.ts";
import { CT_CLEARING_CELL, CTF_OPEN_LOTS } from "./state/records.ts";

const RICH = 10 ** 13;

function tradedStage(seed: number, inverse: boolean) {
  const random = createRandom(seed);
  const stage = createPerpStage();
  const market = inverse ? stage.inverse : stage.linear;
  const holders = Array.from({ length: 7 }, () => stage.trader(RICH, { inverse }));
  for (const account of holders) stage.sure({ kind: "setLeverage", account, market, long: 20 });
  stage.sure({ kind: "setMarginMode", account: holders[1] as number, market, isolated: true });
  for (let i = 0; i < 24; i++) {
    const [maker, taker] = [random.pick(holders.slice(0, 5)), random.pick(holders.slice(0, 5))];
    if (maker === taker) continue;
    const [side, against] = random.pick([
      ["buy", "sell"],
      ["sell", "buy"],
    ] as const);
    const price = 500_000 + random.between(-9_000, 9_000);
    const lots = random.between(1, 90);
    stage[against](maker, lots, price, { market });
    stage[side](taker, lots, price, { market });
    stage.sure({ kind: "cancelAll", account: maker });
  }
  // The last two hold as much at the same price: who came to the market first is first.
  const [first = 0, second = 0] = holders.slice(5);
  stage.buy(holders[0] as number, 20, 500_000, { market });
  for (const account of [second, first]) stage.sell(account, 10, 500_000, { market });
  stage.sure({ kind: "setPositionStops", account: first, market, stopTrigger: 520_000 });
  return { stage, market, holders };
}

for (const inverse of [false, true])
  test(`[FUT-2] the end of ${inverse ? "an inverse" : "a linear"} market pays everybody at its mark, losers first`, () => {
    let rounded = 0;
    for (let seed = 1; seed <= 3; seed++) {
      const { stage, market, holders } = tradedStage(seed, inverse);
      stage.mark(market, 500_000 + seed * 777);
      const coin = inverse ? stage.btc : stage.usdt;
      const standing = holders.map((account) => new Watched(stage, account, market, false).standing());
      const wealth = holders.map((account) => stage.balance(account, coin));
      const open = holders
        .map((account, age) => {
          const own = standing[age] as (typeof standing)[number];
          return { account, age, side: own.sides[0], profit: profitOf(own, own.sides[0]) };
        })
        .filter(({ side }) => side.lots !== 0);
      const { ledger, perps } = coreOf(stage.machine);
      const clearing = ledger.available(perps.contract(market, CT_CLEARING_CELL));
      const events = stage.sure({ kind: "setMarketStatus", market, status: "DELISTED" });
      const ranked = [...open].sort((a, b) => a.profit - b.profit || a.age - b.age);
      const changed = eventsOf(events, "positionChanged");
      expect(
        changed.map(({ account, lots, costUnits, marginUnits, realizedUnits }) => [
          account,
          lots,
          costUnits,
          marginUnits,
          realizedUnits,
        ]),
      ).toEqual(ranked.map(({ account, profit }) => [account, 0, 0, 0, profit]));
      const after = holders.map((account, i) => {
        const { available, frozen } = wealth[i] as (typeof wealth)[number];
        return {
          available: available + frozen + (open.find((one) => one.account === account)?.profit ?? 0),
          frozen: 0,
        };
      });
      expect(holders.map((account) => stage.balance(account, coin))).toEqual(after);
      const posted = eventsOf(events, "posting").filter(({ account }) => account >= FIRST_USER_ACCOUNT);
      const paid = posted.filter(({ business }) => business === "realized");
      expect(paid.map(({ account, deltaUnits, market: where }) => [account, deltaUnits, where])).toEqual(
        ranked.filter(({ profit }) => profit !== 0).map(({ account, profit }) => [account, profit, market]),
      );
      const left = eventsOf(events, "posting").filter(({ account }) => account === ROUNDING_ACCOUNT);
      const units = open.reduce((left, { profit }) => left - profit, clearing);
      expect(
        left.map(({ business, deltaUnits, reference, market: where }) => [business, deltaUnits, reference, where]),
      ).toEqual(units === 0 ? [] : [["rounding", units, 0, market]]);
      rounded += left.length;
      expect(perps.contractDouble(market, CTF_OPEN_LOTS)).toBe(0);
      expect(eventsOf(events, "orderEnded").map(({ reason }) => reason)).toContain("MARKET_STATUS");
    }
    expect(rounded).toBeGreaterThan(1);
  });

test("[FUT-2] a single contract and a single tick are settled too, at what they cost, and nothing is left over", () => {
  for (const mark of [500_001, 1]) {
    const stage = createPerpStage();
    const inverse = mark !== 1;
    const market = inverse ? stage.inverse : stage.linear;
    const [long, short] = [stage.trader(RICH, { inverse }), stage.trader(RICH, { inverse })];
    stage.mark(market, mark);
    stage.sell(short, 1, mark, { market });
    stage.buy(long, 1, mark, { market });
    const events = stage.sure({ kind: "setMarketStatus", market, status: "DELISTED" });
    expect([stage.held(long, market), stage.held(short, market)]).toEqual([[], []]);
    const left = eventsOf(events, "posting").filter(({ account }) => account === ROUNDING_ACCOUNT);
    expect(left).toEqual([]);
    expect(eventsOf(events, "positionChanged").map(({ realizedUnits }) => realizedUnits)).toEqual([0, 0]);
  }
});

test("[FUT-2] a market that never had a mark ends without a settlement, another one's holders stay", () => {
  const stage = createPerpStage();
  const [long, short] = [stage.trader(RICH), stage.trader(RICH)];
  stage.sell(short, 5, 500_000);
  stage.buy(long, 5, 500_000);
  const shape = { base: stage.btc, quote: stage.usdt, tickMantissa: 1, tickDecimals: 1, stepUnits: 100_000 } as const;
  const listed = stage.sure({ kind: "listMarket", marketKind: "linear", symbol: "NEW", ...shape });
  const market = eventsOf(listed, "marketListed")[0]?.market ?? 0;
  for (const ended of [market, stage.inverse]) {
    const events = stage.sure({ kind: "setMarketStatus", market: ended, status: "DELISTED" });
    expect([eventsOf(events, "positionChanged"), eventsOf(events, "rejected")]).toEqual([[], []]);
  }
  expect([stage.held(long)[0]?.lots, stage.held(short)[0]?.lots]).toEqual([5, -5]);
});

test("[FUT-2] a market that has ended wants no tick any more", () => {
  const stage = createPerpStage();
  for (const source of [0, 1]) stage.sure({ kind: "setIndexPrice", market: stage.linear, source, price: 500_000 });
  for (const market of [stage.linear, stage.inverse])
    stage.sure({ kind: "setMarketStatus", market, status: "DELISTED" });
  stage.time += 1_000;
  stage.sure({ kind: "tick" });
  stage.time += 9 * 3_600_000;
  const events = stage.sure({ kind: "tick" });
  expect([eventsOf(events, "fundingSettled"), eventsOf(events, "premiumSampled")]).toEqual([[], []]);
  expect(stage.machine.nextTimerAt).toBe(Number.POSITIVE_INFINITY);
});
