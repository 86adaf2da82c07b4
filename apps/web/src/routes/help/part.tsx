// One category or section of the help centre.

import { formatLocalePath } from "@clockwork/kit/locale";
import { ARTICLE_CALLS, type HelpCentre } from "@clockwork/site/articles/contract";
import { data, type LoaderFunctionArgs, redirect, useLoaderData } from "react-router";
import { fetchPage, slugOf } from "#boot/article-loading.ts";
import { shortenPath } from "#boot/gate.ts";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { SiteLink } from "#boot/site-link.tsx";
import { PageHead } from "#shell/page-head.tsx";
import { usePublicText } from "#words/public-text.ts";
import { Categories } from "../../features/articles/help-centre.tsx";

interface PartData {
  readonly title: string;
  readonly centre: HelpCentre;
}

export async function loader({ context }: LoaderFunctionArgs): Promise<PartData> {
  const page = context.get(pageContext);
  // Announcements are written elsewhere; help links name them like every category.
  if (page.rest === "/help/categories/announcements") {
    throw redirect(formatLocalePath("/news", page.root.prefix ?? undefined), 302);
  }
  const { categories } = await fetchPage(page, ARTICLE_CALLS.help, {}, { shared: true });
  const isCategory = page.rest.startsWith("/help/categories/");
  const key = slugOf(page.rest, isCategory ? "/help/categories/" : "/help/sections/");
  const kept = categories
    .map((category) => ({
      ...category,
      sections: isCategory ? category.sections : category.sections.filter((section) => section.key === key),
    }))
    .filter((category) => (isCategory ? category.key === key : category.sections.length > 0));
  const title = isCategory ? kept[0]?.title : kept[0]?.sections[0]?.title;
  if (title === undefined) throw data(`Page Not Found: ${shortenPath(page.rest)}`, { status: 404 });
  return { title, centre: { categories: kept } };
}

export const clientLoader = loadPayload<PartData>;

export default function HelpPart() {
  const text = usePublicText();
  const { title, centre } = useLoaderData<PartData>();
  return (
    <main id="content" className="container-read flex-1 py-10 lg:py-14">
      <PageHead title={`${title} · ${text("public.help")}`} />
      <p className="text-label text-muted">
        <SiteLink to="/help" className="hover:underline">
          {text("public.help")}
        </SiteLink>
      </p>
      <h1 className="mt-2 font-[640] text-[28px] leading-9 tracking-[-0.03em] sm:text-[36px] sm:leading-11">{title}</h1>
      <Categories centre={centre} />
    </main>
  );
}
