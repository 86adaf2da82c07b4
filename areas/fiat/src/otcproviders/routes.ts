// REST of providers, the money held with them and the bills of OTC: schema → service → envelope.

import { answer, type Outcome, type RouteSpec, refuseBy, serve } from "@clockwork/host/route";
import type { Result } from "@clockwork/kit/result";
import { OTC_PROVIDER_CALLS as CALLS, SIGNATURE_HEADER } from "./contract.ts";
import { type ProviderRefusal, REFUSALS } from "./refusals.ts";
import type { ProviderService } from "./service.ts";

const own = { tag: "otc", scope: "user" } as const;

function respond<Value>(result: Result<Value, ProviderRefusal>): Outcome<Value, ProviderRefusal> {
  return result.done ? answer(result.value) : refuseBy(REFUSALS, result);
}

export function otcProviderRoutes(service: ProviderService): readonly RouteSpec[] {
  return [...dealRoutes(service), ...moneyRoutes(service)];
}

function dealRoutes(service: ProviderService): readonly RouteSpec[] {
  return [
    serve(CALLS.list, {
      tag: "otc",
      summary: "Outside providers of money",
      handle: async () => answer(service.list()),
    }),
    serve(CALLS.quote, {
      ...own,
      summary: "A provider's price for an amount, good for a minute",
      rate: { callsMax: 60, windowMs: 60_000 },
      handle: async ({ body }, { userId }) => respond(await service.quote(Number(userId), body)),
    }),
    serve(CALLS.accept, {
      ...own,
      summary: "Takes a quote; asked again it is the same deal",
      handle: async ({ body }, { userId }) => respond(await service.accept(Number(userId), body.dealId)),
    }),
    serve(CALLS.get, {
      ...own,
      summary: "How a deal stands",
      handle: async ({ query }, { userId }) => respond(await service.read(Number(userId), query.id)),
    }),
    serve(CALLS.deals, {
      ...own,
      summary: "The caller's deals, newest first",
      handle: async ({ query }, { userId }) => answer(await service.deals(Number(userId), query.before)),
    }),
    serve(CALLS.callback, {
      tag: "otc",
      summary: `A provider says how a deal ended, signed in ${SIGNATURE_HEADER}`,
      handle: async ({ body }, { header }) => respond(await service.callback(body, header(SIGNATURE_HEADER) ?? "")),
    }),
  ];
}

function moneyRoutes(service: ProviderService): readonly RouteSpec[] {
  return [
    serve(CALLS.legalTender, {
      ...own,
      summary: "Money the caller holds with providers",
      handle: async (_, { userId }) => answer(await service.legalTender(Number(userId))),
    }),
    serve(CALLS.bills, {
      ...own,
      summary: "Bills of trading between people and with providers, newest first",
      handle: async ({ query }, { userId }) => answer(await service.bills(Number(userId), query)),
    }),
  ];
}
