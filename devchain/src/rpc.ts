// Ethereum's JSON-RPC over a development chain: the calls of wallets and explorers, with the expected names and shapes.
import { bytesToHex, createZeroAddress, hexToBytes, type PrefixedHexString } from "@ethereumjs/util";
import { hex, nextBaseFee, openMachine } from "./builder.ts";
import { type DevChain, RpcFault } from "./dev-chain.ts";
import { addressOf, openState } from "./genesis.ts";
import { type BlockRow, TrieNodes } from "./store.ts";

const SAFE_BLOCKS = 4;
const LOGS_MAX = 20_000;
const TIP = 1_000_000_000n;
const CALL_GAS = 15_000_000n;

type Params = readonly unknown[];
type Method = (chain: DevChain, params: Params) => unknown;

/** Null where there is no such block. */
function findBlock(chain: DevChain, tag: unknown): BlockRow | undefined {
  const { head, store, spec } = chain;
  if (tag === undefined || tag === "latest" || tag === "pending") return head;
  if (tag === "earliest") return store.blockAt(0);
  if (tag === "safe") return store.blockAt(Math.max(0, head.number - SAFE_BLOCKS));
  if (tag === "finalized") return store.blockAt(Math.max(0, head.number - spec.finality));
  if (typeof tag !== "string" || !/^0x[0-9a-f]+$/i.test(tag)) throw new RpcFault(-32602, "invalid block");
  if (tag.length === 66) return store.one<BlockRow>("SELECT * FROM blocks WHERE hash = ?", tag.toLowerCase());
  return store.blockAt(Number(tag));
}

function needBlock(chain: DevChain, tag: unknown): BlockRow {
  const block = findBlock(chain, tag);
  if (block === undefined) throw new RpcFault(-32000, "header not found");
  return block;
}

function describeBlock(chain: DevChain, row: BlockRow | undefined, isWhole: boolean): unknown {
  if (row === undefined) return null;
  const json = JSON.parse(row.json) as { transactions: string[] };
  if (!isWhole) return json;
  return { ...json, transactions: json.transactions.map((hash) => findTransaction(chain, hash)) };
}

interface Placed {
  readonly json: string;
  readonly block: string | null;
  readonly number: number | null;
  readonly place: number | null;
}

function findTransaction(chain: DevChain, hash: string): unknown {
  const sql = `SELECT t.json, c.hash AS block, c.number, r.place FROM transactions t
    LEFT JOIN (receipts r JOIN canonical c ON c.hash = r.block) ON r.tx = t.hash WHERE t.hash = ?`;
  const row = chain.store.one<Placed>(sql, hash.toLowerCase());
  const isPooled = () =>
    chain.store.one("SELECT 1 AS found FROM pool WHERE hash = ?", hash.toLowerCase()) !== undefined;
  if (row === undefined || (row.block === null && !isPooled())) return null;
  const at = {
    blockHash: row.block,
    blockNumber: row.number === null ? null : hex(row.number),
    transactionIndex: row.place === null ? null : hex(row.place),
  };
  return { ...(JSON.parse(row.json) as object), ...at };
}

function findReceipt(chain: DevChain, hash: string): unknown {
  const sql = "SELECT r.json FROM receipts r JOIN canonical c ON c.hash = r.block WHERE r.tx = ?";
  const row = chain.store.one<{ json: string }>(sql, hash.toLowerCase());
  return row === undefined ? null : JSON.parse(row.json);
}

interface LogFilter {
  readonly fromBlock?: string;
  readonly toBlock?: string;
  readonly blockHash?: string;
  readonly address?: string | readonly string[];
  readonly topics?: readonly (null | string | readonly string[])[];
}

function findLogs(chain: DevChain, filter: LogFilter): unknown {
  const from = needBlock(chain, filter.blockHash ?? filter.fromBlock).number;
  const to = filter.blockHash === undefined ? (findBlock(chain, filter.toBlock)?.number ?? chain.head.number) : from;
  const rows = chain.store.all<{ address: string; topics: string; json: string }>(
    "SELECT l.address, l.topics, l.json FROM logs l JOIN canonical c ON c.hash = l.block WHERE l.number BETWEEN ? AND ? ORDER BY l.number, l.place LIMIT ?",
    from,
    to,
    LOGS_MAX + 1,
  );
  if (rows.length > LOGS_MAX) throw new RpcFault(-32005, "query returned too many results");
  const addresses =
    filter.address === undefined ? undefined : new Set([filter.address].flat().map((one) => one.toLowerCase()));
  const wanted = (filter.topics ?? []).map((one) =>
    one === null ? undefined : new Set([one].flat().map((text) => text.toLowerCase())),
  );
  return rows
    .filter(({ address }) => addresses === undefined || addresses.has(address))
    .filter(({ topics }) => {
      const held = topics.split(",");
      return wanted.every((set, index) => set === undefined || set.has(held[index] ?? ""));
    })
    .map(({ json }) => JSON.parse(json) as unknown);
}

