// What a call answers: the served envelope, or a failure with code 500, empty data and what went wrong.
// Decides success by the path's own success code; never throws.
import type { EdgeCode, GuardCode } from "@clockwork/host/refusal";
import { FAILURE_CODE, SUCCESS_CODE, USERS_SUCCESS_CODE } from "@clockwork/kit/constants";
import type { Envelope } from "@clockwork/kit/wire";

/** Why a call failed: refused by the server with a code, or never properly answered. */
export interface CallError {
  readonly kind: "refused" | "network" | "timeout" | "aborted" | "malformed";
  readonly message: string;
  readonly status?: number;
  readonly cause?: unknown;
}

export interface Accepted<Data> {
  readonly ok: true;
  readonly code: number | string;
  readonly data: Data;
  readonly message: string;
}

export interface Failed<Code extends string = string> {
  readonly ok: false;
  /** The server's stable code where it gave one, else 500: one the call declares, or one of the edge. */
  readonly code: number | Code | EdgeCode | GuardCode;
  readonly data: Record<string, never>;
  readonly message: string;
  readonly requestId?: string;
  /** How long to wait before the same may be tried again, where the server said so. */
  readonly retryAfterSeconds?: number;
  /** What is wrong with each field, if the server reported it. */
  readonly fields?: Readonly<Record<string, string>>;
  readonly err: CallError;
}

export type Answer<Data, Code extends string = string> = Accepted<Data> | Failed<Code>;

/** 0 under /v2/users, 200 everywhere else. */
export function successCode(path: string): number {
  return /(?:^|\/)v2\/users(?:\/|\?|$)/.test(path) ? USERS_SUCCESS_CODE : SUCCESS_CODE;
}

export function fail(
  kind: CallError["kind"],
  message: string,
  extra: { status?: number; cause?: unknown } = {},
): Failed<never> {
  return { ok: false, code: FAILURE_CODE, data: {}, message, err: { kind, message, ...extra } };
}

/** Text answers are JSON, and JSON that is itself a text is JSON once more. */
export function parseBody(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return typeof value === "string" ? JSON.parse(value) : value;
}

export function readAnswer<Data>(path: string, status: number, text: string): Answer<Data> {
  let body: unknown;
  try {
    body = parseBody(text);
  } catch (cause) {
    return fail("malformed", `The server answered ${status} without an envelope.`, { status, cause });
  }
  // A proxy's response says nothing about the outcome of the call.
  if (!isEnvelope(body)) return fail("malformed", `The server answered ${status} without an envelope.`, { status });
  if (status < 400 && String(body.code) === String(successCode(path))) {
    return { ok: true, code: body.code, data: body.data as Data, message: body.message ?? "" };
  }
  const message = body.message ?? "";
  return {
    ok: false,
    code: body.code,
    data: {},
    message,
    ...(typeof body.requestId === "string" ? { requestId: body.requestId } : {}),
    ...readFields(body),
    err: { kind: "refused", message, status },
  };
}

function readFields(body: object): { readonly fields?: Readonly<Record<string, string>> } {
  if (!("fields" in body) || typeof body.fields !== "object" || body.fields === null) return {};
  const reply = Object.entries(body.fields).filter((entry): entry is [string, string] => typeof entry[1] === "string");
  return { fields: Object.fromEntries(reply) };
}

function isEnvelope(body: unknown): body is Partial<Envelope<unknown>> & { code: number | string } {
  if (typeof body !== "object" || body === null || !("code" in body)) return false;
  return typeof body.code === "number" || typeof body.code === "string";
}

/** The session is gone or never existed: by the status or by the envelope. */
export function isUnauthorized(status: number, answer: Answer<unknown>): boolean {
  return status === 401 || (!answer.ok && String(answer.code) === "401");
}
