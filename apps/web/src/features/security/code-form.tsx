// Six boxes and a button: every security change that ends with a code ends with this.
import { CAPTCHA_LENGTH } from "@clockwork/kit/constants";
import { CodeField } from "@clockwork/ui/code-field";
import { useState } from "react";
import { useAccountText } from "#frame/account-text.ts";
import { AuthForm, AuthSubmit } from "#frame/auth-fields.tsx";

export interface CodeFormProps {
  readonly submit: string;
  /** Answers what is wrong with the code, or nothing. */
  readonly onCode: (code: string) => Promise<string | undefined>;
}

export function CodeForm({ submit, onCode }: CodeFormProps) {
  const text = useAccountText();
  const [code, setCode] = useState("");
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  const send = async (given: string) => {
    if (busy) return;
    if (given.length < CAPTCHA_LENGTH) {
      setError(text("step.incomplete"));
      return;
    }
    setBusy(true);
    const wrong = await onCode(given);
    if (wrong === undefined) return;
    setBusy(false);
    setError(wrong);
    setCode("");
  };
  return (
    <AuthForm onSubmit={() => void send(code)}>
      <div className="min-h-[92px]">
        <CodeField
          label={text("step.code")}
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
      <AuthSubmit busy={busy} isDisabled={code.length < CAPTCHA_LENGTH}>
        {submit}
      </AuthSubmit>
    </AuthForm>
  );
}
