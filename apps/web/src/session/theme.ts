// SITE-5 in the browser: paints the chosen theme, keeps the theme-color meta in step and follows the system when asked.
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

/** What a page is painted in: always its own mode, or its usual one until the visitor has chosen, or the choice. */
export function themeOn(
  page: Pick<RouteFlags, "colorMode" | "usualMode"> | undefined,
  state: Pick<GlobalState, "themeChosen" | "paintedTheme">,
): PaintedTheme {
  return page?.colorMode ?? (state.themeChosen ? undefined : page?.usualMode) ?? state.paintedTheme;
}

export function paintTheme(painted: PaintedTheme): void {
  document.documentElement.dataset.theme = painted;
  scheduleHead({ themeColor: themeColorOf(painted) });
}

/** What a choice looks like here and now; `system` asks the browser. */
export function resolveChoice(theme: Theme): PaintedTheme {
  if (theme !== "system") return theme;
  return matchMedia(DARK_QUERY).matches ? "dark" : "light";
}

/** Chooses a theme: stored for a year, painted at once, as one picture where the browser can. */
export function chooseTheme(store: GlobalStore, theme: Theme): void {
  const painted = resolveChoice(theme);
  // biome-ignore lint/suspicious/noDocumentCookie: the cookie store API is not in every browser we serve
  document.cookie = formatPreferenceCookie("theme", theme, location.protocol === "https:");
  const change = () => store.setState({ theme, paintedTheme: painted, themeChosen: true });
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (!still && typeof document.startViewTransition === "function") document.startViewTransition(change);
  else change();
}

/** The theme button: what is painted turns into its opposite. */
export function toggleTheme(store: GlobalStore): void {
  chooseTheme(store, document.documentElement.dataset.theme === "dark" ? "light" : "dark");
}

/** Keeps `system` true while the page is open. Answers the way to stop. */
export function followSystem(store: GlobalStore): () => void {
  const media = matchMedia(DARK_QUERY);
  const follow = () => {
    const { theme } = store.getState();
    if (theme === "system") store.setState({ paintedTheme: resolveChoice(theme) });
  };
  follow();
  media.addEventListener("change", follow);
  return () => media.removeEventListener("change", follow);
}
