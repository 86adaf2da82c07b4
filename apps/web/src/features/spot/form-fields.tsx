// The fields of each order kind. They show what the form's model holds and hand back what is typed; they judge nothing.
import { AmountField } from "@clockwork/ui/amount-field";
import { Icon } from "@clockwork/ui/icon";
import { PriceField } from "@clockwork/ui/price-field";
import { PERCENT_STOPS, Slider } from "@clockwork/ui/slider";
import { type ReactNode, useId } from "react";
import { Choice } from "#trade/order/choice.tsx";
import { percentOf } from "./form-model.ts";
import { exitDistance } from "./form-preview.ts";
import { isInQuote, SCALED_SHAPES, type ScaledShape, type TextField } from "./form-state.ts";
import { useSpotText } from "./spot-text.ts";
import type { OrderFormModel } from "./use-order-form.ts";

export interface FormPartProps {
  readonly form: OrderFormModel;
}

interface TypedProps extends FormPartProps {
  readonly field: TextField;
  readonly label: string;
  readonly placeholder?: string;
}

function bind({ form, field, label, placeholder }: TypedProps) {
  return {
    name: field,
    label,
    value: form.state.texts[field],
    onChange: (text: string) => form.edit(field, text),
    onBlur: () => form.leave(field),
    error: form.faultOf(field),
    ...(placeholder === undefined ? {} : { placeholder }),
  };
}

function PriceInput(props: TypedProps & { readonly size?: 32 | 40 }) {
  const { pair } = props.form.world;
  return (
    <PriceField
      {...bind(props)}
      size={props.size}
      step={pair.tickSize}
      unit={<UnitText>{pair.quote}</UnitText>}
      // Beside a phone's book there is room for the figure or for the arrows.
      className="@max-[240px]:[&_.min-w-13]:min-w-9 @max-[240px]:[&_button]:hidden"
    />
  );
}

function UnitText({ children }: { readonly children: ReactNode }) {
  return <span className="truncate">{children}</span>;
}

/** A plain figure with a unit: per cent, minutes, a count. */
function FigureInput(props: TypedProps & { readonly unit: string; readonly places: number; readonly step: string }) {
  return (
    <AmountField
      {...bind(props)}
      labelInside
      rules={{ places: props.places, step: props.step }}
      unit={<UnitText>{props.unit}</UnitText>}
    />
  );
}

function QuantityInput({ form }: FormPartProps) {
  const text = useSpotText();
  const { pair } = form.world;
  const inQuote = isInQuote(form.state);
  const field = inQuote ? "amount" : "quantity";
  const canSwap = form.state.kind === "market" && form.state.side === "buy";
  return (
    <AmountField
      {...bind({ form, field, label: text("amount") })}
      labelInside
      rules={inQuote ? { places: 2, step: "1" } : { places: pair.quantityDecimals, step: pair.stepSize }}
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
          <UnitText>{pair.base}</UnitText>
        )
      }
    />
  );
}

function TotalInput({ form }: FormPartProps) {
  const text = useSpotText();
  const { pair } = form.world;
  return (
    <AmountField
      {...bind({ form, field: "amount", label: text("total") })}
      labelInside
      rules={{ places: Math.min(8, pair.priceDecimals + pair.quantityDecimals) }}
      unit={<UnitText>{pair.quote}</UnitText>}
    />
  );
}

export function ShareSlider({ form }: FormPartProps) {
  const text = useSpotText();
  const known = form.state.side === "buy" ? form.world.availableQuote : form.world.availableBase;
  return (
    <Slider
      label={text("share")}
      value={percentOf(form.state, form.world)}
      onChange={form.setPercent}
      stops={PERCENT_STOPS}
      describe={(value) => `${value}%`}
      isDisabled={known === undefined}
      className="px-1 @max-[240px]:[&_div[aria-hidden]]:hidden"
    />
  );
}

function Sized({ form, withTotal = false }: FormPartProps & { readonly withTotal?: boolean }) {
  return (
    <>
      <QuantityInput form={form} />
      <ShareSlider form={form} />
      {withTotal && <TotalInput form={form} />}
    </>
  );
}

function ShapeChoice({ form }: FormPartProps) {
  const text = useSpotText();
  return (
    <Choice
      look="box40"
      label={text("shape")}
      value={form.state.shape}
      options={SCALED_SHAPES.map((shape) => ({ id: shape, title: text(`shape.${shape}`) }))}
      onChange={(id) => form.change({ shape: id as ScaledShape })}
      className="min-w-0 flex-1"
    />
  );
}

