// The inputs of a new basket: coins and weights, the rule, the money. Contains no rule: errors come in.

import { formatDecimal } from "@clockwork/kit/format";
import { BASKET_COINS_MAX, BASKET_COINS_MIN, WEIGHTS_BPS } from "@clockwork/kit/grid/rebalance";
import { Button, IconButton } from "@clockwork/ui/button";
import { Card } from "@clockwork/ui/card";
import { CoinGlyph } from "@clockwork/ui/coin-glyph";
import { Segmented } from "@clockwork/ui/segmented";
import { TextField } from "@clockwork/ui/text-field";
import { useRevalidator } from "react-router";
import { ShortFunds } from "#session/short-funds.tsx";
import { LateSelect } from "#shell/late-select.tsx";
import { intervalText } from "./basket-text.ts";
import { keyOf, useGridText } from "./grid-text.ts";
import {
  BASKET_RULES,
  type BasketDraft,
  evenOut,
  INTERVALS_MS,
  type Preview,
  percentText,
  QUOTE,
  readBps,
} from "./model/basket-model.ts";
import type { BasketData, MadeBasket } from "./use-basket.ts";

export interface BasketProps {
  readonly data: BasketData;
  readonly made: MadeBasket;
}

export const COLOURS = ["bg-m1", "bg-m2", "bg-m3", "bg-m4", "bg-m5", "bg-m6"] as const;

/** The error of a field: the preview's, else the server's. */
function useRefusal({ preview, failure }: MadeBasket) {
  const text = useGridText();
  return (at: "coins" | "rule" | "investment"): string | undefined => {
    const code: Preview[typeof at] = preview[at];
    if (code === undefined) return failure?.at === at ? failure.message : undefined;
    const reply = text(keyOf("refusal", code));
    return at === "investment" && preview.least !== undefined
      ? `${reply} ${text("basket.least", { amount: `${formatDecimal(preview.least, { decimals: 2 })} ${QUOTE}` })}`
      : reply;
  };
}

export function CoinsCard({ data, made }: BasketProps) {
  const text = useGridText();
  const { draft, change, preview } = made;
  const { coins } = draft;
  const free = [...data.pairs.map(({ base }) => base), QUOTE].filter((coin) => coins.every((one) => one.coin !== coin));
  const refusal = useRefusal(made)("coins");
  const isWhole = preview.sumBps === WEIGHTS_BPS;
  return (
    <Card
      title={text("basket.coins")}
      aside={
        <span className={`figures text-label ${isWhole ? "text-muted" : "text-danger"}`}>
          {text("basket.sum", { sum: percentText(preview.sumBps) })}
        </span>
      }
    >
      <div className="mb-3 flex h-1.5 gap-0.5 overflow-hidden rounded-full" aria-hidden="true">
        {coins.map(({ coin, weight }, i) => (
          <span
            key={coin}
            className={COLOURS[i % COLOURS.length]}
            style={{ width: `${(readBps(weight) ?? 0) / 100}%` }}
          />
        ))}
      </div>
      <ul>
        {coins.map((one, i) => (
          <CoinRow key={one.coin} place={i} free={free} draft={draft} onChange={change} />
        ))}
      </ul>
      {refusal !== undefined && (
        <p role="alert" className="mt-2 text-danger text-label">
          {refusal}
        </p>
      )}
      <div className="mt-3 flex flex-wrap items-center gap-3">
        <Button
          size={32}
          icon="plus"
          isDisabled={coins.length >= BASKET_COINS_MAX || free[0] === undefined}
          onPress={() => free[0] !== undefined && change({ coins: evenOut([...coins, { coin: free[0] }]) })}
        >
          {text("basket.add")}
        </Button>
        <span className="ml-auto text-label text-muted">
          {text("basket.count", { count: coins.length, most: BASKET_COINS_MAX })}
        </span>
        <Button kind="ghost" size={32} onPress={() => change({ coins: evenOut(coins) })}>
          {text("basket.even")}
        </Button>
      </div>
    </Card>
  );
}

