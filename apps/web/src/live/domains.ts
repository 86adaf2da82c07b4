// Which of the published addresses this browser uses: races them, keeps the fastest that lives, fails over, remembers.
// Trusts the list no further than its shape: an entry that is no safe URL is left out.
import { STORAGE_KEY } from "@clockwork/kit/constants";
import type { Clock } from "./clock.ts";
import { createStore, type ReadableStore } from "./store.ts";

/** One address of the product: its four bases, and the inviter a partner's domain carries. */
export interface Domain {
  readonly api: string;
  readonly futuresApi: string;
  readonly socket: string;
  readonly futuresSocket: string;
  readonly invite?: string;
  /** A session on this page is valid there too. */
  readonly carriesSession?: boolean;
}

/** The interface of local storage, or a stand-in where the browser forbids it. */
export interface KeyValueStorage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

export interface DomainParts {
  /** Where the list is published; the first that answers counts. */
  readonly listUrls: readonly string[];
  /** Used before a list was had, and when all else fails. */
  readonly fallback: Domain;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly clock: Clock;
  readonly storage: KeyValueStorage | undefined;
  /** Probed below the api base; any response below 500 means a live domain. */
  readonly probePath?: string;
  readonly timeoutMs?: number;
  /** A list published elsewhere: trusted only with its signature, and the last good one is kept. */
  readonly published?: { readonly url: string; readonly key: string };
  /** Addresses this page may call at all; others of any list are left out. Evaluated for every race. */
  readonly allows?: (domain: Domain) => boolean;
}

export interface DomainPicker extends ReadableStore<Domain> {
  /** Fetches the list and moves to the fastest live domain; safe to call again. */
  refresh(): Promise<Domain>;
  /** A call to this base got no answer; after two in a row the next live domain is taken. */
  reportFailure(base: string): void;
  reportSuccess(base: string): void;
}

const DOMAINS_MAX = 32;
const TIMEOUT_MS = 3_000;
const FAILURES_MAX = 2;
/** A domain that failed is not tried again before this, unless no other is left. */
const COOLDOWN_MS = 30_000;

export function createDomainPicker(parts: DomainParts): DomainPicker {
  const store = createStore<Domain>(readRemembered(parts.storage) ?? parts.fallback);
  const resting = new Map<string, number>();
  let domains: readonly Domain[] = [];
  let failures = 0;
  let racing: Promise<Domain> | undefined;

  const choose = (domain: Domain) => {
    failures = 0;
    if (domain.api === store.get().api) return;
    store.set(domain);
    remember(parts.storage, domain);
  };
  const candidates = () => {
    const allowed = domains.filter((domain) => parts.allows?.(domain) ?? true);
    const all = withFallback(allowed, parts.fallback);
    const nowMs = parts.clock.now();
    const rested = all.filter((domain) => (resting.get(domain.api) ?? 0) <= nowMs);
    return rested.length > 0 ? rested : all;
  };
  const race = async () => {
    const winner = await raceDomains(parts, candidates());
    if (winner !== undefined) choose(winner);
    // No domain answered in time: the very next failure probes all of them again.
    else failures = FAILURES_MAX - 1;
    return store.get();
  };
  const refresh = async () => {
    domains = (await fetchDomains(parts)) ?? domains;
    return race();
  };
  const once = (run: () => Promise<Domain>) => {
    racing ??= run().finally(() => {
      racing = undefined;
    });
    return racing;
  };

  return {
    get: store.get,
    subscribe: store.subscribe,
    refresh: () => once(refresh),
    reportFailure: (base) => {
      const current = store.get();
      if (base !== current.api && base !== current.futuresApi) return;
      failures += 1;
      if (failures < FAILURES_MAX) return;
      failures = 0;
      resting.set(current.api, parts.clock.now() + COOLDOWN_MS);
      void once(domains.length === 0 ? refresh : race);
    },
    reportSuccess: (base) => {
      if (base === store.get().api || base === store.get().futuresApi) failures = 0;
    },
  };
}

/** Either `{domains: [...]}` or the bare list; entries that are no safe domain are left out. */
export function readDomains(body: unknown): Domain[] {
  const list = typeof body === "object" && body !== null && "domains" in body ? body.domains : body;
  if (!Array.isArray(list)) return [];
  return list.slice(0, DOMAINS_MAX).flatMap((entry) => readDomain(entry) ?? []);
}

