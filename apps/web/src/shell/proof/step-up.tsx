// A fresh proof before a security change: the authenticator's code, or one that is sent. Good for five minutes.
import { SECURITY_CALLS } from "@clockwork/identity/security/contract";
import { Button } from "@clockwork/ui/button";
import { formatMinutesLeft } from "@clockwork/ui/countdown";
import { useState } from "react";
import { useCalls } from "#session/auth-context.ts";
import { FormError } from "#session/auth-fields.tsx";
import { type SendCodeCall, useCodeSending } from "#session/send-code.tsx";
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
  const sending = useStepUpCode();
  const { sentTo } = sending;
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
      <FormError>{sending.error}</FormError>
      {asks ? (
        <Button kind="primary" size={48} wide busy={sending.isBusy} onPress={() => void sending.press()}>
          {text("step.sendNow")}
        </Button>
      ) : (
        <CodeForm
          submit={text("step.confirm")}
          onCode={prove}
          {...(kind === "totp" ? {} : { between: () => <Again sending={sending} /> })}
        />
      )}
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

const sendStepUp: SendCodeCall = (request, captcha) => request.call(SECURITY_CALLS.stepUpCode, { captcha });

/** The first code by a button of its own; another one beside the boxes, once its wait is over. */
function useStepUpCode() {
  const words = useAuthText();
  const { send, isBusy, sentTo, leftMs } = useCodeSending(sendStepUp);
  const [error, setError] = useState<string>();
  const press = async () => {
    const failed = await send();
    setError(failed === undefined || failed.code === "CODE_TOO_SOON" ? undefined : describeFailure(words, failed));
  };
  return { press, isBusy, sentTo, leftMs, error };
}

function Again({ sending }: { readonly sending: ReturnType<typeof useStepUpCode> }) {
  const words = useAuthText();
  const { leftMs, isBusy, press } = sending;
  return (
    <div className="figures mb-4 min-h-8 text-[13px] text-muted">
      {leftMs > 0 ? (
        words("code.resendIn", { left: formatMinutesLeft(leftMs) })
      ) : (
        <Button size={32} busy={isBusy} onPress={() => void press()}>
          {words("code.resend")}
        </Button>
      )}
    </div>
  );
}
