import { describe, expect, it } from "vitest";
import type { MachineEvent } from "../protocol/event.ts";
import { COIN, type CopyStage, createCopyStage, type FollowCommand } from "../testing/copy-stage.ts";
import { eventsOf } from "../testing/driver.ts";

/** One lot is 0.00001 BTC; 500 000 ticks are 50 000 USDT, so a lot costs half a coin. */
const PRICE = 500_000;

function order(
  stage: CopyStage,
  account: number,
  side: "buy" | "sell",
  quantity: number,
  price: number,
): MachineEvent[] {
  return stage.sure({ kind: "placeOrder", account, market: stage.spot, side, quantity, price });
}

function quiet(): CopyStage {
  const stage = createCopyStage();
  stage.send({ kind: "setFeeGroup", feeGroup: 0, makerRate: 0, takerRate: 0 });
  return stage;
}

const FIXED: Partial<FollowCommand> = { mode: "fixed", fixedUnits: 100 * COIN };

/** What a bitcoin is worth: the index of its contract. */
const worth = (stage: CopyStage, indexTicks: number): unknown =>
  stage.sure({ kind: "setReferencePrice", market: stage.linear, indexTicks });

describe("spot copies", () => {
  it("[COPY-3] buys copy in quote by amount or multiple, a sale sells the part the leader sold of what he held", () => {
    const stage = quiet();
    const fixed = stage.spotFollower(FIXED);
    const twice = stage.spotFollower({ multiplier: 200_000_000 });
    order(stage, stage.spotMaker, "sell", 100_000, PRICE);
    const bought = order(stage, stage.spotLeader, "buy", 400, PRICE);
    expect(eventsOf(bought, "copyPlaced")).toHaveLength(2);
    // 100 of 1 000 spent, and twice the leader's 200.
    expect(stage.balance(fixed)).toMatchObject({ available: 900 * COIN });
    expect(stage.balance(fixed, stage.btc)).toMatchObject({ available: 200_000 });
    expect(stage.balance(twice)).toMatchObject({ available: 600 * COIN });
    stage.sure({ kind: "cancelAll", account: stage.spotMaker });
    order(stage, stage.spotMaker, "buy", 100_000, PRICE + 50_000);
    const sold = order(stage, stage.spotLeader, "sell", 100, PRICE + 50_000);
    expect(eventsOf(sold, "copyStarted")).toMatchObject([{ what: "close", lots: 100, wholeLots: 400_000 }]);
    // A quarter: 50 lots bought for 25, sold for 27.5.
    expect(stage.balance(fixed, stage.btc)).toMatchObject({ available: 150_000 });
    expect(stage.share(fixed)).toEqual({ realized: 2.5 * COIN, mark: 0, held: 0.25 * COIN });
    expect(stage.share(twice)).toEqual({ realized: 10 * COIN, mark: 0, held: 1 * COIN });
  });

  it("[COPY-3] what a leader's resting order trades is copied as what he takes, on his side of the trade", () => {
    const stage = quiet();
    const twice = stage.spotFollower({ multiplier: 200_000_000 });
    const other = stage.open("spot", 1_000_000 * COIN);
    stage.send({
      kind: "mint",
      account: other,
      asset: stage.btc,
      business: "deposit",
      units: 1e10,
      reference: "other",
    });
    order(stage, stage.spotMaker, "sell", 100_000, PRICE + 1_000);
    order(stage, stage.spotLeader, "buy", 400, PRICE);
    const bought = order(stage, other, "sell", 400, PRICE);
    expect(eventsOf(bought, "copyStarted")).toMatchObject([{ what: "open", lots: 400 }]);
    // Twice the leader's lots.
    expect(stage.balance(twice, stage.btc)).toMatchObject({ available: 800_000 });
    order(stage, stage.spotMaker, "buy", 100_000, PRICE - 1_000);
    order(stage, stage.spotLeader, "sell", 100, PRICE + 500);
    const sold = order(stage, other, "buy", 100, PRICE + 500);
    expect(eventsOf(sold, "copyStarted")).toMatchObject([{ what: "close", lots: 100, wholeLots: 400_000 }]);
    expect(stage.balance(twice, stage.btc)).toMatchObject({ available: 600_000 });
  });

  it("[COPY-3] an amount is that of the market's own tick and step", () => {
    const stage = quiet();
    const listing = { base: stage.btc, quote: stage.usdt, tickMantissa: 1, tickDecimals: 0, stepUnits: 1_000 };
    const listed = stage.send({ kind: "listMarket", ...listing, symbol: "BTC/USDT:10" });
    const market = eventsOf(listed, "marketListed")[0]?.market ?? 0;
    const once = stage.spotFollower({ multiplier: 100_000_000 });
    const trade = { kind: "placeOrder", market, price: 50_000 } as const;
    stage.sure({ ...trade, account: stage.spotMaker, side: "sell", quantity: 100_000 });
    // A tick of a lot is ten units: 400 lots are 200 coins.
    stage.sure({ ...trade, account: stage.spotLeader, side: "buy", quantity: 400 });
    expect(stage.balance(once)).toMatchObject({ available: 800 * COIN });
  });

  it("[COPY-3] lots go first in, first out, with the fees of both sides in the profit", () => {
    const stage = createCopyStage();
    const one = stage.spotFollower({ mode: "multiplier", multiplier: 100_000_000 });
    order(stage, stage.spotMaker, "sell", 100, PRICE);
    const withAll = order(stage, stage.spotMaker, "sell", 100, PRICE + 1_000);
    expect(eventsOf(withAll, "orderAccepted")).toHaveLength(1);
    order(stage, stage.spotLeader, "buy", 50, PRICE);
    order(stage, stage.spotLeader, "buy", 50, PRICE + 1_000);
    stage.sure({ kind: "cancelAll", account: stage.spotMaker });
    order(stage, stage.spotMaker, "buy", 1_000, PRICE + 10_000);
    // The leader paid his fee in coins: he holds a little less than 100 lots and sells 60 of them.
    order(stage, stage.spotLeader, "sell", 60, PRICE + 10_000);
    const sold = 100 - stage.balance(one, stage.btc).available / 1_000;
    // 0.1 % of each side: 50 lots at the first price, the rest of a lot of the second.
    const firstCost = (50 * PRICE * 1_001) / 1_000;
    const secondCost = Math.ceil(((PRICE + 1_000) * 1_001 * (sold - 50)) / 1_000);
    const proceeds = Math.floor((sold * (PRICE + 10_000) * 999) / 1_000);
    expect(stage.share(one).realized).toBe(proceeds - firstCost - secondCost);
    expect(sold).toBeGreaterThanOrEqual(60);
  });

  it("[COPY-3] an order for an amount is copied by the part of it that was spent", () => {
    const stage = quiet();
    const one = stage.spotFollower(FIXED);
    order(stage, stage.spotMaker, "sell", 100, PRICE);
    order(stage, stage.spotMaker, "sell", 1_000, PRICE * 2);
    stage.sure({
      kind: "placeOrder",
      account: stage.spotLeader,
      market: stage.spot,
      side: "buy",
      type: "market",
      inQuote: true,
      quantity: 80 * COIN,
    });
    // The leader spent 50 of 80 (the rest was too dear), so 62.5 of the 100 are asked; the book has nothing near.
    expect(stage.balance(one)).toMatchObject({ available: 1_000 * COIN });
    stage.sure({ kind: "cancelAll", account: stage.spotMaker });
    order(stage, stage.spotMaker, "sell", 10_000, PRICE);
    order(stage, stage.spotLeader, "buy", 10, PRICE);
    expect(stage.balance(one)).toMatchObject({ available: 900 * COIN });
  });

  it("[COPY-3] coins that come or go otherwise are no trades: the leader's are not copied, the follower's bring no profit", () => {
    const stage = quiet();
    const one = stage.spotFollower({ mode: "multiplier", multiplier: 100_000_000 });
    const move = { kind: "transfer", asset: stage.btc, reference: "coins" } as const;
    const moved = stage.sure({ ...move, account: stage.spotMaker, to: stage.spotLeader, units: 1_000_000 });
    expect(eventsOf(moved, "copyStarted")).toEqual([]);
    stage.sure({ ...move, account: stage.spotMaker, to: one, units: 50_000, reference: "gift" });
    order(stage, stage.spotMaker, "sell", 1_000, PRICE);
    order(stage, stage.spotLeader, "buy", 100, PRICE);
    stage.sure({ kind: "cancelAll", account: stage.spotMaker });
    expect(stage.balance(one, stage.btc)).toMatchObject({ available: 150_000 });
    order(stage, stage.spotMaker, "buy", 1_000, PRICE + 100_000);
    // He sells by hand: the lots first, then the gift, which brings what it is sold for and no profit.
    order(stage, one, "sell", 150, PRICE + 100_000);
    expect(stage.share(one)).toMatchObject({ realized: 10 * COIN, held: 1 * COIN });
    expect(eventsOf(order(stage, one, "buy", 1, PRICE + 100_001), "rejected")).toMatchObject([
      { code: "COPY_BOOK_CLOSES_ONLY" },
    ]);
  });

  it("[COPY-3] leaving sells all or keeps the coins, with their profit counted", () => {
    const stage = quiet();
    const wallet = stage.open("spot", 1_000 * COIN);
    const sells = stage.spotFollower({ ...FIXED, account: wallet });
    const keeps = stage.spotFollower(FIXED);
    order(stage, stage.spotMaker, "sell", 100_000, PRICE);
    order(stage, stage.spotLeader, "buy", 400, PRICE);
    stage.sure({ kind: "cancelAll", account: stage.spotMaker });
    order(stage, stage.spotMaker, "buy", 1_000, PRICE + 50_000);
    order(stage, stage.spotLeader, "sell", 1, PRICE + 50_000);
    worth(stage, PRICE + 50_000);
    const left = stage.sure({ kind: "unfollow", account: sells, positions: "close", to: wallet });
    expect(eventsOf(left, "shareSettled")).toMatchObject([{ paidUnits: 1 * COIN }]);
    expect(stage.balance(wallet)).toMatchObject({ available: 1_009 * COIN });
    const kept = stage.sure({ kind: "unfollow", account: keeps, positions: "keep" });
    expect(eventsOf(kept, "shareSettled")).toMatchObject([{ cause: "kept", paidUnits: 1 * COIN }]);
    expect(stage.balance(keeps, stage.btc)).toMatchObject({ available: 200_000 });
  });

  it("[COPY-3] proportional mode and foreign markets are refused on spot", () => {
    const stage = quiet();
    const account = stage.open("spot", 1_000 * COIN);
    const follow = { kind: "follow", account, leader: stage.spotLeader, units: 100 * COIN } as const;
    const code = (command: FollowCommand): string | undefined => eventsOf(stage.sure(command), "rejected")[0]?.code;
    expect(code({ ...follow, mode: "proportional" })).toBe("INVALID_COPY_SETTING");
    expect(code({ ...follow, mode: "fixed", fixedUnits: 1, markets: [{ market: stage.linear }] })).toBe(
      "INVALID_COPY_SETTING",
    );
  });

  describe("against another coin", () => {
    /** A market BTC/ETH beside BTC/USDT, and somebody with ether who buys bitcoin there. */
    function withEther(): { stage: CopyStage; cross: number; ether: number; buyer: number } {
      const stage = quiet();
      const named = eventsOf(stage.sure({ kind: "listAsset", symbol: "XETH", scale: 8 }), "assetListed")[0];
      const ether = named?.asset ?? 0;
      const market = { kind: "listMarket", base: stage.btc, quote: ether, symbol: "BTC/XETH" } as const;
      const listed = stage.sure({ ...market, tickMantissa: 1, tickDecimals: 3, stepUnits: 10_000 });
      const cross = eventsOf(listed, "marketListed")[0]?.market ?? 0;
      const buyer = stage.open("spot", 1e13, ether);
      return { stage, cross, ether, buyer };
    }

    it("[COPY-2] a leader who gives a coin for another sells the same part of every copy for USDT", () => {
      const { stage, cross, buyer } = withEther();
      const one = stage.spotFollower({ multiplier: 50_000_000 });
      order(stage, stage.spotMaker, "sell", 100_000, PRICE);
      order(stage, stage.spotLeader, "buy", 400, PRICE);
      expect(stage.balance(one, stage.btc).available).toBe(200_000);
      stage.sure({ kind: "cancelAll", account: stage.spotMaker });
      order(stage, stage.spotMaker, "buy", 100_000, PRICE);
      stage.sure({ kind: "placeOrder", account: buyer, market: cross, side: "buy", price: 20_000, quantity: 100 });
      const at = { kind: "placeOrder", account: stage.spotLeader, market: cross, side: "sell" } as const;
      // 10 lots of 10 000 units are a quarter of his 400 000.
      const sold = stage.sure({ ...at, price: 20_000, quantity: 10 });
      expect(eventsOf(sold, "copyStarted")).toMatchObject([{ what: "close", market: stage.spot, wholeLots: 400_000 }]);
      expect(eventsOf(sold, "copyPlaced")).toMatchObject([
        { account: one, market: stage.spot, lots: 50, filledLots: 50 },
      ]);
      expect(stage.balance(one, stage.btc).available).toBe(150_000);
      expect(stage.share(one)).toMatchObject({ realized: 0 });
    });

    it("[COPY-2] a follower who gives copied coins for others realises them at their price: no share is evaded", () => {
      const { stage, cross, buyer, ether } = withEther();
      const one = stage.spotFollower({ multiplier: 100_000_000 });
      order(stage, stage.spotMaker, "sell", 100_000, PRICE);
      order(stage, stage.spotLeader, "buy", 400, PRICE);
      stage.sure({ kind: "cancelAll", account: stage.spotMaker });
      // Its worth rises by a tenth, whatever the last trade was: 100 lots that cost 50 are worth 55.
      const other = stage.open("spot", 1_000 * COIN);
      order(stage, stage.spotMaker, "sell", 1, PRICE + 90_000);
      order(stage, other, "buy", 1, PRICE + 90_000);
      worth(stage, PRICE + 50_000);
      stage.sure({ kind: "placeOrder", account: buyer, market: cross, side: "buy", price: 20_000, quantity: 100 });
      const at = { kind: "placeOrder", account: one, market: cross, side: "sell" } as const;
      stage.sure({ ...at, price: 20_000, quantity: 10 });
      expect(stage.balance(one, ether).available).toBeGreaterThan(0);
      expect(stage.share(one)).toEqual({ realized: 5 * COIN, mark: 0, held: 0.5 * COIN });
    });
  });
});
