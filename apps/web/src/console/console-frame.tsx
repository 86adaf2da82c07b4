// The frame of the operators' console: a bar with the search and the state of the core, the places this operator may
// open, and the second factor before any of them. The content is only requested once the gate is open; the server
// checks again.
import type { Me } from "@clockwork/identity/operators/contract";
import { formatLanguageTag, parseLocalePath } from "@clockwork/kit/locale";
import type { Queue } from "@clockwork/site/overview/contract";
import { Card } from "@clockwork/ui/card";
import { Icon } from "@clockwork/ui/icon";
import { LocaleProvider } from "@clockwork/ui/locale";
import { buttonClass } from "@clockwork/ui/logic/button-style";
import { Mark } from "@clockwork/ui/mark";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useLocation } from "react-router";
import { hasPage } from "#boot/route-table.ts";
import { SiteLink } from "#boot/site-link.tsx";
import { useGlobal } from "#boot/state.ts";
import { PageHead } from "#shell/page-head.tsx";
import { ThemeButton } from "#shell/settings-corner.tsx";
import { useConsoleText } from "#words/console-text.ts";
import { useText } from "#words/text.ts";
import { findPlace, mayOpen, PLACE_GROUPS, type Place } from "./console-places.ts";
import { type QueueReading, useQueues } from "./console-queues.ts";
import { ConsoleSearch } from "./console-search.tsx";

/** Who is at the console. */
export type ConsoleOperator = Me;

export interface ConsoleFrameProps {
  readonly me: Me;
  readonly title: string;
  readonly lead?: ReactNode;
  /** At the right of the title: buttons, key caps. */
  readonly aside?: ReactNode;
  /** The form that proves the second factor, by the security feature. */
  readonly proof: ReactNode;
  readonly children: ReactNode;
}