export function readDomain(entry: unknown): Domain | undefined {
  if (typeof entry !== "object" || entry === null) return undefined;
  const { api, futuresApi, socket, futuresSocket, invite, carriesSession } = entry as Record<string, unknown>;
  if (!isSafeUrl(api, "http") || !isSafeUrl(futuresApi, "http")) return undefined;
  if (!isSafeUrl(socket, "ws") || !isSafeUrl(futuresSocket, "ws")) return undefined;
  const hasInvite = typeof invite === "string" && /^[A-Za-z0-9_-]{1,32}$/.test(invite);
  return {
    api,
    futuresApi,
    socket,
    futuresSocket,
    ...(hasInvite ? { invite } : {}),
    ...(carriesSession === true ? { carriesSession } : {}),
  };
}

/** Encrypted, on this machine, or below our own origin: a list from elsewhere must not send tokens in the clear. */
function isSafeUrl(value: unknown, kind: "http" | "ws"): value is string {
  if (typeof value !== "string" || value.length > 200) return false;
  if (value.startsWith("/")) return !value.startsWith("//");
  if (!URL.canParse(value)) return false;
  const url = new URL(value);
  if (url.username !== "" || url.password !== "") return false;
  const local =
    /^(?:[a-z0-9-]+\.)*localhost$/.test(url.hostname) || url.hostname === "127.0.0.1" || url.hostname === "[::1]";
  return url.protocol === `${kind}s:` || (local && url.protocol === `${kind}:`);
}

function withFallback(domains: readonly Domain[], fallback: Domain): readonly Domain[] {
  return domains.some((domain) => domain.api === fallback.api) ? domains : [...domains, fallback];
}

/** The published list if it is signed, else the last that was. */
async function fetchPublished(parts: DomainParts): Promise<readonly Domain[]> {
  const { published, storage } = parts;
  if (published === undefined) return [];
  const { readSigned } = await import("./signed-list.ts");
  const allowed = (list: unknown) => readDomains(list).filter((domain) => parts.allows?.(domain) ?? true);
  const fresh = await fetchText(parts, published.url);
  const list = await readSigned(fresh, published.key);
  if (list !== undefined && fresh !== undefined) {
    keepText(storage, STORAGE_KEY.domainList, fresh);
    return allowed(list);
  }
  return allowed(await readSigned(readText(storage, STORAGE_KEY.domainList), published.key));
}

async function fetchDomains(parts: DomainParts): Promise<readonly Domain[] | undefined> {
  const published = await fetchPublished(parts);
  if (published.length > 0) return published;
  for (const url of parts.listUrls) {
    const text = await fetchText(parts, url);
    try {
      const domains = text === undefined ? [] : readDomains(JSON.parse(text));
      if (domains.length > 0) return domains;
    } catch {
      // Not JSON: the next address may hold the list.
    }
  }
  return undefined;
}

/** The first to answer its probe; nothing when none does. */
async function raceDomains(parts: DomainParts, domains: readonly Domain[]): Promise<Domain | undefined> {
  const abort = new AbortController();
  try {
    return await Promise.any(
      domains.map(async (domain) => {
        const url = domain.api.replace(/\/+$/, "") + (parts.probePath ?? "/v1/system/status");
        const text = await fetchText(parts, url, abort.signal);
        if (text === undefined) throw new Error("no answer");
        return domain;
      }),
    );
  } catch {
    return undefined;
  } finally {
    abort.abort();
  }
}

async function fetchText(parts: DomainParts, url: string, outer?: AbortSignal): Promise<string | undefined> {
  const abort = new AbortController();
  const give = () => abort.abort();
  outer?.addEventListener("abort", give);
  const cancel = parts.clock.after(parts.timeoutMs ?? TIMEOUT_MS, give);
  try {
    const response = await parts.fetch(url, { signal: abort.signal, credentials: "omit", cache: "no-store" });
    return response.status < 500 ? await response.text() : undefined;
  } catch {
    return undefined;
  } finally {
    cancel();
    outer?.removeEventListener("abort", give);
  }
}

function readRemembered(storage: KeyValueStorage | undefined): Domain | undefined {
  try {
    return readDomain(JSON.parse(readText(storage, STORAGE_KEY.domain) ?? "null"));
  } catch {
    return undefined;
  }
}

function remember(storage: KeyValueStorage | undefined, domain: Domain): void {
  keepText(storage, STORAGE_KEY.domain, JSON.stringify(domain));
}

function readText(storage: KeyValueStorage | undefined, key: string): string | undefined {
  try {
    return storage?.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

function keepText(storage: KeyValueStorage | undefined, key: string, text: string): void {
  try {
    storage?.setItem(key, text);
  } catch {
    // A full or forbidden storage only costs the next visit a race.
  }
}
