// Reads a network's blocks one after the other and finds deposits to users' addresses. Goes back to the last common
// block when the chain was reorganised; findings and position are one transaction, so a stop anywhere loses nothing.

import type { Chain, ChainBlock, ChainsNeeds, Coins, TransferLog } from "@clockwork/kit/chains/chain";
import type { Network } from "@clockwork/kit/chains/network";
import { coinAt, toLedgerUnits } from "@clockwork/kit/chains/network";
import { arrivedUnits, findCommon, INSIDE_PLACE, NATIVE_PLACE } from "./rules.ts";
import type { CursorRow, CustodyStore, DepositRow, UnknownRow } from "./store.ts";

export interface WatchNeeds {
  readonly chains: ChainsNeeds;
  readonly coins: Coins;
  readonly now: () => number;
  /** A short name, the same for the same place on the chain. */
  idOf(network: string, txHash: string, place: number): string;
  /** How the chain's own coin at each deposit address changed by the exchange's own moves up to a block. */
  movedNative(network: Network, number: number): Promise<ReadonlyMap<string, bigint>>;
  report(fact: string, fields: Readonly<Record<string, unknown>>): void;
}

const CHUNK_BLOCKS = 100;

export interface NetworkState {
  readonly head: number;
  readonly read: number;
  readonly readMs: number;
}

export class WatchService {
  readonly #store: CustodyStore;
  readonly #needs: WatchNeeds;
  /** The owner of every address; loaded once, and added to before an address is shown. */
  readonly #owners = new Map<string, Map<string, number>>();
  readonly #states = new Map<string, NetworkState>();

  constructor({ store, needs }: { readonly store: CustodyStore; readonly needs: WatchNeeds }) {
    this.#store = store;
    this.#needs = needs;
  }

  stateOf(network: string): NetworkState | undefined {
    return this.#states.get(network);
  }

  /** The last block that was read, from the tables. */
  cursor(network: string): Promise<CursorRow | undefined> {
    return this.#store.readCursor(network);
  }

  /** Before the address is shown. */
  async own(network: string, address: string, userId: number): Promise<void> {
    await this.#store.keepAddress({ network, address, user_id: userId, created_ms: this.#needs.now() });
    (await this.#ownersOf(network)).set(address, userId);
  }

  async #ownersOf(network: string): Promise<Map<string, number>> {
    const known = this.#owners.get(network);
    if (known !== undefined) return known;
    const rows = await this.#store.listAddresses(network);
    const owners = this.#owners.get(network) ?? new Map<string, number>();
    for (const { address, user_id } of rows) owners.set(address, user_id);
    this.#owners.set(network, owners);
    return owners;
  }

  /** Everything up to the newest block. Returns that block's number. */
  async read(network: Network): Promise<number> {
    const chain = this.#needs.chains.chain(network.network);
    const head = await chain.head();
    let cursor = await this.#standOn(network, chain, head);
    while (cursor < head) {
      const next = await this.#readSome(network, chain, cursor, Math.min(head, cursor + CHUNK_BLOCKS));
      // The chain changed while it was read: the next turn starts by searching the common block.
      if (next === undefined) break;
      cursor = next;
      this.#states.set(network.network, { head, read: cursor, readMs: this.#needs.now() });
    }
    this.#states.set(network.network, { head, read: cursor, readMs: this.#needs.now() });
    return head;
  }

