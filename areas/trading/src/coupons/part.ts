// Connects coupons with prices, the engine, the tables and the console. Contains no rules.

import { isSimulatedUser } from "@clockwork/core/protocol/names";
import { keepResuming } from "@clockwork/host/resume-loop";
import type { RouteSpec } from "@clockwork/host/route";
import { orderView } from "../projectors/orders/order-view.ts";
import { issueKind } from "./issue-service.ts";
import { type CouponContext, couponNeeds, type SpotCalls } from "./needs.ts";
import { couponRoutes } from "./routes.ts";
import { CouponService } from "./service.ts";
import { couponStore } from "./store.ts";

export interface Coupons {
  readonly service: CouponService;
  readonly routes: readonly RouteSpec[];
  /** Resumes what a stopped process left unpaid; the returned function stops it. */
  start(): () => Promise<void>;
}

const RESUME_MS = 10_000;
/** A user who has just traded is checked once in this interval. */
const READY_MS = 3_000;

export function composeCoupons(context: CouponContext, spot: SpotCalls): Coupons {
  const { proposals, claimants } = context.accounts;
  const service = new CouponService({
    store: couponStore(context.database.kysely),
    needs: couponNeeds(context, spot),
  });
  const proposeIssue = proposals.register(issueKind(service));
  return {
    service,
    routes: couponRoutes(service, proposeIssue, claimants.of),
    start: () => startWork(service, context),
  };
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
