// The header above every page: brand, products, search, sign-in or account, language and currency, theme. Shows only
// what exists; gives way inside a native shell; its panels are loaded when first asked for.
import { useHotkey } from "@clockwork/ui/hooks/use-hotkey";
import { Icon } from "@clockwork/ui/icon";
import { buttonClass } from "@clockwork/ui/logic/button-style";
import { Mark } from "@clockwork/ui/mark";
import { lazy, Suspense, useRef, useState } from "react";
import { hasPage } from "../route-table.ts";
import { HeaderMenu } from "./header-menu.tsx";
import { listMenu } from "./menu.ts";
import { SiteLink } from "./site-link.tsx";
import { useGlobal, useGlobalStore } from "./state.ts";
import { useText } from "./text.ts";
import { toggleTheme } from "./theme.ts";

const SearchDialog = lazy(() => import("./search-dialog.tsx").then((module) => ({ default: module.SearchDialog })));
const SettingsPanel = lazy(() => import("./settings-panel.tsx").then((module) => ({ default: module.SettingsPanel })));
const MobileMenu = lazy(() => import("./mobile-menu.tsx").then((module) => ({ default: module.MobileMenu })));

const QUIET = "flex h-9 items-center gap-1.5 rounded-control px-2.5 text-muted hover:bg-hover hover:text-text";

const menu = listMenu();

export function SiteHeader({ hideOnMobile = false }: { readonly hideOnMobile?: boolean }) {
  const text = useText();
  const [open, setOpen] = useState<"search" | "menu" | undefined>(undefined);
  useHotkey("/", () => setOpen("search"));
  return (
    <header
      className={`sticky top-0 z-header h-14 shrink-0 items-center border-line border-b bg-header px-4 lg:flex lg:h-16 lg:px-8 ${hideOnMobile ? "hidden" : "flex"}`}
    >
      <SiteLink to="/" className="flex items-center gap-2.5 font-semibold text-[18px] tracking-[-0.02em] lg:mr-7">
        <Mark size={24} />
        {text("site.name")}
      </SiteLink>
      <nav aria-label={text("menu.label")} className="hidden h-full lg:block">
        <ul className="flex h-full">
          {menu.map((group) => (
            <HeaderMenu key={group.title} group={group} />
          ))}
        </ul>
      </nav>
      <div className="ml-auto flex items-center gap-1 lg:gap-2">
        <button
          type="button"
          className="hidden h-9 w-[208px] items-center gap-2 rounded-control border border-line bg-surface px-3 text-[13px] text-muted hover:border-line2 lg:flex"
          onClick={() => setOpen("search")}
        >
          <Icon name="search" className="text-text" />
          {text("search.hint")}
          <span
            aria-hidden="true"
            className="ml-auto rounded-check border border-line2 px-1.5 font-sans text-axis text-muted"
          >
            /
          </span>
        </button>
        <button
          type="button"
          aria-label={text("search.label")}
          className={`${QUIET} lg:hidden`}
          onClick={() => setOpen("search")}
        >
          <Icon name="search" size={20} />
        </button>
        <Account />
        <Settings />
        <ThemeButton />
        <button
          type="button"
          aria-label={text("menu.open")}
          aria-haspopup="dialog"
          className={`${QUIET} lg:hidden`}
          onClick={() => setOpen("menu")}
        >
          <Icon name="menu" size={20} />
        </button>
      </div>
      <Suspense fallback={null}>
        {open === "search" && <SearchDialog onClose={() => setOpen(undefined)} />}
        {open === "menu" && <MobileMenu groups={menu} onClose={() => setOpen(undefined)} />}
      </Suspense>
    </header>
  );
}

/** Signed out: the ways in. Signed in: wallet, letters with their count, the account. Each only where its page exists. */
function Account() {
  const text = useText();
  const signedIn = useGlobal((state) => state.topInfo.id !== null);
  const unread = useGlobal((state) => state.unreadLetters);
  if (!signedIn) {
    return (
      <>
        {hasPage("/login-cw") && (
          <SiteLink to="/login-cw" className={`${buttonClass({ kind: "ghost", size: 36 })} max-lg:hidden`}>
            {text("account.logIn")}
          </SiteLink>
        )}
        {hasPage("/register-cw") && (
          <SiteLink to="/register-cw" className={buttonClass({ kind: "neutral", size: 36 })}>
            {text("account.signUp")}
          </SiteLink>
        )}
      </>
    );
  }
  return (
    <>
      {hasPage("/wallet") && (
        <SiteLink to="/wallet" className={`${QUIET} max-lg:hidden`}>
          <Icon name="wallet" /> {text("bar.wallet")}
        </SiteLink>
      )}
      {hasPage("/letters") && (
        <SiteLink to="/letters" aria-label={text("account.letters", { count: unread })} className={`relative ${QUIET}`}>
          <Icon name="mail" size={18} />
          {unread > 0 && (
            <span className="figures absolute top-0 right-0 flex h-4 min-w-4 items-center justify-center rounded-full bg-text px-1 font-semibold text-[10px] text-on-text leading-none">
              {unread > 99 ? "99+" : unread}
            </span>
          )}
        </SiteLink>
      )}
      {hasPage("/account") && (
        <SiteLink to="/account" aria-label={text("account.open")} className={QUIET}>
          <Icon name="user" size={18} />
        </SiteLink>
      )}
    </>
  );
}

function Settings() {
  const text = useText();
  const language = useGlobal((state) => state.language.lang.slice(0, 2).toUpperCase());
  const currency = useGlobal((state) => state.currency);
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  return (
    <div className="relative hidden border-line pl-2 lg:block lg:border-l">
      <button
        ref={button}
        type="button"
        aria-expanded={open}
        aria-haspopup="dialog"
        aria-label={text("settings.button", { language, currency })}
        className={`${QUIET} text-[13px]`}
        onClick={() => setOpen(!open)}
      >
        <Icon name="globe" />
        {language} · {currency}
      </button>
      <Suspense fallback={null}>{open && <SettingsPanel anchor={button} onClose={close} />}</Suspense>
    </div>
  );
}

function ThemeButton() {
  const text = useText();
  const store = useGlobalStore();
  const dark = useGlobal((state) => state.paintedTheme === "dark");
  return (
    <button
      type="button"
      aria-label={dark ? text("theme.toLight") : text("theme.toDark")}
      className={`${QUIET} max-lg:hidden`}
      onClick={() => toggleTheme(store)}
    >
      {/* Both are drawn and the theme shows one: the server need not know which. */}
      <Icon name="sun" size={18} className="dark:hidden" />
      <Icon name="moon" size={18} className="hidden dark:block" />
    </button>
  );
}
