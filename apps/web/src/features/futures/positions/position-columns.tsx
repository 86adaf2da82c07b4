// The columns of the table of positions: two lines a cell, the side as a bar at the edge, ADL indicators, and the
// actions.

import { groupThousands } from "@clockwork/kit/decimal";
import type { FuturesPosition } from "@clockwork/trading/positions/contract";
import { IconButton } from "@clockwork/ui/button";
import { Badge } from "@clockwork/ui/pill";
import type { Column } from "@clockwork/ui/table";
import { memo, type ReactNode } from "react";
import { SiteLink } from "#boot/site-link.tsx";
import { ChoiceDrop } from "#trade/drop.tsx";
import type { TradeProduct } from "#trade/product.ts";
import { shownCoin, shownDecimals } from "../model/contract.ts";
import {
  awayFrom,
  showLike,
  toneOf,
  writeCoin,
  writePercent,
  writeSigned,
  writeSignedPercent,
} from "../model/figures.ts";
import type { FuturesText } from "../model/futures-text.ts";
import { openDialog } from "../model/open-dialog.ts";

const DEMO_UNIT = shownCoin("DUSDT");

export function settleOf({ biz, pairCode, sub }: FuturesPosition): string {
  const [base = "", quote = ""] = pairCode.split("_");
  if (biz === "demo") return DEMO_UNIT;
  return biz === "delivery" ? (sub ?? base) : quote;
}

function Two({ top, below }: { readonly top: ReactNode; readonly below: ReactNode }) {
  return (
    <span className="flex flex-col leading-4">
      <span>{top}</span>
      <span className="text-muted">{below}</span>
    </span>
  );
}

interface Parts {
  readonly text: FuturesText;
  readonly product: TradeProduct;
}

const isWarned = ({ marginRatio }: FuturesPosition) => marginRatio === null || Number(marginRatio) >= 0.7;

export function positionColumns(parts: Parts): ReadonlyArray<Column<FuturesPosition>> {
  return [...factColumns(parts), ...stateColumns(parts)];
}

function factColumns({ text, product }: Parts): ReadonlyArray<Column<FuturesPosition>> {
  return [
    {
      id: "symbol",
      title: text("col.symbol"),
      width: "15%",
      read: ({ pairCode }) => pairCode,
      render: (position) => (
        <span
          className={`-ml-3 flex flex-col border-l-2 pl-2.5 leading-4 ${position.side === "long" ? "border-up" : "border-down"}`}
        >
          <SiteLink to={`${product.path}/${position.pairCode}`} className="rounded-xs font-semibold hover:underline">
            {product.words.nameOf(position.pairCode)}
          </SiteLink>
          <span className="flex items-center gap-1">
            <span className={position.side === "long" ? "text-up-text" : "text-down-text"}>{text(position.side)}</span>
            <Badge>{text(position.mode === "isolated" ? "isolatedShort" : "cross")}</Badge>
            <Badge>{text("times", { leverage: position.leverage })}</Badge>
          </span>
        </span>
      ),
    },
    {
      id: "size",
      title: text("col.size"),
      kind: "number",
      width: "11%",
      read: ({ value }) => value,
      render: (position) => (
        <Two
          top={
            <span className={`whitespace-nowrap ${position.side === "long" ? "text-up-text" : "text-down-text"}`}>
              {position.side === "short" ? "−" : ""}
              {groupThousands(position.quantity)} {product.words.assetsOf(position.pairCode).quantity}
            </span>
          }
          below={writeCoin(position.value, settleOf(position))}
        />
      ),
    },
    {
      id: "entry",
      title: text("col.entryMark"),
      kind: "number",
      width: "10%",
      read: ({ entryPrice }) => entryPrice,
      render: ({ entryPrice, markPrice }) => (
        <Two
          top={<span title={entryPrice}>{showLike(entryPrice, markPrice)}</span>}
          below={groupThousands(markPrice)}
        />
      ),
    },
    {
      id: "liquidation",
      title: text("col.liquidation"),
      kind: "number",
      width: "10%",
      read: ({ liquidationPrice }) => liquidationPrice,
      render: (position) =>
        position.liquidationPrice === null ? (
          <span className="text-muted">{text("form.none")}</span>
        ) : (
          <Two
            top={
              <span className={isWarned(position) ? "text-warn" : ""} title={position.liquidationPrice}>
                {showLike(position.liquidationPrice, position.markPrice)}
              </span>
            }
            below={awayFrom(position.liquidationPrice, position.markPrice) ?? ""}
          />
        ),
    },
  ];
}

