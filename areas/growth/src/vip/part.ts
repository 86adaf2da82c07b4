// Connects levels with the ledger's tables, prices, the core's rates, jobs, operators and notices. Holds no rule of its
// own.
import { isSimulatedUser } from "@clockwork/core/protocol/names";
import { type Part, runs } from "@clockwork/host/part";
import { keepResuming } from "@clockwork/host/resume-loop";
import { DAY_MS } from "@clockwork/kit/time";
import type { PartContext } from "@clockwork/trading/context";
import { settledAt } from "@clockwork/trading/ledger/settled";
import { CONTRACT_FEE_GROUP } from "@clockwork/trading/market/listing";
import { CountService } from "./count-service.ts";
import type { VipFees, VipNeeds } from "./needs.ts";
import { vipRoutes } from "./routes.ts";
import { VIP_PERMISSION, VipService } from "./service.ts";
import { vipStore } from "./store.ts";
import { VipView } from "./view-service.ts";

const NOTICE = "vip";
const SPOT_FEE_GROUP = 0;
/** All of it: no fee is higher. */
const RATE_MAX = 100_000_000;
/** Trials end, and missed notices are sent, within this time. */
const SETTLE_MS = 10_000;

export interface Vip extends Part {
  readonly service: VipService;
}

export function vipPart(context: PartContext): Vip {
  const { database, accounts, jobs, clock, log, permissions, engine } = context;
  permissions.add({ name: VIP_PERMISSION, roles: ["support"] });
  accounts.notices.register({ kind: NOTICE, group: "account", defaults: ["live", "letter"] });
  const parts = { store: vipStore(database.kysely), needs: needsOf(context) };
  const count = new CountService(parts);
  const service = new VipService(parts);
  jobs.add({
    name: "vip.assets",
    schedule: { dailyAt: "00:00" },
    // While nothing ran, no balance changed: each missed midnight has the current balances.
    missed: "each",
    run: ({ dueMs }) => count.takeAssets(Math.floor(dueMs / DAY_MS)),
  });
  jobs.add({
    name: "vip.count",
    schedule: { dailyAt: "00:10" },
    missed: "each",
    async run({ dueMs }) {
      await count.count(dueMs);
      await service.settle();
    },
  });
  const settling = runs(() => {
    if (!engine.isThere) return () => undefined;
    const onFailure = (error: unknown): void => log.warn("vip.settle.failed", { error });
    return keepResuming({ clock, everyMs: SETTLE_MS, resume: () => service.settle(), onFailure });
  });
  return {
    service,
    routes: vipRoutes(new VipView(parts), accounts.proposals.register(service.trialKind())),
    ...settling,
    async start() {
      await service.load();
      await settling.start();
    },
  };
}

function needsOf({ market, engine, accounts, clock }: PartContext): VipNeeds {
  const { pairs } = market;
  return {
    now: clock.now,
    findMarket(of) {
      const pair = pairs.findMarket(of);
      if (pair === undefined) return undefined;
      const isFree = pair.biz === "demo" || (pair.makerRate === 0 && pair.takerRate === 0);
      return { kind: pair.biz === "spot" ? "spot" : "futures", settle: pair.settle.asset, isFree };
    },
    worthUnits: (asset, amountUnits) => pairs.worthUnits(asset, amountUnits),
    isPerson: (userId) => userId > 0 && !isSimulatedUser(userId),
    settledAt: (timeMs) => settledAt(engine, timeMs),
    setFees: async (userId, fees) => (await engine.submit({ kind: "setUserFees", user: userId, ...fees })).done,
    readFees: (userId) => readFees(engine, userId),
    readGroupFees: () => readGroupFees(engine),
    isUser: async (userId) => (await accounts.users.find(userId)) !== undefined,
    async notify(userId, notice, timeMs) {
      await accounts.notices.notify(userId, { kind: NOTICE, path: "/vip", ...notice }, timeMs);
    },
  };
}

/** The fees without a level; if they are unavailable nothing is lowered. */
function readGroupFees(engine: PartContext["engine"]): VipFees {
  const { groupFees } = engine.cache?.facts ?? {};
  const [spot, perpetual] = [groupFees?.get(SPOT_FEE_GROUP), groupFees?.get(CONTRACT_FEE_GROUP)];
  return {
    spotMakerRate: spot?.maker ?? RATE_MAX,
    spotTakerRate: spot?.taker ?? RATE_MAX,
    perpMakerRate: perpetual?.maker ?? RATE_MAX,
    perpTakerRate: perpetual?.taker ?? RATE_MAX,
  };
}

/** As the core decides: the user's own rate, or else the group's. */
function readFees(engine: PartContext["engine"], userId: number): VipFees {
  const { groupFees, userFees } = engine.cache?.facts ?? {};
  const own = userFees?.get(userId);
  const [spot, perpetual] = [groupFees?.get(SPOT_FEE_GROUP), groupFees?.get(CONTRACT_FEE_GROUP)];
  const rate = (...rates: readonly (number | undefined)[]) => rates.find((one) => one !== undefined && one >= 0) ?? 0;
  return {
    spotMakerRate: rate(own?.spot.maker, spot?.maker),
    spotTakerRate: rate(own?.spot.taker, spot?.taker),
    perpMakerRate: rate(own?.perpetual.maker, perpetual?.maker),
    perpTakerRate: rate(own?.perpetual.taker, perpetual?.taker),
  };
}
