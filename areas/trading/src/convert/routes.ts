// REST of converting: schema → service → envelope.
import { answer, defineRoute, type RouteSpec, refuseBy } from "@clockwork/host/route";
import {
  AcceptBody,
  Accepted,
  CONVERT_PATHS,
  ConversionList,
  ConversionsQuery,
  Quote,
  QuoteBody,
  SmallBody,
  SmallResult,
} from "./contract.ts";
import { REFUSALS } from "./rules.ts";
import type { ConvertService } from "./service.ts";

const own = { method: "POST", tag: "convert", scope: { key: "spot" } } as const;

export function convertRoutes(service: ConvertService): readonly RouteSpec[] {
  return [
    defineRoute({
      ...own,
      path: CONVERT_PATHS.quote,
      summary: "A firm price for turning one coin into another, good for ten seconds",
      body: QuoteBody,
      output: Quote,
      handle: async ({ body }, { userId }) => {
        const quoted = await service.quote(Number(userId), body);
        return quoted.done ? answer(quoted.value) : refuseBy(REFUSALS, quoted);
      },
    }),
    defineRoute({
      ...own,
      path: CONVERT_PATHS.accept,
      summary: "Takes a quote; asked again it is the same conversion",
      body: AcceptBody,
      output: Accepted,
      handle: async ({ body }, { userId }) => {
        const taken = await service.accept(Number(userId), body.quoteId);
        return taken.done ? answer(taken.value) : refuseBy(REFUSALS, taken);
      },
    }),
    defineRoute({
      method: "GET",
      tag: "convert",
      scope: { key: "read" },
      path: CONVERT_PATHS.list,
      summary: "What the caller converted, oldest first",
      query: ConversionsQuery,
      output: ConversionList,
      handle: async ({ query }, { userId }) => answer(await service.list(Number(userId), query)),
    }),
    defineRoute({
      ...own,
      path: CONVERT_PATHS.small,
      summary: "Turns balances worth less than ten USDT into USDT",
      body: SmallBody,
      output: SmallResult,
      handle: async ({ body }, { userId }) => {
        const swept = await service.convertSmall(Number(userId), body.assets, body.clientId);
        return swept.done ? answer(swept.value) : refuseBy(REFUSALS, swept);
      },
    }),
  ];
}
