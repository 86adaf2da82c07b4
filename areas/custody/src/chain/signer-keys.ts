// The signer's keys: created once, sealed on the disk, open in the signer's memory only. Imported by its process only.
// Once the exchange has stored their public keys, none is ever created again: new ones would own none of the deposits.
import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { HDKey } from "@scure/bip32";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import type { KnownHouse } from "./signer-wire.ts";

const SEALED = "keys.sealed";
const COLD = "cold-wallet.sealed";
/** Where the unlocking secret is unless it is kept elsewhere: a device, another machine. */
const UNLOCK = "unlock.key";

export interface SignerKeys {
  readonly extendedPublicKey: string;
  readonly hot: PrivateKeyAccount;
  readonly cold: string;
  deposit(chainId: number, userId: number): PrivateKeyAccount;
}

/** The keys in use are missing. The message is for operators and contains no secret. */
export class KeysRefused extends Error {}

/**
 * Opens the existing keys. Creates keys only for an exchange that has none; the cold wallet's may be elsewhere, and is
 * then identified by its address. Changes nothing in the folder when it refuses.
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

/** The cold wallet's key, on the offline machine that holds it. */
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

/** Opens the sealed seed, or creates one if there is none. */
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

/** Atomic, and readable only by its owner. */
function writePrivate(path: string, bytes: Uint8Array): void {
  const partial = `${path}.partial`;
  writeFileSync(partial, bytes, { mode: 0o600, flush: true });
  renameSync(partial, path);
}
