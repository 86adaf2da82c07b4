// REST of earn: schema → service → envelope. Grants are proposed here and carried out with a second approval.

import type { Propose } from "@clockwork/host/proposal";
import { answer, type Outcome, type RouteSpec, refuseBy, serve } from "@clockwork/host/route";
import { type Result, refused } from "@clockwork/kit/result";
import {
  EARN_CALLS as CALLS,
  EARN_CONSOLE_CALLS as CONSOLE,
  type FundPayload,
  type IssueCouponPayload,
  type ProductPayload,
  type RatePayload,
  type Treasury,
} from "./contract.ts";
import { type DeskService, EARN_PERMISSION } from "./desk-service.ts";
import { type DeskRefusal, type EarnRefusal, REFUSALS } from "./refusals.ts";
import type { EarnService } from "./service.ts";
import type { EarnView } from "./view-service.ts";

const RETRY_SECONDS = 2;

export interface EarnProposals {
  readonly fund: Propose<typeof FundPayload, DeskRefusal>;
  readonly rate: Propose<typeof RatePayload, DeskRefusal>;
  readonly product: Propose<typeof ProductPayload, DeskRefusal>;
  readonly coupon: Propose<typeof IssueCouponPayload, DeskRefusal>;
}

export interface EarnRouteParts {
  readonly service: EarnService;
  readonly view: EarnView;
  readonly desk: DeskService;
  readonly propose: EarnProposals;
  readTreasury(timeMs: number): Promise<Treasury>;
}

const outcome = <Value>(result: Result<Value, EarnRefusal>): Outcome<Value, EarnRefusal> => {
  if (result.done) return answer(result.value);
  const refusal = refuseBy(REFUSALS, result);
  const isBusy = REFUSALS[result.code][0] === 503;
  return isBusy ? { ok: false, rejection: { ...refusal.rejection, retryAfterSeconds: RETRY_SECONDS } } : refusal;
};

const own = { tag: "earn", scope: "user" } as const;
/** Programs too, with a key that may. */
const reads = { tag: "earn", scope: { key: "read" } } as const;
const moves = { tag: "earn", scope: { key: "spot" } } as const;

export function earnRoutes(parts: EarnRouteParts): readonly RouteSpec[] {
  return [...readRoutes(parts), ...moneyRoutes(parts), ...deskRoutes(parts)];
}

function readRoutes({ view }: EarnRouteParts): readonly RouteSpec[] {
  return [
    serve(CALLS.products, {
      tag: "earn",
      summary: "Products with their rates and what is left of them",
      handle: async (_, { timeMs }) => answer(await view.listProducts(timeMs)),
    }),
    serve(CALLS.holdings, {
      ...reads,
      summary: "The caller's holdings with interest up to this moment; those that ended when asked for",
      handle: async ({ query }, { userId, timeMs }) =>
        answer(await view.listHoldings(Number(userId), timeMs, query.ended === "true")),
    }),
    serve(CALLS.balance, {
      ...reads,
      summary: "What the caller has in earn, by coin",
      handle: async (_, { userId }) => answer(await view.readBalance(Number(userId))),
    }),
    serve(CALLS.records, {
      ...reads,
      summary: "What the caller put in, took out and was paid, newest first",
      handle: async ({ query }, { userId }) =>
        answer(await view.listRecords(Number(userId), query.cursor, query.limit)),
    }),
    serve(CALLS.coupons, {
      ...own,
      summary: "The caller's coupons for interest",
      handle: async (_, { userId, timeMs }) => answer({ coupons: await view.listCoupons(Number(userId), timeMs) }),
    }),
  ];
}

function moneyRoutes({ service, view }: EarnRouteParts): readonly RouteSpec[] {
  return [
    serve(CALLS.subscribe, {
      ...moves,
      summary: "Puts money into a product; once for each clientId",
      handle: async ({ body }, { userId, timeMs }) => outcome(await service.subscribe(Number(userId), body, timeMs)),
    }),
    ...[CALLS.redeem, CALLS.redeemAlias, CALLS.redeemShort].map((call) =>
      serve(call, {
        ...moves,
        summary: "Takes money out: at once within the day's pool, else next day; a fixed term without interest",
        handle: async ({ body }, { userId, timeMs }) => outcome(await service.redeem(Number(userId), body, timeMs)),
      }),
    ),
    serve(CALLS.settings, {
      ...own,
      summary: "Whether interest compounds in a flexible holding, and whether a fixed term renews",
      handle: async ({ body }, { userId, timeMs }) => {
        const changed = await service.change(Number(userId), body);
        return changed.done ? answer(await view.listHoldings(Number(userId), timeMs)) : outcome(changed);
      },
    }),
    serve(CALLS.autoApply, {
      ...own,
      summary: "Puts what lies idle above a reserve into the flexible product each day at 00:30 UTC",
      handle: async ({ body }, { userId, timeMs }) => {
        const changed = await service.setAutoApply(Number(userId), body);
        if (!changed.done) return outcome(changed);
        return answer({ autoApply: (await view.listHoldings(Number(userId), timeMs)).autoApply });
      },
    }),
  ];
}

function deskRoutes({ desk, propose, readTreasury }: EarnRouteParts): readonly RouteSpec[] {
  const operator = { tag: "earn", scope: { operator: EARN_PERMISSION } } as const;
  return [
    serve(CONSOLE.treasury, {
      ...operator,
      summary: "For operators: what the interest treasury has, has promised and will owe",
      handle: async (_, { timeMs }) => answer(await readTreasury(timeMs)),
    }),
    serve(CONSOLE.open, {
      ...operator,
      summary: "For operators: closes a product to new money, or opens it again",
      handle: async ({ body }) =>
        (await desk.setOpen(body.productId, body.isOpen)) ? answer(body) : outcome(refused("PRODUCT_UNKNOWN")),
    }),
    serve(CONSOLE.fund, {
      ...own,
      summary: "For operators: proposes money of the reserves for the interest treasury",
      handle: ({ body: { clientId, ...payload } }, context) => propose.fund(context, payload, clientId),
    }),
    serve(CONSOLE.rate, {
      ...own,
      summary: "For operators: proposes rates of a flexible product from the next hour on",
      handle: ({ body: { clientId, ...payload } }, context) => propose.rate(context, payload, clientId),
    }),
    serve(CONSOLE.product, {
      ...own,
      summary: "For operators: proposes a product",
      handle: ({ body: { clientId, ...payload } }, context) => propose.product(context, payload, clientId),
    }),
    serve(CALLS.issue, {
      ...own,
      summary: "For operators: proposes a coupon for a person's interest",
      handle: ({ body: { clientId, ...payload } }, context) => propose.coupon(context, payload, clientId),
    }),
  ];
}
