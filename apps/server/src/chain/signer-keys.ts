// The signer's keys: made once, kept sealed on the disk, open in the signer's memory alone. Imported by its process only.
import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { HDKey } from "@scure/bip32";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";

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

export function openKeys(folder: string): SignerKeys {
  if (!existsSync(folder)) mkdirSync(folder, { recursive: true, mode: 0o700 });
  const unlock = readUnlock(folder);
  const seed = readSealed(folder, SEALED, unlock);
  const cold = readSealed(folder, COLD, unlock);
  const master = HDKey.fromMasterSeed(seed);
  const account = master.derive("m/44'/60'/0'");
  return {
    extendedPublicKey: account.publicExtendedKey,
    hot: accountOf(master.derive("m/44'/60'/1'/0/0")),
    cold: accountOf(HDKey.fromMasterSeed(cold).derive("m/44'/60'/0'/0/0")).address.toLowerCase(),
    deposit: (chainId, userId) => accountOf(account.deriveChild(chainId).deriveChild(userId)),
  };
}

/** The cold wallet's key, on the machine without a network where it lies. */
export function openColdKey(folder: string): PrivateKeyAccount {
  if (!existsSync(join(folder, COLD))) throw new Error(`${folder} holds no cold wallet`);
  const seed = readSealed(folder, COLD, readUnlock(folder));
  return accountOf(HDKey.fromMasterSeed(seed).derive("m/44'/60'/0'/0/0"));
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
  return Buffer.concat([decipher.update(bytes.subarray(44)), decipher.final()]);
}

/** Whole or not at all, readable by its owner alone. */
function writePrivate(path: string, bytes: Uint8Array): void {
  const partial = `${path}.partial`;
  writeFileSync(partial, bytes, { mode: 0o600, flush: true });
  renameSync(partial, path);
}
