// REST of stopping markets, for operators: schema → service → envelope. Opening is proposed here and done by two.
import type { Audit } from "@clockwork/host/audit";
import type { Propose } from "@clockwork/host/proposal";
import { answer, defineRoute, type RouteSpec, refuseBy } from "@clockwork/host/route";
import type { RefusalTable } from "@clockwork/kit/endpoint";
import { ProposalMade } from "@clockwork/kit/proposal-state";
import { Type } from "typebox";
import { HALT_PATHS, HaltedMarkets, OpenBody, type OpenPayload, StopBody } from "./contract.ts";
import type { HaltRefusal, HaltService } from "./service.ts";

const REFUSALS: RefusalTable<HaltRefusal> = {
  UNKNOWN_MARKET: [404, "There is no such market."],
  CONFIRMATION_WRONG: [400, "Type the pair's code exactly to confirm."],
  MARKET_NOT_STOPPED: [409, "No operator has stopped this market."],
  MARKET_NOT_OPEN: [409, "This market is not open, or no longer listed."],
  HALT_AWAY: [503, "The exchange cannot answer now; press again."],
};

const OWN = { tag: "halts", scope: { operator: "trading.stop" } } as const;

export interface HaltRouteParts {
  readonly halts: HaltService;
  readonly audit: Audit;
  readonly proposeOpen: Propose<typeof OpenPayload>;
}

export function haltRoutes({ halts, audit, proposeOpen }: HaltRouteParts): readonly RouteSpec[] {
  return [
    defineRoute({
      ...OWN,
      method: "GET",
      path: HALT_PATHS.list,
      summary: "For operators: every market, its status, and who stopped it why",
      output: HaltedMarkets,
      handle: async () => answer({ markets: [...(await halts.list())] }),
    }),
    defineRoute({
      ...OWN,
      method: "POST",
      path: HALT_PATHS.stop,
      summary: "For operators: stops a market for everybody at once, confirmed by its typed code",
      body: StopBody,
      output: Type.Null(),
      handle: async ({ body }, context) => {
        const checked = halts.check(body);
        if (!checked.done) return refuseBy(REFUSALS, checked);
        await audit.record(context, "market.stopped", `${body.biz} ${body.pairCode}`, `${body.status}: ${body.reason}`);
        const stopped = await halts.stop(body, Number(context.userId), context.timeMs);
        return stopped.done ? answer(null) : refuseBy(REFUSALS, stopped);
      },
    }),
    defineRoute({
      ...OWN,
      method: "POST",
      path: HALT_PATHS.open,
      summary: "For operators: proposes to open a stopped market; another operator decides",
      body: OpenBody,
      output: ProposalMade,
      handle: async ({ body: { biz, pairCode, clientId } }, context) => {
        const stop = await halts.findStop(biz, pairCode);
        if (!stop.done) return refuseBy(REFUSALS, stop);
        return proposeOpen(context, { biz, pairCode, stoppedMs: stop.value }, clientId);
      },
    }),
  ];
}
