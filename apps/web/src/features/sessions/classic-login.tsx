// `/login`: the one-page entry to the same accounts, inside the ordinary site frame.
import { Checkbox } from "@clockwork/ui/checkbox";
import { PasswordField } from "@clockwork/ui/password-field";
import { useState } from "react";
import { useSearchParams } from "react-router";
import { SiteLink } from "#boot/site-link.tsx";
import { AuthCard, AuthOr } from "#session/auth-card.tsx";
import { AccountField, AuthForm, AuthSubmit, checkAccount, FieldRoom } from "#session/auth-fields.tsx";
import { carriedQuery } from "#session/login-path.ts";
import { AuthStage } from "#shell/auth-frame.tsx";
import { useAuthText } from "#words/auth-text.ts";
import { useLoginActions } from "./login-actions.ts";
import {
  EndedNote,
  ForgotLink,
  type LoginScreenProps,
  OtherWays,
  ReleaseLink,
  ScanLink,
  SECOND_WAY,
} from "./login-screen.tsx";

interface Errors {
  readonly account?: string | undefined;
  readonly password?: string | undefined;
}

export function ClassicLogin({ others }: LoginScreenProps) {
  const text = useAuthText();
  const [search] = useSearchParams();
  return (
    <AuthStage title={text("login.title")}>
      <AuthCard title={text("login.title")} aside={<ScanLink />}>
        <EndedNote />
        <LoginForm />
        <AuthOr />
        <OtherWays />
        {others}
        <SiteLink to={`/register${carriedQuery(search)}`} className={`mt-2 ${SECOND_WAY}`}>
          {text("frame.create")}
        </SiteLink>
      </AuthCard>
    </AuthStage>
  );
}

function LoginForm() {
  const text = useAuthText();
  const actions = useLoginActions();
  const [account, setAccount] = useState("");
  const [password, setPassword] = useState("");
  const [stays, setStays] = useState(false);
  const [errors, setErrors] = useState<Errors>({});
  const [busy, setBusy] = useState(false);
  const [frozen, setFrozen] = useState(false);
  const submit = async () => {
    const wrong: Errors = {
      account: checkAccount(text, account),
      password: password === "" ? text("password.required") : undefined,
    };
    setErrors(wrong);
    if (busy || wrong.account !== undefined || wrong.password !== undefined) return;
    setBusy(true);
    const refused = await actions.withPassword(account.trim(), password, stays);
    if (refused === undefined) return;
    setBusy(false);
    setErrors({ password: refused.words });
    setFrozen(refused.code === "ACCOUNT_FROZEN");
  };
  return (
    <AuthForm onSubmit={() => void submit()}>
      <AccountField
        value={account}
        error={errors.account}
        onChange={(value) => {
          setAccount(value);
          setErrors({});
        }}
        onBlur={() => account !== "" && setErrors((now) => ({ ...now, account: checkAccount(text, account) }))}
      />
      <FieldRoom>
        <PasswordField
          label={text("password.label")}
          size={48}
          value={password}
          error={errors.password}
          onChange={(value) => {
            setPassword(value);
            setErrors((now) => ({ ...now, password: undefined }));
          }}
          labelAside={<ForgotLink />}
        />
      </FieldRoom>
      <Checkbox isSelected={stays} onChange={setStays} className="mb-5">
        {text("login.stay")}
      </Checkbox>
      <AuthSubmit busy={busy} share={actions.share}>
        {text("login.submit")}
      </AuthSubmit>
      {frozen && <ReleaseLink />}
    </AuthForm>
  );
}
