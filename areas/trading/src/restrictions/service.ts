// Restricts a user on the request of one operator and lifts it with two. The table says what is restricted; accounts of
// the core, sign-in and withdrawals follow it, also after a stop half-way and for accounts opened later.
import type { ProposalEnd, ProposalKind } from "@clockwork/host/proposal";
import { cutPage } from "@clockwork/kit/pages/page";
import { done, type Result, refused } from "@clockwork/kit/result";
import { DAY_MS } from "@clockwork/kit/time";
import { LiftPayload, RESTRICT_PERMISSION, ResetPayload, type RestrictionPart, type Restrictions } from "./contract.ts";
import type { RestrictionNeeds } from "./needs.ts";
import { REFUSALS, type RestrictionRefusal } from "./refusals.ts";
import type { RestrictionFilter, RestrictionStore } from "./store.ts";

const PAGE = 50;
const USERS_AT_ONCE = 200;
type Outcome<Value> = Promise<Result<Value, RestrictionRefusal>>;

const PART_WORDS: Readonly<Record<RestrictionPart, string>> = {
  signIn: "sign-in",
  trading: "trading",
  transfers: "transfers",
  withdrawals: "withdrawals",
};

export class RestrictionService {
  readonly #store: RestrictionStore;
  readonly #needs: RestrictionNeeds;
  /** One change at a time: a lifting under way never follows a later restriction. */
  #last: Promise<unknown> = Promise.resolve();

  constructor({ store, needs }: { readonly store: RestrictionStore; readonly needs: RestrictionNeeds }) {
    this.#store = store;
    this.#needs = needs;
  }

