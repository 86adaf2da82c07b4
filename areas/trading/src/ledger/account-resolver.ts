// Owns the mapping between accounts of the core and the books of users, both ways: for calls, live channels and readers
// of the tables. The core decides: an account is opened by one command however often it is requested. A mapping never
// changes, because a book never changes hands; the cache is bounded only to limit memory.
import { ACCOUNT_ALLOW_SELF_TRADE, ACCOUNT_BLOCK_OUTGOING, ACCOUNT_BLOCK_TRADING } from "@clockwork/core/ledger/ledger";
import type { BOOKS } from "@clockwork/core/protocol/names";
import type { EngineHandle } from "@clockwork/host/engine";
import type { AccountOwner } from "@clockwork/kit/books";
import { type Kysely, sql } from "kysely";

export type Book = Exclude<(typeof BOOKS)[number], "house">;

export interface OwnedAccount extends AccountOwner {
  readonly account: number;
}

export interface AccountResolver {
  /**
   * The account, opened if there is none yet; undefined while the core cannot answer. Blocked: no trading, no outgoing
   * money.
   */
  open(userId: number, book: Book, options?: OpenOptions): Promise<number | undefined>;
  /** The account if there is one. Opens nothing. */
  find(userId: number, book: Book, sub?: number): Promise<number | undefined>;
  /** The same, synchronously, if it is cached; undefined proves nothing. */
  recall(userId: number, book: Book, sub?: number): number | undefined;
  /** Reads the accounts of many users a few hundred at a time into the cache. Opens nothing. */
  meet(userIds: readonly number[]): Promise<void>;
  /** The owner of this account; undefined for an exchange account. */
  ownerOf(account: number): Promise<AccountOwner | undefined>;
  /** Every account of a user, in the order they were opened. */
  list(userId: number): Promise<readonly OwnedAccount[]>;
  /**
   * Sets what every account of a user may do, those opened later included; false while the core cannot answer. With
   * `different` nothing is submitted for accounts that have it by the tables, which may lag behind the core.
   */
  block(userId: number, blocks: Blocks, which?: "all" | "different"): Promise<boolean>;
  /**
   * Blocks accounts that a process opened for a blocked user and did not block before it ended; returns their number.
   */
  blockLeftOpen(): Promise<number>;
  /** An account was opened; the engine calls this before it answers the request. */
  note(account: number, owner: AccountOwner): void;
}

export interface Blocks {
  readonly trading: boolean;
  readonly outgoing: boolean;
}

export interface OpenOptions {
  readonly sub?: number;
  /** Left out, a new book has what the user's funding book is blocked for. */
  readonly blocked?: boolean;
}

interface AccountRow extends AccountOwner {
  readonly account: number;
  readonly flags: number;
}

const ACCOUNTS_MAX = 400_000;
const MET_AT_ONCE = 200;

export interface ResolverOptions {
  readonly kysely: Kysely<unknown>;
  readonly submit: EngineHandle["submit"];
  readonly accountsMax?: number;
}

export function createAccountResolver(options: ResolverOptions): AccountResolver {
  return new Resolver(options);
}

class Resolver implements AccountResolver {
  readonly #options: ResolverOptions;
  /** By user, then by book and sub. */
  readonly #users = new Map<number, Map<string, number>>();
  readonly #owners = new Map<number, AccountOwner>();
  readonly #opening = new Map<string, Promise<number | undefined>>();

  constructor(options: ResolverOptions) {
    this.#options = options;
  }

  recall(userId: number, book: Book, sub = 0): number | undefined {
    return this.#users.get(userId)?.get(bookName(book, sub));
  }

  note(account: number, { userId, book, sub }: AccountOwner): void {
    if (this.#owners.size >= (this.#options.accountsMax ?? ACCOUNTS_MAX)) {
      this.#owners.clear();
      this.#users.clear();
    }
    this.#owners.set(account, { userId, book, sub });
    let accounts = this.#users.get(userId);
    if (accounts === undefined) {
      accounts = new Map();
      this.#users.set(userId, accounts);
    }
    accounts.set(bookName(book, sub), account);
  }

  async find(userId: number, book: Book, sub = 0): Promise<number | undefined> {
    const known = this.recall(userId, book, sub);
    if (known !== undefined) return known;
    const rows = await this.#read(userId);
    // Accounts opened since the tables were written are cached.
    return rows.find((row) => row.book === book && row.sub === sub)?.account ?? this.recall(userId, book, sub);
  }

  async meet(userIds: readonly number[]): Promise<void> {
    for (let at = 0; at < userIds.length; at += MET_AT_ONCE) {
      const rows = await this.#rows()
        .where("user_id", "in", userIds.slice(at, at + MET_AT_ONCE))
        .execute();
      for (const row of rows) this.note(row.account, row);
    }
  }

