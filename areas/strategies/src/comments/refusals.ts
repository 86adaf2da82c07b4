// Refusals of comments, with status and message.
import type { RefusalTable } from "@clockwork/kit/endpoint";

export const REFUSALS = {
  LEADER_UNKNOWN: [404, "Lead trader not found."],
  COMMENT_UNKNOWN: [404, "Comment not found."],
  COMMENTS_TOO_OFTEN: [429, "You have posted too many comments. Try again later."],
  COMMENT_REPEATED: [409, "You have already posted this comment."],
  OWN_COMMENT: [409, "You cannot report your own comment. Remove it instead."],
} as const satisfies RefusalTable<string>;

export type CommentRefusal = keyof typeof REFUSALS;
