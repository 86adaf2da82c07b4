// The orders of a bot that rest in the book; one may be withdrawn.

import { formatPercent } from "@clockwork/kit/format";
import { type BotDetail, bizOf, GRID_CALLS, type OrderList } from "@clockwork/strategies/grid/contract";
import { Card } from "@clockwork/ui/card";
import { EmptyState } from "@clockwork/ui/state";
import { useEffect, useState } from "react";
import { Latest } from "#live/latest.ts";
import { useCalls } from "#session/auth-context.ts";
import { useGridText } from "./grid-text.ts";

export function Orders({ bot }: { readonly bot: BotDetail }) {
  const text = useGridText();
  const calls = useCalls();
  const [orders, setOrders] = useState<OrderList["orders"]>();
  const [failure, setFailure] = useState<string>();
  const [latest] = useState(() => new Latest());
  useEffect(() => {
    latest
      .ask(async () => (await calls()).call(GRID_CALLS[bizOf(bot.kind)].orders, { id: bot.id }))
      .then((answer) => {
        if (answer?.ok === true) setOrders(answer.data.orders);
      })
      .catch(() => undefined);
  }, [calls, latest, bot]);
  const cancel = async (orderId: string): Promise<void> => {
    const client = await calls();
    const answer = await client.call(GRID_CALLS[bizOf(bot.kind)].cancelOrder, { id: bot.id, orderId });
    if (answer.ok) {
      // A list requested before still contains it.
      latest.drop();
      setOrders((now) => now?.filter((order) => order.orderId !== orderId));
    }
    setFailure(answer.ok ? undefined : answer.message);
  };
  return (
    <Card title={text("detail.open")}>
      {orders === undefined ? (
        <div className="h-24" aria-busy="true" />
      ) : orders.length === 0 ? (
        <EmptyState text={text("detail.noOrders")} />
      ) : (
        <ul className="max-h-64 overflow-y-auto text-label">
          {orders.map(({ orderId, side, price, distance }) => (
            <li key={orderId} className="flex items-center justify-between gap-3 py-1">
              <span className={side === "buy" ? "text-up-text" : "text-down-text"}>
                {text(side === "buy" ? "side.buy" : "side.sell")}
              </span>
              <span className="figures">{price}</span>
              <span className="figures text-muted">{formatPercent(distance, { decimals: 2 })}</span>
              <button
                type="button"
                className="min-h-6 min-w-6 text-muted hover:text-text"
                aria-label={text("detail.cancel", { price })}
                onClick={() => void cancel(orderId)}
              >
                ✕
              </button>
            </li>
          ))}
        </ul>
      )}
      {failure !== undefined && (
        <p role="alert" className="text-danger text-label">
          {failure}
        </p>
      )}
      <p className="mt-2 text-label text-muted">{text("detail.cancelNote")}</p>
    </Card>
  );
}
