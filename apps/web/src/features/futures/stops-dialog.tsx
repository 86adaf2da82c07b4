// Take-profit and stop-loss of a position: of the whole, which follows its size, or of parts, each pair on its own. Says
// what each would realise and refuses what could never fire.
import type { FuturesPosition, PositionStop } from "@clockwork/domains/positions/api";
import { groupThousands } from "@clockwork/kit/decimal";
import { PriceField } from "@clockwork/ui/price-field";
import { useState } from "react";
import { FUTURES_PATHS } from "#live/feeds/futures-paths.ts";
import { notify } from "#trade/order/notices.ts";
import { useProduct } from "#trade/product.ts";
import { showLike } from "./model/figures.ts";
import { useFuturesText } from "./model/futures-text.ts";
import { Hint, PositionDialog } from "./position-dialog.tsx";
import {
  ExitPnl,
  judgeStop,
  type Source,
  SourceChoice,
  type StopsDialogProps,
  StopTabs,
  type TabProps,
} from "./stop-parts.tsx";
import { PartStops } from "./stops-part.tsx";
import { type PositionView, useAct, usePositionView } from "./use-act.ts";

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

function findWhole(stops: readonly PositionStop[], kind: PositionStop["kind"]): PositionStop | undefined {
  return stops.find((stop) => stop.isWhole && stop.kind === kind);
}

function WholeStops({ view, positionId, onClose, ...tabs }: TabProps) {
  const text = useFuturesText();
  const act = useAct(onClose);
  const { position } = view;
  const [profitNow, lossNow] = [findWhole(position.stops, "profit"), findWhole(position.stops, "loss")];
  const [profit, setProfit] = useState(profitNow?.triggerPrice ?? "");
  const [loss, setLoss] = useState(lossNow?.triggerPrice ?? "");
  const [source, setSource] = useState<Source>(lossNow?.triggerSource === "last" ? "last" : "mark");
  const faults = [judgeStop(text, view, "profit", profit), judgeStop(text, view, "loss", loss)];
  const isRemoving = profit === "" && loss === "";
  const save = () =>
    act.run(
      (request) =>
        request.futuresPost<FuturesPosition>(`${FUTURES_PATHS.positions}/stop`, {
          biz: position.biz,
          positionId,
          ...(profit === "" ? {} : { profit: { triggerPrice: profit } }),
          ...(loss === "" ? {} : { loss: { triggerPrice: loss } }),
          ...(isRemoving ? {} : { source }),
        }),
      () => notify({ title: text(isRemoving ? "stops.ended" : "stops.done") }),
    );
  const hadAny = profitNow !== undefined || lossNow !== undefined;
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
      <StopField
        view={view}
        label={text("stops.profit")}
        price={profit}
        onPrice={setProfit}
        fault={faults[0]}
        {...{ source, onSource: setSource }}
        autoFocus
      />
      <StopField
        view={view}
        label={text("stops.loss")}
        price={loss}
        onPrice={setLoss}
        fault={faults[1]}
        {...{ source, onSource: setSource }}
      />
      {act.problem !== undefined && <Hint tone="danger">{act.problem}</Hint>}
      <Hint>{text("stops.follows")}</Hint>
    </PositionDialog>
  );
}

interface StopFieldProps {
  readonly view: PositionView;
  readonly label: string;
  readonly price: string;
  readonly onPrice: (price: string) => void;
  readonly fault: string | undefined;
  readonly source: Source;
  readonly onSource: (source: Source) => void;
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
