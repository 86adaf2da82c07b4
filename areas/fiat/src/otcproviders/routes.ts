// REST of providers, the money held with them and the bills of trading between people: schema → service → envelope.

import { answer, defineRoute, type Outcome, type RouteSpec, refuseBy } from "@clockwork/host/route";
import type { Result } from "@clockwork/kit/result";
import {
  BillsQuery,
  CallbackBody,
  Deal,
  DealBody,
  DealList,
  DealQuery,
  DealsQuery,
  FinanceBills,
  LegalTender,
  OTC_PROVIDER_PATHS as PATHS,
  ProviderList,
  QuoteBody,
  SIGNATURE_HEADER,
} from "./contract.ts";
import { type ProviderRefusal, REFUSALS } from "./rules.ts";
import type { ProviderService } from "./service.ts";

const own = { tag: "otc", scope: "user" } as const;

function told<Value>(result: Result<Value, ProviderRefusal>): Outcome<Value> {
  return result.done ? answer(result.value) : refuseBy(REFUSALS, result);
}

export function otcProviderRoutes(service: ProviderService): readonly RouteSpec[] {
  return [...dealRoutes(service), ...moneyRoutes(service)];
}

function dealRoutes(service: ProviderService): readonly RouteSpec[] {
  return [
    defineRoute({
      tag: "otc",
      method: "GET",
      path: PATHS.list,
      summary: "Outside providers of money",
      output: ProviderList,
      handle: async () => answer(service.list()),
    }),
    defineRoute({
      ...own,
      method: "POST",
      path: PATHS.quote,
      summary: "A provider's price for an amount, good for a minute",
      body: QuoteBody,
      output: Deal,
      rate: { callsMax: 60, windowMs: 60_000 },
      handle: async ({ body }, { userId }) => told(await service.quote(Number(userId), body)),
    }),
    defineRoute({
      ...own,
      method: "POST",
      path: PATHS.accept,
      summary: "Takes a quote; asked again it is the same deal",
      body: DealBody,
      output: Deal,
      handle: async ({ body }, { userId }) => told(await service.accept(Number(userId), body.dealId)),
    }),
    defineRoute({
      ...own,
      method: "GET",
      path: PATHS.get,
      summary: "How a deal stands",
      query: DealQuery,
      output: Deal,
      handle: async ({ query }, { userId }) => told(await service.read(Number(userId), query.id)),
    }),
    defineRoute({
      ...own,
      method: "GET",
      path: PATHS.deals,
      summary: "The caller's deals, newest first",
      query: DealsQuery,
      output: DealList,
      handle: async ({ query }, { userId }) => answer(await service.deals(Number(userId), query.before)),
    }),
    defineRoute({
      tag: "otc",
      method: "POST",
      path: PATHS.callback,
      summary: `A provider says how a deal ended, signed in ${SIGNATURE_HEADER}`,
      body: CallbackBody,
      output: Deal,
      handle: async ({ body }, { header }) => told(await service.callback(body, header(SIGNATURE_HEADER) ?? "")),
    }),
  ];
}

function moneyRoutes(service: ProviderService): readonly RouteSpec[] {
  return [
    defineRoute({
      ...own,
      method: "GET",
      path: PATHS.legalTender,
      summary: "Money the caller holds with providers",
      output: LegalTender,
      handle: async (_, { userId }) => answer(await service.legalTender(Number(userId))),
    }),
    defineRoute({
      ...own,
      method: "GET",
      path: PATHS.bills,
      summary: "Bills of trading between people and with providers, newest first",
      query: BillsQuery,
      output: FinanceBills,
      handle: async ({ query }, { userId }) => answer(await service.bills(Number(userId), query)),
    }),
  ];
}
