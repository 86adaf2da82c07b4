// The path of a page's data: `{route}/_payload.json`.
const SUFFIX = "/_payload.json";

/** The page path of a payload address; undefined for any other address. */
export function parsePayloadPath(pathname: string): string | undefined {
  if (!pathname.endsWith(SUFFIX)) return undefined;
  return pathname.slice(0, -SUFFIX.length) || "/";
}

export function formatPayloadPath(pathname: string): string {
  return (pathname.endsWith("/") ? pathname.slice(0, -1) : pathname) + SUFFIX;
}
