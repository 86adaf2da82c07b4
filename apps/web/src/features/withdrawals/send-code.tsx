// The code a change of the address book is proved with, for those who have no authenticator.
import { SECURITY_CALLS } from "@clockwork/identity/security/contract";
import { SendCode } from "#session/send-code.tsx";
import { useWalletText } from "#words/wallet-text.ts";

export function SendProofCode() {
  const text = useWalletText();
  return (
    <SendCode
      call={(request, captcha) => request.call(SECURITY_CALLS.stepUpCode, captcha === undefined ? {} : { captcha })}
      note={(to) => (to === "" ? "" : text("withdraw.codeSent", { to }))}
    />
  );
}
