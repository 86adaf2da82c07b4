// The frame of the sign-in screens: mark, the other way in, language and theme above; the motif behind; the address to
// check below. Honours the flags of its route.

import { Icon } from "@clockwork/ui/icon";
import { Mark } from "@clockwork/ui/mark";
import type { ReactNode } from "react";
import { useSearchParams } from "react-router";
import { usePageFlags } from "#boot/page-flags.ts";
import { SiteLink } from "#boot/site-link.tsx";
import { useGlobal } from "#boot/state.ts";
import { carriedQuery } from "#session/login-path.ts";
import { type AuthText, useAuthText } from "#words/auth-text.ts";
import { useText } from "#words/text.ts";
import { ComponentLocale } from "./component-locale.tsx";
import { EscapeWheel } from "./escape-wheel.tsx";
import { MobileHeader } from "./mobile-header.tsx";
import { PageHead } from "./page-head.tsx";
import { SettingsCorner } from "./settings-corner.tsx";
import { SiteFooter } from "./site-footer.tsx";
import { SystemBanner } from "./system-banner.tsx";

export interface AuthFrameProps {
  readonly title: string;
  /** Which other way in the corner offers. */
  readonly offer?: "register" | "login";
  readonly children: ReactNode;
}

/** A whole screen: for routes with the empty layout. */
export function AuthFrame({ title, offer, children }: AuthFrameProps) {
  const page = usePageFlags();
  const inShell = useGlobal((state) => state.shell !== undefined);
  const mobileHeader = page?.mobileHeader === true;
  return (
    <>
      <SystemBanner />
      {!inShell && mobileHeader && <MobileHeader title={title} noReturn={page.noReturn === true} />}
      {!inShell && <AuthHeader offer={offer} hideOnMobile={mobileHeader} />}
      <AuthStage
        title={title}
        stickyOpen={page?.stickyOpen === true}
        className={inShell ? "" : mobileHeader ? "lg:pt-16" : "pt-14 lg:pt-16"}
      >
        {children}
      </AuthStage>
      {!inShell && page?.footer !== false && <SiteFooter />}
    </>
  );
}

export interface AuthStageProps {
  readonly title: string;
  readonly stickyOpen?: boolean;
  readonly className?: string;
  readonly children: ReactNode;
}

/** The card before its motif: the content of a sign-in page in any layout. */
export function AuthStage({ title, stickyOpen = false, className = "", children }: AuthStageProps) {
  const text = useAuthText();
  const domain = useGlobal((state) => state.domain);
  return (
    <ComponentLocale>
      <PageHead title={title} noIndex />
      <main
        id="content"
        className={`relative flex flex-1 flex-col items-center overflow-x-clip px-4 sm:overflow-hidden sm:px-6 ${className}`}
      >
        <EscapeWheel className="-translate-x-1/2 -translate-y-1/2 pointer-events-none absolute top-[calc(50%-32px)] left-1/2 size-[860px] max-w-none text-draw max-sm:hidden" />
        <div className="relative flex w-full flex-1 flex-col items-center sm:justify-center sm:py-10">
          <noscript>
            <p className="mb-4 max-w-[440px] rounded-control border border-line2 bg-raised px-4 py-3 text-ui">
              {text("frame.noScript")}
            </p>
          </noscript>
          {children}
        </div>
        <p
          data-sticky={stickyOpen || undefined}
          className="relative flex min-h-14 items-center justify-center gap-2 pb-2 text-center text-[12px] text-muted max-sm:data-sticky:sticky max-sm:data-sticky:bottom-0 max-sm:data-sticky:w-screen max-sm:data-sticky:border-line max-sm:data-sticky:border-t max-sm:data-sticky:bg-bg max-sm:data-sticky:pb-0"
        >
          <Icon name="lock" size={13} />
          {text("frame.address")}
          <b className="font-semibold text-text">{domain}</b>
        </p>
      </main>
    </ComponentLocale>
  );
}

function AuthHeader({
  offer,
  hideOnMobile,
}: {
  readonly offer: AuthFrameProps["offer"];
  readonly hideOnMobile: boolean;
}) {
  const site = useText();
  const text = useAuthText();
  return (
    <header
      className={`absolute inset-x-0 top-0 z-header h-14 items-center px-4 lg:flex lg:h-16 lg:px-8 ${hideOnMobile ? "hidden" : "flex"}`}
    >
      <SiteLink to="/" className="flex items-center gap-2.5 font-semibold text-[18px] tracking-[-0.02em]">
        <Mark size={24} />
        {site("site.name")}
      </SiteLink>
      <div className="ml-auto flex items-center gap-1 lg:gap-2">
        {offer !== undefined && <Offer offer={offer} text={text} />}
        <SettingsCorner short panelClass="max-sm:hidden" themeClass="" />
      </div>
    </header>
  );
}

function Offer({ offer, text }: { readonly offer: "register" | "login"; readonly text: AuthText }) {
  const [search] = useSearchParams();
  const register = offer === "register";
  return (
    <p className="mr-1 flex h-5 items-center gap-2 border-line text-[13px] text-muted lg:border-r lg:pr-3">
      <span className="max-sm:hidden">{text(register ? "frame.newHere" : "frame.have")}</span>
      <SiteLink
        to={`${register ? "/register-cw" : "/login-cw"}${carriedQuery(search)}`}
        className="rounded-xs font-semibold text-text hover:text-accent dark:hover:text-text"
      >
        {text(register ? "frame.create" : "frame.logIn")}
      </SiteLink>
    </p>
  );
}
