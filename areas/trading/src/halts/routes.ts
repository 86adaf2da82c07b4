// REST of stopping markets, for operators: schema → service → envelope. Opening is proposed here and done by two.
import type { Audit } from "@clockwork/host/audit";
import type { Propose } from "@clockwork/host/proposal";
import { answer, type RouteSpec, refuseBy, serve } from "@clockwork/host/route";
import { HALT_CALLS as CALLS, type OpenPayload } from "./contract.ts";
import { REFUSALS } from "./refusals.ts";
import type { HaltService } from "./service.ts";

const OWN = { tag: "halts", scope: { operator: "trading.stop" } } as const;

export interface HaltRouteParts {
  readonly halts: HaltService;
  readonly audit: Audit;
  readonly proposeOpen: Propose<typeof OpenPayload, never>;
}

export function haltRoutes({ halts, audit, proposeOpen }: HaltRouteParts): readonly RouteSpec[] {
  return [
    serve(CALLS.list, {
      ...OWN,
      summary: "For operators: every market, its status, and who stopped it why",
      handle: async () => answer({ markets: [...(await halts.list())] }),
    }),
    serve(CALLS.stop, {
      ...OWN,
      summary: "For operators: halts a market immediately, confirmed by its typed code",
      handle: async ({ body }, context) => {
        const checked = halts.check(body);
        if (!checked.done) return refuseBy(REFUSALS, checked);
        await audit.record(context, "market.stopped", `${body.biz} ${body.pairCode}`, `${body.status}: ${body.reason}`);
        const stopped = await halts.stop(body, Number(context.userId), context.timeMs);
        return stopped.done ? answer(null) : refuseBy(REFUSALS, stopped);
      },
    }),
    serve(CALLS.open, {
      ...OWN,
      summary: "For operators: proposes to open a stopped market; another operator decides",
      handle: async ({ body: { biz, pairCode, clientId } }, context) => {
        const stop = await halts.findStop(biz, pairCode);
        if (!stop.done) return refuseBy(REFUSALS, stop);
        return proposeOpen(context, { biz, pairCode, stoppedMs: stop.value }, clientId);
      },
    }),
  ];
}
