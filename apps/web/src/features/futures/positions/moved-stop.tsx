// The effect of moving a position's stop on the chart, within the confirmation: what it closes, what that would
// realise, and why a price is invalid.
import { useEffect } from "react";
import type { OwnFuturesOrder } from "#live/feeds/futures-feeds.ts";
import { type MoveEffectProps, useProduct } from "#trade/product.ts";
import { readLots } from "../model/contract.ts";
import { useFuturesText } from "../model/futures-text.ts";
import { usePositionView } from "../model/use-act.ts";
import { Hint } from "../parts/position-dialog.tsx";
import { ExitPnl, judgeStop } from "./stop-parts.tsx";

export function MovedStop({ order, change, onFault }: MoveEffectProps) {
  const text = useFuturesText();
  const { words } = useProduct();
  const { positionId, isWhole, quantity } = order as OwnFuturesOrder;
  const view = usePositionView(positionId ?? "");
  const trigger = change.stopPrice ?? "";
  const isProfit = (order.side === "sell") === (order.triggerDirection === "rises");
  const isTrailing = order.type === "trailingStop";
  const fault =
    view === undefined || isTrailing ? undefined : judgeStop(text, view, isProfit ? "profit" : "loss", trigger);
  const isBad = fault !== undefined;
  useEffect(() => onFault(isBad), [isBad, onFault]);
  if (view === undefined || trigger === "" || isTrailing) return null;
  if (isBad) return <Hint tone="danger">{fault}</Hint>;
  const { contract, held, position } = view;
  const requested = isWhole ? held.lots : (readLots(contract, quantity) ?? 0n);
  const lots = requested > held.lots ? held.lots : requested;
  const price = order.price ?? trigger;
  return (
    <p className="figures flex justify-between gap-4 text-label text-muted">
      <span>
        {text(order.price === null ? "stops.closes" : "stops.closesAt", {
          quantity: isWhole ? position.quantity : quantity,
          asset: words.assetsOf(position.pairCode).quantity,
          price,
        })}
      </span>
      <ExitPnl contract={contract} held={held} lots={lots} price={price} leverage={position.leverage} />
    </p>
  );
}
