// Pure rules of API keys: which addresses a key may come from, when it ends, whether a signature is its own.
import { createHmac, createPublicKey, hash, type KeyObject, timingSafeEqual, verify } from "node:crypto";
import { BlockList, isIP } from "node:net";
import { KEY_PERMISSIONS, type KeyPermission } from "@clockwork/kit/caller";
import { DAY_MS } from "@clockwork/kit/time";
import type { KeyKind } from "./contract.ts";

/** A key without bound addresses expires. */
const UNBOUND_LIFE_MS = 90 * DAY_MS;

export const RECV_WINDOW_DEFAULT_MS = 5_000;
export const RECV_WINDOW_MAX_MS = 60_000;
/** How far a caller's clock may run ahead. */
const AHEAD_MS = 1_000;
const RSA_BITS_MIN = 2048;
const RSA_BITS_MAX = 4096;

export function expiryOf(ipList: readonly string[], timeMs: number): number {
  return ipList.length > 0 ? 0 : timeMs + UNBOUND_LIFE_MS;
}

/** In their one order, each once; reading is part of every key. */
export function sortPermissions(requested: readonly KeyPermission[]): readonly KeyPermission[] {
  return KEY_PERMISSIONS.filter((name) => name === "read" || requested.includes(name));
}

/** The stored list: trimmed, lower case, each once. Undefined when an entry is no address or range. */
export function readIpList(entries: readonly string[]): readonly string[] | undefined {
  const kept = new Set<string>();
  for (const entry of entries) {
    const text = entry.trim().toLowerCase();
    if (readRange(text) === undefined) return undefined;
    kept.add(text);
  }
  return [...kept];
}

function readRange(text: string): { address: string; prefix: number; family: "ipv4" | "ipv6" } | undefined {
  const [address = "", prefixText, ...rest] = text.split("/");
  const version = isIP(address);
  if (version === 0 || rest.length > 0 || address.includes("%")) return undefined;
  const bits = version === 4 ? 32 : 128;
  if (prefixText === undefined) return { address, prefix: bits, family: version === 4 ? "ipv4" : "ipv6" };
  // A range that contains everything restricts nothing.
  if (!/^[1-9][0-9]{0,2}$/.test(prefixText) || Number(prefixText) > bits) return undefined;
  return { address, prefix: Number(prefixText), family: version === 4 ? "ipv4" : "ipv6" };
}

export function addressCheck(ipList: readonly string[]): (address: string) => boolean {
  if (ipList.length === 0) return () => true;
  const list = new BlockList();
  for (const entry of ipList) {
    const range = readRange(entry);
    if (range !== undefined) list.addSubnet(range.address, range.prefix, range.family);
  }
  return (address) => {
    const version = isIP(address);
    return version !== 0 && list.check(address, version === 6 ? "ipv6" : "ipv4");
  };
}

/** The public half of a key of this kind; undefined for another kind, a private key or a weak one. */
export function readPublicKey(kind: KeyKind, text: string): KeyObject | undefined {
  if (text.includes("PRIVATE")) return undefined;
  const pem = text.includes("-----BEGIN")
    ? text
    : `-----BEGIN PUBLIC KEY-----\n${text.trim()}\n-----END PUBLIC KEY-----\n`;
  try {
    const key = createPublicKey(pem);
    if (kind === "ED25519") return key.asymmetricKeyType === "ed25519" ? key : undefined;
    const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
    return key.asymmetricKeyType === "rsa" && bits >= RSA_BITS_MIN && bits <= RSA_BITS_MAX ? key : undefined;
  } catch {
    return undefined;
  }
}

/** The proof of a key's calls. */
export type Proof =
  | { readonly kind: "HMAC"; readonly digest: (payload: string) => string }
  | { readonly kind: "KEY"; readonly key: KeyObject };

const BLOCK_BYTES = 64;
const DIGEST_BYTES = 32;
/** Longer payloads are rare: an order is a few hundred characters. */
const QUICK_LENGTH_MAX = 1_024;
// Filled and read within one synchronous call. A character is three bytes at most.
const inner = Buffer.alloc(BLOCK_BYTES + QUICK_LENGTH_MAX * 3);
const outer = Buffer.alloc(BLOCK_BYTES + DIGEST_BYTES);
const ownDigest = Buffer.alloc(DIGEST_BYTES);
const sentDigest = Buffer.alloc(DIGEST_BYTES);

/**
 * HMAC-SHA256 in hex, composed of two hashes by its definition (RFC 2104): creating the library's own object costs
 * three times as much as signing with it.
 */
export function hmacProof(secret: string): Extract<Proof, { kind: "HMAC" }> {
  const bytes = Buffer.from(secret, "utf8");
  const key = bytes.length > BLOCK_BYTES ? Buffer.from(hash("sha256", bytes, "hex"), "hex") : bytes;
  const padded = (pad: number): Buffer => {
    const block = Buffer.alloc(BLOCK_BYTES, pad);
    for (const [index, byte] of key.entries()) block[index] = byte ^ pad;
    return block;
  };
  const [innerPad, outerPad] = [padded(0x36), padded(0x5c)];
  return {
    kind: "HMAC",
    digest(payload) {
      if (payload.length > QUICK_LENGTH_MAX) return createHmac("sha256", secret).update(payload).digest("hex");
      innerPad.copy(inner);
      const end = BLOCK_BYTES + inner.write(payload, BLOCK_BYTES, "utf8");
      outerPad.copy(outer);
      outer.write(hash("sha256", inner.subarray(0, end), "binary"), BLOCK_BYTES, "latin1");
      return hash("sha256", outer, "hex");
    },
  };
}

/** True when the signature over exactly these bytes is the key's own. HMAC in hex, others in base64. */
export function isSigned(proof: Proof, payload: string, signature: string): boolean {
  if (proof.kind === "HMAC") {
    // As many bytes as were read: only hex is read.
    if (signature.length !== DIGEST_BYTES * 2 || sentDigest.write(signature, "hex") !== DIGEST_BYTES) return false;
    ownDigest.write(proof.digest(payload), "hex");
    return timingSafeEqual(ownDigest, sentDigest);
  }
  if (!/^[A-Za-z0-9+/]{32,1024}={0,2}$/.test(signature)) return false;
  const algorithm = proof.key.asymmetricKeyType === "rsa" ? "sha256" : null;
  return verify(algorithm, Buffer.from(payload, "utf8"), proof.key, Buffer.from(signature, "base64"));
}

/** True for a timestamp neither in the future nor too long ago. */
export function isInWindow(timestampMs: number, windowMs: number, nowMs: number): boolean {
  return timestampMs < nowMs + AHEAD_MS && nowMs - timestampMs <= windowMs;
}
