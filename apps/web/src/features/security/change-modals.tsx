// One modal per security change. Each reports to the page by `onDone`; an expired proof is requested again.

import { CREDENTIAL_CALLS } from "@clockwork/identity/credentials/contract";
import { SECURITY_CALLS } from "@clockwork/identity/security/contract";
import { readAccountName } from "@clockwork/kit/account";
import { checkEmail, checkLettersDigits, checkPassword } from "@clockwork/kit/validate";
import { Button } from "@clockwork/ui/button";
import { CopyButton } from "@clockwork/ui/copy-button";
import { PasswordField } from "@clockwork/ui/password-field";
import { QrCode } from "@clockwork/ui/qr-code";
import { TextField } from "@clockwork/ui/text-field";
import { type ReactNode, useEffect, useState } from "react";
import type { Answer } from "#live/answer.ts";
import type { RequestClient } from "#live/request.ts";
import { useCaptcha } from "#session/auth-captcha.ts";
import { useCalls, useSession } from "#session/auth-context.ts";
import { AuthForm, AuthSubmit, FieldRoom, FormError } from "#session/auth-fields.tsx";
import { CodeForm } from "#shell/proof/code-form.tsx";
import { SecurityModal } from "#shell/proof/security-modal.tsx";
import { type AccountText, useAccountText } from "#words/account-text.ts";
import { describeFailure, useAuthText } from "#words/auth-text.ts";

export interface ChangeProps {
  readonly onDone: () => void;
  readonly onClose: () => void;
  /** The proof has expired: request a new one, then come back. */
  readonly onStale: () => void;
}

/** Runs a change; answers words for a refusal. */
function useChange({ onDone, onStale }: ChangeProps) {
  const words = useAuthText();
  const calls = useCalls();
  return async (run: (request: RequestClient) => Promise<Answer<unknown>>): Promise<string | undefined> => {
    const answer = await run(await calls());
    if (answer.ok) {
      onDone();
      return undefined;
    }
    if (answer.code === "STEP_UP_REQUIRED") onStale();
    return describeFailure(words, answer);
  };
}

export function BindTotp(props: ChangeProps) {
  const text = useAccountText();
  const calls = useCalls();
  const change = useChange(props);
  const { onStale } = props;
  const [secret, setSecret] = useState<{ readonly secret: string; readonly uri: string }>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: requested once, when it opens
  useEffect(() => {
    void calls()
      .then((request) => request.call(SECURITY_CALLS.beginTotp, {}))
      .then((answer) => (answer.ok ? setSecret(answer.data) : onStale()));
  }, [calls]);
  return (
    <SecurityModal title={text("totp.title")} lead={text("totp.lead")} onClose={props.onClose}>
      <div className="mb-5 flex min-h-40 items-center gap-4">
        {secret !== undefined && (
          <>
            <QrCode text={secret.uri} label={text("totp.qr")} sizePx={160} />
            <div className="min-w-0 flex-1">
              <p className="text-label text-muted">{text("totp.key")}</p>
              <p data-totp-secret className="break-all py-1 font-mono text-[13px]">
                {secret.secret}
              </p>
              <CopyButton text={secret.secret} />
            </div>
          </>
        )}
      </div>
      <p className="mb-3 text-[13px] text-muted leading-5">{text("totp.backup")}</p>
      <RestNote hours={6} />
      <CodeForm
        submit={text("act.setUp")}
        onCode={(code) => change((request) => request.call(SECURITY_CALLS.bindTotp, { code }))}
      />
    </SecurityModal>
  );
}

/** Said before the change: what it costs cannot be taken back. */
function RestNote({ hours }: { readonly hours: 6 | 24 }) {
  const text = useAccountText();
  return <p className="mb-4 rounded-control bg-warn-soft p-3 text-ui text-warn">{text(`change.rests${hours}`)}</p>;
}

export function RemoveTotp(props: ChangeProps) {
  const text = useAccountText();
  const change = useChange(props);
  return (
    <SecurityModal title={text("totp.removeTitle")} lead={text("totp.removeLead")} onClose={props.onClose}>
      <CodeForm
        submit={text("act.remove")}
        onCode={(code) => change((request) => request.call(SECURITY_CALLS.removeTotp, { code }))}
      />
    </SecurityModal>
  );
}

