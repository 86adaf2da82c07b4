// The help centre: search, categories, sections. Search is a plain form, so it works without script.
import type { ArticleSummary, HelpCentre } from "@clockwork/site/articles/contract";
import { buttonClass } from "@clockwork/ui/logic/button-style";
import type { ReactNode } from "react";
import { Form } from "react-router";
import { SiteLink, useSitePath } from "#boot/site-link.tsx";
import { useGlobal } from "#boot/state.ts";
import { articlePath } from "#boot/written-paths.ts";
import { PageHead } from "#shell/page-head.tsx";
import { usePublicText } from "#words/public-text.ts";
import { type HelpName, listHelpLinks } from "./help-links.ts";

export const HELP_PATH = "/help";

export interface HelpPageProps {
  readonly centre: HelpCentre;
  readonly query: string;
  /** Undefined while nothing was searched for. */
  readonly found: readonly ArticleSummary[] | undefined;
  /** The way into the support chat; null where there is none. */
  readonly chat: ReactNode;
}

export function HelpPage({ centre, query, found, chat }: HelpPageProps) {
  const text = usePublicText();
  return (
    <main id="content" className="container-read flex-1 py-10 lg:py-14">
      <PageHead title={text("public.help")} description={text("public.help.lead")} />
      <h1 className="font-[640] text-[28px] leading-9 tracking-[-0.03em] sm:text-[36px] sm:leading-11">
        {text("public.help")}
      </h1>
      <p className="mt-3 text-[18px] text-muted leading-7">{text("public.help.lead")}</p>
      <HelpSearch query={query} />
      <HelpLinks />
      {found === undefined ? <Categories centre={centre} /> : <Found query={query} found={found} />}
      {chat}
    </main>
  );
}

/** The help links of the language: a form, or a group. */
function HelpLinks() {
  const text = usePublicText();
  const links = Object.entries(listHelpLinks(useGlobal(({ language }) => language.lang))) as [HelpName, string][];
  return (
    <nav aria-label={text("public.help.links")} className="mt-6">
      <ul className="flex flex-wrap gap-x-5 gap-y-1 text-label">
        {links.map(([name, to]) => (
          <li key={name}>
            <SiteLink to={to} className="inline-block py-1 text-muted hover:text-text hover:underline">
              {text(`public.help.link.${name}`)}
            </SiteLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function HelpSearch({ query }: { readonly query: string }) {
  const text = usePublicText();
  const path = useSitePath()(HELP_PATH);
  return (
    <Form method="get" action={path} role="search" className="mt-8 flex max-w-[560px] gap-2">
      <input
        type="search"
        name="q"
        defaultValue={query}
        maxLength={80}
        aria-label={text("public.help.search")}
        placeholder={text("public.help.search")}
        className="h-10 min-w-0 flex-1 rounded-control border border-line2 bg-surface px-3 outline-none placeholder:text-muted hover:border-faint focus:border-accent focus:ring-1 focus:ring-accent max-md:text-[16px]"
      />
      <button type="submit" className={buttonClass({ kind: "primary", size: 40 })}>
        {text("public.help.go")}
      </button>
    </Form>
  );
}

function Found({ query, found }: { readonly query: string; readonly found: readonly ArticleSummary[] }) {
  const text = usePublicText();
  return (
    <section aria-label={text("public.help.searching", { query })} className="mt-10 max-w-[760px]">
      <h2 className="font-semibold text-[20px] leading-7">{text("public.help.searching", { query })}</h2>
      {found.length === 0 && (
        <p className="mt-4 text-muted">
          {text("public.help.none")}{" "}
          <SiteLink to="/contact-us" className="font-medium text-text underline underline-offset-4">
            {text("public.help.write")}
          </SiteLink>
        </p>
      )}
      <ul className="mt-2">
        {found.map((article) => (
          <li key={`${article.kind}/${article.slug}`} className="border-line border-b">
            <SiteLink to={articlePath(article)} className="group block py-4">
              <span className="block font-semibold group-hover:underline">{article.title}</span>
              <span className="mt-1 block text-muted">{article.summary}</span>
            </SiteLink>
          </li>
        ))}
      </ul>
      <SiteLink to={HELP_PATH} className="mt-6 inline-block font-medium hover:underline">
        {text("public.help.all")}
      </SiteLink>
    </section>
  );
}

export function Categories({ centre }: { readonly centre: HelpCentre }) {
  return (
    <div className="mt-12 grid gap-12">
      {centre.categories.map((category) => (
        <section key={category.key} aria-labelledby={`category-${category.key}`}>
          <h2 id={`category-${category.key}`} className="font-semibold text-[20px] leading-7 tracking-[-0.015em]">
            <SiteLink to={`/help/categories/${category.key}`} className="hover:underline">
              {category.title}
            </SiteLink>
          </h2>
          <div className="mt-4 grid gap-x-10 gap-y-8 border-line border-t pt-6 sm:grid-cols-2 lg:grid-cols-3">
            {category.sections.map((section) => (
              <div key={section.key} className={category.sections.length > 1 ? "" : "col-span-full"}>
                <h3 className="font-semibold">
                  <SiteLink to={`/help/sections/${section.key}`} className="inline-block py-1 hover:underline">
                    {section.title}
                  </SiteLink>
                </h3>
                <ul className={category.sections.length > 1 ? "mt-2 grid" : "mt-2 gap-x-10 sm:columns-2 lg:columns-3"}>
                  {section.articles.map((article) => (
                    <li key={article.slug} className="break-inside-avoid">
                      <SiteLink
                        to={articlePath(article)}
                        className="block py-1 text-muted hover:text-text hover:underline"
                      >
                        {article.title}
                      </SiteLink>
                    </li>
                  ))}
                </ul>
              </div>
            ))}
          </div>
        </section>
      ))}
    </div>
  );
}
