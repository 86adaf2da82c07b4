// `/operator/users`: one user by number, mail, phone or invite code. The reason is required first and audited.
import { type FoundUser, USER_CALLS } from "@clockwork/identity/users/contract";
import { formatDateTime } from "@clockwork/kit/time";
import { Button } from "@clockwork/ui/button";
import { Card } from "@clockwork/ui/card";
import { TextField } from "@clockwork/ui/text-field";
import { type ReactNode, useState } from "react";
import { ConsoleFrame, type ConsoleOperator } from "#console/console-frame.tsx";
import { ActionNote, FormRow, useOperatorAction } from "#console/operator-action.tsx";
import { useConsoleText } from "#words/console-text.ts";

export function LookupPage({ me, proof }: { readonly me: ConsoleOperator; readonly proof: ReactNode }) {
  const text = useConsoleText();
  return (
    <ConsoleFrame me={me} title={text("users.title")} lead={text("users.lead")} proof={proof}>
      <Lookup />
    </ConsoleFrame>
  );
}

function Lookup() {
  const text = useConsoleText();
  const action = useOperatorAction();
  const [query, setQuery] = useState("");
  const [reason, setReason] = useState("");
  const [found, setFound] = useState<FoundUser>();
  const find = async () => {
    setFound(undefined);
    const answer = await action.run(USER_CALLS.find, { query: query.trim(), reason: reason.trim() });
    setFound(answer?.data);
  };
  return (
    <Card className="max-w-[720px]">
      <ActionNote action={action} />
      <FormRow>
        <TextField label={text("users.query")} value={query} onChange={setQuery} maxLength={120} autoComplete="off" />
        <TextField label={text("users.reason")} value={reason} onChange={setReason} maxLength={200} />
      </FormRow>
      <Button
        kind="primary"
        size={40}
        className="mt-4"
        busy={action.isBusy}
        isDisabled={query.trim().length < 4 || reason.trim().length < 3}
        onPress={() => void find()}
      >
        {text("users.find")}
      </Button>
      {found !== undefined && <Facts user={found} />}
    </Card>
  );
}

function Facts({ user }: { readonly user: FoundUser }) {
  const text = useConsoleText();
  const rows = [
    [text("users.id"), user.id],
    [text("users.email"), user.email ?? "–"],
    [text("users.phone"), user.phone ?? "–"],
    [text("users.name"), user.nickname],
    [text("users.country"), user.country],
    [text("users.status"), `${user.status}, ${user.role}`],
    [text("users.level"), String(user.level)],
    [text("users.worth"), `${user.totalUsdt} USDT`],
    [text("users.invitedBy"), user.invitedBy ?? "–"],
    [text("users.since"), `${formatDateTime(user.createdAtMs)} UTC`],
  ] as const;
  return (
    <dl data-found={user.id} className="mt-6 grid gap-x-6 gap-y-2 border-line border-t pt-4 sm:grid-cols-2">
      {rows.map(([title, value]) => (
        <div key={title} className="flex justify-between gap-4">
          <dt className="text-muted">{title}</dt>
          <dd className="figures break-all text-right">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
