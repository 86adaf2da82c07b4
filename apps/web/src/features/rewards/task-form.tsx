// The form that proposes a task: what is counted, what it gives with every term of it, how long it runs.
import { REWARD_CONSOLE_CALLS, TASK_KINDS } from "@clockwork/growth/rewards/contract";
import { DAY_MS } from "@clockwork/kit/time";
import { readTypedWhole } from "@clockwork/kit/typed-amount";
import { TextField } from "@clockwork/ui/text-field";
import { useState } from "react";
import { ChoiceField, FormRow, useOperatorAction } from "#console/operator-action.tsx";
import { keepTyped, ProposalCard, sentAmount, TypedFields, usdtTyped } from "#console/proposal-form.tsx";
import { useRewardsText } from "#words/rewards-text.ts";
import {
  areWhole,
  CHOICES,
  filterTerm,
  REWARD_KINDS,
  type RewardKind,
  rewardOf,
  TERMS_OF,
  type Term,
  type Terms,
  USUAL_TERMS,
} from "./reward-terms.ts";

const EMPTY = {
  taskId: "",
  campaignId: "",
  kind: "spotVolume",
  target: "",
  course: "",
  after: "",
  level: "1",
  runs: "30",
  claimDays: "14",
};

const FIELDS = [
  ["taskId", "desk.taskId", keepTyped],
  ["campaignId", "desk.campaignId", keepTyped],
  ["target", "desk.target", usdtTyped],
  ["course", "desk.course", keepTyped],
  ["after", "desk.after", keepTyped],
  ["level", "desk.level", readTypedWhole],
  ["runs", "desk.runs", readTypedWhole],
  ["claimDays", "desk.claimDays", readTypedWhole],
] as const;
const NEEDED = ["taskId", "campaignId", "target", "level", "runs", "claimDays"] as const;

export function TaskForm() {
  const text = useRewardsText();
  const action = useOperatorAction();
  const [form, setForm] = useState(EMPTY);
  const [reward, setReward] = useState<RewardKind>("airdrop");
  const [terms, setTerms] = useState<Terms>(USUAL_TERMS);
  const isWhole = NEEDED.every((name) => form[name].trim() !== "") && areWhole(reward, terms);
  const propose = async () => {
    const startsAtMs = Date.now();
    const endsAtMs = startsAtMs + Number(form.runs) * DAY_MS;
    const made = await action.propose(REWARD_CONSOLE_CALLS.task, {
      taskId: form.taskId.trim(),
      campaignId: form.campaignId.trim(),
      kind: TASK_KINDS.find((one) => one === form.kind) ?? "spotVolume",
      target: sentAmount(form.target),
      course: form.course.trim(),
      after: form.after.trim() === "" ? null : form.after.trim(),
      levelNeeded: Number(form.level),
      reward: rewardOf(reward, terms),
      startsAtMs,
      endsAtMs,
      claimUntilMs: endsAtMs + Number(form.claimDays) * DAY_MS,
      position: 100,
    });
    if (made === undefined) return;
    setForm(EMPTY);
    setTerms(USUAL_TERMS);
  };
  return (
    <ProposalCard
      title={text("desk.newTask")}
      action={action}
      send={text("desk.propose")}
      isWhole={isWhole}
      onSend={propose}
    >
      <FormRow>
        <ChoiceField
          label={text("desk.kind")}
          value={form.kind}
          onChange={(kind) => setForm({ ...form, kind })}
          options={TASK_KINDS.map((kind) => [kind, text(`desk.task.${kind}`)])}
        />
        <TypedFields
          fields={FIELDS.map(([name, label, filter]) => [name, text(label), filter])}
          form={form}
          onChange={(change) => setForm({ ...form, ...change })}
        />
      </FormRow>
      <h3 className="mt-5 mb-2 font-semibold text-ui">{text("desk.reward")}</h3>
      <RewardFields kind={reward} terms={terms} onKind={setReward} onTerms={setTerms} />
    </ProposalCard>
  );
}

interface RewardFieldsProps {
  readonly kind: RewardKind;
  readonly terms: Terms;
  readonly onKind: (kind: RewardKind) => void;
  readonly onTerms: (terms: Terms) => void;
}

function RewardFields({ kind, terms, onKind, onTerms }: RewardFieldsProps) {
  const text = useRewardsText();
  const set = (term: Term, value: string): void => onTerms({ ...terms, [term]: value });
  const label = (term: Term): string =>
    term === "amount" && kind === "earnCoupon" ? text("desk.term.cap") : text(`desk.term.${term}`);
  return (
    <FormRow>
      <ChoiceField
        label={text("desk.kind")}
        value={kind}
        onChange={(value) => onKind(REWARD_KINDS.find((one) => one === value) ?? "airdrop")}
        options={REWARD_KINDS.map((one) => [one, text(`desk.reward.${one}`)])}
      />
      {TERMS_OF[kind].map((term) => {
        const choices = CHOICES[term];
        return choices === undefined ? (
          <TextField
            key={term}
            label={label(term)}
            value={terms[term]}
            onChange={(typed) => set(term, filterTerm(term, typed))}
            maxLength={19}
          />
        ) : (
          <ChoiceField
            key={term}
            label={label(term)}
            value={terms[term]}
            onChange={(value) => set(term, value)}
            options={choices.map((one) => [one, text(`desk.choice.${one as Choice}`)])}
          />
        );
      })}
    </FormRow>
  );
}

type Choice = "flexible" | "fixed" | "spot" | "futures";