function stateColumns({ text, product }: Parts): ReadonlyArray<Column<FuturesPosition>> {
  return [
    {
      id: "margin",
      title: text("col.margin"),
      kind: "number",
      width: "12%",
      read: ({ margin }) => margin,
      render: (position) => <MarginCell position={position} text={text} product={product} />,
    },
    {
      id: "pnl",
      title: text("col.pnl"),
      kind: "number",
      width: "11%",
      read: ({ unrealizedPnl }) => unrealizedPnl,
      render: (position) => (
        <span
          className={`flex flex-col font-medium leading-4 ${toneOf(position.unrealizedPnl)}`}
          data-pnl={position.positionId}
        >
          <span title={position.unrealizedPnl}>
            {writeSigned(position.unrealizedPnl, shownDecimals(settleOf(position)))}
          </span>
          <span>{writeSignedPercent(position.roe)}</span>
        </span>
      ),
    },
    {
      id: "adl",
      title: text("col.adl"),
      width: "5%",
      read: ({ adl }) => adl,
      render: ({ adl }) => <Indicators count={adl} label={text("adlNote", { count: adl })} />,
    },
    {
      id: "exits",
      title: text("col.exits"),
      kind: "number",
      unsortable: true,
      render: (position) => <ExitsCell position={position} text={text} product={product} />,
    },
    {
      id: "actions",
      title: text("col.closeBy"),
      kind: "action",
      width: "14%",
      render: ({ positionId }) => <Actions positionId={positionId} text={text} />,
    },
  ];
}

function MarginCell({ position, text, product }: Parts & { readonly position: FuturesPosition }) {
  const { marginRatio, mode, positionId } = position;
  const share = marginRatio === null ? 100 : Math.min(100, Number(marginRatio) * 100);
  const tone = isWarned(position) ? "bg-warn" : "bg-muted";
  return (
    <span className="flex flex-col items-end leading-4">
      <span className="flex items-center">
        <span title={position.margin}>{writeCoin(position.margin, settleOf(position))}</span>
        {mode === "isolated" && (
          <IconButton
            icon="edit"
            label={text("adjust", { pair: product.words.nameOf(position.pairCode) })}
            size={24}
            iconSize={12}
            className="-my-1 -mr-1.5"
            onPress={() => openDialog({ kind: "margin", positionId })}
          />
        )}
      </span>
      <span className="flex items-center gap-1.5">
        <span aria-hidden="true" className="h-0.5 w-7 rounded-full bg-line">
          <span className={`block h-full rounded-full ${tone}`} style={{ width: `${share}%` }} />
        </span>
        <span className={isWarned(position) ? "font-medium text-warn" : "text-muted"}>
          {marginRatio === null ? "100%" : writePercent(marginRatio)}
        </span>
      </span>
    </span>
  );
}

export function Indicators({ count, label }: { readonly count: number; readonly label: string }) {
  const tone = count >= 4 ? "bg-warn" : "bg-muted";
  return (
    <span role="img" aria-label={label} title={label} className="inline-flex gap-0.5">
      {[1, 2, 3, 4, 5].map((indicator) => (
        <span key={indicator} className={`h-3 w-[3px] rounded-[1px] ${indicator <= count ? tone : "bg-line"}`} />
      ))}
    </span>
  );
}

/** The whole position's exits; parts are counted. */
function ExitsCell({ position, text, product }: Parts & { readonly position: FuturesPosition }) {
  const { stops, positionId, pairCode } = position;
  const find = (kind: "profit" | "loss") => stops.find((stop) => stop.kind === kind)?.triggerPrice ?? undefined;
  const press = () => openDialog({ kind: "stops", positionId });
  if (stops.length === 0) {
    return (
      <button type="button" className="t-button h-6 px-2" onClick={press}>
        + {text("addExits")}
        <span className="sr-only"> {product.words.nameOf(pairCode)}</span>
      </button>
    );
  }
  const show = (price: string | undefined) => (price === undefined ? "–" : groupThousands(price));
  return (
    <span className="flex items-center justify-end">
      <span className="flex flex-col text-right leading-4">
        <span>{show(find("profit"))}</span>
        <span>{show(find("loss"))}</span>
      </span>
      <IconButton icon="edit" label={text("exits")} size={24} iconSize={12} onPress={press} />
    </span>
  );
}

interface ActionsProps {
  readonly positionId: string;
  readonly text: FuturesText;
}

/** Figures change many times a second, the buttons next to them never. */
const Actions = memo(function Actions({ positionId, text }: ActionsProps) {
  return (
    <span className="inline-flex items-center gap-0.5">
      <ChoiceDrop
        label={text("col.closeBy")}
        buttonClass="t-button h-7 px-2"
        button={text("close")}
        choices={[
          { id: "market", title: text("closeMarket") },
          { id: "limit", title: text("closeLimit") },
        ]}
        selected=""
        onChoose={(id) => openDialog({ kind: "close", positionId, by: id === "limit" ? "limit" : "market" })}
      />
      <IconButton
        icon="swap"
        label={text("reverse")}
        size={28}
        iconSize={14}
        onPress={() => openDialog({ kind: "reverse", positionId })}
      />
      <IconButton
        icon="share"
        label={text("share")}
        size={28}
        iconSize={14}
        onPress={() => openDialog({ kind: "share", positionId })}
      />
    </span>
  );
});
