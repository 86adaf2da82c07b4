// `/forget-cw` and its steps: the account, the code, a new password. The same for existing and missing accounts.
import { CREDENTIAL_CALLS } from "@clockwork/identity/credentials/contract";
import { CAPTCHA_LENGTH } from "@clockwork/kit/constants";
import { filterCaptcha } from "@clockwork/kit/validate";
import { buttonClass } from "@clockwork/ui/logic/button-style";
import { TextField } from "@clockwork/ui/text-field";
import { useEffect, useState } from "react";
import { useNavigate, useSearchParams } from "react-router";
import { SiteLink, useSitePath } from "#boot/site-link.tsx";
import { useCaptcha } from "#session/auth-captcha.ts";
import { AuthCard } from "#session/auth-card.tsx";
import { CodeStep, NoCodeWay } from "#session/auth-code-step.tsx";
import { ANYBODY, useCalls } from "#session/auth-context.ts";
import { AccountField, AuthForm, AuthSubmit, checkAccount, FieldRoom } from "#session/auth-fields.tsx";
import { useStepOf } from "#session/auth-flow.ts";
import { AuthMarked } from "#session/auth-marked.tsx";
import { carriedQuery } from "#session/login-path.ts";
import { AuthFrame } from "#shell/auth-frame.tsx";
import { describeFailure, useAuthText } from "#words/auth-text.ts";
import { type ForgetFlow, forgetFlow } from "./forget-flow.ts";
import { checkNewPassword, NewPassword } from "./register-fields.tsx";

const STEPS = 3;
const START = "/forget-cw";

function useForgetActions() {
  const calls = useCalls();
  const captcha = useCaptcha();
  const text = useAuthText();
  const navigate = useNavigate();
  const sitePath = useSitePath();
  const [search] = useSearchParams();
  const go = (step: "" | "/verification" | "/reset") => void navigate(sitePath(START + step) + carriedQuery(search));
  const send = async (account: string): Promise<string | undefined> => {
    const [request, solved] = [await calls(), await captcha.solve()];
    const answer = await request.call(CREDENTIAL_CALLS.forgetCode, { account, captcha: solved }, ANYBODY);
    if (!answer.ok && answer.code !== "CODE_TOO_SOON") return describeFailure(text, answer);
    forgetFlow.write({ account, sentAtMs: Date.now() });
    return undefined;
  };
  const validate = async (flow: ForgetFlow, code: string): Promise<string | undefined> => {
    const { account } = flow;
    const answer = await (await calls()).call(CREDENTIAL_CALLS.forgetValidate, { account, code }, ANYBODY);
    if (!answer.ok) return describeFailure(text, answer);
    forgetFlow.write({ ...flow, ...answer.data });
    go("/reset");
    return undefined;
  };
  return { share: captcha.share, calls, go, send, validate };
}

export function ForgetStart() {
  const text = useAuthText();
  const actions = useForgetActions();
  const [account, setAccount] = useState("");
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  const submit = async () => {
    const wrong = checkAccount(text, account);
    setError(wrong);
    if (busy || wrong !== undefined) return;
    setBusy(true);
    const refused = await actions.send(account.trim());
    setBusy(false);
    setError(refused);
    if (refused === undefined) actions.go("/verification");
  };
  return (
    <AuthFrame title={text("forget.title")} offer="login">
      <AuthCard title={text("forget.title")} lead={text("forget.lead")} step={{ at: 1, of: STEPS }}>
        <AuthForm onSubmit={() => void submit()}>
          <AccountField
            value={account}
            error={error}
            autoFocus
            onChange={(value) => {
              setAccount(value);
              setError(undefined);
            }}
            onBlur={() => account !== "" && setError(checkAccount(text, account))}
          />
          <div className="mt-5">
            <AuthSubmit busy={busy} share={actions.share}>
              {text("step.continue")}
            </AuthSubmit>
          </div>
        </AuthForm>
        <p className="mt-4 text-label text-muted">{text("forget.lock")}</p>
      </AuthCard>
    </AuthFrame>
  );
}

const startWithoutFlow = (flow: ForgetFlow | null) => (flow === null ? START : undefined);

