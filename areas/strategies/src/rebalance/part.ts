// Connects rebalancing bots with the core, the markets, the account cache, the sockets and the jobs. Contains no rules.
import { randomBytes } from "node:crypto";
import type { MachineEvent } from "@clockwork/core/protocol/event";
import { isSimulatedUser } from "@clockwork/core/protocol/names";
import { type Part, runs } from "@clockwork/host/part";
import { HOUR_MS } from "@clockwork/kit/time";
import type { PartContext } from "@clockwork/trading/context";
import { ledgerView } from "@clockwork/trading/projectors/ledger/ledger-view";
import { seenIn } from "../grid/seen.ts";
import { gridStore } from "../grid/store.ts";
import { readStored } from "../grid/stored-candles.ts";
import { runBasketTest } from "./back-test.ts";
import { BasketTestService } from "./back-test-service.ts";
import { followBaskets } from "./basket-events.ts";
import { REBALANCERS_CHANNEL } from "./contract.ts";
import type { RebalanceNeeds } from "./needs.ts";
import { RankingService } from "./ranking-service.ts";
import { rebalanceRoutes } from "./routes.ts";
import { RebalanceService } from "./service.ts";
import { type RebalanceStore, rebalanceStore } from "./store.ts";

const LEVEL_NEEDED = 1;
const TOPIC = { channel: REBALANCERS_CHANNEL };

export function rebalancePart(context: PartContext): Part {
  const { database, jobs, live } = context;
  const store = rebalanceStore(database.kysely);
  const needs = rebalanceNeeds(context, store);
  const bots = new RebalanceService({ store, needs });
  const ranking = new RankingService({ store, needs });
  const tests = new BasketTestService(needs);
  jobs.add({ name: "rebalance.worth", schedule: { everyMs: HOUR_MS }, missed: "latest", run: () => bots.keepWorth() });
  const following = runs(() =>
    followBaskets(context, async (userId) => {
      const account = String(userId);
      if (live.isOpen(TOPIC, account)) live.publish(TOPIC, { bots: await bots.list(userId, "running") }, { account });
    }),
  );
  return {
    routes: rebalanceRoutes({ bots, ranking, tests }),
    channels: [
      {
        channel: REBALANCERS_CHANNEL,
        kind: "latest",
        isPrivate: true,
        serves: ({ biz, type, pairCode, base }) => [biz, type, pairCode, base].every((part) => part === undefined),
        snapshot: async (_, account) => ({ data: { bots: await bots.list(Number(account), "running") } }),
      },
    ],
    start: following.start,
    close: async () => {
      await following.close();
      tests.close();
    },
  };
}

function rebalanceNeeds(context: PartContext, store: RebalanceStore): RebalanceNeeds {
  const { engine, ledger, market, clock, accounts, database } = context;
  const { pairs } = market;
  const strategies = gridStore(database.kysely);
  return {
    now: clock.now,
    findPair: (pairCode) => pairs.findListed("spot", pairCode),
    marketOf: (of) => pairs.findMarket(of),
    seenTicks: (of) => seenIn(market, of),
    isVerified: async (userId) => (await accounts.kyc.levelOf(userId, clock.now())) >= LEVEL_NEEDED,
    hasAgreed: async (userId) => (await strategies.agreedAt(userId)) !== undefined,
    openSource: (userId) => ledger.accounts.open(userId, "spot"),
    submit: async (command) => {
      const ack = await engine.submit(command);
      if (!ack.done) return { done: false, code: ack.code };
      await ledger.settled(ack.sequence);
      const rebalancer = await madeBy(store, ack.events);
      return rebalancer === undefined ? { done: true } : { done: true, rebalancer };
    },
    holdingsOf: async (account) => {
      const { balances } = (await ledger.openView(account)).of(ledgerView);
      return new Map([...balances].map(([asset, row]) => [asset, row.available_units + row.frozen_units]));
    },
    isSimulated: isSimulatedUser,
    readCloses: (of, spanMs, fromMs, toMs) => readStored(context, of, spanMs, fromMs, toMs),
    runBackTest: runBasketTest,
    randomId: () => randomBytes(8).toString("hex"),
  };
}

/** The bot a command made; of a repeat the one its first made. */
async function madeBy(store: RebalanceStore, events: readonly MachineEvent[]): Promise<number | undefined> {
  for (const event of events) {
    if (event.kind === "rebalancerChanged" && event.change === "created") return event.rebalancer;
    if (event.kind === "repeated") return store.madeBy(event.firstSequence);
  }
  return undefined;
}
