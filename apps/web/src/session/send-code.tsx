// Sending a code to its owner, wherever one is asked for: the wait until the next is counted down on the button.
import { Button } from "@clockwork/ui/button";
import { formatMinutesLeft, useCountdown } from "@clockwork/ui/countdown";
import { useState } from "react";
import type { Answer, Failed } from "#live/answer.ts";
import type { RequestClient } from "#live/request.ts";
import { describeFailure, useAuthText } from "#words/auth-text.ts";
import { useCaptcha } from "./auth-captcha.ts";
import { useCalls } from "./auth-context.ts";

/** The call that sends it; what proves a person is given along. */
export type SendCodeCall = (
  request: RequestClient,
  captcha: Readonly<Record<string, string>> | undefined,
) => Promise<Answer<{ readonly sentTo?: string; readonly resendSeconds: number }>>;

const RESEND_SECONDS = 60;

export function useCodeSending(call: SendCodeCall) {
  const calls = useCalls();
  const captcha = useCaptcha();
  const [isBusy, setBusy] = useState(false);
  const [sent, setSent] = useState<{ readonly to: string; readonly nextAtMs: number }>();
  const leftMs = useCountdown(sent?.nextAtMs ?? 0, sent?.nextAtMs ?? 0);
  /** Answers why it was not sent. A moment after the last one, that one is still good. */
  const send = async (): Promise<Failed | undefined> => {
    setBusy(true);
    const [request, solved] = [await calls(), await captcha.solve()];
    const answer = await call(request, solved);
    setBusy(false);
    const isEarly = !answer.ok && answer.code === "CODE_TOO_SOON";
    const seconds = answer.ok ? answer.data.resendSeconds : (answer.retryAfterSeconds ?? RESEND_SECONDS);
    if (answer.ok || isEarly)
      setSent({
        to: answer.ok ? (answer.data.sentTo ?? "") : (sent?.to ?? ""),
        nextAtMs: Date.now() + seconds * 1_000,
      });
    return answer.ok ? undefined : answer;
  };
  return { send, isBusy, sentTo: sent?.to, leftMs };
}

export interface SendCodeProps {
  readonly call: SendCodeCall;
  readonly size?: 32 | 48;
  /** What it says once it was sent; `to` is empty where the address is not known. */
  readonly note?: (to: string) => string;
  /** True where the page shows the refusal itself, beside a field. */
  readonly onRefused?: (failed: Failed) => boolean;
  readonly isDisabled?: boolean;
}

export function SendCode({ call, size = 32, note, onRefused, isDisabled = false }: SendCodeProps) {
  const text = useAuthText();
  const { send, isBusy, sentTo, leftMs } = useCodeSending(call);
  const [error, setError] = useState<string>();
  const press = async () => {
    const failed = await send();
    setError(failed === undefined || onRefused?.(failed) === true ? undefined : describeFailure(text, failed));
  };
  const label =
    leftMs > 0
      ? text("code.resendIn", { left: formatMinutesLeft(leftMs) })
      : text(sentTo === undefined ? "code.send" : "code.resend");
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 text-label text-muted">
      <span role="status" className={error === undefined ? "min-w-0 break-words" : "min-w-0 break-words text-danger"}>
        {error ?? (sentTo === undefined ? "" : note?.(sentTo))}
      </span>
      <Button size={size} busy={isBusy} isDisabled={isDisabled || leftMs > 0} onPress={() => void press()}>
        <span className="figures">{label}</span>
      </Button>
    </div>
  );
}
