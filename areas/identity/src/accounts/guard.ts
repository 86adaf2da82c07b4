// Checks for slices that add ways to sign in, or move money out of an account.

import type { Clock } from "@clockwork/host/clock";
import type { Vault } from "@clockwork/host/vault";
import { type Result, refused } from "@clockwork/kit/result";
import type { Kysely } from "kysely";
import type { AccountGuard } from "../offers.ts";
import type { SecurityService } from "../security/service.ts";
import type { SessionService } from "../sessions/service.ts";
import { userStore } from "../users/store.ts";

interface GuardParts {
  readonly kysely: Kysely<unknown>;
  readonly clock: Clock;
  readonly vault: Vault;
  readonly sessions: SessionService;
  readonly security: SecurityService;
  readonly revocations: Set<(userId: number) => void>;
}

async function isActive(kysely: Kysely<unknown>, userId: number): Promise<boolean> {
  return (await userStore(kysely).find(userId))?.status === "active";
}

export function accountGuard({ kysely, clock, vault, sessions, security, revocations }: GuardParts): AccountGuard {
  return {
    seal: vault.seal,
    open: vault.open,
    change: sessions.change.bind(sessions),
    isVerified: (sessionId, timeMs) => sessions.isVerified(sessionId, timeMs),
    isActive: (userId) => isActive(kysely, userId),
    isHeld: async (userId) =>
      !(await isActive(kysely, userId)) || (await security.listLocks(userId, clock.now())).length > 0,
    versionOf: async ({ userId: text, session }) => {
      const userId = Number(text);
      // A key has no session: it ends with the freeze, and its request checks the freeze where it writes.
      return session === undefined
        ? sessions.versionOf(userId)
        : sessions.readSessionVersion({ userId, sessionId: session.id });
    },
    changeAt: async <Value, Code extends string>(
      userId: number,
      version: number | undefined,
      write: (inside: Kysely<unknown>) => Promise<Result<Value, Code>>,
    ): Promise<Result<Value, Code | "OVERTAKEN">> =>
      version === undefined
        ? refused("OVERTAKEN")
        : sessions.changeAt<Value, Code | "OVERTAKEN">(userId, version, async (inside) =>
            (await isActive(inside, userId)) ? write(inside) : refused("OVERTAKEN"),
          ),
    record: (userId, sessionId, kind, timeMs) => sessions.recordBy(userId, sessionId, kind, timeMs),
    onRevoked: (notify) => void revocations.add(notify),
  };
}
