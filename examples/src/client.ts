// A client of the exchange's own API, typed by its contracts: a call's input, answer and refusals are those the server
// checks. Works in any runtime with fetch and Node's crypto.
import { createHmac, createPrivateKey, sign } from "node:crypto";
import { type CodeOf, type DataOf, type Endpoint, type Fields, fillPath, type InputOf } from "@clockwork/kit/endpoint";

export interface ClientOptions {
  /** Of the exchange, such as https://exchange.example. */
  readonly url: string;
  /** Without a key only public calls are answered. */
  readonly apiKey?: string;
  /** Of an HMAC key. */
  readonly secret?: string;
  /** Of an Ed25519 or RSA key, in PEM. */
  readonly privateKey?: string;
  /** Milliseconds; the machine's clock if left out. */
  readonly now?: () => number;
}

const BASE = "/open/v1";
const ROOTS = { spot: "/api", futures: "/futuresapi", root: "" } as const;

/** A refusal of the exchange: its code never changes, its message is for people. */
export class CallRefused<Code extends string = string> extends Error {
  readonly code: Code;
  readonly status: number;
  readonly fields: Readonly<Record<string, string>>;
  constructor(code: Code, status: number, message: string, fields: Readonly<Record<string, string>> = {}) {
    super(message);
    this.code = code;
    this.status = status;
    this.fields = fields;
  }
}

/** True of a refusal of this call, with its codes. */
export const isRefusal = <Called extends Endpoint>(_: Called, error: unknown): error is CallRefused<CodeOf<Called>> =>
  error instanceof CallRefused;

export class ExchangeClient {
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  /** One of the contracts' calls, such as MARKET_CALLS.trades. Throws CallRefused. */
  async call<Called extends Endpoint>(called: Called, input: InputOf<Called>): Promise<DataOf<Called>> {
    const { method, schemas } = called;
    const { path, rest } = fillPath(called.path, (input ?? {}) as Fields);
    const url = BASE + ROOTS[schemas?.bases?.[0] ?? "spot"] + path;
    const isRead = method === "GET" || method === "DELETE";
    const query = isRead ? writeQuery(rest) : "";
    const body = isRead ? "" : JSON.stringify(rest);
    const answer = await fetch(this.#options.url + url + query, {
      method,
      headers: { "content-type": "application/json", ...this.#sign(method, url + query, body) },
      ...(isRead ? {} : { body }),
    });
    const envelope = (await answer.json()) as Answer;
    if (answer.ok) return envelope.data as DataOf<Called>;
    throw new CallRefused(String(envelope.code), answer.status, envelope.message, envelope.fields);
  }

  #sign(method: string, url: string, body: string): Readonly<Record<string, string>> {
    const { apiKey, secret, privateKey, now = Date.now } = this.#options;
    if (apiKey === undefined) return {};
    const time = String(now());
    const text = `${time}\n${method}\n${url}\n${body}`;
    const signature =
      privateKey === undefined
        ? createHmac("sha256", secret ?? "")
            .update(text)
            .digest("hex")
        : signBy(privateKey, text);
    return { "x-cw-key": apiKey, "x-cw-time": time, "x-cw-signature": signature };
  }
}

interface Answer {
  readonly code: number | string;
  readonly data: unknown;
  readonly message: string;
  readonly fields?: Readonly<Record<string, string>>;
}

function signBy(pem: string, text: string): string {
  const key = createPrivateKey(pem);
  return sign(key.asymmetricKeyType === "rsa" ? "sha256" : null, Buffer.from(text), key).toString("base64");
}

function writeQuery(fields: Fields): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    for (const one of [value].flat()) if (one !== undefined && one !== null) query.append(name, String(one));
  }
  const text = query.toString();
  return text === "" ? "" : `?${text}`;
}
