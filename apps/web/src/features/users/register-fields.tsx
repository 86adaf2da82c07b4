// Fields of a registration: country of residence, invite code, terms, and a new password with its rules. Rules come
// from the kit; errors are passed in.
import { checkLettersDigits, checkPassword } from "@clockwork/kit/validate";
import { Checkbox } from "@clockwork/ui/checkbox";
import { Icon } from "@clockwork/ui/icon";
import { PasswordField } from "@clockwork/ui/password-field";
import { TextField } from "@clockwork/ui/text-field";
import { type ReactNode, useState } from "react";
import { FieldRoom } from "#session/auth-fields.tsx";
import { type AuthText, useAuthText } from "#words/auth-text.ts";

export function checkInvite(text: AuthText, invite: string): string | undefined {
  return invite !== "" && checkLettersDigits(invite) !== undefined ? text("invite.invalid") : undefined;
}

/** The rules are under the field; the message only names the one that is not met. */
export function checkNewPassword(text: AuthText, password: string): string | undefined {
  const wrong = checkPassword(password);
  if (wrong === undefined) return undefined;
  return wrong === "PASSWORD_TOO_SIMPLE" ? text("password.classes") : text("password.length");
}

export interface NewPasswordProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error: string | undefined;
  readonly autoFocus?: boolean;
}

export function NewPassword({ error, ...field }: NewPasswordProps) {
  const text = useAuthText();
  return (
    <div className="mb-5">
      <PasswordField
        {...field}
        size={48}
        error={error}
        reserveHelp
        strength={{ lengthText: text("password.length"), classesText: text("password.classes") }}
      />
    </div>
  );
}

export interface InviteFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error: string | undefined;
}

/** Collapsed by default. */
export function InviteField({ value, onChange, error }: InviteFieldProps) {
  const text = useAuthText();
  const [open, setOpen] = useState(value !== "");
  if (!open) {
    return (
      <button
        type="button"
        onClick={() => setOpen(true)}
        className="mb-4 flex h-6 items-center gap-2 rounded-xs text-[13px] text-muted hover:text-text"
      >
        <Icon name="plus" size={13} />
        {text("invite.add")}
      </button>
    );
  }
  return (
    <FieldRoom>
      <TextField
        label={text("invite.label")}
        labelAside={text("invite.optional")}
        size={48}
        value={value}
        onChange={(typed) => onChange(typed.trim())}
        error={error}
        maxLength={32}
        autoComplete="off"
      />
    </FieldRoom>
  );
}

export interface TermsProps {
  readonly agreed: boolean;
  readonly onChange: (agreed: boolean) => void;
  readonly error: string | undefined;
  readonly children: ReactNode;
}

export function Terms({ agreed, onChange, error, children }: TermsProps) {
  return (
    <div className="mb-3 min-h-[60px]">
      <Checkbox isSelected={agreed} onChange={onChange} isInvalid={error !== undefined} className="items-start!">
        <span className="-mt-0.5 text-[13px] leading-5">{children}</span>
      </Checkbox>
      <p role="alert" className="mt-0.5 text-danger text-label">
        {error}
      </p>
    </div>
  );
}
