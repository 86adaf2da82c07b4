// Rules of sessions: their lifetime, the form of their tokens, the penalty of wrong tries.
import { createHash, timingSafeEqual } from "node:crypto";
import type { SessionTokens } from "@clockwork/host/route";
import type { AccountName } from "@clockwork/kit/account";
import { formatMark } from "@clockwork/kit/session-cookie";
import type { AttemptRule } from "../attempts/rules.ts";

export const ACCESS_MS = 15 * 60_000;
export const IDLE_MS = 12 * 3_600_000;
export const KEPT_MS = 30 * 86_400_000;
/** A tab that renewed a moment ago may still send the secret another tab has just used. */
const ROTATION_GRACE_MS = 30_000;
export const TICKET_MS = 10 * 60_000;
export const STEP_UP_MS = 5 * 60_000;
export const SESSIONS_MAX = 50;
const MARK_LENGTH = 22;
export const DEVICES_MAX = 50;
/** A session keeps the start of its id when renamed: its owner identifies and ends it by that. */
export const HANDLE_LENGTH = 16;

export function handleOf(sessionId: string): string {
  return sessionId.slice(0, HANDLE_LENGTH);
}

/** Another id for the same session; the old one is invalid. */
export function renameId(sessionId: string, fresh: string): string {
  return handleOf(sessionId) + fresh.slice(HANDLE_LENGTH);
}

type Mark = (text: string, context: string) => string;

/** The scope of an access token: the whole API, or the futures API only. */
export type AccessScope = "all" | "futures";

export function formatAccess(sessionId: string, endsMs: number, scope: AccessScope, mark: Mark): string {
  const head = `${sessionId}.${endsMs.toString(36)}.${scope}`;
  return `${head}.${mark(head, "access")}`;
}

/** The session an honest, living token names. */
export function readAccess(
  token: string,
  nowMs: number,
  mark: Mark,
): { readonly sessionId: string; readonly endsMs: number; readonly scope: AccessScope } | undefined {
  const parts = token.split(".");
  const [sessionId = "", end = "", scope = "", given = ""] = parts;
  if (parts.length !== 4 || (scope !== "all" && scope !== "futures")) return undefined;
  if (!isSame(mark(`${sessionId}.${end}.${scope}`, "access"), given)) return undefined;
  const endsMs = Number.parseInt(end, 36);
  return endsMs > nowMs ? { sessionId, endsMs, scope } : undefined;
}

export function formatRefresh(sessionId: string, generation: number, mark: Mark): string {
  const head = `${sessionId}.${generation}`;
  return `${head}.${mark(head, "refresh")}`;
}

export function readRefresh(
  secret: string,
  mark: Mark,
): { readonly sessionId: string; readonly generation: number } | undefined {
  const parts = secret.split(".");
  const [sessionId = "", generation = "", given = ""] = parts;
  if (parts.length !== 3 || !/^\d{1,9}$/.test(generation)) return undefined;
  if (!isSame(mark(`${sessionId}.${generation}`, "refresh"), given)) return undefined;
  return { sessionId, generation: Number(generation) };
}

function isSame(wanted: string, given: string): boolean {
  const [left, right] = [Buffer.from(wanted), Buffer.from(given)];
  return left.length === right.length && timingSafeEqual(left, right);
}

export interface LivingSession {
  readonly id: string;
  readonly generation: number;
  readonly is_kept: boolean;
  readonly ends_at_ms: number;
}

export function drawTokens(row: LivingSession, nowMs: number, mark: Mark, withSecret: boolean): SessionTokens {
  const endsMs = Math.min(nowMs + ACCESS_MS, row.ends_at_ms);
  const accessToken = formatAccess(row.id, endsMs, "all", mark);
  return {
    accessToken,
    futuresToken: formatAccess(row.id, endsMs, "futures", mark),
    plainToken: formatMark(mark(row.id, "plain").slice(0, MARK_LENGTH)),
    loginToken: formatMark(mark(`${accessToken}.${row.generation}`, "login").slice(0, MARK_LENGTH)),
    ...(withSecret ? { refreshSecret: formatRefresh(row.id, row.generation, mark) } : {}),
    ...(row.is_kept ? { keepUntilMs: row.ends_at_ms } : {}),
  };
}

/** Half a day without use ends a session that is not kept. */
export function hasEnded(row: { ends_at_ms: number; seen_at_ms: number; is_kept: boolean }, nowMs: number): boolean {
  return nowMs >= row.ends_at_ms || (!row.is_kept && nowMs - row.seen_at_ms >= IDLE_MS);
}

/** True of the newest secret, and for a moment of the one before it. */
export function isCurrent(
  row: { readonly generation: number; readonly rotated_at_ms: number },
  generation: number,
  timeMs: number,
): boolean {
  if (generation === row.generation) return true;
  return generation === row.generation - 1 && timeMs - row.rotated_at_ms < ROTATION_GRACE_MS;
}

/** A device is identified by the random id its browser keeps; a program without one is a new device every time. */
export function deviceKey(given: string | undefined): string {
  const text = given?.trim() ?? "";
  if (text.length < 8 || text.length > 256 || /^[0-]*$/.test(text)) return "";
  return createHash("sha256").update(`device:${text}`).digest("base64url").slice(0, 32);
}

// Wrong tries

/** Five wrong passwords lock for a quarter of an hour, then half an hour, an hour… up to a day. */
const PASSWORD_TRIES: AttemptRule = { triesMax: 5, lockMs: 15 * 60_000 };
/** Over all addresses without a recognised device of the account: more addresses do not give unlimited guesses. */
export const OUTSIDERS_TRIES: AttemptRule = { triesMax: 50, lockMs: 15 * 60_000 };
/** A household or an office shares an address: its limit is higher, but there is one. */
export const SOURCE_TRIES: AttemptRule = { triesMax: 50, lockMs: 15 * 60_000 };
export const FACTOR_TRIES: AttemptRule = { triesMax: 5, lockMs: 15 * 60_000 };

/** The keys that count wrong passwords of an account; the part after a space is one address or device. */
export function accountKey({ kind, value }: AccountName): string {
  return `account:${kind}:${value}`;
}

/** A recognised device is counted separately: no outsider can lock it. Others are counted by address, and together. */
export function passwordTries(
  name: AccountName,
  { source, deviceKey: device }: { readonly source: string; readonly deviceKey: string },
  isKnown: boolean,
): readonly { readonly key: string; readonly rule: AttemptRule }[] {
  const key = accountKey(name);
  if (isKnown) return [{ key: `${key} device:${device}`, rule: PASSWORD_TRIES }];
  return [
    { key: `${key} address:${source}`, rule: PASSWORD_TRIES },
    { key, rule: OUTSIDERS_TRIES },
  ];
}

/** Codes after the password: counted per recognised device, all others together. */
export function factorKey(userId: number, knownDevice: string | undefined): string {
  return `factor:${userId}${knownDevice === undefined ? "" : ` device:${knownDevice}`}`;
}