export function KindFields({ form }: FormPartProps) {
  const text = useSpotText();
  const price = (field: TextField, label: string, placeholder?: string) => (
    <PriceInput form={form} field={field} label={label} {...(placeholder === undefined ? {} : { placeholder })} />
  );
  switch (form.state.kind) {
    case "limit":
      return (
        <>
          {price("price", text("price"))}
          <Sized form={form} withTotal />
        </>
      );
    case "market":
      return (
        <>
          <Sized form={form} />
          <FigureInput
            form={form}
            field="slippagePercent"
            label={text("slippage")}
            placeholder={text("slippageDefault")}
            unit="%"
            places={2}
            step="0.1"
          />
        </>
      );
    case "stopLimit":
      return (
        <>
          {price("stopPrice", text("stop"))}
          {price("price", text("limitPrice"))}
          <Sized form={form} withTotal />
        </>
      );
    case "stopMarket":
      return (
        <>
          {price("stopPrice", text("stop"))}
          <Sized form={form} />
        </>
      );
    case "trailingStop":
      return (
        <>
          <FigureInput form={form} field="callbackPercent" label={text("callback")} unit="%" places={2} step="0.1" />
          {price("stopPrice", text("activation"), text("atOnce"))}
          <Sized form={form} />
        </>
      );
    case "oco":
      return (
        <>
          {price("price", text("limitPrice"))}
          {price("stopPrice", text("stop"))}
          {price("stopLimitPrice", text("stopLimit"), text("optional"))}
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
  const text = useSpotText();
  return (
    <>
      <PriceInput form={form} field="price" label={text("capPrice")} />
      <Sized form={form} />
      <FigureInput
        form={form}
        field="durationMinutes"
        label={text("duration")}
        unit={text("minutes")}
        places={0}
        step="5"
      />
      <FigureInput
        form={form}
        field="intervalSeconds"
        label={text("interval")}
        unit={text("seconds")}
        places={0}
        step="10"
      />
    </>
  );
}

function ScaledFields({ form }: FormPartProps) {
  const text = useSpotText();
  return (
    <>
      <PriceInput form={form} field="price" label={text("from")} />
      <PriceInput form={form} field="priceTo" label={text("to")} />
      <div className="flex gap-2">
        <div className="min-w-0 flex-1 [&_.min-w-13]:hidden">
          <AmountField
            {...bind({ form, field: "count", label: text("count") })}
            labelInside
            rules={{ places: 0, step: "1" }}
          />
        </div>
        <ShapeChoice form={form} />
      </div>
      <Sized form={form} />
    </>
  );
}

/** Take-profit and stop-loss with how far each lies from the entry. */
export function ExitFields({ form }: FormPartProps) {
  const text = useSpotText();
  const entry = form.state.kind === "market" ? (form.world.last ?? "") : form.state.texts.price;
  return (
    <div className="flex flex-col gap-1">
      <ExitRow form={form} field="takeProfitPrice" label={text("takeProfit")} entry={entry} />
      <ExitRow form={form} field="stopLossPrice" label={text("stopLoss")} entry={entry} />
      {form.state.texts.stopLossPrice !== "" && (
        <PriceInput
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

function ExitRow({ form, field, label, entry }: TypedProps & { readonly entry: string }) {
  const distance = exitDistance(form.state.texts[field], entry);
  const isUp = distance !== undefined && distance.units > 0n;
  const sign = distance === undefined || distance.units === 0n ? "" : isUp ? "+" : "−";
  const units = distance === undefined ? 0n : distance.units < 0n ? -distance.units : distance.units;
  const shown = distance === undefined ? "–" : `${sign}${units / 100n}.${String(units % 100n).padStart(2, "0")}%`;
  return (
    <div className="flex items-start gap-2">
      {/* The figure stands at the edge: there is no unit to share it with. */}
      <div className="min-w-0 flex-1 [&_.min-w-13]:hidden">
        <AmountField
          {...bind({ form, field, label })}
          size={32}
          labelInside
          rules={{ places: form.world.pair.priceDecimals, step: form.world.pair.tickSize }}
        />
      </div>
      <output
        className={`figures flex h-8 w-[88px] shrink-0 items-center justify-end rounded-control border border-line2 bg-surface px-2.5 font-medium text-label @max-[240px]:hidden ${distance === undefined || distance.units === 0n ? "text-muted" : isUp ? "text-up-text" : "text-down-text"}`}
      >
        {shown}
      </output>
    </div>
  );
}

/** The browser's own field for a moment: typed or picked, on the clock the person chose. */
export function ExpiryField({ form }: FormPartProps) {
  const text = useSpotText();
  const errorId = useId();
  const error = form.faultOf("expiresAt");
  return (
    <div className="flex flex-col gap-1">
      <label
        className={`field-box h-10 bg-surface px-3 focus-within:border-accent focus-within:ring-1 focus-within:ring-accent ${error === undefined ? "" : "border-danger ring-1 ring-danger"}`}
      >
        <span className="shrink-0 text-label text-muted">{text("expires")}</span>
        <input
          type="datetime-local"
          name="expiresAt"
          value={form.state.texts.expiresAt}
          onChange={(event) => form.edit("expiresAt", event.target.value)}
          onBlur={() => form.leave("expiresAt")}
          aria-invalid={error !== undefined}
          aria-describedby={error === undefined ? undefined : errorId}
          className="figures min-w-0 flex-1 bg-transparent text-right text-text text-ui outline-none"
        />
        <span className="shrink-0 text-label text-muted">{form.world.zone === "UTC0" ? "UTC" : "UTC+8"}</span>
      </label>
      {error !== undefined && (
        <span id={errorId} className="flex items-start gap-1.5 text-danger text-label">
          <Icon name="warning" size={13} className="mt-[1.5px]" />
          {error}
        </span>
      )}
    </div>
  );
}

export function VisibleField({ form }: FormPartProps) {
  const text = useSpotText();
  const { pair } = form.world;
  return (
    <AmountField
      {...bind({ form, field: "visibleQuantity", label: text("visible") })}
      labelInside
      rules={{ places: pair.quantityDecimals, step: pair.stepSize }}
      unit={<UnitText>{pair.base}</UnitText>}
    />
  );
}
