// Connects notices of spot orders and of contracts' with the account cache, the tables and the sockets. Holds no rule
// of its own.

import { type Part, runs } from "@clockwork/host/part";
import { keepResuming } from "@clockwork/host/resume-loop";
import { averagePriceText, quantityText } from "@clockwork/kit/instrument";
import { NOTICES_CHANNEL } from "@clockwork/messaging/notices/contract";
import type { PartContext } from "../context.ts";
import { orderView } from "../projectors/orders/order-view.ts";
import type { OrderRow } from "../projectors/rows/rows.ts";
import { type EndedOrder, FILLS, firedAs, ORDER_ENDED } from "./rules.ts";
import { OrderNoticeService } from "./service.ts";
import { orderNoticeStore } from "./store.ts";

const SWEEP_MS = 5_000;
/** Books a user trades on directly; copies, bots and demo have notices of their own or none. */
const BOOKS: ReadonlySet<string> = new Set(["spot", "linear", "inverse"]);
const OPEN_STATES: ReadonlySet<string> = new Set(["NEW", "PARTIALLY_FILLED", "PENDING_TRIGGER", "TRIGGERED"]);

export function orderNoticesPart(context: PartContext): Part {
  const { accounts, ledger, database, engine, live, clock, log } = context;
  const { notices } = accounts;
  notices.register(FILLS);
  notices.register(ORDER_ENDED);
  const store = orderNoticeStore<OrderRow>(database.kysely);
  const service = new OrderNoticeService({
    notices,
    listEnded: async (userId, sinceMs, limit) => {
      const owned = (await ledger.accounts.list(userId)).filter(({ book }) => BOOKS.has(book));
      const rows = await Promise.all(owned.map(({ account }) => store.listEnded(account, sinceMs, limit)));
      return rows.flat().flatMap((row) => describeEnded(context, row) ?? []);
    },
  });
  const onFailure = (error: unknown): void => log.warn("order.notices.failed", { error });
  const watch = (): (() => void) =>
    engine.cache?.subscribe((changes) => {
      for (const change of changes) {
        const { owner } = change;
        if (!BOOKS.has(owner.book) || !live.isOpen({ channel: NOTICES_CHANNEL }, String(owner.userId))) continue;
        for (const row of change.of(orderView)?.orders ?? []) {
          const ended = OPEN_STATES.has(row.state) ? undefined : describeEnded(context, row);
          if (ended !== undefined) service.notify(owner.userId, ended).catch(onFailure);
        }
      }
    }) ?? (() => undefined);
  return runs(() => {
    const unwatch = watch();
    const stop = keepResuming({ clock, everyMs: SWEEP_MS, resume: () => service.sweep(clock.now()), onFailure });
    return async () => {
      unwatch();
      await stop();
    };
  });
}

function describeEnded({ market }: PartContext, row: OrderRow): EndedOrder | undefined {
  const pair = market.pairs.findMarket(row.market);
  // A plan is notified once it has become an order, or failed to.
  if (pair === undefined || (row.kind !== "order" && row.state !== "REJECTED")) return undefined;
  return {
    market: pair.biz === "futures" || pair.biz === "delivery" ? pair.biz : "spot",
    orderId: String(row.order_id),
    pairCode: pair.pairCode,
    side: row.side === "buy" ? "buy" : "sell",
    type: row.type,
    status: row.state,
    endReason: row.end_reason,
    fired: firedAs({
      type: row.type,
      side: row.side,
      listLeg: row.list_leg,
      reduceOnly: row.reduce_only,
      triggerDirection: row.trigger_direction,
    }),
    filledQuantity: quantityText(pair, row.filled_lots),
    averagePrice: averagePriceText(pair, row.filled_units, row.filled_lots),
    isInstant: row.created_sequence === row.updated_sequence,
    endedAtMs: row.updated_ms,
  };
}
