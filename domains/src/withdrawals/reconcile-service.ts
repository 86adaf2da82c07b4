// Compares what the chains hold with what the ledger owes, coin by coin and to the last base unit. Every difference is
// explained by deposits, payments and fees on their way. More than that is written down as a gift of somebody unknown;
// less is an alarm, and withdrawals of the coin's networks pause.
import { EXTERNAL_ACCOUNT } from "@clockwork/core/protocol/names";
import type { ChainsNeeds, Coins } from "@clockwork/kit/chains/chain";
import type { Network, NetworkCoin } from "@clockwork/kit/chains/network";
import { coinAt } from "@clockwork/kit/chains/network";
import { decimalText, trimZeros } from "@clockwork/kit/decimal";
import type { Gift, Reconciliation } from "./api.ts";
import { isKept, type ReadBlocks, settleDifference } from "./rules.ts";
import type { GiftRow, GiftStore, SendingStore } from "./sending-store.ts";

/** What custody knows of deposits, and the ledger of all money that came in. */
export interface DepositBook {
  readCursor(network: string): Promise<{ readonly number: number } | undefined>;
  listAll(network: string): Promise<
    readonly {
      readonly asset: string;
      readonly address: string;
      readonly chain_units: string;
      readonly units: bigint;
      readonly state: string;
      readonly block_number: number | null;
    }[]
  >;
  issuedUnits(external: number): Promise<ReadonlyMap<number, bigint>>;
}

export interface ReconcileNeeds {
  readonly chains: ChainsNeeds;
  readonly coins: Coins;
  readonly now: () => number;
  /** What the house's moves between its own addresses paid up to a block, and what of it the ledger knows. */
  moveFees(network: string, number: number): Promise<{ readonly paid: bigint; readonly postedUnits: bigint }>;
  /** Waits a moment: what is on its way settles. */
  rest(): Promise<void>;
  pause(network: string, cause: string): Promise<void>;
  show(asset: string, difference: bigint, gifts: bigint): void;
  report(fact: string, fields: Readonly<Record<string, unknown>>): void;
}

/** Fine enough for every chain; all amounts are compared in it. */
const SCALE = 30;
const TRIES = 4;
const CHUNK = 100;

type Mutable<Type> = { -readonly [Name in keyof Type]: Type[Name] };
interface Sums {
  readonly chain: bigint;
  readonly ledger: bigint;
  readonly uncredited: bigint;
  readonly leaving: bigint;
  readonly fees: bigint;
  readonly gifts: bigint;
}
/** All coins at the blocks that were read last. */
interface Picture {
  readonly sums: ReadonlyMap<string, Sums>;
  readonly read: ReadBlocks;
  readonly gifts: readonly GiftRow[];
}

const differenceOf = ({ chain, ledger, uncredited, leaving, fees, gifts }: Sums): bigint =>
  chain - ledger - uncredited + leaving + fees - gifts;

export class ReconcileService {
  readonly #store: DepositBook;
  readonly #sendings: SendingStore;
  readonly #gifts: GiftStore;
  readonly #needs: ReconcileNeeds;
  #running: Promise<Reconciliation | undefined> | undefined;

  constructor(parts: { store: DepositBook; sendings: SendingStore; gifts: GiftStore; needs: ReconcileNeeds }) {
    this.#store = parts.store;
    this.#gifts = parts.gifts;
    this.#sendings = parts.sendings;
    this.#needs = parts.needs;
  }

  /** Nothing while a network cannot be read. Who asks while it runs gets the same answer. */
  run(): Promise<Reconciliation | undefined> {
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** Newest first, for operators. */
  async listGifts(): Promise<readonly Gift[]> {
    const rows = await this.#gifts.listGifts();
    return rows.map(({ asset, fine_units, seen_ms, is_kept }) => ({
      asset,
      amount: text(BigInt(fine_units)),
      seenAtMs: seen_ms,
      isKept: is_kept,
    }));
  }

  /** A difference counts when it stays: tables, ledger and chain are read one after the other. */
  async #run(): Promise<Reconciliation | undefined> {
    for (let left = TRIES; ; left -= 1) {
      const picture = await this.#look().catch(() => undefined);
      if (picture === undefined) return undefined;
      const isWhole = [...picture.sums.values()].every((sums) => differenceOf(sums) === 0n);
      if (isWhole || left === 1) return this.#settle(picture);
      await this.#needs.rest();
    }
  }

  async #settle({ sums, read, gifts }: Picture): Promise<Reconciliation> {
    const at = { nowMs: this.#needs.now(), read };
    const settled = new Map<string, Sums>();
    for (const [asset, sum] of sums) {
      const own = gifts.filter((row) => row.asset === asset);
      const difference = differenceOf(sum);
      const { added, changes, missing } = settleDifference(asset, difference, own, at);
      if (added !== undefined) {
        await this.#gifts.addGift(added);
        this.#needs.report("custody.gift", { asset, amount: text(difference) });
      }
      for (const { row, ...values } of changes) await this.#gifts.changeGift(row, values);
      if (difference === 0n) await this.#keepOld(own, at);
      settled.set(asset, { ...sum, gifts: sum.gifts + difference - missing });
    }
    const told = this.#describe(settled);
    if (!told.isWhole) await this.#alarm(told);
    return told;
  }

