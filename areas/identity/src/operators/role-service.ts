// Permissions in the console. Every permission requires a bound authenticator and a proof in this session. Rights
// change under one lock, together with their log row; granting one takes two people (`grant-service.ts`).
import type { GuardCode } from "@clockwork/host/refusal";
import { cutPage } from "@clockwork/kit/pages/page";
import { done, type Result, refused } from "@clockwork/kit/result";
import type { Kysely } from "kysely";
import type { AuditPage, Me, OperatorList } from "./contract.ts";
import type { RoleNeeds } from "./needs.ts";
import type { RoleRefusal } from "./refusals.ts";
import { CONSOLE_MS, createPermissions, foldName, isRole, type OperatorRole, type Permissions } from "./rules.ts";
import type { AuditEntry, OperatorService } from "./service.ts";
import { type AuditFilter, type OperatorStore, operatorStore } from "./store.ts";

/** Rights are unchanged while it is held; everything done with `inside` is one transaction. */
export interface Rights {
  readonly inside: Kysely<unknown>;
  holds(userId: number, permission: string): Promise<boolean>;
  record(entry: AuditEntry, timeMs: number): Promise<void>;
}

export interface Operator {
  readonly userId: number;
  readonly sessionId: string;
  readonly address: string;
}

const PAGE = 50;
/** In the log, what no operator did: an expiry, the simulated reviewer. */
const SYSTEM = 0;

export class RoleService {
  readonly permissions: Permissions = createPermissions();
  readonly #store: OperatorStore;
  readonly #needs: RoleNeeds;
  readonly #audit: OperatorService;

  constructor(parts: { readonly store: OperatorStore; readonly needs: RoleNeeds; readonly audit: OperatorService }) {
    this.#store = parts.store;
    this.#needs = parts.needs;
    this.#audit = parts.audit;
  }

