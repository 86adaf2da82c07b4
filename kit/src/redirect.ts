// Where a visitor may be sent after signing in: a path of our own site and nothing else. Pure; used by pages and server.

const PATH_LENGTH_MAX = 2048;
const PROBE_ORIGIN = "https://own.invalid";

/** The same-site path a redirect parameter names, or nothing. What a browser would read as another site, a script or a
 *  header is refused; so is whatever it would read in another way than it is written. */
export function readRedirect(text: string | null | undefined): string | undefined {
  if (text === null || text === undefined || text.length > PATH_LENGTH_MAX) return undefined;
  // One slash, then neither a slash nor a backslash: browsers read both as the beginning of a host.
  if (!/^\/(?![/\\])/.test(text)) return undefined;
  // Control characters and spaces are dropped by browsers, which may join what was apart; backslashes become slashes.
  if (/[\\\s\p{C}]/u.test(text)) return undefined;
  const url = URL.parse(text, PROBE_ORIGIN);
  if (url === null || url.origin !== PROBE_ORIGIN) return undefined;
  // Dots may have folded the path into one that begins with two slashes.
  return url.pathname.startsWith("//") ? undefined : url.pathname + url.search + url.hash;
}
