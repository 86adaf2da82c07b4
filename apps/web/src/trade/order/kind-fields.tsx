// Which fields each kind of order has, in their order. They show the form's model and report input; they validate
// nothing. What a product adds comes in from its form: how a size is typed, a total, the price a trigger watches.
import type { ReactNode } from "react";
import { useTradeText } from "#trade/trade-text.ts";
import { Choice } from "./choice.tsx";
import { ExpiryInput, FigureInput, PriceInput } from "./fields.tsx";
import { bindField, type OrderFormView, type SharedField } from "./form-kinds.ts";
import { LADDER_SHAPES, type LadderShape } from "./ladder.ts";

interface SharedPartProps {
  readonly form: OrderFormView;
}

interface PriceProps extends SharedPartProps {
  readonly field: SharedField;
  readonly label: string;
  readonly unit: string;
  readonly placeholder?: string;
}

function Price({ form, field, label, unit, placeholder }: PriceProps) {
  const { tickSize } = form.world.pair;
  return <PriceInput field={bindField(form, field, label, placeholder)} tickSize={tickSize} unit={unit} />;
}

interface KindFieldsProps extends SharedPartProps {
  /** What prices are in. */
  readonly unit: string;
  /** The size and its slider. */
  readonly sized: ReactNode;
  /** Below the size where price and size make one. */
  readonly total?: ReactNode;
  /** Which price a trigger watches, next to the trigger's own. */
  readonly watched?: ReactNode;
}

export function KindFields({ form, unit, sized, total, watched }: KindFieldsProps) {
  const text = useTradeText();
  const own = { form, unit };
  const trigger = <Trigger {...own} watched={watched} />;
  switch (form.state.kind) {
    case "limit":
      return (
        <>
          <Price {...own} field="price" label={text("price")} />
          {sized}
          {total}
        </>
      );
    case "market":
      return (
        <>
          {sized}
          <FigureInput
            field={bindField(form, "slippagePercent", text("slippage"), text("slippageDefault"))}
            unit="%"
            places={2}
            step="0.1"
          />
        </>
      );
    case "stopLimit":
      return (
        <>
          {trigger}
          <Price {...own} field="price" label={text("limitPrice")} />
          {sized}
          {total}
        </>
      );
    case "stopMarket":
      return (
        <>
          {trigger}
          {sized}
        </>
      );
    case "trailingStop":
      return (
        <>
          <FigureInput field={bindField(form, "callbackPercent", text("callback"))} unit="%" places={2} step="0.1" />
          {trigger}
          {sized}
        </>
      );
    case "oco":
      return (
        <>
          <Price {...own} field="price" label={text("limitPrice")} />
          {trigger}
          <Price {...own} field="stopLimitPrice" label={text("stopLimit")} placeholder={text("optional")} />
          {sized}
        </>
      );
    case "twap":
      return <TwapFields {...own} sized={sized} />;
    case "scaled":
      return <ScaledFields {...own} sized={sized} />;
  }
}

type PartsProps = Pick<KindFieldsProps, "form" | "unit">;

function Trigger({ form, unit, watched }: PartsProps & Pick<KindFieldsProps, "watched">) {
  const text = useTradeText();
  const isTrailing = form.state.kind === "trailingStop";
  const price = (
    <Price
      form={form}
      unit={unit}
      field="stopPrice"
      label={text(isTrailing ? "activation" : "stop")}
      {...(isTrailing ? { placeholder: text("atOnce") } : {})}
    />
  );
  if (watched === undefined) return price;
  return (
    <div className="flex items-start gap-2">
      <div className="min-w-0 flex-1">{price}</div>
      {watched}
    </div>
  );
}

function TwapFields({ form, unit, sized }: PartsProps & Pick<KindFieldsProps, "sized">) {
  const text = useTradeText();
  return (
    <>
      <Price form={form} unit={unit} field="price" label={text("capPrice")} />
      {sized}
      <FigureInput
        field={bindField(form, "durationMinutes", text("duration"))}
        unit={text("minutes")}
        places={0}
        step="5"
      />
      <FigureInput
        field={bindField(form, "intervalSeconds", text("interval"))}
        unit={text("seconds")}
        places={0}
        step="10"
      />
    </>
  );
}

function ScaledFields({ form, unit, sized }: PartsProps & Pick<KindFieldsProps, "sized">) {
  const text = useTradeText();
  return (
    <>
      <Price form={form} unit={unit} field="price" label={text("from")} />
      <Price form={form} unit={unit} field="priceTo" label={text("to")} />
      <div className="flex gap-2">
        <div className="min-w-0 flex-1 [&_.min-w-13]:hidden">
          <FigureInput field={bindField(form, "count", text("count"))} places={0} step="1" />
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
      {sized}
    </>
  );
}

export function ExpiryField({ form }: SharedPartProps) {
  const text = useTradeText();
  return <ExpiryInput field={bindField(form, "expiresAt", text("expires"))} zone={form.world.zone} />;
}

export function VisibleField({ form, unit }: SharedPartProps & { readonly unit: string }) {
  const text = useTradeText();
  const { quantityDecimals, stepSize } = form.world.pair;
  return (
    <FigureInput
      field={bindField(form, "visibleQuantity", text("visible"))}
      places={quantityDecimals}
      step={stepSize}
      unit={unit}
    />
  );
}
