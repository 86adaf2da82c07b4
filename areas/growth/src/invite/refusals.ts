// Refusals of invitations and their console, with status and message.
import type { RefusalTable } from "@clockwork/kit/endpoint";

export const REFUSALS = {
  TOO_MANY_LINKS: [409, "There are as many links as anybody may have; change one of them."],
  CLIENT_ID_REUSED: [409, "This id made another link before."],
  LINK_UNKNOWN: [404, "You have no link of this code."],
  ACCOUNT_NOT_READY: [503, "The link could not be made now; try again in a moment."],
} as const satisfies RefusalTable<string>;

export type LinkRefusal = keyof typeof REFUSALS;

export const DESK_REFUSALS = {
  FRIEND_UNKNOWN: [404, "This account was not invited by that one."],
  SELF_INVITED: [409, "Nobody is paid for himself."],
  FRIEND_COUNTS: [409, "This friend counts already."],
  FRIEND_VOID: [409, "This friend counts for nothing already."],
} as const satisfies RefusalTable<string>;

export type DeskRefusal = keyof typeof DESK_REFUSALS;
