// A separate process that holds the keys and signs. It accepts messages only from its parent, checks its own policy
// first, and returns only signed transactions and public addresses.
import { join } from "node:path";
import type { Hex } from "viem";
import type { PrivateKeyAccount } from "viem/accounts";
import { encodeFunctionData, keccak256, parseAbi } from "viem/utils";
import { KeysRefused, openKeys, type SignerKeys } from "./signer-keys.ts";
import { SignerPolicy } from "./signer-policy.ts";
import type { Signed, SignerMessage, SignerNetwork, SignerRequest, SignerStart } from "./signer-wire.ts";

const COIN = parseAbi([
  "function transfer(address to, uint256 value) returns (bool)",
  "function approve(address spender, uint256 value) returns (bool)",
]);
const PAYOUT = parseAbi([
  "struct Part { address to; uint256 value; }",
  "function pay(address coin, Part[] parts) payable",
]);
const NO_COIN = `0x${"0".repeat(40)}` as const;
const POLL_AGAIN_MS = 2_000;
let keys: SignerKeys | undefined;
let policy: SignerPolicy | undefined;

function notify(message: SignerMessage): void {
  process.send?.(message);
}

class Refused extends Error {}

async function sign(ask: SignerRequest): Promise<Signed> {
  if (keys === undefined || policy === undefined) throw new Error("not started");
  const network = policy.networkOf(ask.network);
  if (network === undefined) throw new Refused("POLICY_NETWORK");
  const hot = keys.hot.address.toLowerCase();
  const deposit = "userId" in ask ? keys.deposit(network.chainId, ask.userId) : undefined;
  const receiver =
    ask.kind === "pay" ? ask.to.toLowerCase() : ask.kind === "sweep" ? hot : (deposit?.address ?? "").toLowerCase();
  const wrong = policy.decide(ask, receiver, [hot, keys.cold]);
  if (wrong !== undefined) throw new Refused(wrong);
  const from = ask.kind === "sweep" && deposit !== undefined ? deposit : keys.hot;
  return signAs(from, network.chainId, ask, shapeOf(ask, network, receiver as Hex, policy));
}

/** All effects of a transaction. There are no other shapes. */
interface Shape {
  readonly to: Hex;
  readonly value: bigint;
  readonly data?: Hex;
}

function shapeOf(ask: SignerRequest, network: SignerNetwork, receiver: Hex, rules: SignerPolicy): Shape {
  const coin = ask.kind === "topUp" ? undefined : rules.coinOf(ask.network, ask.asset);
  const contract = (coin?.contract ?? null) as Hex | null;
  if (ask.kind === "payMany") {
    const parts = ask.parts.map(({ to, units }) => ({ to: to.toLowerCase() as Hex, value: BigInt(units) }));
    const value = contract === null ? parts.reduce((sum, part) => sum + part.value, 0n) : 0n;
    const data = encodeFunctionData({ abi: PAYOUT, functionName: "pay", args: [contract ?? NO_COIN, parts] });
    return { to: network.payoutContract as Hex, value, data };
  }
  if (ask.kind === "allow") {
    const args = [network.payoutContract as Hex, rules.allowanceOf(ask)] as const;
    return {
      to: contract as Hex,
      value: 0n,
      data: encodeFunctionData({ abi: COIN, functionName: "approve", args }),
    };
  }
  const units = BigInt(ask.units);
  if (contract === null) return { to: receiver, value: units };
  const data = encodeFunctionData({ abi: COIN, functionName: "transfer", args: [receiver, units] });
  return { to: contract, value: 0n, data };
}

async function signAs(from: PrivateKeyAccount, chainId: number, ask: SignerRequest, shape: Shape): Promise<Signed> {
  const raw = await from.signTransaction({
    type: "eip1559",
    chainId,
    nonce: ask.nonce,
    gas: BigInt(ask.gas),
    maxFeePerGas: BigInt(ask.maxFee),
    maxPriorityFeePerGas: BigInt(ask.tip),
    ...shape,
  });
  return { raw, hash: keccak256(raw) };
}

process.on("disconnect", () => process.exit(0));
process.on(
  "message",
  (message: { readonly start: SignerStart } | { readonly id: number; readonly ask: SignerRequest }) => {
    if ("start" in message) {
      begin(message.start);
      return;
    }
    const { id, ask } = message;
    sign(ask).then(
      (signed) => notify({ kind: "answer", id, signed }),
      // An error message could contain secrets; only refusals are described.
      (error: unknown) =>
        notify({ kind: "answer", id, wrong: error instanceof Refused ? error.message : "SIGNER_FAILED" }),
    );
  },
);

/** While the keys in use are missing it reports so and checks again: an operator may restore them. */
function begin(start: SignerStart): void {
  const { folder, networks, known } = start;
  try {
    keys = openKeys(folder, known);
  } catch (error) {
    if (!(error instanceof KeysRefused)) throw error;
    notify({ kind: "refused", message: error.message });
    setTimeout(() => begin(start), POLL_AGAIN_MS);
    return;
  }
  policy = new SignerPolicy(join(folder, "policy.sqlite"), networks);
  const { extendedPublicKey, cold } = keys;
  notify({ kind: "ready", extendedPublicKey, hot: keys.hot.address.toLowerCase(), cold });
}
