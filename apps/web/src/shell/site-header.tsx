// The header above every page: brand, products, search, sign-in or account, language and currency, theme. Shows only
// what exists; hidden inside a native shell; its panels are loaded on first use.

import { FrameIcon } from "@clockwork/ui/frame-icon";
import { useHotkey } from "@clockwork/ui/hooks/use-hotkey";
import { buttonClass } from "@clockwork/ui/logic/button-style";
import { Mark } from "@clockwork/ui/mark";
import { Suspense, useState } from "react";
import { latePart } from "#boot/late-part.tsx";
import { usePageFlags } from "#boot/page-flags.ts";
import { SiteLink } from "#boot/site-link.tsx";
import { useGlobal } from "#boot/state.ts";
import { lazy } from "#boot/timeout.ts";
import { useText } from "#words/text.ts";
import { collectTyping } from "./early-typing.ts";
import { QUIET, SettingsCorner } from "./settings-corner.tsx";

const SearchDialog = lazy(() => import("./search-dialog.tsx").then((module) => ({ default: module.SearchDialog })));
const MobileMenu = lazy(() => import("./mobile-menu.tsx").then((module) => ({ default: module.MobileMenu })));

const HeaderNav = latePart(async () => (await import("./header-nav.tsx")).HeaderNav);
const AccountAvatar = latePart(async () => (await import("./account-links.tsx")).AccountAvatar);
const AccountLinks = latePart(async () => (await import("./account-links.tsx")).AccountLinks);

export function SiteHeader({ hideOnMobile = false }: { readonly hideOnMobile?: boolean }) {
  const text = useText();
  const signedIn = useGlobal((state) => state.topInfo.id !== null);
  const [open, setOpen] = useState<"search" | "menu" | undefined>(undefined);
  const [typing, setTyping] = useState<ReturnType<typeof collectTyping>>();
  useHotkey("/", () => {
    typing?.take();
    setTyping(collectTyping(document));
    setOpen("search");
  });
  return (
    <header
      className={`sticky top-0 z-header h-14 shrink-0 items-center border-line border-b bg-header px-4 lg:flex lg:h-16 lg:px-8 lg:terminal:h-12 lg:terminal:border-transparent lg:terminal:px-4 ${hideOnMobile ? "hidden" : "flex"}`}
    >
      <SiteLink to="/" className="flex items-center gap-2.5 font-semibold text-[18px] tracking-[-0.02em] lg:mr-7">
        <Mark size={24} />
        {text("site.name")}
      </SiteLink>
      <nav aria-label={text("menu.label")} className="hidden h-full lg:block">
        <HeaderNav />
      </nav>
      <div className="ml-auto flex items-center gap-1 lg:gap-2">
        <button
          type="button"
          className="hidden h-9 w-[208px] items-center gap-2 rounded-control border border-line bg-surface px-3 text-[13px] text-muted hover:border-line2 lg:flex max-xl:w-9 max-xl:justify-center max-xl:px-0"
          onClick={() => setOpen("search")}
        >
          <FrameIcon name="search" className="text-text" />
          {/* Between a tablet and a desktop the menus need its room: the words are read out alone. */}
          <span className="max-xl:sr-only">{text("search.hint")}</span>
          <span
            aria-hidden="true"
            className="ml-auto rounded-check border border-line2 px-1.5 font-sans text-axis text-muted max-xl:hidden"
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
          <FrameIcon name="search" size={20} />
        </button>
        <Account signedIn={signedIn} />
        <SettingsCorner panelClass="hidden border-line pl-2 lg:block lg:border-l" themeClass="max-lg:hidden" />
        {signedIn && <AccountAvatar />}
        <button
          type="button"
          aria-label={text("menu.open")}
          aria-haspopup="dialog"
          className={`${QUIET} lg:hidden`}
          onClick={() => setOpen("menu")}
        >
          <FrameIcon name="menu" size={20} />
        </button>
      </div>
      <Suspense fallback={null}>
        {open === "search" && <SearchDialog takeTyped={typing?.take} onClose={() => setOpen(undefined)} />}
        {open === "menu" && <MobileMenu onClose={() => setOpen(undefined)} />}
      </Suspense>
    </header>
  );
}

/** Signed out: the ways in. */
function Account({ signedIn }: { readonly signedIn: boolean }) {
  const text = useText();
  // One filled button a view.
  const ownAction = usePageFlags()?.ownAction === true;
  if (signedIn) return <AccountLinks />;
  return (
    <>
      <SiteLink to="/login-cw" className={`${buttonClass({ kind: "ghost", size: 36 })} max-lg:hidden`}>
        {text("account.logIn")}
      </SiteLink>
      <SiteLink to="/register-cw" className={buttonClass({ kind: ownAction ? "neutral" : "primary", size: 36 })}>
        {text("account.signUp")}
      </SiteLink>
    </>
  );
}
