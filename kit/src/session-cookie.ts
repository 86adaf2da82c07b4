// How the six cookies of a session are named and read. Four authorise and are hidden from scripts; two are marks that
// scripts may read and that grant nothing. Logged in means: the corrected token, a mark, is present.
import { SESSION_COOKIE, type SessionCookie } from "./constants.ts";

/** Readable by scripts. */
const MARKS: ReadonlySet<SessionCookie> = new Set<SessionCookie>(["correctedToken", "plainToken"]);
/** Set on the parent domain where one is configured. */
const CORRECTED: ReadonlySet<SessionCookie> = new Set<SessionCookie>(["correctedAccessToken", "correctedToken"]);

export interface CookiePlace {
  /** The domain of the corrected tokens; empty means the host itself. */
  readonly parentDomain: string;
  /** True when visitors come over https. */
  readonly isSecure: boolean;
  /** The public name, where a proxy before the server may call it by a number. */
  readonly publicHost?: string;
}

export function isMarkCookie(cookie: SessionCookie): boolean {
  return MARKS.has(cookie);
}

/** True for the domain itself and every name below it. */
export function isWithinDomain(host: string, domain: string): boolean {
  return domain !== "" && (host === domain || host.endsWith(`.${domain}`));
}

/**
 * A browser accepts a cookie for a parent of the host it came from and for no other: elsewhere it is set on the host.
 */
export function placeAt(host: string, place: CookiePlace): CookiePlace {
  const isNumber = /^[\d.]+$|:/.test(host);
  const name = isNumber ? (place.publicHost ?? host) : host.toLowerCase();
  return isWithinDomain(name, place.parentDomain) ? place : { ...place, parentDomain: "" };
}

/** The domain a cookie is set on; undefined means only the host. */
export function cookieDomain(cookie: SessionCookie, { parentDomain }: CookiePlace): string | undefined {
  return CORRECTED.has(cookie) && parentDomain !== "" ? parentDomain : undefined;
}

/** Over https the browser itself prevents a sister site or plain http from setting authorising cookies. */
export function cookieName(cookie: SessionCookie, place: CookiePlace): string {
  const name = SESSION_COOKIE[cookie];
  if (!place.isSecure || MARKS.has(cookie)) return name;
  return cookieDomain(cookie, place) === undefined ? `__Host-${name}` : `__Secure-${name}`;
}

const HEADER_MAX = 16_384;

/** Unless visitors certainly use https, either name is read. Our own values never need decoding. */
export function readSessionCookie(
  header: string | undefined,
  cookie: SessionCookie,
  place: CookiePlace,
): string | undefined {
  if (header === undefined || header.length > HEADER_MAX) return undefined;
  const sure = { ...place, isSecure: true };
  // Set at a name outside of the parent domain it is bound to that host, which is stricter still.
  const secure =
    findValue(header, cookieName(cookie, sure)) ?? findValue(header, cookieName(cookie, { ...sure, parentDomain: "" }));
  return secure !== undefined || place.isSecure ? secure : findValue(header, SESSION_COOKIE[cookie]);
}

/** The first cookie of that name. */
function findValue(header: string, name: string): string | undefined {
  const start = `${name}=`;
  for (const part of header.split(";")) {
    const text = part.trim();
    if (text.startsWith(start)) return text.length > start.length ? text.slice(start.length) : undefined;
  }
  return undefined;
}

const ALL_NAMES: ReadonlySet<string> = new Set(
  Object.values(SESSION_COOKIE).flatMap((name) => [name, `__Host-${name}`, `__Secure-${name}`]),
);

/** True when any cookie of a session is present, whatever it contains; also when the header is too long to parse. */
export function carriesSession(header: string | undefined): boolean {
  if (header === undefined) return false;
  if (header.length > HEADER_MAX) return true;
  return header.split(";").some((part) => ALL_NAMES.has(part.split("=", 1)[0]?.trim() ?? ""));
}

/** The prefix of every mark and no token, so that a mark sent as a token is recognised. */
const MARK_SIGN = "~";

export function formatMark(text: string): string {
  return MARK_SIGN + text;
}

/** A mark shows that there is a session; its proof is in another cookie. */
export function isMark(text: string): boolean {
  return text.startsWith(MARK_SIGN);
}
