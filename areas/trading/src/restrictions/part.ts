// Connects restrictions with accounts of the core, sign-in, notices and the jobs. Contains no rule of its own.
import type { Part } from "@clockwork/host/part";
import type { PartContext } from "../context.ts";
import { RESTRICT_PERMISSION } from "./contract.ts";
import type { RestrictionNeeds } from "./needs.ts";
import { restrictionRoutes } from "./routes.ts";
import { RestrictionService } from "./service.ts";
import { restrictionStore } from "./store.ts";

const RESUME_MS = 60_000;
const NOTICE = "restrictions";

export function restrictionsPart(context: PartContext): Part {
  const { database, accounts, audit, permissions, jobs, clock, engine } = context;
  permissions.add({ name: RESTRICT_PERMISSION, roles: ["compliance"] });
  accounts.notices.register({
    kind: NOTICE,
    group: "account",
    defaults: ["live", "letter", "mail"],
    always: ["letter", "mail"],
    isSecurity: true,
  });
  const restrictions = new RestrictionService({ store: restrictionStore(database.kysely), needs: needsOf(context) });
  jobs.add({
    name: "restrictions.apply",
    schedule: { everyMs: RESUME_MS },
    missed: "latest",
    run: async () => {
      if (engine.isThere) await restrictions.resume(clock.now());
    },
  });
  const proposeLift = accounts.proposals.register(restrictions.liftKind());
  const proposeReset = accounts.proposals.register(restrictions.resetKind());
  return { routes: restrictionRoutes({ restrictions, audit, proposeLift, proposeReset }) };
}

function needsOf({ accounts, ledger, log }: PartContext): RestrictionNeeds {
  const { users, security, notices, kyc } = accounts;
  return {
    findUser: async (userId) => {
      const row = await users.find(userId);
      return row === undefined ? undefined : { role: row.role, isFrozen: row.status === "frozen" };
    },
    nameOf: accounts.nameOf,
    block: (userId, blocks, which) => ledger.accounts.block(userId, blocks, which),
    freeze: async (userId, timeMs) => {
      await security.freeze(undefined, userId, timeMs);
    },
    unfreeze: (userId, timeMs) => security.unfreeze(userId, timeMs),
    suspendWithdrawals: (userId) => security.suspend(userId),
    resumeWithdrawals: (userId) => security.resume(userId),
    endSessions: (userId) => security.endSessions(userId),
    identityLevelOf: (userId, timeMs) => kyc.levelOf(userId, timeMs),
    hasTotp: (userId) => security.hasTotp(userId),
    resetFactor: (userId, timeMs) => security.resetTotp(userId, timeMs),
    notify: async (userId, { title, body }, timeMs) => {
      await notices.notify(
        userId,
        { kind: NOTICE, reference: `${NOTICE}:${timeMs}`, title, body, path: "/help" },
        timeMs,
      );
    },
    report: (fact, fields) => log.warn(fact, fields),
  };
}
