// Owns the client of an S3-compatible store: objects written whole and read by range, requests signed by Signature Version 4.
// Must never log nor throw the secret.
import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { wallMs } from "@clockwork/host/time/measure";
import type { ArchiveStore, S3Place } from "./archive-store.ts";

const TRIES = 5;
const FIRST_WAIT_MS = 200;
const TIMEOUT_MS = 60_000;
const ERROR_CHARS_MAX = 300;

export interface S3Credentials {
  readonly keyId: string;
  readonly secret: string;
}

export interface SignedRequest {
  readonly method: "GET" | "PUT";
  readonly url: URL;
  /** In lower case; host, date and payload hash are added. */
  readonly headers: Readonly<Record<string, string>>;
  readonly payloadSha256: string;
  readonly region: string;
  readonly timeMs: number;
}

const sha256 = (bytes: string | Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
const hmac = (key: string | Uint8Array, text: string): Buffer => createHmac("sha256", key).update(text).digest();

/** RFC 3986, which is stricter than encodeURIComponent. */
const encodePart = (part: string): string =>
  encodeURIComponent(part).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

/** The headers to send, `authorization` among them. */
export function signRequest(request: SignedRequest, { keyId, secret }: S3Credentials): Record<string, string> {
  const { method, url, payloadSha256, region, timeMs } = request;
  const time = new Date(timeMs).toISOString().replace(/[-:]|\.\d{3}/g, "");
  const day = time.slice(0, 8);
  const headers: Record<string, string> = {
    ...request.headers,
    host: url.host,
    "x-amz-content-sha256": payloadSha256,
    "x-amz-date": time,
  };
  const names = Object.keys(headers).sort();
  const signed = names.join(";");
  const path = url.pathname
    .split("/")
    .map((part) => encodePart(decodeURIComponent(part)))
    .join("/");
  const lines = names.map((name) => `${name}:${headers[name]?.trim()}\n`).join("");
  const canonical = [method, path, "", lines, signed, payloadSha256].join("\n");
  const scope = `${day}/${region}/s3/aws4_request`;
  const toSign = ["AWS4-HMAC-SHA256", time, scope, sha256(canonical)].join("\n");
  const key = ["s3", "aws4_request"].reduce<Buffer>(
    (previous, part) => hmac(previous, part),
    hmac(hmac(`AWS4${secret}`, day), region),
  );
  const signature = hmac(key, toSign).toString("hex");
  const authorization = `AWS4-HMAC-SHA256 Credential=${keyId}/${scope}, SignedHeaders=${signed}, Signature=${signature}`;
  return { ...headers, authorization };
}

/** From a file as other programs have it: `aws_access_key_id = …` and `aws_secret_access_key = …`. */
export function readCredentials(path: string): S3Credentials {
  const text = readFileSync(path, "utf8");
  const read = (name: string): string => {
    const value = new RegExp(`^\\s*${name}\\s*=\\s*(\\S+)\\s*$`, "m").exec(text)?.[1];
    if (value === undefined) throw new Error(`${path} has no ${name}`);
    return value;
  };
  return { keyId: read("aws_access_key_id"), secret: read("aws_secret_access_key") };
}

export class S3Store implements ArchiveStore {
  readonly #place: S3Place;
  readonly #credentials: S3Credentials;
  readonly #firstWaitMs: number;

  constructor(place: S3Place, firstWaitMs = FIRST_WAIT_MS) {
    this.#place = place;
    this.#credentials = readCredentials(place.credentials);
    this.#firstWaitMs = firstWaitMs;
  }

  async put(name: string, bytes: Uint8Array): Promise<void> {
    await this.#send("PUT", name, {}, bytes);
  }

  async read(name: string, from: number, length: number): Promise<Uint8Array | undefined> {
    const found = await this.#send("GET", name, { range: `bytes=${from}-${from + length - 1}` });
    if (found === undefined) return undefined;
    // A store that does not know ranges sends everything.
    const bytes = found.status === 206 ? found.bytes : found.bytes.subarray(from, from + length);
    if (bytes.length === length) return bytes;
    throw new Error(`${name}: the store sent ${bytes.length} bytes instead of ${length}`);
  }

  async #send(method: "GET" | "PUT", name: string, headers: Record<string, string>, body?: Uint8Array) {
    for (let attempt = 1; ; attempt++) {
      try {
        const answer = await this.#sendOnce(method, name, headers, body);
        if (answer === undefined || answer.status < 300) return answer;
        const text = new TextDecoder().decode(answer.bytes.subarray(0, ERROR_CHARS_MAX));
        const error = new Error(`${method} ${name}: the store answered ${answer.status}: ${text}`);
        if ((answer.status < 500 && answer.status !== 429) || attempt === TRIES)
          throw Object.assign(error, { isFinal: true });
      } catch (error) {
        if (attempt === TRIES || (error as { isFinal?: boolean }).isFinal === true) throw error;
      }
      await sleep(this.#firstWaitMs * 2 ** (attempt - 1));
    }
  }

  async #sendOnce(method: "GET" | "PUT", name: string, headers: Record<string, string>, body?: Uint8Array) {
    const { endpoint, bucket, prefix, region } = this.#place;
    const url = new URL(`${endpoint.replace(/\/+$/, "")}/${bucket}/${prefix}${name}`);
    const payloadSha256 = sha256(body ?? "");
    const request = { method, url, headers, payloadSha256, region, timeMs: wallMs() };
    const { host: _, ...signed } = signRequest(request, this.#credentials);
    const sent = body === undefined ? {} : { body: Uint8Array.from(body) };
    const answer = await fetch(url, { method, headers: signed, signal: AbortSignal.timeout(TIMEOUT_MS), ...sent });
    const bytes = new Uint8Array(await answer.arrayBuffer());
    if (method === "GET" && answer.status === 404) return undefined;
    return { status: answer.status, bytes };
  }
}
