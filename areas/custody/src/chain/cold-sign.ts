// Signs a prepared refill with the cold wallet's key, on the machine without a network. Trusts nothing in the file that
// could do damage: it pays only the hot wallet whose address a person typed.
import { readFileSync, writeFileSync } from "node:fs";
import { Value } from "typebox/value";
import type { Hex } from "viem";
import { encodeFunctionData, parseAbi } from "viem/utils";
import { RefillFile } from "../treasury/contract.ts";
import { openColdKey } from "./signer-keys.ts";

const COIN = parseAbi(["function transfer(address to, uint256 value) returns (bool)"]);

/** Writes the signed transaction next to the file and describes it. Throws for anything unexpected. */
export async function signRefill(keysFolder: string, file: string, hot: string): Promise<string> {
  const read: unknown = JSON.parse(readFileSync(file, "utf8"));
  if (!Value.Check(RefillFile, read)) throw new Error(`${file} is no prepared refill`);
  const cold = openColdKey(keysFolder);
  if (read.from !== cold.address.toLowerCase()) throw new Error("the file is for another cold wallet");
  if (read.to !== hot.toLowerCase()) throw new Error(`the file pays ${read.to}, not the hot wallet that was named`);
  const units = BigInt(read.units);
  const data = encodeFunctionData({ abi: COIN, functionName: "transfer", args: [read.to as Hex, units] });
  const raw = await cold.signTransaction({
    type: "eip1559",
    chainId: read.chainId,
    nonce: read.nonce,
    gas: BigInt(read.gas),
    maxFeePerGas: BigInt(read.maxFee),
    maxPriorityFeePerGas: BigInt(read.tip),
    ...(read.contract === null ? { to: read.to as Hex, value: units } : { to: read.contract as Hex, data }),
  });
  writeFileSync(`${file}.signed`, `${JSON.stringify({ network: read.network, raw })}\n`, { mode: 0o600 });
  return `signed ${read.units} base units of ${read.asset} on ${read.network} to ${read.to}: ${file}.signed`;
}
