// Searches for the signer's secrets where they must not be: files and the memory of a running process. Tests and soaks
// only; the secrets are read from the signer's own folder.
import { createDecipheriv, scryptSync } from "node:crypto";
import { closeSync, openSync, readdirSync, readFileSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { HDKey } from "@scure/bip32";

const CHUNK_BYTES = 8_388_608;
/** A secret across the end of a chunk is found whole in the next one. */
const OVERLAP_BYTES = 256;

function unseal(folder: string, name: string): Buffer {
  const unlock = readFileSync(join(folder, "unlock.key"));
  const sealed = readFileSync(join(folder, name));
  const key = scryptSync(unlock, sealed.subarray(0, 16), 32);
  const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(16, 28));
  decipher.setAuthTag(sealed.subarray(28, 44));
  return Buffer.concat([decipher.update(sealed.subarray(44)), decipher.final()]);
}

/** Seeds, the keys of the hot and the cold wallet, and those every deposit address comes from: as bytes and as text. */
export function readSecrets(folder: string): ReadonlyMap<string, Buffer> {
  const [seed, cold] = [unseal(folder, "keys.sealed"), unseal(folder, "cold-wallet.sealed")];
  const master = HDKey.fromMasterSeed(seed);
  const account = master.derive("m/44'/60'/0'");
  const secrets = new Map<string, Buffer>();
  const keep = (name: string, bytes: Uint8Array | null): void => {
    if (bytes === null) throw new Error(`there is no ${name}`);
    const hex = Buffer.from(bytes).toString("hex");
    secrets.set(name, Buffer.from(bytes));
    secrets.set(`${name}, in hexadecimal text`, Buffer.from(hex));
  };
  keep("the seed", seed);
  keep("the cold seed", cold);
  keep("the master key", master.privateKey);
  keep("the hot key", master.derive("m/44'/60'/1'/0/0").privateKey);
  keep("the key of deposit addresses", account.privateKey);
  keep("the cold key", HDKey.fromMasterSeed(cold).derive("m/44'/60'/0'/0/0").privateKey);
  secrets.set("the extended key of deposit addresses", Buffer.from(account.privateExtendedKey));
  return secrets;
}

function listFiles(path: string): readonly string[] {
  return readdirSync(path).flatMap((name) => {
    const at = join(path, name);
    return statSync(at).isDirectory() ? listFiles(at) : [at];
  });
}

/** The positions of secrets in a folder's files, as `file: what`. */
export function searchFiles(folder: string, secrets: ReadonlyMap<string, Buffer>): readonly string[] {
  return listFiles(folder).flatMap((file) => {
    const bytes = readFileSync(file);
    return [...secrets].flatMap(([name, secret]) => (bytes.includes(secret) ? [`${file}: ${name}`] : []));
  });
}

/** Which secrets are in memory a process may write to: heaps, stacks, buffers. Linux, and a process of ours. */
export function searchMemory(pid: number, secrets: ReadonlyMap<string, Buffer>): readonly string[] {
  const found = new Set<string>();
  const memory = openSync(`/proc/${pid}/mem`, "r");
  const chunk = Buffer.alloc(CHUNK_BYTES);
  try {
    for (const line of readFileSync(`/proc/${pid}/maps`, "latin1").split("\n")) {
      const [, from, to] = /^([0-9a-f]+)-([0-9a-f]+) rw/.exec(line) ?? [];
      if (from === undefined || to === undefined) continue;
      const end = BigInt(`0x${to}`);
      for (let at = BigInt(`0x${from}`); at < end; at += BigInt(CHUNK_BYTES - OVERLAP_BYTES)) {
        const wanted = Number(end - at < BigInt(CHUNK_BYTES) ? end - at : BigInt(CHUNK_BYTES));
        const bytes = chunk.subarray(0, readSome(memory, chunk, wanted, at));
        for (const [name, secret] of secrets) if (bytes.includes(secret)) found.add(name);
      }
    }
  } finally {
    closeSync(memory);
  }
  return [...found];
}

/** Undefined where the process has released the memory since. */
function readSome(memory: number, into: Buffer, length: number, at: bigint): number {
  try {
    return readSync(memory, into, 0, length, at);
  } catch {
    return 0;
  }
}
