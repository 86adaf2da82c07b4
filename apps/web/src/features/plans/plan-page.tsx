// `/earn/recurring`: the editor of a recurring buy with what the past would have made of it, and the plans there are.
import type { Plan, PlanList, PlanSource } from "@clockwork/earning/plans/contract";
import { AmountField } from "@clockwork/ui/amount-field";
import { Button, IconButton } from "@clockwork/ui/button";
import { Card } from "@clockwork/ui/card";
import { CoinGlyph } from "@clockwork/ui/coin-glyph";
import { Segmented } from "@clockwork/ui/segmented";
import { Slider } from "@clockwork/ui/slider";
import { Switch } from "@clockwork/ui/switch";
import { TextField } from "@clockwork/ui/text-field";
import { type ReactNode, useState } from "react";
import { useRevalidator, useSearchParams } from "react-router";
import { FailedLine } from "#session/failed-line.tsx";
import { LateSelect } from "#shell/late-select.tsx";
import { useEarnText } from "#words/earn-text.ts";
import { balanceWeights, evenOut, formatAmount, type PlanForm, readMix, START } from "./plan-model.ts";
import { PlanRows } from "./plan-rows.tsx";
import { type PartProps, PlanSide } from "./plan-side.tsx";

export interface PlanPageProps {
  readonly isSignedIn: boolean;
  /** Null for a visitor, and where they could not be loaded. */
  readonly plans: PlanList | null;
  readonly coins: readonly string[];
  readonly free: Readonly<Record<string, string>>;
  readonly frame: (children: ReactNode) => ReactNode;
}

const RHYTHMS = ["1h", "4h", "12h", "day", "week", "twoWeeks", "month"] as const;
const COLOURS = ["bg-m1", "bg-m2", "bg-m3", "bg-m4", "bg-m5"];

export function PlanPage({ isSignedIn, plans, coins, free, frame }: PlanPageProps) {
  const text = useEarnText();
  const { revalidate } = useRevalidator();
  const [address] = useSearchParams();
  const [form, setForm] = useState<PlanForm>(() => readMix(address, coins));
  const [edited, setEdited] = useState<string>();
  const change = (values: Partial<PlanForm>) => setForm((before) => ({ ...before, ...values }));
  const sum = form.coins.reduce((total, { weight }) => total + weight, 0);
  const edit = (plan: Plan) => {
    setEdited(plan.planId);
    setForm({ ...plan, sources: [...plan.sources], coins: [...plan.coins] });
    scrollTo({ top: 0 });
  };
  return frame(
    <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_420px]">
      <div className="grid gap-4">
        <CoinsCard form={form} sum={sum} coins={coins} change={change} />
        <WhenCard form={form} change={change} />
        <SourcesCard form={form} free={free} change={change} />
      </div>
      <PlanSide
        form={form}
        isWhole={sum === 100}
        isSignedIn={isSignedIn}
        edited={edited}
        change={change}
        onDone={() => {
          setEdited(undefined);
          setForm(START);
          void revalidate();
        }}
      />
      <div className="lg:col-span-2">
        {plans === null && isSignedIn ? (
          <Card title={text("plan.mine")}>
            <FailedLine />
          </Card>
        ) : null}
        {plans === null ? null : <PlanRows plans={plans} onEdit={edit} onChanged={() => void revalidate()} />}
      </div>
    </div>,
  );
}

function CoinsCard({
  form,
  sum,
  coins,
  change,
}: PartProps & { readonly sum: number; readonly coins: readonly string[] }) {
  const text = useEarnText();
  const free = coins.filter((asset) => form.coins.every((one) => one.asset !== asset));
  const add = () => free[0] !== undefined && change({ coins: evenOut([...form.coins, { asset: free[0], weight: 1 }]) });
  return (
    <Card
      title={text("plan.coins")}
      aside={
        <span className={`figures text-label ${sum === 100 ? "text-muted" : "text-danger"}`}>
          {text("plan.sum", { sum })}
        </span>
      }
    >
      <div className="mb-3 flex h-1.5 gap-0.5 overflow-hidden rounded-full" aria-hidden="true">
        {form.coins.map(({ asset, weight }, index) => (
          <span key={asset} className={COLOURS[index]} style={{ width: `${weight}%` }} />
        ))}
      </div>
      <ul>
        {form.coins.map(({ asset, weight }, index) => (
          <li
            key={asset}
            className="grid grid-cols-[minmax(0,130px)_minmax(0,1fr)_84px_32px] items-center gap-3 border-line border-t py-2 first:border-t-0"
          >
            <span className="flex items-center gap-2">
              <CoinGlyph code={asset} size={24} />
              <LateSelect
                label={text("coin")}
                labelHidden
                plain
                value={asset}
                onChange={(next) =>
                  change({ coins: form.coins.map((one, place) => (place === index ? { ...one, asset: next } : one)) })
                }
                options={[asset, ...free].map((id) => ({ id, title: id }))}
              />
            </span>
            <Slider
              label={text("plan.weight", { coin: asset })}
              value={weight}
              min={1}
              max={100}
              bubble="never"
              onChange={(value) => change({ coins: balanceWeights(form.coins, index, value) })}
            />
            <TextField
              label={text("plan.weight", { coin: asset })}
              labelHidden
              value={String(weight)}
              maxLength={3}
              onChange={(value) =>
                change({
                  coins: form.coins.map((one, place) =>
                    place === index ? { ...one, weight: Number.parseInt(value, 10) || 0 } : one,
                  ),
                })
              }
            />
            <IconButton
              icon="close"
              label={text("plan.remove", { coin: asset })}
              isDisabled={form.coins.length === 1}
              onPress={() => change({ coins: evenOut(form.coins.filter((_, place) => place !== index)) })}
            />
          </li>
        ))}
      </ul>
      <div className="mt-3 flex items-center gap-3">
        <Button
          kind="neutral"
          size={32}
          icon="plus"
          isDisabled={form.coins.length >= 5 || free.length === 0}
          onPress={add}
        >
          {text("plan.add")}
        </Button>
        <span className="ml-auto text-label text-muted">{text("plan.count", { count: form.coins.length })}</span>
        <Button kind="ghost" size={32} onPress={() => change({ coins: evenOut(form.coins) })}>
          {text("plan.even")}
        </Button>
      </div>
    </Card>
  );
}

