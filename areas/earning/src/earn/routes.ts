// REST of earn: schema → service → envelope. What gives value is proposed here and carried out when another approved.

import type { Propose } from "@clockwork/host/proposal";
import { answer, defineRoute, type Outcome, type RouteSpec, refuseBy } from "@clockwork/host/route";
import { ProposalMade } from "@clockwork/kit/proposal-state";
import type { Result } from "@clockwork/kit/result";
import { Type } from "typebox";
import {
  AutoApplied,
  AutoApplyBody,
  EARN_CONSOLE_PATHS,
  EARN_PATHS,
  EarnBalance,
  EarnCoupons,
  EarnHoldings,
  EarnProducts,
  EarnRecords,
  FundBody,
  type FundPayload,
  IssueCouponBody,
  type IssueCouponPayload,
  MoveAnswer,
  OpenBody,
  Opened,
  ProductBody,
  type ProductPayload,
  RateBody,
  type RatePayload,
  RecordsQuery,
  RedeemBody,
  SettingsBody,
  SubscribeBody,
  Treasury,
} from "./contract.ts";
import { type DeskService, EARN_PERMISSION } from "./desk-service.ts";
import { type EarnRefusal, REFUSALS } from "./rules.ts";
import type { EarnService } from "./service.ts";
import type { EarnView } from "./view-service.ts";

const RETRY_SECONDS = 2;

export interface EarnProposals {
  readonly fund: Propose<typeof FundPayload>;
  readonly rate: Propose<typeof RatePayload>;
  readonly product: Propose<typeof ProductPayload>;
  readonly coupon: Propose<typeof IssueCouponPayload>;
}

export interface EarnRouteParts {
  readonly service: EarnService;
  readonly view: EarnView;
  readonly desk: DeskService;
  readonly propose: EarnProposals;
  readTreasury(timeMs: number): Promise<Treasury>;
}

const told = <Value>(result: Result<Value, EarnRefusal>): Outcome<Value> => {
  if (result.done) return answer(result.value);
  const refusal = refuseBy(REFUSALS, result);
  const isBusy = REFUSALS[result.code][0] === 503;
  return isBusy ? { ok: false, rejection: { ...refusal.rejection, retryAfterSeconds: RETRY_SECONDS } } : refusal;
};

const own = { tag: "earn", scope: "user" } as const;
const HoldingsQuery = Type.Object({ ended: Type.Optional(Type.Enum(["true", "false"])) });

export function earnRoutes(parts: EarnRouteParts): readonly RouteSpec[] {
  return [...readRoutes(parts), ...moneyRoutes(parts), ...deskRoutes(parts)];
}

function readRoutes({ view }: EarnRouteParts): readonly RouteSpec[] {
  return [
    defineRoute({
      tag: "earn",
      method: "GET",
      path: EARN_PATHS.products,
      summary: "Products with their rates and what is left of them",
      output: EarnProducts,
      handle: async (_, { timeMs }) => answer(await view.listProducts(timeMs)),
    }),
    defineRoute({
      ...own,
      method: "GET",
      path: EARN_PATHS.holdings,
      summary: "The caller's holdings with interest up to this moment; those that ended when asked for",
      query: HoldingsQuery,
      output: EarnHoldings,
      handle: async ({ query }, { userId, timeMs }) =>
        answer(await view.listHoldings(Number(userId), timeMs, query.ended === "true")),
    }),
    defineRoute({
      ...own,
      method: "GET",
      path: EARN_PATHS.balance,
      summary: "What the caller has in earn, by coin",
      output: EarnBalance,
      handle: async (_, { userId }) => answer(await view.readBalance(Number(userId))),
    }),
    defineRoute({
      ...own,
      method: "GET",
      path: EARN_PATHS.records,
      summary: "What the caller put in, took out and was paid, newest first",
      query: RecordsQuery,
      output: EarnRecords,
      handle: async ({ query }, { userId }) =>
        answer(await view.listRecords(Number(userId), query.cursor, query.limit)),
    }),
    defineRoute({
      ...own,
      method: "GET",
      path: EARN_PATHS.coupons,
      summary: "The caller's coupons for interest",
      output: EarnCoupons,
      handle: async (_, { userId, timeMs }) => answer({ coupons: await view.listCoupons(Number(userId), timeMs) }),
    }),
  ];
}

