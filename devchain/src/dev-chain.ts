// One development chain: its pool, its blocks by timer and on demand, reorganisations on purpose. Blocks are made one
// at a time; unpublished data is written first. Subscribers are notified after the write.
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { ChainSpec } from "@clockwork/custody/chain/node-wire";
import { later } from "@clockwork/host/time/background";
import { wallMs } from "@clockwork/host/time/measure";
import type { Common } from "@ethereumjs/common";
import type { TypedTransaction } from "@ethereumjs/tx";
import { bytesToHex } from "@ethereumjs/util";
import {
  buildBlock,
  commonOf,
  describeTransaction,
  hex,
  nextBaseFee,
  type Parent,
  readTransaction,
} from "./builder.ts";
import { addressOf, openState, writeGenesis } from "./genesis.ts";
import { type BlockRow, type BuiltBlock, ChainStore, type PoolRow, TrieNodes } from "./store.ts";

/** Blocks continue for so long after the last transaction, so that everything gets its confirmations. */
const FOLLOWING_BLOCKS = 48;
/** Empty blocks are kept so far back, looked at every so many blocks; more than any network calls final. */
const EMPTY_KEPT = 3_000;
const PRUNE_BLOCKS = 200;
const POOL_MAX = 5_000;
const BLOCK_TRANSACTIONS_MAX = 400;
const TOGETHER_MAX = 50;

export class RpcFault extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

export class DevChain {
  readonly spec: ChainSpec;
  readonly store: ChainStore;
  readonly common: Common;
  readonly #answer: (number: number) => void;
  #turn: Promise<unknown> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #busyUntil = 0;
  #salt = 0;
  #isClosed = false;

  constructor(folder: string, spec: ChainSpec, answer: (number: number) => void) {
    if (!existsSync(folder)) mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.spec = spec;
    this.common = commonOf(spec.chainId);
    this.store = new ChainStore(join(folder, `${spec.network}.sqlite`));
    this.#answer = answer;
  }

  async open(): Promise<void> {
    if (this.store.head() === undefined) await this.#begin();
    const last = this.store.one<{ number: number | null }>(
      "SELECT max(c.number) AS number FROM receipts r JOIN canonical c ON c.hash = r.block",
    );
    this.#busyUntil = (last?.number ?? 0) + FOLLOWING_BLOCKS;
    this.#schedule();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.store.close();
  }

  get head(): BlockRow {
    const head = this.store.head();
    if (head === undefined) throw new Error("the chain has no beginning");
    return head;
  }

