// Spring cards in the operators' console: activities with their results, and the form that proposes another.
import { type ActivityPayload, SPRING_CONSOLE_CALLS, type SpringReport } from "@clockwork/growth/spring/contract";
import { formatDecimal } from "@clockwork/kit/format";
import { DAY_MS, formatDateTime } from "@clockwork/kit/time";
import { filterDigits } from "@clockwork/kit/validate";
import { Button } from "@clockwork/ui/button";
import { Card } from "@clockwork/ui/card";
import { Badge } from "@clockwork/ui/pill";
import { TextField } from "@clockwork/ui/text-field";
import { useState } from "react";
import { ActionNote, FormRow, readInstant, useOperatorAction } from "#console/operator-action.tsx";
import { keepTyped, ProposalCard, sentAmount, TypedFields, usdtTyped } from "#console/proposal-form.tsx";
import { FailedLine } from "#session/failed-line.tsx";
import { useRewardsText } from "#words/rewards-text.ts";

/** With as few decimals as it has, two at most. */
const money = (amount: string): string =>
  formatDecimal(amount, { grouped: true, decimals: Math.min(2, amount.split(".")[1]?.length ?? 0) });

type Activity = SpringReport["activities"][number];

export interface SpringDeskProps {
  readonly report: SpringReport | null;
  readonly onChanged: () => void;
}

export function SpringDesk({ report, onChanged }: SpringDeskProps) {
  const text = useRewardsText();
  const action = useOperatorAction();
  const set = async (activityId: string, isOpen: boolean) => {
    await action.run(SPRING_CONSOLE_CALLS.open, { activityId, isOpen });
    onChanged();
  };
  return (
    <>
      <Card title={text("desk.spring")}>
        <ActionNote action={action} />
        {report === null && <FailedLine />}
        {report?.activities.length === 0 && <p className="text-muted text-ui">{text("desk.noSpring")}</p>}
        <ul>
          {report?.activities.map((activity) => (
            <ActivityRow
              key={activity.activityId}
              activity={activity}
              onSet={(isOpen) => void set(activity.activityId, isOpen)}
            />
          ))}
        </ul>
      </Card>
      <ActivityForm />
    </>
  );
}

function ActivityRow({ activity, onSet }: { readonly activity: Activity; readonly onSet: (isOpen: boolean) => void }) {
  const text = useRewardsText();
  const prizes = activity.prizes.map(({ count, amount }) => `${count} × ${money(amount)}`).join(", ");
  const day = (ms: number): string => formatDateTime(ms).slice(0, 16);
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 border-line border-t py-2 text-ui first:border-t-0">
      <span className="min-w-0 flex-1 basis-64">
        {activity.name} <span className="text-label text-muted">{activity.activityId}</span>{" "}
        {activity.isSimulated && <Badge tone="outline">{text("simulated")}</Badge>}
        <span className="figures block text-label text-muted">
          {day(activity.startsAtMs)} – {day(activity.endsAtMs)} · {activity.campaignId}
        </span>
        <span className="figures block text-label text-muted">
          {text("desk.springTerms", {
            prizes,
            volume: money(activity.volumePerDraw),
            draws: activity.drawsPerDayMax,
          })}
        </span>
      </span>
      <span className="figures text-label text-muted">
        {text("desk.springGiven", {
          cards: activity.cards,
          movements: activity.movements,
          won: money(activity.won),
        })}
      </span>
      <Button size={28} kind="neutral" onPress={() => onSet(!activity.isOpen)}>
        {text(activity.isOpen ? "desk.close" : "desk.open")}
      </Button>
    </li>
  );
}

const EMPTY = { activityId: "", campaignId: "", name: "", starts: "", runs: "30", volume: "500", draws: "20" };
const NO_PRIZE = { count: "", amount: "" };
const PRIZES_MAX = 10;
const FIELDS = [
  ["activityId", "desk.activityId", keepTyped],
  ["campaignId", "desk.campaignId", keepTyped],
  ["name", "desk.name", keepTyped],
  ["starts", "desk.starts", keepTyped],
  ["runs", "desk.runs", filterDigits],
  ["volume", "desk.volumePerDraw", usdtTyped],
  ["draws", "desk.drawsPerDay", filterDigits],
] as const;

function ActivityForm() {
  const text = useRewardsText();
  const action = useOperatorAction();
  const [form, setForm] = useState(EMPTY);
  const [prizes, setPrizes] = useState([NO_PRIZE]);
  const { starts, ...needed } = form;
  const isWhole =
    Object.values(needed).every((value) => value.trim() !== "") &&
    prizes.every(({ count, amount }) => count !== "" && amount !== "");
  const propose = async () => {
    const from = readInstant(starts);
    if (from === undefined) return action.refuse(text("desk.badInstant"));
    const startsAtMs = from.ms ?? Date.now();
    const body: ActivityPayload = {
      activityId: form.activityId.trim(),
      campaignId: form.campaignId.trim(),
      name: form.name.trim(),
      startsAtMs,
      endsAtMs: startsAtMs + Number(form.runs) * DAY_MS,
      volumePerDraw: sentAmount(form.volume),
      drawsPerDayMax: Number(form.draws),
      prizes: prizes.map(({ count, amount }) => ({ count: Number(count), amount: sentAmount(amount) })),
    };
    if ((await action.propose(SPRING_CONSOLE_CALLS.activity, body)) === undefined) return;
    setForm(EMPTY);
    setPrizes([NO_PRIZE]);
  };
  return (
    <ProposalCard
      title={text("desk.newSpring")}
      action={action}
      send={text("desk.proposeSpring")}
      isWhole={isWhole}
      onSend={propose}
    >
      <FormRow>
        <TypedFields
          fields={FIELDS.map(([name, label, filter]) => [name, text(label), filter])}
          form={form}
          onChange={(change) => setForm({ ...form, ...change })}
        />
      </FormRow>
      <PrizeFields prizes={prizes} onChange={setPrizes} />
    </ProposalCard>
  );
}

interface PrizeFieldsProps {
  readonly prizes: readonly (typeof NO_PRIZE)[];
  readonly onChange: (prizes: (typeof NO_PRIZE)[]) => void;
}

/** How many tickets win how much. */
function PrizeFields({ prizes, onChange }: PrizeFieldsProps) {
  const text = useRewardsText();
  const set = (at: number, change: Partial<typeof NO_PRIZE>): void =>
    onChange(prizes.map((prize, index) => (index === at ? { ...prize, ...change } : prize)));
  return (
    <fieldset className="mt-5">
      <legend className="mb-2 font-semibold text-ui">{text("desk.prizes")}</legend>
      <div className="grid gap-3">
        {prizes.map((prize, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a prize is its place in the list
          <div key={at} className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto] items-end gap-4">
            <TextField
              label={text("desk.prizeCount")}
              value={prize.count}
              onChange={(typed) => set(at, { count: filterDigits(typed) })}
              maxLength={4}
            />
            <TextField
              label={text("desk.amount")}
              value={prize.amount}
              onChange={(typed) => set(at, { amount: usdtTyped(typed) })}
              maxLength={19}
            />
            <Button
              size={40}
              isDisabled={prizes.length === 1}
              onPress={() => onChange(prizes.filter((_, index) => index !== at))}
            >
              {text("desk.removePrize")}
            </Button>
          </div>
        ))}
      </div>
      <div className="mt-3">
        <Button size={36} isDisabled={prizes.length >= PRIZES_MAX} onPress={() => onChange([...prizes, NO_PRIZE])}>
          {text("desk.addPrize")}
        </Button>
      </div>
    </fieldset>
  );
}
