// The choices around an order: its kind, its side, how long it lives, how it behaves. Shows only what the kind allows.
import { Checkbox } from "@clockwork/ui/checkbox";
import { Switch } from "@clockwork/ui/switch";
import { Choice } from "#trade/order/choice.tsx";
import { useTradeText } from "#trade/trade-text.ts";
import { ExitFields, ExpiryField, type FormPartProps, VisibleField } from "./form-fields.tsx";
import { ORDER_KINDS, type OrderKind, optionsOf, type TimeInForce } from "./form-state.ts";

const PLAN_KINDS: readonly OrderKind[] = ["stopLimit", "stopMarket", "trailingStop", "oco", "twap", "scaled"];
const KIND_TAB =
  "relative flex h-9 items-center whitespace-nowrap font-medium text-label text-muted outline-offset-[-2px] after:absolute after:inset-x-0 after:bottom-0 after:h-0.5 after:bg-transparent hover:text-text data-selected:text-text data-selected:after:bg-accent";

/** Wide: limit and market one press away, the others behind "Plan". Narrow: one list of all. */
export function KindTabs({ form }: FormPartProps) {
  const text = useTradeText();
  const { kind } = form.state;
  const isPlan = PLAN_KINDS.includes(kind);
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
            options={PLAN_KINDS.map(describe)}
            onChange={(id) => form.setKind(id as OrderKind)}
          />
        </span>
      </fieldset>
      <div className="hidden gap-2 @max-[240px]:flex">
        <Choice
          label={text("kinds")}
          value={kind}
          options={ORDER_KINDS.map(describe)}
          onChange={(id) => form.setKind(id as OrderKind)}
          className="min-w-0 flex-1"
        />
        <TimeChoice form={form} />
      </div>
    </>
  );
}

function TimeChoice({ form }: FormPartProps) {
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

export function OrderOptions({ form }: FormPartProps) {
  const text = useTradeText();
  const options = optionsOf(form.state);
  const hasRow = options.postOnly || options.iceberg || options.timesInForce.length > 0;
  return (
    <>
      {options.exits && (
        <div className="flex flex-col gap-2">
          <div className="flex items-center justify-between">
            <Switch isSelected={form.state.exits} onChange={(exits) => form.change({ exits })}>
              {text("exits")}
            </Switch>
            <span className="text-label text-muted @max-[240px]:hidden">{text("trigger")}</span>
          </div>
          {form.state.exits && <ExitFields form={form} />}
        </div>
      )}
      {hasRow && (
        <div className="flex min-h-8 flex-wrap items-center gap-x-4 gap-y-1">
          {options.postOnly && (
            <Checkbox isSelected={form.state.postOnly} onChange={(postOnly) => form.change({ postOnly })}>
              {text("postOnly")}
            </Checkbox>
          )}
          {options.iceberg && (
            <Checkbox isSelected={form.state.iceberg} onChange={(iceberg) => form.change({ iceberg })}>
              {text("iceberg")}
            </Checkbox>
          )}
          <span className="ml-auto @max-[240px]:hidden">
            <TimeChoice form={form} />
          </span>
        </div>
      )}
      {form.state.iceberg && <VisibleField form={form} />}
      {form.state.timeInForce === "GTD" && <ExpiryField form={form} />}
    </>
  );
}
