// The form of a new grid: range, count, spacing, money and what is advanced. Holds no rule: what is wrong comes in.
import { formatDecimal } from "@clockwork/kit/format";
import { Checkbox } from "@clockwork/ui/checkbox";
import { Segmented } from "@clockwork/ui/segmented";
import { TextField } from "@clockwork/ui/text-field";
import { latePart } from "#boot/late-part.tsx";
import { ShortFunds } from "#session/short-funds.tsx";
import { keyOf, useGridText } from "./grid-text.ts";
import type { Draft } from "./model/grid-model.ts";
import type { Free } from "./use-free.ts";

const ShareSlider = latePart(async () => (await import("./share-slider.tsx")).ShareSlider);

export interface CreateFormProps {
  readonly draft: Draft;
  readonly base: string;
  readonly quote: string;
  readonly isSpot: boolean;
  readonly refusal: string | undefined;
  /** Of the quote, where the money comes from; undefined for visitors. */
  readonly money: Free;
  readonly onChange: (change: Partial<Draft>) => void;
}

const SPOT_KINDS = ["spot", "infinity"] as const;
const FUTURES_KINDS = ["neutral", "long", "short"] as const;
const AT_COUNT = new Set(["GRID_COUNT_INVALID", "GRID_LINES_NOT_DISTINCT", "GRID_CELL_EARNS_NOTHING"]);
const AT_MONEY = new Set(["GRID_INVESTMENT_TOO_SMALL", "GRID_LIQUIDATION_INSIDE"]);

export function CreateForm({
  draft,
  base,
  quote,
  isSpot,
  refusal,
  money: { free, requestAgain },
  onChange,
}: CreateFormProps) {
  const text = useGridText();
  const at = (codes: ReadonlySet<string>): string | undefined =>
    refusal !== undefined && codes.has(refusal) ? text(keyOf("refusal", refusal)) : undefined;
  const isInfinity = draft.kind === "infinity";
  const isElsewhere = refusal !== undefined && !AT_COUNT.has(refusal) && !AT_MONEY.has(refusal);
  const field = (name: "lower" | "upper" | "investment") => ({
    label: text(`label.${name}`),
    value: draft[name],
    onChange: (value: string) => onChange({ [name]: value.trim() }),
    suffix: <span className="text-muted">{quote}</span>,
    inputMode: "decimal" as const,
    autoComplete: "off",
  });
  return (
    <div className="flex flex-col gap-3">
      <Segmented
        label={text("label.direction")}
        wide
        segments={(isSpot ? SPOT_KINDS : FUTURES_KINDS).map((id) => ({
          id,
          title: text(`create.kind.${id}`),
        }))}
        value={draft.kind}
        onChange={(kind) => onChange({ kind: kind as Draft["kind"] })}
      />
      {isInfinity && <p className="text-label text-muted">{text("create.infinity")}</p>}
      <TextField {...field("lower")} {...(isElsewhere ? { error: text(keyOf("refusal", refusal)) } : {})} />
      {!isInfinity && <TextField {...field("upper")} />}
      <div className={isInfinity ? "" : "grid grid-cols-[1fr_auto] items-end gap-2"}>
        <TextField
          label={text(isInfinity ? "label.gridsBelow" : "label.grids")}
          value={draft.count}
          inputMode="numeric"
          onChange={(count) => onChange({ count: count.trim() })}
        />
        {!isInfinity && (
          <Segmented
            label={text("label.range")}
            size={36}
            segments={(["arithmetic", "geometric"] as const).map((id) => ({ id, title: text(`spacing.${id}`) }))}
            value={draft.spacing}
            onChange={(spacing) => onChange({ spacing: spacing as Draft["spacing"] })}
          />
        )}
      </div>
      {at(AT_COUNT) !== undefined && <p className="text-danger text-label">{at(AT_COUNT)}</p>}
      <TextField {...field("investment")} {...(at(AT_MONEY) === undefined ? {} : { error: at(AT_MONEY) })} />
      <ShortFunds
        asset={quote}
        account={isSpot ? "spot" : "futures"}
        free={free}
        wanted={draft.investment}
        onFunded={requestAgain}
      />
      {free !== undefined && <Share free={free} investment={draft.investment} quote={quote} onChange={onChange} />}
      {!isSpot && (
        <TextField
          label={text("label.leverage")}
          value={draft.leverage}
          inputMode="numeric"
          suffix={<span className="text-muted">×</span>}
          onChange={(leverage) => onChange({ leverage: leverage.trim() })}
        />
      )}
      <Advanced draft={draft} base={base} quote={quote} isSpot={isSpot} onChange={onChange} />
    </div>
  );
}

interface ShareProps extends Pick<CreateFormProps, "onChange" | "quote"> {
  readonly free: string;
  readonly investment: string;
}

const WHOLE = 100;

/** The investment as a part of what is free. */
function Share({ free, investment, quote, onChange }: ShareProps) {
  const text = useGridText();
  const most = Number(free);
  const percent = most > 0 ? Math.min(WHOLE, Math.max(0, Math.round((Number(investment) / most) * WHOLE))) : 0;
  const set = (part: number): void =>
    onChange({ investment: formatDecimal(String((most * part) / WHOLE), { decimals: 2 }) });
  return (
    <>
      <ShareSlider
        label={text("create.share")}
        value={Number.isNaN(percent) ? 0 : percent}
        onChange={set}
        isDisabled={most === 0}
      />
      <p className="flex justify-between text-label text-muted">
        {text("create.free")}
        <span className="figures text-text">
          {formatDecimal(free, { decimals: 2, grouped: true })} {quote}
        </span>
      </p>
    </>
  );
}

/** An infinity grid trails the price on its own. */
const TRAILS: ReadonlySet<string> = new Set(["trailUp", "trailDown"]);
const ADVANCED = ["takeProfit", "stopLoss", "trigger", "trailUp", "trailDown"] as const;

function Advanced({ draft, base, quote, isSpot, onChange }: Omit<CreateFormProps, "refusal" | "money">) {
  const text = useGridText();
  return (
    <details className="border-line border-t pt-2">
      <summary className="cursor-pointer py-1 font-medium text-ui">{text("create.advanced")}</summary>
      <div className="mt-2 grid grid-cols-2 gap-2">
        {ADVANCED.filter((name) => draft.kind !== "infinity" || !TRAILS.has(name)).map((name) => (
          <TextField
            key={name}
            label={text(`label.${name}`)}
            value={draft[name]}
            inputMode="decimal"
            suffix={<span className="text-muted">{quote}</span>}
            onChange={(value) => onChange({ [name]: value.trim() })}
          />
        ))}
        {draft.kind !== "neutral" && (
          <TextField
            label={text("label.exit")}
            value={draft.exit}
            inputMode="decimal"
            suffix={<span className="text-muted">%</span>}
            onChange={(exit) => onChange({ exit: exit.trim() })}
          />
        )}
        {isSpot && (
          <TextField
            label={text("label.base", { coin: base })}
            value={draft.base}
            inputMode="decimal"
            suffix={<span className="text-muted">{base}</span>}
            onChange={(value) => onChange({ base: value.trim() })}
          />
        )}
      </div>
      <TextField
        className="mt-2"
        type="datetime-local"
        label={text("label.ends")}
        value={draft.ends}
        onChange={(ends) => onChange({ ends })}
      />
      {isSpot && (
        <Checkbox className="mt-2" isSelected={draft.keeps} onChange={(keeps) => onChange({ keeps })}>
          {text("label.keeps")}
        </Checkbox>
      )}
    </details>
  );
}
