// A separate process with the development chains of the default run: JSON-RPC on a loopback port, and the parent's
// private calls (faucet, blocks, reorganisations) over its channel. Ends with its parent.
import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import type { ChainSpec, NodeMessage, NodeRequest, NodeStart } from "@clockwork/custody/chain/node-wire";
import type { Hex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { encodeFunctionData, parseAbi } from "viem/utils";
import { DevChain } from "./dev-chain.ts";
import { answerRpc, type RpcCall } from "./rpc.ts";

const BODY_MAX = 2_000_000;
const COIN = parseAbi(["function transfer(address to, uint256 value) returns (bool)"]);
const chains = new Map<string, DevChain>();
const faucets = new Map<string, Hex>();

function tell(message: NodeMessage): void {
  process.send?.(message);
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > BODY_MAX) throw new Error("the request is too large");
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chain = chains.get((request.url ?? "").slice(1));
  if (chain === undefined || request.method !== "POST") {
    response.writeHead(404).end();
    return;
  }
  const body = JSON.parse(await readBody(request)) as RpcCall | readonly RpcCall[];
  const answers = Array.isArray(body)
    ? await Promise.all(body.map((call: RpcCall) => answerRpc(chain, call)))
    : await answerRpc(chain, body as RpcCall);
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answers));
}

/** The key that funds all test coins; of no worth, and created once. */
function faucetKey(chain: DevChain): Hex {
  const known = chain.store.meta("faucet");
  if (known !== undefined) return known as Hex;
  const made: Hex = `0x${randomBytes(32).toString("hex")}`;
  chain.store.run("INSERT INTO meta VALUES ('faucet', ?)", made);
  return made;
}

/** The faucet's coins come from outside the exchange, like any deposit. */
function withFaucet(spec: ChainSpec, address: string): ChainSpec {
  const coins = spec.coins.map((coin) => ({
    ...coin,
    holders: [
      ...coin.holders,
      { address, units: (BigInt(spec.faucetCoins) * 10n ** BigInt(coin.decimals)).toString() },
    ],
  }));
  return { ...spec, coins };
}

async function open(folder: string, given: ChainSpec): Promise<void> {
  const { network } = given;
  const outcome = (number: number): void => tell({ kind: "block", network, number });
  const first = new DevChain(folder, given, outcome);
  const key = faucetKey(first);
  first.store.close();
  const chain = new DevChain(folder, withFaucet(given, privateKeyToAccount(key).address.toLowerCase()), outcome);
  await chain.open();
  chains.set(network, chain);
  faucets.set(network, key);
}

async function faucet(chain: DevChain, asset: string, to: string, units: string): Promise<string> {
  const coin = chain.spec.coins.find(({ symbol }) => symbol === asset);
  const key = faucets.get(chain.spec.network);
  if (coin === undefined || key === undefined) throw new Error("UNKNOWN_ASSET");
  const account = privateKeyToAccount(key);
  const ask = async (method: string, params: readonly unknown[]): Promise<string> => {
    const outcome = (await answerRpc(chain, { method, params })) as { result?: string; error?: { message: string } };
    if (outcome.result === undefined) throw new Error(outcome.error?.message ?? "no answer");
    return outcome.result;
  };
  const data = encodeFunctionData({ abi: COIN, functionName: "transfer", args: [to as Hex, BigInt(units)] });
  const raw = await account.signTransaction({
    chainId: chain.spec.chainId,
    nonce: Number(await ask("eth_getTransactionCount", [account.address.toLowerCase(), "pending"])),
    maxFeePerGas: BigInt(await ask("eth_gasPrice", [])) * 2n,
    maxPriorityFeePerGas: 1_000_000_000n,
    ...(coin.address === undefined
      ? { to: to as Hex, value: BigInt(units), gas: 100_000n }
      : { to: coin.address as Hex, data, gas: 120_000n }),
  });
  return chain.send(raw);
}

async function answer(ask: NodeRequest): Promise<string> {
  const chain = chains.get(ask.network);
  if (chain === undefined) throw new Error("UNKNOWN_NETWORK");
  switch (ask.kind) {
    case "faucet":
      return faucet(chain, ask.asset, ask.to, ask.units);
    case "mine":
      return String(await chain.mine(ask.blocks));
    case "reorg":
      return String(await chain.reorg(ask.depth, ask.dropped));
  }
}

/** One faucet payment at a time: each has the number after the last. */
let turn: Promise<unknown> = Promise.resolve();

async function start({ folder, chains: specs }: NodeStart): Promise<void> {
  for (const spec of specs) await open(join(folder), spec);
  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.writeHead(400).end());
  });
  server.keepAliveTimeout = 60_000;
  server.listen({ host: "127.0.0.1", port: 0 }, () => {
    const address = server.address();
    tell({ kind: "ready", port: typeof address === "object" && address !== null ? address.port : 0 });
  });
}

process.on("disconnect", () => process.exit(0));
process.on("message", (message: { readonly start: NodeStart } | { readonly id: number; readonly ask: NodeRequest }) => {
  if ("start" in message) {
    start(message.start).catch((error: unknown) => {
      process.stderr.write(`${String(error)}\n`);
      process.exit(1);
    });
    return;
  }
  const { id, ask } = message;
  turn = turn
    .catch(() => undefined)
    .then(() => answer(ask))
    .then(
      (value) => tell({ kind: "answer", id, value }),
      (error: unknown) => tell({ kind: "answer", id, wrong: error instanceof Error ? error.message : String(error) }),
    );
});
