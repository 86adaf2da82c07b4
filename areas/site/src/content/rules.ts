// Pure rules of what every page shares: when a module is down, valid switches, footer links and social links, and the
// product's addresses for a visitor. Must never let a stored text become a script or another site's path.
import { FUTURES_SUBDOMAIN, hasSubdomains, type Partner } from "@clockwork/host/settings/domains";
import { isWithinDomain } from "@clockwork/kit/session-cookie";
import { formatInstant } from "@clockwork/kit/time";
import {
  CONFIG_FLAGS,
  type ConfigKey,
  type Domain,
  type DomainList,
  type FooterColumn,
  type FooterLink,
  MODULES,
  type Module,
  type ModuleState,
  type SocialLink,
} from "./contract.ts";

export interface Downtime {
  readonly module: string;
  readonly reason: string;
  readonly starts_at_ms: number;
  readonly ends_at_ms: number | null;
}

/** A past downtime is dropped; an upcoming one is announced. */
export function describeModule(module: Module, planned: Downtime | undefined, timeMs: number): ModuleState {
  const isOver = planned !== undefined && planned.ends_at_ms !== null && planned.ends_at_ms <= timeMs;
  if (planned === undefined || isOver) return { module, isDown: false, reason: "", startsAt: null, endsAt: null };
  return {
    module,
    isDown: planned.starts_at_ms <= timeMs,
    reason: planned.reason,
    startsAt: formatInstant(planned.starts_at_ms),
    endsAt: planned.ends_at_ms === null ? null : formatInstant(planned.ends_at_ms),
  };
}

export function describeModules(planned: readonly Downtime[], timeMs: number): ModuleState[] {
  return MODULES.map((module) =>
    describeModule(
      module,
      planned.find((row) => row.module === module),
      timeMs,
    ),
  );
}

const REASON_LENGTH_MAX = 500;

export function isDowntime({ reason, starts_at_ms, ends_at_ms }: Omit<Downtime, "module">): boolean {
  const isPublished = isPlainText(reason, REASON_LENGTH_MAX);
  return isPublished && starts_at_ms >= 0 && (ends_at_ms === null || ends_at_ms > starts_at_ms);
}

/** True while pages of the part say that it is down. */
export function isUnderWay({ starts_at_ms, ends_at_ms }: Omit<Downtime, "module">, timeMs: number): boolean {
  return starts_at_ms <= timeMs && (ends_at_ms === null || ends_at_ms > timeMs);
}

/** A change that would end a maintenance earlier than planned: that takes a second person. */
export function opensEarlier(
  known: Omit<Downtime, "module"> | undefined,
  next: Omit<Downtime, "module">,
  timeMs: number,
): boolean {
  if (known === undefined || !isUnderWay(known, timeMs)) return false;
  if (!isUnderWay(next, timeMs)) return true;
  if (next.ends_at_ms === null) return false;
  return known.ends_at_ms === null || next.ends_at_ms < known.ends_at_ms;
}

export function isConfigEntry(key: ConfigKey, value: string): boolean {
  if (CONFIG_FLAGS.some((flag) => flag === key)) return value === "0" || value === "1";
  return value === "" || (isPlainText(value, 512) && isSecureAddress(value));
}

function isPlainText(text: string, lengthMax: number): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
  return text.length > 0 && text.length <= lengthMax && !/[\u0000-\u001f\u007f]/.test(text);
}

const COLUMNS_MAX = 8;
const LINKS_MAX = 16;
const TITLE_LENGTH_MAX = 80;

/** A path of this site, or an encrypted address elsewhere. */
export function isLinkTarget(to: string): boolean {
  if (to.length > 300) return false;
  return /^\/(?!\/)[\w/?=&.%-]*$/.test(to) || isSecureAddress(to);
}

function isSecureAddress(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && url.protocol === "https:" && url.username === "" && url.password === "";
}

export function isFooter(columns: readonly FooterColumn[]): boolean {
  const isLink = ({ title, to }: FooterLink): boolean => isPlainText(title, TITLE_LENGTH_MAX) && isLinkTarget(to);
  return (
    columns.length <= COLUMNS_MAX &&
    new Set(columns.map(({ title }) => title)).size === columns.length &&
    columns.every(
      ({ title, links }) =>
        isPlainText(title, TITLE_LENGTH_MAX) && links.length > 0 && links.length <= LINKS_MAX && links.every(isLink),
    )
  );
}

export function isSocialList(links: readonly SocialLink[]): boolean {
  return (
    links.length <= LINKS_MAX &&
    links.every(
      ({ kind, title, url }) =>
        /^[a-z][a-z0-9-]{0,31}$/.test(kind) &&
        isPlainText(title, TITLE_LENGTH_MAX) &&
        url.startsWith("https://") &&
        isLinkTarget(url),
    )
  );
}

export interface DomainSettings {
  /** Further origins of the same product. */
  readonly fastOrigins: readonly string[];
  readonly partners: readonly Partner[];
  /** The exchange's domain; empty: everything is below the page's own origin. */
  readonly domain?: string;
  readonly isSecure?: boolean;
  /** The domain whose names share a session; empty: each host has its own. */
  readonly cookieDomain?: string;
  /** Where else a list is published, and the key that signs it. */
  readonly published?: { readonly url: string; readonly key: string };
}

/** Only the host name, in the form of a name server. */
function hostName(host: string): string {
  return host.toLowerCase().replace(/:\d+$/, "").replace(/\.$/, "");
}

/** Cookies ignore ports: the same name, or two names of the domain they are set on. */
function sharesSession({ cookieDomain = "" }: DomainSettings, left: string, right: string): boolean {
  return left === right || (isWithinDomain(left, cookieDomain) && isWithinDomain(right, cookieDomain));
}

/** The visitor's own address first, as paths, since it needs no foreign call; then the others. */
export function listDomains(settings: DomainSettings, host: string): DomainList {
  const name = hostName(host);
  const partner = settings.partners.find((one) => name === one.host || name.endsWith(`.${one.host}`));
  const invite = partner === undefined ? {} : { invite: partner.invite };
  const futuresApi = futuresBase(settings, host);
  const own: Domain = { api: "/api", futuresApi, socket: "/ws", futuresSocket: "/ws", carriesSession: true, ...invite };
  const others = settings.fastOrigins
    .filter((origin) => new URL(origin).host !== host.toLowerCase())
    .map((origin): Domain => {
      const socket = `${origin.replace(/^http/, "ws")}/ws`;
      const session = sharesSession(settings, name, new URL(origin).hostname) ? { carriesSession: true } : {};
      return { api: `${origin}/api`, futuresApi: `${origin}/futuresapi`, socket, futuresSocket: socket, ...session };
    });
  return { domains: [own, ...others], invite: partner?.invite ?? null, published: settings.published ?? null };
}

/**
 * The futures API has a name of its own below the exchange's domain; a page from another host finds it on its own host.
 */
function futuresBase({ domain = "", isSecure = false }: DomainSettings, host: string): string {
  const name = hostName(host);
  if (!hasSubdomains(domain) || (name !== domain && name !== `www.${domain}`)) return "/futuresapi";
  const port = /:\d+$/.exec(host)?.[0] ?? "";
  return `${isSecure ? "https" : "http"}://${FUTURES_SUBDOMAIN}.${domain}${port}`;
}