interface OneFieldProps {
  readonly submit: string;
  readonly onSend: () => Promise<string | undefined>;
  /** Words for what is wrong before anything is sent. */
  readonly check: () => string | undefined;
  readonly children: (error: string | undefined) => ReactNode;
}

/** A form of one field: checked, sent, its error next to the field. */
function OneField({ submit, onSend, check, children }: OneFieldProps) {
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  const send = async () => {
    const wrong = check();
    setError(wrong);
    if (busy || wrong !== undefined) return;
    setBusy(true);
    setError(await onSend());
    setBusy(false);
  };
  return (
    <AuthForm onSubmit={() => void send()}>
      {children(error)}
      <AuthSubmit busy={busy}>{submit}</AuthSubmit>
    </AuthForm>
  );
}

export function SetPhishing(props: ChangeProps) {
  const text = useAccountText();
  const change = useChange(props);
  const [word, setWord] = useState("");
  const check = () =>
    checkLettersDigits(word) !== undefined || word.length < 4 || word.length > 20
      ? text("phishing.invalid")
      : undefined;
  return (
    <SecurityModal title={text("phishing.title")} lead={text("security.phishingNote")} onClose={props.onClose}>
      <OneField
        submit={text("label.save")}
        check={check}
        onSend={() => change((request) => request.call(SECURITY_CALLS.setAntiPhishing, { code: word }))}
      >
        {(error) => (
          <FieldRoom>
            <TextField
              label={text("phishing.label")}
              size={48}
              value={word}
              onChange={setWord}
              error={error}
              maxLength={20}
              autoFocus
            />
          </FieldRoom>
        )}
      </OneField>
    </SecurityModal>
  );
}

export function SetTrade(props: ChangeProps & { readonly isSet: boolean }) {
  const text = useAccountText();
  const words = useAuthText();
  const change = useChange(props);
  const [password, setPassword] = useState("");
  return (
    <SecurityModal title={text("trade.title")} lead={text("security.tradeNote")} onClose={props.onClose}>
      {props.isSet && <RestNote hours={24} />}
      <OneField
        submit={text("label.save")}
        check={() => (checkPassword(password) === undefined ? undefined : words("password.length"))}
        onSend={() => change((request) => request.call(SECURITY_CALLS.setTradePassword, { password }))}
      >
        {(error) => (
          <div className="mb-5">
            <PasswordField
              label={text("trade.label")}
              size={48}
              value={password}
              onChange={setPassword}
              error={error}
              autoFocus
              reserveHelp
              strength={{ lengthText: words("password.length"), classesText: words("password.classes") }}
            />
          </div>
        )}
      </OneField>
    </SecurityModal>
  );
}

export function ChangePassword(props: ChangeProps) {
  const text = useAccountText();
  const words = useAuthText();
  const change = useChange(props);
  const [old, setOld] = useState("");
  const [fresh, setFresh] = useState("");
  const check = () => {
    if (old === "") return text("password.required");
    return checkPassword(fresh) === undefined ? undefined : `${text("password.new")}: ${words("password.length")}`;
  };
  return (
    <SecurityModal title={text("password.title")} lead={text("security.passwordNote")} onClose={props.onClose}>
      <RestNote hours={24} />
      <OneField
        submit={text("act.change")}
        check={check}
        onSend={() =>
          change((request) => request.call(CREDENTIAL_CALLS.changePassword, { oldPassword: old, newPassword: fresh }))
        }
      >
        {(error) => (
          <div className="mb-5">
            <FieldRoom>
              <PasswordField
                label={text("password.old")}
                size={48}
                value={old}
                onChange={setOld}
                error={error}
                autoFocus
              />
            </FieldRoom>
            <PasswordField
              label={text("password.new")}
              size={48}
              value={fresh}
              onChange={setFresh}
              strength={{ lengthText: words("password.length"), classesText: words("password.classes") }}
            />
          </div>
        )}
      </OneField>
    </SecurityModal>
  );
}

function checkContact(text: AccountText, kind: "email" | "phone", contact: string): string | undefined {
  if (kind === "email") return checkEmail(contact) === undefined ? undefined : text("contact.invalidEmail");
  return readAccountName(contact)?.kind === "phone" ? undefined : text("contact.invalidPhone");
}

