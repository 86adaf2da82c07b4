// REST of converting: schema → service → envelope.
import { answer, type RouteSpec, refuseBy, serve } from "@clockwork/host/route";
import { CONVERT_CALLS as CALLS } from "./contract.ts";
import { REFUSALS } from "./refusals.ts";
import type { ConvertService } from "./service.ts";

const own = { method: "POST", tag: "convert", scope: { key: "spot" } } as const;

export function convertRoutes(service: ConvertService): readonly RouteSpec[] {
  return [
    serve(CALLS.quote, {
      ...own,
      summary: "A firm price for turning one coin into another, good for ten seconds",
      handle: async ({ body }, { userId }) => {
        const quoted = await service.quote(Number(userId), body);
        return quoted.done ? answer(quoted.value) : refuseBy(REFUSALS, quoted);
      },
    }),
    serve(CALLS.accept, {
      ...own,
      summary: "Takes a quote; asked again it is the same conversion",
      handle: async ({ body }, { userId }) => {
        const taken = await service.accept(Number(userId), body.quoteId);
        return taken.done ? answer(taken.value) : refuseBy(REFUSALS, taken);
      },
    }),
    serve(CALLS.list, {
      tag: "convert",
      scope: { key: "read" },
      summary: "What the caller converted, oldest first unless asked otherwise",
      handle: async ({ query }, { userId }) => answer(await service.list(Number(userId), query)),
    }),
    serve(CALLS.small, {
      ...own,
      summary: "Turns balances worth less than ten USDT into USDT",
      handle: async ({ body }, { userId }) => {
        const swept = await service.convertSmall(Number(userId), body.assets, body.clientId);
        return swept.done ? answer(swept.value) : refuseBy(REFUSALS, swept);
      },
    }),
  ];
}
