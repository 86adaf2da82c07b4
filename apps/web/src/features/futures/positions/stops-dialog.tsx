// Take-profit and stop-loss of a position: of the whole, which follows its size, or of parts, each pair separately.
// Shows what each would realise and refuses what could never fire.

import { groupThousands } from "@clockwork/kit/decimal";
import { type FuturesPosition, POSITION_CALLS } from "@clockwork/trading/positions/contract";
import { AmountField } from "@clockwork/ui/amount-field";
import { PriceField } from "@clockwork/ui/price-field";
import { Segmented } from "@clockwork/ui/segmented";
import { useState } from "react";
import { notify } from "#trade/order/notices.ts";
import { useProduct } from "#trade/product.ts";
import { useTradeText } from "#trade/trade-text.ts";
import { showLike } from "../model/figures.ts";
import { useFuturesText } from "../model/futures-text.ts";
import { type PositionView, useAct, usePositionView } from "../model/use-act.ts";
import { Hint, PositionDialog } from "../parts/position-dialog.tsx";
import { ExitPnl, judgeStop, SourceChoice, type StopsDialogProps, StopTabs, type TabProps } from "./stop-parts.tsx";
import { readTrail, readWhole, type StopSource, type WholeDraft, writeWhole } from "./stops.ts";
import { PartStops } from "./stops-part.tsx";

export function StopsDialog({ positionId, onClose }: StopsDialogProps) {
  const text = useFuturesText();
  const view = usePositionView(positionId);
  const [tab, setTab] = useState<"whole" | "part">("whole");
  const parts = view?.position.stops.filter(({ isWhole }) => !isWhole) ?? [];
  const pairs = new Set(parts.map(({ orderId, pairId }) => [orderId, pairId ?? ""].sort().join()));
  const shared = { positionId, onClose, tab, onTab: setTab, pairCount: pairs.size };
  if (view === undefined) {
    return (
      <PositionDialog title={text("stops.title")} position={undefined} onClose={onClose} size="medium">
        {null}
      </PositionDialog>
    );
  }
  return tab === "whole" ? <WholeStops {...shared} view={view} /> : <PartStops {...shared} view={view} />;
}

function WholeStops({ view, positionId, onClose, ...tabs }: TabProps) {
  const text = useFuturesText();
  const act = useAct(onClose);
  const { position } = view;
  const [draft, setDraft] = useState(() => readWhole(position.stops));
  const change = (part: Partial<WholeDraft>) => setDraft({ ...draft, ...part });
  const { profit, exit, loss, source } = draft;
  const trail = readTrail(draft.trailPercent);
  const faults = [
    judgeStop(text, view, "profit", profit),
    exit === "loss" ? judgeStop(text, view, "loss", loss) : undefined,
    exit === "trailing" && Number.isNaN(trail) ? text("stops.trailRange") : undefined,
  ];
  const body = writeWhole(draft);
  const isRemoving = Object.keys(body).length === 0;
  const save = () =>
    act.run(
      (request) =>
        request.call(
          POSITION_CALLS.setStops,
          {
            biz: position.biz,
            positionId,
            ...body,
          },
          { api: "futures" },
        ),
      () => notify({ title: text(isRemoving ? "stops.ended" : "stops.done") }),
    );
  const hadAny = position.stops.some(({ isWhole }) => isWhole);
  return (
    <PositionDialog
      title={text("stops.title")}
      position={position}
      onClose={onClose}
      size="medium"
      action={{
        label: text(isRemoving && hadAny ? "stops.remove" : "stops.save"),
        isBusy: act.isBusy,
        isDisabled: faults.some((fault) => fault !== undefined) || (isRemoving && !hadAny),
        onPress: save,
      }}
    >
      <StopTabs {...tabs} />
      <Prices position={position} />
      <StopField
        view={view}
        label={text("stops.profit")}
        price={profit}
        onPrice={(next) => change({ profit: next })}
        fault={faults[0]}
        source={source}
        onSource={(next) => change({ source: next })}
        autoFocus
      />
      <ExitChoice exit={exit} onExit={(next) => change({ exit: next })} />
      {exit === "loss" ? (
        <StopField
          view={view}
          label={text("stops.loss")}
          price={loss}
          onPrice={(next) => change({ loss: next })}
          fault={faults[1]}
          source={source}
          onSource={(next) => change({ source: next })}
        />
      ) : (
        <TrailFields view={view} draft={draft} fault={faults[2]} onChange={change} />
      )}
      {act.problem !== undefined && <Hint tone="danger">{act.problem}</Hint>}
      <Hint>{text("stops.follows")}</Hint>
    </PositionDialog>
  );
}