export function BindContact({
  kind,
  isBound,
  ...props
}: ChangeProps & { readonly kind: "email" | "phone"; readonly isBound: boolean }) {
  const text = useAccountText();
  const words = useAuthText();
  const calls = useCalls();
  const captcha = useCaptcha();
  const change = useChange(props);
  const [contact, setContact] = useState("");
  const [sent, setSent] = useState(false);
  const send = async (): Promise<string | undefined> => {
    const [request, solved] = [await calls(), await captcha.solve()];
    const answer = await request.call(CREDENTIAL_CALLS.contactCode, { account: contact.trim(), captcha: solved });
    if (!answer.ok && answer.code === "STEP_UP_REQUIRED") props.onStale();
    if (!answer.ok && answer.code !== "CODE_TOO_SOON") return describeFailure(words, answer);
    setSent(true);
    return undefined;
  };
  return (
    <SecurityModal
      title={text(kind === "email" ? "contact.emailTitle" : "contact.phoneTitle")}
      lead={
        sent
          ? text("step.sent", { to: contact.trim() })
          : text(kind === "email" ? "security.emailNote" : "security.phoneNote")
      }
      onClose={props.onClose}
    >
      {!sent && <RestNote hours={isBound ? 24 : 6} />}
      {sent ? (
        <CodeForm
          submit={text("act.bind")}
          onCode={(code) =>
            change((request) => request.call(CREDENTIAL_CALLS.bindContact, { account: contact.trim(), code }))
          }
        />
      ) : (
        <OneField submit={text("step.sendNow")} check={() => checkContact(text, kind, contact)} onSend={send}>
          {(error) => (
            <FieldRoom>
              <TextField
                label={text(kind === "email" ? "contact.emailLabel" : "contact.phoneLabel")}
                size={48}
                type={kind === "email" ? "email" : "tel"}
                autoComplete={kind === "email" ? "email" : "tel"}
                value={contact}
                onChange={setContact}
                error={error}
                autoFocus
              />
            </FieldRoom>
          )}
        </OneField>
      )}
    </SecurityModal>
  );
}

/** Nothing but this opens the button. */
const CLOSE_WORD = "CLOSE";

export function CloseAccount(props: ChangeProps) {
  const text = useAccountText();
  const session = useSession();
  const leave = async () => (await session()).signOut("/");
  const change = useChange({ ...props, onDone: () => void leave() });
  const [typed, setTyped] = useState("");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const run = async () => {
    setBusy(true);
    setError(await change((request) => request.call(SECURITY_CALLS.close, {})));
    setBusy(false);
  };
  return (
    <SecurityModal title={text("security.closeTitle")} lead={text("security.closeLead")} onClose={props.onClose}>
      <FormError>{error}</FormError>
      <TextField label={text("security.closeWord")} value={typed} onChange={setTyped} autoComplete="off" />
      <div className="mt-4 flex gap-2">
        <Button size={48} wide onPress={props.onClose}>
          {text("label.cancel")}
        </Button>
        <Button
          kind="primary"
          size={48}
          wide
          busy={busy}
          isDisabled={typed.trim().toUpperCase() !== CLOSE_WORD}
          onPress={() => void run()}
        >
          {text("security.closeNow")}
        </Button>
      </div>
    </SecurityModal>
  );
}

export function FreezeAccount(props: ChangeProps) {
  const text = useAccountText();
  const words = useAuthText();
  const calls = useCalls();
  const session = useSession();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const run = async () => {
    setBusy(true);
    const answer = await (await calls()).call(SECURITY_CALLS.freeze, {});
    if (answer.ok) {
      await (await session()).signOut("/account/freeze?frozen=1");
      return;
    }
    setBusy(false);
    setError(describeFailure(words, answer));
  };
  return (
    <SecurityModal title={text("security.freezeTitle")} lead={text("security.freezeLead")} onClose={props.onClose}>
      <FormError>{error}</FormError>
      <div className="flex gap-2">
        <Button size={48} wide onPress={props.onClose}>
          {text("label.cancel")}
        </Button>
        <Button kind="primary" size={48} wide busy={busy} onPress={() => void run()}>
          {text("security.freezeNow")}
        </Button>
      </div>
    </SecurityModal>
  );
}