async function readAccount(chain: DevChain, address: unknown, tag: unknown) {
  const state = await openState(new TrieNodes(chain.store), needBlock(chain, tag).root);
  return { state, at: addressOf(String(address)), account: await state.getAccount(addressOf(String(address))) };
}

async function countTransactions(chain: DevChain, address: unknown, tag: unknown): Promise<string> {
  const { account } = await readAccount(chain, address, tag);
  let next = Number(account?.nonce ?? 0n);
  if (tag !== "pending") return hex(next);
  const sql = "SELECT nonce FROM pool WHERE sender = ? ORDER BY nonce";
  for (const { nonce } of chain.store.all<{ nonce: number }>(sql, String(address).toLowerCase()))
    if (nonce === next) next += 1;
  return hex(next);
}

interface Call {
  readonly from?: string;
  readonly to?: string;
  readonly data?: string;
  readonly input?: string;
  readonly value?: string;
}

async function runCall(chain: DevChain, call: Call, tag: unknown) {
  const state = await openState(new TrieNodes(chain.store), needBlock(chain, tag).root);
  const vm = await openMachine(chain.common, state);
  const { execResult } = await vm.evm.runCall({
    caller: call.from === undefined ? createZeroAddress() : addressOf(call.from),
    ...(call.to === undefined ? {} : { to: addressOf(call.to) }),
    data: hexToBytes((call.data ?? call.input ?? "0x") as PrefixedHexString),
    value: BigInt(call.value ?? "0x0"),
    gasLimit: CALL_GAS,
    skipBalance: false,
  });
  if (execResult.exceptionError !== undefined)
    throw new RpcFault(3, `execution reverted: ${execResult.exceptionError.error}`);
  return execResult;
}

async function estimate(chain: DevChain, call: Call): Promise<string> {
  const { executionGasUsed } = await runCall(chain, call, "latest");
  const data = hexToBytes((call.data ?? call.input ?? "0x") as PrefixedHexString);
  const sent = data.reduce((sum, byte) => sum + (byte === 0 ? 4n : 16n), call.to === undefined ? 53_000n : 21_000n);
  return hex(((sent + executionGasUsed) * 5n) / 4n);
}

function baseFeeAfter(row: BlockRow): bigint {
  const json = JSON.parse(row.json) as { timestamp: string; baseFeePerGas: string; gasUsed: string };
  const { number, hash, root } = row;
  const gas = { baseFee: BigInt(json.baseFeePerGas), gasUsed: BigInt(json.gasUsed) };
  return nextBaseFee({ number, hash, root, timestamp: Number(json.timestamp), ...gas });
}

const METHODS: Readonly<Record<string, Method>> = {
  web3_clientVersion: () => "clockwork-development-chain/1",
  net_version: ({ spec }) => String(spec.chainId),
  eth_chainId: ({ spec }) => hex(spec.chainId),
  eth_syncing: () => false,
  eth_blockNumber: ({ head }) => hex(head.number),
  eth_getBlockByNumber: (chain, [tag, whole]) => describeBlock(chain, findBlock(chain, tag), whole === true),
  eth_getBlockByHash: (chain, [hash, whole]) => describeBlock(chain, findBlock(chain, hash), whole === true),
  eth_getTransactionByHash: (chain, [hash]) => findTransaction(chain, String(hash)),
  eth_getTransactionReceipt: (chain, [hash]) => findReceipt(chain, String(hash)),
  eth_getLogs: (chain, [filter]) => findLogs(chain, (filter ?? {}) as LogFilter),
  eth_getBalance: async (chain, [address, tag]) => hex((await readAccount(chain, address, tag)).account?.balance ?? 0n),
  eth_getTransactionCount: (chain, [address, tag]) => countTransactions(chain, address, tag),
  eth_getCode: async (chain, [address, tag]) => {
    const { state, at } = await readAccount(chain, address, tag);
    return bytesToHex(await state.getCode(at));
  },
  eth_call: async (chain, [call, tag]) => bytesToHex((await runCall(chain, (call ?? {}) as Call, tag)).returnValue),
  eth_estimateGas: (chain, [call]) => estimate(chain, (call ?? {}) as Call),
  eth_maxPriorityFeePerGas: () => hex(TIP),
  eth_gasPrice: (chain) => hex(baseFeeAfter(chain.head) + TIP),
  eth_sendRawTransaction: (chain, [raw]) => chain.send(String(raw)),
};

export interface RpcCall {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: unknown;
}

export async function answerRpc(chain: DevChain, { id = null, method, params }: RpcCall): Promise<object> {
  const envelope = { jsonrpc: "2.0", id };
  const run = METHODS[String(method)];
  if (run === undefined)
    return { ...envelope, error: { code: -32601, message: `the method ${String(method)} does not exist` } };
  try {
    return { ...envelope, result: await run(chain, Array.isArray(params) ? params : []) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { ...envelope, error: { code: error instanceof RpcFault ? error.code : -32602, message } };
  }
}
