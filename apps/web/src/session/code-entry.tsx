// Six boxes and a button: everything that ends with a code ends with this. The caller defines the call that checks the
// code, and the texts around it.
import { CAPTCHA_LENGTH } from "@clockwork/kit/constants";
import { CodeField } from "@clockwork/ui/code-field";
import { type ReactNode, useState } from "react";
import { AuthForm, AuthSubmit } from "./auth-fields.tsx";

export interface CodeEntryProps {
  readonly label: string;
  /** Shown when it is sent with empty boxes. */
  readonly incomplete: string;
  readonly submit: string;
  /** Answers what is wrong with the code, or nothing. */
  readonly onCode: (code: string) => Promise<string | undefined>;
  readonly share?: number | undefined;
  /** Between boxes and button; it may report an error. */
  readonly between?: (say: (error: string | undefined) => void) => ReactNode;
}

export function CodeEntry({ label, incomplete, submit, onCode, share, between }: CodeEntryProps) {
  const [code, setCode] = useState("");
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  const send = async (given: string) => {
    if (busy) return;
    if (given.length < CAPTCHA_LENGTH) {
      setError(incomplete);
      return;
    }
    setBusy(true);
    setError(undefined);
    const wrong = await onCode(given);
    if (wrong === undefined) return;
    setBusy(false);
    setError(wrong);
    setCode("");
  };
  return (
    <AuthForm onSubmit={() => void send(code)}>
      <div className={between === undefined ? "min-h-[92px]" : "min-h-20"}>
        <CodeField
          label={label}
          labelHidden
          wide
          autoFocus
          value={code}
          error={error}
          onChange={(value) => {
            setCode(value);
            if (value !== "") setError(undefined);
          }}
          onComplete={(value) => void send(value)}
        />
      </div>
      {between?.(setError)}
      <AuthSubmit busy={busy} share={share} isDisabled={code.length < CAPTCHA_LENGTH}>
        {submit}
      </AuthSubmit>
    </AuthForm>
  );
}
