// Reports which pages a signed-in user visits, with the campaign that brought them (NET-8). The campaign is kept for
// the tab's life: signing in comes after landing.
import { PRODUCT_SHORT_NAME } from "@clockwork/kit/constants";
import { parseLocalePath } from "@clockwork/kit/locale";
import { PAGES } from "#boot/route-table.ts";
import type { GlobalStore } from "#boot/state.ts";
import type { RequestClient } from "#live/request.ts";
import { createStatistics, parseUtm, type ReportEvent, type Utm } from "#live/statistics.ts";
import { isOnPhone } from "#session/phone.ts";

const UTM_KEY = `${PRODUCT_SHORT_NAME}_utm`;

function readUtm(): Utm {
  const here = parseUtm(location.search);
  try {
    if (Object.keys(here).length === 0) return parseUtm(sessionStorage.getItem(UTM_KEY) ?? "");
    sessionStorage.setItem(UTM_KEY, location.search);
  } catch {
    // Without storage only the landing page's own reports carry it.
  }
  return here;
}

export function createReport(store: GlobalStore, request: RequestClient): ReportEvent {
  const utm = readUtm();
  return createStatistics({
    request,
    isLoggedIn: () => store.getState().topInfo.id !== null,
    isMobile: () => isOnPhone(store),
    utm: () => utm,
  });
}

/** The page's module names it: one name per page, for any address. */
export function nameVisit(pathname: string): string {
  const { rest } = parseLocalePath(pathname);
  const exact = PAGES.find(({ path }) => path === rest);
  const below = PAGES.find(({ path }) => path.endsWith("/*") && rest.startsWith(path.slice(0, -1)));
  return (exact ?? below)?.file.replaceAll("/", "-") ?? "unknown";
}
