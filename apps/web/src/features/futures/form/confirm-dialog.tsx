// The question before a futures order: its members from the body that is sent, its effect from the preview.
import { groupThousands } from "@clockwork/kit/decimal";
import { readTimezone } from "@clockwork/kit/timezone";
import { useGlobal } from "#boot/state.ts";
import { writeShown } from "#trade/order/exact.ts";
import { OrderConfirm } from "#trade/order/order-confirm.tsx";
import { describeMembers } from "#trade/order/order-words.ts";
import { useProduct } from "#trade/product.ts";
import { useTradeText } from "#trade/trade-text.ts";
import { shownCoin, writeLots, writeUnits } from "../model/contract.ts";
import { useFuturesText } from "../model/futures-text.ts";
import { type FormPreview, showLiquidation } from "./form-effect.tsx";
import { buildOrder, quantityOf } from "./form-model.ts";
import type { FuturesFormModel } from "./use-form.ts";

interface ConfirmProps {
  readonly form: FuturesFormModel;
  readonly preview: FormPreview | undefined;
}

export function ConfirmDialog({ form, preview }: ConfirmProps) {
  const text = useTradeText();
  const words = useFuturesText();
  const zone = readTimezone(useGlobal((state) => state.timezone));
  const product = useProduct();
  const { state, world } = form;
  const { pair } = world;
  const assets = product.words.assetsOf(pair.pairCode);
  const quantity = quantityOf(state, world);
  const action = words(state.side === "buy" ? "buyLong" : "sellShort");
  const lines = describeMembers(buildOrder(state, world), {
    text,
    assets,
    priceDecimals: pair.priceDecimals,
    quantityDecimals: pair.quantityDecimals,
    zone,
    slippageDefault: text("slippageDefault"),
  });
  return (
    <OrderConfirm
      side={state.side}
      kind={state.kind}
      title={words("confirm.title")}
      headline={
        <>
          <span className={state.side === "buy" ? "text-up-text" : "text-down-text"}>{action}</span>{" "}
          {quantity === undefined ? "" : writeShown(quantity, pair.quantityDecimals)} {assets.quantity} ·{" "}
          {product.words.nameOf(pair.pairCode)}
        </>
      }
      lines={lines}
      effects={preview === undefined ? [] : effectsOf(preview, words, assets.quantity)}
      action={action}
      onYes={form.confirm}
      onNo={form.giveUp}
    />
  );
}

function effectsOf(
  { contract, effect, liquidationAfter }: FormPreview,
  text: ReturnType<typeof useFuturesText>,
  unit: string,
) {
  const settle = shownCoin(contract.rules.settle);
  const { after } = effect;
  const size =
    after === undefined
      ? text("form.flat")
      : `${text(after.side > 0n ? "long" : "short")} ${groupThousands(writeLots(contract, after.lots))} ${unit}`;
  return [
    { label: text("confirm.after"), value: size },
    ...(after === undefined
      ? []
      : [{ label: text("form.liquidation"), value: showLiquidation(contract, liquidationAfter, text("form.none")) }]),
    ...(effect.margin === 0n
      ? []
      : [
          {
            label: text("confirm.margin"),
            value: `${groupThousands(writeUnits(contract, effect.margin, "ceil"))} ${settle}`,
          },
        ]),
    ...(effect.closedLots === 0n
      ? []
      : [
          {
            label: text("confirm.realised"),
            value: `${groupThousands(writeUnits(contract, effect.realized))} ${settle}`,
          },
        ]),
    { label: text("col.fee"), value: `${groupThousands(writeUnits(contract, effect.fee, "ceil"))} ${settle}` },
  ];
}
