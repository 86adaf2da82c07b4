// How money that leaves is proved: the fund password or a passkey, one code, and the button that carries the amount. For
// withdrawals and for what is sent to another user alike.
import type { Limits, Proof } from "@clockwork/custody/withdrawals/contract";
import { Button } from "@clockwork/ui/button";
import { CodeField } from "@clockwork/ui/code-field";
import { PasswordField } from "@clockwork/ui/password-field";
import { useState } from "react";
import { useRevalidator } from "react-router";
import { SiteLink } from "#boot/site-link.tsx";
import type { Answer, Failed } from "#live/answer.ts";
import type { RequestClient } from "#live/request.ts";
import { useCalls } from "#session/auth-context.ts";
import { FormError } from "#session/auth-fields.tsx";
import { SendCode, type SendCodeCall } from "#session/send-code.tsx";
import { describeFailure, useAuthText } from "#words/auth-text.ts";
import { useWalletText } from "#words/wallet-text.ts";
import { requestPasskey } from "./withdraw-calls.ts";

const CODE_LENGTH = 6;

export interface ProofFormProps {
  readonly limits: Limits;
  /** Everything but the proof is there. */
  readonly isFilled: boolean;
  readonly submit: string;
  readonly note: string;
  readonly done: string;
  readonly send: (request: RequestClient, proof: Proof) => Promise<Answer<unknown>>;
  /** Sends a code that is good for exactly what is filled in, which `named` says in words. */
  readonly sendCode: SendCodeCall;
  readonly named: string;
  /** Shows a refusal beside the field it is about; false where there is none. */
  readonly onRefused: (failed: Failed) => boolean;
  readonly onDone: () => void;
}

export function ProofForm(props: ProofFormProps) {
  const text = useWalletText();
  const { limits } = props;
  if (limits.hasTradePassword || limits.hasPasskeys) return <Form {...props} />;
  return (
    <p className="mt-4 text-muted text-ui">
      {text("withdraw.noPassword")}{" "}
      <SiteLink to="/security" className="text-accent underline">
        {text("withdraw.setPassword")}
      </SiteLink>
    </p>
  );
}

function useSending({ done, send, onDone, onRefused }: ProofFormProps) {
  const words = useAuthText();
  const calls = useCalls();
  const { revalidate } = useRevalidator();
  const [isBusy, setBusy] = useState(false);
  const [result, setNotified] = useState<{ readonly error?: string; readonly code?: string; readonly done?: string }>(
    {},
  );
  const go = async (proof: Proof): Promise<boolean> => {
    setBusy(true);
    const answer = await send(await calls(), proof);
    setBusy(false);
    if (answer.ok) setNotified({ done });
    else if (onRefused(answer)) setNotified({});
    else setNotified({ [answer.code === "PROOF_WRONG" ? "code" : "error"]: describeFailure(words, answer) });
    if (!answer.ok) return false;
    onDone();
    await revalidate();
    return true;
  };
  return { isBusy, answer: result, go };
}

function Form(props: ProofFormProps) {
  const text = useWalletText();
  const calls = useCalls();
  const { limits } = props;
  const { isBusy, answer: result, go } = useSending(props);
  const [password, setPassword] = useState("");
  const [passkey, setPasskey] = useState<Proof["passkey"]>();
  const [code, setCode] = useState("");
  const [sentFor, setSentFor] = useState(props.named);
  const hasFirst = passkey !== undefined || password !== "";
  const isReady = props.isFilled && hasFirst && code.length === CODE_LENGTH && limits.locks.length === 0;
  const submit = async () => {
    const isDone = await go({ code, ...(passkey === undefined ? { tradePassword: password } : { passkey }) });
    setCode("");
    if (isDone) setPassword("");
    setPasskey(undefined);
  };
  return (
    <form
      className="mt-4 flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady && !isBusy) void submit();
      }}
    >
      <FormError>{result.error}</FormError>
      {limits.hasTradePassword && passkey === undefined && (
        <PasswordField
          label={text("withdraw.password")}
          name="tradePassword"
          size={48}
          value={password}
          onChange={setPassword}
        />
      )}
      {limits.hasPasskeys && (
        <Button size={40} wide icon="fingerprint" onPress={() => void calls().then(requestPasskey).then(setPasskey)}>
          {text(passkey === undefined ? "withdraw.passkey" : "withdraw.passkeyUsed")}
        </Button>
      )}
      <CodeField
        label={text(`withdraw.code.${limits.codeBy}`)}
        value={code}
        onChange={setCode}
        length={CODE_LENGTH}
        error={result.code}
        wide
      />
      {limits.codeBy !== "totp" && (
        <SendCode
          isDisabled={!props.isFilled}
          call={(request, captcha) => {
            setSentFor(props.named);
            return props.sendCode(request, captcha);
          }}
          onRefused={props.onRefused}
          note={(to) => {
            if (sentFor !== props.named) return text("withdraw.codeOther", { what: sentFor });
            return to === "" ? "" : text("withdraw.codeSent", { to });
          }}
        />
      )}
      <Button type="submit" kind="primary" size={48} wide busy={isBusy} isDisabled={!isReady}>
        {props.submit}
      </Button>
      <p role="status" className="text-center text-label text-muted">
        {result.done ?? props.note}
      </p>
    </form>
  );
}
