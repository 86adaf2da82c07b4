// `/operator/coupons`: proposes a coupon for a user; another operator decides, the treasury pays.

import { clampNumber, filterDecimal, filterDigits } from "@clockwork/kit/validate";
import { COUPON_CALLS } from "@clockwork/trading/coupons/contract";
import { Button } from "@clockwork/ui/button";
import { Card } from "@clockwork/ui/card";
import { TextField } from "@clockwork/ui/text-field";
import { type ReactNode, useState } from "react";
import { ConsoleFrame, type ConsoleOperator } from "#console/console-frame.tsx";
import { ActionNote, FormRow, useOperatorAction } from "#console/operator-action.tsx";
import { useConsoleText } from "#words/console-text.ts";

const EMPTY = { user: "", asset: "USDT", faceUsdt: "", volumeUsdt: "0", days: "30", reference: "" };
type Field = keyof typeof EMPTY;
/** How long a coupon may live, as the call takes it. */
const DAYS = { min: "1", max: "365" } as const;
const amountText = (typed: string): string => filterDecimal(typed, 8);

export function IssuePage({ me, proof }: { readonly me: ConsoleOperator; readonly proof: ReactNode }) {
  const text = useConsoleText();
  return (
    <ConsoleFrame me={me} title={text("coupons.title")} lead={text("coupons.lead")} proof={proof}>
      <IssueForm />
    </ConsoleFrame>
  );
}

function IssueForm() {
  const text = useConsoleText();
  const action = useOperatorAction();
  const [form, setForm] = useState(EMPTY);
  const set =
    (field: Field, filter = (typed: string) => typed) =>
    (value: string) =>
      setForm({ ...form, [field]: filter(value) });
  const propose = async () => {
    const made = await action.propose(COUPON_CALLS.issue, {
      user: form.user.trim(),
      kind: "bonus",
      asset: form.asset.trim(),
      faceUsdt: form.faceUsdt.trim(),
      volumeUsdt: form.volumeUsdt.trim(),
      days: Number(form.days),
      reference: form.reference.trim(),
    });
    if (made !== undefined) setForm(EMPTY);
  };
  const isWhole = Object.values(form).every((value) => value.trim() !== "");
  return (
    <Card className="max-w-[720px]">
      <ActionNote action={action} />
      <div className="grid gap-4">
        <FormRow>
          <TextField
            label={text("coupons.user")}
            value={form.user}
            onChange={set("user", filterDigits)}
            maxLength={12}
          />
          <TextField
            label={text("coupons.face")}
            value={form.faceUsdt}
            onChange={set("faceUsdt", amountText)}
            maxLength={24}
          />
          <TextField label={text("coupons.asset")} value={form.asset} onChange={set("asset")} maxLength={12} />
          <TextField
            label={text("coupons.volume")}
            value={form.volumeUsdt}
            onChange={set("volumeUsdt", amountText)}
            maxLength={24}
          />
          <TextField
            label={text("coupons.days")}
            value={form.days}
            onChange={set("days", filterDigits)}
            onBlur={() => setForm({ ...form, days: clampNumber(form.days, DAYS, 0) })}
            maxLength={3}
          />
          <TextField
            label={text("coupons.reference")}
            value={form.reference}
            onChange={set("reference")}
            maxLength={64}
          />
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
