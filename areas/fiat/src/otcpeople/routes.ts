// REST of payment accounts, blocked users and merchants: schema → service → envelope.
import type { Audit } from "@clockwork/host/audit";
import type { Propose } from "@clockwork/host/proposal";
import { answer, type Outcome, type RouteContext, type RouteSpec, refuseBy, serve } from "@clockwork/host/route";
import { type Result, refused } from "@clockwork/kit/result";
import { type AuditPayload, OTC_PEOPLE_CALLS as CALLS, type MerchantCentre } from "./contract.ts";
import type { MerchantService } from "./merchant-service.ts";
import type { PaymentService } from "./payment-service.ts";
import { type PeopleRefusal, REFUSALS } from "./refusals.ts";
import type { PeopleStore } from "./store.ts";

export interface PeopleRouteParts {
  readonly payments: PaymentService;
  readonly merchants: MerchantService;
  readonly store: Pick<PeopleStore, "listMerchants" | "findMerchant">;
  readonly audit: Audit;
  readonly proposeAudit: Propose<typeof AuditPayload, never>;
  /** Whether the caller has a recent proof: a stolen session must not redirect payments. */
  readonly isProved: (context: RouteContext) => Promise<boolean>;
}

const own = { tag: "otc", scope: "user" } as const;
const desk = { tag: "otc", scope: { operator: "otc.merchants" } } as const;

function respond<Value>(result: Result<Value, PeopleRefusal>): Outcome<Value, PeopleRefusal> {
  if (result.done) return answer(result.value);
  const { code, detail } = result;
  return refuseBy(
    REFUSALS,
    { code },
    code === "PAYMENT_FIELD" && detail !== undefined ? { [`body.${detail}`]: REFUSALS[code][1] } : undefined,
  );
}

export function otcPeopleRoutes(parts: PeopleRouteParts): readonly RouteSpec[] {
  return [...paymentRoutes(parts), ...blockRoutes(parts.payments), ...merchantRoutes(parts), ...deskRoutes(parts)];
}

function paymentRoutes({ payments, isProved }: PeopleRouteParts): readonly RouteSpec[] {
  return [
    serve(CALLS.payments, {
      ...own,
      summary: "Where the caller is paid by other people",
      handle: async (_, { userId }) => answer(await payments.list(Number(userId))),
    }),
    serve(CALLS.addPayment, {
      ...own,
      summary: "Adds a payment account in the caller's own name",
      handle: async ({ body }, context) => {
        if (!(await isProved(context))) return respond(refused("STEP_UP_REQUIRED"));
        return respond(await payments.add(Number(context.userId), body));
      },
    }),
    serve(CALLS.removePayment, {
      ...own,
      summary: "Removes a payment account no ad uses",
      handle: async ({ body }, context) => {
        if (!(await isProved(context))) return respond(refused("STEP_UP_REQUIRED"));
        return respond(await payments.remove(Number(context.userId), body.paymentId));
      },
    }),
  ];
}

function blockRoutes(payments: PaymentService): readonly RouteSpec[] {
  return [
    serve(CALLS.blocked, {
      ...own,
      summary: "Whom the caller does not want to meet",
      handle: async (_, { userId }) => answer(await payments.listBlocked(Number(userId))),
    }),
    serve(CALLS.block, {
      ...own,
      summary: "Blocks somebody: neither sees the other's ads any more",
      handle: async ({ body }, { userId }) => respond(await payments.block(Number(userId), Number(body.user))),
    }),
    serve(CALLS.unblock, {
      ...own,
      summary: "Unblocks somebody",
      handle: async ({ body }, { userId }) => answer(await payments.unblock(Number(userId), Number(body.user))),
    }),
  ];
}

function merchantRoutes({ merchants }: PeopleRouteParts): readonly RouteSpec[] {
  const centre = async (
    userId: number,
    result: Result<unknown, PeopleRefusal>,
  ): Promise<Outcome<MerchantCentre, PeopleRefusal>> =>
    result.done ? answer(await merchants.centre(userId)) : respond(result);
  return [
    serve(CALLS.merchant, {
      ...own,
      summary: "The caller as a merchant, what bonds allow, and what an application asks for",
      handle: async (_, { userId }) => answer(await merchants.centre(Number(userId))),
    }),
    serve(CALLS.apply, {
      ...own,
      summary: "Applies as a merchant and pays in the bond",
      handle: async ({ body }, { userId }) => centre(Number(userId), await merchants.apply(Number(userId), body)),
    }),
    serve(CALLS.refill, {
      ...own,
      summary: "Pays in again what was drawn from the bond",
      handle: async (_, { userId }) => centre(Number(userId), await merchants.refill(Number(userId))),
    }),
    serve(CALLS.upgrade, {
      ...own,
      summary: "Raises the bond to that of a higher level, for more ads and larger orders",
      handle: async ({ body }, { userId }) =>
        centre(Number(userId), await merchants.upgrade(Number(userId), body.level)),
    }),
    serve(CALLS.exit, {
      ...own,
      summary: "Ends being a merchant; the bond comes back seven days after the last order",
      handle: async (_, { userId }) => centre(Number(userId), await merchants.exit(Number(userId))),
    }),
    serve(CALLS.settings, {
      ...own,
      summary: "Hours and the automatic first reply",
      handle: async ({ body }, { userId }) => centre(Number(userId), await merchants.settings(Number(userId), body)),
    }),
  ];
}

function deskRoutes({ merchants, store, audit, proposeAudit }: PeopleRouteParts): readonly RouteSpec[] {
  const table = async () => ({
    merchants: (await store.listMerchants(undefined)).map((row) => merchants.describe(row)),
  });
  return [
    serve(CALLS.desk, {
      ...desk,
      summary: "Merchants, for operators",
      handle: async ({ query }) => {
        const rows = await store.listMerchants(query.state);
        return answer({ merchants: rows.map((row) => merchants.describe(row)) });
      },
    }),
    serve(CALLS.audit, {
      ...desk,
      summary: "Proposes to let a merchant in, or back in after a suspension",
      handle: async ({ body: { user, clientId } }, context) => {
        const row = await store.findMerchant(Number(user));
        if (row === undefined) return respond(refused("MERCHANT_UNKNOWN"));
        return proposeAudit(context, { user, name: row.name }, clientId);
      },
    }),
    serve(CALLS.reject, {
      ...desk,
      summary: "Declines an application; the bond goes back",
      handle: async ({ body: { user, reason } }, context) => {
        await audit.record(context, "otc.merchant.rejected", user, reason);
        const rejected = await merchants.reject(Number(user), reason);
        return rejected.done ? answer(await table()) : respond(rejected);
      },
    }),
    serve(CALLS.suspend, {
      ...desk,
      summary: "Suspends a merchant and takes the ads offline",
      handle: async ({ body: { user, reason } }, context) => {
        await audit.record(context, "otc.merchant.suspended", user, reason);
        const suspended = await merchants.suspend(Number(user), reason);
        return suspended.done ? answer(await table()) : respond(suspended);
      },
    }),
  ];
}