interface ExitChoiceProps {
  readonly exit: WholeDraft["exit"];
  readonly onExit: (exit: WholeDraft["exit"]) => void;
}

function ExitChoice({ exit, onExit }: ExitChoiceProps) {
  const text = useFuturesText();
  return (
    <Segmented
      label={text("stops.exit")}
      wide
      value={exit}
      onChange={(id) => onExit(id === "trailing" ? "trailing" : "loss")}
      segments={[
        { id: "loss", title: text("stops.loss") },
        { id: "trailing", title: text("stops.trailing") },
      ]}
    />
  );
}

function Prices({ position }: { readonly position: FuturesPosition }) {
  const text = useFuturesText();
  return (
    <p className="figures flex gap-4 text-label text-muted">
      <span>
        {text("form.entry")}{" "}
        <b className="font-medium text-text">{showLike(position.entryPrice, position.markPrice)}</b>
      </span>
      <span>
        {text("mark")} <b className="font-medium text-text">{groupThousands(position.markPrice)}</b>
      </span>
      <span>
        {text("form.liquidation")}{" "}
        <b className="font-medium text-text">
          {position.liquidationPrice === null
            ? text("form.none")
            : showLike(position.liquidationPrice, position.markPrice)}
        </b>
      </span>
    </p>
  );
}

interface TrailFieldsProps {
  readonly view: PositionView;
  readonly draft: WholeDraft;
  readonly fault: string | undefined;
  readonly onChange: (part: Partial<WholeDraft>) => void;
}

/** How far the price may come back from its best, and from where on it is followed. */
function TrailFields({ view, draft, fault, onChange }: TrailFieldsProps) {
  const text = useFuturesText();
  const trade = useTradeText();
  return (
    <div className="flex items-start gap-2 *:min-w-0 *:flex-1">
      <AmountField
        label={trade("callback")}
        labelInside
        value={draft.trailPercent}
        onChange={(trailPercent) => onChange({ trailPercent })}
        rules={{ places: 2 }}
        unit="%"
        error={fault}
        help={text("stops.trailNote")}
      />
      <PriceField
        label={trade("activation")}
        step={view.contract.rules.tickSize}
        value={draft.activation}
        onChange={(activation) => onChange({ activation })}
        placeholder={trade("atOnce")}
      />
      <SourceChoice source={draft.source} onSource={(source) => onChange({ source })} />
    </div>
  );
}

interface StopFieldProps {
  readonly view: PositionView;
  readonly label: string;
  readonly price: string;
  readonly onPrice: (price: string) => void;
  readonly fault: string | undefined;
  readonly source: StopSource;
  readonly onSource: (source: StopSource) => void;
  readonly autoFocus?: boolean;
}

function StopField({ view, label, price, onPrice, fault, source, onSource, autoFocus = false }: StopFieldProps) {
  const text = useFuturesText();
  const { words } = useProduct();
  const { contract, held, position } = view;
  return (
    <div className="flex flex-col gap-1">
      <div className="flex items-start gap-2">
        <div className="min-w-0 flex-1">
          <PriceField
            label={label}
            step={contract.rules.tickSize}
            value={price}
            onChange={onPrice}
            unit={contract.rules.pairCode.split("_")[1]}
            error={fault}
            autoFocus={autoFocus}
          />
        </div>
        <SourceChoice source={source} onSource={onSource} />
      </div>
      {price !== "" && fault === undefined && (
        <p className="figures flex justify-between text-label text-muted">
          <span>
            {text("stops.closes", {
              quantity: position.quantity,
              asset: words.assetsOf(position.pairCode).quantity,
            })}
          </span>
          <ExitPnl contract={contract} held={held} lots={held.lots} price={price} leverage={position.leverage} />
        </p>
      )}
    </div>
  );
}