interface CoinRowProps {
  readonly place: number;
  readonly free: readonly string[];
  readonly draft: BasketDraft;
  readonly onChange: (part: Partial<BasketDraft>) => void;
}

function CoinRow({ place, free, draft: { coins }, onChange }: CoinRowProps) {
  const text = useGridText();
  const { coin, weight } = coins[place] as BasketDraft["coins"][number];
  const put = (part: Partial<BasketDraft["coins"][number]>): void =>
    onChange({ coins: coins.map((one, i) => (i === place ? { ...one, ...part } : one)) });
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_116px_32px] items-center gap-3 border-line border-t py-2 first:border-t-0">
      <span className="flex min-w-0 items-center gap-2">
        <span aria-hidden="true" className={`size-2 shrink-0 rounded-[2px] ${COLOURS[place % COLOURS.length]}`} />
        <CoinGlyph code={coin} size={24} />
        <LateSelect
          label={text("basket.coin")}
          labelHidden
          plain
          value={coin}
          onChange={(next) => put({ coin: next })}
          options={[coin, ...free].map((id) => ({ id, title: id }))}
        />
        {coin === QUOTE && <span className="truncate text-label text-muted">{text("basket.quoteCoin")}</span>}
      </span>
      <TextField
        label={text("basket.weight", { coin })}
        labelHidden
        value={weight}
        maxLength={6}
        inputMode="decimal"
        autoComplete="off"
        suffix={<span className="text-muted">%</span>}
        onChange={(value) => put({ weight: value.trim() })}
      />
      <IconButton
        icon="close"
        label={text("basket.remove", { coin })}
        isDisabled={coins.length <= BASKET_COINS_MIN}
        onPress={() => onChange({ coins: evenOut(coins.filter((_, i) => i !== place)) })}
      />
    </li>
  );
}

export function RuleCard({ data, made }: BasketProps) {
  const text = useGridText();
  const { draft, change } = made;
  const refusalOf = useRefusal(made);
  const { revalidate } = useRevalidator();
  const [rule, investment] = [refusalOf("rule"), refusalOf("investment")];
  const free = data.free === null ? undefined : `${formatDecimal(data.free, { decimals: 2, grouped: true })} ${QUOTE}`;
  return (
    <Card title={text("basket.rule")}>
      <div className="flex flex-col gap-4">
        <Segmented
          label={text("basket.rule")}
          wide
          size={36}
          segments={BASKET_RULES.map((id) => ({ id, title: text(`basket.by.${id}`) }))}
          value={draft.by}
          onChange={(by) => change({ by: by as BasketDraft["by"] })}
        />
        <div className="grid gap-4 sm:grid-cols-2">
          {draft.by !== "interval" && (
            <TextField
              label={text("basket.threshold")}
              value={draft.threshold}
              inputMode="decimal"
              autoComplete="off"
              suffix={<span className="text-muted">%</span>}
              help={text("basket.thresholdHelp")}
              onChange={(threshold) => change({ threshold: threshold.trim() })}
              {...(rule === undefined ? {} : { error: rule })}
            />
          )}
          {draft.by !== "threshold" && (
            <LateSelect
              label={text("basket.interval")}
              value={String(draft.intervalMs)}
              onChange={(ms) => change({ intervalMs: Number(ms) })}
              options={INTERVALS_MS.map((ms) => ({ id: String(ms), title: intervalText(text, ms) }))}
            />
          )}
          <TextField
            label={text("label.investment")}
            value={draft.investment}
            inputMode="decimal"
            autoComplete="off"
            suffix={<span className="text-muted">{QUOTE}</span>}
            {...(free === undefined ? {} : { help: text("basket.free", { amount: free }) })}
            onChange={(value) => change({ investment: value.trim() })}
            {...(investment === undefined ? {} : { error: investment })}
          />
        </div>
        <ShortFunds
          asset={QUOTE}
          free={data.free ?? undefined}
          wanted={draft.investment}
          onFunded={() => void revalidate()}
        />
      </div>
    </Card>
  );
}
