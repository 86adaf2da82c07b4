// Which fields each kind of futures order has, in their order. They show what the form's model holds and judge nothing.
import { AmountField } from "@clockwork/ui/amount-field";
import { Choice } from "#trade/order/choice.tsx";
import { ExpiryInput, type FieldBinding, FigureInput, PriceInput, ShareSlider } from "#trade/order/fields.tsx";
import { LADDER_SHAPES, type LadderShape } from "#trade/order/ladder.ts";
import { useProduct } from "#trade/product.ts";
import { useTradeText } from "#trade/trade-text.ts";
import { writeBps } from "../model/figures.ts";
import { useFuturesText } from "../model/futures-text.ts";
import { percentOf, reckonPrice } from "./form-model.ts";
import {
  isPlanKind,
  kindsOf,
  type OrderKind,
  optionsOf,
  type TextField,
  type TimeInForce,
  TRIGGER_SOURCES,
  type TriggerSource,
} from "./form-state.ts";
import type { FuturesFormModel } from "./use-form.ts";

interface FormPartProps {
  readonly form: FuturesFormModel;
}

function bind(form: FuturesFormModel, field: TextField, label: string, placeholder?: string): FieldBinding {
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
}

function Price({ form, field, label, placeholder }: PriceProps) {
  const { tickSize, pairCode } = form.world.pair;
  return (
    <PriceInput field={bind(form, field, label, placeholder)} tickSize={tickSize} unit={pairCode.split("_")[1] ?? ""} />
  );
}

function Sized({ form }: FormPartProps) {
  const text = useFuturesText();
  const trade = useTradeText();
  const { words } = useProduct();
  const { pair } = form.world;
  const assets = words.assetsOf(pair.pairCode);
  const inValue = form.state.sizeIn === "value";
  return (
    <>
      <FigureInput
        field={bind(form, "quantity", text("form.size"))}
        places={inValue ? (pair.kind === "linear" ? 2 : 8) : pair.quantityDecimals}
        {...(inValue ? {} : { step: pair.stepSize })}
        unit={
          <Choice
            look="plain"
            label={trade("sizeIn")}
            value={form.state.sizeIn}
            options={[
              { id: "quantity", title: assets.quantity },
              { id: "value", title: assets.value },
            ]}
            onChange={(id) => form.change({ sizeIn: id === "value" ? "value" : "quantity", percent: undefined })}
          />
        }
      />
      <ShareSlider
        percent={percentOf(form.state, form.world)}
        onPercent={form.setPercent}
        isDisabled={form.world.mostBuy === undefined}
      />
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
          <Sized form={form} />
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
          <Trigger form={form} />
          <Price form={form} field="price" label={text("limitPrice")} />
          <Sized form={form} />
        </>
      );
    case "stopMarket":
      return (
        <>
          <Trigger form={form} />
          <Sized form={form} />
        </>
      );
    case "trailingStop":
      return (
        <>
          <FigureInput field={bind(form, "callbackPercent", text("callback"))} unit="%" places={2} step="0.1" />
          <Trigger form={form} />
          <Sized form={form} />
        </>
      );
    case "oco":
      return (
        <>
          <Price form={form} field="price" label={text("limitPrice")} />
          <Trigger form={form} />
          <Price form={form} field="stopLimitPrice" label={text("stopLimit")} placeholder={text("optional")} />
          <Sized form={form} />
        </>
      );
    case "twap":
      return (
        <>
          <Price form={form} field="price" label={text("capPrice")} />
          <Sized form={form} />
          <FigureInput
            field={bind(form, "durationMinutes", text("duration"))}
            unit={text("minutes")}
            places={0}
            step="5"
          />
          <FigureInput
            field={bind(form, "intervalSeconds", text("interval"))}
            unit={text("seconds")}
            places={0}
            step="10"
          />
        </>
      );
    case "scaled":
      return <ScaledFields form={form} />;
  }
}

