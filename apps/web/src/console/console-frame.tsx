// The frame of the operators' console: the sections this operator may open, and the second factor before any of them.
// The content is only requested once the gate is open; the server checks again.
import type { Me } from "@clockwork/identity/operators/contract";
import { formatLanguageTag, parseLocalePath } from "@clockwork/kit/locale";
import { Card } from "@clockwork/ui/card";
import { Icon } from "@clockwork/ui/icon";
import { LocaleProvider } from "@clockwork/ui/locale";
import { buttonClass } from "@clockwork/ui/logic/button-style";
import type { IconName } from "@clockwork/ui/logic/icon-paths";
import { type ReactNode, useEffect, useRef } from "react";
import { useLocation } from "react-router";
import { hasPage } from "#boot/route-table.ts";
import { SiteLink } from "#boot/site-link.tsx";
import { useGlobal } from "#boot/state.ts";
import type { ConsoleTextKey } from "#locales/en-us-console.ts";
import { PageHead } from "#shell/page-head.tsx";
import { useConsoleText } from "#words/console-text.ts";

/** Who is at the console. */
export type ConsoleOperator = Me;

interface Place {
  readonly path: string;
  readonly title: ConsoleTextKey;
  readonly icon: IconName;
  /** Shown to operators with this permission; to every operator where left out. */
  readonly permission?: string;
}

const PLACES: readonly Place[] = [
  { path: "/operator", title: "nav.operators", icon: "user" },
  { path: "/operator/proposals", title: "nav.proposals", icon: "check" },
  { path: "/operator/kyc", title: "nav.kyc", icon: "document", permission: "kyc.review" },
  { path: "/operator/users", title: "nav.users", icon: "users", permission: "support.answer" },
  { path: "/operator/tickets", title: "nav.tickets", icon: "mail", permission: "support.answer" },
  { path: "/operator/articles", title: "nav.articles", icon: "document", permission: "content.edit" },
  { path: "/operator/campaigns", title: "nav.campaigns", icon: "bell", permission: "content.edit" },
  { path: "/operator/broadcasts", title: "nav.broadcasts", icon: "send", permission: "broadcasts.send" },
  { path: "/operator/site", title: "nav.site", icon: "globe", permission: "content.edit" },
  { path: "/operator/withdrawals", title: "nav.withdrawals", icon: "upload", permission: "withdrawals.review" },
  { path: "/operator/markets", title: "nav.markets", icon: "warning", permission: "trading.stop" },
  { path: "/operator/coupons", title: "nav.coupons", icon: "star", permission: "coupons.issue" },
  { path: "/operator/vip", title: "nav.vip", icon: "trophy", permission: "vip.manage" },
  { path: "/operator/invite", title: "nav.invite", icon: "share", permission: "invite.manage" },
  { path: "/operator/otc", title: "nav.otc", icon: "bank", permission: "otc.complaints" },
  { path: "/operator/earn", title: "nav.earn", icon: "coins", permission: "earn.manage" },
  { path: "/operator/launches", title: "nav.launches", icon: "flag", permission: "launchpad.manage" },
  { path: "/operator/rewards", title: "nav.rewards", icon: "gift", permission: "rewards.manage" },
  { path: "/operator/copy", title: "nav.copy", icon: "users", permission: "copy.read" },
  { path: "/operator/visits", title: "nav.visits", icon: "eye", permission: "visits.read" },
  { path: "/operator/audit", title: "nav.audit", icon: "clock", permission: "audit.read" },
];

export interface ConsoleFrameProps {
  readonly me: Me;
  readonly title: string;
  readonly lead?: ReactNode;
  /** The form that proves the second factor, by the security feature. */
  readonly proof: ReactNode;
  readonly children: ReactNode;
}

export function ConsoleFrame({ me, title, lead, proof, children }: ConsoleFrameProps) {
  const locale = useGlobal((state) => state.language.lang);
  return (
    <LocaleProvider locale={formatLanguageTag(locale)}>
      <PageHead title={title} noIndex />
      <div className="flex flex-1 max-lg:flex-col">
        <ConsoleNav me={me} />
        <main id="content" className="min-w-0 flex-1 px-4 py-6 lg:px-10 lg:py-7">
          <header className="mb-5">
            <h1 className="text-app text-text">{title}</h1>
            {lead !== undefined && <p className="mt-1 break-words text-muted text-ui">{lead}</p>}
          </header>
          <Gate me={me} proof={proof}>
            {children}
          </Gate>
        </main>
      </div>
    </LocaleProvider>
  );
}

function Gate({ me, proof, children }: Pick<ConsoleFrameProps, "me" | "proof" | "children">) {
  const text = useConsoleText();
  const { rest } = parseLocalePath(useLocation().pathname);
  const { permission } = PLACES.find(({ path }) => path === rest) ?? {};
  if (permission !== undefined && !me.permissions.includes(permission)) {
    return <p className="text-muted text-ui">{text("gate.notYours")}</p>;
  }
  if (me.hasTotp && me.isProved) return children;
  return (
    <Card className="max-w-[520px]" title={text("gate.title")}>
      {me.hasTotp ? (
        <>
          <p className="mb-4 text-muted text-ui">{text("gate.stale")}</p>
          {proof}
        </>
      ) : (
        <>
          <p className="mb-4 text-muted text-ui">{text("gate.totp")}</p>
          <SiteLink to="/security" className={buttonClass({ kind: "primary", size: 40 })}>
            {text("gate.toSecurity")}
          </SiteLink>
        </>
      )}
    </Card>
  );
}

const PLACE =
  "flex h-9 shrink-0 items-center gap-3 rounded-control px-3 text-ui text-muted hover:bg-hover hover:text-text aria-[current=page]:bg-active aria-[current=page]:font-medium aria-[current=page]:text-text lg:aria-[current=page]:shadow-[inset_2px_0_0_var(--accent)]";

function ConsoleNav({ me }: { readonly me: Me }) {
  const text = useConsoleText();
  const { rest } = parseLocalePath(useLocation().pathname);
  const list = useRef<HTMLElement>(null);
  // On a phone the sections form a line that scrolls: the current one must be visible.
  useEffect(() => {
    const here = PLACES.some(({ path }) => path === rest) && list.current?.querySelector('[aria-current="page"]');
    if (here) here.scrollIntoView({ inline: "center", block: "nearest" });
  }, [rest]);
  const places = PLACES.filter(
    ({ path, permission }) => hasPage(path) && (permission === undefined || me.permissions.includes(permission)),
  );
  return (
    <nav
      ref={list}
      aria-label={text("nav.label")}
      className="flex shrink-0 gap-1 border-line max-lg:overflow-x-auto max-lg:border-b max-lg:px-4 max-lg:py-2 lg:w-56 lg:flex-col lg:border-r lg:px-3 lg:py-5"
    >
      {places.map(({ path, title, icon }) => (
        <SiteLink key={path} to={path} className={PLACE} aria-current={rest === path ? "page" : undefined}>
          <Icon name={icon} />
          {text(title)}
        </SiteLink>
      ))}
    </nav>
  );
}
