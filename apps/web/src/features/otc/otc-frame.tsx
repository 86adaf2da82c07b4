// The frame of the OTC pages: a container, the title, and the sections of an OTC trader.
import { parseLocalePath } from "@clockwork/kit/locale";
import { buttonClass } from "@clockwork/ui/logic/button-style";
import type { ReactNode } from "react";
import { useLocation } from "react-router";
import { SiteLink } from "#boot/site-link.tsx";
import type { OtcTextKey } from "#locales/en-us-otc.ts";
import { ComponentLocale } from "#shell/component-locale.tsx";
import { PageHead } from "#shell/page-head.tsx";
import { useOtcText } from "./otc-text.ts";

const PLACES: readonly { readonly path: string; readonly title: OtcTextKey }[] = [
  { path: "/otc", title: "nav.market" },
  { path: "/otc/providers", title: "nav.providers" },
  { path: "/otc/orders", title: "nav.orders" },
  { path: "/otc/bills", title: "nav.bills" },
  { path: "/otc/payments", title: "nav.payments" },
  { path: "/otc/ads", title: "nav.ads" },
  { path: "/otc/merchant", title: "nav.merchant" },
];

export interface OtcFrameProps {
  readonly title: string;
  readonly lead?: string;
  readonly description?: string;
  readonly noIndex?: boolean;
  readonly aside?: ReactNode;
  /** Above the title. */
  readonly above?: ReactNode;
  readonly children: ReactNode;
}

export function OtcFrame({ title, lead, description, noIndex = true, aside, above, children }: OtcFrameProps) {
  return (
    <ComponentLocale>
      <PageHead title={title} noIndex={noIndex} {...(description === undefined ? {} : { description })} />
      <main id="content" className="mx-auto w-full max-w-[1248px] flex-1 px-4 py-6 lg:px-6 lg:py-8">
        {above}
        <header className="mb-5 flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
          <div className="min-w-0">
            <h1 className="text-app text-text">{title}</h1>
            {lead !== undefined && <p className="mt-1 text-muted text-ui">{lead}</p>}
          </div>
          {aside ?? <Places />}
        </header>
        {children}
      </main>
    </ComponentLocale>
  );
}

export function Places() {
  const text = useOtcText();
  const { rest } = parseLocalePath(useLocation().pathname);
  return (
    <nav aria-label={text("nav.label")} className="flex max-w-full gap-2 overflow-x-auto">
      {PLACES.filter(({ path }) => path !== rest).map(({ path, title }) => (
        <SiteLink key={path} to={path} className={buttonClass({ size: 36 })}>
          {text(title)}
        </SiteLink>
      ))}
    </nav>
  );
}
