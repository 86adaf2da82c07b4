// Who may do what in the console. Every permission asks for a bound authenticator and a proof in this session; roles are
// given and taken by administrators with a fresh proof, and each such action is written down first.
import { done, type Result, refused } from "@clockwork/kit/result";
import type { AuditPage, Me, OperatorList } from "./api.ts";
import type { RoleNeeds } from "./needs.ts";
import { CONSOLE_MS, isRole, type OperatorRole, type Permission, permissionsOf } from "./rules.ts";
import type { OperatorService } from "./service.ts";
import type { OperatorStore } from "./store.ts";

export type PermitRefusal = "FORBIDDEN" | "OPERATOR_TOTP_REQUIRED" | "STEP_UP_REQUIRED";
export type RoleRefusal = PermitRefusal | "ACCOUNT_UNKNOWN" | "LAST_ADMIN";

export interface Operator {
  readonly userId: number;
  readonly sessionId: string;
  readonly address: string;
}

const PAGE = 50;

export class RoleService {
  readonly #store: OperatorStore;
  readonly #needs: RoleNeeds;
  readonly #audit: OperatorService;

  constructor(parts: { readonly store: OperatorStore; readonly needs: RoleNeeds; readonly audit: OperatorService }) {
    this.#store = parts.store;
    this.#needs = parts.needs;
    this.#audit = parts.audit;
  }

  /** May this operator, in this session, now? Asked before every action and every look. */
  async permit(operator: Operator, permission: Permission, timeMs: number): Promise<Result<null, PermitRefusal>> {
    const { userId, sessionId } = operator;
    const roles = await this.#rolesOf(userId);
    if (!permissionsOf(roles).includes(permission)) return refused("FORBIDDEN");
    if (!(await this.#needs.hasTotp(userId))) return refused("OPERATOR_TOTP_REQUIRED");
    const isProved = await this.#needs.isVerified(sessionId, CONSOLE_MS, timeMs);
    return isProved ? done(null) : refused("STEP_UP_REQUIRED");
  }

  /** Nothing for whoever is no operator: the console does not exist for them. */
  async me({ userId, sessionId }: Operator, timeMs: number): Promise<Result<Me, "FORBIDDEN">> {
    const roles = await this.#rolesOf(userId);
    if (roles.length === 0) return refused("FORBIDDEN");
    const [hasTotp, isProved] = await Promise.all([
      this.#needs.hasTotp(userId),
      this.#needs.isVerified(sessionId, CONSOLE_MS, timeMs),
    ]);
    return done({ roles: [...roles], permissions: [...permissionsOf(roles)], hasTotp, isProved });
  }

  /** The very first administrator, and that of a house older than roles; nothing once there is one. */
  async ensureAdmin(userId: number, timeMs: number): Promise<void> {
    if ((await this.#store.countRole("admin")) > 0) return;
    await this.#audit.record({ ...byHouse(userId), action: "operator.granted", detail: "admin" }, timeMs);
    await this.#store.grant({ user_id: userId, role: "admin", granted_by: userId, granted_at_ms: timeMs });
  }

  async list(operator: Operator, timeMs: number): Promise<Result<OperatorList, PermitRefusal>> {
    const permitted = await this.permit(operator, "operators.manage", timeMs);
    if (!permitted.done) return permitted;
    const rows = await this.#store.listRoles();
    const users = [...new Set(rows.map(({ user_id }) => user_id))];
    const operators = await Promise.all(
      users.map(async (userId) => ({
        user: String(userId),
        name: await this.#needs.nameOf(userId),
        hasTotp: await this.#needs.hasTotp(userId),
        roles: rows
          .filter(({ user_id }) => user_id === userId)
          .map(({ role }) => role)
          .filter(isRole),
      })),
    );
    return done({ operators });
  }

  async grant(
    operator: Operator,
    name: string,
    role: OperatorRole,
    timeMs: number,
  ): Promise<Result<null, RoleRefusal>> {
    const permitted = await this.#permitChange(operator, timeMs);
    if (!permitted.done) return permitted;
    const account = await this.#needs.findAccount(name);
    if (account === undefined) return refused("ACCOUNT_UNKNOWN");
    await this.#record(operator, "operator.granted", account.userId, role, timeMs);
    await this.#needs.setOperator(account.userId, true);
    await this.#store.grant({
      user_id: account.userId,
      role,
      granted_by: operator.userId,
      granted_at_ms: timeMs,
    });
    return done(null);
  }

  async revoke(
    operator: Operator,
    userId: number,
    role: OperatorRole,
    timeMs: number,
  ): Promise<Result<null, RoleRefusal>> {
    const permitted = await this.#permitChange(operator, timeMs);
    if (!permitted.done) return permitted;
    // Nobody could let anybody in again.
    if (role === "admin" && (await this.#store.countRole("admin")) <= 1) return refused("LAST_ADMIN");
    await this.#record(operator, "operator.revoked", userId, role, timeMs);
    await this.#store.revoke(userId, role);
    if ((await this.#rolesOf(userId)).length === 0) {
      await this.#needs.setOperator(userId, false);
      await this.#needs.endSessions(userId);
    }
    return done(null);
  }

  async readAudit(
    operator: Operator,
    before: number | undefined,
    timeMs: number,
  ): Promise<Result<AuditPage, PermitRefusal>> {
    const permitted = await this.permit(operator, "audit.read", timeMs);
    if (!permitted.done) return permitted;
    const rows = await this.#store.listNewest(before, PAGE + 1);
    const shown = rows.slice(0, PAGE);
    return done({
      rows: shown.map((row) => ({
        id: row.id,
        operator: String(row.operator_id),
        action: row.action,
        subject: row.subject,
        detail: row.detail,
        address: row.address,
        atMs: row.at_ms,
      })),
      nextBefore: rows.length > PAGE ? (shown.at(-1)?.id ?? null) : null,
      tamperedAt: before === undefined ? ((await this.#audit.findTampered()) ?? null) : null,
    });
  }

  /** A change of roles is a change of security: its proof is minutes old, not hours. */
  async #permitChange(operator: Operator, timeMs: number): Promise<Result<null, PermitRefusal>> {
    const permitted = await this.permit(operator, "operators.manage", timeMs);
    if (!permitted.done) return permitted;
    const isFresh = await this.#needs.isVerified(operator.sessionId, undefined, timeMs);
    return isFresh ? done(null) : refused("STEP_UP_REQUIRED");
  }

  async #rolesOf(userId: number): Promise<readonly OperatorRole[]> {
    return (await this.#store.rolesOf(userId)).filter(isRole);
  }

  #record({ userId, address }: Operator, action: string, subject: number, detail: string, timeMs: number) {
    return this.#audit.record({ operatorId: userId, action, subject: String(subject), detail, address }, timeMs);
  }
}

function byHouse(userId: number) {
  return { operatorId: userId, subject: String(userId), address: "" };
}
