// Which parts of a query a public page reads. All others change nothing in it: the page server removes them, so that no
// visitor can force renders of the same page by varying its query.
import { CLIENT_LANGUAGE_QUERY } from "@clockwork/kit/constants";
import { parseClientLanguages, parseLocalePath } from "@clockwork/kit/locale";
import { parsePayloadPath } from "./payload-path.ts";
import { findPage, type PageRoute } from "./route-table.ts";

const GRID = ["pair", "kind", "lower", "upper", "count", "spacing", "leverage"] as const;
const FEED = ["category", "before"] as const;
const OTC = ["side", "asset", "fiat"] as const;

/** By the page's module below `routes/`; a module that is not named reads nothing. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  spot: ["coupons"],
  "futures-data": ["report"],
  "grid/create": GRID,
  "earn/recurring": ["mix", "name"],
  news: FEED,
  "news-center": FEED,
  markets: ["tab", "group", "q", "sort", "page", "view", "size", "colour"],
  "help/overview": ["q"],
  "otc/market": OTC,
  "otc/providers": OTC,
  newsletter: ["confirm", "leave"],
  "account/freeze": ["token", "frozen"],
  "account/release": ["token"],
};

/** Sign-in carries its query from step to step, and an account page is returned to with all of it. */
function takesAll(page: PageRoute): boolean {
  return page.signedIn === true || page.signedOut === true || page.file.startsWith("auth/");
}

export interface TrimmedUrl {
  readonly url: string;
  /** What was left out, as it was written. */
  readonly dropped: string;
}

/** The address with the part of its query that the page reads. */
export function trimQuery(url: string): TrimmedUrl {
  const mark = url.indexOf("?");
  if (mark === -1) return { url, dropped: "" };
  const [path, query] = [url.slice(0, mark), url.slice(mark + 1)];
  const { rest } = parseLocalePath(parsePayloadPath(path) ?? path);
  const page = findPage(rest);
  const isFile = rest === "/robots.txt" || rest === "/sitemap.xml";
  if (!isFile && (page === undefined || takesAll(page))) return { url, dropped: "" };
  const names = page === undefined ? [] : (NAMES[page.file] ?? []);
  const requested = new URLSearchParams(query);
  const kept = new URLSearchParams();
  for (const name of names) {
    const value = requested.get(name);
    if (value !== null) kept.set(name, value);
  }
  // The same languages are the same text, however they were written.
  const languages = parseClientLanguages(requested.get(CLIENT_LANGUAGE_QUERY));
  if (languages.length > 0) kept.set(CLIENT_LANGUAGE_QUERY, languages.join(","));
  const isKnown = (part: string): boolean => {
    const [name = ""] = new URLSearchParams(part).keys();
    return name === CLIENT_LANGUAGE_QUERY || names.includes(name);
  };
  const dropped = query.split("&").filter((part) => part !== "" && !isKnown(part));
  return { url: kept.size === 0 ? path : `${path}?${kept}`, dropped: dropped.join("&") };
}
