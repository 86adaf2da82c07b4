// REST of written pages for editors. Each change is written into the audit log before it is made.
import type { Audit } from "@clockwork/host/audit";
import { answer, defineRoute, type RouteSpec, refuse } from "@clockwork/host/route";
import type { Result } from "@clockwork/kit/result";
import type { ArticleConsole, SaveRefusal } from "./console-service.ts";
import {
  ConsoleArticle,
  ConsoleList,
  ConsoleListQuery,
  ConsoleOneQuery,
  ConsoleVersion,
  ConsoleVersionQuery,
  Preview,
  PreviewBody,
  SaveBody,
} from "./contract.ts";

const REFUSALS: Readonly<Record<SaveRefusal, readonly [status: number, message: string]>> = {
  ARTICLE_NOT_FOUND: [404, "There is no such article."],
  ARTICLE_INVALID: [
    400,
    "A title is needed, a text of at most 2,000 lines, and every {{name}} in it must be a fact of the company.",
  ],
  ARTICLE_CHANGED: [409, "Somebody else has changed it meanwhile. Load it again; your text is still here."],
  ARTICLES_FULL: [409, "There are too many of this kind."],
};

function outcomeOf<Data>(result: Result<Data, SaveRefusal>) {
  if (result.done) return answer(result.value);
  const [status, message] = REFUSALS[result.code];
  return refuse({ code: result.code, status, message });
}

const PATH = "/v2/operators/articles";
const OWN = { tag: "articles", scope: { operator: "content.edit" } } as const;
/** A long text and its escapes. */
const BODY_BYTES_MAX = 512 * 1024;

export function articleConsoleRoutes(articles: ArticleConsole, audit: Audit): readonly RouteSpec[] {
  return [
    defineRoute({
      ...OWN,
      method: "GET",
      path: PATH,
      summary: "For editors: every document of a kind, scheduled and withdrawn ones too",
      query: ConsoleListQuery,
      output: ConsoleList,
      handle: async ({ query }, { timeMs }) => answer(await articles.list(query.kind, timeMs)),
    }),
    defineRoute({
      ...OWN,
      method: "GET",
      path: `${PATH}/one`,
      summary: "For editors: one document as it was written, with its versions",
      query: ConsoleOneQuery,
      output: ConsoleArticle,
      handle: async ({ query }, { timeMs }) => outcomeOf(await articles.read(query.kind, query.slug, timeMs)),
    }),
    defineRoute({
      ...OWN,
      method: "GET",
      path: `${PATH}/version`,
      summary: "For editors: an earlier text",
      query: ConsoleVersionQuery,
      output: ConsoleVersion,
      handle: async ({ query: { kind, slug, version } }) => outcomeOf(await articles.readVersion(kind, slug, version)),
    }),
    ...writeRoutes(articles, audit),
  ];
}

function writeRoutes(articles: ArticleConsole, audit: Audit): readonly RouteSpec[] {
  return [
    defineRoute({
      ...OWN,
      method: "POST",
      path: `${PATH}/save`,
      summary: "For editors: writes a new version, or a new article; scheduled by its date",
      body: SaveBody,
      bodyBytesMax: BODY_BYTES_MAX,
      output: ConsoleArticle,
      handle: async ({ body }, context) => {
        const { kind, slug, baseVersion, title, isWithdrawn, isPinned } = body;
        const marks = [...(isWithdrawn ? ["withdrawn"] : []), ...(isPinned ? ["pinned"] : [])].join(", ");
        const detail = `version ${baseVersion + 1}: ${title}${marks === "" ? "" : ` (${marks})`}`;
        await audit.record(context, "article.saved", `${kind}/${slug}`, detail);
        return outcomeOf(await articles.save(body, { by: context.userId ?? "", timeMs: context.timeMs }));
      },
    }),
    defineRoute({
      ...OWN,
      method: "POST",
      path: `${PATH}/preview`,
      summary: "For editors: a text as its page would show it",
      body: PreviewBody,
      bodyBytesMax: BODY_BYTES_MAX,
      // As fast as somebody types; each one is read on the thread that answers everybody.
      rate: { callsMax: 60, windowMs: 60_000 },
      output: Preview,
      handle: async ({ body }) => {
        const nodes = articles.preview(body.body);
        return nodes.done ? answer({ body: nodes.value }) : outcomeOf(nodes);
      },
    }),
  ];
}
