// Tells of orders that are over: open pages at once, and by letter, mail or push whoever asked for it, also while he was
// away. Told once whichever comes first.
import type { EndedOrder, OrderNoticeNeeds } from "./needs.ts";
import { describeEnding, FILLS, ORDER_ENDED } from "./rules.ts";

const USERS_PAGE = 200;
const ORDERS_MAX = 200;
/** Looked at again and again, since the tables may lag; nobody is told twice. */
const OVERLAP_MS = 2 * 60_000;
/** After a start: what happened while the process was away. */
const FIRST_MS = 60 * 60_000;

export class OrderNoticeService {
  readonly #needs: OrderNoticeNeeds;
  #sweptMs: number | undefined;

  constructor({ needs }: { readonly needs: OrderNoticeNeeds }) {
    this.#needs = needs;
  }

  /** An order of somebody with a page open has just ended. */
  async notify(userId: number, order: EndedOrder): Promise<void> {
    const notice = order.isInstant ? undefined : describeEnding(order);
    if (notice !== undefined) await this.#needs.notify(userId, notice, order.endedAtMs);
  }

  /** For everybody who asked to be written to. */
  async sweep(timeMs: number): Promise<void> {
    const sinceMs = Math.max(timeMs - FIRST_MS, (this.#sweptMs ?? 0) - OVERLAP_MS);
    for (const userId of await this.#listKeepers()) {
      for (const order of await this.#needs.listEnded(userId, sinceMs, ORDERS_MAX)) {
        const notice = describeEnding(order);
        if (notice !== undefined) await this.#needs.notify(userId, notice, order.endedAtMs);
      }
    }
    this.#sweptMs = timeMs;
  }

  async #listKeepers(): Promise<ReadonlySet<number>> {
    const users = new Set<number>();
    for (const { kind } of [FILLS, ORDER_ENDED]) {
      for (let after = 0; ; ) {
        const page = await this.#needs.listKeepers(kind, after, USERS_PAGE);
        for (const userId of page) users.add(userId);
        if (page.length < USERS_PAGE) break;
        after = page.at(-1) ?? after;
      }
    }
    return users;
  }
}
