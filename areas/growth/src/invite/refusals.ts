// Refusals of invitations and their console, with status and message.
import type { RefusalTable } from "@clockwork/kit/endpoint";

export const REFUSALS = {
  TOO_MANY_LINKS: [409, "Referral link limit reached. Edit an existing link."],
  CLIENT_ID_REUSED: [409, "This ID was already used for another link."],
  LINK_UNKNOWN: [404, "You have no link with this code."],
  ACCOUNT_NOT_READY: [503, "Could not create the link. Try again in a moment."],
} as const satisfies RefusalTable<string>;

export type LinkRefusal = keyof typeof REFUSALS;

export const DESK_REFUSALS = {
  FRIEND_UNKNOWN: [404, "This account was not referred by that account."],
  SELF_INVITED: [409, "You cannot refer yourself."],
  FRIEND_COUNTS: [409, "This referral is already included."],
  FRIEND_VOID: [409, "This referral is already excluded."],
} as const satisfies RefusalTable<string>;

export type DeskRefusal = keyof typeof DESK_REFUSALS;