  async ownerOf(account: number): Promise<AccountOwner | undefined> {
    const known = this.#owners.get(account);
    if (known !== undefined) return known;
    const row = await this.#rows().where("account", "=", account).executeTakeFirst();
    if (row !== undefined) this.note(account, row);
    return this.#owners.get(account);
  }

  async list(userId: number): Promise<readonly OwnedAccount[]> {
    await this.#read(userId);
    // With accounts opened a moment ago and not in the tables yet.
    const accounts = [...(this.#users.get(userId)?.values() ?? [])].sort((left, right) => left - right);
    return accounts.flatMap((account) => {
      const owner = this.#owners.get(account);
      return owner === undefined ? [] : [{ account, ...owner }];
    });
  }

  open(userId: number, book: Book, { sub = 0, blocked }: OpenOptions = {}): Promise<number | undefined> {
    const name = `${userId}:${bookName(book, sub)}:${blocked ?? ""}`;
    // Concurrent requests share one command; a later one gets what exists.
    let opening = this.#opening.get(name);
    if (opening === undefined) {
      opening = this.#open({ userId, book, sub }, blocked).finally(() => this.#opening.delete(name));
      this.#opening.set(name, opening);
    }
    return opening;
  }

  async #open(owner: AccountOwner & { book: Book }, blocked: boolean | undefined): Promise<number | undefined> {
    const { userId, book, sub } = owner;
    const known = await this.find(userId, book, sub);
    if (known !== undefined && blocked !== true) return known;
    const blocks = blocked === undefined ? await this.#inherited(userId) : { trading: blocked, outgoing: blocked };
    const { submit } = this.#options;
    const ack = await submit({ kind: "createAccount", user: userId, book, sub });
    if (ack.done !== true) return undefined;
    const account = ack.events.find((event) => event.kind === "accountCreated")?.account;
    if (account === undefined) return undefined;
    if ((blocks.trading || blocks.outgoing) && !(await this.#block(account, blocks))) return undefined;
    this.note(account, owner);
    return account;
  }

  async blockLeftOpen(): Promise<number> {
    const rows = await this.#rows()
      .where("user_id", "in", (from) => from.selectFrom("engine_accounts").select("user_id").where(IS_BLOCKED_FUNDING))
      .execute();
    const open = rows.filter(({ flags }) => (flags & ACCOUNT_BLOCK_OUTGOING) === 0);
    for (const { account, userId, flags } of open) await this.#block(account, await this.#inherited(userId), flags);
    return open.length;
  }

  async block(userId: number, blocks: Blocks, which: "all" | "different" = "all"): Promise<boolean> {
    const stored = new Map((await this.#read(userId)).map(({ account, flags }) => [account, flags]));
    for (const { account } of await this.list(userId)) {
      const flags = stored.get(account) ?? 0;
      const isSame =
        which === "different" &&
        stored.has(account) &&
        ((flags & ACCOUNT_BLOCK_TRADING) !== 0) === blocks.trading &&
        ((flags & ACCOUNT_BLOCK_OUTGOING) !== 0) === blocks.outgoing;
      if (!isSame && !(await this.#block(account, blocks, flags))) return false;
    }
    return true;
  }

  /** The other flags of the account remain. */
  async #block(account: number, { trading, outgoing }: Blocks, flags = 0): Promise<boolean> {
    const allowSelfTrade = (flags & ACCOUNT_ALLOW_SELF_TRADE) !== 0;
    const block = { kind: "setAccountFlags", account, blockTrading: trading, blockOutgoing: outgoing } as const;
    return (await this.#options.submit({ ...block, allowSelfTrade })).done;
  }

  /** A user whose first book is blocked may not do in another what they may not do in it. */
  async #inherited(userId: number): Promise<Blocks> {
    const flags = (await this.#read(userId)).find(({ book }) => book === "funding")?.flags ?? 0;
    return { trading: (flags & ACCOUNT_BLOCK_TRADING) !== 0, outgoing: (flags & ACCOUNT_BLOCK_OUTGOING) !== 0 };
  }

  async #read(userId: number): Promise<readonly AccountRow[]> {
    const rows = await this.#rows().where("user_id", "=", userId).orderBy("account").execute();
    for (const row of rows) this.note(row.account, row);
    return rows;
  }

  #rows() {
    return this.#options.kysely
      .$extendTables<{
        engine_accounts: { account: number; user_id: number; book: string; sub: number; flags: number };
      }>()
      .selectFrom("engine_accounts")
      .select(["account", "user_id as userId", "book", "sub", "flags"]);
  }
}

const IS_BLOCKED_FUNDING = sql<boolean>`book = 'funding' AND (flags & ${sql.lit(ACCOUNT_BLOCK_OUTGOING)}) <> 0`;

function bookName(book: string, sub: number): string {
  return sub === 0 ? book : `${book}:${sub}`;
}
