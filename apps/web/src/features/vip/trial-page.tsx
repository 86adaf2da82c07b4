// `/operator/vip`: proposes a level for a time; another operator decides. Level 0 ends a trial before its time.
import { VIP_CALLS, type VipTrials } from "@clockwork/growth/vip/contract";
import { formatMinute } from "@clockwork/kit/time";
import { readTypedWhole } from "@clockwork/kit/typed-amount";
import { clampNumber } from "@clockwork/kit/validate";
import { Button } from "@clockwork/ui/button";
import { Card } from "@clockwork/ui/card";
import { TextField } from "@clockwork/ui/text-field";
import { type ReactNode, useState } from "react";
import { ConsoleFrame, type ConsoleOperator } from "#console/console-frame.tsx";
import { ActionNote, ChoiceField, FormRow, useOperatorAction } from "#console/operator-action.tsx";
import { FailedLine } from "#session/failed-line.tsx";
import { useConsoleText } from "#words/console-text.ts";

const EMPTY = { user: "", level: "1", days: "14", reason: "" };
const DAYS = { min: "1", max: "90" } as const;
const LEVELS = ["0", "1", "2", "3", "4", "5", "6", "7", "8"] as const;

export interface TrialPageProps {
  readonly me: ConsoleOperator;
  readonly proof: ReactNode;
  /** Null when they could not be read. */
  readonly trials: VipTrials["trials"] | null;
}

export function TrialPage({ me, proof, trials }: TrialPageProps) {
  const text = useConsoleText();
  return (
    <ConsoleFrame me={me} title={text("vip.title")} lead={text("vip.lead")} proof={proof}>
      <div className="grid max-w-[720px] gap-4">
        <TrialForm />
        <Card title={text("vip.running")}>
          {trials === null && <FailedLine />}
          {trials?.length === 0 && <p className="text-muted text-ui">{text("vip.noneRunning")}</p>}
          <ul>
            {trials?.map(({ user, level, earnedLevel, untilMs }) => (
              <li
                key={user}
                className="figures flex flex-wrap justify-between gap-x-4 border-line border-t py-2 text-ui first:border-t-0"
              >
                <span>{user}</span>
                <span>{text("vip.lent", { level, earned: earnedLevel })}</span>
                <span className="text-muted">{text("vip.until", { date: formatMinute(untilMs) })}</span>
              </li>
            ))}
          </ul>
        </Card>
      </div>
    </ConsoleFrame>
  );
}

function TrialForm() {
  const text = useConsoleText();
  const action = useOperatorAction();
  const [form, setForm] = useState(EMPTY);
  const set = (field: keyof typeof EMPTY) => (value: string) => setForm({ ...form, [field]: value });
  const reason = form.reason.trim();
  const isWhole = form.user !== "" && form.days !== "" && reason !== "";
  const propose = async () => {
    const body = { user: form.user, level: Number(form.level), days: Number(form.days), reason };
    if ((await action.propose(VIP_CALLS.trial, body)) !== undefined) setForm(EMPTY);
  };
  return (
    <Card>
      <ActionNote action={action} />
      <div className="grid gap-4">
        <FormRow>
          <TextField
            label={text("coupons.user")}
            value={form.user}
            onChange={(typed) => set("user")(readTypedWhole(typed))}
            maxLength={10}
          />
          <ChoiceField
            label={text("vip.level")}
            value={form.level}
            onChange={set("level")}
            options={LEVELS.map((level) => [level, level === "0" ? text("vip.end") : `VIP ${level}`])}
          />
          <TextField
            label={text("coupons.days")}
            value={form.days}
            onChange={(typed) => set("days")(readTypedWhole(typed))}
            onBlur={() => set("days")(clampNumber(form.days, DAYS, 0))}
            maxLength={2}
          />
          <TextField label={text("vip.reason")} value={form.reason} onChange={set("reason")} maxLength={200} />
        </FormRow>
        <div>
          <Button kind="primary" size={40} busy={action.isBusy} isDisabled={!isWhole} onPress={() => void propose()}>
            {text("proposals.propose")}
          </Button>
        </div>
      </div>
    </Card>
  );
}
