// The form that proposes a launch: the project, its price and listing, and one to three rounds. The server's errors
// appear next to their fields.
import { LAUNCH_DESK_CALLS, ROUND_KINDS, ROUNDS_MAX } from "@clockwork/earning/launchdesk/contract";
import { filterDecimal, filterDigits } from "@clockwork/kit/validate";
import { Button } from "@clockwork/ui/button";
import { Card } from "@clockwork/ui/card";
import { TextField } from "@clockwork/ui/text-field";
import { useState } from "react";
import { ActionNote, ChoiceField, FormRow, useOperatorAction } from "#console/operator-action.tsx";
import { useEarnText } from "#words/earn-text.ts";
import { EMPTY_LAUNCH, EMPTY_ROUND, type LaunchDraft, type RoundDraft, readLaunch } from "./launch-draft.ts";

const keep = (typed: string): string => typed;
const amount = (typed: string): string => filterDecimal(typed, 18);
const PROJECT_FIELDS = [
  ["projectId", "desk.projectId", keep, 32],
  ["name", "desk.name", keep, 40],
  ["asset", "coin", keep, 12],
  ["summary", "desk.summary", keep, 200],
  ["supply", "desk.supply", amount, 44],
  ["price", "desk.price", amount, 44],
  ["vestFirstPercent", "desk.vestFirst", filterDigits, 3],
  ["vestDays", "desk.vestDays", filterDigits, 4],
  ["listingAtMs", "desk.listing", keep, 16],
] as const;
const LOTTERY = ["lottery"];
const ROUND_FIELDS = [
  ["stock", "desk.stock", amount, ROUND_KINDS],
  ["lot", "desk.lot", amount, ROUND_KINDS],
  ["cap", "desk.cap", amount, ["subscription"]],
  ["ticketsMax", "desk.ticketsMax", filterDigits, LOTTERY],
  ["ticketUnit", "desk.ticketUnit", amount, LOTTERY],
  ["snapshotDays", "desk.snapshotDays", filterDigits, LOTTERY],
  ["preheatAtMs", "desk.preheat", keep, LOTTERY],
  ["opensAtMs", "desk.opens", keep, ROUND_KINDS],
  ["closesAtMs", "desk.closes", keep, ROUND_KINDS],
  ["drawAtMs", "desk.draw", keep, ["lottery", "subscription"]],
  ["payUntilMs", "desk.payUntil", keep, LOTTERY],
] as const;

export function LaunchForm() {
  const text = useEarnText();
  const action = useOperatorAction();
  const [draft, setDraft] = useState(EMPTY_LAUNCH);
  const [faults, setFaults] = useState<Readonly<Record<string, string>>>({});
  const { rounds } = draft;
  const set = (values: Partial<LaunchDraft>) => setDraft({ ...draft, ...values });
  const setRound = (index: number, values: Partial<RoundDraft>) =>
    set({ rounds: rounds.map((round, at) => (at === index ? { ...round, ...values } : round)) });
  const propose = async () => {
    const { body, wrong } = readLaunch(draft);
    const found = Object.fromEntries(wrong.map((field) => [field, text("desk.instant")]));
    setFaults(found);
    if (wrong.length > 0) return action.refuse(text("desk.instant"));
    if ((await action.propose(LAUNCH_DESK_CALLS.create, body)) !== undefined) setDraft(EMPTY_LAUNCH);
  };
  const faultOf = (field: string): string | undefined => faults[field] ?? action.faults[`body.${field}`];
  const isWhole = PROJECT_FIELDS.every(([name]) => draft[name].trim() !== "");
  return (
    <Card title={text("desk.newLaunch")} className="max-w-[880px]">
      <ActionNote action={action} />
      <FormRow>
        {PROJECT_FIELDS.map(([name, label, filter, maxLength]) => (
          <TextField
            key={name}
            label={text(label)}
            value={draft[name]}
            onChange={(value) => set({ [name]: filter(value) })}
            error={faultOf(name)}
            maxLength={maxLength}
          />
        ))}
      </FormRow>
      {rounds.map((round, index) => (
        <Round
          // biome-ignore lint/suspicious/noArrayIndexKey: a round is its number
          key={index}
          number={index + 1}
          round={round}
          faultOf={(field) => faultOf(`rounds.${index}.${field}`)}
          onChange={(values) => setRound(index, values)}
        />
      ))}
      <div className="mt-4 flex flex-wrap gap-3">
        <Button
          kind="neutral"
          size={36}
          isDisabled={rounds.length >= ROUNDS_MAX}
          onPress={() => set({ rounds: [...rounds, EMPTY_ROUND] })}
        >
          {text("desk.addRound")}
        </Button>
        <Button
          kind="neutral"
          size={36}
          isDisabled={rounds.length === 1}
          onPress={() => set({ rounds: rounds.slice(0, -1) })}
        >
          {text("desk.dropRound")}
        </Button>
        <Button kind="primary" size={36} busy={action.isBusy} isDisabled={!isWhole} onPress={() => void propose()}>
          {text("desk.proposeLaunch")}
        </Button>
      </div>
    </Card>
  );
}

interface RoundProps {
  readonly number: number;
  readonly round: RoundDraft;
  readonly faultOf: (field: string) => string | undefined;
  readonly onChange: (values: Partial<RoundDraft>) => void;
}

function Round({ number, round, faultOf, onChange }: RoundProps) {
  const text = useEarnText();
  const fields = ROUND_FIELDS.filter(([, , , kinds]) => (kinds as readonly string[]).includes(round.kind));
  return (
    <fieldset className="mt-6 border-line border-t pt-4">
      <legend className="pr-3 text-label text-muted">{text("desk.round", { number })}</legend>
      <FormRow>
        <ChoiceField
          label={text("desk.roundKind")}
          value={round.kind}
          onChange={(kind) => onChange({ kind: kind as RoundDraft["kind"] })}
          options={ROUND_KINDS.map((kind) => [kind, text(`launch.${kind}`)])}
        />
        {fields.map(([name, label, filter]) => (
          <TextField
            key={name}
            label={text(label)}
            value={round[name]}
            onChange={(value) => onChange({ [name]: filter(value) })}
            error={faultOf(name)}
            maxLength={44}
          />
        ))}
      </FormRow>
    </fieldset>
  );
}
