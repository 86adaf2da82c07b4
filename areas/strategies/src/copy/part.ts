// Connects copy trading and comments on leaders with the core, the tables, users and the sockets. Contains no rules.
import { isSimulatedUser } from "@clockwork/core/protocol/names";

import { type Part, runs } from "@clockwork/host/part";
import { keepResuming } from "@clockwork/host/resume-loop";
import { MINUTE_MS } from "@clockwork/kit/time";
import type { PartContext } from "@clockwork/trading/context";
import { COMMENT_CALLS, COMMENT_V2_CALLS } from "../comments/contract.ts";
import { commentConsoleRoutes, commentRoutes } from "../comments/routes.ts";
import { CommentService } from "../comments/service.ts";
import { commentStore } from "../comments/store.ts";
import { type FollowParts, FollowService } from "./follow-service.ts";
import { copyConsoleRoutes } from "./leader-routes.ts";
import { LeaderService } from "./leader-service.ts";
import { LiveOverviews } from "./live-overviews.ts";
import type { CopyNeeds } from "./needs.ts";
import { followCopies } from "./notifying.ts";
import { OwnService } from "./own-service.ts";
import { LeaderRecords } from "./record-service.ts";
import { recordStore } from "./record-store.ts";
import { type CopyServices, copyRoutes } from "./routes.ts";
import { startSimulatedLeaders } from "./simulated.ts";
import { copyStore, stopStore } from "./store.ts";
import { openTranslator } from "./translation.ts";
import { LeaderView } from "./view-service.ts";

const COIN = "USDT";
const BITCOIN_DAYS = 300;
const RESUME_MS = 2_000;

export function copyPart(context: PartContext): Part {
  const { accounts, audit, clock, database, engine, jobs, log, permissions } = context;
  permissions.add(
    { name: "copy.read", roles: ["support", "compliance"] },
    { name: "copy.review", roles: ["compliance"] },
  );
  const store = copyStore(database.kysely);
  const records = recordStore(database.kysely);
  const needs = copyNeeds(context);
  const computed = new LeaderRecords({ needs, store, records });
  const parts = { needs, store, records, computed, stops: stopStore(database.kysely) };
  const leading = new LeaderService(parts);
  const following = new FollowService(parts);
  const own = new OwnService({ needs, records, readPositions: (userId) => following.positions(userId, "futures") });
  const comments = commentsOn(context, parts, following);
  const propose = accounts.proposals.register(leading.decideKind());
  jobs.add({
    name: "copy.levels",
    schedule: { dailyAt: "00:10" },
    missed: "latest",
    run: () => leading.reviseLevels(),
  });
  watchWashTrades(context, store);
  const leaders = new LeaderView(parts);
  const overviews = openOverviews(context, { leaders, following, leading });
  const remove = (leader: number) => computed.remove(leader);
  const notifying = followCopies(context, { store, records, needs, overviews, remove });
  return {
    routes: [
      ...copyRoutes({ leaders, following, own, leading, store }),
      ...[COMMENT_CALLS.futures, COMMENT_V2_CALLS, COMMENT_CALLS.spot].flatMap((calls) =>
        commentRoutes(calls, comments),
      ),
      ...copyConsoleRoutes({ leading, propose, audit }),
      ...commentConsoleRoutes(comments, audit),
    ],
    channels: overviews.channels,
    ...runs(() => {
      const stopNotifying = notifying();
      let hasAgreed = false;
      const stopResuming = keepResuming({
        clock,
        everyMs: RESUME_MS,
        async resume() {
          // Waits for the tables without a bound: missing rows would look like an interrupted change.
          if (!hasAgreed && engine.isThere) {
            await engine.reached(engine.health().durableSequence);
            await leading.agree();
            hasAgreed = true;
          }
          await leading.resume();
        },
        onFailure: (error) => log.warn("copy.resume.failed", { error }),
      });
      const hasLeaders = context.marketMode === "simulated" && engine.isThere;
      const stopLeaders = hasLeaders ? startSimulatedLeaders({ context, store, records }) : async () => undefined;
      return async () => {
        stopNotifying();
        overviews.close();
        await stopLeaders();
        await stopResuming();
      };
    }),
  };
}

