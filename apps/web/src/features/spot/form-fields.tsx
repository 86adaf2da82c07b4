// Which fields each kind of spot order has, in their order. They show what the form's model holds and hand back what is
// typed; they judge nothing.
import { Choice } from "#trade/order/choice.tsx";
import {
  ExitInput,
  ExpiryInput,
  type FieldBinding,
  FigureInput,
  PriceInput,
  ShareSlider,
} from "#trade/order/fields.tsx";
import { LADDER_SHAPES, type LadderShape } from "#trade/order/ladder.ts";
import { useTradeText } from "#trade/trade-text.ts";
import { percentOf } from "./form-model.ts";
import { isInQuote, type TextField } from "./form-state.ts";
import type { OrderFormModel } from "./use-order-form.ts";

export interface FormPartProps {
  readonly form: OrderFormModel;
}

function bind(form: OrderFormModel, field: TextField, label: string, placeholder?: string): FieldBinding {
  return {
    name: field,
    label,
    value: form.state.texts[field],
    onChange: (text) => form.edit(field, text),
    onBlur: () => form.leave(field),
    error: form.faultOf(field),
    ...(placeholder === undefined ? {} : { placeholder }),
  };
}

interface PriceProps extends FormPartProps {
  readonly field: TextField;
  readonly label: string;
  readonly placeholder?: string;
  readonly size?: 32 | 40;
}

function Price({ form, field, label, placeholder, size }: PriceProps) {
  const { tickSize, quote } = form.world.pair;
  return (
    <PriceInput
      field={bind(form, field, label, placeholder)}
      tickSize={tickSize}
      unit={quote}
      {...(size === undefined ? {} : { size })}
    />
  );
}

function QuantityInput({ form }: FormPartProps) {
  const text = useTradeText();
  const { pair } = form.world;
  const inQuote = isInQuote(form.state);
  const canSwap = form.state.kind === "market" && form.state.side === "buy";
  return (
    <FigureInput
      field={bind(form, inQuote ? "amount" : "quantity", text(inQuote ? "spend" : "amount"))}
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

function Sized({ form, withTotal = false }: FormPartProps & { readonly withTotal?: boolean }) {
  const text = useTradeText();
  const { pair, availableQuote, availableBase } = form.world;
  const known = form.state.side === "buy" ? availableQuote : availableBase;
  return (
    <>
      <QuantityInput form={form} />
      <ShareSlider
        percent={percentOf(form.state, form.world)}
        onPercent={form.setPercent}
        isDisabled={known === undefined}
      />
      {withTotal && (
        <FigureInput
          field={bind(form, "amount", text("total"))}
          places={Math.min(8, pair.priceDecimals + pair.quantityDecimals)}
          unit={pair.quote}
        />
      )}
    </>
  );
}

export function KindFields({ form }: FormPartProps) {
  const text = useTradeText();
  switch (form.state.kind) {
    case "limit":
      return (
        <>
          <Price form={form} field="price" label={text("price")} />
          <Sized form={form} withTotal />
        </>
      );
    case "market":
      return (
        <>
          <Sized form={form} />
          <FigureInput
            field={bind(form, "slippagePercent", text("slippage"), text("slippageDefault"))}
            unit="%"
            places={2}
            step="0.1"
          />
        </>
      );
    case "stopLimit":
      return (
        <>
          <Price form={form} field="stopPrice" label={text("stop")} />
          <Price form={form} field="price" label={text("limitPrice")} />
          <Sized form={form} withTotal />
        </>
      );
    case "stopMarket":
      return (
        <>
          <Price form={form} field="stopPrice" label={text("stop")} />
          <Sized form={form} />
        </>
      );
    case "trailingStop":
      return (
        <>
          <FigureInput field={bind(form, "callbackPercent", text("callback"))} unit="%" places={2} step="0.1" />
          <Price form={form} field="stopPrice" label={text("activation")} placeholder={text("atOnce")} />
          <Sized form={form} />
        </>
      );
    case "oco":
      return (
        <>
          <Price form={form} field="price" label={text("limitPrice")} />
          <Price form={form} field="stopPrice" label={text("stop")} />
          <Price form={form} field="stopLimitPrice" label={text("stopLimit")} placeholder={text("optional")} />
          <Sized form={form} />
        </>
      );
    case "twap":
      return <TwapFields form={form} />;
    case "scaled":
      return <ScaledFields form={form} />;
  }
}

function TwapFields({ form }: FormPartProps) {
  const text = useTradeText();
  return (
    <>
      <Price form={form} field="price" label={text("capPrice")} />
      <Sized form={form} />
      <FigureInput field={bind(form, "durationMinutes", text("duration"))} unit={text("minutes")} places={0} step="5" />
      <FigureInput
        field={bind(form, "intervalSeconds", text("interval"))}
        unit={text("seconds")}
        places={0}
        step="10"
      />
    </>
  );
}

function ScaledFields({ form }: FormPartProps) {
  const text = useTradeText();
  return (
    <>
      <Price form={form} field="price" label={text("from")} />
      <Price form={form} field="priceTo" label={text("to")} />
      <div className="flex gap-2">
        <div className="min-w-0 flex-1 [&_.min-w-13]:hidden">
          <FigureInput field={bind(form, "count", text("count"))} places={0} step="1" />
        </div>
        <Choice
          look="box40"
          label={text("shape")}
          value={form.state.shape}
          options={LADDER_SHAPES.map((shape) => ({ id: shape, title: text(`shape.${shape}`) }))}
          onChange={(id) => form.change({ shape: id as LadderShape })}
          className="min-w-0 flex-1"
        />
      </div>
      <Sized form={form} />
    </>
  );
}

/** Take-profit and stop-loss with how far each lies from the entry. */
export function ExitFields({ form }: FormPartProps) {
  const text = useTradeText();
  const { priceDecimals, tickSize } = form.world.pair;
  const entry = form.state.kind === "market" ? (form.world.last ?? "") : form.state.texts.price;
  const rules = { entry, priceDecimals, tickSize };
  return (
    <div className="flex flex-col gap-1">
      <ExitInput field={bind(form, "takeProfitPrice", text("takeProfit"))} {...rules} />
      <ExitInput field={bind(form, "stopLossPrice", text("stopLoss"))} {...rules} />
      {form.state.texts.stopLossPrice !== "" && (
        <Price
          form={form}
          field="stopLossLimitPrice"
          label={text("stopLossLimit")}
          placeholder={text("optional")}
          size={32}
        />
      )}
    </div>
  );
}

export function ExpiryField({ form }: FormPartProps) {
  const text = useTradeText();
  return <ExpiryInput field={bind(form, "expiresAt", text("expires"))} zone={form.world.zone} />;
}

export function VisibleField({ form }: FormPartProps) {
  const text = useTradeText();
  const { quantityDecimals, stepSize, base } = form.world.pair;
  return (
    <FigureInput
      field={bind(form, "visibleQuantity", text("visible"))}
      places={quantityDecimals}
      step={stepSize}
      unit={base}
    />
  );
}
