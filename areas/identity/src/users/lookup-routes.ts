// REST of user lookup, for operators: by number, mail address, telephone number or invite code. Every lookup is logged
// with its reason before anything is returned.

import type { Audit } from "@clockwork/host/audit";
import { answer, type RouteSpec, refuseBy, serve } from "@clockwork/host/route";
import { readAccountName } from "@clockwork/kit/account";
import { USER_CALLS } from "./contract.ts";
import { LOOKUP_REFUSALS } from "./refusals.ts";
import type { AccountRow } from "./rules.ts";
import type { UserStore } from "./store.ts";

export interface LookupParts {
  readonly store: Pick<UserStore, "find" | "findByName" | "findInviter">;
  readonly audit: Audit;
  levelOf(userId: number, timeMs: number): Promise<number>;
  /** The worth of all wallets, in USDT. */
  worthOf(userId: number): Promise<string>;
}

async function findUser(store: LookupParts["store"], query: string): Promise<AccountRow | undefined> {
  const byNumber = /^\d{9,10}$/.test(query) ? await store.find(Number(query)) : undefined;
  if (byNumber !== undefined) return byNumber;
  const name = readAccountName(query);
  const byName = name === undefined ? undefined : await store.findByName(name);
  if (byName !== undefined) return byName;
  const inviter = await store.findInviter(query.toUpperCase());
  return inviter === undefined ? undefined : store.find(inviter);
}

export function lookupRoutes({ store, audit, levelOf, worthOf }: LookupParts): readonly RouteSpec[] {
  return [
    serve(USER_CALLS.find, {
      tag: "users",
      scope: { operator: "support.answer" },
      summary: "For operators: one user by number, mail, phone or invite code; the look is written down",
      handle: async ({ body: { query, reason } }, context) => {
        const row = await findUser(store, query.trim());
        await audit.record(context, "user.looked-up", row === undefined ? "nobody" : String(row.id), reason);
        if (row === undefined) return refuseBy(LOOKUP_REFUSALS, { code: "USER_UNKNOWN" });
        const { id, email, phone, nickname, country, role, status, created_at_ms: createdAtMs } = row;
        const [level, totalUsdt] = await Promise.all([levelOf(id, context.timeMs), worthOf(id)]);
        const invitedBy = row.invited_by === null ? null : String(row.invited_by);
        const facts = { email, phone, nickname, country, role, status, createdAtMs, level, totalUsdt, invitedBy };
        return answer({ id: String(id), ...facts });
      },
    }),
  ];
}