  async list(filter: RestrictionFilter): Promise<Restrictions> {
    const { shown, end } = cutPage(await this.#store.list(filter, PAGE + 1), PAGE);
    const restrictions: Restrictions["restrictions"] = [];
    for (const row of shown) {
      const { user_id, part, reason, set_by, set_ms: setAtMs, is_applied: isApplied } = row;
      const by = await this.#needs.nameOf(set_by);
      restrictions.push({ user: String(user_id), part, reason, by, setAtMs, isApplied });
    }
    return { restrictions, nextBefore: end?.set_ms ?? null };
  }

  /** Before the log is written. */
  async check(userId: number): Outcome<null> {
    const user = await this.#needs.findUser(userId);
    if (user === undefined) return refused("USER_UNKNOWN");
    return user.role === "operator" ? refused("USER_IS_OPERATOR") : done(null);
  }

  set(
    userId: number,
    parts: readonly RestrictionPart[],
    reason: string,
    operatorId: number,
    timeMs: number,
  ): Outcome<null> {
    return this.#alone(async () => {
      const checked = await this.check(userId);
      if (!checked.done) return checked;
      const own = { user_id: userId, reason, set_by: operatorId, set_ms: timeMs, is_applied: false };
      // Written first: what is enforced is always recorded, and a stop half-way is completed by `resume`.
      await this.#store.add(parts.map((part) => ({ ...own, part })));
      await this.#apply(userId, timeMs, "all");
      await this.#notify(userId, `Suspended for your account: ${wordsOf(parts)}. Contact support.`, timeMs);
      return done(null);
    });
  }

  /** Completes what a stop left half-way, and reaches accounts that were opened since. */
  resume(timeMs: number): Promise<void> {
    return this.#alone(async () => {
      for (let after = 0; ; ) {
        const users = await this.#store.listUsers(after, USERS_AT_ONCE);
        for (const userId of users) {
          await this.#apply(userId, timeMs, "different");
          after = userId;
        }
        if (users.length < USERS_AT_ONCE) return;
      }
    });
  }

  async #apply(userId: number, timeMs: number, which: "all" | "different"): Promise<void> {
    const parts = new Set((await this.#store.listOf(userId)).map(({ part }) => part));
    const user = await this.#needs.findUser(userId);
    if (user === undefined) return;
    // A new restriction freezes again: a release that its owner has under way is based on the state before.
    if (parts.has("signIn") && (which === "all" || !user.isFrozen)) await this.#needs.freeze(userId, timeMs);
    if (parts.has("withdrawals")) await this.#needs.suspendWithdrawals(userId);
    const blocks = { trading: parts.has("trading"), outgoing: parts.has("transfers") };
    if (await this.#needs.block(userId, blocks, which)) await this.#store.setApplied(userId);
    else this.#needs.report("restriction.pending", { userId });
  }

  /** What a lifting would lift: each part with the moment it was set. */
  async findSet(userId: number, parts: readonly RestrictionPart[]): Outcome<LiftPayload["parts"]> {
    const rows = await this.#store.listOf(userId);
    const found = parts.map((part) => rows.find((row) => row.part === part));
    if (found.some((row) => row === undefined)) return refused("NOT_RESTRICTED");
    return done(found.flatMap((row) => (row === undefined ? [] : [{ part: row.part, setMs: row.set_ms }])));
  }

  liftKind(): ProposalKind<typeof LiftPayload, never> {
    return {
      kind: "user.lift",
      permission: RESTRICT_PERMISSION,
      needsFreshProof: false,
      expiresAfterMs: DAY_MS,
      payload: LiftPayload,
      beneficiariesOf: ({ user }) => [Number(user)],
      describe: ({ user, parts, reason }) =>
        `Lift for user ${user}: ${wordsOf(parts.map(({ part }) => part))}. Reason: ${reason}`,
      execute: (payload, { timeMs }) => this.#alone(() => this.#lift(payload, timeMs)),
    };
  }

  async #lift({ user, parts }: LiftPayload, timeMs: number): Promise<ProposalEnd> {
    const userId = Number(user);
    const rows = await this.#store.listOf(userId);
    for (const { part, setMs } of parts) {
      const row = rows.find((one) => one.part === part);
      if (row !== undefined && row.set_ms !== setMs)
        return { end: "refused", code: "RESTRICTED_AGAIN", message: "It was restricted again. Make a new proposal." };
    }
    // Released first and removed last: a stop in between repeats what has no effect twice.
    for (const { part } of parts) {
      if (part === "withdrawals") await this.#needs.resumeWithdrawals(userId);
      if (part === "signIn" && !(await this.#needs.unfreeze(userId, timeMs))) return { end: "later" };
    }
    const left = new Set(rows.map(({ part }) => part).filter((part) => !parts.some((one) => one.part === part)));
    const blocks = { trading: left.has("trading"), outgoing: left.has("transfers") };
    if (!(await this.#needs.block(userId, blocks, "all"))) return { end: "later" };
    for (const { part, setMs } of parts) await this.#store.remove(userId, part, setMs);
    await this.#notify(userId, `Available again: ${wordsOf(parts.map(({ part }) => part))}.`, timeMs);
    return { end: "done", outcome: "lifted" };
  }

  async signOut(userId: number): Outcome<null> {
    if ((await this.#needs.findUser(userId)) === undefined) return refused("USER_UNKNOWN");
    await this.#needs.endSessions(userId);
    return done(null);
  }

  /** Only the person of a verified identity can be recognised without the factor. */
  async checkReset(userId: number, timeMs: number): Outcome<null> {
    const checked = await this.check(userId);
    if (!checked.done) return checked;
    if (!(await this.#needs.hasTotp(userId))) return refused("NO_SECOND_FACTOR");
    return (await this.#needs.identityLevelOf(userId, timeMs)) < 1 ? refused("IDENTITY_REQUIRED") : done(null);
  }

  resetKind(): ProposalKind<typeof ResetPayload, never> {
    return {
      kind: "user.reset-factor",
      permission: RESTRICT_PERMISSION,
      needsFreshProof: true,
      expiresAfterMs: DAY_MS,
      payload: ResetPayload,
      beneficiariesOf: ({ user }) => [Number(user)],
      describe: ({ user, reason }) =>
        `Remove the authenticator of user ${user}; withdrawals are locked for a day. Reason: ${reason}`,
      execute: async ({ user }, { timeMs }) => {
        const checked = await this.checkReset(Number(user), timeMs);
        // Removed before, by this proposal or by the user.
        if (!checked.done && checked.code === "NO_SECOND_FACTOR") return { end: "done", outcome: "removed" };
        if (!checked.done) return { end: "refused", code: checked.code, message: REFUSALS[checked.code][1] };
        await this.#needs.resetFactor(Number(user), timeMs);
        return { end: "done", outcome: "removed" };
      },
    };
  }

  async requestDocuments(userId: number, message: string, timeMs: number): Outcome<null> {
    const checked = await this.check(userId);
    if (!checked.done) return checked;
    await this.#notify(userId, message, timeMs, "Documents requested");
    return done(null);
  }

  #notify(userId: number, body: string, timeMs: number, title = "Your account"): Promise<void> {
    return this.#needs.notify(userId, { title, body }, timeMs);
  }

  #alone<Value>(work: () => Promise<Value>): Promise<Value> {
    const running = this.#last.then(work);
    this.#last = running.catch(() => undefined);
    return running;
  }
}

function wordsOf(parts: readonly RestrictionPart[]): string {
  return parts.map((part) => PART_WORDS[part]).join(", ");
}
