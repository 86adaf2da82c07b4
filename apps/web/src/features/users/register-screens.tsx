// The screens of a registration: who, then a password, then the code. The classic and the stepwise flow share them; a
// step without what came before it leads back to the step that has it.

import { buttonClass } from "@clockwork/ui/logic/button-style";
import { type ReactNode, useEffect, useState } from "react";
import { useSearchParams } from "react-router";
import { SiteLink } from "#boot/site-link.tsx";
import { AuthCard, AuthOr } from "#session/auth-card.tsx";
import { CodeStep, NoCodeWay } from "#session/auth-code-step.tsx";
import { AuthForm, AuthSubmit } from "#session/auth-fields.tsx";
import { useStepOf } from "#session/auth-flow.ts";
import { AuthMarked } from "#session/auth-marked.tsx";
import { carriedQuery } from "#session/login-path.ts";
import { AuthFrame, AuthStage } from "#shell/auth-frame.tsx";
import { useAuthText } from "#words/auth-text.ts";
import { type RegisterBase, useRegisterActions } from "./register-actions.ts";
import { checkNewPassword, NewPassword } from "./register-fields.tsx";
import { readPassword, registerFlow } from "./register-flow.ts";
import { RegisterForm } from "./register-form.tsx";

const STEPS = 3;

interface BaseProps {
  readonly base: RegisterBase;
}

/** `/register`: everything on one page, in the ordinary site frame. */
export function ClassicRegister() {
  const text = useAuthText();
  const [search] = useSearchParams();
  return (
    <AuthStage title={text("register.title")}>
      <AuthCard title={text("register.title")} lead={text("register.lead")}>
        <RegisterForm base="/register" whole />
        <AuthOr />
        <SiteLink
          to={`/login${carriedQuery(search)}`}
          className={buttonClass({ kind: "neutral", size: 48, wide: true })}
        >
          {text("frame.logIn")}
        </SiteLink>
      </AuthCard>
    </AuthStage>
  );
}

/** `/register-cw`. */
export function RegisterStart({ others }: { readonly others: ReactNode }) {
  const text = useAuthText();
  return (
    <AuthFrame title={text("register.title")} offer="login">
      <AuthCard title={text("register.title")} lead={text("register.lead")} step={{ at: 1, of: STEPS }}>
        <RegisterForm base="/register-cw" whole={false} />
        {others !== null && (
          <>
            <AuthOr />
            {others}
          </>
        )}
      </AuthCard>
    </AuthFrame>
  );
}

/** `/register/create` and `/register-cw/create`. */
export function RegisterPassword({ base }: BaseProps) {
  const text = useAuthText();
  const flow = useStepOf(registerFlow, (value) => (value === null ? base : undefined));
  const actions = useRegisterActions(base);
  const [password, setPassword] = useState("");
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  const submit = async () => {
    const wrong = checkNewPassword(text, password);
    setError(wrong);
    if (busy || wrong !== undefined || flow === undefined) return;
    setBusy(true);
    const refused = await actions.withPassword(flow, password);
    setBusy(false);
    setError(refused);
  };
  return (
    <AuthFrame title={text("register.passwordTitle")} offer="login">
      <AuthCard
        title={text("register.passwordTitle")}
        lead={<AuthMarked line="register.for" mark="account" value={flow?.account} />}
        step={base === "/register" ? { at: 1, of: 2 } : { at: 2, of: STEPS }}
        onBack={() => actions.go("")}
      >
        <AuthForm onSubmit={() => void submit()}>
          <input type="text" autoComplete="username" value={flow?.account ?? ""} readOnly hidden />
          <NewPassword
            label={text("password.label")}
            value={password}
            error={error}
            autoFocus
            onChange={(value) => {
              setPassword(value);
              setError(undefined);
            }}
          />
          <AuthSubmit busy={busy} share={actions.share}>
            {text("step.continue")}
          </AuthSubmit>
        </AuthForm>
      </AuthCard>
    </AuthFrame>
  );
}

/** `/register/verification` and `/register-cw/verification`. */
export function RegisterCode({ base }: BaseProps) {
  const text = useAuthText();
  const flow = useStepOf(registerFlow, (value) => (value === null ? base : undefined));
  const actions = useRegisterActions(base);
  const go = actions.go;
  // A reload clears the password: the form prompts again, the account is still stored.
  const forgotten = flow !== undefined && readPassword() === "";
  // biome-ignore lint/correctness/useExhaustiveDependencies: redirects once
  useEffect(() => {
    if (forgotten) go("/create");
  }, [forgotten]);
  return (
    <AuthFrame title={text("register.codeTitle")}>
      <AuthCard
        title={text("register.codeTitle")}
        lead={<AuthMarked line="code.sent" mark="to" value={flow?.account} />}
        step={base === "/register" ? { at: 2, of: 2 } : { at: STEPS, of: STEPS }}
        onBack={() => go("/create")}
        ways={<NoCodeWay to={flow?.account ?? ""} />}
      >
        <CodeStep
          onCode={async (code) => (flow === undefined ? undefined : actions.withCode(flow, code))}
          submit={text("register.submit")}
          share={actions.share}
          {...(flow?.sentAtMs === undefined
            ? {}
            : { resend: { sentAtMs: flow.sentAtMs, onResend: () => actions.sendCode(flow) } })}
        />
      </AuthCard>
    </AuthFrame>
  );
}
