// The frame of the account pages: the sections of an account at the side, the page next to it. Shows only existing
// sections.
import { parseLocalePath } from "@clockwork/kit/locale";
import { Icon } from "@clockwork/ui/icon";
import type { ReactNode } from "react";
import { useLocation } from "react-router";
import { SiteLink } from "#boot/site-link.tsx";
import { useGlobal } from "#boot/state.ts";
import { useSession } from "#session/auth-context.ts";
import { useAccountText } from "#words/account-text.ts";
import { listPlaces, type Place } from "./account-places.ts";
import { ComponentLocale } from "./component-locale.tsx";
import { useOpenPlaceInSight } from "./open-place.ts";
import { PageHead } from "./page-head.tsx";

const { about, programme, access } = listPlaces();

export interface AccountFrameProps {
  readonly title: string;
  /** Next to the title. */
  readonly mark?: ReactNode;
  readonly lead?: ReactNode;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

export function AccountFrame({ title, mark, lead, aside, children }: AccountFrameProps) {
  return (
    <ComponentLocale>
      <PageHead title={title} noIndex />
      <div className="flex flex-1 max-lg:flex-col">
        <AccountNav />
        <main id="content" className="min-w-0 flex-1 px-4 py-6 lg:px-10 lg:py-7">
          <header className="mb-5 flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
            <div className="min-w-0">
              <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
                <h1 className="text-app text-text">{title}</h1>
                {mark}
              </div>
              {lead !== undefined && <p className="mt-1 break-words text-muted text-ui">{lead}</p>}
            </div>
            {aside}
          </header>
          {children}
        </main>
      </div>
    </ComponentLocale>
  );
}

const PLACE =
  "flex h-9 shrink-0 items-center gap-3 rounded-control px-3 text-ui text-muted hover:bg-hover hover:text-text aria-[current=page]:bg-active aria-[current=page]:font-medium aria-[current=page]:text-text lg:aria-[current=page]:shadow-[inset_2px_0_0_var(--accent)]";

function AccountNav() {
  const text = useAccountText();
  const session = useSession();
  const row = useOpenPlaceInSight();
  return (
    <nav
      ref={row}
      aria-label={text("nav.label")}
      className="flex shrink-0 gap-1 border-line max-lg:overflow-x-auto max-lg:border-b max-lg:px-4 max-lg:py-2 lg:w-56 lg:flex-col lg:border-r lg:px-3 lg:py-5"
    >
      <Places places={about} />
      <p className="px-3 pt-5 pb-1 text-label text-muted max-lg:hidden">{text("nav.programme")}</p>
      <Places places={programme} />
      <p className="px-3 pt-5 pb-1 text-label text-muted max-lg:hidden">{text("nav.access")}</p>
      <Places places={access} />
      <button
        type="button"
        className={`${PLACE} lg:mt-5`}
        onClick={() => void session().then((control) => control.signOut())}
      >
        <Icon name="log-out" />
        {text("nav.signOut")}
      </button>
    </nav>
  );
}

function Places({ places }: { readonly places: readonly Place[] }) {
  const text = useAccountText();
  const { rest } = parseLocalePath(useLocation().pathname);
  const unread = useGlobal((state) => state.unreadLetters);
  return places.map(({ path, title, icon }) => (
    <SiteLink key={path} to={path} className={PLACE} aria-current={rest === path ? "page" : undefined}>
      <Icon name={icon} />
      {text(title)}
      {path === "/letters" && unread > 0 && <span className="figures ml-auto text-label">{unread}</span>}
    </SiteLink>
  ));
}
