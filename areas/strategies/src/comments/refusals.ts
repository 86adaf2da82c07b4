// Refusals of comments, with status and message.
import type { RefusalTable } from "@clockwork/kit/endpoint";

export const REFUSALS = {
  LEADER_UNKNOWN: [404, "There is no such leader."],
  COMMENT_UNKNOWN: [404, "There is no such comment."],
  COMMENTS_TOO_OFTEN: [429, "You have commented often; wait a while."],
  COMMENT_REPEATED: [409, "You have said exactly this already."],
  OWN_COMMENT: [409, "Your own comment you can remove."],
} as const satisfies RefusalTable<string>;

export type CommentRefusal = keyof typeof REFUSALS;
