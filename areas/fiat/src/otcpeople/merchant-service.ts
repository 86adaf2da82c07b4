// Merchants from the application to the exit. Every step is a compare-and-set on the merchant's row; the bond moves by
// ledger commands named by the row's version, so a repeated step moves nothing twice.

import type { ProposalKind } from "@clockwork/host/proposal";
import { formatUnits, units } from "@clockwork/kit/money";
import { done, type Result, refused } from "@clockwork/kit/result";
import { DAY_MS } from "@clockwork/kit/time";
import { type ApplyBody, AuditPayload, type Merchant, type MerchantCentre, type SettingsBody } from "./contract.ts";
import type { PeopleNeeds } from "./needs.ts";
import type { PeopleRefusal } from "./refusals.ts";
import { ACCOUNT_AGE_MS, BONDS, bondOf, EXIT_MS, REFILL_MS, SIMULATED_AUDIT_MS, USDT_SCALE } from "./rules.ts";
import type { MerchantRow, MoveRow, PeopleStore } from "./store.ts";

type Outcome = Promise<Result<MerchantRow, PeopleRefusal>>;

export class MerchantService {
  readonly #store: PeopleStore;
  readonly #needs: PeopleNeeds;

  constructor({ store, needs }: { readonly store: PeopleStore; readonly needs: PeopleNeeds }) {
    this.#store = store;
    this.#needs = needs;
  }

