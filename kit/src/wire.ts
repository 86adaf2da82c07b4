// The shapes that cross the network and the one place where decimal text becomes an exact value.
// Never accepts an exponent, never passes through binary floating point, never throws on bad input.

/** An exact decimal: `units` × 10^-`scale`. */
export interface Decimal {
  readonly units: bigint;
  readonly scale: number;
}

export type DecimalRefusal =
  | "DECIMAL_EMPTY"
  | "DECIMAL_TOO_LONG"
  | "DECIMAL_MALFORMED"
  | "DECIMAL_SIGNED"
  | "DECIMAL_TOO_PRECISE";

export type DecimalResult =
  | { readonly ok: true; readonly value: Decimal }
  | { readonly ok: false; readonly code: DecimalRefusal };

export interface DecimalOptions {
  /** A leading minus is refused unless asked for: most amounts on the wire have no sign. */
  readonly signed?: boolean;
  /** More decimals than this are refused, trailing zeros excepted: they change nothing. */
  readonly scaleMax?: number;
  readonly lengthMax?: number;
}

/** Long enough for any 128-bit amount with 18 decimals; short enough that parsing can never be an attack. */
export const DECIMAL_LENGTH_MAX = 64;

const DECIMAL_PATTERN = /^(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?$/;

/** Reads decimal text. One number has one spelling, trailing zeros apart: no `+`, no `01`, no `.5`, no `5.`, no `1e3`. */
export function parseDecimal(text: string, options: DecimalOptions = {}): DecimalResult {
  if (text.length === 0) return { ok: false, code: "DECIMAL_EMPTY" };
  if (text.length > (options.lengthMax ?? DECIMAL_LENGTH_MAX)) return { ok: false, code: "DECIMAL_TOO_LONG" };
  const match = DECIMAL_PATTERN.exec(text);
  if (match === null) return { ok: false, code: "DECIMAL_MALFORMED" };
  const [, sign = "", whole = "", fraction = ""] = match;
  if (sign !== "" && options.signed !== true) return { ok: false, code: "DECIMAL_SIGNED" };
  const significant = fraction.replace(/0+$/, "");
  if (options.scaleMax !== undefined && significant.length > options.scaleMax) {
    return { ok: false, code: "DECIMAL_TOO_PRECISE" };
  }
  const magnitude = BigInt(whole + fraction);
  return { ok: true, value: { units: sign === "" ? magnitude : -magnitude, scale: fraction.length } };
}

/** Writes the value with exactly `scale` decimals; the inverse of parseDecimal. */
export function writeDecimal(value: Decimal): string {
  const negative = value.units < 0n;
  const digits = (negative ? -value.units : value.units).toString().padStart(value.scale + 1, "0");
  const cut = digits.length - value.scale;
  const text = value.scale === 0 ? digits : `${digits.slice(0, cut)}.${digits.slice(cut)}`;
  return negative ? `-${text}` : text;
}

export function multiplyDecimals(left: Decimal, right: Decimal): Decimal {
  return { units: left.units * right.units, scale: left.scale + right.scale };
}

export function addDecimals(left: Decimal, right: Decimal): Decimal {
  const scale = Math.max(left.scale, right.scale);
  return { units: widenUnits(left, scale) + widenUnits(right, scale), scale };
}

/** Below zero, zero or above zero, as left is less than, equal to or greater than right. */
export function compareDecimals(left: Decimal, right: Decimal): -1 | 0 | 1 {
  const scale = Math.max(left.scale, right.scale);
  const difference = widenUnits(left, scale) - widenUnits(right, scale);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** The same value counted in finer units; `scale` is never below the value's own. */
function widenUnits(value: Decimal, scale: number): bigint {
  return value.units * 10n ** BigInt(scale - value.scale);
}

/** Every answer of the API. The success code is 0 under /v2/users and 200 elsewhere; errors carry a stable text code. */
export interface Envelope<Data> {
  readonly code: number | string;
  readonly data: Data;
  readonly message: string;
  readonly requestId?: string;
}

export const SOCKET_SENT_EVENTS = ["sub", "unsub", "ping", "login", "logout"] as const;
export type SocketSentEvent = (typeof SOCKET_SENT_EVENTS)[number];
export const SOCKET_RECEIVED_EVENTS = ["data", "pong", "subfail", "error"] as const;
export type SocketReceivedEvent = (typeof SOCKET_RECEIVED_EVENTS)[number];

/** What names one stream; `base` is the base asset where a channel tells it apart from the pair. */
export interface SocketTopic {
  readonly channel: string;
  readonly biz?: string;
  readonly type?: string;
  readonly pairCode?: string;
  readonly base?: string;
}

/** Both directions use one shape; `data` is the request's argument or the result. */
export interface SocketMessage extends Partial<SocketTopic> {
  readonly event: string;
  /** The number of this update in its stream, or of the last update a snapshot contains. */
  readonly sequence?: number;
  /** An update that covers more than one number: the first of them; `sequence` is the last. */
  readonly firstSequence?: number;
  readonly snapshot?: boolean;
  /** The answer to a subscription that asked to go on from a sequence: nothing more is missing. */
  readonly resumed?: boolean;
  readonly data?: unknown;
}

/** One text per stream, equal for equal topics however they were written. The base asset describes, it does not name. */
export function topicKey(topic: Partial<SocketTopic>): string {
  return [topic.channel, topic.biz, topic.type, topic.pairCode].map((part) => part ?? "").join("|");
}

/** Reads a frame; anything but an object with a text event is no message. */
export function parseSocketMessage(text: string): SocketMessage | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const record = value as Record<string, unknown>;
  if (typeof record.event !== "string") return undefined;
  for (const field of ["channel", "biz", "type", "pairCode", "base"] as const) {
    const part = record[field];
    if (part === null) delete record[field];
    else if (part !== undefined && typeof part !== "string") return undefined;
  }
  for (const field of ["sequence", "firstSequence"] as const) {
    if (record[field] !== undefined && !Number.isSafeInteger(record[field])) return undefined;
  }
  return record as unknown as SocketMessage;
}
