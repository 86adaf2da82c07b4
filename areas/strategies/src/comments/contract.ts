// The wire contract of comments on leaders. The only file of the slice a browser may import.
import { endpoint } from "@clockwork/kit/endpoint";
import { CLIENT_ID_LENGTH_MAX, CLIENT_ID_PATTERN } from "@clockwork/kit/intent/client-id";
import { type Static, Type } from "typebox";
import { REFUSALS } from "./refusals.ts";

const Id = Type.String({ pattern: "^[0-9]{1,10}$", maxLength: 10 });
const ClientId = Type.String({ pattern: CLIENT_ID_PATTERN, maxLength: CLIENT_ID_LENGTH_MAX });
const Words = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: "\\S" });
const OrNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) => Type.Union([schema, Type.Null()]);
const closed = { additionalProperties: false } as const;

export const CommentsQuery = Type.Object({
  leaderId: Id,
  before: Type.Optional(Id),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50 })),
});
export const CommentBody = Type.Object({ leaderId: Id, text: Words(500), clientId: ClientId }, closed);
export type CommentBody = Static<typeof CommentBody>;
export const CommentIdBody = Type.Object({ commentId: Id }, closed);
export const ReportBody = Type.Object({ commentId: Id, reason: Words(200) }, closed);
export const TranslateBody = Type.Object(
  { text: Words(2_000), to: Type.String({ pattern: "^[a-z]{2}(_[A-Z]{2})?$", maxLength: 5 }) },
  closed,
);
export const ModerateBody = Type.Object({ commentId: Id, action: Type.Enum(["hide", "keep"]) }, closed);

export const Comment = Type.Object({
  commentId: Type.String(),
  nickname: Type.String(),
  text: Type.String(),
  isOwn: Type.Boolean(),
  isFollower: Type.Boolean(),
  /** Of a simulated trader of the default run. */
  isSimulated: Type.Boolean(),
  createdAtMs: Type.Integer(),
});
export type Comment = Static<typeof Comment>;
export const CommentPage = Type.Object({ comments: Type.Array(Comment), nextBefore: OrNull(Type.String()) });
export type CommentPage = Static<typeof CommentPage>;
export const Translation = Type.Object({
  text: Type.String(),
  isTranslated: Type.Boolean(),
  /** Written beforehand for a simulated comment of the default run. */
  isSimulated: Type.Boolean(),
  to: Type.String(),
});
export type Translation = Static<typeof Translation>;
export const CommentDone = Type.Object({ done: Type.Boolean() });
export const ReportedList = Type.Array(
  Type.Object({
    commentId: Type.String(),
    leaderId: Type.String(),
    nickname: Type.String(),
    text: Type.String(),
    reports: Type.Integer(),
    createdAtMs: Type.Integer(),
  }),
);
export type ReportedList = Static<typeof ReportedList>;

const commentCalls = (base: string) => ({
  list: endpoint("GET", `${base}/comments`, { query: CommentsQuery, output: CommentPage }),
  write: endpoint("POST", `${base}/comments`, { body: CommentBody, output: Comment, refusals: REFUSALS }),
  remove: endpoint("POST", `${base}/comments/remove`, { body: CommentIdBody, output: CommentDone, refusals: REFUSALS }),
  report: endpoint("POST", `${base}/comments/report`, { body: ReportBody, output: CommentDone, refusals: REFUSALS }),
  translate: endpoint("POST", `${base}/translate`, { body: TranslateBody, output: Translation }),
});
export type CommentCalls = ReturnType<typeof commentCalls>;

/** Below the addresses of copy trading. */
export const COMMENT_CALLS = { futures: commentCalls("/follow/v1"), spot: commentCalls("/spot-follow") };
export const COMMENT_V2_CALLS = commentCalls("/follow/v2");

export const COMMENT_CONSOLE_CALLS = {
  reported: endpoint("GET", "/v1/console/copy/comments", { output: ReportedList }),
  moderate: endpoint("POST", "/v1/console/copy/comments", {
    body: ModerateBody,
    output: CommentDone,
    refusals: REFUSALS,
  }),
};
