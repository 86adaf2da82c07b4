// The frame of the design documentation: its own header, the list of pages, the page, and what is on it.
import { PRODUCT_NAME } from "@clockwork/kit/constants";
import { useHotkey } from "@clockwork/ui/hooks/use-hotkey";
import { Icon } from "@clockwork/ui/icon";
import { buttonClass } from "@clockwork/ui/logic/button-style";
import { Mark } from "@clockwork/ui/mark";
import { NavigationProvider } from "@clockwork/ui/navigation";
import { Toasts } from "@clockwork/ui/toast";
import { type ReactNode, Suspense, useState } from "react";
import { useHref, useNavigate, useRouteLoaderData } from "react-router";
import type { RootData } from "#boot/root-data.ts";
import { SiteLink, useSitePath } from "#boot/site-link.tsx";
import { lazy } from "#boot/timeout.ts";
import { ComponentLocale } from "#shell/component-locale.tsx";
import { useText } from "#words/text.ts";
import { DocsNav } from "./docs-nav.tsx";
import { useDocsText } from "./docs-text.ts";
import { type OnPage, OnThisPage } from "./on-this-page.tsx";

const SearchDialog = lazy(() =>
  import("#shell/search-dialog.tsx").then((module) => ({ default: module.SearchDialog })),
);

export interface DocsFrameProps {
  readonly onPage: readonly OnPage[];
  readonly source?: string | undefined;
  readonly children: ReactNode;
}

export function DocsFrame({ onPage, source, children }: DocsFrameProps) {
  const navigate = useNavigate();
  return (
    <ComponentLocale>
      <NavigationProvider navigate={(path) => void navigate(path)} useHref={useHref}>
        <DocsHeader />
        <div className="flex flex-1 max-lg:flex-col">
          <DocsNav />
          <div className="flex min-w-0 flex-1 justify-center gap-10 px-4 py-10 sm:px-10 lg:px-14">
            <main id="content" className="w-full min-w-0 max-w-[864px]">
              {children}
            </main>
            <OnThisPage entries={onPage} source={source} />
          </div>
        </div>
        <Toasts />
      </NavigationProvider>
    </ComponentLocale>
  );
}

function DocsHeader() {
  const site = useText();
  const text = useDocsText();
  const home = useSitePath()("/");
  const root = useRouteLoaderData<RootData>("root");
  const [searching, setSearching] = useState(false);
  useHotkey("/", () => setSearching(true));
  if (root?.shell !== null) return null;
  return (
    <header className="sticky top-0 z-header flex h-14 shrink-0 items-center gap-3 border-line border-b bg-header px-4 lg:h-16 lg:px-8">
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:rounded-control focus:bg-raised focus:px-4 focus:py-2"
      >
        {site("site.skip")}
      </a>
      <SiteLink to="/" className="flex items-center gap-2.5 font-semibold text-[18px] tracking-[-0.02em]">
        <Mark size={24} />
        {PRODUCT_NAME}
      </SiteLink>
      <span className="border-line border-l pl-3 text-muted max-sm:hidden">{text("docs.title")}</span>
      <button
        type="button"
        className="ml-auto flex h-9 items-center gap-2 rounded-control border border-line bg-surface px-3 text-[13px] text-muted hover:border-line2 lg:w-[260px]"
        onClick={() => setSearching(true)}
      >
        <Icon name="search" className="text-text" />
        <span className="max-lg:sr-only">{text("docs.search")}</span>
        <span
          aria-hidden="true"
          className="ml-auto rounded-check border border-line2 px-1.5 font-sans text-axis max-lg:hidden"
        >
          /
        </span>
      </button>
      <span className="figures text-[13px] text-muted max-lg:hidden">v{root.version}</span>
      <a href={home} className={`${buttonClass({ kind: "neutral", size: 32 })} max-sm:hidden`}>
        {text("docs.open")}
      </a>
      <Suspense fallback={null}>{searching && <SearchDialog onClose={() => setSearching(false)} />}</Suspense>
    </header>
  );
}
