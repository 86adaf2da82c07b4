// An authenticator in software for tests: makes ES256 keys and signs challenges by the WebAuthn standard, correctly or
// with exactly one error.
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";

export interface Mischief {
  readonly origin?: string;
  readonly host?: string;
  /** User presence without user verification. */
  readonly isUnverified?: boolean;
  readonly counter?: number;
  readonly type?: string;
}

type Cbor = number | string | Uint8Array | ReadonlyMap<number | string, Cbor>;

const digest = (data: string | Uint8Array): Buffer => createHash("sha256").update(data).digest();

function head(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value]);
  if (value < 256) return Buffer.from([(major << 5) | 24, value]);
  return Buffer.from([(major << 5) | 25, value >> 8, value & 255]);
}

function encode(value: Cbor): Buffer {
  if (typeof value === "number") return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === "string") return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value]);
  return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, item]) => [encode(key), encode(item)])]);
}

export class SoftAuthenticator {
  readonly id = randomBytes(32);
  readonly #origin: string;
  readonly #host: string;
  readonly #keys: { readonly publicKey: KeyObject; readonly privateKey: KeyObject };
  #counter = 0;

  constructor(origin: string) {
    this.#origin = origin;
    this.#host = new URL(origin).hostname;
    this.#keys = generateKeyPairSync("ec", { namedCurve: "P-256" });
  }

  create(challenge: string, mischief: Mischief = {}): object {
    const { x = "", y = "" } = this.#keys.publicKey.export({ format: "jwk" });
    const key = new Map<number, Cbor>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, "base64url")],
      [-3, Buffer.from(y, "base64url")],
    ]);
    const length = Buffer.from([0, this.id.length]);
    const attested = Buffer.concat([Buffer.alloc(16), length, this.id, encode(key)]);
    const attestation = new Map<string, Cbor>([
      ["fmt", "none"],
      ["attStmt", new Map()],
      ["authData", this.#data(0x40, mischief, attested)],
    ]);
    return this.#answer({
      clientDataJSON: this.#client("webauthn.create", challenge, mischief).toString("base64url"),
      attestationObject: encode(attestation).toString("base64url"),
      transports: ["internal"],
    });
  }

  get(challenge: string, mischief: Mischief = {}): object {
    this.#counter += 1;
    const client = this.#client("webauthn.get", challenge, mischief);
    const data = this.#data(0, mischief);
    const signature = sign("sha256", Buffer.concat([data, digest(client)]), this.#keys.privateKey);
    return this.#answer({
      clientDataJSON: client.toString("base64url"),
      authenticatorData: data.toString("base64url"),
      signature: signature.toString("base64url"),
    });
  }

  #data(flags: number, { host, isUnverified, counter }: Mischief, tail = Buffer.alloc(0)): Buffer {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter ?? this.#counter);
    const present = 0x01 | (isUnverified === true ? 0 : 0x04);
    return Buffer.concat([digest(host ?? this.#host), Buffer.from([flags | present]), count, tail]);
  }

  #client(type: string, challenge: string, mischief: Mischief): Buffer {
    const origin = mischief.origin ?? this.#origin;
    return Buffer.from(JSON.stringify({ type: mischief.type ?? type, challenge, origin, crossOrigin: false }));
  }

  #answer(response: object): object {
    const id = this.id.toString("base64url");
    return { id, rawId: id, type: "public-key", clientExtensionResults: {}, response };
  }
}
