// REST of coupons: schema → service → envelope. Issuing is proposed here and carried out with a second approval.
import type { Claimant } from "@clockwork/host/claimant";
import type { Propose } from "@clockwork/host/proposal";
import { type RouteContext, type RouteSpec, serve } from "@clockwork/host/route";
import { COUPON_CALLS as CALLS, type IssuePayload } from "./contract.ts";
import type { IssueRefusal } from "./refusals.ts";
import type { CouponService } from "./service.ts";

const own = { tag: "coupons", scope: "user" } as const;

export function couponRoutes(
  service: CouponService,
  proposeIssue: Propose<typeof IssuePayload, IssueRefusal>,
  claimantOf: (context: RouteContext) => Promise<Claimant>,
): readonly RouteSpec[] {
  return [
    serve(CALLS.list, {
      ...own,
      summary: "The caller's coupons that become coin (`bonus`, `etf`), newest first, with what they still ask for",
      handle: (_, { userId, timeMs }) => service.list(Number(userId), timeMs),
    }),
    serve(CALLS.convert, {
      ...own,
      summary: "Turns a coupon whose volume is met into its coin at the index, rounded down; once",
      handle: async ({ body }, context) => service.convert(await claimantOf(context), body.couponId),
    }),
    serve(CALLS.issue, {
      ...own,
      summary: "For operators: proposes a coupon for a person; the same reference never gives a second",
      handle: ({ body: { clientId, ...payload } }, context) => proposeIssue(context, payload, clientId),
    }),
  ];
}
