// Connects the overview with prices, contracts, proposals and the jobs. Contains no rule of its own.
import type { Part } from "@clockwork/host/part";
import type { RouteContext } from "@clockwork/host/route";
import { PROPOSAL_CALLS, type ProposalPage } from "@clockwork/identity/proposals/contract";
import { VISITOR } from "@clockwork/kit/caller";
import { parseUnits } from "@clockwork/kit/money";
import type { PartContext } from "@clockwork/trading/context";
import { CONTRACT_CALLS, type ContractQuotation, type RiskFund } from "@clockwork/trading/markets/contract";
import { CONSOLE_PERMISSION, OVERVIEW_PERMISSION } from "./contract.ts";
import { overviewRoutes } from "./routes.ts";
import { type OverviewNeeds, OverviewService } from "./service.ts";
import { overviewStore } from "./store.ts";

const FOLD_MS = 5 * 60_000;
const USDT_SCALE = 6;

export function overviewPart(context: PartContext): Part {
  const { database, engine, clock, jobs, mayOperate, permissions } = context;
  permissions.add(
    { name: CONSOLE_PERMISSION, roles: ["kyc-reviewer", "auditor", "editor", "support", "compliance"] },
    { name: OVERVIEW_PERMISSION, roles: ["auditor", "compliance"] },
  );
  const overview = new OverviewService({ store: overviewStore(database.kysely), needs: needsOf(context) });
  jobs.add({
    name: "overview.fold",
    schedule: { everyMs: FOLD_MS },
    missed: "latest",
    run: () => overview.fold(clock.now()),
  });
  return {
    routes: overviewRoutes({
      overview,
      health: engine.health,
      mayOperate,
      listDecidable: (call) => listDecidable(context, call),
    }),
  };
}

async function listDecidable({ calls }: PartContext, { caller, requestId, ip }: RouteContext) {
  const { method, path } = PROPOSAL_CALLS.list;
  const query = { openOnly: true };
  const answered = await calls.call({ method, route: `/api${path}`, caller, requestId, address: ip, query });
  if (answered.refusal !== undefined) return [];
  const { proposals } = answered.envelope.data as ProposalPage;
  return proposals.flatMap(({ mayDecide, createdAtMs }) => (mayDecide ? [createdAtMs] : []));
}

/** Decimal text of our own; anything else counts nothing. */
function usdtUnits(text: string): bigint {
  const read = parseUnits(text, USDT_SCALE);
  return read.done ? read.value : 0n;
}

function needsOf({ market, calls }: PartContext): OverviewNeeds {
  const read = async (path: string, query: object): Promise<unknown> => {
    const where = { method: "GET", route: `/futuresapi${path}`, caller: VISITOR } as const;
    const answered = await calls.call({ ...where, query, requestId: "overview", address: "::1" });
    return answered.refusal === undefined ? answered.envelope.data : undefined;
  };
  return {
    worthUnits: (asset, amountUnits) => {
      const id = typeof asset === "number" ? asset : market.pairs.findAsset(asset)?.asset;
      return id === undefined ? undefined : market.pairs.worthUnits(id, amountUnits);
    },
    openInterest: async () => {
      const list = (await read(CONTRACT_CALLS.quotations.path, { biz: "futures" })) as
        | readonly ContractQuotation[]
        | undefined;
      return list?.reduce((sum, { openInterestValue }) => sum + usdtUnits(openInterestValue), 0n);
    },
    insuranceFund: async () => {
      const fund = (await read(CONTRACT_CALLS.riskFund.path, { biz: "futures", days: 1 })) as RiskFund | undefined;
      return fund === undefined ? undefined : usdtUnits(fund.balance);
    },
  };
}
