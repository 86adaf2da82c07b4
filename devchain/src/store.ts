// Owns the development chain's file: blocks, receipts, logs, the pool and the nodes of the state's trie. One
// transaction per block, synced to the disk before it is published. Old trie nodes are kept, so that the chain can
// return to every block.
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { touchPrivate } from "@clockwork/host/private-files";
import type { BatchDBOp, DB } from "@ethereumjs/util";

const TABLES = `
CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS nodes (key TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS blocks (
  hash TEXT PRIMARY KEY, number INTEGER NOT NULL, parent TEXT NOT NULL, root TEXT NOT NULL, json TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS canonical (number INTEGER PRIMARY KEY, hash TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS transactions (hash TEXT PRIMARY KEY, raw TEXT NOT NULL, json TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS receipts (
  tx TEXT NOT NULL, block TEXT NOT NULL, place INTEGER NOT NULL, json TEXT NOT NULL, PRIMARY KEY (tx, block)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS receipts_by_block ON receipts (block, place);
CREATE TABLE IF NOT EXISTS logs (
  number INTEGER NOT NULL, block TEXT NOT NULL, place INTEGER NOT NULL, address TEXT NOT NULL, topics TEXT NOT NULL,
  json TEXT NOT NULL, PRIMARY KEY (block, place)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS logs_by_number ON logs (number);
CREATE TABLE IF NOT EXISTS pool (
  sender TEXT NOT NULL, nonce INTEGER NOT NULL, hash TEXT NOT NULL, raw TEXT NOT NULL, PRIMARY KEY (sender, nonce)
) WITHOUT ROWID;
`;

export interface BlockRow {
  readonly hash: string;
  readonly number: number;
  readonly parent: string;
  readonly root: string;
  readonly json: string;
}

export interface PoolRow {
  readonly sender: string;
  readonly nonce: number;
  readonly hash: string;
  readonly raw: string;
}

export interface BuiltTransaction {
  readonly hash: string;
  readonly raw: string;
  readonly json: string;
  readonly receipt: string;
  readonly logs: readonly { readonly address: string; readonly topics: string; readonly json: string }[];
}

/** Everything one block brings, made before any of it is written. */
export interface BuiltBlock {
  readonly block: BlockRow;
  readonly transactions: readonly BuiltTransaction[];
  /** What could not be executed, and never can be. */
  readonly refused: readonly string[];
  readonly nodes: ReadonlyMap<string, Uint8Array>;
}

export class ChainStore {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(path: string) {
    touchPrivate(path);
    this.#database = new DatabaseSync(path);
    this.#database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -4000");
    this.#database.exec(TABLES);
  }

  close(): void {
    this.#database.close();
  }

  one<Row>(sql: string, ...values: readonly (string | number)[]): Row | undefined {
    return this.#prepare(sql).get(...values) as Row | undefined;
  }

  all<Row>(sql: string, ...values: readonly (string | number)[]): Row[] {
    return this.#prepare(sql).all(...values) as Row[];
  }

  run(sql: string, ...values: readonly (string | number | Uint8Array)[]): void {
    this.#prepare(sql).run(...values);
  }

  transact(work: () => void): void {
    this.#database.exec("BEGIN IMMEDIATE");
    try {
      work();
      this.#database.exec("COMMIT");
    } catch (error) {
      this.#database.exec("ROLLBACK");
      throw error;
    }
  }

  meta(name: string): string | undefined {
    return this.one<{ value: string }>("SELECT value FROM meta WHERE name = ?", name)?.value;
  }

  head(): BlockRow | undefined {
    return this.one<BlockRow>(
      "SELECT b.* FROM canonical c JOIN blocks b ON b.hash = c.hash ORDER BY c.number DESC LIMIT 1",
    );
  }

  blockAt(number: number): BlockRow | undefined {
    return this.one<BlockRow>(
      "SELECT b.* FROM canonical c JOIN blocks b ON b.hash = c.hash WHERE c.number = ?",
      number,
    );
  }

  /** Inside a transaction: the block and its data, on the canonical chain or on a side branch. */
  put({ block, transactions, refused, nodes }: BuiltBlock, isCanonical: boolean): void {
    for (const [key, value] of nodes) this.run("INSERT OR IGNORE INTO nodes VALUES (?, ?)", key, value);
    this.run(
      "INSERT OR IGNORE INTO blocks VALUES (?, ?, ?, ?, ?)",
      block.hash,
      block.number,
      block.parent,
      block.root,
      block.json,
    );
    let place = 0;
    for (const [index, one] of transactions.entries()) {
      this.run("INSERT OR IGNORE INTO transactions VALUES (?, ?, ?)", one.hash, one.raw, one.json);
      this.run("INSERT OR IGNORE INTO receipts VALUES (?, ?, ?, ?)", one.hash, block.hash, index, one.receipt);
      for (const log of one.logs) {
        const row = [block.number, block.hash, place, log.address, log.topics, log.json] as const;
        this.run("INSERT OR IGNORE INTO logs VALUES (?, ?, ?, ?, ?, ?)", ...row);
        place += 1;
      }
      this.run("DELETE FROM pool WHERE hash = ?", one.hash);
    }
    for (const hash of refused) this.run("DELETE FROM pool WHERE hash = ?", hash);
    if (isCanonical) this.run("INSERT OR REPLACE INTO canonical VALUES (?, ?)", block.number, block.hash);
  }

  /** Removes the empty blocks before that number, and those nobody sees any more; the first one remains. */
  prune(before: number): void {
    this.transact(() => {
      this.run(
        "DELETE FROM blocks WHERE number > 0 AND number < ? AND NOT EXISTS (SELECT 1 FROM receipts r WHERE r.block = blocks.hash)",
        before,
      );
      this.run(
        "DELETE FROM canonical WHERE number > 0 AND number < ? AND NOT EXISTS (SELECT 1 FROM blocks b WHERE b.hash = canonical.hash)",
        before,
      );
    });
  }

  #prepare(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const made = this.#database.prepare(sql);
    this.#statements.set(sql, made);
    return made;
  }
}

/** The trie's nodes: reads fall through to the file, writes wait in memory until their block is written. */
export class TrieNodes implements DB<string, Uint8Array> {
  readonly #store: ChainStore;
  readonly pending: Map<string, Uint8Array>;

  constructor(store: ChainStore, pending = new Map<string, Uint8Array>()) {
    this.#store = store;
    this.pending = pending;
  }

  async get(key: string): Promise<Uint8Array | undefined> {
    return (
      this.pending.get(key) ??
      this.#store.one<{ value: Uint8Array }>("SELECT value FROM nodes WHERE key = ?", key)?.value
    );
  }

  async put(key: string, value: Uint8Array): Promise<void> {
    this.pending.set(key, value);
  }

  /** Every node is kept: older blocks refer to it. */
  async del(): Promise<void> {}

  async batch(changes: BatchDBOp<string, Uint8Array>[]): Promise<void> {
    for (const change of changes) if (change.type === "put") this.pending.set(change.key, change.value);
  }

  shallowCopy(): TrieNodes {
    return new TrieNodes(this.#store, this.pending);
  }

  async open(): Promise<void> {}
}
