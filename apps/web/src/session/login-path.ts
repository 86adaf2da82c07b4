// The address of sign-in with the return address in it, and its parser. Only paths of this site are ever followed;
// pages without a return are never returned to.
import { formatLocalePath, parseLocalePath } from "@clockwork/kit/locale";
import { RETURN_QUERY, readReturnPath } from "@clockwork/kit/return-path";
import { findPage } from "#boot/route-table.ts";

/** Marks on the way to sign-in that a session has ended; sign-in then shows the reason. */
export const ENDED_QUERY = "ended";

/** SITE-10: a route without a return redirects its visitor to sign-in without an address to come back to. */
export function loginPath(pathname: string, redirectUrl: string, hasEnded = false): string {
  const { locale, rest } = parseLocalePath(pathname);
  const query = [
    ...(findPage(rest)?.noReturn === true ? [] : [`redirectUrl=${encodeURIComponent(redirectUrl)}`]),
    ...(hasEnded ? [`${ENDED_QUERY}=1`] : []),
  ];
  return formatLocalePath("/login", locale) + (query.length === 0 ? "" : `?${query.join("&")}`);
}

/** Where to go after signing in; undefined means home. */
export function returnPathOf(search: URLSearchParams): string | undefined {
  for (const name of RETURN_QUERY) {
    const path = readReturnPath(search.get(name));
    if (path === undefined) continue;
    const { rest } = parseLocalePath(path.replace(/[?#].*$/s, ""));
    if (findPage(rest)?.noReturn !== true) return path;
  }
  return undefined;
}

const CARRIED = /^(redirectUrl|forwardUrl|inviteCode|utm_[a-z]+)$/;

/** The part of a query that goes along from step to step: the way back, the inviter, the campaign. */
export function carriedQuery(search: URLSearchParams): string {
  const kept = new URLSearchParams([...search].filter(([name]) => CARRIED.test(name)));
  const text = kept.toString();
  return text === "" ? "" : `?${text}`;
}
