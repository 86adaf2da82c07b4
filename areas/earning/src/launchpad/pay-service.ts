// Wins that are paid for, given up or expired. The core alone decides whether a payment came first.
import { DAY_MS, MINUTE_MS } from "@clockwork/kit/time";
import type { BookEnd } from "./book-service.ts";
import type { LaunchParts } from "./draw-service.ts";
import type { OrderRow, ProjectRow, RoundRow } from "./store.ts";

/** The core's answers for a hold that is spent, expired or missing. */
const NO_HOLD: readonly BookEnd[] = ["UNKNOWN_HOLD", "HOLD_EXPIRED", "HOLD_EXCEEDED", "INVALID_AMOUNT"];

export class PayService {
  readonly #parts: LaunchParts;
  /** When an automatic payment was last refused. */
  readonly #debited = new Map<string, number>();

  constructor(parts: LaunchParts) {
    this.#parts = parts;
  }

  /** Debits users with auto-pay as soon as they have won; without enough money it is retried each minute to the end. */
  async debit(timeMs: number): Promise<void> {
    for (let after = ""; ; ) {
      const orders = await this.#parts.store.listAutoWon(timeMs, after);
      for (const order of orders) {
        if (timeMs - (this.#debited.get(order.order_id) ?? 0) < MINUTE_MS) continue;
        if ((await this.pay(order)) === "PAID") this.#debited.delete(order.order_id);
        else this.#debited.set(order.order_id, timeMs);
      }
      after = orders.at(-1)?.order_id ?? "";
      if (orders.length === 0) break;
    }
    for (const [orderId, triedMs] of this.#debited) if (timeMs - triedMs > DAY_MS) this.#debited.delete(orderId);
  }

  /** The buyer's money against the reserved coins; the core decides whether it was in time. */
  async pay(order: OrderRow): Promise<"PAID" | "later" | string> {
    const { store, book, flash } = this.#parts;
    const round = await store.findRound(order.round_id);
    const project = await store.findProject(order.project_id);
    if (round === undefined || project === undefined) return "later";
    if (project.state === "CANCELLED") return "ROUND_CLOSED";
    const end = await book.pay(order, round, project);
    // Just drawn, its coins are about to be reserved.
    if (end === "UNKNOWN_HOLD" && this.#parts.needs.now() < order.until_ms) return "later";
    if (end === "HOLD_EXCEEDED") return "ORDER_STATE";
    if (end === "HOLD_EXPIRED" || end === "UNKNOWN_HOLD") {
      await this.#step(order, "TIMEOUT");
      return "PAY_WINDOW_OVER";
    }
    if (end !== "done") return end;
    await store.stepOrder(order.order_id, "WON", "PAID");
    await flash.note({ ...order, state: "PAID" });
    return "PAID";
  }

  async #step(order: OrderRow, to: "TIMEOUT" | "CANCELLED"): Promise<boolean> {
    const isStepped = await this.#parts.store.stepOrder(order.order_id, "WON", to);
    if (isStepped) await this.#parts.flash.note({ ...order, state: to });
    return isStepped;
  }

  /** Payments out of time: the coins are released first, so that the check for a payment takes no money. */
  async expire(timeMs: number): Promise<void> {
    const { store, flash } = this.#parts;
    for (let after = ""; ; ) {
      const orders = await store.listState("WON", timeMs, after);
      for (const order of orders) {
        const round = await store.findRound(order.round_id);
        const project = await store.findProject(order.project_id);
        if (round === undefined || project === undefined) continue;
        const end = await this.giveUp(order, round, project);
        if (end === "gone") await this.#step(order, "TIMEOUT");
        else if (end === "paid") await flash.note({ ...order, state: "PAID" });
      }
      after = orders.at(-1)?.order_id ?? "";
      if (orders.length === 0) return;
    }
  }

  async cancel(order: OrderRow): Promise<"gone" | "paid" | "later"> {
    const { store } = this.#parts;
    const round = await store.findRound(order.round_id);
    const project = await store.findProject(order.project_id);
    if (round === undefined || project === undefined) return "later";
    const end = await this.giveUp(order, round, project);
    if (end === "gone") await this.#step(order, "CANCELLED");
    return end;
  }

  /** Ends a reservation; one whose payment came first remains paid. */
  async giveUp(order: OrderRow, round: RoundRow, project: ProjectRow): Promise<"gone" | "paid" | "later"> {
    const { store, book } = this.#parts;
    const released = await book.releaseOrder(order, round, project);
    if (released === "done") return "gone";
    if (!NO_HOLD.includes(released)) return "later";
    // Without its hold it can no longer be paid; under its own reference, a completed payment answers so.
    const end = await book.pay(order, round, project);
    if (end === "later") return "later";
    if (end !== "done") return "gone";
    await store.stepMany([order.order_id], order.state, "PAID");
    return "paid";
  }
}
