// Reads a signed transaction: its signer, receiver and amount. Supports plain transfers only, and holds no key.

import type { Hex, TransactionSerializedEIP1559 } from "viem";
import { decodeFunctionData, keccak256, parseAbi, parseTransaction } from "viem/utils";
import type { SignedTransfer } from "../treasury/needs.ts";

const COIN = parseAbi(["function transfer(address to, uint256 value) returns (bool)"]);

/** Undefined for anything but a signed plain transfer. */
export async function readSigned(raw: string): Promise<SignedTransfer | undefined> {
  try {
    const serialized = raw as TransactionSerializedEIP1559;
    const read = parseTransaction(serialized);
    // Loaded only when needed: it is large and rarely used.
    const { recoverTransactionAddress } = await import("viem");
    const from = (await recoverTransactionAddress({ serializedTransaction: serialized })).toLowerCase();
    const target = read.to?.toLowerCase();
    if (target === undefined) return undefined;
    const moved = readMove(target, read.data, read.value ?? 0n);
    if (moved === undefined) return undefined;
    return {
      ...moved,
      from,
      hash: keccak256(serialized),
      chainId: read.chainId,
      nonce: read.nonce ?? 0,
      gas: read.gas ?? 0n,
      maxFee: read.maxFeePerGas ?? 0n,
      tip: read.maxPriorityFeePerGas ?? 0n,
    };
  } catch {
    return undefined;
  }
}

function readMove(
  target: string,
  data: Hex | undefined,
  value: bigint,
): Pick<SignedTransfer, "to" | "contract" | "units"> | undefined {
  if (data === undefined || data === "0x") return { to: target, contract: null, units: value };
  if (value !== 0n) return undefined;
  const { args } = decodeFunctionData({ abi: COIN, data });
  return { to: args[0].toLowerCase(), contract: target, units: args[1] };
}
