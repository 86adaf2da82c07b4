// An amount of a coin and the reason, for any console page that proposes to move exchange funds. The texts are the
// page's own.
import type { EARN_CONSOLE_CALLS } from "@clockwork/earning/earn/contract";
import type { LAUNCH_DESK_CALLS } from "@clockwork/earning/launchdesk/contract";
import { filterDecimal } from "@clockwork/kit/validate";
import { Button } from "@clockwork/ui/button";
import { TextField } from "@clockwork/ui/text-field";
import { useState } from "react";
import { ActionNote, FormRow, useOperatorAction } from "./operator-action.tsx";

type FundCall = typeof EARN_CONSOLE_CALLS.fund | typeof LAUNCH_DESK_CALLS.fund;

export interface FundFormProps {
  /** The initial coin. */
  readonly asset?: string;
  readonly words: { readonly coin: string; readonly amount: string; readonly reason: string };
  /** Where it may be proposed to; the first is the usual one. */
  readonly ways: readonly { readonly called: FundCall; readonly label: string }[];
}

export function FundForm({ asset = "", words, ways }: FundFormProps) {
  const action = useOperatorAction();
  const empty = { asset, amount: "", reason: "" };
  const [form, setForm] = useState(empty);
  const isWhole = Object.values(form).every((value) => value.trim() !== "");
  const propose = async (called: FundCall) => {
    const body = { asset: form.asset.trim(), amount: form.amount, reason: form.reason.trim() };
    if ((await action.propose(called, body)) !== undefined) setForm(empty);
  };
  return (
    <>
      <ActionNote action={action} />
      <FormRow>
        <TextField
          label={words.coin}
          value={form.asset}
          onChange={(typed) => setForm({ ...form, asset: typed })}
          error={action.faults["body.asset"]}
          maxLength={12}
        />
        <TextField
          label={words.amount}
          value={form.amount}
          onChange={(typed) => setForm({ ...form, amount: filterDecimal(typed, 18) })}
          error={action.faults["body.amount"]}
          maxLength={44}
        />
        <TextField
          label={words.reason}
          value={form.reason}
          onChange={(reason) => setForm({ ...form, reason })}
          error={action.faults["body.reason"]}
          maxLength={200}
        />
      </FormRow>
      <div className="mt-3 flex flex-wrap gap-2">
        {ways.map(({ called, label }, index) => (
          <Button
            key={label}
            kind={index === 0 ? "primary" : "neutral"}
            size={36}
            busy={action.isBusy}
            isDisabled={!isWhole}
            onPress={() => void propose(called)}
          >
            {label}
          </Button>
        ))}
      </div>
    </>
  );
}
