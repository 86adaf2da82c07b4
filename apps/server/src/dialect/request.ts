// Reads what a client of the Binance dialect sends: parameters from the query and the body as they came, and whether
// the signature over exactly those bytes, the key and the time are right.
import type { ApiKeyReading, FoundKey, KeyHolder } from "@clockwork/identity/apikeys/reading-service";
import { isInWindow, isSigned, RECV_WINDOW_DEFAULT_MS, RECV_WINDOW_MAX_MS } from "@clockwork/identity/apikeys/rules";
import { trimZeros } from "@clockwork/kit/decimal";
import { badKey, DialectRefusal, empty, illegal, missing } from "./refusal.ts";

const PARAMETERS_MAX = 100;
const DECIMAL_RANGE = "^([0-9]{1,20})(\\.[0-9]{1,20})?$";
const INTEGER_RANGE = "^[0-9]{1,20}$";

/** The parameters of one call, each read at most as one kind. */
export class Parameters {
  readonly #values: ReadonlyMap<string, string>;
  constructor(values: ReadonlyMap<string, string>) {
    this.#values = values;
  }

  /** How many there are, and how many of them have one of these names. */
  count(known: ReadonlySet<string>): { readonly sent: number; readonly read: number } {
    let read = 0;
    for (const name of this.#values.keys()) if (known.has(name)) read += 1;
    return { sent: this.#values.size, read };
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  with(name: string, value: string): Parameters {
    return new Parameters(new Map([...this.#values, [name, value]]));
  }

  text(name: string): string | undefined {
    const value = this.#values.get(name);
    return value === "" ? undefined : value;
  }

  needText(name: string): string {
    const value = this.text(name);
    if (value === undefined) throw this.has(name) ? empty(name) : missing(name);
    return value;
  }

  /** Plain decimal text without needless zeros; never through a float. */
  decimal(name: string): string | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    if (!/^[0-9]{1,20}(\.[0-9]{1,20})?$/.test(value)) throw illegal(name, DECIMAL_RANGE);
    // Most are written without a zero too much.
    const whole = value.startsWith("0") ? value.replace(/^0+(?=[0-9])/, "") : value;
    return whole.endsWith("0") && whole.includes(".") ? trimZeros(whole) : whole;
  }

  needDecimal(name: string): string {
    const value = this.decimal(name);
    if (value === undefined) throw missing(name);
    return value;
  }

  integer(name: string, bounds: { readonly min?: number; readonly max?: number } = {}): number | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    if (!/^[0-9]{1,16}$/.test(value)) throw illegal(name, INTEGER_RANGE);
    const number = Number(value);
    if (number < (bounds.min ?? 0)) throw illegal(name, INTEGER_RANGE);
    return bounds.max === undefined ? number : Math.min(number, bounds.max);
  }

  flag(name: string): boolean | undefined {
    const value = this.text(name)?.toLowerCase();
    if (value === undefined) return undefined;
    if (value !== "true" && value !== "false") throw illegal(name, "^(true|false)$");
    return value === "true";
  }

  /** A JSON list as `symbols=["A","B"]`. */
  list(name: string): readonly unknown[] | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    try {
      const read: unknown = JSON.parse(value);
      if (Array.isArray(read)) return read;
    } catch {
      // Defined below.
    }
    throw illegal(name, "^\\[.*\\]$");
  }

  one<Name extends string>(name: string, names: readonly Name[], refuse: () => Error): Name | undefined {
    const value = this.text(name)?.toUpperCase();
    if (value === undefined) return undefined;
    const found = names.find((one) => one === value);
    if (found === undefined) throw refuse();
    return found;
  }
}

/** What was sent, as it came. */
export interface RawCall {
  readonly query: string;
  readonly body: string;
  readonly apiKey: string | undefined;
  readonly address: string;
}

export interface ReadCall {
  readonly parameters: Parameters;
  readonly signature: string | undefined;
  /** What the signature is over. */
  readonly payload: string;
}

/** Of a signature by a secret; those by keys are longer. */
const HEX_LENGTH = 64;

/** One way of writing for each signature: hex has letters of two sizes and base64 endings that say nothing, and the same
 *  call must not pass for another one. */
export function plainSignature(text: string): string {
  return text.length === HEX_LENGTH ? text.toLowerCase() : Buffer.from(text, "base64").toString("base64");
}

export function readCall({ query, body }: Pick<RawCall, "query" | "body">): ReadCall {
  const reading: Reading = { values: new Map(), count: 0, signature: undefined };
  const payload = (query === "" ? "" : readPairs(reading, query)) + (body === "" ? "" : readPairs(reading, body));
  const { values, signature } = reading;
  const plain = signature === undefined ? undefined : plainSignature(signature);
  return { parameters: new Parameters(values), signature: plain, payload };
}

interface Reading {
  readonly values: Map<string, string>;
  count: number;
  signature: string | undefined;
}

const ESCAPED = /[%+]/;

/** Reads `name=value&…` and answers what of it is signed: all but the signature, as it came. */
function readPairs(reading: Reading, text: string): string {
  let payload = text;
  for (let from = 0; from <= text.length; ) {
    const next = text.indexOf("&", from);
    const to = next < 0 ? text.length : next;
    reading.count += 1;
    if (reading.count > PARAMETERS_MAX) throw new DialectRefusal(-1101, "Too many parameters sent.");
    if (to > from && readPair(reading, text, from, to)) {
      payload = from === 0 ? text.slice(to + 1) : text.slice(0, from - 1) + text.slice(to);
    }
    from = to + 1;
  }
  return payload;
}

/** True of the signature. */
function readPair(reading: Reading, text: string, from: number, to: number): boolean {
  const equals = text.indexOf("=", from);
  const nameEnd = equals < 0 || equals > to ? to : equals;
  const name = text.slice(from, nameEnd);
  const isSignature = name === "signature";
  const value = decode(name, text.slice(nameEnd + 1, Math.max(to, nameEnd + 1)), isSignature);
  if (isSignature ? reading.signature !== undefined : reading.values.has(name)) {
    throw new DialectRefusal(-1101, `Duplicate values for parameter '${name.slice(0, 32)}' detected.`);
  }
  if (isSignature) reading.signature = value;
  else reading.values.set(name, value);
  return isSignature;
}

function decode(name: string, text: string, isSignature: boolean): string {
  // Most values are written plainly.
  if (!ESCAPED.test(text)) return text;
  try {
    // A plus in base64 is a plus: some clients send signatures as they are.
    return decodeURIComponent(isSignature ? text : text.replaceAll("+", " "));
  } catch {
    throw illegal(name.slice(0, 32), "percent-encoded UTF-8");
  }
}

/** Throws where a parameter was sent that the call does not take. */
export function requireKnown({ parameters, signature }: ReadCall, known: ReadonlySet<string>): void {
  const { sent, read } = parameters.count(known);
  if (read === sent) return;
  // The signature is read by every call.
  const own = signature === undefined ? 0 : 1;
  const message = `Not all sent parameters were read; read '${read + own}' parameter(s) but was sent '${sent + own}'.`;
  throw new DialectRefusal(-1104, message);
}

const API_KEY = /^[A-Za-z0-9]{64}$/;

/**
 * The key of a call, valid and from a permitted address, synchronously if cached; whether the call is signed by it is
 * checked afterwards.
 */
export function findKey(
  reading: ApiKeyReading,
  apiKey: string | undefined,
  address: string,
  timeMs: number,
): KeyHolder | Promise<KeyHolder> {
  if (apiKey === undefined || !API_KEY.test(apiKey)) throw new DialectRefusal(-2014, "API-key format invalid.", 401);
  const known = reading.recall(apiKey, address, timeMs);
  return known === undefined ? reading.find(apiKey, address, timeMs).then(requireFound) : requireFound(known);
}

function requireFound(found: FoundKey): KeyHolder {
  if (!found.done) throw badKey();
  return found.value;
}

/** Throws unless the call is the key's own, made just now. */
export function requireSigned(holder: KeyHolder, call: ReadCall, timeMs: number): void {
  const { parameters, signature, payload } = call;
  const timestamp = parameters.integer("timestamp");
  if (timestamp === undefined) throw missing("timestamp");
  const windowMs = parameters.integer("recvWindow") ?? RECV_WINDOW_DEFAULT_MS;
  if (windowMs > RECV_WINDOW_MAX_MS) {
    throw new DialectRefusal(-1131, `recvWindow must be less than ${RECV_WINDOW_MAX_MS}`);
  }
  if (signature === undefined || signature === "") throw missing("signature");
  if (!isInWindow(timestamp, windowMs, timeMs)) {
    const isAhead = timestamp >= timeMs;
    throw new DialectRefusal(
      -1021,
      isAhead
        ? "Timestamp for this request was 1000ms ahead of the server's time."
        : "Timestamp for this request is outside of the recvWindow.",
    );
  }
  if (!isSigned(holder.proof, payload, signature)) {
    throw new DialectRefusal(-1022, "Signature for this request is not valid.");
  }
}