  /** The number of the last block confirmed as the chain's. */
  async #standOn(network: Network, chain: Chain, head: number): Promise<number> {
    const cursor = await this.#store.readCursor(network.network);
    // There were no addresses before the first block that is read.
    if (cursor === undefined) return network.isTest ? -1 : head;
    if ((await chain.hashAt(cursor.number)) === cursor.hash) return cursor.number;
    return this.#goBack(network, chain, cursor);
  }

  async #goBack({ network }: Network, chain: Chain, cursor: CursorRow): Promise<number> {
    const kept = await this.#store.listBlocks(network);
    const hashes = new Map<number, string | undefined>();
    for (const { number } of kept) hashes.set(number, await chain.hashAt(number));
    const common = findCommon(kept, hashes);
    if (common === undefined) {
      this.#needs.report("chain.history.lost", { network, number: cursor.number });
      throw new Error(`${network} tells another history than the one that was final`);
    }
    this.#needs.report("chain.reorganised", { network, from: cursor.number, to: common.number });
    await this.#store.dropBlocks(network, common.number, common.hash);
    return common.number;
  }

  async #readSome(network: Network, chain: Chain, after: number, to: number): Promise<number | undefined> {
    const [blocks, transfers] = await Promise.all([chain.blocks(after + 1, to), chain.transfers(after + 1, to)]);
    const known = (await this.#store.readCursor(network.network))?.hash;
    if (blocks.length === 0 || !isChained(blocks, known)) return undefined;
    const hashes = new Map(blocks.map(({ number, hash }) => [number, hash]));
    if (transfers.some(({ blockNumber, blockHash }) => hashes.get(blockNumber) !== blockHash)) return undefined;
    const owners = await this.#ownersOf(network.network);
    const tokens = await this.#findTokens(network, chain, owners, transfers);
    const deposits = [...(await this.#findNative(network, chain, owners, blocks)), ...tokens.deposits];
    const last = blocks.at(-1)?.number ?? after;
    await this.#store.keepFound({
      network: network.network,
      blocks,
      deposits,
      unknown: tokens.unknown,
      timeMs: this.#needs.now(),
      finalNumber: last - network.finalBlocks,
    });
    return last;
  }

  async #findNative(
    network: Network,
    chain: Chain,
    owners: ReadonlyMap<string, number>,
    blocks: readonly ChainBlock[],
  ): Promise<readonly DepositRow[]> {
    const house = this.#needs.chains.house();
    const found = blocks.flatMap((block) =>
      block.transactions
        .filter(
          ({ to, from, value }) =>
            to !== null && value > 0n && owners.has(to) && from !== house?.hot && from !== house?.cold,
        )
        .map((transaction) => ({ block, transaction })),
    );
    if (found.length === 0) return [];
    const receipts = await chain.receipts(found.map(({ transaction }) => transaction.hash));
    return found.flatMap(({ block, transaction }, index) => {
      if (receipts[index]?.isDone !== true) return [];
      const { hash, from, to, value } = transaction;
      const place = {
        txHash: hash,
        place: NATIVE_PLACE,
        from,
        to: to ?? "",
        blockNumber: block.number,
        blockHash: block.hash,
      };
      return this.#describe(network, owners, null, place, value) ?? [];
    });
  }

  async #findTokens(
    network: Network,
    chain: Chain,
    owners: ReadonlyMap<string, number>,
    transfers: readonly TransferLog[],
  ): Promise<{ deposits: readonly DepositRow[]; unknown: readonly UnknownRow[] }> {
    const house = this.#needs.chains.house();
    const own = transfers.filter(({ to, from }) => owners.has(to) && from !== house?.hot && from !== house?.cold);
    const listed = own.filter(({ contract }) => coinAt(network, contract) !== undefined);
    const unknown = own
      .filter(({ contract }) => coinAt(network, contract) === undefined)
      .map((log) => ({
        network: network.network,
        tx_hash: log.txHash,
        place: log.place,
        contract: log.contract,
        user_id: owners.get(log.to) ?? 0,
        chain_units: log.value.toString(),
        seen_ms: this.#needs.now(),
      }));
    const deposits: DepositRow[] = [];
    const groups = groupBy(listed, ({ contract, to, blockNumber }) => `${contract}:${to}:${blockNumber}`);
    const grown = await this.#grown(chain, groups);
    for (const [at, group] of groups.entries()) {
      // A coin's announcement is not trusted: the growth of the balance in the block is the received amount.
      const arrived = arrivedUnits(group, (grown[at] ?? 0n) + sumLeft(group, transfers));
      for (const [index, log] of group.entries()) {
        const row = this.#describe(network, owners, log.contract, log, arrived[index] ?? 0n);
        if (row !== undefined) deposits.push(row);
      }
    }
    return { deposits, unknown };
  }

  /**
   * The growth of the balance of each group's address in its block. Requested in one batch: over a node that loses some
   * of its responses, single requests would never complete when there is much to catch up with.
   */
  async #grown(chain: Chain, groups: readonly (readonly TransferLog[])[]): Promise<readonly bigint[]> {
    const asks = groups.flatMap(([first]) => {
      if (first === undefined) return [];
      const { contract, to: address, blockNumber } = first;
      return [blockNumber - 1, blockNumber].map((number) => ({ contract, address, number }));
    });
    const balances = asks.length === 0 ? [] : await chain.balances(asks, 0);
    return groups.map((_, at) => (balances[at * 2 + 1] ?? 0n) - (balances[at * 2] ?? 0n));
  }

  /**
   * The chain's own coin sent by contracts: visible in no transaction, only in the balance. Searched in final blocks,
   * up to one with all own moves of the exchange recorded: what those brought to an address is no deposit.
   */
  async checkInside(network: Network, known: number): Promise<void> {
    const native = coinAt(network, null);
    const number = known - network.finalBlocks;
    if (native === undefined || number <= 0) return;
    const owners = await this.#ownersOf(network.network);
    const addresses = [...owners.keys()];
    const chain = this.#needs.chains.chain(network.network);
    const hash = await chain.hashAt(number);
    const answer = await this.#store.sumNative(network.network, native.asset, number);
    const moved = await this.#needs.movedNative(network, number);
    const found: DepositRow[] = [];
    for (let at = 0; at < addresses.length; at += CHUNK_BLOCKS) {
      const some = addresses.slice(at, at + CHUNK_BLOCKS);
      const balances = await chain.balances(
        some.map((address) => ({ contract: null, address })),
        number,
      );
      for (const [index, address] of some.entries()) {
        const extra = (balances[index] ?? 0n) - (answer.get(address) ?? 0n) - (moved.get(address) ?? 0n);
        if (extra <= 0n || hash === undefined) continue;
        const place = { txHash: `inside:${number}:${address}`, place: INSIDE_PLACE, from: "", to: address };
        const row = this.#describe(network, owners, null, { ...place, blockNumber: number, blockHash: hash }, extra);
        if (row !== undefined) found.push(row);
      }
    }
    if (found.length === 0) return;
    const none = { blocks: [], unknown: [], timeMs: this.#needs.now(), finalNumber: number };
    await this.#store.keepFound({ network: network.network, deposits: found, ...none });
  }

  #describe(
    network: Network,
    owners: ReadonlyMap<string, number>,
    contract: string | null,
    at: Pick<TransferLog, "txHash" | "place" | "from" | "to" | "blockNumber" | "blockHash">,
    chainUnits: bigint,
  ): DepositRow | undefined {
    const coin = coinAt(network, contract);
    const listed = coin === undefined ? undefined : this.#needs.coins.find(coin.asset);
    const userId = owners.get(at.to);
    if (coin === undefined || listed === undefined || userId === undefined || chainUnits === 0n) return undefined;
    return {
      deposit_id: this.#needs.idOf(network.network, at.txHash, at.place),
      network: network.network,
      tx_hash: at.txHash,
      place: at.place,
      user_id: userId,
      address: at.to,
      sender: at.from,
      asset: coin.asset,
      chain_units: chainUnits.toString(),
      units: toLedgerUnits(chainUnits, coin.decimals, listed.scale),
      block_number: at.blockNumber,
      block_hash: at.blockHash,
      state: "CONFIRMING",
      round: 0,
      taken_units: 0n,
      taking_round: 0,
      repaid_units: 0n,
      seen_ms: this.#needs.now(),
      credited_ms: null,
      unlocked_ms: null,
    };
  }
}

/** Each block follows the one before it, and the first follows the stored one. */
function isChained(blocks: readonly ChainBlock[], known: string | undefined): boolean {
  return blocks.every((block, index) => {
    const parent = index === 0 ? known : blocks[index - 1]?.hash;
    return parent === undefined || block.parentHash === parent;
  });
}

/** Amounts that left the address of a group again in the same block. */
function sumLeft([first]: readonly TransferLog[], all: readonly TransferLog[]): bigint {
  return all
    .filter((log) => log.contract === first?.contract && log.from === first.to && log.blockNumber === first.blockNumber)
    .reduce((sum, { value }) => sum + value, 0n);
}

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): readonly (readonly Item[])[] {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return [...groups.values()];
}
