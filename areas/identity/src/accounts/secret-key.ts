// The key that encrypts secrets at rest, kept outside the database: from the configuration or from a file of the data
// folder that only its owner may read. Must never create a second key where one was lost: old secrets would be
// unreadable.

import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from "node:crypto";
import { chmodSync, closeSync, constants, existsSync, fsyncSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { StorageMarks } from "@clockwork/host/marks";
import type { Vault } from "@clockwork/host/vault";

export const KEY_FILE = "secret.key";
const KEY_MARK = "secret key";
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const VERSION = 1;
const HEAD_BYTES = 1 + 8;

/** The key of this installation; the file is made once, at the very first start. */
export function loadSecretKey(folder: string, configured: string): Buffer {
  if (configured !== "") return Buffer.from(configured, "hex");
  const path = join(folder, KEY_FILE);
  try {
    const file = openSync(path, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY, 0o600);
    try {
      const key = randomBytes(KEY_BYTES);
      writeSync(file, `${key.toString("hex")}\n`);
      fsyncSync(file);
      return key;
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  const text = readFileSync(path, "utf8").trim();
  if (!/^[0-9a-f]{64}$/i.test(text))
    throw new Error(`${path} does not hold a key of 64 hexadecimal digits; restore it`);
  chmodSync(path, 0o600);
  return Buffer.from(text, "hex");
}

/**
 * The key the tables were sealed with. A missing or different key is refused before anything is created: with a new one
 * every authenticator and every session would be lost silently.
 */
export async function claimSecretKey(marks: StorageMarks, folder: string, configured: string): Promise<Buffer> {
  const path = configured === "" ? join(folder, KEY_FILE) : "CW_SECRET_KEY";
  const known = await marks.read(KEY_MARK);
  const restore = "Nothing was written. Restore the key from a copy, or name it in CW_SECRET_KEY";
  if (known !== undefined && configured === "" && !existsSync(path)) {
    throw new Error(`${path} is missing, but the tables hold secrets sealed with it (key ${known}). ${restore}`);
  }
  const key = loadSecretKey(folder, configured);
  const found = await marks.keep(KEY_MARK, nameKey(key));
  if (found === nameKey(key)) return key;
  throw new Error(`${path} holds key ${nameKey(key)}, but the tables were sealed with key ${found}. ${restore}`);
}

const derive = (key: Buffer, purpose: string): Buffer =>
  Buffer.from(hkdfSync("sha256", key, "clockwork", purpose, KEY_BYTES));

/** Identifies a key and reveals nothing more. */
function nameKey(key: Buffer): string {
  return keyIdOf(key).toString("hex");
}

function keyIdOf(key: Buffer): Buffer {
  return createHmac("sha256", derive(key, "id")).update("key id").digest().subarray(0, 8);
}

export function openVault(key: Buffer): Vault {
  const sealKey = derive(key, "seal");
  const markKey = derive(key, "mark");
  // Identifies the key that sealed a secret, so that a wrong key is named as such and a second key can be distinguished
  // later.
  const keyId = keyIdOf(key);

  return {
    seal(plain, context) {
      const nonce = randomBytes(NONCE_BYTES);
      const head = Buffer.concat([Buffer.from([VERSION]), keyId]);
      const cipher = createCipheriv("aes-256-gcm", sealKey, nonce).setAAD(
        Buffer.concat([head, Buffer.from(context, "utf8")]),
      );
      const body = Buffer.concat([cipher.update(plain), cipher.final()]);
      return new Uint8Array(Buffer.concat([head, nonce, cipher.getAuthTag(), body]));
    },
    open(sealed, context) {
      const bytes = Buffer.from(sealed);
      const head = bytes.subarray(0, HEAD_BYTES);
      if (bytes.length < HEAD_BYTES + NONCE_BYTES + TAG_BYTES || head[0] !== VERSION) {
        throw new Error("a sealed secret is damaged");
      }
      if (!timingSafeEqual(head.subarray(1), keyId)) throw new Error("a secret was sealed with another key");
      const nonce = bytes.subarray(HEAD_BYTES, HEAD_BYTES + NONCE_BYTES);
      const tag = bytes.subarray(HEAD_BYTES + NONCE_BYTES, HEAD_BYTES + NONCE_BYTES + TAG_BYTES);
      const decipher = createDecipheriv("aes-256-gcm", sealKey, nonce)
        .setAAD(Buffer.concat([head, Buffer.from(context, "utf8")]))
        .setAuthTag(tag);
      const body = bytes.subarray(HEAD_BYTES + NONCE_BYTES + TAG_BYTES);
      return new Uint8Array(Buffer.concat([decipher.update(body), decipher.final()]));
    },
    mark: (text, context) =>
      createHmac("sha256", markKey).update(`${context.length}:${context}`).update(text).digest("base64url"),
  };
}
