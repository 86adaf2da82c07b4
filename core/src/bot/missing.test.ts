// Orders a bot did not get, and markets that end under it.
import { describe, expect, it } from "vitest";
import { coreOf } from "../machine/machine.ts";
import { type BotStage, COIN, createBotStage } from "../testing/bot-stage.ts";
import { eventsOf } from "../testing/driver.ts";
import { createRebalanceStage } from "../testing/rebalance-stage.ts";

const P = 500_000;
const range = { grid: "neutral", lowTicks: 480_000, highTicks: 520_000, cells: 10, leverage: 2 } as const;

/** An order of the owner's own stands in the way of the lines at 504 000. */
function inTheWay(): BotStage & { readonly orderId: number } {
  const stage = createBotStage();
  stage.moveTo(P, stage.linear);
  clearAsks(stage);
  const own = { kind: "placeOrder", account: stage.futures, market: stage.linear, side: "buy" } as const;
  const [order] = eventsOf(stage.sure({ ...own, price: 505_000, quantity: 10 }), "orderAccepted");
  stage.create(range);
  return Object.assign(stage, { orderId: order?.orderId as number });
}

/** Nobody sells. */
function clearAsks(stage: BotStage): void {
  for (let account = 1; account <= stage.futures + 10; account++)
    stage.send({ kind: "cancelAll", account, market: stage.linear });
}

const sells = (stage: BotStage): number[] =>
  stage
    .resting(stage.bot().account, stage.linear)
    .filter(([side]) => side === "sell")
    .map(([, ticks]) => ticks);

function pass(stage: BotStage, ms: number) {
  stage.time += ms;
  return stage.sure({ kind: "tick" });
}

describe("an order that was not taken", () => {
  it("[GRID-1] because it would have met one of the same owner is sent again until it rests, told of once", () => {
    const stage = inTheWay();
    const all = [504_000, 508_000, 512_000, 516_000, 520_000];
    expect(stage.state().status).toBe("RUNNING");
    expect(sells(stage)).toEqual(all.slice(1));
    expect(eventsOf(pass(stage, 999), "orderAccepted")).toEqual([]);
    // A second, then two, then four: every try ends where the first did.
    for (const ms of [1, 2_000, 4_000]) expect(eventsOf(pass(stage, ms), "orderEnded")).toHaveLength(1);
    expect(sells(stage)).toEqual(all.slice(1));
    stage.machine.restore(stage.machine.snapshot());
    stage.sure({ kind: "cancelOrder", account: stage.futures, orderId: stage.orderId });
    expect(sells(stage)).toEqual(all.slice(1));
    pass(stage, 8_000);
    expect(sells(stage)).toEqual(all);
    // Nothing is missing any more, and nothing is tried.
    expect(eventsOf(pass(stage, 100_000), "orderAccepted")).toEqual([]);
  });

  it("[GRID-1] one withdrawn by hand stays away", () => {
    const stage = createBotStage();
    stage.moveTo(P, stage.linear);
    stage.create(range);
    const { account } = stage.bot();
    const core = coreOf(stage.machine);
    const [slot] = core.accountMarkets.openOrdersOf(core.accountMarkets.find(account, stage.linear));
    stage.sure({ kind: "cancelOrder", account, orderId: core.books.orders.id(slot as number) });
    expect(stage.resting(account, stage.linear)).toHaveLength(9);
    pass(stage, 100_000);
    expect(stage.resting(account, stage.linear)).toHaveLength(9);
  });

  it("[GRID-1] refused while the market rests it comes when the market is back, and its end is kept meanwhile", () => {
    const stage = inTheWay();
    const { account } = stage.bot();
    stage.sure({ kind: "cancelOrder", account: stage.futures, orderId: stage.orderId });
    const market = stage.linear;
    stage.sure({ kind: "setMarketStatus", market, status: "CANCEL_ONLY" });
    expect(eventsOf(pass(stage, 1_000), "rejected")).toEqual([]);
    expect(sells(stage)).toHaveLength(4);
    const endsAt = stage.machine.now + 1_500;
    stage.sure({ kind: "changeBot", account, reference: "ends", endsAt });
    stage.sure({ kind: "setMarketStatus", market, status: "TRADING" });
    const ended = pass(stage, 1_500);
    expect(eventsOf(ended, "botChanged").at(-1)).toMatchObject({ change: "closed", reason: "ENDED" });
  });
});

describe("a market that is delisted", () => {
  it("[GRID-1] ends its spot bots with their coins, and no others", () => {
    const stage = createBotStage();
    stage.moveTo(1_004_000);
    stage.moveTo(P, stage.linear);
    const before = [stage.balance(stage.user), stage.balance(stage.user, stage.btc)];
    stage.create();
    const spot = stage.bot();
    stage.create({ triggerTicks: 950_000 });
    const waiting = stage.bot();
    stage.create(range);
    const other = stage.bot();
    stage.moveTo(970_000);
    const ended = stage.sure({ kind: "setMarketStatus", market: stage.spot, status: "DELISTED" });
    const closed = eventsOf(ended, "botChanged").filter(({ change }) => change === "closed");
    expect(closed.map(({ bot, reason }) => [bot, reason])).toEqual([
      [spot.bot, "DELISTED"],
      [waiting.bot, "DELISTED"],
    ]);
    for (const { account } of [spot, waiting])
      for (const asset of [stage.usdt, stage.btc])
        expect(stage.balance(account, asset)).toEqual({ available: 0, frozen: 0 });
    expect(stage.balance(stage.user, stage.btc).available).toBeGreaterThan((before[1]?.available ?? 0) + 1e6);
    expect(stage.state(other.bot).status).toBe("RUNNING");
  });

  it("[GRID-1] settles the positions of its futures bots and gives the money back", () => {
    const stage = createBotStage();
    stage.moveTo(P, stage.linear);
    stage.create({ ...range, grid: "long" });
    const { account } = stage.bot();
    stage.moveTo(490_000, stage.linear);
    const before = stage.balance(stage.futures).available;
    const ended = stage.sure({ kind: "setMarketStatus", market: stage.linear, status: "DELISTED" });
    expect(eventsOf(ended, "botChanged").at(-1)).toMatchObject({ change: "closed", reason: "DELISTED" });
    expect(stage.held(account)).toEqual([]);
    expect(stage.balance(account)).toEqual({ available: 0, frozen: 0 });
    expect(stage.balance(stage.futures).available).toBeGreaterThan(before + 9_000 * COIN);
  });

  it("[GRID-1] ends the baskets with its coin, and what they held is back", () => {
    const stage = createRebalanceStage();
    stage.price(stage.markets[0], 1_000_000);
    stage.price(stage.markets[1], 400_000);
    const [made] = eventsOf(stage.create(), "rebalancerChanged");
    const ended = stage.sure({ kind: "setMarketStatus", market: stage.markets[1], status: "DELISTED" });
    expect(eventsOf(ended, "rebalancerChanged").at(-1)).toMatchObject({ change: "closed", cause: "delisted" });
    expect(stage.balance(made?.account as number)).toEqual({ available: 0, frozen: 0 });
    const again = stage.sure({ kind: "stopBot", account: made?.account as number, sells: false });
    expect(eventsOf(again, "rejected")[0]?.code).toBe("BOT_NOT_RUNNING");
  });
});
