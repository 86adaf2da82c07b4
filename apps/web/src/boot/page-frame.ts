// Everything a page's HTML depends on besides its own data, worked out once per request. Two anonymous requests with
// the same frame and address get the same bytes, which is what makes the short cache safe.
import { CLIENT_LANGUAGE_QUERY, type Locale } from "@clockwork/kit/constants";
import { parseClientLanguages } from "@clockwork/kit/locale";
import { detectShell, type Shell } from "#native/detect.ts";
import { type Preferences, parseCookies, readPreferences } from "./preferences.ts";
import { hasSession } from "./session-cookie.ts";

export interface PageFrame {
  readonly preferences: Preferences;
  readonly shell: Shell | undefined;
  /** The system preference reported by the browser; undefined without a report. */
  readonly systemDark: boolean | undefined;
  readonly clientLanguages: readonly Locale[];
  /** A session's cookie was sent; only the API can tell whether it is valid. */
  readonly hasSession: boolean;
}

export function readPageFrame(input: {
  readonly cookie: string | undefined;
  readonly userAgent: string | undefined;
  readonly colorSchemeHint: string | undefined;
  readonly query: URLSearchParams;
}): PageFrame {
  const hint = input.colorSchemeHint?.replaceAll('"', "");
  return {
    preferences: readPreferences(parseCookies(input.cookie)),
    shell: detectShell(input.userAgent),
    systemDark: hint === "dark" ? true : hint === "light" ? false : undefined,
    clientLanguages: parseClientLanguages(input.query.get(CLIENT_LANGUAGE_QUERY)),
    hasSession: hasSession(input.cookie ?? ""),
  };
}

/** One short text per distinct frame. Only the terminal's pages depend on its pair and layout. */
export function formatFrameKey(frame: PageFrame, isTerminal = false): string {
  const { theme, terminalTheme, updown, currency, timezone, language, noticeSeen, layout } = frame.preferences;
  const { pair, futuresPair, deliveryPair } = frame.preferences;
  const dark = frame.systemDark === undefined ? "" : frame.systemDark ? "d" : "l";
  const parts = [theme, updown, currency ?? "", timezone, language ?? "", noticeSeen ? 1 : 0, frame.shell ?? "", dark];
  return [
    ...parts,
    ...(isTerminal ? [pair ?? "", futuresPair ?? "", deliveryPair ?? "", layout ?? "", terminalTheme ?? ""] : []),
  ].join("|");
}

/** Addresses whose page is made from the terminal's own preferences. */
export function isTerminalUrl(url: string): boolean {
  return /^(?:\/[a-z]{2}_[A-Z]{2})?\/(?:spot|futures|delivery|simulated)(?:[/?.]|$)/.test(url);
}
