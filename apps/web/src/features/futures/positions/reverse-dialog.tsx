// Reversing a position: one command with two reported halves, each with its figures before it is sent.

import { groupThousands } from "@clockwork/kit/decimal";
import { POSITION_CALLS } from "@clockwork/trading/positions/contract";
import type { ReactNode } from "react";
import { Line } from "#trade/order/line.tsx";
import { notify } from "#trade/order/notices.ts";
import { useProduct } from "#trade/product.ts";
import { useTradeText } from "#trade/trade-text.ts";
import { showLiquidation } from "../form/form-effect.tsx";
import { shownCoin, writePrice, writeUnits } from "../model/contract.ts";
import { useFuturesText } from "../model/futures-text.ts";
import { liquidationOf, previewReverse } from "../model/preview.ts";
import { type PositionView, useAct, usePositionView } from "../model/use-act.ts";
import { FactBox, Hint, PositionDialog } from "../parts/position-dialog.tsx";
import { Signed } from "./close-dialog.tsx";

interface ReverseDialogProps {
  readonly positionId: string;
  readonly onClose: () => void;
}

export function ReverseDialog({ positionId, onClose }: ReverseDialogProps) {
  const text = useFuturesText();
  const view = usePositionView(positionId);
  const act = useAct(onClose);
  const position = view?.position;
  const other = position?.side === "short" ? "long" : "short";
  const reverse = () =>
    act.run(
      (request) => request.call(POSITION_CALLS.reverse, { biz: position?.biz, positionId }, { api: "futures" }),
      (done) => {
        if (done.refusal !== null) {
          notify({
            title: text("reverse.half"),
            detail: text("reverse.halfNote", { reason: done.refusal.message }),
            tone: "danger",
          });
          return;
        }
        notify({
          title: text("reverse.done", {
            side: text(other).toLowerCase(),
            quantity: groupThousands(done.position?.quantity ?? done.closedQuantity),
            price: groupThousands(done.averagePrice ?? ""),
          }),
        });
      },
    );
  return (
    <PositionDialog
      title={text("reverse.title")}
      position={position}
      onClose={onClose}
      action={{
        label: text("reverse.action", { side: text(other).toLowerCase() }),
        kind: other === "short" ? "sell" : "buy",
        isBusy: act.isBusy,
        isDisabled: view === undefined,
        onPress: reverse,
      }}
    >
      {view !== undefined && <Halves view={view} other={other} />}
      {act.problem !== undefined && <Hint tone="danger">{act.problem}</Hint>}
      <Hint tone="warn">{text("reverse.warn")}</Hint>
    </PositionDialog>
  );
}

function Halves({ view, other }: { readonly view: PositionView; readonly other: "long" | "short" }) {
  const text = useFuturesText();
  const trade = useTradeText();
  const { words } = useProduct();
  const { position, contract, held, fillTicks, takerRate, account, markTicks } = view;
  const settle = shownCoin(contract.rules.settle);
  const effect = previewReverse(contract, held, fillTicks, position.leverage, takerRate);
  const later =
    account === undefined
      ? undefined
      : { ...account, cash: account.cash + effect.close.realized - effect.close.fee - effect.fee };
  const liquidation = liquidationOf(contract, effect.after, position.mode, later, markTicks);
  const asset = words.assetsOf(position.pairCode).quantity;
  const price = groupThousands(writePrice(contract, { over: fillTicks, under: 1n }));
  const how = text("reverse.how", { side: trade(position.side === "long" ? "sell" : "buy"), price });
  const amount = (units: bigint) => `${groupThousands(writeUnits(contract, units, "ceil"))} ${settle}`;
  return (
    <>
      <Half
        number={1}
        title={text("reverse.first", { side: text(position.side).toLowerCase(), quantity: position.quantity, asset })}
        how={how}
      >
        <Line label={text("close.realised")} value={<Signed contract={contract} units={effect.close.realized} />} />
        <Line label={text("col.fee")} value={`−${amount(effect.close.fee)}`} />
      </Half>
      <Half
        number={2}
        title={text("reverse.second", {
          side: text(other).toLowerCase(),
          quantity: position.quantity,
          asset,
          leverage: position.leverage,
          mode: text(position.mode).toLowerCase(),
        })}
        how={how}
      >
        <Line label={text("margin")} value={amount(effect.after.margin)} />
        <Line label={text("col.fee")} value={`−${amount(effect.fee)}`} />
        <Line label={text("form.liquidation")} value={showLiquidation(contract, liquidation, text("form.none"))} />
      </Half>
    </>
  );
}

interface HalfProps {
  readonly number: number;
  readonly title: string;
  readonly how: string;
  readonly children: ReactNode;
}

function Half({ number, title, how, children }: HalfProps) {
  return (
    <FactBox
      indented
      head={
        <div className="flex gap-2 pb-1">
          <span className="figures flex size-5 shrink-0 items-center justify-center rounded-full border border-line2">
            {number}
          </span>
          <span className="flex flex-col">
            <span className="font-semibold">{title}</span>
            <span className="text-muted">{how}</span>
          </span>
        </div>
      }
    >
      {children}
    </FactBox>
  );
}
