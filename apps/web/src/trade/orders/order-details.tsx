// Everything about one order: the request, its result, why it ended, each fill with its fee. Loaded on demand.

import { formatDateTime } from "@clockwork/kit/time";
import { readTimezone } from "@clockwork/kit/timezone";
import { Dialog } from "@clockwork/ui/dialog";
import { SkeletonRows } from "@clockwork/ui/skeleton";
import { useEffect, useState } from "react";
import { useGlobal } from "#boot/state.ts";
import { joinFills } from "#live/feeds/own-feeds.ts";
import { useChannel } from "#live/react.ts";
import { useCalls } from "#session/auth-context.ts";
import { Line } from "#trade/order/line.tsx";
import { useProduct } from "#trade/product.ts";
import type { TradeFill, TradeOrder } from "#trade/trade-order.ts";
import { useTradeText } from "#trade/trade-text.ts";
import {
  describeEnding,
  describeLeg,
  describeOrderKind,
  describeStatus,
  describeTrigger,
  SideText,
} from "./order-cells.tsx";
import { filledPercent, formatFee, orderTotal, shortTime, showNumber, type Zone } from "./orders-model.ts";
import { useOwnFeeds } from "./use-own-feeds.ts";

interface Fetched {
  readonly order: TradeOrder | undefined;
  readonly fills: readonly TradeFill[];
}

/** Requested once, then followed by the streams while it is open. */
function useOrder(orderId: string): { readonly found: Fetched | undefined; readonly isAsked: boolean } {
  const calls = useCalls();
  const product = useProduct();
  const feeds = useOwnFeeds();
  const { open, ended } = useChannel(feeds.orders).value;
  const liveFills = useChannel(feeds.fills).value.filter((fill) => fill.orderId === orderId);
  const [fetched, setFetched] = useState<Fetched>();
  useEffect(() => {
    let gone = false;
    const ask = async () => {
      const request = await calls();
      const [order, fills] = await Promise.all([
        product.calls.find(request, orderId),
        product.calls.fills(request, { orderId, limit: 200 }),
      ]);
      if (!gone) setFetched({ order, fills: fills?.rows ?? [] });
    };
    void ask();
    return () => {
      gone = true;
    };
  }, [calls, product, orderId]);
  const live = ended.find((one) => one.orderId === orderId) ?? open.find((one) => one.orderId === orderId);
  const order = live ?? fetched?.order;
  return {
    isAsked: fetched !== undefined,
    found: order === undefined ? undefined : { order, fills: joinFills(fetched?.fills ?? [], liveFills) },
  };
}

export function OrderDetails({ orderId, onClose }: { readonly orderId: string; readonly onClose: () => void }) {
  const text = useTradeText();
  const zone = readTimezone(useGlobal((state) => state.timezone));
  const { words } = useProduct();
  const { found, isAsked } = useOrder(orderId);
  const order = found?.order;
  return (
    <Dialog
      title={text("detail.title", { id: orderId })}
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      size="medium"
      surface="terminal"
    >
      {order === undefined &&
        (isAsked ? <p className="text-muted">{text("detail.gone")}</p> : <SkeletonRows rows={5} />)}
      {order !== undefined && (
        <>
          <p className="flex items-center gap-2 font-semibold text-ui">
            {words.nameOf(order.pairCode)} <SideText side={order.side} /> {describeOrderKind(text, order)}
            <span className="ml-auto font-medium text-muted">{describeStatus(text, order)}</span>
          </p>
          <OrderFacts order={order} zone={zone} />
          <FillList fills={found?.fills ?? []} order={order} zone={zone} />
        </>
      )}
    </Dialog>
  );
}

function OrderFacts({ order, zone }: { readonly order: TradeOrder; readonly zone: Zone }) {
  const text = useTradeText();
  const ending = describeEnding(text, order);
  const assets = useProduct().words.assetsOf(order.pairCode);
  return (
    <dl className="text-label">
      <Line
        label={text("col.price")}
        value={order.price === null ? text("market") : `${showNumber(order.price)} ${assets.price}`}
      />
      {order.stopPrice !== null || order.callbackPercent !== null ? (
        <Line label={text("col.stop")} value={describeTrigger(text, order)} />
      ) : null}
      {order.takeProfitPrice !== null && (
        <Line label={text("takeProfit")} value={`${showNumber(order.takeProfitPrice)} ${assets.price}`} />
      )}
      {order.stopLossPrice !== null && (
        <Line label={text("stopLoss")} value={`${showNumber(order.stopLossPrice)} ${assets.price}`} />
      )}
      {order.quantity !== null && (
        <Line label={text("col.amount")} value={`${showNumber(order.quantity)} ${assets.quantity}`} />
      )}
      <Line label={text("col.total")} value={`${orderTotal(order)} ${assets.value}`} />
      <Line
        label={text("col.filled")}
        value={`${showNumber(order.filledQuantity)} ${assets.quantity} (${filledPercent(order)})`}
      />
      <Line label={text("col.average")} value={showNumber(order.averagePrice)} />
      <Line
        label={text("detail.time")}
        value={
          order.type === "market"
            ? text("validOnce")
            : order.postOnly
              ? `${order.timeInForce}, ${text("postOnly")}`
              : order.timeInForce
        }
      />
      {order.slice !== undefined && (
        <Line label={text("kind.slice")} value={text("detail.slice", { ...order.slice })} />
      )}
      {order.listLeg !== null && (
        <Line label={text("detail.list")} value={`${describeLeg(text, order)} · ${order.listId}`} />
      )}
      <Line label={text("detail.created")} value={formatDateTime(order.createdAtMs, zone)} />
      <Line label={text("detail.updated")} value={formatDateTime(order.updatedAtMs, zone)} />
      {order.clientOrderId !== null && <Line label={text("detail.clientId")} value={order.clientOrderId} />}
      {ending !== undefined && <Line label={text("detail.ended")} value={ending} />}
    </dl>
  );
}

function FillList({
  fills,
  order,
  zone,
}: {
  readonly fills: readonly TradeFill[];
  readonly order: TradeOrder;
  readonly zone: Zone;
}) {
  const text = useTradeText();
  if (fills.length === 0) return <p className="text-label text-muted">{text("detail.noFills")}</p>;
  return (
    <table className="figures w-full text-label">
      <caption className="pb-1 text-left font-semibold">{text("detail.fills")}</caption>
      <thead className="text-muted">
        <tr className="*:py-1 *:text-right *:font-normal [&>*:first-child]:text-left">
          <th scope="col">{text("col.time")}</th>
          <th scope="col">{text("col.price")}</th>
          <th scope="col">{text("col.amount")}</th>
          <th scope="col">{text("col.role")}</th>
          <th scope="col">{text("col.fee")}</th>
        </tr>
      </thead>
      <tbody>
        {fills.map((fill) => (
          <tr key={`${order.orderId}${fill.tradeId}`} className="*:py-1 *:text-right [&>*:first-child]:text-left">
            <td className="text-muted">{shortTime(fill.timeMs, zone)}</td>
            <td>{showNumber(fill.price)}</td>
            <td>{showNumber(fill.quantity)}</td>
            <td>{text(fill.role)}</td>
            <td>{formatFee(text, fill)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
