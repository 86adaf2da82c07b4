// Web Push: encrypts a message for one browser (RFC 8291, one record of RFC 8188), signs the request (RFC 8292) and hands
// it to the browser's push service. Contains no texts.
import { createCipheriv, createECDH, createPrivateKey, hkdfSync, type KeyObject, randomBytes, sign } from "node:crypto";
import type { MessageSender } from "../messages/needs.ts";
import { unpackSubscription, type WebSubscription } from "./web-subscription.ts";

const CURVE = "prime256v1";
const KEY_BYTES = 16;
const NONCE_BYTES = 12;
const HASH_BYTES = 32;
/** All push services take a body of 4 096 bytes; one record holds it. */
const RECORD_BYTES = 4096;
const LAST_RECORD = 2;
/** A service keeps a message for a browser that is closed for so long. */
const KEPT_SECONDS = 24 * 3600;
const TOKEN_SECONDS = 12 * 3600;
const SEND_TIMEOUT_MS = 15_000;

/** For tests with the example of the standard; otherwise fresh for each message. */
export interface PushSecrets {
  readonly privateKey: Uint8Array;
  readonly salt: Uint8Array;
}

const derive = (secret: Uint8Array, salt: Uint8Array, info: string | Uint8Array, bytes: number): Buffer =>
  Buffer.from(hkdfSync("sha256", secret, salt, info, bytes));

/** The body of the request: header of the record, then the encrypted text. */
export function encryptPush(
  plain: Uint8Array,
  { p256dh, auth }: Pick<WebSubscription, "p256dh" | "auth">,
  secrets?: PushSecrets,
): Buffer {
  const sender = createECDH(CURVE);
  if (secrets === undefined) sender.generateKeys();
  else sender.setPrivateKey(secrets.privateKey);
  const salt = secrets?.salt ?? randomBytes(KEY_BYTES);
  const receiverPoint = Buffer.from(p256dh, "base64url");
  const senderPoint = sender.getPublicKey();
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), receiverPoint, senderPoint]);
  const secret = derive(sender.computeSecret(receiverPoint), Buffer.from(auth, "base64url"), info, HASH_BYTES);
  const key = derive(secret, salt, "Content-Encoding: aes128gcm\0", KEY_BYTES);
  const nonce = derive(secret, salt, "Content-Encoding: nonce\0", NONCE_BYTES);
  const cipher = createCipheriv("aes-128-gcm", key, nonce);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(RECORD_BYTES);
  return Buffer.concat([
    salt,
    size,
    Buffer.from([senderPoint.length]),
    senderPoint,
    cipher.update(plain),
    cipher.update(Buffer.from([LAST_RECORD])),
    cipher.final(),
    cipher.getAuthTag(),
  ]);
}

/** The key pair by which push services recognise this installation (VAPID). */
export interface PushIdentity {
  readonly publicKey: string;
  readonly privateKey: KeyObject;
}

/** `secretOf` gives 32 bytes for a number, always the same: the key is stored nowhere. */
export function pushIdentity(secretOf: (attempt: number) => Uint8Array): PushIdentity {
  const pair = createECDH(CURVE);
  for (let attempt = 0; ; attempt += 1) {
    try {
      pair.setPrivateKey(secretOf(attempt));
      break;
    } catch (error) {
      // One of four thousand million secrets is no private key of the curve.
      if (attempt > 2) throw error;
    }
  }
  const point = pair.getPublicKey();
  const part = (from: number) => point.subarray(from, from + HASH_BYTES).toString("base64url");
  const d = pair.getPrivateKey().toString("base64url").padStart(43, "A");
  const jwk = { kty: "EC", crv: "P-256", x: part(1), y: part(1 + HASH_BYTES), d };
  return { publicKey: point.toString("base64url"), privateKey: createPrivateKey({ key: jwk, format: "jwk" }) };
}

/** The Authorization header for one push service. `subject` names whom the service may contact. */
export function signPush(identity: PushIdentity, endpoint: string, subject: string, nowMs: number): string {
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const claims = { aud: new URL(endpoint).origin, exp: Math.floor(nowMs / 1000) + TOKEN_SECONDS, sub: subject };
  const text = `${encode({ typ: "JWT", alg: "ES256" })}.${encode(claims)}`;
  const signature = sign("sha256", Buffer.from(text), { key: identity.privateKey, dsaEncoding: "ieee-p1363" });
  return `vapid t=${text}.${signature.toString("base64url")}, k=${identity.publicKey}`;
}

export interface WebPushParts {
  readonly identity: PushIdentity;
  readonly subject: string;
  readonly clock: () => number;
  /** The browser has ended the subscription. */
  readonly onGone: (token: string) => Promise<void>;
}

const GONE: readonly number[] = [404, 410];

/** The receiver is a token of `packSubscription`; the service worker reads the JSON. */
export function webPushSender({ identity, subject, clock, onGone }: WebPushParts): MessageSender {
  return {
    async send({ to, subject: title, text, id, path }) {
      const subscription = unpackSubscription(to);
      const plain = Buffer.from(JSON.stringify({ title, body: text, id, path }));
      const response = await fetch(subscription.endpoint, {
        method: "POST",
        redirect: "error",
        signal: AbortSignal.timeout(SEND_TIMEOUT_MS),
        headers: {
          "content-type": "application/octet-stream",
          "content-encoding": "aes128gcm",
          ttl: String(KEPT_SECONDS),
          urgency: "normal",
          authorization: signPush(identity, subscription.endpoint, subject, clock()),
        },
        body: new Uint8Array(encryptPush(plain, subscription)),
      });
      await response.body?.cancel();
      if (GONE.includes(response.status)) return onGone(to);
      if (!response.ok) throw new Error(`the push service answered ${response.status}`);
    },
  };
}
