// The list of documentation pages: a column next to the page, a fold above it on narrow screens.
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
        <Entries className="sticky top-16 max-h-[calc(100dvh-64px)] overflow-y-auto px-4 py-6" />
      </div>
      <details className="group border-line border-b bg-surface lg:hidden">
        <summary className="flex h-12 cursor-pointer list-none items-center justify-between px-4 font-medium">
          {text("docs.pages")}
          <Icon name="chevron-down" className="group-open:rotate-180" />
        </summary>
        <Entries className="px-4 pb-4" />
      </details>
    </>
  );
}

function Entries({ className }: { readonly className: string }) {
  const text = useDocsText();
  const site = useSitePath();
  const here = useLocation().pathname.replace(/\/$/, "");
  const link = (path: string, title: string) => (
    <SiteLink key={path} to={path} className={ENTRY} aria-current={site(path) === here ? "page" : undefined}>
      {title}
    </SiteLink>
  );
  return (
    <nav aria-label={text("docs.pages")} className={className}>
      {link("/docs", text("docs.overview"))}
      {DOCS.map((group) => (
        <section key={group.title} className="mt-4">
          <h2 className="px-3 py-1 text-label text-muted">{group.title}</h2>
          {group.entries.map(({ path, title }) => link(path, title))}
        </section>
      ))}
    </nav>
  );
}
