// REST of coupons: schema → service → envelope.
import { answer, defineRoute, type RouteContext, type RouteSpec, refuse } from "@clockwork/kit/route";
import { Type } from "typebox";
import { COUPON_PATHS, ConvertBody, Coupon, IssueBody, IssueResult } from "./api.ts";
import type { CouponOperator } from "./needs.ts";
import type { CouponService, Told } from "./service.ts";

const told = <Value>(result: Told<Value>) => (result.ok ? answer(result.data) : refuse(result.rejection));
const own = { tag: "coupons", scope: "user" } as const;

function operatorOf({ userId, session, ip }: RouteContext): CouponOperator {
  return { userId: Number(userId), sessionId: session?.id ?? "", address: ip };
}

export function couponRoutes(service: CouponService): readonly RouteSpec[] {
  return [
    defineRoute({
      ...own,
      method: "GET",
      path: COUPON_PATHS.list,
      summary: "The caller's spot bonus and ETF coupons, newest first, with what they still ask for",
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
      handle: async ({ body }, { userId, timeMs }) =>
        told(await service.convert(Number(userId), body.couponId, timeMs)),
    }),
    defineRoute({
      ...own,
      method: "POST",
      path: COUPON_PATHS.issue,
      summary: "For operators: gives a person a coupon; the same reference never gives a second",
      body: IssueBody,
      output: IssueResult,
      handle: async ({ body }, context) => told(await service.issue(operatorOf(context), body, context.timeMs)),
    }),
  ];
}
