// Makes one block: executes transactions on the parent's state and gathers everything the block brings, without writing
// any of it. An own loop, as the library's block builder takes quadratic time.
import { type Block, createBlock, genTransactionsTrieRoot } from "@ethereumjs/block";
import { type Common, createCustomCommon, Hardfork, Mainnet } from "@ethereumjs/common";
import { MerklePatriciaTrie } from "@ethereumjs/mpt";
import { RLP } from "@ethereumjs/rlp";
import type { MerkleStateManager } from "@ethereumjs/statemanager";
import { createTxFromRLP, type TypedTransaction } from "@ethereumjs/tx";
import { bytesToHex, createAddressFromString, hexToBytes, type PrefixedHexString } from "@ethereumjs/util";
import { Bloom, createVM, encodeReceipt, type RunTxResult, runTx, type VM } from "@ethereumjs/vm";
import { openState } from "./genesis.ts";
import { type BuiltBlock, type BuiltTransaction, type ChainStore, TrieNodes } from "./store.ts";

export const GAS_LIMIT = 30_000_000n;
const FIRST_BASE_FEE = 1_000_000_000n;
/** The block producer's address gets the tips; its key does not exist. */
const COINBASE = createAddressFromString("0xc0ffee0000000000000000000000000000000000");

export const hex = (value: bigint | number): string => `0x${value.toString(16)}`;

export function commonOf(chainId: number): Common {
  return createCustomCommon({ chainId, name: "development" }, Mainnet, { hardfork: Hardfork.Paris });
}

export function readTransaction(raw: string, common: Common): TypedTransaction {
  return createTxFromRLP(hexToBytes(raw as PrefixedHexString), { common });
}

export interface Parent {
  readonly number: number;
  readonly hash: string;
  readonly root: string;
  readonly timestamp: number;
  readonly baseFee: bigint;
  readonly gasUsed: bigint;
}

export interface Plan {
  readonly parent: Parent;
  readonly timestamp: number;
  readonly transactions: readonly TypedTransaction[];
  /** Distinguishes a side branch from the one it replaces. */
  readonly salt: string;
}

/** With a copy of the rules: a machine listens to the rules it was given, so it and its state would live as long as they do. */
export function openMachine(common: Common, stateManager: MerkleStateManager): Promise<VM> {
  return createVM({ common: common.copy(), stateManager });
}

/** EIP-1559: an eighth up or down by how full the parent was. */
export function nextBaseFee({ number, baseFee, gasUsed }: Parent): bigint {
  if (number === 0) return FIRST_BASE_FEE;
  const target = GAS_LIMIT / 2n;
  if (gasUsed === target) return baseFee;
  if (gasUsed > target) {
    const rise = (baseFee * (gasUsed - target)) / target / 8n;
    return baseFee + (rise > 1n ? rise : 1n);
  }
  return baseFee - (baseFee * (target - gasUsed)) / target / 8n;
}

interface Run {
  readonly tx: TypedTransaction;
  readonly result: RunTxResult;
}

export async function buildBlock(store: ChainStore, common: Common, plan: Plan): Promise<BuiltBlock> {
  const { parent, timestamp, salt } = plan;
  const nodes = new TrieNodes(store);
  const header = {
    parentHash: parent.hash as PrefixedHexString,
    number: parent.number + 1,
    timestamp,
    gasLimit: GAS_LIMIT,
    baseFeePerGas: nextBaseFee(parent),
    coinbase: COINBASE,
    extraData: new TextEncoder().encode(salt),
  };
  const { runs, refused, gasUsed, root } = await execute(common, nodes, plan, header);
  const sealed = await seal(common, header, runs, gasUsed, root);
  return { ...describe(sealed, runs), refused, nodes: nodes.pending };
}

interface Executed {
  readonly runs: readonly Run[];
  readonly refused: readonly string[];
  readonly gasUsed: bigint;
  readonly root: Uint8Array;
}

async function execute(common: Common, nodes: TrieNodes, plan: Plan, header: NonNullable<Header>): Promise<Executed> {
  const { parent, transactions } = plan;
  // An empty block changes nothing; most are.
  if (transactions.length === 0) {
    return { runs: [], refused: [], gasUsed: 0n, root: hexToBytes(parent.root as PrefixedHexString) };
  }
  const state = await openState(nodes, parent.root);
  const vm = await openMachine(common, state);
  const draft = createBlock({ header }, { common });
  const runs: Run[] = [];
  const refused: string[] = [];
  const waiting = new Set<string>();
  let gasUsed = 0n;
  for (const tx of transactions) {
    const sender = tx.getSenderAddress().toString();
    // Transactions of one sender depend on one another: those after one that waits, wait too.
    if (waiting.has(sender) || gasUsed + tx.gasLimit > GAS_LIMIT) {
      waiting.add(sender);
      continue;
    }
    try {
      const result = await runTx(vm, { tx, block: draft, blockGasUsed: gasUsed });
      runs.push({ tx, result });
      gasUsed += result.totalGasSpent;
    } catch {
      // It can no longer be paid or its number is taken; it is removed from the pool.
      refused.push(bytesToHex(tx.hash()));
      waiting.add(sender);
    }
  }
  await state.flush();
  return { runs, refused, gasUsed, root: await state.getStateRoot() };
}