  async centre(userId: number): Promise<MerchantCentre> {
    const [row, standing, fundingUnits] = await Promise.all([
      this.#store.findMerchant(userId),
      this.#needs.standing(userId),
      this.#needs.fundingUnits(userId),
    ]);
    return {
      merchant: row === undefined ? null : this.describe(row),
      bonds: BONDS.map(({ level, bondUnits, adsMax, orderMaxUnits, identityLevel }) => ({
        level,
        adsMax,
        identityLevel,
        bondUsdt: usdt(bondUnits),
        orderMaxUsdt: usdt(orderMaxUnits),
      })),
      identityLevel: standing?.level ?? 0,
      hasSecondFactor: standing?.hasSecondFactor ?? false,
      hasAnyFactor: standing?.hasAnyFactor ?? false,
      accountDays: Math.floor((this.#needs.now() - (standing?.createdMs ?? this.#needs.now())) / DAY_MS),
      accountDaysMin: ACCOUNT_AGE_MS / DAY_MS,
      fundingUsdt: usdt(fundingUnits),
      hasSimulatedReviewer: this.#needs.hasSimulatedReviewer,
    };
  }

  async apply(userId: number, { level, name }: ApplyBody): Outcome {
    const wrong = await this.#refusalOf(userId, level);
    if (wrong !== undefined) return refused(wrong);
    const written = name.normalize("NFKC").trim();
    if (await this.#store.isNameTaken(written, userId)) return refused("MERCHANT_NAME_TAKEN");
    const nowMs = this.#needs.now();
    const old = await this.#store.findMerchant(userId);
    const started = {
      ...({ name: written, state: "APPLIED", level, bond_units: 0n, reason: "", is_simulated: false } as const),
      applied_ms: nowMs,
      changed_ms: nowMs,
      refill_by_ms: 0,
      exit_ms: 0,
    };
    if (old === undefined) {
      const hours = { opens_minute: 0, closes_minute: 0, reply: "" };
      if (!(await this.#store.addMerchant({ user_id: userId, version: 1, ...hours, ...started })))
        return refused("MERCHANT_STATE");
    } else if (old.state !== "EXITED" || (await this.#store.stepMerchant(old, started)) === undefined) {
      return refused("MERCHANT_STATE");
    }
    const row = await this.#store.findMerchant(userId);
    return row === undefined ? refused("MERCHANT_UNKNOWN") : this.#takeBond(row);
  }

  async #refusalOf(userId: number, level: number): Promise<PeopleRefusal | undefined> {
    const standing = await this.#needs.standing(userId);
    if (standing === undefined || standing.level < bondOf(level).identityLevel) return "IDENTITY_LEVEL";
    if (!standing.hasSecondFactor) return "SECOND_FACTOR_REQUIRED";
    return this.#needs.now() - standing.createdMs < ACCOUNT_AGE_MS ? "ACCOUNT_TOO_YOUNG" : undefined;
  }

  async #takeBond(row: MerchantRow): Outcome {
    if (row.state !== "APPLIED") return refused("MERCHANT_STATE");
    const { bondUnits } = bondOf(row.level);
    const response = await this.#needs.payBond(row.user_id, bondUnits, referenceOf("ob", row));
    if (response === "away") return refused("LEDGER_AWAY");
    const changed_ms = this.#needs.now();
    if (response !== "done") {
      await this.#store.stepMerchant(row, { state: "EXITED", reason: "bond", changed_ms });
      return refused("BOND_SHORT");
    }
    const stepped = await this.#store.stepWithMove(
      row,
      { state: "AUDIT", bond_units: bondUnits, changed_ms },
      wholeBond("fill", row, bondUnits, changed_ms),
    );
    if (stepped === undefined) return refused("MERCHANT_STATE");
    const body = `The bond of ${usdt(bondUnits)} USDT is paid; operators look at the application.`;
    await this.#notify(stepped, "merchant-applied", "Your merchant application has arrived", body);
    return done(stepped);
  }

  /** Amounts drawn from the bond are paid in again; two concurrent requests are the same payment. */
  async refill(userId: number): Outcome {
    const row = await this.#store.findMerchant(userId);
    if (row === undefined || (row.state !== "ACTIVE" && row.state !== "SUSPENDED")) return refused("MERCHANT_STATE");
    const missing = bondOf(row.level).bondUnits - row.bond_units;
    if (missing <= 0n) return refused("BOND_FULL");
    const paid = await this.#fill(row, missing);
    if (paid !== undefined) return refused(paid);
    const filled = await this.#store.findMerchant(userId);
    return filled === undefined ? refused("MERCHANT_UNKNOWN") : done(filled);
  }

  /**
   * A larger bond for more ads and larger orders. The difference is paid in first, under the version of the row; then
   * the level is raised. Stopped between the two, the bond is complete already and a repeat only raises the level.
   */
  async upgrade(userId: number, level: number): Outcome {
    const row = await this.#store.findMerchant(userId);
    if (row?.state !== "ACTIVE") return refused("MERCHANT_STATE");
    if (level <= row.level) return refused("LEVEL_NOT_HIGHER");
    const wrong = await this.#refusalOf(userId, level);
    if (wrong !== undefined) return refused(wrong);
    const missing = bondOf(level).bondUnits - row.bond_units;
    if (missing > 0n) {
      const paid = await this.#fill(row, missing);
      if (paid !== undefined) return refused(paid);
    }
    const whole = await this.#store.findMerchant(userId);
    if (whole?.state !== "ACTIVE" || whole.bond_units < bondOf(level).bondUnits) return refused("MERCHANT_STATE");
    const stepped = await this.#store.stepMerchant(whole, { level, changed_ms: this.#needs.now() });
    this.#needs.changed(userId);
    return stepped === undefined ? refused("MERCHANT_STATE") : done(stepped);
  }

  /** Pays into the bond by a reference of the row as it was read; the code where it could not. */
  async #fill(row: MerchantRow, missing: bigint): Promise<PeopleRefusal | undefined> {
    const { user_id } = row;
    const reference = referenceOf("of", row);
    await this.#move({ reference, user_id, to_user_id: user_id, amount_units: missing, kind: "fill" });
    const moved = await this.#store.findMove(reference);
    if (moved?.state === "PAID") return undefined;
    return moved?.state === "FAILED" ? "BOND_SHORT" : "LEDGER_AWAY";
  }

  async exit(userId: number): Outcome {
    const row = await this.#store.findMerchant(userId);
    if (row === undefined || (row.state !== "ACTIVE" && row.state !== "SUSPENDED")) return refused("MERCHANT_STATE");
    const last = await this.#needs.lastOrder(userId);
    if (last?.isOpen === true) return refused("MERCHANT_ORDERS_OPEN");
    const nowMs = this.#needs.now();
    const exit_ms = Math.max(nowMs, last === undefined ? nowMs : last.endedMs + EXIT_MS);
    const values = { state: "EXITING", exit_ms, changed_ms: nowMs, reason: "" } as const;
    const stepped = await this.#store.stepMerchant(row, values);
    if (stepped === undefined) return refused("MERCHANT_STATE");
    await this.#close(userId);
    const body = "Your ads are offline. The bond comes back when the time for complaints is over.";
    await this.#notify(stepped, "merchant-exiting", "You are leaving as an OTC merchant", body);
    return done(stepped);
  }

  async settings(userId: number, { opensMinute, closesMinute, reply }: SettingsBody): Outcome {
    const row = await this.#store.findMerchant(userId);
    if (row === undefined || row.state === "EXITED") return refused("MERCHANT_STATE");
    const values = { opens_minute: opensMinute, closes_minute: closesMinute, reply: reply.trim() };
    const stepped = await this.#store.stepMerchant(row, values);
    this.#needs.changed(userId);
    return stepped === undefined ? refused("MERCHANT_STATE") : done(stepped);
  }

  /** Two people approve or reinstate a merchant. */
  auditKind(): ProposalKind<typeof AuditPayload, never> {
    return {
      kind: "otc.merchant",
      permission: "otc.merchants",
      needsFreshProof: false,
      expiresAfterMs: 7 * DAY_MS,
      payload: AuditPayload,
      beneficiariesOf: ({ user }) => [Number(user)],
      describe: ({ user, name }) => `Let ${name} (user ${user}) trade as an OTC merchant`,
      execute: async ({ user }) => {
        const activated = await this.activate(Number(user));
        const row = await this.#store.findMerchant(Number(user));
        if (activated.done || row?.state === "ACTIVE") return { end: "done", outcome: "ACTIVE" };
        return { end: "refused", code: activated.code, message: "The merchant does not wait for this any more." };
      },
    };
  }

  async activate(userId: number): Outcome {
    const row = await this.#store.findMerchant(userId);
    if (row === undefined) return refused("MERCHANT_UNKNOWN");
    if (row.state !== "AUDIT" && row.state !== "SUSPENDED") return refused("MERCHANT_STATE");
    const values = { state: "ACTIVE", reason: "", changed_ms: this.#needs.now() } as const;
    const stepped = await this.#store.stepMerchant(row, values);
    if (stepped === undefined) return refused("MERCHANT_STATE");
    this.#needs.changed(userId);
    await this.#notify(stepped, "merchant-active", "You are an OTC merchant", "You can post ads now.");
    return done(stepped);
  }

  /** The bond is returned at the next turn. */
  async reject(userId: number, reason: string): Outcome {
    const row = await this.#store.findMerchant(userId);
    if (row === undefined) return refused("MERCHANT_UNKNOWN");
    if (row.state !== "AUDIT") return refused("MERCHANT_STATE");
    const nowMs = this.#needs.now();
    const values = { state: "EXITING", reason, exit_ms: nowMs, changed_ms: nowMs } as const;
    const stepped = await this.#store.stepMerchant(row, values);
    if (stepped === undefined) return refused("MERCHANT_STATE");
    await this.#notify(stepped, "merchant-rejected", "Your merchant application was declined", reason);
    return done(stepped);
  }

  /** A suspension needs one person only. */
  async suspend(userId: number, reason: string): Outcome {
    const row = await this.#store.findMerchant(userId);
    if (row === undefined) return refused("MERCHANT_UNKNOWN");
    if (row.state !== "ACTIVE") return refused("MERCHANT_STATE");
    const values = { state: "SUSPENDED", reason, changed_ms: this.#needs.now() } as const;
    const stepped = await this.#store.stepMerchant(row, values);
    if (stepped === undefined) return refused("MERCHANT_STATE");
    await this.#close(userId);
    await this.#notify(stepped, "merchant-suspended", "Your merchant account is suspended", reason);
    return done(stepped);
  }

  /** Compensation is stored first and paid at once or at the next turn. */
  draw(userId: number, toUserId: number, amountUnits: bigint, reference: string): Promise<void> {
    return this.#move({ reference, user_id: userId, to_user_id: toUserId, amount_units: amountUnits, kind: "draw" });
  }

  async #move(row: Omit<MoveRow, "state" | "created_ms">): Promise<void> {
    await this.#store.addMove({ ...row, state: "DUE", created_ms: this.#needs.now() });
    const kept = await this.#store.findMove(row.reference);
    if (kept?.state === "DUE") await this.#carryOut(kept);
  }

  async #carryOut(row: MoveRow): Promise<void> {
    const { kind, user_id, to_user_id, amount_units, reference } = row;
    const response =
      kind === "fill"
        ? await this.#needs.payBond(user_id, amount_units, reference)
        : await this.#needs.drawBond(user_id, to_user_id, amount_units, reference);
    if (response === "away") return;
    const refillByMs = kind === "draw" ? this.#needs.now() + REFILL_MS : 0;
    if (!(await this.#store.endMove(row, response === "done" ? "PAID" : "FAILED", refillByMs))) return;
    if (kind === "draw" && response === "done") {
      await this.#close(user_id);
      await this.#notifyDrawn(row);
    } else this.#needs.changed(user_id);
  }

  /** Both of them: the owner of the bond, and the compensated user. */
  async #notifyDrawn({ user_id, to_user_id, amount_units, reference }: MoveRow): Promise<void> {
    const drawn = `${usdt(amount_units)} USDT`;
    const refill = `${drawn} went to the other side of an order. Refill within 14 days; your ads rest until then.`;
    const own = { topic: "merchant-drawn", title: "Your bond was drawn on", body: refill };
    await this.#needs.notify(user_id, { ...own, reference: `drawn:${reference}`, path: "/otc/merchant" });
    const body = `${drawn} from the merchant's bond are in your funding account.`;
    const other = { topic: "otc-compensation", title: `Compensation of ${drawn}`, body };
    await this.#needs.notify(to_user_id, { ...other, reference: `compensated:${reference}`, path: "/otc/bills" });
  }

  /** Resumes what a stop left unfinished and applies what has become due; on one leader, every second. */
  async resume(): Promise<void> {
    const nowMs = this.#needs.now();
    for (const row of await this.#store.listDue()) await this.#carryOut(row);
    for (const row of await this.#store.listState("APPLIED")) await this.#takeBond(row);
    if (this.#needs.hasSimulatedReviewer) {
      for (const row of await this.#store.listState("AUDIT"))
        if (nowMs - row.changed_ms >= SIMULATED_AUDIT_MS) await this.activate(row.user_id);
    }
    for (const row of await this.#store.listUnfilled(nowMs))
      await this.suspend(row.user_id, "The bond was not refilled.");
    for (const row of await this.#store.listState("EXITING")) if (row.exit_ms <= nowMs) await this.#leave(row);
  }

  async #leave(row: MerchantRow): Promise<void> {
    const last = await this.#needs.lastOrder(row.user_id);
    if (last?.isOpen === true) return;
    // Orders after the request to leave count too; a declined application has none to wait for.
    const dueMs = row.reason === "" && last !== undefined ? last.endedMs + EXIT_MS : 0;
    if (dueMs > this.#needs.now()) {
      await this.#store.stepMerchant(row, { exit_ms: dueMs });
      return;
    }
    const { bond_units } = row;
    const response =
      bond_units === 0n ? "done" : await this.#needs.returnBond(row.user_id, bond_units, referenceOf("ox", row));
    if (response !== "done") return;
    const changed_ms = this.#needs.now();
    const values = { state: "EXITED", bond_units: 0n, changed_ms } as const;
    const left =
      bond_units === 0n
        ? await this.#store.stepMerchant(row, values)
        : await this.#store.stepWithMove(row, values, wholeBond("draw", row, bond_units, changed_ms));
    this.#needs.changed(row.user_id);
    if (left === undefined) return;
    const body = `${usdt(bond_units)} USDT of your bond are in your funding account again.`;
    await this.#notify(left, "merchant-exited", "You have left as an OTC merchant", body);
  }

  async #close(userId: number): Promise<void> {
    await this.#needs.closeAds(userId);
    this.#needs.changed(userId);
  }

  #notify(row: MerchantRow, topic: string, title: string, body: string): Promise<void> {
    const reference = `${topic}:${row.user_id}:${row.version}`;
    return this.#needs.notify(row.user_id, { topic, title, body, reference, path: "/otc/merchant" });
  }

  describe(row: MerchantRow): Merchant {
    return {
      user: String(row.user_id),
      name: row.name,
      state: row.state,
      level: row.level,
      reply: row.reply,
      reason: row.reason,
      bondUsdt: usdt(row.bond_units),
      bondDueUsdt: usdt(bondOf(row.level).bondUnits),
      opensMinute: row.opens_minute,
      closesMinute: row.closes_minute,
      isSimulated: row.is_simulated,
      appliedAtMs: row.applied_ms,
      changedAtMs: row.changed_ms,
      refillByMs: row.refill_by_ms,
      exitAtMs: row.exit_ms,
    };
  }
}

const usdt = (amountUnits: bigint): string => formatUnits(units(amountUnits), USDT_SCALE);

/** A bond paid in at the start or returned at the end: a move from and to oneself that is completed already. */
function wholeBond(kind: MoveRow["kind"], row: MerchantRow, amountUnits: bigint, timeMs: number): MoveRow {
  const reference = referenceOf(kind === "fill" ? "ob" : "ox", row);
  const own = { user_id: row.user_id, to_user_id: row.user_id, amount_units: amountUnits };
  return { reference, ...own, kind, state: "PAID", created_ms: timeMs };
}

const referenceOf = (what: string, { user_id, version }: MerchantRow): string => `${what}:${user_id}:${version}`;
