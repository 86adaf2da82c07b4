// Positions where a table has no room: three lines and five actions each.

import { groupThousands } from "@clockwork/kit/decimal";
import type { FuturesPosition } from "@clockwork/trading/positions/contract";
import { Button, IconButton } from "@clockwork/ui/button";
import { Badge } from "@clockwork/ui/pill";
import { useProduct } from "#trade/product.ts";
import { shownDecimals } from "../model/contract.ts";
import { awayFrom, showLike, toneOf, writePercent, writeSigned, writeSignedPercent } from "../model/figures.ts";
import { useFuturesText } from "../model/futures-text.ts";
import { openDialog } from "../model/open-dialog.ts";
import { settleOf } from "./position-columns.tsx";

export function PositionCards({ positions }: { readonly positions: readonly FuturesPosition[] }) {
  return (
    <ul>
      {positions.map((position) => (
        <PositionCard key={position.positionId} position={position} />
      ))}
    </ul>
  );
}

function PositionCard({ position }: { readonly position: FuturesPosition }) {
  const text = useFuturesText();
  const { words } = useProduct();
  const { positionId } = position;
  const settle = settleOf(position);
  const isLong = position.side === "long";
  return (
    <li className="figures border-line border-b px-3 py-2 last:border-b-0">
      <div className="flex items-center gap-2">
        <span aria-hidden="true" className={`h-4 w-0.5 ${isLong ? "bg-up" : "bg-down"}`} />
        <span className="font-semibold">{words.nameOf(position.pairCode)}</span>
        <span className={`font-medium ${isLong ? "text-up-text" : "text-down-text"}`}>{text(position.side)}</span>
        <Badge>
          {text(position.mode === "isolated" ? "isolatedShort" : "cross")}{" "}
          {text("times", { leverage: position.leverage })}
        </Badge>
        <span className={`ml-auto font-medium ${toneOf(position.unrealizedPnl)}`}>
          {writeSigned(position.unrealizedPnl, shownDecimals(settle))} {settle}
        </span>
      </div>
      <div className="mt-0.5 flex justify-between text-muted">
        <span>
          {groupThousands(position.quantity)} {words.assetsOf(position.pairCode).quantity} ·{" "}
          {text("entryAt", { price: showLike(position.entryPrice, position.markPrice) })}
        </span>
        <span className={toneOf(position.roe)}>{writeSignedPercent(position.roe)}</span>
      </div>
      <div className="mt-0.5 flex justify-between text-muted">
        <span>
          {text("form.liquidation")}{" "}
          <span className="font-medium text-text">
            {position.liquidationPrice === null
              ? text("form.none")
              : showLike(position.liquidationPrice, position.markPrice)}
          </span>
          {position.marginRatio !== null && <> · {text("ratioOf", { ratio: writePercent(position.marginRatio) })}</>}
        </span>
        <span>
          {position.liquidationPrice !== null &&
            text("away", { percent: awayFrom(position.liquidationPrice, position.markPrice) ?? "" })}
        </span>
      </div>
      <div className="mt-2 flex gap-1.5 *:flex-1">
        <Button size={32} onPress={() => openDialog({ kind: "close", positionId, by: "market" })}>
          {text("close")}
        </Button>
        <Button size={32} onPress={() => openDialog({ kind: "stops", positionId })}>
          {text("exits")}
        </Button>
        <Button
          size={32}
          isDisabled={position.mode !== "isolated"}
          onPress={() => openDialog({ kind: "margin", positionId })}
        >
          {text("margin")}
        </Button>
        <Button size={32} onPress={() => openDialog({ kind: "reverse", positionId })}>
          {text("reverse")}
        </Button>
        <IconButton
          icon="share"
          label={text("share")}
          size={32}
          className="max-w-9"
          onPress={() => openDialog({ kind: "share", positionId })}
        />
      </div>
    </li>
  );
}
