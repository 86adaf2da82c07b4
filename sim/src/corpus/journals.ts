// Owns what journals the corpus of a release is made of: each product in sessions that follow from a seed. A journal is made once, with
// the release it belongs to; replays compare with what that release decided.
import { createBotStage } from "@clockwork/core/testing/bot-stage";
import { COIN, type CopyStage, createCopyStage } from "@clockwork/core/testing/copy-stage";
import { eventsOf } from "@clockwork/core/testing/driver";
import { runFillWalk } from "@clockwork/core/testing/fill-reference";
import { createRebalanceStage } from "@clockwork/core/testing/rebalance-stage";
import { present } from "@clockwork/kit/assert";
import { createRandom } from "@clockwork/kit/random";
import {
  bankruptAtOnce,
  crash,
  fundingAtLiquidation,
  inverseSwing,
  stopCascade,
  wrongSource,
} from "../perp-scenarios.ts";
import { PerpWorld } from "../perp-session.ts";
import { playPerps } from "../perp-traders.ts";
import { runSession } from "../session.ts";
import { playProducts } from "./products.ts";

type Journal = readonly Uint8Array[];

const DAY_MS = 86_400_000;

function spot(seed: number): Journal {
  const { journal, failure } = runSession({ seed, commands: 1_500 });
  if (failure !== undefined) throw new Error(`seed ${seed}: ${failure.rule} ${failure.detail}`);
  return journal;
}

function perps(seed: number): Journal {
  const world = new PerpWorld(seed);
  world.everyCommand = 50;
  playPerps(world, 2_000);
  return world.journal;
}

/** Leaders of both kinds with followers of every mode, a day of gains, one of losses, settlements and ends. */
function copies(): Journal {
  const stage = createCopyStage();
  const random = createRandom(41);
  const futures = [
    stage.follower({ mode: "multiplier", multiplier: 50_000_000, dailyLossUnits: 500 * COIN }),
    stage.follower({ mode: "fixed", multiplier: 0, fixedUnits: 100 * COIN, leverage: 10 }),
    stage.follower({ mode: "proportional", multiplier: 0, marginMode: "isolated", stopLossBps: 9_000 }),
  ];
  const spots = [
    stage.spotFollower(),
    stage.spotFollower({ mode: "fixed", multiplier: 0, fixedUnits: 100 * COIN, takeProfitBps: 12_000 }),
  ];
  for (let day = 0; day < 10; day++) {
    for (let turn = 0; turn < 3; turn++) tradeAsLeader(stage, 500_000 + random.between(-4_000, 4_000));
    if (day === 4) {
      const settings = { mode: "multiplier", multiplier: 20_000_000, slippageBps: 30 } as const;
      stage.sure({ kind: "setFollow", account: futures[0] ?? 0, ...settings });
      stage.sure({ kind: "setSeed", seed: "ab".repeat(32) });
    }
    stage.time += DAY_MS;
    stage.sure({ kind: "tick" });
  }
  stage.sure({ kind: "unfollow", account: futures[1] ?? 0, positions: "close" });
  stage.sure({ kind: "unfollow", account: spots[0] ?? 0, positions: "keep" });
  return stage.journal;
}

function tradeAsLeader(stage: CopyStage, ticks: number): void {
  const { maker, leader, spot: market, spotMaker, spotLeader } = stage;
  for (const account of [maker, spotMaker]) stage.sure({ kind: "cancelAll", account });
  stage.mark(stage.linear, ticks);
  stage.sure({ kind: "setReferencePrice", market, indexTicks: ticks, markTicks: ticks });
  const side = stage.held(leader).length === 0 ? "buy" : "sell";
  const other = side === "buy" ? "sell" : "buy";
  const order = { kind: "placeOrder", price: ticks } as const;
  stage.sure({ ...order, account: maker, market: stage.linear, side: other, quantity: 5_000 });
  stage.sure({ ...order, account: leader, market: stage.linear, side, quantity: 20 });
  stage.sure({ ...order, account: spotMaker, market, side: other, quantity: 500_000 });
  stage.sure({ ...order, account: spotLeader, market, side, quantity: 3_000 });
}

function rebalancers(): Journal {
  const stage = createRebalanceStage();
  const random = createRandom(43);
  const prices: [number, number] = [1_000_000, 400_000];
  for (const [at, market] of stage.markets.entries()) stage.price(market, prices[at] ?? 0);
  stage.create();
  stage.create({ thresholdBps: 0, intervalMs: 6 * 3_600_000 });
  for (let step = 0; step < 60; step++) {
    const at = step % 2;
    prices[at] = Math.round(((prices[at] ?? 0) * (10_000 + random.between(-350, 350))) / 10_000);
    stage.price(stage.markets[at] ?? 0, prices[at] ?? 0);
    stage.pass(3_600_000);
  }
  return stage.journal;
}

/** A grid that is changed and stopped, a position with stops that are moved, turned around and closed. */
function positions(): Journal {
  const stage = createBotStage();
  stage.moveTo(1_000_000);
  stage.moveTo(500_000, stage.linear);
  for (const own of [{}, { grid: "long", leverage: 2, lowTicks: 480_000, highTicks: 520_000 } as const]) {
    stage.create(own);
    const { account } = stage.bot();
    const reference = `change:${account}`;
    stage.sure({
      kind: "changeBot",
      account,
      reference,
      stopBelowTicks: own.lowTicks === undefined ? 850_000 : 470_000,
    });
    stage.sure({ kind: "stopBot", account, sells: true });
  }
  const [maker, holder] = [stage.trader(9e12), stage.trader(9e9)];
  const market = stage.linear;
  stage.sell(maker, 900, 500_000);
  stage.buy(holder, 20, 500_000);
  const set = stage.sure({ kind: "setPositionStops", account: holder, market, lots: 8, stopTrigger: 490_000 });
  const stop = present(eventsOf(set, "conditionalAccepted")[0], "STAGE-1", "stop");
  stage.sure({ kind: "moveStop", account: holder, orderId: stop.orderId, trigger: 488_000 });
  stage.buy(maker, 100, 499_900);
  stage.sure({ kind: "reversePosition", account: holder, market });
  stage.sure({ kind: "closePosition", account: holder, market, reference: "close" });
  return stage.journal;
}

/** By the name of its file. */
export const JOURNALS: Readonly<Record<string, () => Journal>> = {
  "spot-1": () => spot(1),
  "spot-2": () => spot(2),
  "perpetuals-1": () => perps(1),
  "perpetuals-2": () => perps(2),
  crash: () => crash(3, 12, 50).journal,
  "bankrupt-linear": () => bankruptAtOnce(4, false).journal,
  "bankrupt-inverse": () => bankruptAtOnce(4, true).journal,
  "wrong-source": () => wrongSource(5).journal,
  funding: () => fundingAtLiquidation(6).journal,
  stops: () => stopCascade(7).journal,
  "inverse-swing": () => inverseSwing(8).journal,
  ...Object.fromEntries([1, 2, 3, 4, 5, 6].map((seed) => [`grid-${seed}`, () => runFillWalk(seed).stage.journal])),
  rebalancers,
  copies,
  positions,
  products: playProducts,
};
