// Sends the code a withdrawal or a change of the address book is proved with, for those who have no authenticator.
import { SECURITY_CALLS } from "@clockwork/identity/security/contract";
import { Button } from "@clockwork/ui/button";
import { useState } from "react";
import { useCaptcha } from "#session/auth-captcha.ts";
import { useCalls } from "#session/auth-context.ts";
import { describeFailure, useAuthText } from "#words/auth-text.ts";
import { useWalletText } from "#words/wallet-text.ts";

export function SendCode() {
  const text = useWalletText();
  const words = useAuthText();
  const calls = useCalls();
  const captcha = useCaptcha();
  const [isBusy, setBusy] = useState(false);
  const [result, setNotified] = useState<string>();
  const send = async () => {
    setBusy(true);
    const [request, solved] = [await calls(), await captcha.solve()];
    const body = solved === undefined ? {} : { captcha: solved };
    const answer = await request.call(SECURITY_CALLS.stepUpCode, body);
    setBusy(false);
    setNotified(answer.ok ? text("withdraw.codeSent", { to: answer.data.sentTo }) : describeFailure(words, answer));
  };
  return (
    <div className="flex items-center justify-between gap-3 text-label text-muted">
      <span role="status">{result}</span>
      <Button size={32} busy={isBusy} onPress={() => void send()}>
        {text("withdraw.sendCode")}
      </Button>
    </div>
  );
}
