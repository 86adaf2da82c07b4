// Connects coupons with prices, the engine, the tables and the console. Contains no rules.

import { createHash, randomBytes } from "node:crypto";
import { isSimulatedUser, RESERVES_ACCOUNT } from "@clockwork/core/protocol/names";
import type { EngineHandle } from "@clockwork/host/engine";
import { keepResuming } from "@clockwork/host/resume-loop";
import type { RouteSpec } from "@clockwork/host/route";
import { openHouseAccount } from "@clockwork/identity/accounts/house";
import { priceText } from "@clockwork/kit/instrument";
import { toCoreUnits, units } from "@clockwork/kit/money";
import type { NoticeKind } from "@clockwork/kit/notice";
import type { PartContext } from "../context.ts";
import { orderView } from "../projectors/orders/order-view.ts";
import { issueKind } from "./issue-service.ts";
import type { CouponNeeds, IndexPrice } from "./needs.ts";
import { couponRoutes } from "./routes.ts";
import { CouponService } from "./service.ts";
import { couponStore } from "./store.ts";

type CouponContext = Pick<PartContext, "database" | "log" | "clock" | "engine" | "market" | "accounts" | "isTestMoney">;
interface SpotCalls extends Pick<CouponNeeds, "findSpotAccount">, Pick<EngineHandle, "submit"> {
  openView(account: number): Promise<{ readonly changedSequence: number }>;
  settled(sequence: number): Promise<void>;
}

export interface Coupons {
  readonly service: CouponService;
  readonly routes: readonly RouteSpec[];
  /** Resumes what a stopped process left unpaid; the returned function stops it. */
  start(): () => Promise<void>;
}

const RESUME_MS = 10_000;
/** A user who has just traded is checked once in this interval. */
const READY_MS = 3_000;
/** Opens the list of the user's coupons. */
const COUPONS_PAGE = "/spot/BTC_USDT?coupons=1";
const COUPONS: NoticeKind = { kind: "coupons", group: "products", defaults: ["live", "letter"] };

export function composeCoupons(context: CouponContext, spot: SpotCalls): Coupons {
  const { market, isTestMoney } = context;
  const { pairs } = market;
  let treasury: number | undefined;
  const { users, proposals, notices, claimants } = context.accounts;
  notices.register(COUPONS);
  const service = new CouponService({
    store: couponStore(context.database.kysely),
    needs: {
      findJoinedMs: async (userId) => (await users.find(userId))?.created_at_ms,
      // Coins of this run have no value: every user gets a first coupon.
      hasWelcome: isTestMoney,
      takeReward: claimants.take,
      findAsset: (symbol) => pairs.findAsset(symbol),
      readIndex: (symbol) => readIndex(market, symbol),
      worthUnits: (asset, amountUnits) => pairs.worthUnits(asset, amountUnits),
      quoteOf: (market) => pairs.findMarket(market)?.quote.asset,
      findSpotAccount: spot.findSpotAccount,
      settled: async (account) => spot.settled((await spot.openView(account)).changedSequence),
      pay: async (account, { faceUnits, asset, amountUnits }, reference) => {
        treasury ??= await openHouseAccount(context.engine.submit, "couponTreasury");
        const usdt = pairs.findAsset("USDT")?.asset;
        if (treasury === undefined || usdt === undefined) return { done: false, code: "ENGINE_STARTING" };
        const leg = (from: number, to: number, of: number, amount: bigint) =>
          ({ from, to, asset: of, units: toCoreUnits(units(amount)), business: "coupon" }) as const;
        const legs = [
          leg(treasury, RESERVES_ACCOUNT, usdt, faceUnits),
          leg(RESERVES_ACCOUNT, account, asset, amountUnits),
        ];
        const answer = await spot.submit({ kind: "settle", reference, legs });
        return answer.done ? { done: true, timeMs: answer.timeMs } : { done: false, code: answer.code };
      },
      randomId: () => randomBytes(8).toString("hex"),
      notify: async (userId, notice, timeMs) => {
        await notices.notify(userId, { kind: COUPONS.kind, path: COUPONS_PAGE, ...notice }, timeMs);
      },
      idOf: (reference) => createHash("sha256").update(reference).digest("hex").slice(0, 16),
    },
  });
  const proposeIssue = proposals.register(issueKind(service));
  return {
    service,
    routes: couponRoutes(service, proposeIssue, claimants.of),
    start: () => startWork(service, context),
  };
}

/** A coin by the exchange's one valuation, in ticks of its market against USDT; USDT is one of itself. */
function readIndex(market: CouponContext["market"], symbol: string): IndexPrice | undefined {
  const { pairs } = market;
  if (symbol === "USDT") return { quoteUnits: 1n, baseUnits: 1n, text: "1" };
  const pair = pairs.findPair(`${symbol}_USDT`);
  const ticks = pair === undefined ? 0 : pairs.fairTicks(pair.market);
  if (pair === undefined || ticks === 0) return undefined;
  const quoteUnits = BigInt(ticks) * BigInt(pair.factor);
  return { quoteUnits, baseUnits: BigInt(pair.stepUnits), text: priceText(pair, ticks) };
}

function startWork(service: CouponService, { clock, log, engine }: CouponContext): () => Promise<void> {
  const traded = new Set<number>();
  const unwatch = engine.cache?.subscribe((changes) => {
    for (const change of changes) {
      const { userId, book } = change.owner;
      const hasFills = (change.of(orderView)?.fills.length ?? 0) > 0;
      if (book === "spot" && hasFills && !isSimulatedUser(userId)) traded.add(userId);
    }
  });
  const notifyReady = async (): Promise<void> => {
    const users = [...traded];
    traded.clear();
    for (const userId of users) await service.notifyReady(userId, clock.now());
  };
  const onFailure = (error: unknown): void => log.warn("coupon.resume.failed", { error });
  const stops = [
    keepResuming({ clock, everyMs: RESUME_MS, resume: () => service.resume(), onFailure }),
    keepResuming({ clock, everyMs: READY_MS, resume: notifyReady, onFailure }),
  ];
  return async () => {
    unwatch?.();
    for (const stop of stops) await stop();
  };
}
