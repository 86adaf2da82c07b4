// Orders, fills and assets where a table has no room: one card each, the same facts in two lines.
import type { Fill, SpotBalance, SpotOrder } from "@clockwork/domains/spot/api";
import { IconButton } from "@clockwork/ui/button";
import { CoinGlyph } from "@clockwork/ui/coin-glyph";
import { KindCell, SideText, sayStatus, sayTrigger } from "./order-cells.tsx";
import type { RowActions } from "./orders-columns.tsx";
import { baseOf, isPlan, pairText, shortTime, showNumber, type Zone } from "./orders-model.ts";
import { showOrder } from "./shown-order.ts";
import { useSpotText } from "../../features/spot/spot-text.ts";

const CARD = "flex items-start gap-2 border-line border-b px-3 py-2 last:border-b-0";

interface OrderCardsProps {
  readonly orders: readonly SpotOrder[];
  readonly zone: Zone;
  readonly actions?: RowActions;
}

export function OrderCards({ orders, zone, actions }: OrderCardsProps) {
  const text = useSpotText();
  return (
    <ul>
      {orders.map((order) => (
        <li key={order.orderId} className={CARD}>
          <div className="min-w-0 flex-1">
            <div className="flex items-center gap-2">
              <button type="button" className="font-medium hover:underline" onClick={() => showOrder(order.orderId)}>
                {pairText(order.pairCode)}
                <span className="sr-only">, {text("details", { id: order.orderId })}</span>
              </button>
              <SideText side={order.side} />
              <KindCell order={order} />
              <span className="figures ml-auto text-muted">{shortTime(order.createdAtMs, zone)}</span>
            </div>
            <div className="figures mt-1 flex justify-between gap-2 text-muted">
              <span>
                {order.quantity === null
                  ? `${showNumber(order.filledQuantity)} ${baseOf(order.pairCode)}`
                  : `${showNumber(order.filledQuantity)} / ${showNumber(order.quantity)} ${baseOf(order.pairCode)}`}{" "}
                @{" "}
                <span className="font-medium text-text">
                  {order.price === null ? text("market") : showNumber(order.price)}
                </span>
              </span>
              <span>
                {actions === undefined ? sayStatus(text, order) : isPlan(order) ? sayTrigger(text, order) : ""}
              </span>
            </div>
          </div>
          {actions !== undefined && (
            <IconButton
              icon="close"
              label={text("cancel", { pair: pairText(order.pairCode) })}
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

export function FillCards({ fills, zone }: { readonly fills: readonly Fill[]; readonly zone: Zone }) {
  const text = useSpotText();
  return (
    <ul>
      {fills.map((fill) => (
        <li key={`${fill.pairCode}${fill.tradeId}${fill.orderId}`} className={CARD}>
          <div className="min-w-0 flex-1">
            <div className="flex items-center gap-2">
              <span className="font-medium">{pairText(fill.pairCode)}</span>
              <SideText side={fill.side} />
              <span className="text-muted">{text(fill.role)}</span>
              <span className="figures ml-auto text-muted">{shortTime(fill.timeMs, zone)}</span>
            </div>
            <div className="figures mt-1 flex justify-between gap-2 text-muted">
              <span>
                {showNumber(fill.quantity)} @ <span className="font-medium text-text">{showNumber(fill.price)}</span>
              </span>
              <span>
                {text("col.fee")} {showNumber(fill.fee)} {fill.feeAsset}
              </span>
            </div>
          </div>
        </li>
      ))}
    </ul>
  );
}

export function AssetCards({ balances }: { readonly balances: readonly SpotBalance[] }) {
  const text = useSpotText();
  return (
    <ul>
      {balances.map((balance) => (
        <li key={balance.asset} className={`${CARD} items-center`}>
          <CoinGlyph code={balance.asset} size={24} />
          <div className="min-w-0 flex-1">
            <div className="font-medium">{balance.asset}</div>
            <div className="truncate text-muted">{balance.name}</div>
          </div>
          <div className="figures text-right">
            <div className="font-medium">{showNumber(balance.available)}</div>
            <div className="text-muted">
              {text("col.frozen")} {showNumber(balance.frozen)}
            </div>
          </div>
        </li>
      ))}
    </ul>
  );
}
