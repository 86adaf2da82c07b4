// The columns of the tables of orders, fills and assets: what each shows, how wide it is, what an export reads.

import { IconButton } from "@clockwork/ui/button";
import type { Column } from "@clockwork/ui/table";
import { SiteLink } from "#boot/site-link.tsx";
import type { TradeProduct } from "#trade/product.ts";
import type { TradeFill, TradeOrder } from "#trade/trade-order.ts";
import type { TradeText } from "#trade/trade-text.ts";
import { mostPlaces } from "./even-places.ts";
import { describeStatus, describeTrigger, KindCell, SideText } from "./order-cells.tsx";
import {
  exitsOf,
  filledPercent,
  formatFee,
  orderAmount,
  orderTotal,
  shortTime,
  showNumber,
  type Zone,
} from "./orders-model.ts";
import { showOrder } from "./shown-order.ts";
import type { AmendField, Amending } from "./use-amend.tsx";

export interface ColumnParts {
  readonly product: TradeProduct;
  readonly text: TradeText;
  readonly zone: Zone;
}

export interface RowActions {
  readonly onCancel: (order: TradeOrder) => void;
  readonly onAmend: (order: TradeOrder) => void;
  readonly canAmend: (order: TradeOrder) => boolean;
  readonly busyId: string | undefined;
  readonly amending: Amending;
  readonly all: readonly TradeOrder[];
}

type OrderColumn = Column<TradeOrder>;

function timeColumn({ text, zone }: ColumnParts): OrderColumn {
  return {
    id: "time",
    title: text("col.time"),
    kind: "time",
    width: "14.5%",
    className: "whitespace-nowrap",
    read: (order) => order.createdAtMs,
    render: (order) => (
      <button
        type="button"
        className="rounded-xs text-muted hover:text-text hover:underline"
        onClick={() => showOrder(order.orderId)}
      >
        {shortTime(order.createdAtMs, zone)}
        <span className="sr-only">, {text("details", { id: order.orderId })}</span>
      </button>
    ),
  };
}

function pairColumn({ text, product }: ColumnParts): OrderColumn {
  return {
    id: "pair",
    title: text("col.pair"),
    width: "9%",
    read: (order) => order.pairCode,
    render: (order) => (
      <SiteLink to={`${product.path}/${order.pairCode}`} className="rounded-xs font-medium hover:underline">
        {product.words.nameOf(order.pairCode)}
      </SiteLink>
    ),
  };
}

function kindColumns({ text }: ColumnParts, all?: readonly TradeOrder[]): readonly OrderColumn[] {
  return [
    {
      id: "type",
      title: text("col.type"),
      width: "14%",
      read: (order) => order.type,
      render: (order) => <KindCell order={order} {...(all === undefined ? {} : { all })} />,
    },
    {
      id: "side",
      title: text("col.side"),
      width: "5.5%",
      read: (order) => order.side,
      render: (order) => <SideText side={order.side} />,
    },
  ];
}

function priceColumn({ text }: ColumnParts): OrderColumn {
  return {
    id: "price",
    title: text("col.price"),
    kind: "number",
    width: "9.5%",
    read: (order) => order.price,
    render: (order) => (order.price === null ? text("market") : showNumber(order.price)),
  };
}

function amountColumn({ text, product }: ColumnParts): OrderColumn {
  return {
    id: "amount",
    title: text("col.amount"),
    kind: "number",
    width: "8.5%",
    read: (order) => order.quantity,
    render: (order) => orderAmount(order, product.words.assetsOf(order.pairCode).value),
  };
}

function filledColumn({ text }: ColumnParts): OrderColumn {
  return {
    id: "filled",
    title: text("col.filled"),
    kind: "number",
    width: "6.5%",
    read: (order) => filledPercent(order),
    render: (order) => filledPercent(order),
  };
}

function totalColumn({ text }: ColumnParts): OrderColumn {
  return {
    id: "total",
    title: text("col.total"),
    kind: "number",
    width: "10%",
    unsortable: true,
    render: (order) => orderTotal(order),
  };
}

function actionColumn({ text, product }: ColumnParts, actions: RowActions): OrderColumn {
  return {
    id: "actions",
    title: text("col.actions"),
    kind: "action",
    width: "7.5%",
    render: (order) =>
      order.orderId === actions.amending.orderId ? (
        actions.amending.buttons()
      ) : (
        <span className="inline-flex">
          {actions.canAmend(order) && (
            <IconButton
              icon="edit"
              label={text("amend", { pair: product.words.nameOf(order.pairCode) })}
              size={24}
              iconSize={14}
              onPress={() => actions.onAmend(order)}
            />
          )}
          <IconButton
            icon="close"
            label={text("cancel", { pair: product.words.nameOf(order.pairCode) })}
            size={24}
            iconSize={14}
            isDisabled={actions.busyId === order.orderId}
            onPress={() => actions.onCancel(order)}
          />
        </span>
      ),
  };
}

/** While an order is being changed its cell is a field. */
function amendable(column: OrderColumn, name: AmendField, { amending }: RowActions): OrderColumn {
  return {
    ...column,
    render: (order) =>
      (order.orderId === amending.orderId ? amending.field(name) : undefined) ?? column.render?.(order),
  };
}

