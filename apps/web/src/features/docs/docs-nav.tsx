// The list of documentation pages: a column beside the page, a fold above it on narrow screens.
import { Icon } from "@clockwork/ui/icon";
import { useLocation } from "react-router";
import { SiteLink, useSitePath } from "#boot/site-link.tsx";
import { DOCS } from "./docs-list.ts";
import { useDocsText } from "./docs-text.ts";

const ENTRY =
  "relative flex h-8 items-center rounded-control px-3 text-muted hover:bg-hover hover:text-text aria-[current=page]:bg-hover aria-[current=page]:font-medium aria-[current=page]:text-text aria-[current=page]:before:absolute aria-[current=page]:before:inset-y-0 aria-[current=page]:before:-left-3 aria-[current=page]:before:w-0.5 aria-[current=page]:before:bg-accent";

export function DocsNav() {
  const text = useDocsText();
  return (
    <>
      <div className="hidden w-[248px] shrink-0 border-line border-r lg:block">
        <nav
          aria-label={text("docs.pages")}
          className="sticky top-16 max-h-[calc(100dvh-64px)] overflow-y-auto px-4 py-6"
        >
          <Entries />
        </nav>
      </div>
      <details className="group border-line border-b bg-surface lg:hidden">
        <summary className="flex h-12 cursor-pointer list-none items-center justify-between px-4 font-medium">
          {text("docs.pages")}
          <Icon name="chevron-down" className="group-open:rotate-180" />
        </summary>
        <nav aria-label={text("docs.pages")} className="px-4 pb-4">
          <Entries />
        </nav>
      </details>
    </>
  );
}

function Entries() {
  const text = useDocsText();
  return (
    <>
      <Entry path="/docs" title={text("docs.overview")} />
      {DOCS.map((group) => (
        <section key={group.title} className="mt-4">
          <h2 className="px-3 py-1 text-label text-muted">{group.title}</h2>
          {group.entries.map((entry) => (
            <Entry key={entry.path} path={entry.path} title={entry.title} />
          ))}
        </section>
      ))}
    </>
  );
}

function Entry({ path, title }: { readonly path: string; readonly title: string }) {
  const here = useSitePath()(path) === useLocation().pathname.replace(/\/$/, "");
  return (
    <SiteLink to={path} className={ENTRY} aria-current={here ? "page" : undefined}>
      {title}
    </SiteLink>
  );
}