  /**
   * May this operator, in this session, now? Checked before every action and every read; `fresh` requires a recent
   * proof, `read` admits auditors too.
   */
  async permit(
    operator: Operator,
    permission: string,
    timeMs: number,
    proof: "console" | "fresh" | "read" = "console",
  ): Promise<Result<null, GuardCode>> {
    const { userId, sessionId } = operator;
    const roles = await this.#rolesOf(userId);
    const held = proof === "read" ? this.permissions.readableBy(roles) : this.permissions.of(roles);
    if (!held.includes(permission)) return refused("FORBIDDEN");
    if (!(await this.#needs.hasTotp(userId))) return refused("OPERATOR_TOTP_REQUIRED");
    const withinMs = proof === "fresh" ? undefined : CONSOLE_MS;
    const isProved = await this.#needs.isVerified(sessionId, withinMs, timeMs);
    return isProved ? done(null) : refused("STEP_UP_REQUIRED");
  }

  /** FORBIDDEN for non-operators: for them the console does not exist. */
  async me({ userId, sessionId }: Operator, timeMs: number): Promise<Result<Me, "FORBIDDEN">> {
    const roles = await this.#rolesOf(userId);
    if (roles.length === 0) return refused("FORBIDDEN");
    const [hasTotp, isProved] = await Promise.all([
      this.#needs.hasTotp(userId),
      this.#needs.isVerified(sessionId, CONSOLE_MS, timeMs),
    ]);
    const [name, provedAtMs] = await Promise.all([this.#needs.nameOf(userId), this.#needs.provedAt(sessionId)]);
    const permissions = [...this.permissions.of(roles)];
    const readable = [...this.permissions.readableBy(roles)];
    return done({
      readable,
      user: String(userId),
      name,
      roles: [...roles],
      permissions,
      hasTotp,
      isProved,
      provedAtMs,
    });
  }

  /** Waits for every other change of rights, then runs alone. */
  withRights<Value>(work: (rights: Rights) => Promise<Value>): Promise<Value> {
    return this.#store.transact(async (inside) => {
      const own = operatorStore(inside);
      await own.take("rights");
      return work({
        inside,
        holds: async (userId, permission) =>
          this.permissions.of((await own.rolesOf(userId)).filter(isRole)).includes(permission),
        record: (entry, timeMs) => this.#audit.recordWithin(inside, entry, timeMs),
      });
    });
  }

  /**
   * An installation with administrators from before founders were stored makes none for the addresses configured now.
   */
  adopt(emails: readonly string[], timeMs: number): Promise<void> {
    return this.withRights(async ({ inside }) => {
      const own = operatorStore(inside);
      if ((await own.hasFounders()) || !(await own.wasEverGranted("admin"))) return;
      for (const email of emails) await own.addFounder(email, null, timeMs);
    });
  }

  isFounder(email: string): Promise<boolean> {
    return this.#store.isFounder(email);
  }

  /**
   * Makes an administrator of a configured address, only once. An existing account becomes one only where there has
   * never been any; no account is promoted because others have left.
   */
  found(email: string, account: FounderAccount | undefined, timeMs: number): Promise<boolean> {
    return this.withRights(async ({ inside, record }) => {
      const own = operatorStore(inside);
      if (await own.isFounder(email)) return false;
      await own.addFounder(email, account?.userId ?? null, timeMs);
      if (account === undefined) return false;
      const { userId, isNew } = account;
      if (!isNew && (await own.wasEverGranted("admin"))) return false;
      await own.grant({ user_id: userId, role: "admin", granted_by: userId, granted_at_ms: timeMs });
      const entry = { operatorId: userId, subject: String(userId), address: "" };
      await record({ ...entry, action: "operator.granted", detail: "admin" }, timeMs);
      return true;
    });
  }

  async list(operator: Operator, timeMs: number): Promise<Result<OperatorList, GuardCode>> {
    const permitted = await this.permit(operator, "operators.manage", timeMs, "read");
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

  /** The account a role is to be given to, for operators who may grant roles now. */
  async findGrantee(operator: Operator, name: string, timeMs: number): Promise<Result<number, RoleRefusal>> {
    const permitted = await this.#permitChange(operator, timeMs);
    if (!permitted.done) return permitted;
    const account = await this.#needs.findAccount(name);
    return account === undefined ? refused("ACCOUNT_UNKNOWN") : done(account.userId);
  }

  async revoke(
    operator: Operator,
    userId: number,
    role: OperatorRole,
    timeMs: number,
  ): Promise<Result<null, RoleRefusal>> {
    const permitted = await this.#permitChange(operator, timeMs);
    if (!permitted.done) return permitted;
    const revoked = await this.withRights((rights) => this.#revoke(rights, operator, userId, role, timeMs));
    if (!revoked.done) return revoked;
    if (revoked.value.isOut) await this.#needs.endSessions(userId);
    return done(null);
  }

  async #revoke(
    { inside, holds, record }: Rights,
    operator: Operator,
    userId: number,
    role: OperatorRole,
    timeMs: number,
  ): Promise<Result<{ readonly isOut: boolean }, RoleRefusal>> {
    const own = operatorStore(inside);
    // This administrator's own role may have been removed during the wait.
    if (!(await holds(operator.userId, "operators.manage"))) return refused("FORBIDDEN");
    const held = await own.rolesOf(userId);
    if (!held.includes(role)) return done({ isOut: false });
    // No one could grant access again.
    if (role === "admin" && (await own.countRole("admin")) <= 1) return refused("LAST_ADMIN");
    await own.revoke(userId, role);
    const entry = { operatorId: operator.userId, subject: String(userId), address: operator.address };
    await record({ ...entry, action: "operator.revoked", detail: role }, timeMs);
    const isOut = held.length === 1;
    if (isOut) await this.#needs.setOperator(userId, false, inside);
    return done({ isOut });
  }

  /** A name is one operator's for ever: the log of what they did keeps its meaning. */
  async rename(operator: Operator, userId: number, name: string, timeMs: number): Promise<Result<null, RoleRefusal>> {
    const permitted = await this.#permitChange(operator, timeMs);
    if (!permitted.done) return permitted;
    const folded = foldName(name);
    return this.withRights(async ({ inside, holds, record }) => {
      const own = operatorStore(inside);
      if (!(await holds(operator.userId, "operators.manage"))) return refused("FORBIDDEN");
      if ((await own.rolesOf(userId)).length === 0) return refused("ACCOUNT_UNKNOWN");
      if (((await own.findNamed(folded)) ?? userId) !== userId) return refused("NAME_TAKEN");
      await own.saveName({ user_id: userId, name, folded, named_by: operator.userId, named_at_ms: timeMs });
      const entry = { operatorId: operator.userId, subject: String(userId), address: operator.address };
      await record({ ...entry, action: "operator.named", detail: name }, timeMs);
      return done(null);
    });
  }

  async readAudit(operator: Operator, filter: AuditFilter, timeMs: number): Promise<Result<AuditPage, GuardCode>> {
    const permitted = await this.permit(operator, "audit.read", timeMs);
    if (!permitted.done) return permitted;
    const rows = await this.#store.listNewest(filter, PAGE + 1);
    const { shown, end } = cutPage(rows, PAGE);
    const names = new Map<number, string>();
    for (const { operator_id } of shown) {
      if (!names.has(operator_id)) names.set(operator_id, await this.#nameInLog(operator_id));
    }
    return done({
      rows: shown.map((row) => ({
        id: row.id,
        operator: String(row.operator_id),
        operatorName: names.get(row.operator_id) ?? String(row.operator_id),
        action: row.action,
        subject: row.subject,
        detail: row.detail,
        address: row.address,
        atMs: row.at_ms,
      })),
      nextBefore: end?.id ?? null,
      tamperedAt: filter.before === undefined ? ((await this.#audit.findTampered()) ?? null) : null,
    });
  }

  #nameInLog(operatorId: number): Promise<string> {
    return operatorId === SYSTEM ? Promise.resolve("System") : this.#needs.nameOf(operatorId);
  }

  /** A change of roles is a change of security: its proof is minutes old, not hours. */
  #permitChange(operator: Operator, timeMs: number): Promise<Result<null, GuardCode>> {
    return this.permit(operator, "operators.manage", timeMs, "fresh");
  }

  async #rolesOf(userId: number): Promise<readonly OperatorRole[]> {
    return (await this.#store.rolesOf(userId)).filter(isRole);
  }
}

export interface FounderAccount {
  readonly userId: number;
  /** Just created for this address. */
  readonly isNew: boolean;
}
