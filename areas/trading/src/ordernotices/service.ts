// Notifies of ended orders: open pages at once, and by letter, mail or push users who enabled it, also while offline.
// Once, whichever comes first.
import type { NoticeService } from "@clockwork/messaging/notices/service";
import { describeEnding, type EndedOrder, FILLS, ORDER_ENDED } from "./rules.ts";

const USERS_PAGE = 200;
const ORDERS_MAX = 200;
/** Scanned with an overlap, since the tables may lag; notices are deduplicated. */
const OVERLAP_MS = 2 * 60_000;
/** After a start: covers the downtime of the process. */
const FIRST_MS = 60 * 60_000;

interface OrderNoticeParts {
  readonly notices: Pick<NoticeService, "listKeepers" | "notify">;
  listEnded(userId: number, sinceMs: number, limit: number): Promise<readonly EndedOrder[]>;
}

export class OrderNoticeService {
  readonly #notices: OrderNoticeParts["notices"];
  readonly #listEnded: OrderNoticeParts["listEnded"];
  #sweptMs: number | undefined;

  constructor({ notices, listEnded }: OrderNoticeParts) {
    this.#notices = notices;
    this.#listEnded = listEnded;
  }

  /** An order of a user with an open page has just ended. */
  async notify(userId: number, order: EndedOrder): Promise<void> {
    const notice = order.isInstant ? undefined : describeEnding(order);
    if (notice !== undefined) await this.#notices.notify(userId, notice, order.endedAtMs);
  }

  /** For all users who enabled letters. */
  async sweep(timeMs: number): Promise<void> {
    const sinceMs = Math.max(timeMs - FIRST_MS, (this.#sweptMs ?? 0) - OVERLAP_MS);
    for (const userId of await this.#listKeepers()) {
      for (const order of await this.#listEnded(userId, sinceMs, ORDERS_MAX)) {
        const notice = describeEnding(order);
        if (notice !== undefined) await this.#notices.notify(userId, notice, order.endedAtMs);
      }
    }
    this.#sweptMs = timeMs;
  }

  async #listKeepers(): Promise<ReadonlySet<number>> {
    const users = new Set<number>();
    for (const { kind } of [FILLS, ORDER_ENDED]) {
      for (let after = 0; ; ) {
        const page = await this.#notices.listKeepers(kind, after, USERS_PAGE);
        for (const userId of page) users.add(userId);
        if (page.length < USERS_PAGE) break;
        after = page.at(-1) ?? after;
      }
    }
    return users;
  }
}