type Header = Parameters<typeof createBlock>[0] extends infer Data | undefined
  ? Data extends { header?: infer Head }
    ? Head
    : never
  : never;

async function seal(
  common: Common,
  header: NonNullable<Header>,
  runs: readonly Run[],
  gasUsed: bigint,
  stateRoot: Uint8Array,
): Promise<Block> {
  const bloom = new Bloom(undefined, common);
  const receipts = new MerklePatriciaTrie({ common });
  for (const [index, { tx, result }] of runs.entries()) {
    bloom.or(result.bloom);
    await receipts.put(RLP.encode(index), encodeReceipt(result.receipt, tx.type));
  }
  const txs = runs.map(({ tx }) => tx);
  const roots = {
    stateRoot,
    gasUsed,
    logsBloom: bloom.bitvector,
    receiptTrie: receipts.root(),
    transactionsTrie: await genTransactionsTrieRoot(txs, new MerklePatriciaTrie({ common })),
  };
  return createBlock({ header: { ...header, ...roots }, transactions: txs }, { common });
}

function describe(block: Block, runs: readonly Run[]): Omit<BuiltBlock, "nodes" | "refused"> {
  const { header } = block;
  const hash = bytesToHex(block.hash());
  const number = Number(header.number);
  const base = header.baseFeePerGas ?? 0n;
  const json = {
    ...header.toJSON(),
    hash,
    sha3Uncles: bytesToHex(header.uncleHash),
    miner: header.coinbase.toString(),
    receiptsRoot: bytesToHex(header.receiptTrie),
    transactionsRoot: bytesToHex(header.transactionsTrie),
    size: hex(1_000),
    totalDifficulty: "0x0",
    uncles: [],
    transactions: runs.map(({ tx }) => bytesToHex(tx.hash())),
  };
  let cumulative = 0n;
  let place = 0;
  const transactions = runs.map(({ tx, result }, index): BuiltTransaction => {
    cumulative += result.totalGasSpent;
    const at = { blockHash: hash, blockNumber: hex(number), transactionIndex: hex(index) };
    const built = describeRun(tx, result, { at, base, cumulative, place, timestamp: hex(header.timestamp) });
    place += built.logs.length;
    return built;
  });
  const root = bytesToHex(header.stateRoot);
  return {
    block: { hash, number, parent: bytesToHex(header.parentHash), root, json: JSON.stringify(json) },
    transactions,
  };
}

export function describeTransaction(tx: TypedTransaction): Record<string, unknown> {
  const { v, r, s, yParity, ...rest } = tx.toJSON() as Record<string, unknown>;
  return {
    ...rest,
    type: hex(tx.type),
    hash: bytesToHex(tx.hash()),
    from: tx.getSenderAddress().toString(),
    to: tx.to?.toString() ?? null,
    gas: hex(tx.gasLimit),
    input: bytesToHex(tx.data),
    v: v ?? yParity ?? "0x0",
    ...(tx.type === 0 ? {} : { yParity: yParity ?? v }),
    r,
    s,
  };
}

function describeRun(
  tx: TypedTransaction,
  { receipt, totalGasSpent, createdAddress }: RunTxResult,
  around: {
    readonly at: Record<string, string>;
    readonly base: bigint;
    readonly cumulative: bigint;
    readonly place: number;
    readonly timestamp: string;
  },
): BuiltTransaction {
  const { at, base, cumulative, place, timestamp } = around;
  const hash = bytesToHex(tx.hash());
  const json = describeTransaction(tx);
  const tip = "maxFeePerGas" in tx ? smaller(tx.maxPriorityFeePerGas, tx.maxFeePerGas - base) : undefined;
  const price = hex(tip === undefined ? (tx as { gasPrice: bigint }).gasPrice : base + tip);
  const logs = receipt.logs.map(([address, topics, data], index) => {
    const answer = {
      address: bytesToHex(address),
      topics: topics.map((one) => bytesToHex(one)),
      data: bytesToHex(data),
    };
    const log = { ...answer, ...at, transactionHash: hash, logIndex: hex(place + index), blockTimestamp: timestamp };
    return {
      address: answer.address,
      topics: answer.topics.join(","),
      json: JSON.stringify({ ...log, removed: false }),
    };
  });
  const answer = {
    ...at,
    transactionHash: hash,
    type: hex(tx.type),
    status: hex("status" in receipt ? receipt.status : 1),
    from: json.from,
    to: json.to,
    contractAddress: createdAddress?.toString() ?? null,
    gasUsed: hex(totalGasSpent),
    cumulativeGasUsed: hex(cumulative),
    effectiveGasPrice: price,
    logsBloom: bytesToHex(receipt.bitvector),
    logs: logs.map((log) => JSON.parse(log.json) as unknown),
  };
  const raw = bytesToHex(tx.serialize());
  return { hash, raw, json: JSON.stringify({ ...json, gasPrice: price }), receipt: JSON.stringify(answer), logs };
}

function smaller(left: bigint, right: bigint): bigint {
  return left < right ? left : right;
}
