// One article of the help centre, next to the others of its section.
import { ARTICLE_CALLS, type Article } from "@clockwork/site/articles/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { fetchPage, slugOf } from "#boot/article-loading.ts";
import { latePart } from "#boot/late-part.tsx";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { DocumentPage } from "../../features/articles/document-page.tsx";
import type { SideLink } from "../../features/articles/side-lists.tsx";

interface ArticleData {
  readonly article: Article;
  readonly section: string;
  readonly links: readonly SideLink[];
}

const PREFIX = "/help/articles/";
/** The article that shows the table of an OTC order's states. */
const OTC_ORDER = "otc-order";

const RulesTable = latePart(async () => (await import("../../features/otc/rules-table.tsx")).RulesTable);

export async function loader({ context }: LoaderFunctionArgs): Promise<ArticleData> {
  const page = context.get(pageContext);
  const article = await fetchPage(
    page,
    ARTICLE_CALLS.helpArticle,
    { slug: slugOf(page.rest, PREFIX) },
    { shared: true },
  );
  const { categories } = await fetchPage(page, ARTICLE_CALLS.help, {}, { shared: true });
  const section = categories.flatMap(({ sections }) => sections).find(({ key }) => key === article.section);
  return {
    article,
    section: section?.title ?? "",
    links: (section?.articles ?? []).map((other) => ({
      to: PREFIX + other.slug,
      title: other.title,
      isCurrent: other.slug === article.slug,
    })),
  };
}

export const clientLoader = loadPayload<ArticleData>;

export default function HelpArticle() {
  const { article, section, links } = useLoaderData<ArticleData>();
  return (
    <DocumentPage article={article} listTitle={section} links={links}>
      {article.slug === OTC_ORDER && <RulesTable />}
    </DocumentPage>
  );
}
