// A fresh proof before a security change: the authenticator's code, or one that is sent. Good for five minutes.
import { SECURITY_CALLS } from "@clockwork/identity/security/contract";
import { Button } from "@clockwork/ui/button";
import { useState } from "react";
import { useCaptcha } from "#session/auth-captcha.ts";
import { useCalls } from "#session/auth-context.ts";
import { FormError } from "#session/auth-fields.tsx";
import { type StepUpKind, stepUpByPasskey } from "#session/step-up-calls.ts";
import { useAccountText } from "#words/account-text.ts";
import { describeFailure, useAuthText } from "#words/auth-text.ts";
import { CodeForm } from "./code-form.tsx";
import { SecurityModal } from "./security-modal.tsx";

interface ProofProps {
  readonly kind: StepUpKind;
  /** A passkey of the account may replace the code. */
  readonly hasPasskeys?: boolean;
  readonly onProved: () => void;
}

/** The proof without its own surface: in a modal here, on a screen elsewhere. */
export function StepUpProof({ kind, hasPasskeys = false, onProved }: ProofProps) {
  const text = useAccountText();
  const words = useAuthText();
  const calls = useCalls();
  const [sentTo, setSentTo] = useState<string>();
  const prove = async (code: string): Promise<string | undefined> => {
    const answer = await (await calls()).call(SECURITY_CALLS.stepUp, { codes: { [kind]: code } });
    if (!answer.ok) return describeFailure(words, answer);
    onProved();
    return undefined;
  };
  const asks = kind !== "totp" && sentTo === undefined;
  const lead =
    kind === "totp"
      ? text("step.totp")
      : sentTo === undefined
        ? text("step.send", { kind: text(kind === "email" ? "step.email" : "step.phone") })
        : text("step.sent", { to: sentTo === "" ? text(kind === "email" ? "step.email" : "step.phone") : sentTo });
  return (
    <>
      <p className="mb-5 text-muted text-ui leading-[22px]">{lead}</p>
      {asks ? <SendCode onSent={setSentTo} /> : <CodeForm submit={text("step.confirm")} onCode={prove} />}
      {hasPasskeys && <PasskeyProof onProved={onProved} />}
    </>
  );
}

function PasskeyProof({ onProved }: Pick<ProofProps, "onProved">) {
  const text = useAccountText();
  const words = useAuthText();
  const calls = useCalls();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const prove = async () => {
    setBusy(true);
    setError(undefined);
    const answer = await stepUpByPasskey(await calls());
    setBusy(false);
    if (answer === undefined) setError(words("passkey.cancelled"));
    else if (answer.ok) onProved();
    else setError(describeFailure(words, answer));
  };
  return (
    <div className="mt-3">
      <FormError>{error}</FormError>
      <Button size={48} wide icon="fingerprint" busy={busy} onPress={() => void prove()}>
        {text("step.passkey")}
      </Button>
    </div>
  );
}

export function StepUp({ onClose, ...proof }: ProofProps & { readonly onClose: () => void }) {
  const text = useAccountText();
  return (
    <SecurityModal title={text("step.title")} onClose={onClose}>
      <StepUpProof {...proof} />
    </SecurityModal>
  );
}

function SendCode({ onSent }: { readonly onSent: (to: string) => void }) {
  const text = useAccountText();
  const words = useAuthText();
  const calls = useCalls();
  const captcha = useCaptcha();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const send = async () => {
    setBusy(true);
    const [request, solved] = [await calls(), await captcha.solve()];
    const answer = await request.call(SECURITY_CALLS.stepUpCode, { captcha: solved });
    setBusy(false);
    if (answer.ok) onSent(answer.data.sentTo);
    // Too soon means that the last one is still good.
    else if (answer.code === "CODE_TOO_SOON") onSent("");
    else setError(describeFailure(words, answer));
  };
  return (
    <>
      <FormError>{error}</FormError>
      <Button kind="primary" size={48} wide busy={busy} onPress={() => void send()}>
        {text("step.sendNow")}
      </Button>
    </>
  );
}
