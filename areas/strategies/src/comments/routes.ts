// REST of comments on leaders, the same below the futures' and the spot's address: schema → service → envelope.
import type { Audit } from "@clockwork/host/audit";
import { answer, type Outcome, type RouteSpec, refuseBy, serve } from "@clockwork/host/route";
import type { Result } from "@clockwork/kit/result";
import { COMMENT_CONSOLE_CALLS as CONSOLE, type CommentCalls } from "./contract.ts";
import { type CommentRefusal, REFUSALS } from "./refusals.ts";
import type { CommentService } from "./service.ts";

const outcome = <Value>(result: Result<Value, CommentRefusal>): Outcome<Value, CommentRefusal> =>
  result.done ? answer(result.value) : refuseBy(REFUSALS, result);
const own = { tag: "copy", scope: "user" } as const;

export function commentRoutes(calls: CommentCalls, comments: CommentService): readonly RouteSpec[] {
  return [
    serve(calls.list, {
      tag: "copy",
      summary: "What people say of a leader, newest first",
      handle: async ({ query: { leaderId, ...page } }, { userId }) =>
        answer(await comments.list(Number(leaderId), userId === null ? undefined : Number(userId), page)),
    }),
    serve(calls.write, {
      ...own,
      summary: "Says something of a leader; repeated with the same id it is the same comment",
      handle: async ({ body }, { userId, timeMs }) => outcome(await comments.write(Number(userId), body, timeMs)),
    }),
    serve(calls.remove, {
      ...own,
      summary: "Takes an own comment back",
      handle: async ({ body }, { userId }) => outcome(await comments.remove(Number(userId), body.commentId)),
    }),
    serve(calls.report, {
      ...own,
      summary: "Reports a comment to the operators; each person counts once",
      handle: async ({ body: { commentId, reason } }, { userId, timeMs }) =>
        outcome(await comments.report(Number(userId), commentId, reason, timeMs)),
    }),
    serve(calls.translate, {
      ...own,
      summary: "A text in another language; without a provider it comes back marked untranslated",
      rate: { callsMax: 60, windowMs: 60_000 },
      handle: async ({ body: { text, to } }) => answer(await comments.translate(text, to)),
    }),
  ];
}

export function commentConsoleRoutes(comments: CommentService, audit: Audit): readonly RouteSpec[] {
  return [
    serve(CONSOLE.reported, {
      tag: "copy",
      scope: { operator: "copy.read" },
      summary: "For operators: comments that were reported, most reports first",
      handle: async () => answer(await comments.listReported()),
    }),
    serve(CONSOLE.moderate, {
      tag: "copy",
      scope: { operator: "copy.review" },
      summary: "For operators: hides a reported comment or keeps it",
      handle: async ({ body: { commentId, action } }, context) => {
        await audit.record(context, `copy.comment.${action}`, commentId, "");
        return outcome(await comments.moderate(commentId, action));
      },
    }),
  ];
}
