// Addresses of EVM chains: checksums (EIP-55), and those of users derived from a public key alone. Pure; must never
// handle a private key.

import { secp256k1 } from "@noble/curves/secp256k1.js";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { HDKey } from "@scure/bip32";

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

/** The address with the capitals of its checksum; the capitals of the input are ignored. */
export function checksumOf(address: string): string {
  const lower = address.slice(2).toLowerCase();
  const digest = Buffer.from(keccak_256(new TextEncoder().encode(lower))).toString("hex");
  const letters = [...lower].map((letter, index) =>
    Number.parseInt(digest.charAt(index), 16) >= 8 ? letter.toUpperCase() : letter,
  );
  return `0x${letters.join("")}`;
}

export type AddressProblem = "ADDRESS_INVALID" | "ADDRESS_CHECKSUM" | "ADDRESS_OTHER_NETWORK";

/** Address formats of other chains: Bitcoin and its kin, Tron, Ripple, Solana, and everything with a bech32 name. */
const FOREIGN = [
  /^(?:bc|tb|bcrt|ltc|cosmos|osmo|terra|celestia|addr)1[02-9ac-hj-np-z]{6,100}$/i,
  /^[13LMDT][1-9A-HJ-NP-Za-km-z]{25,34}$/,
  /^r[1-9A-HJ-NP-Za-km-z]{24,34}$/,
  /^[1-9A-HJ-NP-Za-km-z]{43,44}$/,
];

/** Strict: an address has a valid checksum, or it is refused; one in a single case carries none. */
export function findAddressProblem(address: string): AddressProblem | undefined {
  if (FOREIGN.some((shape) => shape.test(address))) return "ADDRESS_OTHER_NETWORK";
  if (!ADDRESS.test(address) || /^0x0{40}$/.test(address)) return "ADDRESS_INVALID";
  const letters = address.slice(2);
  const isOneCase = letters === letters.toLowerCase() || letters === letters.toUpperCase();
  return isOneCase || checksumOf(address) === address ? undefined : "ADDRESS_CHECKSUM";
}

/** Of a public point, compressed or not. */
export function addressOfPublicKey(publicKey: Uint8Array): string {
  const point = secp256k1.Point.fromBytes(publicKey).toBytes(false);
  return `0x${Buffer.from(keccak_256(point.slice(1)).slice(12)).toString("hex")}`;
}

/** The address of a user on a chain, from the extended public key of m/44'/60'/0'. Throws for a private one. */
export function depositAddresses(extendedPublicKey: string): (chainId: number, userId: number) => string {
  const account = HDKey.fromExtendedKey(extendedPublicKey);
  if (account.privateKey !== null) throw new Error("addresses are made from a public key alone");
  const chains = new Map<number, HDKey>();
  return (chainId, userId) => {
    let chain = chains.get(chainId);
    if (chain === undefined) {
      chain = account.deriveChild(chainId);
      chains.set(chainId, chain);
    }
    const key = chain.deriveChild(userId).publicKey;
    if (key === null) throw new Error("a public key has children");
    return addressOfPublicKey(key);
  };
}