export function ForgetCode() {
  const text = useAuthText();
  const flow = useStepOf(forgetFlow, startWithoutFlow);
  const actions = useForgetActions();
  return (
    <AuthFrame title={text("forget.codeTitle")}>
      <AuthCard
        title={text("forget.codeTitle")}
        lead={<AuthMarked line="forget.codeLead" mark="account" value={flow?.account} />}
        step={{ at: 2, of: STEPS }}
        onBack={() => actions.go("")}
        ways={<NoCodeWay to={flow?.account ?? ""} />}
      >
        <CodeStep
          onCode={async (code) => (flow === undefined ? undefined : actions.validate(flow, code))}
          share={actions.share}
          {...(flow === undefined
            ? {}
            : { resend: { sentAtMs: flow.sentAtMs, onResend: () => actions.send(flow.account) } })}
        />
      </AuthCard>
    </AuthFrame>
  );
}

const startWithoutTicket = (flow: ForgetFlow | null) => (flow?.ticket === undefined ? START : undefined);

export function ForgetReset() {
  const text = useAuthText();
  const [done, setDone] = useState(false);
  return (
    <AuthFrame title={text(done ? "forget.done" : "forget.newTitle")}>
      {done ? <ResetDone /> : <ResetForm onDone={() => setDone(true)} />}
    </AuthFrame>
  );
}

function ResetDone() {
  const text = useAuthText();
  useEffect(() => forgetFlow.clear(), []);
  const [search] = useSearchParams();
  return (
    <AuthCard title={text("forget.done")} lead={text("forget.doneLead")}>
      <SiteLink
        to={`/login-cw${carriedQuery(search)}`}
        className={buttonClass({ kind: "primary", size: 48, wide: true })}
      >
        {text("frame.logIn")}
      </SiteLink>
    </AuthCard>
  );
}

function useReset(flow: ForgetFlow | undefined, onDone: () => void) {
  const text = useAuthText();
  const { calls } = useForgetActions();
  const [password, setPassword] = useState("");
  const [totp, setTotp] = useState("");
  const [errors, setErrors] = useState<{ readonly password?: string | undefined; readonly totp?: string | undefined }>(
    {},
  );
  const [busy, setBusy] = useState(false);
  const submit = async () => {
    const wrong = {
      password: checkNewPassword(text, password),
      totp: flow?.needsTotp === true && totp.length < CAPTCHA_LENGTH ? text("code.incomplete") : undefined,
    };
    setErrors(wrong);
    if (busy || flow?.ticket === undefined || wrong.password !== undefined || wrong.totp !== undefined) return;
    setBusy(true);
    const body = { ticket: flow.ticket, password, ...(totp === "" ? {} : { totp }) };
    const answer = await (await calls()).call(CREDENTIAL_CALLS.forgetReset, body, ANYBODY);
    setBusy(false);
    if (answer.ok) {
      onDone();
      return;
    }
    const words = describeFailure(text, answer);
    setErrors(answer.code === "CODE_WRONG" || answer.code === "TOTP_REQUIRED" ? { totp: words } : { password: words });
  };
  return { password, setPassword, totp, setTotp, errors, setErrors, busy, submit };
}

function ResetForm({ onDone }: { readonly onDone: () => void }) {
  const text = useAuthText();
  const flow = useStepOf(forgetFlow, startWithoutTicket);
  const form = useReset(flow, onDone);
  return (
    <AuthCard title={text("forget.newTitle")} lead={text("forget.newLead")} step={{ at: STEPS, of: STEPS }}>
      <AuthForm onSubmit={() => void form.submit()}>
        <input type="text" autoComplete="username" value={flow?.account ?? ""} readOnly hidden />
        <NewPassword
          label={text("password.new")}
          value={form.password}
          error={form.errors.password}
          autoFocus
          onChange={(value) => {
            form.setPassword(value);
            form.setErrors({});
          }}
        />
        {flow?.needsTotp === true && (
          <FieldRoom>
            <TextField
              label={text("forget.totp")}
              size={48}
              inputMode="numeric"
              autoComplete="one-time-code"
              value={form.totp}
              error={form.errors.totp}
              onChange={(value) => form.setTotp(filterCaptcha(value))}
            />
          </FieldRoom>
        )}
        <AuthSubmit busy={form.busy}>{text("forget.submit")}</AuthSubmit>
      </AuthForm>
    </AuthCard>
  );
}
