// Everything a page's HTML depends on besides its own data, worked out once per request. Two anonymous requests with
// the same frame and address get the same bytes, which is what makes the short cache safe.
import { CLIENT_LANGUAGE_QUERY, type Locale } from "@clockwork/kit/constants";
import { parseClientLanguages } from "@clockwork/kit/locale";
import { detectShell, type Shell } from "../shell/detect.ts";
import { type Preferences, parseCookies, readPreferences } from "./preferences.ts";

export interface PageFrame {
  readonly preferences: Preferences;
  readonly shell: Shell | undefined;
  /** What the browser says the system prefers; undefined when it does not say. */
  readonly systemDark: boolean | undefined;
  readonly clientLanguages: readonly Locale[];
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
  };
}

/** One short text per distinct frame. */
export function formatFrameKey(frame: PageFrame): string {
  const { theme, updown, currency, timezone, language, noticeSeen } = frame.preferences;
  const dark = frame.systemDark === undefined ? "" : frame.systemDark ? "d" : "l";
  return [theme, updown, currency ?? "", timezone, language ?? "", noticeSeen ? 1 : 0, frame.shell ?? "", dark].join(
    "|",
  );
}

/** The theme to paint. `system` falls to the browser's hint, else light; a script corrects it before the first paint. */
export function resolveTheme(frame: PageFrame): "light" | "dark" {
  const { theme } = frame.preferences;
  if (theme !== "system") return theme;
  return frame.systemDark === true ? "dark" : "light";
}
