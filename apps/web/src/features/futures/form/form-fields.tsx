// What contracts add to the fields of orders: a size as a quantity or a value, the price a trigger watches, and exits with
// what each would return on the margin.
import { AmountField } from "@clockwork/ui/amount-field";
import { Choice } from "#trade/order/choice.tsx";
import { FigureInput, ShareSlider } from "#trade/order/fields.tsx";
import { bindField } from "#trade/order/form-kinds.ts";
import { KindFields } from "#trade/order/kind-fields.tsx";
import { useProduct } from "#trade/product.ts";
import { useTradeText } from "#trade/trade-text.ts";
import { writeBps } from "../model/figures.ts";
import { useFuturesText } from "../model/futures-text.ts";
import { computePrice, percentOf } from "./form-model.ts";
import { optionsOf, TRIGGER_SOURCES, type TriggerSource } from "./form-state.ts";
import type { FuturesFormModel } from "./use-form.ts";

interface FormPartProps {
  readonly form: FuturesFormModel;
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
        field={bindField(form, "quantity", text("form.size"))}
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

export function FuturesFields({ form }: FormPartProps) {
  const unit = form.world.pair.pairCode.split("_")[1] ?? "";
  return <KindFields form={form} unit={unit} sized={<Sized form={form} />} watched={<Watched form={form} />} />;
}

/** Which price the trigger watches. */
function Watched({ form }: FormPartProps) {
  const text = useTradeText();
  if (!optionsOf(form.state).triggers) return null;
  return (
    <Choice
      look="box40"
      label={text("col.stop")}
      value={form.state.triggerSource}
      options={TRIGGER_SOURCES.map((id) => ({ id, title: text(`source.${id}`).split(" ")[0] ?? id }))}
      onChange={(id) => form.change({ triggerSource: id as TriggerSource })}
      className="w-[84px] shrink-0 capitalize @max-[240px]:hidden"
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
  const entry = Number(computePrice(state, world));
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
          {...bindField(form, field, label)}
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