  async #begin(): Promise<void> {
    const nodes = new TrieNodes(this.store);
    const state = await openState(nodes);
    await writeGenesis(state, this.spec);
    const root = bytesToHex(await state.getStateRoot());
    const hash = `0x${root.slice(2, 58)}00000000`;
    const none = `0x${"0".repeat(64)}`;
    const json = {
      hash,
      number: "0x0",
      parentHash: none,
      timestamp: hex(seconds()),
      stateRoot: root,
      gasUsed: "0x0",
      gasLimit: hex(30_000_000),
      baseFeePerGas: hex(1_000_000_000),
      miner: `0x${"0".repeat(40)}`,
      extraData: "0x",
      difficulty: "0x0",
      nonce: "0x0000000000000000",
      mixHash: none,
      sha3Uncles: none,
      receiptsRoot: none,
      transactionsRoot: none,
      logsBloom: `0x${"0".repeat(512)}`,
      size: "0x0",
      uncles: [],
      transactions: [],
    };
    const block = { hash, number: 0, parent: none, root, json: JSON.stringify(json) };
    this.store.transact(() => this.store.put({ block, transactions: [], refused: [], nodes: nodes.pending }, true));
  }

  /** Takes a signed transaction; the pool is written before the sender gets the answer. */
  async send(raw: string): Promise<string> {
    let tx: TypedTransaction;
    try {
      tx = readTransaction(raw, this.common);
      if (!tx.isSigned() || !tx.isValid()) throw new Error("invalid transaction");
    } catch (error) {
      throw new RpcFault(-32000, error instanceof Error ? error.message : "invalid transaction");
    }
    const hash = bytesToHex(tx.hash());
    const sender = tx.getSenderAddress().toString();
    const known = this.store.one(
      "SELECT 1 AS found FROM receipts r JOIN canonical c ON c.hash = r.block WHERE r.tx = ?",
      hash,
    );
    if (known !== undefined) throw new RpcFault(-32000, "already known");
    const state = await openState(new TrieNodes(this.store), this.head.root);
    const account = await state.getAccount(addressOf(sender));
    if (tx.nonce < (account?.nonce ?? 0n)) throw new RpcFault(-32000, "nonce too low");
    if (tx.getUpfrontCost(feeOf(tx)) > (account?.balance ?? 0n)) {
      throw new RpcFault(-32000, "insufficient funds for gas * price + value");
    }
    this.#pool(tx, { sender, nonce: Number(tx.nonce), hash, raw });
    this.#schedule();
    return hash;
  }

  #pool(tx: TypedTransaction, row: PoolRow): void {
    const before = this.store.one<PoolRow>("SELECT * FROM pool WHERE sender = ? AND nonce = ?", row.sender, row.nonce);
    if (before?.hash === row.hash) throw new RpcFault(-32000, "already known");
    if (before !== undefined) {
      const old = readTransaction(before.raw, this.common);
      const isDearer = feeOf(tx) * 10n >= feeOf(old) * 11n && tipOf(tx) * 10n >= tipOf(old) * 11n;
      if (!isDearer) throw new RpcFault(-32000, "replacement transaction underpriced");
    }
    const count = this.store.one<{ count: number }>("SELECT count(*) AS count FROM pool")?.count ?? 0;
    if (before === undefined && count >= POOL_MAX) throw new RpcFault(-32000, "txpool is full");
    this.store.transact(() => {
      this.store.run("INSERT OR REPLACE INTO pool VALUES (?, ?, ?, ?)", row.sender, row.nonce, row.hash, row.raw);
      const json = JSON.stringify(describeTransaction(tx));
      this.store.run("INSERT OR IGNORE INTO transactions VALUES (?, ?, ?)", row.hash, row.raw, json);
    });
  }

  /** Mines this many blocks now. */
  mine(blocks: number): Promise<number> {
    return this.#inTurn(async () => {
      for (let left = blocks; left > 0; ) {
        left -= await this.#mineSome(left);
        // Nothing here waits for I/O: without this, other calls would not be served until the end.
        await setImmediate();
      }
      return this.head.number;
    });
  }

  /** One with what waits, or several empty ones, which are written together: a disk's sync takes longer than a block. */
  async #mineSome(most: number): Promise<number> {
    const isWaiting = this.store.one("SELECT 1 AS found FROM pool LIMIT 1") !== undefined;
    if (isWaiting) {
      await this.#mineOne();
      return 1;
    }
    const branch = await this.#buildEmpty(this.head, Math.min(most, TOGETHER_MAX), "");
    this.store.transact(() => {
      for (const built of branch) this.store.put(built, true);
    });
    for (const { block } of branch) this.#answer(block.number);
    const { number } = this.head;
    if (Math.floor(number / PRUNE_BLOCKS) > Math.floor((number - branch.length) / PRUNE_BLOCKS))
      this.store.prune(number - EMPTY_KEPT);
    return branch.length;
  }

  /** This many on top of one, none of them written yet. */
  async #buildEmpty(after: BlockRow, count: number, salt: string): Promise<readonly BuiltBlock[]> {
    const branch: BuiltBlock[] = [];
    for (let parent = this.#parentOf(after); branch.length < count; ) {
      const timestamp = Math.max(parent.timestamp + 1, seconds());
      const built = await buildBlock(this.store, this.common, { parent, timestamp, transactions: [], salt });
      branch.push(built);
      parent = this.#parentOf(built.block);
    }
    return branch;
  }

  async #mineOne(): Promise<void> {
    const parent = this.#parentOf(this.head);
    const transactions = await this.#ready(nextBaseFee(parent));
    const timestamp = Math.max(parent.timestamp + 1, seconds());
    const built = await buildBlock(this.store, this.common, { parent, timestamp, transactions, salt: "" });
    this.store.transact(() => this.store.put(built, true));
    if (built.transactions.length > 0) this.#busyUntil = built.block.number + FOLLOWING_BLOCKS;
    this.#answer(built.block.number);
  }

  /** In the order of their senders' numbers, for those that pay the fee. */
  async #ready(baseFee: bigint): Promise<TypedTransaction[]> {
    const rows = this.store.all<PoolRow>("SELECT * FROM pool ORDER BY sender, nonce");
    if (rows.length === 0) return [];
    const state = await openState(new TrieNodes(this.store), this.head.root);
    const ready: TypedTransaction[] = [];
    const nexts = new Map<string, bigint>();
    for (const { sender, nonce, raw, hash } of rows) {
      const next = nexts.get(sender) ?? (await state.getAccount(addressOf(sender)))?.nonce ?? 0n;
      if (BigInt(nonce) < next && !nexts.has(sender)) this.store.run("DELETE FROM pool WHERE hash = ?", hash);
      nexts.set(sender, next);
      if (BigInt(nonce) !== next || ready.length >= BLOCK_TRANSACTIONS_MAX) continue;
      const tx = readTransaction(raw, this.common);
      if (feeOf(tx) < baseFee) continue;
      ready.push(tx);
      nexts.set(sender, next + 1n);
    }
    return ready.sort((left, right) => (left.nonce === right.nonce ? 0 : left.nonce < right.nonce ? -1 : 1));
  }

  /** Replaces the newest blocks by a longer branch without their transactions. */
  reorg(depth: number, isDropped: boolean): Promise<number> {
    return this.#inTurn(async () => {
      const { number } = this.head;
      const reach = Math.min(depth, this.spec.finality, number);
      const ancestor = this.store.blockAt(number - reach);
      if (reach === 0 || ancestor === undefined) return number;
      this.#salt += 1;
      const branch = await this.#buildEmpty(ancestor, reach + 1, `branch ${seconds()} ${this.#salt}`);
      this.store.transact(() => this.#switchTo(ancestor.number, branch, isDropped));
      this.#busyUntil = this.head.number + FOLLOWING_BLOCKS;
      this.#answer(this.head.number);
      return this.head.number;
    });
  }

  #switchTo(ancestor: number, branch: readonly BuiltBlock[], isDropped: boolean): void {
    const orphans = this.store.all<{ hash: string; raw: string }>(
      "SELECT t.hash, t.raw FROM canonical c JOIN receipts r ON r.block = c.hash JOIN transactions t ON t.hash = r.tx WHERE c.number > ?",
      ancestor,
    );
    this.store.run("DELETE FROM canonical WHERE number > ?", ancestor);
    for (const built of branch) this.store.put(built, true);
    if (isDropped) return;
    for (const { hash, raw } of orphans) {
      const tx = readTransaction(raw, this.common);
      const sender = tx.getSenderAddress().toString();
      this.store.run("INSERT OR IGNORE INTO pool VALUES (?, ?, ?, ?)", sender, Number(tx.nonce), hash, raw);
    }
  }

  #parentOf(row: BlockRow): Parent {
    const json = JSON.parse(row.json) as { timestamp: string; baseFeePerGas: string; gasUsed: string };
    return {
      number: row.number,
      hash: row.hash,
      root: row.root,
      timestamp: Number(json.timestamp),
      baseFee: BigInt(json.baseFeePerGas),
      gasUsed: BigInt(json.gasUsed),
    };
  }

  #inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
    const turn = this.#turn.catch(() => undefined).then(work);
    this.#turn = turn;
    return turn;
  }

  /** The next block: soon while something is under way, else at the heartbeat. */
  #schedule(): void {
    clearTimeout(this.#timer);
    if (this.#isClosed || !this.spec.isTimed) return;
    const isBusy =
      this.head.number < this.#busyUntil || this.store.one("SELECT 1 AS found FROM pool LIMIT 1") !== undefined;
    const { blockMs, heartbeatMs } = this.spec;
    const age = (seconds() - this.#parentOf(this.head).timestamp) * 1_000;
    const wait = isBusy ? Math.max(0, Math.min(blockMs, blockMs - age)) : heartbeatMs;
    this.#timer = later(
      "chain.mine",
      () => {
        this.mine(1).then(
          () => this.#schedule(),
          () => this.#schedule(),
        );
      },
      wait,
    );
  }
}

/** A chain has its own time, which no clock of the exchange moves. */
function seconds(): number {
  return Math.floor(wallMs() / 1_000);
}

function feeOf(tx: TypedTransaction): bigint {
  return "maxFeePerGas" in tx ? tx.maxFeePerGas : tx.gasPrice;
}

function tipOf(tx: TypedTransaction): bigint {
  return "maxPriorityFeePerGas" in tx ? tx.maxPriorityFeePerGas : tx.gasPrice;
}
