// Open positions: a table of two-line rows where there is space, cards where there is not; every figure as the server
// published it at the newest mark. Closing, reversing, margin, exits and sharing start here.
import { type FuturesPosition, POSITION_CALLS } from "@clockwork/trading/positions/contract";
import { Button } from "@clockwork/ui/button";
import { Dialog } from "@clockwork/ui/dialog";
import { useHotkey } from "@clockwork/ui/hooks/use-hotkey";
import { Icon } from "@clockwork/ui/icon";
import { EmptyState } from "@clockwork/ui/state";
import { useMemo, useState } from "react";
import { useChannelPart } from "#live/channel-part.ts";
import { notify } from "#trade/order/notices.ts";
import { useSheet } from "#trade/orders/orders-export.ts";
import { Failing, Rows, type TabView } from "#trade/orders/rows.tsx";
import { useFailing, useReconnect } from "#trade/orders/use-own-feeds.ts";
import { useProduct } from "#trade/product.ts";
import { useTerminalData } from "#trade/terminal-market.ts";
import { shownCoin } from "../model/contract.ts";
import { toneOf, writePercent, writeSigned } from "../model/figures.ts";
import { useFuturesText } from "../model/futures-text.ts";
import { openDialog } from "../model/open-dialog.ts";
import { useAct } from "../model/use-act.ts";
import { useBiz, useFuturesFeeds, usePositions } from "../model/use-own.ts";
import { keyTarget } from "./key-target.ts";
import { PositionCards } from "./position-cards.tsx";
import { positionColumns } from "./position-columns.tsx";

const HEAD = [
  "Symbol",
  "Side",
  "Size",
  "Entry",
  "Mark",
  "Liquidation",
  "Margin",
  "Ratio",
  "PnL",
  "ROE",
  "Leverage",
  "Mode",
];
const WARN_RATIO = 0.7;

export function PositionsTab(view: TabView) {
  const text = useFuturesText();
  const product = useProduct();
  const feeds = useFuturesFeeds();
  // Not the rows: those come with the tape's beat.
  const status = useChannelPart(feeds.positions, (state) => state.status);
  const empty = useChannelPart(feeds.positions, (state) => state.empty);
  const failing = useFailing({ status, empty });
  const reconnect = useReconnect();
  const { positions } = usePositions();
  const rows = positions.filter(
    ({ pairCode }) => view.filters.pairCode === undefined || pairCode === view.filters.pairCode,
  );
  const columns = useMemo(() => positionColumns({ text, product }), [text, product]);
  useSheet(view.sheet, async () => ({
    head: HEAD,
    rows: rows.map((row) => exportRow(row, product.words.nameOf(row.pairCode))),
  }));
  const target = keyTarget(positions, useTerminalData().pair.pairCode);
  useHotkey("r", () => target !== undefined && openDialog({ kind: "reverse", positionId: target }));
  if (failing) return <Failing title={text("failed.positions")} onRetry={reconnect} />;
  return (
    <Rows
      view={view}
      rowPx={44}
      label={text("tab.positions")}
      columns={columns}
      rows={rows}
      rowKey={({ positionId }) => positionId}
      cards={<PositionCards positions={rows} />}
      placeholder={<EmptyState text={text("empty.positions")} />}
      isLoading={empty}
      foot={<PositionsFoot rows={rows} total={positions.length} isNarrow={view.isNarrow} />}
    />
  );
}

function exportRow(position: FuturesPosition, name: string): readonly string[] {
  return [
    name,
    position.side,
    position.quantity,
    position.entryPrice,
    position.markPrice,
    position.liquidationPrice ?? "",
    position.margin,
    position.marginRatio ?? "",
    position.unrealizedPnl,
    position.roe,
    String(position.leverage),
    position.mode,
  ];
}

interface FootProps {
  readonly rows: readonly FuturesPosition[];
  readonly total: number;
  readonly isNarrow: boolean;
}

/** The nearest to liquidation where one is near, else how many there are; what they come to; and the way out of all. */
function PositionsFoot({ rows, total, isNarrow }: FootProps) {
  const text = useFuturesText();
  const biz = useBiz();
  const { words } = useProduct();
  const near = rows
    .filter(({ marginRatio }) => marginRatio !== null && Number(marginRatio) >= WARN_RATIO)
    .toSorted((left, right) => Number(right.marginRatio) - Number(left.marginRatio))[0];
  if (isNarrow) {
    return rows.length === 0 ? null : (
      <div className="px-3 py-2">
        <CloseAll count={total} />
      </div>
    );
  }
  const settle = biz === "delivery" ? undefined : biz === "demo" ? shownCoin("DUSDT") : "USDT";
  const sum = rows.reduce((all, row) => all + Number(row.unrealizedPnl), 0);
  return (
    <>
      {near === undefined ? (
        <span>{biz === "demo" ? text("demo.foot") : text("shownOf", { shown: rows.length, total })}</span>
      ) : (
        <span className="flex items-center gap-1.5 text-warn">
          <Icon name="warning" size={13} />
          {text("ratioWarn", { pair: words.nameOf(near.pairCode), ratio: writePercent(near.marginRatio ?? "1") })}
          {near.mode === "isolated" && (
            <button
              type="button"
              className="underline underline-offset-2"
              onClick={() => openDialog({ kind: "margin", positionId: near.positionId })}
            >
              {text("addMargin")}
            </button>
          )}
        </span>
      )}
      <span className="flex items-center gap-4">
        {settle !== undefined && rows.length > 0 && (
          <span>
            {text("unrealised")}{" "}
            <span className={`font-semibold ${toneOf(sum.toFixed(2))}`}>
              {writeSigned(sum.toFixed(2), 2)} {settle}
            </span>
          </span>
        )}
        {rows.length > 0 && <CloseAll count={total} />}
      </span>
    </>
  );
}

function CloseAll({ count }: { readonly count: number }) {
  const text = useFuturesText();
  const biz = useBiz();
  const [isAsking, setAsking] = useState(false);
  const act = useAct(() => setAsking(false));
  const close = () =>
    act.run(
      (request) => request.call(POSITION_CALLS.closeAll, { biz }, { api: "futures" }),
      (done) => {
        notify({ title: text("toast.closedAll", { count: done.closed }) });
        if (done.refusals.length > 0) {
          const reasons = done.refusals.map(({ pairCode, message }) => `${pairCode}: ${message}`).join(" ");
          notify({ title: text("toast.notAllClosed", { reasons }), tone: "danger" });
        }
      },
    );
  return (
    <>
      <Button size={28} onPress={() => setAsking(true)}>
        {text("closeAll")}
      </Button>
      {isAsking && (
        <Dialog
          title={text("closeAllTitle")}
          isOpen
          onOpenChange={(isOpen) => !isOpen && setAsking(false)}
          surface="terminal"
          actions={
            <>
              <Button size={36} autoFocus onPress={() => setAsking(false)}>
                {text("back")}
              </Button>
              <Button kind="sell" size={36} busy={act.isBusy} onPress={close}>
                {text("closeAll")}
              </Button>
            </>
          }
        >
          <p className="text-ui">{text("closeAllNote", { count })}</p>
          {act.problem !== undefined && <p className="text-danger">{act.problem}</p>}
        </Dialog>
      )}
    </>
  );
}
