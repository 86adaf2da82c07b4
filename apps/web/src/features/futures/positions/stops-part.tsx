// Exits of parts of a position: the pairs that are there, and one more.

import { groupThousands } from "@clockwork/kit/decimal";
import { FUTURES_CALLS } from "@clockwork/trading/futures/contract";
import { POSITION_CALLS, type PositionStop } from "@clockwork/trading/positions/contract";
import { AmountField } from "@clockwork/ui/amount-field";
import { IconButton } from "@clockwork/ui/button";
import { PriceField } from "@clockwork/ui/price-field";
import { useState } from "react";
import { notify } from "#trade/order/notices.ts";
import { useProduct } from "#trade/product.ts";
import { useTradeText } from "#trade/trade-text.ts";
import { readLots, writeLots } from "../model/contract.ts";
import { useFuturesText } from "../model/futures-text.ts";
import { type PositionView, useAct } from "../model/use-act.ts";
import { Hint, PositionDialog } from "../parts/position-dialog.tsx";
import { ExitPnl, judgeStop, SourceChoice, StopTabs, type TabProps } from "./stop-parts.tsx";
import type { StopSource } from "./stops.ts";

interface PairDraft {
  readonly size: string;
  readonly profit: string;
  readonly loss: string;
  /** Of limit orders; empty at market. */
  readonly profitPrice: string;
  readonly lossPrice: string;
  readonly source: StopSource;
}

const NO_PAIR: PairDraft = { size: "", profit: "", loss: "", profitPrice: "", lossPrice: "", source: "mark" };

/** One leg in the call's form: nothing without a trigger. */
function legOf(name: "profit" | "loss", triggerPrice: string, price: string): Record<string, object> {
  return triggerPrice === "" ? {} : { [name]: { triggerPrice, ...(price === "" ? {} : { price }) } };
}

export function PartStops({ view, positionId, onClose, ...tabs }: TabProps) {
  const text = useFuturesText();
  const { words } = useProduct();
  const act = useAct();
  const { position, contract, held } = view;
  const parts = position.stops.filter(({ isWhole }) => !isWhole);
  const unit = words.assetsOf(position.pairCode).quantity;
  const [draft, setDraft] = useState(NO_PAIR);
  const { size, profit, loss, source } = draft;
  const lots = readLots(contract, size) ?? 0n;
  const faults = [judgeStop(text, view, "profit", profit), judgeStop(text, view, "loss", loss)];
  const isSized = lots > 0n && lots <= held.lots;
  const isGood = isSized && (profit !== "" || loss !== "") && faults.every((one) => one === undefined);
  const add = () =>
    act.run(
      (request) =>
        request.call(
          POSITION_CALLS.setStops,
          {
            biz: position.biz,
            positionId,
            quantity: size,
            ...legOf("profit", profit, draft.profitPrice),
            ...legOf("loss", loss, draft.lossPrice),
            source,
          },
          { api: "futures" },
        ),
      () => {
        setDraft(NO_PAIR);
        notify({ title: text("stops.done") });
      },
    );
  const end = (orderIds: readonly string[]) =>
    act.run(
      (request) => request.call(FUTURES_CALLS.cancelMany, { orderIds }, { api: "futures" }),
      () => notify({ title: text("stops.ended") }),
    );
  return (
    <PositionDialog
      title={text("stops.title")}
      position={position}
      onClose={onClose}
      size="medium"
      action={{ label: text("stops.addAction"), isBusy: act.isBusy, isDisabled: !isGood, onPress: add }}
    >
      <StopTabs {...tabs} />
      <StopTable stops={parts} view={view} unit={unit} onEnd={end} />
      <PairForm view={view} parts={parts} unit={unit} draft={draft} faults={faults} onDraft={setDraft} />
      {act.problem !== undefined && <Hint tone="danger">{act.problem}</Hint>}
    </PositionDialog>
  );
}

interface PairFormProps {
  readonly view: PositionView;
  readonly parts: readonly PositionStop[];
  readonly unit: string;
  readonly draft: PairDraft;
  readonly faults: readonly (string | undefined)[];
  readonly onDraft: (draft: PairDraft) => void;
}