function moneyRoutes({ service, view }: EarnRouteParts): readonly RouteSpec[] {
  const redeem = {
    ...own,
    method: "POST",
    summary: "Takes money out: at once within the day's pool, else next day; a fixed term without interest",
    body: RedeemBody,
    output: MoveAnswer,
  } as const;
  return [
    defineRoute({
      ...own,
      method: "POST",
      path: EARN_PATHS.subscribe,
      summary: "Puts money into a product; once for each clientId",
      body: SubscribeBody,
      output: MoveAnswer,
      handle: async ({ body }, { userId, timeMs }) => told(await service.subscribe(Number(userId), body, timeMs)),
    }),
    ...[EARN_PATHS.redeem, EARN_PATHS.redeemAlias, EARN_PATHS.redeemShort].map((path) =>
      defineRoute({
        ...redeem,
        path,
        handle: async ({ body }, { userId, timeMs }) => told(await service.redeem(Number(userId), body, timeMs)),
      }),
    ),
    defineRoute({
      ...own,
      method: "POST",
      path: EARN_PATHS.settings,
      summary: "Whether interest stays in a flexible holding, and whether a fixed term goes on at its end",
      body: SettingsBody,
      output: EarnHoldings,
      handle: async ({ body }, { userId, timeMs }) => {
        const changed = await service.change(Number(userId), body);
        return changed.done ? answer(await view.listHoldings(Number(userId), timeMs)) : told(changed);
      },
    }),
    defineRoute({
      ...own,
      method: "POST",
      path: EARN_PATHS.autoApply,
      summary: "Puts what lies idle above a reserve into the flexible product each day at 00:30 UTC",
      body: AutoApplyBody,
      output: AutoApplied,
      handle: async ({ body }, { userId, timeMs }) => {
        const changed = await service.setAutoApply(Number(userId), body);
        if (!changed.done) return told(changed);
        return answer({ autoApply: (await view.listHoldings(Number(userId), timeMs)).autoApply });
      },
    }),
  ];
}

function deskRoutes({ desk, propose, readTreasury }: EarnRouteParts): readonly RouteSpec[] {
  const operator = { tag: "earn", scope: { operator: EARN_PERMISSION } } as const;
  const two = { tag: "earn", scope: "user", method: "POST", output: ProposalMade } as const;
  return [
    defineRoute({
      ...operator,
      method: "GET",
      path: EARN_CONSOLE_PATHS.treasury,
      summary: "For operators: what the interest treasury has, has promised and will owe",
      output: Treasury,
      handle: async (_, { timeMs }) => answer(await readTreasury(timeMs)),
    }),
    defineRoute({
      ...operator,
      method: "POST",
      path: EARN_CONSOLE_PATHS.open,
      summary: "For operators: closes a product to new money, or opens it again",
      body: OpenBody,
      output: Opened,
      handle: async ({ body }) =>
        (await desk.setOpen(body.productId, body.isOpen))
          ? answer(body)
          : refuseBy(REFUSALS, { code: "PRODUCT_UNKNOWN" }),
    }),
    defineRoute({
      ...two,
      path: EARN_CONSOLE_PATHS.fund,
      summary: "For operators: proposes money of the reserves for the interest treasury",
      body: FundBody,
      handle: ({ body: { clientId, ...payload } }, context) => propose.fund(context, payload, clientId),
    }),
    defineRoute({
      ...two,
      path: EARN_CONSOLE_PATHS.rate,
      summary: "For operators: proposes rates of a flexible product from the next hour on",
      body: RateBody,
      handle: ({ body: { clientId, ...payload } }, context) => propose.rate(context, payload, clientId),
    }),
    defineRoute({
      ...two,
      path: EARN_CONSOLE_PATHS.product,
      summary: "For operators: proposes a product",
      body: ProductBody,
      handle: ({ body: { clientId, ...payload } }, context) => propose.product(context, payload, clientId),
    }),
    defineRoute({
      ...two,
      path: EARN_PATHS.issue,
      summary: "For operators: proposes a coupon for a person's interest",
      body: IssueCouponBody,
      handle: ({ body: { clientId, ...payload } }, context) => propose.coupon(context, payload, clientId),
    }),
  ];
}
