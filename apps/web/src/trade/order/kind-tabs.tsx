// The kinds of orders and their time in force, shown above a form's fields.
import { useTradeText } from "#trade/trade-text.ts";
import { Choice } from "./choice.tsx";
import { isPlanKind, type OrderFormView, type OrderKind, type TimeInForce } from "./form-kinds.ts";

interface TimeChoiceProps {
  readonly form: OrderFormView;
  /** Those the order may have; with none there is no choice. */
  readonly times: readonly TimeInForce[];
}

export function TimeChoice({ form, times }: TimeChoiceProps) {
  const text = useTradeText();
  if (times.length === 0) return null;
  return (
    <Choice
      label={text("timeInForce")}
      value={form.state.timeInForce}
      options={times.map((one) => ({ id: one, title: one, detail: text(`tif.${one}`) }))}
      onChange={(id) => form.change({ timeInForce: id as TimeInForce })}
      className="w-[72px] shrink-0"
    />
  );
}

const KIND_TAB =
  "relative flex h-9 items-center whitespace-nowrap font-medium text-label text-muted outline-offset-[-2px] after:absolute after:inset-x-0 after:bottom-0 after:h-0.5 after:bg-transparent hover:text-text data-selected:text-text data-selected:after:bg-accent";

/** Wide: limit and market one click away, the others behind "Plan". Narrow: one list of all. */
export function KindTabs({ form, times, kinds }: TimeChoiceProps & { readonly kinds: readonly OrderKind[] }) {
  const text = useTradeText();
  const { kind } = form.state;
  const isPlan = isPlanKind(kind);
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
        <TimeChoice form={form} times={times} />
      </div>
    </>
  );
}
