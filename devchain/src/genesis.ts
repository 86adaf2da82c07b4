// The first state of a development chain: the balances of its own coin, and its contracts as compiled code.

import type { ChainSpec, GenesisCoin } from "@clockwork/custody/chain/node-wire";
import { PAYOUT_CODE } from "@clockwork/custody/chain/payout-code";
import { createMPT } from "@ethereumjs/mpt";
import { MerkleStateManager } from "@ethereumjs/statemanager";
import { Account, Address, hexToBytes, type PrefixedHexString, setLengthLeft } from "@ethereumjs/util";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { COIN_CODE, SHUT_CODE } from "./contracts.ts";
import type { TrieNodes } from "./store.ts";

/** A contract in addition to the coins, at an address recognisable as chosen. */
const SHUT_ADDRESS = "0xc0de00000000000000000000000000000000dead";

const SLOTS = { balances: 0, supply: 2, name: 3, symbol: 4, decimals: 5, feeBps: 6 } as const;
const SHORT_TEXT_MAX = 31;

export async function openState(nodes: TrieNodes, root?: string): Promise<MerkleStateManager> {
  const trie = await createMPT({
    db: nodes as unknown as NonNullable<NonNullable<Parameters<typeof createMPT>[0]>["db"]>,
    useKeyHashing: true,
    valueEncoding: "view",
    ...(root === undefined ? {} : { root: hexToBytes(root as PrefixedHexString) }),
  });
  return new MerkleStateManager({ trie });
}

export const addressOf = (text: string): Address => new Address(hexToBytes(text as PrefixedHexString));

export async function writeGenesis(state: MerkleStateManager, spec: ChainSpec): Promise<void> {
  await state.checkpoint();
  for (const coin of spec.coins) await (coin.address === undefined ? fund(state, coin) : placeCoin(state, coin));
  await place(state, SHUT_ADDRESS, SHUT_CODE);
  if (spec.payoutContract !== undefined) await place(state, spec.payoutContract, PAYOUT_CODE);
  await state.commit();
  await state.flush();
}

async function place(state: MerkleStateManager, address: string, code: `0x${string}`): Promise<void> {
  await state.putAccount(addressOf(address), new Account(1n, 0n));
  await state.putCode(addressOf(address), hexToBytes(code));
}

async function fund(state: MerkleStateManager, { holders }: GenesisCoin): Promise<void> {
  for (const { address, units } of holders) await state.putAccount(addressOf(address), new Account(0n, BigInt(units)));
}

async function placeCoin(state: MerkleStateManager, coin: GenesisCoin): Promise<void> {
  const at = addressOf(coin.address ?? "");
  await place(state, coin.address ?? "", COIN_CODE);
  const put = (slot: Uint8Array, value: Uint8Array) => state.putStorage(at, slot, value);
  let supply = 0n;
  for (const { address, units } of coin.holders) {
    const key = new Uint8Array([...setLengthLeft(addressOf(address).bytes, 32), ...word(BigInt(SLOTS.balances))]);
    await put(keccak_256(key), trimmed(BigInt(units)));
    supply += BigInt(units);
  }
  await put(word(BigInt(SLOTS.supply)), trimmed(supply));
  await put(word(BigInt(SLOTS.name)), shortText(coin.name));
  await put(word(BigInt(SLOTS.symbol)), shortText(coin.symbol));
  await put(word(BigInt(SLOTS.decimals)), trimmed(BigInt(coin.decimals)));
  if (coin.feeBps !== undefined) await put(word(BigInt(SLOTS.feeBps)), trimmed(BigInt(coin.feeBps)));
}

function word(value: bigint): Uint8Array {
  return hexToBytes(`0x${value.toString(16).padStart(64, "0")}`);
}

/** Storage holds numbers without leading zeros. */
function trimmed(value: bigint): Uint8Array {
  const text = value.toString(16);
  return hexToBytes(`0x${text.length % 2 === 0 ? text : `0${text}`}`);
}

/** As the compiler stores up to 31 bytes: the text to the left, twice its length in the last byte. */
function shortText(text: string): Uint8Array {
  const bytes = new TextEncoder().encode(text).slice(0, SHORT_TEXT_MAX);
  const slot = new Uint8Array(32);
  slot.set(bytes);
  slot[31] = bytes.length * 2;
  return slot;
}
