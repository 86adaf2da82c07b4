// The passkeys of an account in the security centre: a list with names, and ways to add, rename and remove.
import { type KeyList, PASSKEY_CALLS } from "@clockwork/identity/passkeys/contract";
import { formatDate } from "@clockwork/kit/time";
import { Card } from "@clockwork/ui/card";
import { Icon } from "@clockwork/ui/icon";
import { buttonClass } from "@clockwork/ui/logic/button-style";
import { TextField } from "@clockwork/ui/text-field";
import { useState } from "react";
import { useRevalidator } from "react-router";
import { SiteLink } from "#boot/site-link.tsx";
import { useCalls } from "#session/auth-context.ts";
import { FormError } from "#session/auth-fields.tsx";
import { useAccountText } from "#words/account-text.ts";
import { describeFailure, useAuthText } from "#words/auth-text.ts";

export interface PasskeyCardProps {
  readonly keys: KeyList["keys"];
  /** Runs an act that may need a fresh proof first. */
  readonly onStale: () => void;
}

const QUIET = "rounded-xs font-semibold text-[13px] hover:text-accent dark:hover:opacity-80";

export function PasskeyCard({ keys, onStale }: PasskeyCardProps) {
  const text = useAccountText();
  const words = useAuthText();
  const calls = useCalls();
  const { revalidate } = useRevalidator();
  const [error, setError] = useState<string>();
  const remove = async (id: string) => {
    const answer = await (await calls()).call(PASSKEY_CALLS.remove, { id });
    if (answer.ok) await revalidate();
    else if (answer.code === "STEP_UP_REQUIRED") onStale();
    else setError(describeFailure(words, answer));
  };
  const rename = async (id: string, name: string) => {
    const answer = await (await calls()).call(PASSKEY_CALLS.rename, { id, name });
    if (answer.ok) await revalidate();
    else setError(describeFailure(words, answer));
  };
  return (
    <Card
      title={text("passkeys.title")}
      aside={
        <SiteLink
          to="/operation-cw/enable-passkey?redirectUrl=%2Fsecurity"
          className={buttonClass({ kind: "neutral", size: 32 })}
        >
          {text("passkeys.add")}
        </SiteLink>
      }
    >
      <FormError>{error}</FormError>
      {keys.length === 0 && <p className="text-[13px] text-muted">{text("passkeys.none")}</p>}
      <ul>
        {keys.map((key) => (
          <KeyRow
            key={key.id}
            entry={key}
            onRemove={() => void remove(key.id)}
            onRename={(name) => void rename(key.id, name)}
          />
        ))}
      </ul>
    </Card>
  );
}

interface KeyRowProps {
  readonly entry: KeyList["keys"][number];
  readonly onRemove: () => void;
  readonly onRename: (name: string) => void;
}

function KeyRow({ entry, onRemove, onRename }: KeyRowProps) {
  const text = useAccountText();
  const [name, setName] = useState<string>();
  const save = () => {
    if (name !== undefined && name.trim() !== "" && name !== entry.name) onRename(name.trim());
    setName(undefined);
  };
  return (
    <li className="flex min-h-14 items-center gap-3 border-line border-b py-2 last:border-0">
      <Icon name="fingerprint" />
      <div className="min-w-0 flex-1">
        {name === undefined ? (
          <p className="truncate font-medium text-ui">{entry.name}</p>
        ) : (
          <TextField
            label={text("passkeys.name")}
            labelHidden
            size={32}
            value={name}
            onChange={setName}
            maxLength={64}
            autoFocus
          />
        )}
        <p className="text-label text-muted">{text("passkeys.added", { date: formatDate(entry.createdAtMs) })}</p>
      </div>
      <button
        type="button"
        aria-label={`${text(name === undefined ? "passkeys.rename" : "label.save")} ${entry.name}`}
        className={QUIET}
        onClick={() => (name === undefined ? setName(entry.name) : save())}
      >
        {text(name === undefined ? "passkeys.rename" : "label.save")}
      </button>
      <button type="button" aria-label={`${text("act.remove")} ${entry.name}`} className={QUIET} onClick={onRemove}>
        {text("act.remove")}
      </button>
    </li>
  );
}
