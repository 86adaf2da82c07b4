// Which of the product's addresses this page talks to: its own until a faster or a living one is found. Calls about the
// session always go to the page's own address, since its cookies are there.

import { ADDRESS_EVENT, CONNECTION_EVENT, STORAGE_KEY } from "@clockwork/kit/constants";
import { CONTENT_CALLS } from "@clockwork/site/content/contract";
import { API_BASE, asRecord } from "#boot/root-data.ts";
import type { GlobalStore } from "#boot/state.ts";
import { pageDomain } from "#live/bases.ts";
import { systemClock } from "#live/clock.ts";
import { createDomainPicker, type Domain, type DomainPicker, type KeyValueStorage } from "#live/domains.ts";
import type { SocketAddress } from "#live/hub.ts";
import type { LiveSocket } from "#live/socket.ts";

export interface AddressParts {
  readonly store: GlobalStore;
  readonly storage: KeyValueStorage | undefined;
  readonly origin: string;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Dispatches the change of a socket's address: `spot WS change`, `futures WS change`. */
  readonly target: EventTarget;
}

const LIST_PATH = "/domain-list.json";

export function openAddresses({ store, storage, origin, fetch, target }: AddressParts): DomainPicker {
  const { domains, futuresBase, publishedList } = store.getState();
  const own = pageDomain(origin, futuresBase);
  // The policy of the page lets it call no others; a signed-in visitor moves only where the session is valid.
  const mayCall = ({ api }: Domain) => {
    const known = domains.find((domain) => domain.api === api);
    return known !== undefined && (store.getState().topInfo.id === null || known.carriesSession === true);
  };
  removeUnlisted(storage, domains);
  const elsewhere = domains.flatMap(({ api }) => (URL.canParse(api) ? [new URL(LIST_PATH, api).href] : []));
  const picked = createDomainPicker({
    listUrls: [LIST_PATH, ...elsewhere],
    fallback: own,
    fetch,
    clock: systemClock,
    // With one address there is nothing to store, and an older list must not count.
    storage: domains.length > 1 ? storage : undefined,
    probePath: CONTENT_CALLS.ping.path,
    ...(publishedList === undefined ? {} : { published: publishedList }),
    allows: mayCall,
  });
  const picker = { ...picked, get: () => (mayCall(picked.get()) ? picked.get() : own) };
  const share = () => {
    const socketUrls = pickSockets(picker.get(), origin);
    const before = store.getState().socketUrls;
    store.setState({ domain: new URL(picker.get().api, origin).host, socketUrls });
    for (const kind of ["spot", "futures"] as const) {
      if (before[kind] === socketUrls[kind]) continue;
      target.dispatchEvent(new CustomEvent(ADDRESS_EVENT[kind], { detail: socketUrls[kind] }));
    }
  };
  share();
  picker.subscribe(share);
  // Signed in or out in another tab.
  store.subscribe((state, before) => {
    if (state.topInfo.id !== before.topInfo.id) share();
  });
  // The page came with its list: without a choice there is nothing to race.
  if (domains.length > 1) void picker.refresh();
  return picker;
}

/** An address that is no longer listed is not ours any more. */
function removeUnlisted(storage: KeyValueStorage | undefined, domains: readonly Domain[]): void {
  try {
    const kept: unknown = JSON.parse(storage?.getItem(STORAGE_KEY.domain) ?? "null");
    const api = asRecord(kept)?.api;
    if (kept !== null && !domains.some((domain) => domain.api === api)) storage?.removeItem(STORAGE_KEY.domain);
  } catch {
    // What cannot be read is not used either.
  }
}

function pickSockets({ socket, futuresSocket }: Domain, origin: string): { spot: string; futures: string } {
  return { spot: absoluteSocket(socket, origin), futures: absoluteSocket(futuresSocket, origin) };
}

/** Older browsers open no socket from a path. */
export function absoluteSocket(socket: string, origin: string): string {
  const url = new URL(socket, origin);
  if (url.protocol === "http:") url.protocol = "ws:";
  if (url.protocol === "https:") url.protocol = "wss:";
  return url.href;
}

/** The address all feeds listen at. One socket carries every product; it moves when either address does. */
export function socketAddress(picker: DomainPicker, origin: string, target: EventTarget): SocketAddress {
  return {
    get: () => absoluteSocket(picker.get().socket, origin),
    subscribe: (listener) => {
      const release = new AbortController();
      const here = () => Object.values(pickSockets(picker.get(), origin)).join(" ");
      let at = here();
      const look = () => {
        // Both addresses have moved before either is published: one move is one new connection.
        if (here() === at) return;
        at = here();
        listener();
      };
      for (const event of Object.values(ADDRESS_EVENT)) {
        target.addEventListener(event, look, { signal: release.signal });
      }
      return () => release.abort();
    },
  };
}

/** A page that only listens calls nothing: its lost connections count as unanswered calls, where there is a choice. */
export function countLosses(
  picker: DomainPicker,
  store: GlobalStore,
  socket: Pick<LiveSocket, "on" | "phase">,
): () => void {
  if (store.getState().domains.length < 2) return () => undefined;
  return socket.on(CONNECTION_EVENT.close, () => {
    // A connection replaced by a new one is not lost: the new address must not start with a failure.
    if (socket.phase === "waiting") picker.reportFailure(picker.get().api);
  });
}

const SESSION_PATHS = "/v2/users/";

/** The same call at the page's own address when it is about the session; any other is unchanged. */
export function keepSessionHome(url: string): string {
  if (!URL.canParse(url)) return url;
  const { pathname, search } = new URL(url);
  const rest = pathname.startsWith(API_BASE) ? pathname.slice(API_BASE.length) : pathname;
  return rest.startsWith(SESSION_PATHS) ? API_BASE + rest + search : url;
}
