// One browser's session (AUTH-3, AUTH-4): reads the marks it may see, renews the session once for all tabs, and ends it
// everywhere. What authorises is kept from scripts; this file never sees a token.
import { PRODUCT_SHORT_NAME, SESSION_COOKIE, type SessionCookie, STORAGE_KEY } from "@clockwork/kit/constants";
import { hasSession, readSessionCookie } from "#boot/session-cookie.ts";
import type { KeyValueStorage } from "#live/domains.ts";
import type { HeaderSource } from "#live/headers.ts";
import type { Renewal } from "#live/request.ts";
import { createSessionChannel, emptyCookieTexts, openTabChannel, type TabChannel } from "#live/session-channel.ts";

export type TokenSource = Pick<HeaderSource, "accessToken" | "token" | "loginToken" | "futuresToken">;

/** The part of the browser a session uses; tests pass their own. */
export interface AuthBrowser {
  readCookies(): string;
  writeCookie(text: string): void;
  readonly hostname: string;
  readonly storage: KeyValueStorage | undefined;
  readonly tabs: TabChannel | undefined;
  /** Runs the work while no other tab runs it. */
  lock<Value>(work: () => Promise<Value>): Promise<Value>;
}

export interface AuthSessionParts {
  readonly browser: AuthBrowser;
  /** Requests new tokens from the server. */
  readonly renew: () => Promise<Renewal>;
  /** The session is over: empty the user and the menu. `here` is false when another tab ended it. */
  readonly onEnded: (here: boolean) => void;
}

export interface AuthSession {
  /** The marks calls carry in their headers; the cookies next to them authenticate. */
  readonly tokens: TokenSource;
  /** Logged in means: the corrected token is there. */
  isSignedIn(): boolean;
  /** New tokens from the session, or those another tab has fetched. */
  refresh(): Promise<Renewal>;
  /** Empties cookies and storage here and in every other tab. */
  end(): void;
  close(): void;
}

export function createAuthSession({ browser, renew, onEnded }: AuthSessionParts): AuthSession {
  const read = (cookie: SessionCookie) => readSessionCookie(browser.readCookies(), cookie);
  // Changes with the tokens it belongs to.
  const login = () => read("correctedToken");
  const channel = createSessionChannel({
    storage: browser.storage,
    tabs: browser.tabs,
    emptyCookies: () => {
      for (const domain of parentDomains(browser.hostname)) {
        for (const text of emptyCookieTexts(Object.values(SESSION_COOKIE), domain)) browser.writeCookie(text);
      }
    },
    onCleared: onEnded,
  });
  return {
    tokens: {
      accessToken: login,
      token: () => read("plainToken"),
      loginToken: login,
      // Futures calls fall back to the login's.
      futuresToken: () => undefined,
    },
    isSignedIn: () => hasSession(browser.readCookies()),
    refresh: () => {
      const before = login();
      return browser.lock(async () => {
        const now = login();
        // Another tab was quicker: its tokens are ours too.
        if (now !== undefined && now !== before) return "renewed";
        const renewal = await renew();
        // Signed in anew or renamed by another tab since then: the refused session is the one before.
        const after = login();
        return renewal === "over" && after !== undefined && after !== now ? "renewed" : renewal;
      });
    },
    end: channel.clear,
    close: channel.close,
  };
}

/** Every parent the corrected cookies may have been set on; a browser ignores those that are not its own. */
function parentDomains(hostname: string): readonly (string | undefined)[] {
  if (!/[a-z]/i.test(hostname) || !hostname.includes(".")) return [undefined];
  const labels = hostname.split(".");
  return labels.slice(0, -1).map((_, index) => labels.slice(index).join("."));
}

const LOCK_NAME = `${PRODUCT_SHORT_NAME}-session`;

/** The page's own browser. */
export function openAuthBrowser(): AuthBrowser {
  return {
    readCookies: () => document.cookie,
    writeCookie: (text) => {
      // biome-ignore lint/suspicious/noDocumentCookie: the cookie store API is not in every browser we serve
      document.cookie = text;
    },
    hostname: location.hostname,
    storage: openStorage(),
    tabs: openTabChannel(LOCK_NAME),
    lock: (work) => (navigator.locks === undefined ? work() : navigator.locks.request(LOCK_NAME, work)),
  };
}

function openStorage(): KeyValueStorage | undefined {
  try {
    return localStorage;
  } catch {
    return undefined;
  }
}

/** The menu object and the profile as other tabs and a shell find them; emptied with the session. */
export function keepUserMenu(storage: KeyValueStorage | undefined, menu: unknown, anchorInfo?: unknown): void {
  try {
    storage?.setItem(STORAGE_KEY.userMenu, JSON.stringify(menu));
    if (anchorInfo !== undefined) storage?.setItem(STORAGE_KEY.anchorInfo, JSON.stringify(anchorInfo));
  } catch {
    // Storage forbidden or full: the served page carries the menu anyway.
  }
}
