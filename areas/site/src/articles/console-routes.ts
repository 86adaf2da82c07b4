// REST of written pages for editors. Each change is written into the audit log before it is made.
import type { Audit } from "@clockwork/host/audit";
import { answer, type Outcome, type RouteSpec, refuseBy, serve } from "@clockwork/host/route";
import type { Result } from "@clockwork/kit/result";
import type { ArticleConsole } from "./console-service.ts";
import { ARTICLE_CONSOLE_CALLS as CALLS } from "./contract.ts";
import { REFUSALS, type SaveRefusal } from "./refusals.ts";

const outcomeOf = <Data>(result: Result<Data, SaveRefusal>): Outcome<Data, SaveRefusal> =>
  result.done ? answer(result.value) : refuseBy(REFUSALS, result);

const OWN = { tag: "articles", scope: { operator: "content.edit" } } as const;
/** A long text and its escapes. */
const BODY_BYTES_MAX = 512 * 1024;

export function articleConsoleRoutes(articles: ArticleConsole, audit: Audit): readonly RouteSpec[] {
  return [
    serve(CALLS.list, {
      ...OWN,
      summary: "For editors: every document of a kind, scheduled and withdrawn ones too",
      handle: async ({ query }, { timeMs }) => answer(await articles.list(query.kind, timeMs)),
    }),
    serve(CALLS.one, {
      ...OWN,
      summary: "For editors: one document as it was written, with its versions",
      handle: async ({ query }, { timeMs }) => outcomeOf(await articles.read(query.kind, query.slug, timeMs)),
    }),
    serve(CALLS.version, {
      ...OWN,
      summary: "For editors: an earlier text",
      handle: async ({ query: { kind, slug, version } }) => outcomeOf(await articles.readVersion(kind, slug, version)),
    }),
    ...writeRoutes(articles, audit),
  ];
}

function writeRoutes(articles: ArticleConsole, audit: Audit): readonly RouteSpec[] {
  return [
    serve(CALLS.save, {
      ...OWN,
      summary: "For editors: writes a new version, or a new article; scheduled by its date",
      bodyBytesMax: BODY_BYTES_MAX,
      handle: async ({ body }, context) => {
        const { kind, slug, baseVersion, title, isWithdrawn, isPinned } = body;
        const marks = [...(isWithdrawn ? ["withdrawn"] : []), ...(isPinned ? ["pinned"] : [])].join(", ");
        const detail = `version ${baseVersion + 1}: ${title}${marks === "" ? "" : ` (${marks})`}`;
        await audit.record(context, "article.saved", `${kind}/${slug}`, detail);
        return outcomeOf(await articles.save(body, { by: context.userId ?? "", timeMs: context.timeMs }));
      },
    }),
    serve(CALLS.preview, {
      ...OWN,
      summary: "For editors: a text as its page would show it",
      bodyBytesMax: BODY_BYTES_MAX,
      // As fast as a person types; each one is parsed on the main thread.
      rate: { callsMax: 60, windowMs: 60_000 },
      handle: async ({ body }) => {
        const nodes = articles.preview(body.body);
        return nodes.done ? answer({ body: nodes.value }) : outcomeOf(nodes);
      },
    }),
  ];
}
