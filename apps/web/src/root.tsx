// The document: theme and language on the html element before the first paint, the frame's shared state around every
// page, and the last error boundary. Root data is fetched by the page server once and never again by the browser.

import { formatLanguageTag } from "@clockwork/kit/locale";
import interUrl from "@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url";
import { type ReactNode, useEffect, useLayoutEffect, useState } from "react";
import {
  Links,
  type LinksFunction,
  type LoaderFunctionArgs,
  Outlet,
  Scripts,
  ScrollRestoration,
  useRouteLoaderData,
} from "react-router";
import { useStore } from "zustand";
import "./app.css";
import { EARLY_SCRIPT } from "#boot/early-touches.ts";
import { ErrorDocument } from "#boot/error-document.tsx";
import { Handoff } from "#boot/handoff.tsx";
import { whenIdle } from "#boot/idle.ts";
import { loadLateParts } from "#boot/late-part.tsx";
import { useNonce } from "#boot/nonce.ts";
import { pageContext } from "#boot/page-context.ts";
import { usePageFlags } from "#boot/page-flags.ts";
import type { RootData } from "#boot/root-data.ts";
import { createGlobalStore, type GlobalStore, GlobalStoreContext } from "#boot/state.ts";
import { TRUSTED_TYPES_SCRIPT } from "#boot/trusted-types.ts";
import { ClientsProvider } from "#clients/clients-provider.tsx";
import {
  choiceOn,
  followSystem,
  paintTheme,
  systemTheme,
  THEME_SCRIPT,
  themeColorOf,
  themeOn,
} from "#session/theme.ts";
import { LoadingBar } from "#shell/loading-bar.tsx";
import { LocaleContext } from "#words/text.ts";

export function loader({ context }: LoaderFunctionArgs): RootData {
  return context.get(pageContext).root;
}

/** Sent once: a navigation requests the page's own payload only. */
export function shouldRevalidate(): boolean {
  return false;
}

export const links: LinksFunction = () => [
  { rel: "preload", href: interUrl, as: "font", type: "font/woff2", crossOrigin: "anonymous" },
  { rel: "icon", href: "/mark.svg", type: "image/svg+xml" },
  { rel: "apple-touch-icon", href: "/apple-touch-icon.png" },
  { rel: "manifest", href: "/site.webmanifest" },
];

export function Layout({ children }: { children: ReactNode }) {
  const nonce = useNonce();
  const root = useRouteLoaderData<RootData>("root");
  const page = usePageFlags();
  const painted = root === undefined ? "light" : themeOn(page, root);
  return (
    <html
      lang={formatLanguageTag(root?.locale ?? "en_US")}
      data-theme={painted}
      data-updown={root?.updown ?? "green-up"}
      data-shell={root?.shell ?? undefined}
      suppressHydrationWarning
    >
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="theme-color" content={themeColorOf(painted)} suppressHydrationWarning />
        <meta name="color-scheme" content="light dark" />
        {/* Where components that add a style of their own find the nonce for it. */}
        <meta property="csp-nonce" nonce={nonce} suppressHydrationWarning />
        <HeadScript text={import.meta.env.SSR ? TRUSTED_TYPES_SCRIPT : ""} />
        {root !== undefined && choiceOn(page, root) === "system" && <HeadScript text={THEME_SCRIPT} />}
        <HeadScript text={import.meta.env.SSR ? EARLY_SCRIPT : ""} />
        <Links nonce={nonce} />
      </head>
      <body className={`lang-${root?.locale ?? "en_US"}`} data-surface={page?.surface}>
        {children}
        <ScrollRestoration />
        <Scripts />
        <Handoff />
      </body>
    </html>
  );
}

/**
 * What cannot wait for the bundle: the trusted types policy; the theme under `system`, unknown to the server, before
 * anything is painted; and the listener for first touches, which the bundle need not contain as well.
 */
function HeadScript({ text }: { readonly text: string }) {
  const nonce = useNonce();
  // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of ours, allowed by its nonce
  return <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: text }} />;
}

/** Pages with their own theme are painted in it for any choice of the visitor. */
function usePaintedTheme(store: GlobalStore): void {
  const page = usePageFlags();
  const choice = useStore(store, (state) => choiceOn(page, state));
  const painted = useStore(store, (state) => themeOn(page, state));
  useLayoutEffect(() => {
    // Under `system` the served guess may be wrong and is already corrected on the page; it must not come back.
    paintTheme(choice === "system" ? systemTheme() : painted);
  }, [choice, painted]);
}

export default function Root() {
  const root = useRouteLoaderData<RootData>("root");
  if (root === undefined) throw new Error("The page was served without its root data");
  const [store] = useState(() => createGlobalStore(root));
  usePaintedTheme(store);
  const locale = useStore(store, (state) => state.language.lang);
  useEffect(() => {
    globalThis.clockworkChunkGuard?.hydrated();
    document.documentElement.dataset.awake = "1";
    const cancel = whenIdle(() => void loadLateParts());
    const release = followSystem(store);
    return () => {
      cancel();
      release();
    };
  }, [store]);
  return (
    <GlobalStoreContext value={store}>
      <LocaleContext value={locale}>
        <LoadingBar />
        <ClientsProvider>
          <Outlet />
        </ClientsProvider>
      </LocaleContext>
    </GlobalStoreContext>
  );
}

export function ErrorBoundary({ error }: { error: unknown }) {
  return <ErrorDocument error={error} />;
}