  async #keepOld(rows: readonly GiftRow[], at: { readonly nowMs: number; readonly read: ReadBlocks }): Promise<void> {
    for (const row of rows) {
      if (row.is_kept || !isKept(row, this.#needs.chains.networks, at)) continue;
      await this.#gifts.changeGift(row, { fine_units: row.fine_units, is_kept: true });
    }
  }

  async #look(): Promise<Picture> {
    const sums = new Map<string, Mutable<Sums>>();
    const read = new Map<string, number>();
    const of = (asset: string): Mutable<Sums> => {
      const known = sums.get(asset) ?? { chain: 0n, ledger: 0n, uncredited: 0n, leaving: 0n, fees: 0n, gifts: 0n };
      sums.set(asset, known);
      return known;
    };
    for (const network of this.#needs.chains.networks) {
      const cursor = await this.#store.readCursor(network.network);
      if (cursor === undefined) throw new Error(`${network.network} was not read yet`);
      read.set(network.network, cursor.number);
      await this.#addChain(network, cursor.number, of);
      await this.#addDeposits(network, cursor.number, of);
      await this.#addSendings(network, cursor.number, of);
    }
    const issued = await this.#store.issuedUnits(EXTERNAL_ACCOUNT);
    for (const asset of sums.keys()) {
      const coin = this.#needs.coins.find(asset);
      if (coin !== undefined) of(asset).ledger = scaled(issued.get(coin.asset) ?? 0n, coin.scale);
    }
    const gifts = await this.#gifts.listGifts();
    for (const { asset, fine_units } of gifts) of(asset).gifts += BigInt(fine_units);
    return { sums, read, gifts };
  }

  async #addChain(network: Network, number: number, of: (asset: string) => Mutable<Sums>): Promise<void> {
    const house = this.#needs.chains.house();
    if (house === undefined) throw new Error("the house's addresses are not known yet");
    const held = new Map<string, Set<string>>();
    for (const { asset } of network.coins) held.set(asset, new Set([house.hot, house.cold]));
    const native = coinAt(network, null)?.asset ?? "";
    for (const { asset, address } of await this.#store.listAll(network.network)) {
      held.get(asset)?.add(address);
      // Gas for its sweep may stand there too.
      held.get(native)?.add(address);
    }
    const asks = network.coins.flatMap((coin) =>
      [...(held.get(coin.asset) ?? [])].map((address) => ({ coin, address })),
    );
    const chain = this.#needs.chains.chain(network.network);
    for (let at = 0; at < asks.length; at += CHUNK) {
      const some = asks.slice(at, at + CHUNK);
      const balances = await chain.balances(
        some.map(({ coin, address }) => ({ contract: coin.contract, address })),
        number,
      );
      for (const [index, { coin }] of some.entries())
        of(coin.asset).chain += scaled(balances[index] ?? 0n, coin.decimals);
    }
  }

  async #addDeposits(network: Network, number: number, of: (asset: string) => Mutable<Sums>): Promise<void> {
    const coins = new Map(network.coins.map((coin) => [coin.asset, coin]));
    for (const row of await this.#store.listAll(network.network)) {
      const coin = coins.get(row.asset);
      const listed = this.#needs.coins.find(row.asset);
      if (coin === undefined || listed === undefined) continue;
      const isThere = row.block_number !== null && row.block_number <= number;
      const isCredited = row.state === "CREDITED" || row.state === "UNLOCKED" || row.state === "TAKING";
      const arrived = isThere ? scaled(BigInt(row.chain_units), coin.decimals) : 0n;
      of(row.asset).uncredited += arrived - (isCredited ? scaled(row.units, listed.scale) : 0n);
    }
  }

  async #addSendings(network: Network, number: number, of: (asset: string) => Mutable<Sums>): Promise<void> {
    const coins = new Map(network.coins.map((coin) => [coin.asset, coin]));
    const native = coinAt(network, null);
    let paid = 0n;
    for (const row of await this.#sendings.listMined(network.network, number)) {
      const coin: NetworkCoin | undefined = coins.get(row.asset);
      const isTold = row.state === "DONE" && row.is_settled;
      if (row.is_success && row.state !== null && !isTold && coin !== undefined)
        of(row.asset).leaving += scaled(BigInt(row.chain_units), coin.decimals);
      paid += BigInt(row.fee_units);
    }
    const listed = native === undefined ? undefined : this.#needs.coins.find(native.asset);
    if (native === undefined || listed === undefined) return;
    const { posted_units } = await this.#sendings.readGas(network.network);
    const moves = await this.#needs.moveFees(network.network, number);
    of(native.asset).fees += scaled(paid + moves.paid, native.decimals);
    of(native.asset).fees -= scaled(posted_units + moves.postedUnits, listed.scale);
  }

  #describe(sums: ReadonlyMap<string, Sums>): Reconciliation {
    const assets = [...sums].map(([asset, sum]) => {
      const { chain, ledger, uncredited, leaving, fees, gifts } = sum;
      const difference = differenceOf(sum);
      this.#needs.show(asset, difference, gifts);
      return {
        asset,
        chain: text(chain),
        ledger: text(ledger),
        uncredited: text(uncredited),
        leaving: text(leaving),
        fees: text(fees),
        gifts: text(gifts),
        difference: text(difference),
      };
    });
    return { atMs: this.#needs.now(), isWhole: assets.every(({ difference }) => difference === "0"), assets };
  }

  async #alarm({ assets }: Reconciliation): Promise<void> {
    const wrong = assets.filter(({ difference }) => difference !== "0");
    this.#needs.report("custody.difference", {
      assets: wrong.map(({ asset, difference }) => `${asset} ${difference}`),
    });
    for (const { network, coins } of this.#needs.chains.networks) {
      if (coins.some((coin) => wrong.some(({ asset }) => asset === coin.asset))) {
        await this.#needs.pause(network, "the chain and the ledger differ");
      }
    }
  }
}

function scaled(value: bigint, decimals: number): bigint {
  return value * 10n ** BigInt(SCALE - decimals);
}

function text(value: bigint): string {
  return value < 0n ? `-${trimZeros(decimalText(-value, SCALE))}` : trimZeros(decimalText(value, SCALE));
}
