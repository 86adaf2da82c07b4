// `/account/freeze`, where the link in every security mail leads, and `/account/release`, the way out of a freeze. Both
// work without being signed in.
import { SECURITY_CALLS } from "@clockwork/identity/security/contract";
import { CAPTCHA_LENGTH } from "@clockwork/kit/constants";
import { filterCaptcha } from "@clockwork/kit/validate";
import { Button } from "@clockwork/ui/button";
import { buttonClass } from "@clockwork/ui/logic/button-style";
import { PasswordField } from "@clockwork/ui/password-field";
import { TextField } from "@clockwork/ui/text-field";
import { useState } from "react";
import { useSearchParams } from "react-router";
import { SiteLink } from "#boot/site-link.tsx";
import { useCaptcha } from "#session/auth-captcha.ts";
import { AuthCard } from "#session/auth-card.tsx";
import { ANYBODY, useCalls } from "#session/auth-context.ts";
import { AccountField, AuthForm, AuthSubmit, checkAccount, FieldRoom, FormError } from "#session/auth-fields.tsx";
import { AuthFrame } from "#shell/auth-frame.tsx";
import { describeFailure, useAuthText } from "#words/auth-text.ts";

export function FreezeByLink() {
  const text = useAuthText();
  const calls = useCalls();
  const [search] = useSearchParams();
  const token = search.get("token") ?? "";
  // From the security centre, whose owner has frozen the account a moment ago.
  const [done, setDone] = useState(search.get("frozen") === "1");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const freeze = async () => {
    setBusy(true);
    const answer = await (await calls()).call(SECURITY_CALLS.freeze, { token }, ANYBODY);
    setBusy(false);
    if (answer.ok) setDone(true);
    else setError(describeFailure(text, answer));
  };
  const title = text(done ? "freeze.done" : "freeze.title");
  return (
    <AuthFrame title={title}>
      <AuthCard title={title} lead={text(done ? "freeze.doneLead" : "freeze.lead")}>
        <FormError>{token === "" && !done ? text("freeze.noLink") : error}</FormError>
        {done ? (
          <SiteLink to="/account/release" className={buttonClass({ kind: "neutral", size: 48, wide: true })}>
            {text("release.link")}
          </SiteLink>
        ) : token === "" ? (
          <SiteLink
            to="/login-cw?redirectUrl=%2Fsecurity"
            className={buttonClass({ kind: "primary", size: 48, wide: true })}
          >
            {text("frame.logIn")}
          </SiteLink>
        ) : (
          <Button kind="primary" size={48} wide icon="snowflake" busy={busy} onPress={() => void freeze()}>
            {text("freeze.now")}
          </Button>
        )}
      </AuthCard>
    </AuthFrame>
  );
}

export function ReleaseAccount() {
  const text = useAuthText();
  const [account, setAccount] = useState("");
  const [step, setStep] = useState<"account" | "proof" | "done">("account");
  const title = text(step === "done" ? "release.done" : "release.title");
  return (
    <AuthFrame title={title} offer="login">
      <AuthCard title={title} {...(step === "done" ? {} : { lead: text("release.lead") })}>
        {step === "account" && <SendForm account={account} onChange={setAccount} onSent={() => setStep("proof")} />}
        {step === "proof" && <ProofForm account={account.trim()} onDone={() => setStep("done")} />}
        {step === "done" && (
          <SiteLink to="/login-cw" className={buttonClass({ kind: "primary", size: 48, wide: true })}>
            {text("frame.logIn")}
          </SiteLink>
        )}
      </AuthCard>
    </AuthFrame>
  );
}

interface SendFormProps {
  readonly account: string;
  readonly onChange: (account: string) => void;
  readonly onSent: () => void;
}

function SendForm({ account, onChange, onSent }: SendFormProps) {
  const text = useAuthText();
  const calls = useCalls();
  const captcha = useCaptcha();
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  const send = async () => {
    const wrong = checkAccount(text, account);
    setError(wrong);
    if (busy || wrong !== undefined) return;
    setBusy(true);
    const [request, solved] = [await calls(), await captcha.solve()];
    const body = { account: account.trim(), captcha: solved };
    const answer = await request.call(SECURITY_CALLS.releaseCode, body, ANYBODY);
    setBusy(false);
    if (answer.ok || answer.code === "CODE_TOO_SOON") onSent();
    else setError(describeFailure(text, answer));
  };
  return (
    <AuthForm onSubmit={() => void send()}>
      <AccountField value={account} error={error} onChange={onChange} autoFocus />
      <AuthSubmit busy={busy} share={captcha.share}>
        {text("release.send")}
      </AuthSubmit>
    </AuthForm>
  );
}

function ProofForm({ account, onDone }: { readonly account: string; readonly onDone: () => void }) {
  const text = useAuthText();
  const calls = useCalls();
  const captcha = useCaptcha();
  const [fields, setFields] = useState({ password: "", code: "", totp: "" });
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  const send = async () => {
    if (busy) return;
    if (fields.password === "" || fields.code.length < CAPTCHA_LENGTH) {
      setError(text(fields.password === "" ? "password.required" : "code.incomplete"));
      return;
    }
    setBusy(true);
    const [request, solved] = [await calls(), await captcha.solve()];
    const { password, code, totp } = fields;
    const body = { account, password, code, totp: totp === "" ? undefined : totp, captcha: solved };
    const answer = await request.call(SECURITY_CALLS.release, body, ANYBODY);
    setBusy(false);
    if (answer.ok) onDone();
    else setError(answer.code === "CREDENTIALS_WRONG" ? answer.message : describeFailure(text, answer));
  };
  return (
    <AuthForm onSubmit={() => void send()}>
      <FormError>{error}</FormError>
      <FieldRoom>
        <PasswordField
          label={text("password.label")}
          size={48}
          autoFocus
          value={fields.password}
          onChange={(password) => setFields({ ...fields, password })}
        />
      </FieldRoom>
      <FieldRoom>
        <TextField
          label={text("release.code")}
          size={48}
          inputMode="numeric"
          autoComplete="one-time-code"
          value={fields.code}
          onChange={(code) => setFields({ ...fields, code: filterCaptcha(code) })}
        />
      </FieldRoom>
      <FieldRoom>
        <TextField
          label={text("release.totp")}
          size={48}
          inputMode="numeric"
          autoComplete="off"
          value={fields.totp}
          onChange={(totp) => setFields({ ...fields, totp: filterCaptcha(totp) })}
        />
      </FieldRoom>
      <AuthSubmit busy={busy} share={captcha.share}>
        {text("release.submit")}
      </AuthSubmit>
    </AuthForm>
  );
}