function WhenCard({ form, change }: PartProps) {
  const text = useEarnText();
  const isWeekly = form.rhythm === "week" || form.rhythm === "twoWeeks";
  const time = `${String(Math.floor(form.minuteOfDay / 60)).padStart(2, "0")}:${String(form.minuteOfDay % 60).padStart(2, "0")}`;
  const setTime = (value: string) => {
    const [hours = 0, minutes = 0] = value.split(":").map((part) => Number.parseInt(part, 10));
    if (Number.isInteger(hours) && Number.isInteger(minutes))
      change({ minuteOfDay: (hours % 24) * 60 + (minutes % 60) });
  };
  return (
    <Card title={text("plan.when")}>
      <div className="grid gap-4 sm:grid-cols-2">
        <AmountField
          label={text("plan.each")}
          value={form.amount}
          onChange={(amount) => change({ amount })}
          rules={{ places: 6, min: "0" }}
          unit="USDT"
          help={text("plan.least", {
            amount: Math.ceil(100 / Math.max(1, Math.min(...form.coins.map(({ weight }) => weight)))),
          })}
        />
        <LateSelect
          label={text("plan.rhythm")}
          value={form.rhythm}
          onChange={(rhythm) => change({ rhythm: rhythm as PlanForm["rhythm"] })}
          options={RHYTHMS.map((id) => ({ id, title: text(`plan.${id}`) }))}
        />
        {isWeekly ? (
          <div>
            <p className="mb-1 text-label text-muted">{text("plan.on")}</p>
            <Segmented
              label={text("plan.on")}
              wide
              size={36}
              value={String(form.weekday)}
              onChange={(weekday) => change({ weekday: Number.parseInt(weekday, 10) })}
              segments={([1, 2, 3, 4, 5, 6, 7] as const).map((day) => ({
                id: String(day),
                title: text(`plan.day.${day}`),
              }))}
            />
          </div>
        ) : null}
        {form.rhythm === "month" ? (
          <LateSelect
            label={text("plan.monthDay")}
            help={text("plan.lastDay")}
            value={String(form.monthDay)}
            onChange={(monthDay) => change({ monthDay: Number.parseInt(monthDay, 10) })}
            options={Array.from({ length: 31 }, (_, index) => ({ id: String(index + 1), title: String(index + 1) }))}
          />
        ) : null}
        <label className="grid gap-1 text-label text-muted">
          {text("plan.at")}
          <input
            type="time"
            value={time}
            onChange={(event) => setTime(event.target.value)}
            className="figures h-10 rounded-lg border border-line2 bg-bg px-3 text-text text-ui"
          />
        </label>
      </div>
    </Card>
  );
}

function SourcesCard({ form, free, change }: PartProps & { readonly free: Readonly<Record<string, string>> }) {
  const text = useEarnText();
  const all: readonly PlanSource[] = ["spot", "funding", "flexible"];
  const toggle = (source: PlanSource, isOn: boolean) => {
    const kept = all.filter((one) => (one === source ? isOn : form.sources.includes(one)));
    if (kept.length > 0) change({ sources: kept });
  };
  return (
    <Card title={text("plan.from")}>
      <ol>
        {all.map((source, index) => (
          <li key={source} className="flex items-center gap-3 border-line border-t py-2 text-ui first:border-t-0">
            <span className="figures text-muted">{index + 1}</span>
            <span className="flex-1">{text(`plan.${source}`)}</span>
            <span className="figures text-muted">{`${formatAmount(free[source] ?? "0")} USDT`}</span>
            <Switch
              aria-label={text(`plan.${source}`)}
              isSelected={form.sources.includes(source)}
              onChange={(isOn) => toggle(source, isOn)}
            />
          </li>
        ))}
      </ol>
      <p className="mt-3 rounded-lg bg-surface p-3 text-label text-muted">{text("plan.skipNote")}</p>
    </Card>
  );
}
