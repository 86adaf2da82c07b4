// Connects grid strategies with the core, the markets, the account cache, the sockets and the jobs. Contains no rules.

import { randomBytes } from "node:crypto";
import type { MachineEvent } from "@clockwork/core/protocol/event";
import { type Part, runs } from "@clockwork/host/part";
import { HOUR_MS } from "@clockwork/kit/time";
import type { PartContext } from "@clockwork/trading/context";
import type { MarketPair } from "@clockwork/trading/markets/pair";
import { accountFigures, termsOf } from "@clockwork/trading/positions/figure-rules";
import { type FuturesLook, futuresLook } from "@clockwork/trading/positions/views";
import { futuresView } from "@clockwork/trading/projectors/futures/futures-view";
import { ledgerView } from "@clockwork/trading/projectors/ledger/ledger-view";
import { orderView } from "@clockwork/trading/projectors/orders/order-view";
import { runBackTest } from "./back-test.ts";
import { BackTestService } from "./back-test-service.ts";
import { followBots } from "./bot-events.ts";
import { BOTS_CHANNEL } from "./contract.ts";
import type { Ack, BookWorth, GridNeeds } from "./needs.ts";
import { rankStore } from "./rank-store.ts";
import { RankingService } from "./ranking-service.ts";
import { GridReadService } from "./read-service.ts";
import { gridRoutes } from "./routes.ts";
import { seenIn } from "./seen.ts";
import { GridService } from "./service.ts";
import { startSimulatedBots } from "./simulated-bots.ts";
import { gridStore } from "./store.ts";
import { readFundings, readStored } from "./stored-candles.ts";

const LEVEL_NEEDED = 1;
const BIZS = ["spot", "futures"] as const;

export function gridPart(context: PartContext): Part {
  const { database, jobs, live, isTestMoney, marketMode } = context;
  const store = gridStore(database.kysely);
  const needs = gridNeeds(context);
  const read = new GridReadService({ store, needs });
  const bots = new GridService({ store, needs });
  const tests = new BackTestService({ needs });
  const ranks = new RankingService({ store: rankStore(database.kysely), needs });
  jobs.add({ name: "grid.worth", schedule: { everyMs: HOUR_MS }, missed: "latest", run: () => read.keepWorth() });
  const following = runs(() => {
    const stopBots = isTestMoney && marketMode === "simulated" ? startSimulatedBots(context, tests) : undefined;
    const stopFollowing = followBots(context, store, async (userId, biz) => {
      const account = String(userId);
      if (!live.isOpen({ channel: BOTS_CHANNEL, biz }, account)) return;
      live.publish({ channel: BOTS_CHANNEL, biz }, { bots: await read.list(userId, biz, "running") }, { account });
    });
    return () => {
      stopBots?.();
      stopFollowing();
    };
  });
  return {
    routes: gridRoutes({ bots, read, tests, ranks }),
    channels: BIZS.map((biz) => ({
      channel: BOTS_CHANNEL,
      kind: "latest" as const,
      isPrivate: true,
      serves: (topic) =>
        topic.biz === biz && [topic.type, topic.pairCode, topic.base].every((part) => part === undefined),
      snapshot: async (_, account) => ({ data: { bots: await read.list(Number(account), biz, "running") } }),
    })),
    start: following.start,
    close: async () => {
      await following.close();
      tests.close();
    },
  };
}

function gridNeeds(context: PartContext): GridNeeds {
  const { engine, ledger, market, clock, accounts } = context;
  const { pairs } = market;
  const look = futuresLook(context);
  return {
    now: clock.now,
    findMarket: (biz, pairCode) => pairs.findListed(biz, pairCode),
    marketOf: (of) => pairs.findMarket(of),
    contractOf: (of) => {
      const pair = pairs.findMarket(of);
      return pair?.contract === undefined ? undefined : termsOf(pair);
    },
    seenTicks: (of) => seenIn(market, of),
    isVerified: async (userId) => (await accounts.kyc.levelOf(userId, clock.now())) >= LEVEL_NEEDED,
    openSource: (userId, biz) => ledger.accounts.open(userId, biz === "spot" ? "spot" : "linear"),
    submit: async (command) => {
      const ack = await engine.submit(command);
      if (!ack.done) return { done: false, code: ack.code };
      await ledger.settled(ack.sequence);
      return { done: true, ...(await botOf(context, ack.events)) };
    },
    worthOf: (account, of) => worthOf(context, look, account, of),
    ordersOf: async (account) =>
      [...(await ledger.openView(account)).of(orderView).orders.values()].map((row) => ({
        orderId: row.order_id,
        side: row.side,
        priceTicks: row.price_ticks,
        lots: row.quantity,
        filledLots: row.filled_lots,
      })),
    readCandles: (of, spanMs, fromMs, toMs) => readStored(context, of, spanMs, fromMs, toMs),
    readFundings: (of, fromMs) => readFundings(context, of, fromMs),
    runBackTest,
    randomId: () => randomBytes(8).toString("hex"),
  };
}

/** The bot a command made; of a repeat the one its first made. */
async function botOf({ database }: PartContext, events: readonly MachineEvent[]): Promise<Pick<Ack, "bot">> {
  for (const event of events) {
    if (event.kind === "botChanged" && event.change === "created") return { bot: event.bot };
    if (event.kind !== "repeated") continue;
    const row = await database.kysely
      .$extendTables<{ engine_bot_log: { bot: number; sequence: number } }>()
      .selectFrom("engine_bot_log")
      .select("bot")
      .where("sequence", "=", event.firstSequence)
      .executeTakeFirst();
    return row === undefined ? {} : { bot: row.bot };
  }
  return {};
}

async function worthOf(
  { ledger }: PartContext,
  look: FuturesLook,
  account: number,
  of: MarketPair,
): Promise<BookWorth> {
  const view = await ledger.openView(account);
  const { balances } = view.of(ledgerView);
  const quote = balances.get(of.settle.asset);
  const freeUnits = quote?.available_units ?? 0n;
  const quoteUnits = freeUnits + (quote?.frozen_units ?? 0n);
  if (of.biz === "spot") {
    const base = balances.get(of.base.asset);
    const coins = (base?.available_units ?? 0n) + (base?.frozen_units ?? 0n);
    return { quoteUnits, freeUnits, lots: Number(coins / BigInt(of.stepUnits)), costUnits: undefined };
  }
  const held = [...view.of(futuresView).positions.values()].find((row) => row.market === of.market);
  // Margin required by positions and orders cannot be taken out.
  const { transferableUnits } = accountFigures(look.contracts, look.viewOf(view), of.settle.asset);
  return {
    quoteUnits,
    freeUnits: transferableUnits,
    lots: Number(held?.lots ?? 0n),
    // The whole units with which its worth rounds down.
    costUnits: held === undefined ? 0n : held.cost_units - (held.lots < 0n && held.cost_excess > 0n ? 1n : 0n),
  };
}