function watchWashTrades({ jobs, engine, log }: PartContext, store: ReturnType<typeof copyStore>): void {
  jobs.add({
    name: "copy.wash",
    schedule: { everyMs: MINUTE_MS },
    missed: "latest",
    async run() {
      const sequence = engine.health().durableSequence;
      // Waits without a bound: commands skipped here are never read again.
      await engine.reached(sequence);
      const found = await store.flagWashTrades(sequence);
      if (found > 0) log.warn("copy.wash", { trades: found });
    },
  });
}

function openOverviews(
  { clock, ledger, live, log }: PartContext,
  { leaders, following, leading }: Pick<CopyServices, "leaders" | "following" | "leading">,
): LiveOverviews {
  return new LiveOverviews({
    clock,
    log,
    live,
    settled: ledger.settled,
    readCopies: (userId, kind) => following.overview(userId, kind),
    readLead: async (userId, kind) => ({
      identity: await leading.identity(userId, kind),
      followers: (await leaders.followersOf(userId, kind)) ?? [],
    }),
  });
}

function commentsOn(
  { config, database, marketMode }: PartContext,
  { needs, records }: FollowParts,
  following: FollowService,
): CommentService {
  return new CommentService({
    store: commentStore(database.kysely),
    needs: {
      isLeader: async (leader) => (await records.leader(leader)) !== undefined,
      follows: async (userId, leader) => (await following.lookingOf(userId)).followed.has(leader),
      nicknameOf: async (userId) => (await needs.findPerson(userId))?.nickname ?? "",
      translate: openTranslator({
        url: config.translateUrl,
        key: config.translateKey,
        isDefaultRun: marketMode === "simulated",
      }),
      isSimulated: isSimulatedUser,
    },
  });
}

function copyNeeds({ accounts, clock, config, engine, isTestMoney, ledger, market }: PartContext): CopyNeeds {
  const { pairs, data } = market;
  return {
    now: clock.now,
    findCoin: () => pairs.findAsset(COIN),
    findMarket: (of) => pairs.findMarket(of),
    findPair: (kind, pairCode) => pairs.findListed(kind, pairCode),
    listPairs: (kind) =>
      (kind === "spot" ? pairs.pairs : pairs.listContracts("futures")).filter(({ settle }) => settle.symbol === COIN),
    // A spot market by the common valuation: a holding's figures do not move with a single trade.
    priceTicks: (of) => data.projector.states.get(of)?.contract?.markTicks ?? pairs.fairTicks(of),
    bitcoinByDay: async (fromMs) => {
      const requested = { pairCode: `BTC_${COIN}`, interval: "1d", from: fromMs, limit: BITCOIN_DAYS } as const;
      const read = await market.service.readCandles(requested, clock.now());
      return new Map(read.done ? read.value.map(({ timeMs, close }) => [timeMs, close]) : []);
    },
    tablesSequence: () => engine.tables()?.sequence ?? 0,
    worthUnits: (asset, amountUnits) => pairs.worthUnits(asset, amountUnits),
    submit: engine.submit,
    settled: ledger.settled,
    openAccount: (userId, book) => ledger.accounts.open(userId, book),
    findAccount: (userId, book, sub) => ledger.accounts.find(userId, book, sub),
    listAccounts: (userId) => ledger.accounts.list(userId),
    kycLevelOf: (userId) => accounts.kyc.levelOf(userId, clock.now()),
    findPerson: async (userId) => {
      const row = await accounts.users.find(userId);
      return row === undefined ? undefined : { sinceMs: row.created_at_ms, nickname: row.nickname };
    },
    notify: async (userId, notice) => {
      await accounts.notices.notify(userId, notice, clock.now());
    },
    hasSimulatedReviewer: isTestMoney && config.simulatedReviewer === "auto",
  };
}