interface TriggerCellProps {
  readonly text: TradeText;
  readonly order: TradeOrder;
  readonly amending: Amending;
}

/** What a plan waits for; while it is being changed its fields, and below them why a change was refused. */
function TriggerCell({ text, order, amending }: TriggerCellProps) {
  if (order.orderId !== amending.orderId) return describeTrigger(text, order);
  return (
    <span className="flex flex-col items-end gap-1">
      {amending.field("stopPrice")}
      {amending.field("callbackPercent")}
      {amending.problem !== undefined && (
        <span role="alert" className="whitespace-normal text-danger">
          {amending.problem}
        </span>
      )}
    </span>
  );
}

export function openColumns(parts: ColumnParts, actions: RowActions): readonly OrderColumn[] {
  const { amending } = actions;
  return [
    timeColumn(parts),
    pairColumn(parts),
    ...kindColumns(parts, actions.all),
    amendable(priceColumn(parts), "price", actions),
    amendable(amountColumn(parts), "quantity", actions),
    filledColumn(parts),
    totalColumn(parts),
    {
      id: "exits",
      title: parts.text("col.exits"),
      kind: "number",
      unsortable: true,
      className: "whitespace-nowrap",
      render: (order) =>
        order.orderId === amending.orderId && amending.problem !== undefined ? (
          <span role="alert" className="whitespace-normal text-danger">
            {amending.problem}
          </span>
        ) : (
          exitsOf(order, actions.all)
        ),
    },
    actionColumn(parts, actions),
  ];
}

export function planColumns(parts: ColumnParts, actions: RowActions): readonly OrderColumn[] {
  return [
    timeColumn(parts),
    pairColumn(parts),
    ...kindColumns(parts, actions.all),
    {
      id: "stop",
      title: parts.text("col.stop"),
      kind: "number",
      unsortable: true,
      render: (order) => <TriggerCell text={parts.text} order={order} amending={actions.amending} />,
    },
    amendable(priceColumn(parts), "price", actions),
    amendable(amountColumn(parts), "quantity", actions),
    filledColumn(parts),
    actionColumn(parts, actions),
  ];
}

export function historyColumns(parts: ColumnParts, orders: readonly TradeOrder[]): readonly OrderColumn[] {
  const { text } = parts;
  const places = mostPlaces(
    orders,
    ({ pairCode }) => pairCode,
    ({ averagePrice }) => averagePrice,
  );
  return [
    timeColumn(parts),
    pairColumn(parts),
    ...kindColumns(parts),
    priceColumn(parts),
    {
      id: "average",
      title: text("col.average"),
      kind: "number",
      width: "11%",
      read: (order) => order.averagePrice,
      render: (order) => showNumber(order.averagePrice, places(order)),
    },
    amountColumn(parts),
    filledColumn(parts),
    {
      id: "status",
      title: text("col.status"),
      kind: "number",
      read: (order) => order.status,
      render: (order) => describeStatus(text, order),
    },
  ];
}

export function fillColumns(
  { text, zone, product }: ColumnParts,
  fills: readonly TradeFill[],
): readonly Column<TradeFill>[] {
  const pairOf = ({ pairCode }: TradeFill) => pairCode;
  const places = {
    price: mostPlaces(fills, pairOf, ({ price }) => price),
    quantity: mostPlaces(fills, pairOf, ({ quantity }) => quantity),
    amount: mostPlaces(fills, pairOf, ({ amount }) => amount),
    fee: mostPlaces(
      fills,
      ({ feeAsset }) => feeAsset,
      ({ fee }) => fee,
    ),
  };
  const number = (id: "price" | "quantity" | "amount", title: string, width: string): Column<TradeFill> => ({
    id,
    title,
    kind: "number",
    width,
    read: (fill) => fill[id],
    render: (fill) => showNumber(fill[id], places[id](fill)),
  });
  return [
    {
      id: "time",
      title: text("col.time"),
      kind: "time",
      width: "124px",
      className: "whitespace-nowrap",
      read: (fill) => fill.timeMs,
      render: (fill) => (
        <button
          type="button"
          className="rounded-xs text-muted hover:text-text hover:underline"
          onClick={() => showOrder(fill.orderId)}
        >
          {shortTime(fill.timeMs, zone)}
          <span className="sr-only">, {text("details", { id: fill.orderId })}</span>
        </button>
      ),
    },
    {
      id: "pair",
      title: text("col.pair"),
      width: "88px",
      read: (fill) => fill.pairCode,
      render: (fill) => <span className="font-medium">{product.words.nameOf(fill.pairCode)}</span>,
    },
    {
      id: "side",
      title: text("col.side"),
      width: "52px",
      read: (fill) => fill.side,
      render: (fill) => <SideText side={fill.side} />,
    },
    {
      id: "role",
      title: text("col.role"),
      width: "64px",
      read: (fill) => fill.role,
      render: (fill) => text(fill.role),
    },
    number("price", text("col.price"), "92px"),
    number("quantity", text("col.amount"), "92px"),
    number("amount", text("col.total"), "108px"),
    {
      id: "fee",
      title: text("col.fee"),
      kind: "number",
      unsortable: true,
      render: (fill) => formatFee(text, fill, places.fee(fill)),
    },
  ];
}
