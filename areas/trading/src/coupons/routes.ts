// REST of coupons: schema → service → envelope. Issuing is proposed here and carried out when another has approved it.
import type { Claimant } from "@clockwork/host/claimant";
import type { Propose } from "@clockwork/host/proposal";
import { answer, defineRoute, type RouteContext, type RouteSpec, refuse } from "@clockwork/host/route";
import { ProposalMade } from "@clockwork/kit/proposal-state";
import { Type } from "typebox";
import { COUPON_PATHS, ConvertBody, Coupon, IssueBody, type IssuePayload } from "./contract.ts";
import type { CouponService, Outcome } from "./service.ts";

const told = <Value>(result: Outcome<Value>) => (result.ok ? answer(result.data) : refuse(result.rejection));
const own = { tag: "coupons", scope: "user" } as const;

export function couponRoutes(
  service: CouponService,
  proposeIssue: Propose<typeof IssuePayload>,
  claimantOf: (context: RouteContext) => Promise<Claimant>,
): readonly RouteSpec[] {
  return [
    defineRoute({
      ...own,
      method: "GET",
      path: COUPON_PATHS.list,
      summary: "The caller's coupons that become coin (`bonus`, `etf`), newest first, with what they still ask for",
      output: Type.Array(Coupon),
      handle: async (_, { userId, timeMs }) => told(await service.list(Number(userId), timeMs)),
    }),
    defineRoute({
      ...own,
      method: "POST",
      path: COUPON_PATHS.convert,
      summary: "Turns a coupon whose volume is met into its coin at the index, rounded down; once",
      body: ConvertBody,
      output: Coupon,
      handle: async ({ body }, context) => told(await service.convert(await claimantOf(context), body.couponId)),
    }),
    defineRoute({
      ...own,
      method: "POST",
      path: COUPON_PATHS.issue,
      summary: "For operators: proposes a coupon for a person; the same reference never gives a second",
      body: IssueBody,
      output: ProposalMade,
      handle: ({ body: { clientId, ...payload } }, context) => proposeIssue(context, payload, clientId),
    }),
  ];
}
