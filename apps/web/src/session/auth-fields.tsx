// Fields the sign-in screens share. Each keeps the room for its error, so that nothing jumps; rules come from the kit.
import { readAccountName } from "@clockwork/kit/account";
import { completeEmail } from "@clockwork/kit/mail-domains";
import { Button } from "@clockwork/ui/button";
import { TextField } from "@clockwork/ui/text-field";
import { type FormEvent, type KeyboardEvent, type ReactNode, useRef } from "react";
import { type AuthText, useAuthText } from "#words/auth-text.ts";

const COMPLETIONS_MAX = 3;

/** A form that never sends itself: without its script nothing leaves the page, and no password ends in an address. */
export function AuthForm({ onSubmit, children }: { readonly onSubmit: () => void; readonly children: ReactNode }) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form method="post" noValidate onSubmit={submit}>
      {children}
    </form>
  );
}

/** Label, box and the row of 28 px below it. */
export function FieldRoom({ children }: { readonly children: ReactNode }) {
  return <div className="min-h-[108px]">{children}</div>;
}

export function checkAccount(text: AuthText, account: string): string | undefined {
  if (account.trim() === "") return text("account.required");
  return readAccountName(account) === undefined ? text("account.invalid") : undefined;
}

export interface AccountFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly onBlur?: () => void;
  readonly error?: string | undefined;
  readonly autoFocus?: boolean;
  readonly autoComplete?: string;
}

export function AccountField({ value, onChange, onBlur, error, autoFocus, autoComplete }: AccountFieldProps) {
  const text = useAuthText();
  const input = useRef<HTMLInputElement>(null);
  const completions = value.includes("@") && error === undefined ? completeEmail(value, COMPLETIONS_MAX) : [];
  const phone = /^[0-9 ()-]{3,}$/.test(value);
  const complete = (address: string) => {
    onChange(address);
    input.current?.focus();
  };
  const onKeyDown = ({ key }: { readonly key: string }) => {
    const [first] = completions;
    const atEnd = input.current?.selectionStart === value.length && input.current.selectionEnd === value.length;
    if (key === "ArrowRight" && atEnd && first !== undefined) complete(first);
  };
  return (
    <FieldRoom>
      <TextField
        label={text("account.label")}
        size={48}
        value={value}
        onChange={onChange}
        onKeyDown={(event: Pick<KeyboardEvent, "key">) => onKeyDown(event)}
        clearable
        inputRef={input}
        error={error}
        autoComplete={autoComplete ?? "username"}
        autoCorrect="off"
        spellCheck="false"
        inputMode="email"
        {...(onBlur === undefined ? {} : { onBlur })}
        {...(autoFocus === undefined ? {} : { autoFocus })}
        {...(phone && error === undefined ? { help: text("account.phoneHint") } : {})}
      />
      {completions.length > 0 && <Completions addresses={completions} onChoose={complete} />}
    </FieldRoom>
  );
}

interface CompletionsProps {
  readonly addresses: readonly string[];
  readonly onChoose: (address: string) => void;
}

function Completions({ addresses, onChoose }: CompletionsProps) {
  const text = useAuthText();
  return (
    <div className="mt-2 flex h-7 gap-2 overflow-hidden">
      {addresses.map((address, index) => (
        <button
          key={address}
          type="button"
          aria-label={text("account.complete", { address })}
          // Keeps the focus in the field, so that leaving it does not judge a half-typed address.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onChoose(address)}
          className={`flex h-7 shrink-0 items-center gap-1.5 rounded-full border border-line px-2.5 text-[13px] ${index === 0 ? "bg-control text-text" : "text-muted hover:text-text"}`}
        >
          {address.slice(address.indexOf("@"))}
          {index === 0 && <kbd className="rounded-check border border-line2 px-1 font-sans text-axis leading-4">→</kbd>}
        </button>
      ))}
    </div>
  );
}

export interface SubmitProps {
  readonly children: ReactNode;
  readonly busy: boolean;
  /** The captcha's share while it works. */
  readonly share?: number | undefined;
  readonly isDisabled?: boolean;
}

/** The one main button of a card, with what keeps it busy under it. */
export function AuthSubmit({ children, busy, share, isDisabled = false }: SubmitProps) {
  const text = useAuthText();
  return (
    <>
      <Button type="submit" kind="primary" size={48} wide busy={busy} isDisabled={isDisabled}>
        {children}
      </Button>
      <span role="status" className="sr-only">
        {share === undefined ? "" : text("step.checking", { share: Math.floor(share * 10) * 10 })}
      </span>
    </>
  );
}

/** An error that belongs to the whole form; takes its room only when there is one. */
export function FormError({ children }: { readonly children: string | undefined }) {
  return (
    <p
      role="alert"
      className={children === undefined ? "" : "mb-4 rounded-control bg-danger-soft px-3 py-2 text-danger text-ui"}
    >
      {children}
    </p>
  );
}
