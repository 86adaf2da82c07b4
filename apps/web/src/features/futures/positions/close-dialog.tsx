// Closing a position, part or whole, at market or at a limit: the exact effect before it is sent.

import { groupThousands } from "@clockwork/kit/decimal";
import { type CloseResult, POSITION_CALLS } from "@clockwork/trading/positions/contract";
import { AmountField } from "@clockwork/ui/amount-field";
import { PriceField } from "@clockwork/ui/price-field";
import { Segmented } from "@clockwork/ui/segmented";
import { PERCENT_STOPS, Slider } from "@clockwork/ui/slider";
import { useState } from "react";
import { Line, writeRate } from "#trade/order/line.tsx";
import { notify } from "#trade/order/notices.ts";
import { useProduct } from "#trade/product.ts";
import { useTradeText } from "#trade/trade-text.ts";
import {
  type KnownContract,
  readLots,
  readTicks,
  shownCoin,
  writeLots,
  writePrice,
  writeUnits,
} from "../model/contract.ts";
import { toneOf, writeSigned } from "../model/figures.ts";
import { useFuturesText } from "../model/futures-text.ts";
import { previewClose } from "../model/preview.ts";
import { type PositionView, useAct, usePositionView } from "../model/use-act.ts";
import { FactBox, Hint, PositionDialog } from "../parts/position-dialog.tsx";

interface CloseDialogProps {
  readonly positionId: string;
  readonly by: "market" | "limit";
  readonly onClose: () => void;
}

export function CloseDialog({ positionId, by, onClose }: CloseDialogProps) {
  const text = useFuturesText();
  const { words } = useProduct();
  const view = usePositionView(positionId);
  const act = useAct(onClose);
  const [kind, setKind] = useState(by);
  const [size, setSize] = useState<string>();
  const [price, setPrice] = useState<string>();
  const position = view?.position;
  const unit = words.assetsOf(position?.pairCode ?? "").quantity;
  const quantity = size ?? position?.quantity ?? "";
  const limit = price ?? position?.markPrice ?? "";
  const lots = view === undefined ? undefined : readLots(view.contract, quantity);
  const isGood = view !== undefined && lots !== undefined && lots > 0n && lots <= view.held.lots;
  const done = (result: CloseResult): string => {
    if (result.isRepeated) return text("close.repeated");
    if (result.averagePrice === null) return text("close.placed");
    return text("close.done", {
      quantity: `${groupThousands(result.closedQuantity)} ${unit}`,
      price: groupThousands(result.averagePrice),
    });
  };
  const close = () => {
    const named = { biz: position?.biz, positionId, ...(kind === "limit" ? { price: limit } : {}) };
    act.intend(
      POSITION_CALLS.close,
      // The requested size is the intent: half of a position is another half once the first is gone.
      { ...named, size },
      { ...named, ...(lots === view?.held.lots ? {} : { quantity }) },
      (result) => notify({ title: done(result) }),
    );
  };
  return (
    <PositionDialog
      title={text("close.title")}
      position={position}
      onClose={onClose}
      action={{
        label: text("close.action", { quantity, asset: unit }),
        kind: position?.side === "short" ? "buy" : "sell",
        isBusy: act.isBusy,
        isDisabled: !isGood,
        onPress: close,
      }}
    >
      {view !== undefined && (
        <>
          <Segmented
            label={text("close.title")}
            wide
            value={kind}
            onChange={(id) => setKind(id === "limit" ? "limit" : "market")}
            segments={[
              { id: "market", title: text("closeMarket") },
              { id: "limit", title: text("closeLimit") },
            ]}
          />
          {kind === "limit" && (
            <PriceField
              label={text("data.price")}
              step={view.contract.rules.tickSize}
              value={limit}
              onChange={setPrice}
              unit={view.contract.rules.pairCode.split("_")[1]}
            />
          )}
          <SizeField view={view} unit={unit} quantity={quantity} onQuantity={setSize} />
          {isGood && <CloseEffects view={view} lots={lots} isLimit={kind === "limit"} limit={limit} />}
          {act.problem !== undefined && <Hint tone="danger">{act.problem}</Hint>}
          <Hint>{text("close.note")}</Hint>
        </>
      )}
    </PositionDialog>
  );
}

interface SizeFieldProps {
  readonly view: PositionView;
  readonly unit: string;
  readonly quantity: string;
  readonly onQuantity: (quantity: string) => void;
}

function SizeField({ view, unit, quantity, onQuantity }: SizeFieldProps) {
  const text = useFuturesText();
  const trade = useTradeText();
  const { contract, held } = view;
  const lots = readLots(contract, quantity) ?? 0n;
  const percent = held.lots === 0n ? 0 : Number((lots * 100n) / held.lots);
  return (
    <>
      <AmountField
        label={text("form.size")}
        labelInside
        value={quantity}
        onChange={onQuantity}
        rules={{ places: contract.rules.quantityDecimals, step: contract.rules.stepSize }}
        unit={unit}
        error={lots > held.lots ? trade("fault.CLOSE_TOO_LARGE", { limit: view.position.quantity }) : undefined}
      />
      <Slider
        label={trade("share")}
        value={Math.min(100, percent)}
        onChange={(next) =>
          onQuantity(next >= 100 ? view.position.quantity : writeLots(contract, (held.lots * BigInt(next)) / 100n))
        }
        stops={PERCENT_STOPS}
        describe={(value) => `${value}%`}
      />
    </>
  );
}

interface EffectsProps {
  readonly view: PositionView;
  readonly lots: bigint;
  readonly isLimit: boolean;
  readonly limit: string;
}

function CloseEffects({ view, lots, isLimit, limit }: EffectsProps) {
  const text = useFuturesText();
  const trade = useTradeText();
  const { contract, held, takerRate, position } = view;
  const ticks = isLimit ? readTicks(contract, limit) : view.fillTicks;
  if (ticks === undefined || ticks === 0n) return null;
  const effect = previewClose(contract, held, lots, ticks, takerRate);
  const settle = shownCoin(contract.rules.settle);
  const side = trade(position.side === "long" ? "sell" : "buy");
  const left = effect.left;
  return (
    <FactBox
      head={
        <div className="pb-1 font-semibold">
          <span className={position.side === "long" ? "text-down-text" : "text-up-text"}>{side}</span>{" "}
          {groupThousands(writeLots(contract, lots))} → {groupThousands(writeUnits(contract, effect.value))} {settle}
        </div>
      }
      foot={
        left !== undefined && (
          <p className="pt-1 text-muted">
            {text("close.part", {
              quantity: groupThousands(writeLots(contract, left.lots)),
              asset: contract.kind === "linear" ? contract.rules.base : contract.rules.quote,
            })}
          </p>
        )
      }
    >
      <Line label={text("close.fill")} value={groupThousands(writePrice(contract, { over: ticks, under: 1n }))} />
      <Line label={text("close.realised")} value={<Signed contract={contract} units={effect.realized} />} />
      <Line
        label={text("close.fee", { rate: writeRate(takerRate) })}
        value={`−${groupThousands(writeUnits(contract, effect.fee, "ceil"))} ${settle}`}
      />
      <Line label={text("close.back")} value={`${groupThousands(writeUnits(contract, effect.back))} ${settle}`} />
    </FactBox>
  );
}

export function Signed({ contract, units }: { readonly contract: KnownContract; readonly units: bigint }) {
  const plain = writeUnits(contract, units);
  const decimals = plain.split(".")[1]?.length ?? 0;
  return (
    <span className={toneOf(plain)}>
      {writeSigned(plain, decimals)} {shownCoin(contract.rules.settle)}
    </span>
  );
}
