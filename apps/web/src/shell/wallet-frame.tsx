// The frame of the wallet pages: its sections at the side, in a row on a phone, the page next to it.
import { parseLocalePath } from "@clockwork/kit/locale";
import { Icon } from "@clockwork/ui/icon";
import type { IconName } from "@clockwork/ui/logic/icon-paths";
import { Fragment, type ReactNode } from "react";
import { useLocation } from "react-router";
import { hasPage } from "#boot/route-table.ts";
import { SiteLink } from "#boot/site-link.tsx";
import type { WalletTextKey } from "#locales/en-us-wallet.ts";
import { useWalletText } from "#words/wallet-text.ts";
import { ComponentLocale } from "./component-locale.tsx";
import { PageHead } from "./page-head.tsx";

interface Place {
  /** A heading above it, where there is room. */
  readonly group?: WalletTextKey;
  readonly path: string;
  readonly title: WalletTextKey;
  readonly icon: IconName;
}

const ALL: readonly Place[] = [
  { path: "/wallet", title: "nav.overview", icon: "wallet" },
  { path: "/wallet/accounts/spot", title: "account.spot", icon: "compare", group: "nav.accounts" },
  { path: "/wallet/accounts/funding", title: "account.funding", icon: "wallet" },
  { path: "/wallet/accounts/futures-usdt", title: "account.linear", icon: "bars" },
  { path: "/wallet/accounts/futures-coin", title: "account.inverse", icon: "bars" },
  { path: "/wallet/accounts/copy", title: "account.copy", icon: "users" },
  { path: "/wallet/accounts/bots", title: "account.bots", icon: "robot" },
  { path: "/wallet/accounts/earn", title: "account.earn", icon: "layers" },
  { path: "/wallet/accounts/otc", title: "account.otc", icon: "bank" },
  { path: "/wallet/deposit", title: "nav.deposit", icon: "download", group: "nav.move" },
  { path: "/wallet/withdraw", title: "nav.withdraw", icon: "upload" },
  { path: "/wallet/transfer", title: "nav.transfer", icon: "compare" },
  { path: "/wallet/send", title: "nav.send", icon: "send" },
  { path: "/wallet/convert", title: "nav.convert", icon: "swap" },
  { path: "/rewards", title: "nav.rewards", icon: "gift" },
  { path: "/wallet/history", title: "nav.history", icon: "clock", group: "nav.records" },
  { path: "/wallet/profit", title: "nav.profit", icon: "bars" },
  { path: "/wallet/statements", title: "nav.statements", icon: "document" },
  { path: "/wallet/addresses", title: "book.title", icon: "book" },
];
const PLACES = ALL.filter(({ path }) => hasPage(path));

const PLACE =
  "flex h-9 shrink-0 items-center gap-3 rounded-control px-3 text-ui text-muted hover:bg-hover hover:text-text aria-[current=page]:bg-active aria-[current=page]:font-medium aria-[current=page]:text-text lg:aria-[current=page]:shadow-[inset_2px_0_0_var(--accent)]";

export interface WalletFrameProps {
  readonly title: string;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

export function WalletFrame({ title, aside, children }: WalletFrameProps) {
  const text = useWalletText();
  const { rest } = parseLocalePath(useLocation().pathname);
  return (
    <ComponentLocale>
      <PageHead title={title} noIndex />
      <div className="flex flex-1 max-lg:flex-col">
        <nav
          aria-label={text("nav.label")}
          className="flex shrink-0 gap-1 border-line max-lg:overflow-x-auto max-lg:border-b max-lg:px-4 max-lg:py-2 lg:w-56 lg:flex-col lg:border-r lg:px-3 lg:py-5"
        >
          {PLACES.map(({ path, title: word, icon, group }) => (
            <Fragment key={path}>
              {group !== undefined && (
                <p className="px-3 pt-4 pb-1 text-label text-muted max-lg:hidden">{text(group)}</p>
              )}
              <SiteLink to={path} className={PLACE} aria-current={rest === path ? "page" : undefined}>
                <Icon name={icon} />
                {text(word)}
              </SiteLink>
            </Fragment>
          ))}
        </nav>
        <main id="content" className="min-w-0 flex-1 px-4 py-6 lg:px-10 lg:py-7">
          <header className="mb-5 flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
            <h1 className="text-app text-text">{title}</h1>
            {aside}
          </header>
          {children}
        </main>
      </div>
    </ComponentLocale>
  );
}
