// More or less margin for an isolated position: margin, ratio and liquidation price before and after.

import { groupThousands } from "@clockwork/kit/decimal";
import { divideCeil } from "@clockwork/kit/fraction";
import { exactMarginRatio } from "@clockwork/kit/margin";
import { checkFuturesAmount } from "@clockwork/kit/validate";
import { POSITION_CALLS } from "@clockwork/trading/positions/contract";
import { AmountField } from "@clockwork/ui/amount-field";
import { Segmented } from "@clockwork/ui/segmented";
import { useState } from "react";
import { SwitchRow } from "#trade/order/asking-settings.tsx";
import { Line } from "#trade/order/line.tsx";
import { notify } from "#trade/order/notices.ts";
import { showLiquidation } from "../form/form-effect.tsx";
import { readUnits, shownCoin, writeUnits } from "../model/contract.ts";
import { writeBps, writeCoin } from "../model/figures.ts";
import { useFuturesText } from "../model/futures-text.ts";
import { awayBps, liquidationOf, reducibleOf } from "../model/preview.ts";
import { type PositionView, useAct, usePositionView } from "../model/use-act.ts";
import { publishSettings } from "../model/use-own.ts";
import { FactBox, Hint, Moved, PositionDialog } from "../parts/position-dialog.tsx";

interface MarginDialogProps {
  readonly positionId: string;
  readonly onClose: () => void;
}

function isAmount(amount: string, { contract }: PositionView, most: string | undefined): boolean {
  const rule = { positiveOnly: true, decimals: contract.rules.settleScale };
  return checkFuturesAmount(amount, most === undefined ? rule : { ...rule, max: most }) === undefined;
}

export function MarginDialog({ positionId, onClose }: MarginDialogProps) {
  const text = useFuturesText();
  const view = usePositionView(positionId);
  const act = useAct(onClose);
  const [way, setWay] = useState<"add" | "reduce">("add");
  const [amount, setAmount] = useState("");
  const settle = shownCoin(view?.contract.rules.settle ?? "");
  const most =
    view === undefined
      ? undefined
      : way === "add"
        ? writeUnits(view.contract, view.account?.available ?? 0n)
        : writeUnits(view.contract, reducibleOf(view.contract, view.held, view.position.leverage, view.markTicks));
  const units = view === undefined ? 0n : readUnits(amount === "" ? "0" : amount, view.contract.rules.settleScale);
  const send = () => {
    const body = { biz: view?.position.biz, positionId, amount: way === "add" ? amount : `-${amount}` };
    act.intend(POSITION_CALLS.changeMargin, body, body, (done) =>
      notify({ title: text("margin.done", { amount: `${writeCoin(done.margin, settle)} ${settle}` }) }),
    );
  };
  return (
    <PositionDialog
      title={text("margin.title")}
      position={view?.position}
      onClose={onClose}
      action={{
        label: text(way === "add" ? "margin.addAction" : "margin.reduceAction", { amount: `${amount} ${settle}` }),
        isBusy: act.isBusy,
        isDisabled: view === undefined || !isAmount(amount, view, most),
        onPress: send,
      }}
    >
      {view !== undefined && (
        <>
          <Segmented
            label={text("margin.title")}
            wide
            value={way}
            onChange={(id) => setWay(id === "reduce" ? "reduce" : "add")}
            segments={[
              { id: "add", title: text("margin.add") },
              { id: "reduce", title: text("margin.reduce") },
            ]}
          />
          <AmountField
            label={text("margin.amount")}
            labelInside
            value={amount}
            onChange={(next) => {
              setAmount(next);
              act.clear();
            }}
            rules={{ places: view.contract.rules.settleScale }}
            unit={settle}
            maxValue={most}
            help={text("margin.available", { amount: `${most === undefined ? "–" : groupThousands(most)} ${settle}` })}
            error={act.problem}
            autoFocus
          />
          <MarginEffects view={view} change={way === "add" ? units : -units} />
          <AppendRow view={view} />
          {way === "reduce" && <Hint>{text("margin.note")}</Hint>}
        </>
      )}
    </PositionDialog>
  );
}

function MarginEffects({ view, change }: { readonly view: PositionView; readonly change: bigint }) {
  const text = useFuturesText();
  const { contract, held, markTicks, position } = view;
  const after = { ...held, margin: held.margin + change };
  const ratio = (margin: bigint) => {
    const exact = exactMarginRatio(margin, [{ ...held, contract, markTicks }]);
    return exact === undefined ? "–" : writeBps(divideCeil(exact.over * 10_000n, exact.under)).replace("+", "");
  };
  const none = text("form.none");
  const before = liquidationOf(contract, held, position.mode, undefined, markTicks);
  const then = liquidationOf(contract, after, position.mode, undefined, markTicks);
  return (
    <FactBox>
      <Line
        label={text("margin.position")}
        value={
          <Moved
            before={groupThousands(writeUnits(contract, held.margin))}
            after={groupThousands(writeUnits(contract, after.margin))}
          />
        }
      />
      <Line label={text("margin.ratio")} value={<Moved before={ratio(held.margin)} after={ratio(after.margin)} />} />
      <Line
        label={text("form.liquidation")}
        value={<Moved before={showLiquidation(contract, before, none)} after={showLiquidation(contract, then, none)} />}
      />
      {then !== undefined && then !== null && (
        <Line label={text("leverage.distance")} value={writeBps(awayBps(then, markTicks))} />
      )}
    </FactBox>
  );
}

/** For the contract, not for this position alone. */
function AppendRow({ view }: { readonly view: PositionView }) {
  const text = useFuturesText();
  const act = useAct();
  const { position } = view;
  const [isOn, setOn] = useState(position.isAutoAppend);
  const change = (next: boolean) =>
    act.run(
      (request) =>
        request.call(
          POSITION_CALLS.setAutoAppend,
          {
            biz: position.biz,
            pairCode: position.pairCode,
            isOn: next,
          },
          { api: "futures" },
        ),
      (settings) => {
        setOn(next);
        publishSettings(settings);
      },
    );
  return (
    <>
      <SwitchRow title={text("margin.append")} note={text("margin.appendNote")} isOn={isOn} onChange={change} />
      {act.problem !== undefined && <Hint tone="danger">{act.problem}</Hint>}
    </>
  );
}