function PairForm({ view, parts, unit, draft, faults, onDraft }: PairFormProps) {
  const text = useFuturesText();
  const trade = useTradeText();
  const { position, contract, held } = view;
  const covered = parts
    .filter(({ kind }) => kind === "loss")
    .reduce((sum, stop) => sum + (readLots(contract, stop.quantity) ?? 0n), 0n);
  const left = held.lots > covered ? held.lots - covered : 0n;
  const lots = readLots(contract, draft.size) ?? 0n;
  const price = (name: "profit" | "loss", fault: string | undefined) => (
    <div className="flex flex-col gap-2">
      <PriceField
        label={text(name === "profit" ? "stops.profit" : "stops.loss")}
        step={contract.rules.tickSize}
        value={draft[name]}
        onChange={(value) => onDraft({ ...draft, [name]: value })}
        error={fault}
      />
      <PriceField
        label={trade("limitPrice")}
        step={contract.rules.tickSize}
        value={draft[`${name}Price`]}
        onChange={(value) => onDraft({ ...draft, [`${name}Price`]: value })}
        placeholder={trade("kind.market")}
      />
    </div>
  );
  return (
    <>
      <div className="flex justify-between border-line border-t pt-3 text-label">
        <span className="font-semibold">{text("stops.add")}</span>
        <span className="figures text-muted">
          {text("stops.uncovered", { quantity: writeLots(contract, left), asset: unit })}
        </span>
      </div>
      <div className="flex gap-2 *:min-w-0 *:flex-1">
        <AmountField
          label={text("form.size")}
          labelInside
          value={draft.size}
          onChange={(size) => onDraft({ ...draft, size })}
          rules={{ places: contract.rules.quantityDecimals, step: contract.rules.stepSize }}
          unit={unit}
          maxValue={writeLots(contract, left)}
        />
        <SourceChoice source={draft.source} onSource={(source) => onDraft({ ...draft, source })} />
      </div>
      <div className="flex gap-2 *:min-w-0 *:flex-1">
        {price("profit", faults[0])}
        {price("loss", faults[1])}
      </div>
      <p className="flex justify-end gap-3 text-label">
        {(["profit", "loss"] as const).map((name) => (
          <ExitPnl
            key={name}
            contract={contract}
            held={held}
            lots={lots}
            price={draft[`${name}Price`] === "" ? draft[name] : draft[`${name}Price`]}
            leverage={position.leverage}
          />
        ))}
      </p>
    </>
  );
}

interface StopTableProps {
  readonly stops: readonly PositionStop[];
  readonly view: PositionView;
  readonly unit: string;
  readonly onEnd: (orderIds: readonly string[]) => void;
}

function StopTable({ stops, view, unit, onEnd }: StopTableProps) {
  const text = useFuturesText();
  if (stops.length === 0) return null;
  const { contract, held, position } = view;
  return (
    <table className="figures w-full text-label">
      <thead className="text-muted">
        <tr className="*:h-6 *:text-right *:font-normal [&>*:first-child]:text-left">
          <th scope="col">
            {text("form.size")}, {unit}
          </th>
          <th scope="col">{text("col.exits")}</th>
          <th scope="col">{text("col.pnl")}</th>
          <th scope="col">
            <span className="sr-only">{text("stops.end")}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {stops.map((stop) => (
          <tr key={stop.orderId} className="*:h-7 *:text-right [&>*:first-child]:text-left">
            <td>{stop.quantity}</td>
            <td>
              <span className="text-muted">{text(stop.kind === "profit" ? "stops.profit" : "stops.loss")}</span>{" "}
              {groupThousands(stop.triggerPrice ?? "–")}
            </td>
            <td>
              <ExitPnl
                contract={contract}
                held={held}
                lots={readLots(contract, stop.quantity) ?? 0n}
                price={stop.price ?? stop.triggerPrice ?? ""}
                leverage={position.leverage}
              />
            </td>
            <td>
              <IconButton
                icon="close"
                label={text("stops.end")}
                size={24}
                iconSize={14}
                onPress={() => onEnd([stop.orderId])}
              />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