/** The trigger's price and which price it watches. */
function Trigger({ form }: FormPartProps) {
  const text = useTradeText();
  const isTrailing = form.state.kind === "trailingStop";
  return (
    <div className="flex items-start gap-2">
      <div className="min-w-0 flex-1">
        <Price
          form={form}
          field="stopPrice"
          label={text(isTrailing ? "activation" : "stop")}
          {...(isTrailing ? { placeholder: text("atOnce") } : {})}
        />
      </div>
      {optionsOf(form.state).triggers && (
        <Choice
          look="box40"
          label={text("col.stop")}
          value={form.state.triggerSource}
          options={TRIGGER_SOURCES.map((id) => ({ id, title: text(`source.${id}`).split(" ")[0] ?? id }))}
          onChange={(id) => form.change({ triggerSource: id as TriggerSource })}
          className="w-[84px] shrink-0 capitalize @max-[240px]:hidden"
        />
      )}
    </div>
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

export function ExpiryField({ form }: FormPartProps) {
  const text = useTradeText();
  return <ExpiryInput field={bind(form, "expiresAt", text("expires"))} zone={form.world.zone} />;
}

export function VisibleField({ form }: FormPartProps) {
  const text = useTradeText();
  const { words } = useProduct();
  const { pairCode, quantityDecimals, stepSize } = form.world.pair;
  return (
    <FigureInput
      field={bind(form, "visibleQuantity", text("visible"))}
      places={quantityDecimals}
      step={stepSize}
      unit={words.assetsOf(pairCode).quantity}
    />
  );
}

/** Take-profit and stop-loss, with what each would return on the margin. */
export function ExitRows({ form }: FormPartProps) {
  const text = useTradeText();
  return (
    <div className="flex flex-col gap-1">
      <ExitRow form={form} field="stopProfit" label={text("takeProfit")} />
      <ExitRow form={form} field="stopLoss" label={text("stopLoss")} />
    </div>
  );
}

function ExitRow({
  form,
  field,
  label,
}: FormPartProps & { readonly field: "stopProfit" | "stopLoss"; readonly label: string }) {
  const text = useFuturesText();
  const { state, world, own } = form;
  const { priceDecimals, tickSize } = world.pair;
  const entry = Number(reckonPrice(state, world));
  const exit = Number(state.texts[field]);
  const leverage = (state.side === "buy" ? own.settings?.leverageLong : own.settings?.leverageShort) ?? 20;
  const isKnown = entry > 0 && exit > 0;
  // Of the entry's margin; inverse contracts gain by the inverse of the price.
  const move = world.pair.kind === "linear" ? (exit - entry) / entry : (exit - entry) / exit;
  const roe = isKnown ? BigInt(Math.trunc((state.side === "buy" ? move : -move) * leverage * 10_000)) : undefined;
  const tone = roe === undefined || roe === 0n ? "text-muted" : roe > 0n ? "text-up-text" : "text-down-text";
  return (
    <div className="flex items-start gap-2">
      <div className="min-w-0 flex-1 [&_.min-w-13]:hidden">
        <AmountField
          {...bind(form, field, label)}
          size={32}
          labelInside
          rules={{ places: priceDecimals, step: tickSize }}
        />
      </div>
      <output className="figures flex h-8 w-[104px] shrink-0 items-center justify-between rounded-control border border-line2 bg-surface px-2 text-label @max-[240px]:hidden">
        <span className="text-muted">{text("form.roe")}</span>
        <span className={`font-medium ${tone}`}>{roe === undefined ? "–" : writeBps(roe)}</span>
      </output>
    </div>
  );
}

export function TimeChoice({ form }: FormPartProps) {
  const text = useTradeText();
  const { timesInForce } = optionsOf(form.state);
  if (timesInForce.length === 0) return null;
  return (
    <Choice
      label={text("timeInForce")}
      value={form.state.timeInForce}
      options={timesInForce.map((one) => ({ id: one, title: one, detail: text(`tif.${one}`) }))}
      onChange={(id) => form.change({ timeInForce: id as TimeInForce })}
      className="w-[72px] shrink-0"
    />
  );
}

const KIND_TAB =
  "relative flex h-9 items-center whitespace-nowrap font-medium text-label text-muted outline-offset-[-2px] after:absolute after:inset-x-0 after:bottom-0 after:h-0.5 after:bg-transparent hover:text-text data-selected:text-text data-selected:after:bg-accent";

/** Wide: limit and market one press away, the others behind "Plan". Narrow: one list of all. */
export function KindTabs({ form }: FormPartProps) {
  const text = useTradeText();
  const { kind } = form.state;
  const isPlan = isPlanKind(kind);
  const kinds = kindsOf(form.state);
  const describe = (one: OrderKind) => ({ id: one, title: text(`kind.${one}`) });
  return (
    <>
      <fieldset
        aria-label={text("kinds")}
        className="m-0 flex min-w-0 items-center gap-4 border-0 p-0 @max-[240px]:hidden"
      >
        {(["limit", "market"] as const).map((one) => (
          <button
            key={one}
            type="button"
            aria-pressed={kind === one}
            data-selected={kind === one ? "" : undefined}
            className={KIND_TAB}
            onClick={() => form.setKind(one)}
          >
            {text(`kind.${one}`)}
          </button>
        ))}
        <span className={KIND_TAB} data-selected={isPlan ? "" : undefined}>
          <Choice
            look="plain"
            label={text("planKinds")}
            placeholder={text("plan")}
            value={isPlan ? kind : undefined}
            options={kinds.filter(isPlanKind).map(describe)}
            onChange={(id) => form.setKind(id as OrderKind)}
          />
        </span>
      </fieldset>
      <div className="hidden gap-2 @max-[240px]:flex">
        <Choice
          label={text("kinds")}
          value={kind}
          options={kinds.map(describe)}
          onChange={(id) => form.setKind(id as OrderKind)}
          className="min-w-0 flex-1"
        />
        <TimeChoice form={form} />
      </div>
    </>
  );
}
