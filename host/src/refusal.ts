// Every code the HTTP edge itself may refuse with, its status and an actionable message. A closed union: slices bring
// their own codes in a RouteRejection, the edge only these.

import type { GUARD_REFUSALS } from "@clockwork/kit/caller";

export const EDGE_REFUSALS = {
  VALIDATION_FAILED: [400, "Some fields are missing or not valid."],
  MALFORMED_BODY: [400, "The body could not be read; send valid JSON or a form."],
  MALFORMED_REQUEST: [400, "The request could not be read."],
  UNAUTHENTICATED: [401, "Sign in first."],
  KEY_FORBIDDEN: [403, "This key may not do this."],
  CROSS_SITE_REFUSED: [403, "This call may only be made from our own pages."],
  NOT_FOUND: [404, "There is nothing at this address."],
  METHOD_NOT_ALLOWED: [405, "This address does not answer to that method; see the Allow header."],
  REQUEST_TIMEOUT: [408, "The request took too long to arrive; send it again."],
  BODY_TOO_LARGE: [413, "The body is larger than allowed."],
  BODY_TOO_COMPLEX: [413, "The body holds more items or levels than allowed."],
  URI_TOO_LONG: [414, "The address is longer than allowed."],
  UNSUPPORTED_MEDIA: [415, "Send the body as application/json or application/x-www-form-urlencoded."],
  BANNED: [418, "Too many calls after being asked to slow down; wait for Retry-After."],
  HOST_UNKNOWN: [421, "This exchange does not answer to that name; its operator sets the name in CW_PUBLIC_ORIGIN."],
  RATE_LIMITED: [429, "Too many calls; wait for Retry-After."],
  HEADERS_TOO_LARGE: [431, "The request's headers are larger than allowed."],
  INTERNAL: [
    500,
    "Something went wrong on our side. The outcome is unknown; ask again or name the request id to support.",
  ],
  UNAVAILABLE: [503, "Not ready to answer; try again shortly."],
  MODULE_DOWN: [503, "This part of the exchange is under maintenance."],
  DATABASE_UNAVAILABLE: [
    503,
    "What is stored cannot be read or written for the moment. What a change came to may be unknown; ask again after Retry-After.",
  ],
} as const satisfies Record<string, readonly [status: number, message: string]>;

/** When a retry may help, where the refusal itself determines it. */
export const RETRY_SECONDS: { readonly [code in EdgeCode]?: number } = { UNAVAILABLE: 5, DATABASE_UNAVAILABLE: 5 };

export type EdgeCode = keyof typeof EDGE_REFUSALS;

/** The refusals of the guard of operators' routes. */
export type GuardCode = keyof typeof GUARD_REFUSALS;

export interface Refusal {
  readonly code: string;
  readonly status: number;
  readonly message: string;
  /** What is wrong, by the path of the field: `body.amount`. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Sent as Retry-After. */
  readonly retryAfterSeconds?: number;
}

export const EDGE_CODES = Object.keys(EDGE_REFUSALS) as readonly EdgeCode[];

export function edgeRefusal(code: EdgeCode, extra: { message?: string; fields?: Refusal["fields"] } = {}): Refusal {
  const [status, message] = EDGE_REFUSALS[code];
  const seconds = RETRY_SECONDS[code];
  return {
    code,
    status,
    message: extra.message ?? message,
    ...(extra.fields === undefined ? {} : { fields: extra.fields }),
    ...(seconds === undefined ? {} : { retryAfterSeconds: seconds }),
  };
}
