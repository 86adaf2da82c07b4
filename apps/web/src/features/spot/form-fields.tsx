// The fields spot adds to orders: a size in either coin, the total, and exits with their distance from the entry.
import { Choice } from "#trade/order/choice.tsx";
import { ExitInput, FigureInput, PriceInput, ShareSlider } from "#trade/order/fields.tsx";
import { bindField } from "#trade/order/form-kinds.ts";
import { KindFields } from "#trade/order/kind-fields.tsx";
import { useTradeText } from "#trade/trade-text.ts";
import { percentOf } from "./form-model.ts";
import { isInQuote } from "./form-state.ts";
import type { OrderFormModel } from "./use-order-form.ts";

export interface FormPartProps {
  readonly form: OrderFormModel;
}

function QuantityInput({ form }: FormPartProps) {
  const text = useTradeText();
  const { pair } = form.world;
  const inQuote = isInQuote(form.state);
  const canSwap = form.state.kind === "market" && form.state.side === "buy";
  return (
    <FigureInput
      field={bindField(form, inQuote ? "amount" : "quantity", text(inQuote ? "spend" : "amount"))}
      places={inQuote ? 2 : pair.quantityDecimals}
      step={inQuote ? "1" : pair.stepSize}
      unit={
        canSwap ? (
          <Choice
            look="plain"
            label={text("sizeIn")}
            value={form.state.sizeIn}
            options={[
              { id: "quote", title: pair.quote },
              { id: "base", title: pair.base },
            ]}
            onChange={(id) => form.change({ sizeIn: id === "base" ? "base" : "quote", percent: undefined })}
          />
        ) : (
          pair.base
        )
      }
    />
  );
}

function Sized({ form }: FormPartProps) {
  const { availableQuote, availableBase } = form.world;
  const known = form.state.side === "buy" ? availableQuote : availableBase;
  return (
    <>
      <QuantityInput form={form} />
      <ShareSlider
        percent={percentOf(form.state, form.world)}
        onPercent={form.setPercent}
        isDisabled={known === undefined}
      />
    </>
  );
}

function Total({ form }: FormPartProps) {
  const text = useTradeText();
  const { pair } = form.world;
  return (
    <FigureInput
      field={bindField(form, "amount", text("total"))}
      places={Math.min(8, pair.priceDecimals + pair.quantityDecimals)}
      unit={pair.quote}
    />
  );
}

export function SpotFields({ form }: FormPartProps) {
  return (
    <KindFields form={form} unit={form.world.pair.quote} sized={<Sized form={form} />} total={<Total form={form} />} />
  );
}

/** Take-profit and stop-loss with their distance from the entry. */
export function ExitFields({ form }: FormPartProps) {
  const text = useTradeText();
  const { priceDecimals, tickSize, quote } = form.world.pair;
  const entry = form.state.kind === "market" ? (form.world.last ?? "") : form.state.texts.price;
  const rules = { entry, priceDecimals, tickSize };
  return (
    <div className="flex flex-col gap-1">
      <ExitInput field={bindField(form, "takeProfitPrice", text("takeProfit"))} {...rules} />
      <ExitInput field={bindField(form, "stopLossPrice", text("stopLoss"))} {...rules} />
      {form.state.texts.stopLossPrice !== "" && (
        <PriceInput
          field={bindField(form, "stopLossLimitPrice", text("stopLossLimit"), text("optional"))}
          tickSize={tickSize}
          unit={quote}
          size={32}
        />
      )}
    </div>
  );
}
