// SITE-5 in the browser: paints the chosen theme, keeps the theme-color meta in step and follows the system if chosen.
// The server has already rendered the right one; this only reacts to changes.
import { THEME_COLOR, type Theme } from "@clockwork/kit/constants";
import { scheduleHead } from "#boot/head-updates.ts";
import { formatPreferenceCookie } from "#boot/preferences.ts";
import type { RouteFlags } from "#boot/route-table.ts";
import type { GlobalState, GlobalStore } from "#boot/state.ts";

export type PaintedTheme = "light" | "dark";

const DARK_QUERY = "(prefers-color-scheme: dark)";

export function themeColorOf(painted: PaintedTheme): string {
  return THEME_COLOR[painted];
}

/** Runs before the first paint of a page whose visitor chose `system`; the server can only guess that one. */
export const THEME_SCRIPT = `(function(){var e=document.documentElement,k=matchMedia("${DARK_QUERY}").matches,m=document.querySelector("meta[name=theme-color]");e.dataset.theme=k?"dark":"light";if(m)m.content=k?"${THEME_COLOR.dark}":"${THEME_COLOR.light}"})()`;

type ThemeChoices = Pick<GlobalState, "theme"> & { readonly terminalTheme?: Theme | null | undefined };

/** What counts on a page: always its own mode; in a terminal the terminal's choice, else its usual one; else the site's. */
export function choiceOn(page: Pick<RouteFlags, "colorMode" | "usualMode"> | undefined, state: ThemeChoices): Theme {
  if (page?.colorMode !== undefined) return page.colorMode;
  return page?.usualMode === undefined ? state.theme : (state.terminalTheme ?? page.usualMode);
}

/** What a page is painted in. */
export function themeOn(
  page: Pick<RouteFlags, "colorMode" | "usualMode"> | undefined,
  state: ThemeChoices & Pick<GlobalState, "systemDark">,
): PaintedTheme {
  const choice = choiceOn(page, state);
  return choice === "system" ? (state.systemDark ? "dark" : "light") : choice;
}

/** What the system prefers now. */
export function systemTheme(): PaintedTheme {
  return matchMedia(DARK_QUERY).matches ? "dark" : "light";
}

export function paintTheme(painted: PaintedTheme): void {
  document.documentElement.dataset.theme = painted;
  scheduleHead({ themeColor: themeColorOf(painted) });
}

/** Chooses a theme for the site, or in a terminal for terminals: stored for a year, painted at once, as one picture
 *  where the browser can. */
export function chooseTheme(store: GlobalStore, theme: Theme, page: Pick<RouteFlags, "usualMode"> | undefined): void {
  const isTerminal = page?.usualMode !== undefined;
  const name = isTerminal ? "terminalTheme" : "theme";
  // biome-ignore lint/suspicious/noDocumentCookie: the cookie store API is not in every browser we serve
  document.cookie = formatPreferenceCookie(name, theme, location.protocol === "https:");
  const change = () => store.setState(isTerminal ? { terminalTheme: theme } : { theme });
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (!still && typeof document.startViewTransition === "function") document.startViewTransition(change);
  else change();
}

/** Keeps `system` true while the page is open. Answers the way to stop. */
export function followSystem(store: GlobalStore): () => void {
  const media = matchMedia(DARK_QUERY);
  const follow = () => store.setState({ systemDark: media.matches });
  follow();
  media.addEventListener("change", follow);
  return () => media.removeEventListener("change", follow);
}
