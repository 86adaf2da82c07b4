// The signer's keys: made once, kept sealed on the disk, open in the signer's memory alone. Imported by its process only.
// Once the exchange knows public keys of theirs, none is ever made anew: others would own nothing of what was deposited.
import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { HDKey } from "@scure/bip32";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import type { KnownHouse } from "./signer-wire.ts";

const SEALED = "keys.sealed";
const COLD = "cold-wallet.sealed";
/** Where the unlocking secret lies unless it is kept elsewhere: a device, another machine. */
const UNLOCK = "unlock.key";

export interface SignerKeys {
  readonly extendedPublicKey: string;
  readonly hot: PrivateKeyAccount;
  readonly cold: string;
  deposit(chainId: number, userId: number): PrivateKeyAccount;
}

/** The keys that are in use are not here. The message is for operators and names no secret. */
export class KeysRefused extends Error {}

/**
 * Opens what is there. Makes keys only for an exchange that has none; the cold wallet's may lie elsewhere, and is then known
 * by its address alone. Changes nothing in the folder when it refuses.
 */
export function openKeys(folder: string, known: KnownHouse): SignerKeys {
  const isKnown = known.extendedPublicKey !== undefined || known.hot !== undefined || known.hasAddresses;
  const isThere = (name: string): boolean => existsSync(join(folder, name));
  if (isKnown && !isThere(SEALED)) throw new KeysRefused(`${join(folder, SEALED)} is missing`);
  if (isKnown && known.cold === undefined && !isThere(COLD)) throw new KeysRefused(`${join(folder, COLD)} is missing`);
  if (!isThere(UNLOCK) && [SEALED, COLD].some(isThere)) throw new KeysRefused(`${join(folder, UNLOCK)} is missing`);
  if (!existsSync(folder)) mkdirSync(folder, { recursive: true, mode: 0o700 });
  const unlock = readUnlock(folder);
  const master = HDKey.fromMasterSeed(readSealed(folder, SEALED, unlock));
  const account = master.derive("m/44'/60'/0'");
  const isColdAway = known.cold !== undefined && !isThere(COLD);
  const keys = {
    extendedPublicKey: account.publicExtendedKey,
    hot: accountOf(master.derive("m/44'/60'/1'/0/0")),
    cold: isColdAway ? known.cold : coldOf(readSealed(folder, COLD, unlock)).address.toLowerCase(),
    deposit: (chainId: number, userId: number) => accountOf(account.deriveChild(chainId).deriveChild(userId)),
  };
  const answer = { extendedPublicKey: keys.extendedPublicKey, hot: keys.hot.address.toLowerCase(), cold: keys.cold };
  for (const name of ["extendedPublicKey", "hot", "cold"] as const) {
    if (known[name] !== undefined && known[name] !== answer[name])
      throw new KeysRefused(`the keys in ${folder} are others than those in use (${name})`);
  }
  return keys;
}

function coldOf(seed: Buffer): PrivateKeyAccount {
  return accountOf(HDKey.fromMasterSeed(seed).derive("m/44'/60'/0'/0/0"));
}

/** The cold wallet's key, on the machine without a network where it lies. */
export function openColdKey(folder: string): PrivateKeyAccount {
  if (!existsSync(join(folder, COLD))) throw new Error(`${folder} holds no cold wallet`);
  if (!existsSync(join(folder, UNLOCK))) throw new Error(`${folder} holds no ${UNLOCK}`);
  return coldOf(readSealed(folder, COLD, readUnlock(folder)));
}

function accountOf({ privateKey }: HDKey): PrivateKeyAccount {
  if (privateKey === null) throw new Error("the key is not there");
  return privateKeyToAccount(`0x${Buffer.from(privateKey).toString("hex")}`);
}

function readUnlock(folder: string): Buffer {
  const path = join(folder, UNLOCK);
  if (!existsSync(path)) writePrivate(path, randomBytes(32));
  return readFileSync(path);
}

/** Opens the sealed seed, or makes one where there is none. */
function readSealed(folder: string, name: string, unlock: Buffer): Buffer {
  const path = join(folder, name);
  if (!existsSync(path)) {
    const salt = randomBytes(16);
    const nonce = randomBytes(12);
    const cipher = createCipheriv("aes-256-gcm", scryptSync(unlock, salt, 32), nonce);
    const body = Buffer.concat([cipher.update(randomBytes(32)), cipher.final()]);
    writePrivate(path, Buffer.concat([salt, nonce, cipher.getAuthTag(), body]));
  }
  const bytes = readFileSync(path);
  const decipher = createDecipheriv(
    "aes-256-gcm",
    scryptSync(unlock, bytes.subarray(0, 16), 32),
    bytes.subarray(16, 28),
  );
  decipher.setAuthTag(bytes.subarray(28, 44));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(44)), decipher.final()]);
  } catch {
    throw new KeysRefused(`${path} does not open with ${join(folder, UNLOCK)}`);
  }
}

/** Whole or not at all, readable by its owner alone. */
function writePrivate(path: string, bytes: Uint8Array): void {
  const partial = `${path}.partial`;
  writeFileSync(partial, bytes, { mode: 0o600, flush: true });
  renameSync(partial, path);
}
