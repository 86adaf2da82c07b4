// Puts the browser's clients together: the live hub and the one request client, fed from the global state. Loaded after
// the page has woken, so it is no part of the first load.

import { PRODUCT_SHORT_NAME } from "@clockwork/kit/constants";
import { formatLocalePath, parseLocalePath } from "@clockwork/kit/locale";
import { systemClock } from "#live/clock.ts";
import type { HeaderSource } from "#live/headers.ts";
import { createLiveHub, type LiveHub } from "#live/hub.ts";
import { createRequestClient, type RequestClient } from "#live/request.ts";
import { findPage, hasPage } from "../route-table.ts";
import { API_BASE, FUTURES_BASE } from "./root-data.ts";
import type { GlobalStore } from "./state.ts";

export interface Clients {
  readonly hub: LiveHub;
  readonly request: RequestClient;
}

const DEVICE_KEY = `${PRODUCT_SHORT_NAME}_device_id`;

/** One id per browser, made on first use. Without storage it lives as long as the page. */
function readDeviceId(): string {
  try {
    const known = localStorage.getItem(DEVICE_KEY);
    if (known !== null && /^[0-9a-f-]{36}$/.test(known)) return known;
    const made = crypto.randomUUID();
    localStorage.setItem(DEVICE_KEY, made);
    return made;
  } catch {
    return "00000000-0000-0000-0000-000000000000";
  }
}

function readPlatform(): { readonly name: string; readonly version: string } {
  const [, name = "browser", version = ""] = /(Firefox|Edg|Chrome|Safari)\/([\d.]+)/.exec(navigator.userAgent) ?? [];
  return { name, version };
}

function headerSource(store: GlobalStore): HeaderSource {
  const deviceId = readDeviceId();
  const platform = readPlatform();
  const none = () => undefined;
  return {
    language: () => store.getState().language.lang,
    selectType: () => store.getState().currency,
    // The session is an HttpOnly cookie the browser sends by itself; tokens appear here when a shell hands one over.
    accessToken: () => store.getState().shellToken,
    token: none,
    loginToken: none,
    futuresToken: none,
    deviceId: () => deviceId,
    cwDeviceId: () => deviceId,
    systemVersion: () => platform.version,
    deviceName: () => platform.name,
    system: () => store.getState().shell,
  };
}

/** SITE-10: a route that wants no return sends its visitor to sign in without an address to come back to. */
export function loginPath(pathname: string, redirectUrl: string): string {
  const { locale, rest } = parseLocalePath(pathname);
  const login = formatLocalePath("/login", locale);
  return findPage(rest)?.noReturn === true ? login : `${login}?redirectUrl=${encodeURIComponent(redirectUrl)}`;
}

export function createClients(store: GlobalStore): Clients {
  const hub = createLiveHub({ url: store.getState().socketUrls.spot });
  const request = createRequestClient({
    fetch: (url, init) => fetch(url, init),
    headers: headerSource(store),
    bases: { spot: () => store.getState().fastTradeUrls[0] ?? API_BASE, futures: () => FUTURES_BASE },
    clock: systemClock,
    random: (bytes) => crypto.getRandomValues(bytes),
    currentUrl: () => location.pathname + location.search,
    endSession: (redirectUrl) => {
      store.setState({ topInfo: { ...store.getState().topInfo, id: null, userInfo: null } });
      if (hasPage("/login")) location.assign(loginPath(location.pathname, redirectUrl));
    },
  });
  return { hub, request };
}
