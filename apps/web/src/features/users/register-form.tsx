// The form that starts a registration: the whole of it on the classic page, its first step in the stepwise flow.
import { guessCountry } from "@clockwork/kit/countries";
import { useEffect, useState } from "react";
import { useGlobal } from "#boot/state.ts";
import { AccountField, AuthForm, AuthSubmit, checkAccount } from "#session/auth-fields.tsx";
import { useAuthText } from "#words/auth-text.ts";
import { TermsText } from "./auth-terms.tsx";
import { CountryField } from "./country-field.tsx";
import { type RegisterBase, useRegisterActions } from "./register-actions.ts";
import { checkInvite, checkNewPassword, InviteField, NewPassword, Terms } from "./register-fields.tsx";
import { registerFlow } from "./register-flow.ts";
import { useInvite } from "./use-invite.ts";

interface Errors {
  readonly account?: string | undefined;
  readonly country?: string | undefined;
  readonly password?: string | undefined;
  readonly invite?: string | undefined;
  readonly terms?: string | undefined;
}

function useDraft() {
  const signUpAccount = useGlobal((state) => state.signUpAccount);
  const [account, setAccount] = useState(signUpAccount);
  const [country, setCountry] = useState("");
  const { invite, setInvite } = useInvite();
  const [password, setPassword] = useState("");
  const [agreed, setAgreed] = useState(false);
  // A first guess from the browser's language; the visitor can change it.
  useEffect(() => setCountry((now) => (now === "" ? guessCountry(navigator.languages) : now)), []);
  return { account, setAccount, country, setCountry, invite, setInvite, password, setPassword, agreed, setAgreed };
}

interface FormProps {
  readonly base: RegisterBase;
  readonly whole: boolean;
}

function useRegisterForm({ base, whole }: FormProps) {
  const text = useAuthText();
  const actions = useRegisterActions(base);
  const draft = useDraft();
  const [errors, setErrors] = useState<Errors>({});
  const [busy, setBusy] = useState(false);
  const check = (): Errors => ({
    account: checkAccount(text, draft.account),
    country: draft.country === "" ? text("country.required") : undefined,
    password: whole ? checkNewPassword(text, draft.password) : undefined,
    invite: checkInvite(text, draft.invite),
    terms: draft.agreed ? undefined : text("terms.required"),
  });
  const clear = (field: keyof Errors) => setErrors((now) => ({ ...now, [field]: undefined }));
  const submit = async () => {
    const wrong = check();
    setErrors(wrong);
    if (busy || Object.values(wrong).some((one) => one !== undefined)) return;
    const flow = { account: draft.account.trim(), country: draft.country, inviteCode: draft.invite };
    registerFlow.write(flow);
    if (!whole) {
      actions.go("/create");
      return;
    }
    setBusy(true);
    const refused = await actions.withPassword(flow, draft.password);
    setBusy(false);
    if (refused !== undefined) setErrors({ account: refused });
  };
  return { actions, draft, errors, setErrors, clear, busy, submit };
}

export function RegisterForm(props: FormProps) {
  const { whole } = props;
  const text = useAuthText();
  const { actions, draft, errors, setErrors, clear, busy, submit } = useRegisterForm(props);
  return (
    <AuthForm onSubmit={() => void submit()}>
      <AccountField
        value={draft.account}
        error={errors.account}
        autoFocus={!whole}
        onChange={(value) => {
          draft.setAccount(value);
          clear("account");
        }}
        onBlur={() =>
          draft.account !== "" && setErrors((now) => ({ ...now, account: checkAccount(text, draft.account) }))
        }
      />
      <CountryField
        value={draft.country}
        error={errors.country}
        onChange={(value) => {
          draft.setCountry(value);
          clear("country");
        }}
      />
      {whole && (
        <NewPassword
          label={text("password.label")}
          value={draft.password}
          error={errors.password}
          onChange={(value) => {
            draft.setPassword(value);
            clear("password");
          }}
        />
      )}
      <InviteField
        value={draft.invite}
        error={errors.invite}
        onChange={(value) => {
          draft.setInvite(value);
          clear("invite");
        }}
      />
      <Terms
        agreed={draft.agreed}
        error={errors.terms}
        onChange={(value) => {
          draft.setAgreed(value);
          clear("terms");
        }}
      >
        <TermsText />
      </Terms>
      <AuthSubmit busy={busy} share={actions.share}>
        {whole ? text("register.submit") : text("step.continue")}
      </AuthSubmit>
    </AuthForm>
  );
}
