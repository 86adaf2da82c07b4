// Orders, fills and assets where a table has no room: one card each, the same facts in two lines.

import { IconButton } from "@clockwork/ui/button";
import { useProduct } from "#trade/product.ts";
import { isPlan, type TradeFill, type TradeOrder } from "#trade/trade-order.ts";
import { useTradeText } from "#trade/trade-text.ts";
import { describeStatus, describeTrigger, KindCell, SideText } from "./order-cells.tsx";
import type { RowActions } from "./orders-columns.tsx";
import { formatFee, shortTime, showNumber, type Zone } from "./orders-model.ts";
import { showOrder } from "./shown-order.ts";

export const CARD = "flex items-start gap-2 border-line border-b px-3 py-2 last:border-b-0";

interface OrderCardsProps {
  readonly orders: readonly TradeOrder[];
  readonly zone: Zone;
  readonly actions?: RowActions;
}

export function OrderCards({ orders, zone, actions }: OrderCardsProps) {
  const text = useTradeText();
  const { words } = useProduct();
  return (
    <ul>
      {orders.map((order) => (
        <li key={order.orderId} className={CARD}>
          <div className="min-w-0 flex-1">
            <div className="flex items-center gap-2">
              <button type="button" className="font-medium hover:underline" onClick={() => showOrder(order.orderId)}>
                {words.nameOf(order.pairCode)}
                <span className="sr-only">, {text("details", { id: order.orderId })}</span>
              </button>
              <SideText side={order.side} />
              <KindCell order={order} {...(actions === undefined ? {} : { all: actions.all })} />
              <span className="figures ml-auto text-muted">{shortTime(order.createdAtMs, zone)}</span>
            </div>
            <div className="figures mt-1 flex justify-between gap-2 text-muted">
              <span>
                {order.quantity === null
                  ? `${showNumber(order.filledQuantity)} ${words.assetsOf(order.pairCode).quantity}`
                  : `${showNumber(order.filledQuantity)} / ${showNumber(order.quantity)} ${words.assetsOf(order.pairCode).quantity}`}{" "}
                @{" "}
                <span className="font-medium text-text">
                  {order.price === null ? text("market") : showNumber(order.price)}
                </span>
              </span>
              <span>
                {actions === undefined
                  ? describeStatus(text, order)
                  : isPlan(order)
                    ? describeTrigger(text, order)
                    : ""}
              </span>
            </div>
            {actions?.amending.orderId === order.orderId && <AmendRow amending={actions.amending} />}
          </div>
          {actions?.canAmend(order) && actions.amending.orderId !== order.orderId && (
            <IconButton
              icon="edit"
              label={text("amend", { pair: words.nameOf(order.pairCode) })}
              size={32}
              onPress={() => actions.onAmend(order)}
            />
          )}
          {actions !== undefined && (
            <IconButton
              icon="close"
              label={text("cancel", { pair: words.nameOf(order.pairCode) })}
              size={32}
              isDisabled={actions.busyId === order.orderId}
              onPress={() => actions.onCancel(order)}
            />
          )}
        </li>
      ))}
    </ul>
  );
}

/** The fields of a change side by side, and below them why it was refused. */
function AmendRow({ amending }: { readonly amending: RowActions["amending"] }) {
  return (
    <div className="mt-2 flex flex-wrap items-center gap-2">
      {(["stopPrice", "callbackPercent", "price", "quantity"] as const).map((name) => {
        const field = amending.field(name);
        return field === undefined ? null : (
          <span key={name} className="w-24">
            {field}
          </span>
        );
      })}
      {amending.buttons()}
      {amending.problem !== undefined && (
        <span role="alert" className="basis-full text-danger">
          {amending.problem}
        </span>
      )}
    </div>
  );
}

export function FillCards({ fills, zone }: { readonly fills: readonly TradeFill[]; readonly zone: Zone }) {
  const text = useTradeText();
  const { words } = useProduct();
  return (
    <ul>
      {fills.map((fill) => (
        <li key={`${fill.pairCode}${fill.tradeId}${fill.orderId}`} className={CARD}>
          <div className="min-w-0 flex-1">
            <div className="flex items-center gap-2">
              <span className="font-medium">{words.nameOf(fill.pairCode)}</span>
              <SideText side={fill.side} />
              <span className="text-muted">{text(fill.role)}</span>
              <span className="figures ml-auto text-muted">{shortTime(fill.timeMs, zone)}</span>
            </div>
            <div className="figures mt-1 flex justify-between gap-2 text-muted">
              <span>
                {showNumber(fill.quantity)} @ <span className="font-medium text-text">{showNumber(fill.price)}</span>
              </span>
              <span>
                {text("col.fee")} {formatFee(text, fill)}
              </span>
            </div>
          </div>
        </li>
      ))}
    </ul>
  );
}
