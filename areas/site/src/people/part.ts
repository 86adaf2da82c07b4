// Connects the page of one person with accounts, prices and the user's own calls. Contains no rule of its own.
import { vipStore } from "@clockwork/growth/vip/store";
import type { Part } from "@clockwork/host/part";
import { kycStore } from "@clockwork/identity/kyc/store";
import { userStore } from "@clockwork/identity/users/store";
import type { PartContext } from "@clockwork/trading/context";
import { PEOPLE_PERMISSION, REVEAL_PERMISSION } from "./contract.ts";
import type { PeopleNeeds } from "./needs.ts";
import { peopleRoutes } from "./routes.ts";
import { PeopleService } from "./service.ts";
import { peopleStore } from "./store.ts";

const BASES = { spot: "/api", futures: "/futuresapi", root: "" } as const;

export function peoplePart(context: PartContext): Part {
  const { database, audit, mayOperate, permissions } = context;
  permissions.add(
    { name: PEOPLE_PERMISSION, roles: ["support", "compliance", "kyc-reviewer", "auditor"] },
    { name: REVEAL_PERMISSION, roles: ["support", "compliance", "kyc-reviewer"] },
  );
  const people = new PeopleService({
    store: peopleStore(database.kysely),
    users: userStore(database.kysely),
    needs: needsOf(context),
  });
  return { routes: peopleRoutes({ people, audit, mayOperate }) };
}

function needsOf({ database, accounts, calls, market }: PartContext): PeopleNeeds {
  const identity = kycStore(database.kysely);
  const { findLevel } = vipStore(database.kysely);
  return {
    nameOf: accounts.nameOf,
    vipLevelOf: findLevel,
    worthUnits: (symbol, amountUnits) => {
      const asset = market.pairs.findAsset(symbol);
      return asset === undefined ? undefined : market.pairs.worthUnits(asset.asset, amountUnits);
    },
    identityOf: async (userId, timeMs) => {
      const [info, row] = await Promise.all([accounts.kyc.baseInfo(userId, timeMs), identity.find(userId)]);
      const submittedAtMs = row === undefined || row.submitted_at_ms === 0 ? null : row.submitted_at_ms;
      return { level: info.level, state: info.state, reason: info.reason, submittedAtMs, details: info.details };
    },
    securityOf: async (userId, timeMs) => {
      const [hasTotp, hasPasskeys, overview, withdrawalLocks] = await Promise.all([
        accounts.security.hasTotp(userId),
        accounts.hasPasskeys(userId),
        accounts.security.overview({ userId, sessionId: "" }, timeMs),
        accounts.security.listLocks(userId, timeMs),
      ]);
      const hasTradePassword = overview.done && overview.value.hasTradePassword;
      return { hasTotp, hasPasskeys, hasTradePassword, withdrawalLocks };
    },
    readAs: async (userId, { own, base }, input, { requestId, address }) => {
      const caller = { kind: "internal", name: "console", userId: String(userId) } as const;
      const route = `${BASES[base]}${own.path}`;
      const answered = await calls.call({ method: own.method, route, caller, requestId, address, ...input });
      return answered.refusal === undefined ? answered.envelope.data : undefined;
    },
  };
}
