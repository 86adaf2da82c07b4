// The form of an account whose address another site has proved: all but the code. The call is the caller's.
import { TextField } from "@clockwork/ui/text-field";
import { useState } from "react";
import { AuthForm, AuthSubmit, FieldRoom } from "#session/auth-fields.tsx";
import { useAuthText } from "#words/auth-text.ts";
import { TermsText } from "./auth-terms.tsx";
import { CountryField } from "./country-field.tsx";
import { checkInvite, checkNewPassword, InviteField, NewPassword, Terms } from "./register-fields.tsx";
import { useInvite } from "./use-invite.ts";

export interface SocialRegisterProps {
  /** The visitor's query from before the other site. */
  readonly carried: string;
  readonly account: string;
  readonly onSubmit: (account: {
    readonly password: string;
    readonly country: string;
    readonly inviteCode: string;
  }) => Promise<string | undefined>;
}

interface Errors {
  readonly country?: string | undefined;
  readonly password?: string | undefined;
  readonly invite?: string | undefined;
  readonly terms?: string | undefined;
}

export function SocialRegister({ account, carried, onSubmit }: SocialRegisterProps) {
  const text = useAuthText();
  const [country, setCountry] = useState("");
  const [password, setPassword] = useState("");
  const { invite, setInvite } = useInvite(carried);
  const [agreed, setAgreed] = useState(false);
  const [errors, setErrors] = useState<Errors>({});
  const [busy, setBusy] = useState(false);
  const submit = async () => {
    const wrong: Errors = {
      country: country === "" ? text("country.required") : undefined,
      password: checkNewPassword(text, password),
      invite: checkInvite(text, invite),
      terms: agreed ? undefined : text("terms.required"),
    };
    setErrors(wrong);
    if (busy || Object.values(wrong).some((one) => one !== undefined)) return;
    setBusy(true);
    const refused = await onSubmit({ password, country, inviteCode: invite });
    setBusy(false);
    if (refused !== undefined) setErrors({ password: refused });
  };
  const clearing =
    <Value,>(field: keyof Errors, set: (value: Value) => void) =>
    (value: Value) => {
      set(value);
      setErrors((now) => ({ ...now, [field]: undefined }));
    };
  return (
    <AuthForm onSubmit={() => void submit()}>
      <FieldRoom>
        <TextField label={text("social.address")} size={48} value={account} isReadOnly autoComplete="username" />
      </FieldRoom>
      <CountryField value={country} error={errors.country} onChange={clearing("country", setCountry)} />
      <NewPassword
        label={text("password.label")}
        value={password}
        error={errors.password}
        onChange={clearing("password", setPassword)}
      />
      <InviteField value={invite} error={errors.invite} onChange={clearing("invite", setInvite)} />
      <Terms agreed={agreed} error={errors.terms} onChange={clearing("terms", setAgreed)}>
        <TermsText />
      </Terms>
      <AuthSubmit busy={busy}>{text("register.submit")}</AuthSubmit>
    </AuthForm>
  );
}
