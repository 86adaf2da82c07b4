// The redirect target after signing in: a path of this site and nothing else (AUTH-2). Shared by browser and server. It
// refuses rather than repairs: a target a browser might read as another host is never followed.

const LENGTH_MAX = 2048;

/** Every visible ASCII character except the backslash, which browsers treat as a slash. Addresses encode all others. */
const PLAIN = /^\/[\x21-\x5b\x5d-\x7e]*$/;

/** Two slashes name a host; dot segments can become two slashes; encoded ones can become either behind a proxy. */
const TRICKY_PATH = /\/\/|\/\.{1,2}(?=\/|$)|%(?:2e|2f|5c|25|0[0-9a-f]|1[0-9a-f]|7f)|%(?![0-9a-f]{2})/i;

/** The path as given, or undefined when it is not plainly a path of this site. */
export function readReturnPath(text: string | null | undefined): string | undefined {
  if (text === null || text === undefined || text.length > LENGTH_MAX || !PLAIN.test(text)) return undefined;
  const end = text.search(/[?#]/);
  const path = end === -1 ? text : text.slice(0, end);
  return TRICKY_PATH.test(path) ? undefined : text;
}

/** The query names of the return path; the first with a followable path counts. */
export const RETURN_QUERY = ["redirectUrl", "forwardUrl"] as const;
