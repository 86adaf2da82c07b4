// The work of fee coupons: fees of fills are partly returned after the fill, which they never change. Each turn counts
// the fees since the last, stores the payment and pays it once by its own reference.
import type { MoneyEnd } from "../spring/needs.ts";
import { feeBack, SETTLING_MS } from "./rules.ts";
import type { FeeCouponRow } from "./store.ts";
import type { RewardParts } from "./task-service.ts";

export class FeeService {
  readonly #parts: RewardParts;

  constructor(parts: RewardParts) {
    this.#parts = parts;
  }

  /** The user has traded, or a payment to them is under way. */
  async run(userId: number, timeMs: number): Promise<void> {
    const rows = await this.#parts.store.listOpenFees(userId);
    for (const biz of ["spot", "futures"] as const) {
      // Only the one that ends first counts: a fee is never returned twice.
      const [row] = rows.filter((one) => one.biz === biz);
      if (row !== undefined) await this.#turn(row, timeMs);
    }
  }

  /**
   * Counts what these users paid before a time, which the tables must hold: their net fees of then are final
   * afterwards. Throws while the ledger does not answer; its refusals are reported and not awaited.
   */
  async settleBefore(userIds: readonly number[], timeMs: number): Promise<void> {
    for (const userId of await this.#parts.store.listWithFees(userIds)) {
      for (const biz of ["spot", "futures"] as const) while (await this.#settleNext(userId, biz, timeMs));
    }
  }

  /** False when there is nothing more to count. */
  async #settleNext(userId: number, biz: FeeCouponRow["biz"], timeMs: number): Promise<boolean> {
    const { store, needs } = this.#parts;
    const [row] = (await store.listOpenFees(userId)).filter((one) => one.biz === biz);
    if (row === undefined) return false;
    const after = await store.readFeeCursor(row);
    const untilMs = Math.min(timeMs, row.expires_ms);
    const isMore = (await needs.listFees(userId, biz, after, row.issued_ms, untilMs)).length > 0;
    if (!isMore && row.expires_ms > timeMs) return false;
    if (!isMore && row.pending_units === 0n) {
      // Over: the next one counts from here on.
      await store.endFees(row);
      return true;
    }
    const end = await this.#turn(row, timeMs);
    if (end === "later") throw new Error(`what the coupon ${row.coupon_id} pays back cannot be paid now`);
    return end === "done";
  }

  /** Those no trade would trigger. */
  async resume(timeMs: number): Promise<void> {
    for (const userId of await this.#parts.store.listFeeUsers(timeMs)) await this.run(userId, timeMs);
  }

  async #turn(row: FeeCouponRow, timeMs: number): Promise<MoneyEnd> {
    const { store, needs } = this.#parts;
    if (row.pending_units > 0n) return this.#pay(row, timeMs);
    const after = await store.readFeeCursor(row);
    const fees = await needs.listFees(row.user_id, row.biz, after, row.issued_ms, row.expires_ms);
    const last = fees.at(-1);
    if (last === undefined) {
      if (timeMs >= row.expires_ms + SETTLING_MS) await store.endFees(row);
      return "done";
    }
    const back = feeBack(row, fees);
    if (!(await store.intendFees(row, last.sequence, back)) || back.usdtUnits === 0n) return "done";
    const intended = await store.findFeeCoupon(row.coupon_id);
    return intended === undefined ? "done" : this.#pay(intended, timeMs);
  }

  async #pay(row: FeeCouponRow, timeMs: number): Promise<MoneyEnd> {
    const { store, needs } = this.#parts;
    if (row.pending_units === 0n) return "done";
    const end = await needs.payFees(row.user_id, row.pending_units, `fee:${row.coupon_id}:${row.turn}`);
    if (end !== "done") {
      if (end !== "later") needs.report("rewards.fees-not-paid", { coupon: row.coupon_id, code: end.code });
      return end;
    }
    await store.completeFees(row);
    needs.changed(row.user_id);
    if (row.paid_units + row.pending_units < row.face_units) return "done";
    const notice = { reference: `fee-used:${row.coupon_id}`, title: "Fee coupon used up", body: USED };
    await needs.notify(row.user_id, notice, timeMs);
    return "done";
  }
}

const USED = "The full value of your fee coupon has been paid.";
