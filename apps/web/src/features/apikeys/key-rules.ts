// The parts of a key's form validated while typing: its public key and its addresses. The server validates again.
import type { KeyKind } from "@clockwork/identity/apikeys/contract";

/** An Ed25519 public key as PEM holds it: this head, then 32 bytes. */
const ED25519_HEAD = "302a300506032b6570032100";
const ED25519_BYTES = 44;
/** Identifies an RSA key by its algorithm. */
const RSA_MARK = "06092a864886f70d010101";
/** Of 2048 bits; the modulus of 4096 is the longest that is taken. */
const RSA_BYTES_MIN = 290;
const RSA_BYTES_MAX = 560;

export type KeyTextState = "empty" | "good" | "private" | "other" | "bad";

const PEM = /^-----BEGIN ([A-Z ]+)-----\s+([A-Za-z0-9+/=\s]+)-----END \1-----$/;

function hexOf(base64: string): string | undefined {
  try {
    const bytes = atob(base64.replaceAll(/\s/g, ""));
    return Array.from(bytes, (one) => one.charCodeAt(0).toString(16).padStart(2, "0")).join("");
  } catch {
    return undefined;
  }
}

/** "other" is a good key of the other kind. */
export function judgeKeyText(kind: Exclude<KeyKind, "HMAC">, typed: string): KeyTextState {
  const text = typed.trim();
  if (text === "") return "empty";
  if (/PRIVATE KEY/.test(text)) return "private";
  const [, title, body] = PEM.exec(text) ?? [];
  const hex = title === "PUBLIC KEY" && body !== undefined ? hexOf(body) : undefined;
  if (hex === undefined) return "bad";
  const bytes = hex.length / 2;
  const isEd25519 = hex.startsWith(ED25519_HEAD) && bytes === ED25519_BYTES;
  const isRsa = hex.slice(0, 64).includes(RSA_MARK) && bytes >= RSA_BYTES_MIN && bytes <= RSA_BYTES_MAX;
  if (!isEd25519 && !isRsa) return "bad";
  return isEd25519 === (kind === "ED25519") ? "good" : "other";
}

export function listAddresses(text: string): string[] {
  return text.split(/[\s,;]+/).filter((one) => one !== "");
}

function isV4(text: string): boolean {
  const parts = text.split(".");
  return parts.length === 4 && parts.every((one) => /^(0|[1-9][0-9]{0,2})$/.test(one) && Number(one) <= 255);
}

function isV6(text: string): boolean {
  const sides = text.split("::");
  if (sides.length > 2) return false;
  const groups = sides.flatMap((side) => (side === "" ? [] : side.split(":")));
  const last = groups.at(-1) ?? "";
  const isMapped = last.includes(".");
  const plain = isMapped ? groups.slice(0, -1) : groups;
  const count = plain.length + (isMapped ? 2 : 0);
  const fits = sides.length === 2 ? count < 8 : count === 8;
  return fits && plain.every((one) => /^[0-9a-f]{1,4}$/i.test(one)) && (!isMapped || isV4(last));
}

/** The first entry that is no address and no range; undefined when all are. */
export function findWrongAddress(entries: readonly string[]): string | undefined {
  return entries.find((entry) => {
    const [address = "", prefix, ...more] = entry.split("/");
    const bits = isV4(address) ? 32 : isV6(address) ? 128 : 0;
    if (bits === 0 || more.length > 0) return true;
    return prefix !== undefined && !(/^[1-9][0-9]{0,2}$/.test(prefix) && Number(prefix) <= bits);
  });
}
