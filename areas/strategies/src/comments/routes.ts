// REST of comments on leaders, the same below the futures' and the spot's address: schema → service → envelope.
import type { Audit } from "@clockwork/host/audit";
import { answer, defineRoute, type Outcome, type RouteSpec, refuseBy } from "@clockwork/host/route";
import type { Result } from "@clockwork/kit/result";
import {
  Comment,
  CommentBody,
  CommentDone,
  CommentIdBody,
  CommentPage,
  CommentsQuery,
  ModerateBody,
  ReportBody,
  ReportedList,
  TranslateBody,
  Translation,
} from "./contract.ts";
import { type CommentRefusal, REFUSALS } from "./refusals.ts";
import type { CommentService } from "./service.ts";

const told = <Value>(result: Result<Value, CommentRefusal>): Outcome<Value> =>
  result.done ? answer(result.value) : refuseBy(REFUSALS, result);
const own = { tag: "copy", scope: "user", method: "POST" } as const;

export function commentRoutes(base: string, comments: CommentService): readonly RouteSpec[] {
  return [
    defineRoute({
      tag: "copy",
      method: "GET",
      path: `${base}/comments`,
      summary: "What people say of a leader, newest first",
      query: CommentsQuery,
      output: CommentPage,
      handle: async ({ query: { leaderId, ...page } }, { userId }) =>
        answer(await comments.list(Number(leaderId), userId === null ? undefined : Number(userId), page)),
    }),
    defineRoute({
      ...own,
      path: `${base}/comments`,
      summary: "Says something of a leader; repeated with the same id it is the same comment",
      body: CommentBody,
      output: Comment,
      handle: async ({ body }, { userId, timeMs }) => told(await comments.write(Number(userId), body, timeMs)),
    }),
    defineRoute({
      ...own,
      path: `${base}/comments/remove`,
      summary: "Takes an own comment back",
      body: CommentIdBody,
      output: CommentDone,
      handle: async ({ body }, { userId }) => told(await comments.remove(Number(userId), body.commentId)),
    }),
    defineRoute({
      ...own,
      path: `${base}/comments/report`,
      summary: "Reports a comment to the operators; each person counts once",
      body: ReportBody,
      output: CommentDone,
      handle: async ({ body: { commentId, reason } }, { userId, timeMs }) =>
        told(await comments.report(Number(userId), commentId, reason, timeMs)),
    }),
    defineRoute({
      ...own,
      path: `${base}/translate`,
      summary: "A text in another language; without a provider it comes back marked untranslated",
      rate: { callsMax: 60, windowMs: 60_000 },
      body: TranslateBody,
      output: Translation,
      handle: async ({ body: { text, to } }) => answer(await comments.translate(text, to)),
    }),
  ];
}

export function commentConsoleRoutes(comments: CommentService, audit: Audit): readonly RouteSpec[] {
  return [
    defineRoute({
      tag: "copy",
      method: "GET",
      scope: { operator: "copy.read" },
      path: "/v1/console/copy/comments",
      summary: "For operators: comments that were reported, most reports first",
      output: ReportedList,
      handle: async () => answer(await comments.listReported()),
    }),
    defineRoute({
      tag: "copy",
      method: "POST",
      scope: { operator: "copy.review" },
      path: "/v1/console/copy/comments",
      summary: "For operators: hides a reported comment or keeps it",
      body: ModerateBody,
      output: CommentDone,
      handle: async ({ body: { commentId, action } }, context) => {
        await audit.record(context, `copy.comment.${action}`, commentId, "");
        return told(await comments.moderate(commentId, action));
      },
    }),
  ];
}
