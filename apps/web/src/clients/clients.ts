// Puts the browser's clients together: the live hub and the one request client, fed from the global state. Loaded after
// the page has woken, so it is no part of the first load.

import { SESSION_CALLS } from "@clockwork/identity/sessions/contract";
import { USER_CALLS } from "@clockwork/identity/users/contract";
import { PRODUCT_SHORT_NAME } from "@clockwork/kit/constants";
import { formatLocalePath, parseLocalePath } from "@clockwork/kit/locale";
import { WALLET_CALLS } from "@clockwork/trading/wallet/contract";
import { onFirstTouch } from "#boot/idle.ts";
import { asRecord, TOTAL_ASSET_BODY } from "#boot/root-data.ts";
import { findPage, hasPage } from "#boot/route-table.ts";
import type { GlobalStore } from "#boot/state.ts";
import { isUnauthorized } from "#live/answer.ts";
import { leaseClient } from "#live/ask.ts";
import { pickedBases } from "#live/bases.ts";
import { systemClock } from "#live/clock.ts";
import { createDevice, type Device } from "#live/fingerprint.ts";
import { browserFingerprint } from "#live/fingerprint-browser.ts";
import type { HeaderSource } from "#live/headers.ts";
import { createLiveHub, type LiveHub } from "#live/hub.ts";
import { createRequestClient, type Renewal, type RequestClient } from "#live/request.ts";
import type { ReportEvent } from "#live/statistics.ts";
import type { SessionControl } from "#session/auth-context.ts";
import {
  type AuthBrowser,
  type AuthSession,
  createAuthSession,
  keepUserMenu,
  openAuthBrowser,
  type TokenSource,
} from "#session/auth-session.ts";
import { loginPath } from "#session/login-path.ts";
import { endPush } from "#session/push-end.ts";
import { adoptTimezone } from "#session/settings.ts";
import { countLosses, keepSessionHome, openAddresses, socketAddress } from "./addresses.ts";
import { arrive } from "./arrival.ts";
import { onSignInRefused } from "./signed-connection.ts";
import { followSite } from "./site-stream.ts";
import { onUndecided } from "./undecided.ts";
import { createReport } from "./visit-report.ts";
import { startWorker } from "./worker.ts";

