// The sign-up field of the home page: what was typed is carried into the form. Without script it is a plain link form.
import { buttonClass } from "@clockwork/ui/logic/button-style";
import { type FormEvent, useState } from "react";
import { useNavigate } from "react-router";
import { SiteLink, useSitePath } from "#boot/site-link.tsx";
import { useGlobalStore } from "#boot/state.ts";
import { useHomeText } from "#words/home-text.ts";

export function HeroForm() {
  const text = useHomeText();
  const path = useSitePath()("/register");
  const navigate = useNavigate();
  const store = useGlobalStore();
  const [account, setAccount] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    store.setState({ signUpAccount: account.trim().slice(0, 254) });
    void navigate(path);
  };
  return (
    <>
      <form onSubmit={submit} action={path} className="mt-8 flex max-w-[464px] gap-2 max-sm:flex-col">
        <input
          value={account}
          onChange={(event) => setAccount(event.target.value)}
          maxLength={254}
          autoComplete="username"
          aria-label={text("home.account")}
          placeholder={text("home.account")}
          className="h-12 min-w-0 flex-1 rounded-control border border-line2 bg-raised px-4 text-[16px] outline-none placeholder:text-muted hover:border-faint focus:border-accent focus:ring-1 focus:ring-accent max-sm:flex-none"
        />
        <button type="submit" className={buttonClass({ kind: "primary", size: 48 })}>
          {text("home.signUp")}
        </button>
      </form>
      <p className="mt-4 flex items-center gap-3 text-[13px] text-muted">
        {text("home.or")}
        <SiteLink to="/login-cw/passkey" className={buttonClass({ size: 32 })}>
          {text("home.passkey")}
        </SiteLink>
      </p>
    </>
  );
}
