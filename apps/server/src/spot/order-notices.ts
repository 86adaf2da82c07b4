// Connects notices of spot orders with the account cache, the tables and the sockets. Holds no rule of its own.
import { NOTICES_CHANNEL } from "@clockwork/domains/notices/api";
import type { EndedOrder } from "@clockwork/domains/ordernotices/needs";
import { FILLS, ORDER_ENDED } from "@clockwork/domains/ordernotices/rules";
import { OrderNoticeService } from "@clockwork/domains/ordernotices/service";
import { orderNoticeStore } from "@clockwork/domains/ordernotices/store";
import { describeOrder } from "@clockwork/domains/spot/rules";
import { SPOT_MAIN } from "@clockwork/kit/books";
import { type Part, type PartContext, runs } from "../part.ts";
import { orderView } from "../projectors/orders/order-view.ts";
import type { OrderRow } from "../projectors/rows.ts";
import { keepResuming } from "../resume-loop.ts";

const SWEEP_MS = 5_000;
const OPEN_STATES: ReadonlySet<string> = new Set(["NEW", "PARTIALLY_FILLED", "PENDING_TRIGGER", "TRIGGERED"]);

export function orderNoticesPart(context: PartContext): Part {
  const { accounts, ledger, database, engine, live, clock, log } = context;
  const { notices } = accounts;
  notices.register(FILLS);
  notices.register(ORDER_ENDED);
  const store = orderNoticeStore<OrderRow>(database.kysely);
  const service = new OrderNoticeService({
    needs: {
      listKeepers: (kind, after, limit) => notices.listKeepers(kind, after, limit),
      listEnded: async (userId, sinceMs, limit) => {
        const account = await ledger.accounts.find(userId, "spot");
        if (account === undefined) return [];
        const rows = await store.listEnded(account, sinceMs, limit);
        return rows.flatMap((row) => describeEnded(context, row) ?? []);
      },
      tell: (userId, notice, timeMs) => notices.tell(userId, notice, timeMs),
    },
  });
  const onFailure = (error: unknown): void => log.warn("order.notices.failed", { error });
  const watch = (): (() => void) =>
    engine.cache?.subscribe((changes) => {
      for (const change of changes) {
        const { owner } = change;
        if (owner.book !== "spot" || !live.isOpen({ channel: NOTICES_CHANNEL }, String(owner.userId))) continue;
        for (const row of change.of(orderView)?.orders ?? []) {
          const ended = OPEN_STATES.has(row.state) ? undefined : describeEnded(context, row);
          if (ended !== undefined) service.tell(owner.userId, ended).catch(onFailure);
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
  if (pair === undefined || row.kind !== "order") return undefined;
  const { orderId, pairCode, side, type, status, endReason, filledQuantity, averagePrice, updatedAtMs } = describeOrder(
    pair,
    row,
    SPOT_MAIN,
  );
  return {
    orderId,
    pairCode,
    side,
    type,
    status,
    endReason,
    filledQuantity,
    averagePrice,
    isInstant: row.created_sequence === row.updated_sequence,
    endedAtMs: updatedAtMs,
  };
}