export function ConsoleFrame({ me, title, lead, aside, proof, children }: ConsoleFrameProps) {
  const locale = useGlobal((state) => state.language.lang);
  const text = useText();
  const [isOpen, setOpen] = useState(false);
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page closes the menu
  useEffect(() => setOpen(false), [pathname]);
  const reading = useQueues(me.hasTotp && me.isProved);
  return (
    <LocaleProvider locale={formatLanguageTag(locale)}>
      <PageHead title={title} noIndex />
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-bar focus:rounded-control focus:bg-raised focus:px-4 focus:py-2 focus:shadow-raised"
      >
        {text("site.skip")}
      </a>
      <ConsoleBar me={me} reading={reading} isOpen={isOpen} onMenu={() => setOpen(!isOpen)} />
      <div className="flex min-h-[calc(100dvh-48px)] flex-1 bg-surface dark:bg-gutter">
        <ConsoleNav me={me} queues={reading?.queues ?? []} isOpen={isOpen} />
        <main
          id="content"
          className="min-w-0 flex-1 px-4 py-4 text-ui [--r-card:8px] [--r-control:6px] lg:px-5"
          inert={isOpen}
        >
          <header className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-2">
            <div className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-3">
              <h1 className="font-semibold text-[18px] text-text leading-7">{title}</h1>
              {lead !== undefined && <p className="min-w-0 break-words text-[13px] text-muted leading-5">{lead}</p>}
            </div>
            {aside}
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
  const place = findPlace(rest);
  if (place !== undefined && !mayOpen(place, me.readable)) {
    return (
      <Card className="max-w-[520px]" title={text("gate.notYours")}>
        <p className="text-muted">
          {text("gate.yourRoles", { roles: me.roles.map((role) => text(`role.${role}`)).join(", ") })}
        </p>
      </Card>
    );
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

interface BarProps {
  readonly me: Me;
  readonly reading: QueueReading | undefined;
  readonly isOpen: boolean;
  readonly onMenu: () => void;
}

const MINUTE_MS = 60_000;

function ConsoleBar({ me, reading, isOpen, onMenu }: BarProps) {
  const text = useConsoleText();
  const site = useText();
  const maySearch = me.permissions.includes("people.read") && me.hasTotp && me.isProved;
  return (
    <header className="sticky top-0 z-header flex h-12 shrink-0 items-center gap-3 border-line border-b bg-header px-4 text-[13px]">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-label={text("nav.menu")}
        onClick={onMenu}
        className="-ml-2 flex size-9 items-center justify-center rounded-control text-muted hover:bg-hover hover:text-text lg:hidden"
      >
        <Icon name={isOpen ? "close" : "list"} size={18} />
      </button>
      <SiteLink
        to="/operator"
        className="flex shrink-0 items-center gap-2 font-semibold text-[16px] tracking-[-0.02em] lg:w-48"
      >
        <Mark size={20} />
        <span className="max-sm:sr-only">{site("site.name")}</span>
        <span className="font-normal text-[13px] text-muted tracking-normal">{text("nav.label")}</span>
      </SiteLink>
      {maySearch && <ConsoleSearch permissions={me.permissions} />}
      <div className="ml-auto flex shrink-0 items-center gap-3 lg:gap-4">
        {reading !== undefined && <CoreState core={reading.core} />}
        {reading !== undefined && me.provedAtMs > 0 && (
          <span className="hidden items-center gap-1.5 border-line border-l pl-4 text-muted xl:flex">
            <Icon name="shield" size={14} />
            {text("bar.proved", { minutes: Math.max(0, Math.floor((reading.nowMs - me.provedAtMs) / MINUTE_MS)) })}
          </span>
        )}
        <span className="hidden items-center gap-2 border-line border-l pl-4 md:flex">
          <span
            aria-hidden="true"
            className="flex size-6 items-center justify-center rounded-full bg-active font-semibold text-[10px]"
          >
            {initialsOf(me.name)}
          </span>
          <span className="max-w-44 truncate font-medium" title={me.name}>
            {me.name}
          </span>
          <span className="text-muted max-xl:hidden">{me.roles.map((role) => text(`role.${role}`)).join(", ")}</span>
        </span>
        <ThemeButton className="" />
      </div>
    </header>
  );
}

function CoreState({ core: { state, sequence } }: Pick<QueueReading, "core">) {
  const text = useConsoleText();
  return (
    <span className="flex items-center gap-2">
      <span
        aria-hidden="true"
        className={state === "running" ? "size-2 rounded-full bg-text" : "size-2 rounded-[2px] bg-danger"}
      />
      <span className={state === "running" ? "max-sm:sr-only" : "text-danger"}>{text(`bar.core.${state}`)}</span>
      <span className="figures text-muted max-lg:hidden">{sequence.toLocaleString("en-US")}</span>
    </span>
  );
}

/** Two letters: of the first two words, or of an address. */
function initialsOf(name: string): string {
  const words = name
    .split("@")[0]
    ?.split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
  const letters = (words ?? []).length > 1 ? (words ?? []).slice(0, 2).map((word) => word[0]) : [name.slice(0, 2)];
  return letters.join("").toUpperCase();
}

const PLACE =
  "flex h-7 items-center gap-2 rounded-control px-2 text-[13px] text-muted hover:bg-hover hover:text-text aria-[current=page]:bg-active aria-[current=page]:font-medium aria-[current=page]:text-text aria-[current=page]:shadow-[inset_2px_0_0_var(--accent)] max-lg:h-10";

interface NavProps {
  readonly me: Me;
  readonly queues: readonly Queue[];
  readonly isOpen: boolean;
}

function ConsoleNav({ me, queues, isOpen }: NavProps) {
  const text = useConsoleText();
  const { rest } = parseLocalePath(useLocation().pathname);
  const current = findPlace(rest)?.path;
  const list = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isOpen) list.current?.querySelector<HTMLElement>("a")?.focus();
  }, [isOpen]);
  const countOf = ({ queues: names }: Place): number =>
    queues.filter(({ queue }) => names?.includes(queue)).reduce((sum, { count }) => sum + count, 0);
  return (
    <nav
      ref={list}
      aria-label={text("nav.label")}
      className={`shrink-0 border-line bg-bg px-2 py-3 dark:bg-surface lg:sticky lg:top-12 lg:block lg:h-[calc(100dvh-48px)] lg:w-52 lg:overflow-y-auto lg:border-r ${isOpen ? "fixed inset-x-0 top-12 bottom-0 z-bar overflow-y-auto" : "hidden"}`}
    >
      {PLACE_GROUPS.map(({ title, places }) => {
        const open = places.filter((place) => hasPage(place.path) && mayOpen(place, me.readable));
        if (open.length === 0) return null;
        return (
          <div key={title ?? ""} className="mb-3">
            {title !== undefined && <h2 className="px-2 pb-1 text-axis text-muted">{text(title)}</h2>}
            <ul className="grid gap-px">
              {open.map((place) => (
                <li key={place.path}>
                  <SiteLink
                    to={place.path}
                    className={PLACE}
                    aria-current={current === place.path ? "page" : undefined}
                  >
                    <Icon name={place.icon} size={14} />
                    <span className="min-w-0 flex-1 truncate">{text(place.title)}</span>
                    {countOf(place) > 0 && <span className="figures text-label">{countOf(place)}</span>}
                  </SiteLink>
                </li>
              ))}
            </ul>
          </div>
        );
      })}
    </nav>
  );
}