export interface Clients {
  /** Counts an event of a signed-in user; nothing for visitors. */
  readonly report: ReportEvent;
  readonly hub: LiveHub;
  readonly request: RequestClient;
  readonly session: SessionControl;
  close(): void;
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

function headerSource(store: GlobalStore, tokens: TokenSource, device: Device): HeaderSource {
  const deviceId = readDeviceId();
  return {
    language: () => store.getState().language.lang,
    selectType: () => store.getState().currency,
    // A shell's token is that of the session it handed over; a browser's own are in its cookies.
    accessToken: () => tokens.accessToken() ?? store.getState().shellToken,
    token: tokens.token,
    loginToken: tokens.loginToken,
    futuresToken: tokens.futuresToken,
    deviceId: device.deviceId,
    // The server identifies devices by the random id a browser keeps; two identical machines have one fingerprint.
    cwDeviceId: () => deviceId,
    systemVersion: device.systemVersion,
    deviceName: device.deviceName,
    system: () => store.getState().shell,
  };
}

/** How the API refuses what a higher identity level would allow. */
const IDENTITY_NEEDED = "KYC_REQUIRED";

/** Empties the user; a page that is only for signed-in visitors is left for sign-in. */
function removeUser(store: GlobalStore, leave: boolean): void {
  store.setState({
    topInfo: { ...store.getState().topInfo, id: null, userInfo: null },
    unreadLetters: 0,
    totalAsset: undefined,
    anchorInfo: undefined,
  });
  const page = findPage(parseLocalePath(location.pathname).rest);
  if (leave && page?.signedIn === true) location.assign(loginPath(location.pathname, currentUrl()));
}

function currentUrl(): string {
  return location.pathname + location.search;
}

/** What the page was served with and what the cookies say may differ: another tab has signed in or out since. */
async function meetSession(store: GlobalStore, session: AuthSession, request: RequestClient): Promise<void> {
  const known = store.getState().topInfo.id !== null;
  if (known && !session.isSignedIn()) removeUser(store, true);
  if (known || !session.isSignedIn()) return;
  const answer = await request.call(USER_CALLS.topInfo, {}, { anonymous: true });
  const id = answer.ok ? readUserId(answer.data) : null;
  if (answer.ok && id === null && (await session.refresh()) === "over") session.end();
  if (answer.ok && id !== null) {
    store.setState({
      topInfo: { ...store.getState().topInfo, id, userInfo: answer.data.userInfo },
    });
  }
}

/** Only the server's own word ends a session; anything else may be a moment's trouble. */
async function renewSession(request: RequestClient): Promise<Renewal> {
  const answer = await request.call(SESSION_CALLS.refresh, {}, { anonymous: true });
  if (answer.ok) return "renewed";
  return isUnauthorized(answer.err.status ?? 0, answer) ? "over" : "undecided";
}

function readUserId(data: unknown): string | null {
  const record = asRecord(data);
  const id = record?.id ?? record?.fid;
  return typeof id === "string" || typeof id === "number" ? String(id) : null;
}

/** The count in the header follows the inbox. */
function followLetters(store: GlobalStore, hub: LiveHub): void {
  hub.socket.subscribe({
    topic: { channel: "letters" },
    onMessage: ({ data }) => {
      const count = asRecord(data)?.count;
      if (typeof count === "number") store.setState({ unreadLetters: count });
    },
  });
  hub.socket.start();
}

function signInSocket({ socket }: LiveHub, request: RequestClient, token: () => string | undefined): void {
  const ask = () => request.call(WALLET_CALLS.accounts, TOTAL_ASSET_BODY);
  const reconnect = () => socket.reconnect();
  socket.login(token, onSignInRefused(ask, reconnect, systemClock));
}

function openDevice(storage: AuthBrowser["storage"]): Device {
  return createDevice({
    source: browserFingerprint,
    clock: systemClock,
    storage,
    begin: onFirstTouch,
    pause: () => new Promise((done) => setTimeout(done)),
  });
}

/** The session is over: redirects to sign-in, unless the page is there already or being left. */
function leaveSession(session: AuthSession, leaving: Leaving, redirectUrl: string): void {
  if (leaving.isUnderWay) return;
  session.end();
  const page = findPage(parseLocalePath(location.pathname).rest);
  if (hasPage("/login") && page?.signedOut !== true) location.assign(loginPath(location.pathname, redirectUrl, true));
}

/** A sign-out leads home, also when another call is refused during it. */
interface Leaving {
  isUnderWay: boolean;
}

function controlSession(session: AuthSession, leaving: Leaving, request: RequestClient, hub: LiveHub): SessionControl {
  return {
    signOut: async (to = "/") => {
      leaving.isUnderWay = true;
      // Nothing of the account may come after this: its streams and the login itself are given back, while the server
      // still has the connection.
      hub.socket.unsubscribeAll();
      // A browser that has signed out receives none of the account's pushes.
      await endPush().catch(() => undefined);
      await request.call(SESSION_CALLS.signOut, {}, { anonymous: true });
      session.end();
      location.assign(formatLocalePath(to, parseLocalePath(location.pathname).locale));
    },
    enter: (path) => location.assign(path),
  };
}

export function createClients(store: GlobalStore): Clients {
  const browser = openAuthBrowser();
  const device = openDevice(browser.storage);
  const picker = openAddresses({
    store,
    storage: browser.storage,
    origin: location.origin,
    fetch: (url, init) => fetch(url, init),
    target: window,
  });
  const session = createAuthSession({
    browser,
    renew: () => renewSession(request),
    onEnded: (here) => removeUser(store, !here),
  });
  const leaving: Leaving = { isUnderWay: false };
  const request = createRequestClient({
    fetch: (url, init) => fetch(keepSessionHome(url), init),
    headers: headerSource(store, session.tokens, device),
    bases: pickedBases(picker),
    clock: systemClock,
    random: (bytes) => crypto.getRandomValues(bytes),
    refresh: session.refresh,
    currentUrl,
    onRefused: (code) => {
      if (code === IDENTITY_NEEDED) store.setState({ identityPopup: true });
    },
    onUndecided: onUndecided({
      clock: systemClock,
      refresh: session.refresh,
      say: (undecided) => store.setState({ undecided }),
      onRenewed: () => hub.socket.reconnect(),
      onOver: () => leaveSession(session, leaving, currentUrl()),
    }),
    endSession: (redirectUrl) => leaveSession(session, leaving, redirectUrl),
  });
  const takeBack = leaseClient(request);
  const hub = createLiveHub({ url: socketAddress(picker, location.origin, window) });
  countLosses(picker, store, hub.socket);
  const leaveSite = followSite(store, hub, request);
  let isClosed = false;
  let leaveAsset = () => {};
  adoptTimezone(store);
  const leaveWorker = startWorker(store);
  void arrive({ store, request, go: (path) => location.replace(path), here: currentUrl });
  const meet = () => void (document.visibilityState === "visible" && meetSession(store, session, request));
  meet();
  document.addEventListener("visibilitychange", meet);
  if (store.getState().topInfo.id !== null) {
    keepUserMenu(browser.storage, store.getState().topInfo, store.getState().anchorInfo);
    signInSocket(hub, request, () => session.tokens.accessToken() ?? store.getState().shellToken);
    followLetters(store, hub);
    void import("#session/web-push.ts").then(({ renewPush }) => renewPush(request)).catch(() => undefined);
    void import("./asset-stream.ts").then(({ followAsset }) => {
      if (!isClosed) leaveAsset = followAsset(store, hub, request);
    });
  }
  return {
    hub,
    request,
    report: createReport(store, request),
    session: controlSession(session, leaving, request, hub),
    close: () => {
      document.removeEventListener("visibilitychange", meet);
      session.close();
      isClosed = true;
      takeBack();
      leaveWorker();
      leaveAsset();
      leaveSite();
      hub.close();
    },
  };
}
