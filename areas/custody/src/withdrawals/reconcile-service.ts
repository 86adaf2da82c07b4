// Compares the balances on the chains with the ledger's liabilities, coin by coin and to the last base unit. Every
// difference is explained by deposits, payments and fees on their way. More than that is stored as an unsolicited
// deposit; less is an alarm, and withdrawals of the coin's networks pause. Chain, tables and ledger cannot be read at
// one moment: the tables are read before and after the others, and a difference up to the amount moved in between
// proves nothing.
import { EXTERNAL_ACCOUNT } from "@clockwork/core/protocol/names";
import type { ChainsNeeds, Coins } from "@clockwork/kit/chains/chain";
import { coinAt, coinOf, type Network } from "@clockwork/kit/chains/network";
import { decimalText, trimZeros } from "@clockwork/kit/decimal";
import type { Reconciliation, Unclaimed } from "./contract.ts";
import { isKept, type ReadBlocks, settleDifference } from "./rules.ts";
import type { MinedRow, SendingStore } from "./sending-store.ts";
import type { UnclaimedRow, UnclaimedStore } from "./store.ts";

interface KnownDeposit {
  readonly deposit_id: string;
  readonly asset: string;
  readonly address: string;
  readonly chain_units: string;
  readonly units: bigint;
  readonly state: string;
  readonly block_number: number | null;
}

/** Custody's deposits, and all incoming money in the ledger. */
export interface DepositBook {
  listAll(network: string): Promise<readonly KnownDeposit[]>;
  issuedUnits(external: number): Promise<ReadonlyMap<number, bigint>>;
}

/** A block up to which the tables contain all deposits and payments. */
export interface Standing {
  readonly number: number;
  readonly hash: string;
}

/** The fees of moves between the exchange's own addresses, the part in the ledger, and the part being sent to it. */
interface MoveFees {
  readonly paid: bigint;
  readonly postedUnits: bigint;
  readonly uncounted: bigint;
}

export interface ReconcileNeeds {
  readonly chains: ChainsNeeds;
  readonly coins: Coins;
  readonly now: () => number;
  /** Undefined until a network was read once. */
  standing(network: string): Standing | undefined;
  /** Until the ledger's tables hold all that the ledger has done so far. */
  settled(): Promise<void>;
  /** Up to a block. */
  moveFees(network: string, number: number): Promise<MoveFees>;
  /** Waits a moment until pending movements settle. */
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
  /** This much may have moved while the others were read. */
  readonly slack: bigint;
}
const NO_SUMS: Sums = { chain: 0n, ledger: 0n, uncredited: 0n, leaving: 0n, fees: 0n, gifts: 0n, slack: 0n };

/** The tables' state of one network up to a block. */
interface TablesAt {
  readonly network: Network;
  readonly at: Standing;
  readonly deposits: readonly KnownDeposit[];
  readonly mined: readonly MinedRow[];
  readonly postedUnits: bigint;
  readonly moves: MoveFees;
}
type SumsOf = (asset: string) => Mutable<Sums>;
/** All coins at the blocks that were read last. */
interface Picture {
  readonly sums: ReadonlyMap<string, Sums>;
  readonly read: ReadBlocks;
  readonly gifts: readonly UnclaimedRow[];
}

const wholeOf = ({ chain, ledger, uncredited, leaving, fees, gifts }: Sums): bigint =>
  chain - ledger - uncredited + leaving + fees - gifts;

/** May be explained by concurrent movements; the next reconciliation checks again. */
function movingOf(sums: Sums): bigint {
  const whole = wholeOf(sums);
  return (whole < 0n ? -whole : whole) <= sums.slack ? whole : 0n;
}

const differenceOf = (sums: Sums): bigint => wholeOf(sums) - movingOf(sums);

export class ReconcileService {
  readonly #store: DepositBook;
  readonly #sendings: SendingStore;
  readonly #gifts: UnclaimedStore;
  readonly #needs: ReconcileNeeds;
  #running: Promise<Reconciliation | undefined> | undefined;

  constructor(parts: { store: DepositBook; sendings: SendingStore; gifts: UnclaimedStore; needs: ReconcileNeeds }) {
    this.#store = parts.store;
    this.#gifts = parts.gifts;
    this.#sendings = parts.sendings;
    this.#needs = parts.needs;
  }

  /** Undefined while a network cannot be read. A concurrent caller gets the same result. */
  run(): Promise<Reconciliation | undefined> {
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** Newest first, for operators. */
  async listUnclaimed(): Promise<readonly Unclaimed[]> {
    const rows = await this.#gifts.listUnclaimed();
    return rows.map(({ asset, fine_units, seen_ms, is_kept }) => ({
      asset,
      amount: text(BigInt(fine_units)),
      seenAtMs: seen_ms,
      isKept: is_kept,
    }));
  }

  /** A difference counts when it persists: tables, ledger and chain are read one after the other. */
  async #run(): Promise<Reconciliation | undefined> {
    for (let left = TRIES; ; left -= 1) {
      const picture = await this.#look().catch(() => undefined);
      const isWhole = picture !== undefined && [...picture.sums.values()].every((sums) => wholeOf(sums) === 0n);
      if (isWhole || left === 1) return picture === undefined ? undefined : this.#settle(picture);
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
        await this.#gifts.addUnclaimed(added);
        this.#needs.report("custody.gift", { asset, amount: text(difference) });
      }
      for (const { row, ...values } of changes) await this.#gifts.changeUnclaimed(row, values);
      if (wholeOf(sum) === 0n) await this.#keepOld(own, at);
      settled.set(asset, { ...sum, gifts: sum.gifts + difference - missing });
    }
    const answer = this.#describe(settled);
    if (!answer.isWhole) await this.#alarm(answer);
    return answer;
  }

  async #keepOld(
    rows: readonly UnclaimedRow[],
    at: { readonly nowMs: number; readonly read: ReadBlocks },
  ): Promise<void> {
    for (const row of rows) {
      if (row.is_kept || !isKept(row, this.#needs.chains.networks, at)) continue;
      await this.#gifts.changeUnclaimed(row, { fine_units: row.fine_units, is_kept: true });
    }
  }

  async #look(): Promise<Picture> {
    const sums = new Map<string, Mutable<Sums>>();
    const of: SumsOf = (asset) => {
      const known = sums.get(asset) ?? { ...NO_SUMS };
      sums.set(asset, known);
      return known;
    };
    const before: TablesAt[] = [];
    for (const network of this.#needs.chains.networks) {
      const at = this.#needs.standing(network.network);
      if (at === undefined) throw new Error(`${network.network} was not read yet`);
      await this.#standsStill(network, at);
      before.push(await this.#readTables(network, at));
    }
    for (const answer of before) {
      await this.#addChain(answer, of);
      for (const { asset, part, value } of itemsOf(answer, this.#needs.coins).values()) of(asset)[part] += value;
    }
    // What the tables marked done before this moment is in the ledger's tables now.
    await this.#needs.settled();
    const issued = await this.#store.issuedUnits(EXTERNAL_ACCOUNT);
    for (const asset of sums.keys()) {
      const coin = this.#needs.coins.find(asset);
      if (coin !== undefined) of(asset).ledger = scaled(issued.get(coin.asset) ?? 0n, coin.scale);
    }
    for (const answer of before) {
      await this.#standsStill(answer.network, answer.at);
      const after = itemsOf(await this.#readTables(answer.network, answer.at), this.#needs.coins);
      addSlack(itemsOf(answer, this.#needs.coins), after, of);
    }
    const gifts = await this.#gifts.listUnclaimed();
    for (const { asset, fine_units } of gifts) of(asset).gifts += BigInt(fine_units);
    return { sums, gifts, read: new Map(before.map(({ network, at }) => [network.network, at.number])) };
  }

  /** If the block was replaced, the tables describe another chain than its balances. */
  async #standsStill({ network }: Network, { number, hash }: Standing): Promise<void> {
    const now = await this.#needs.chains.chain(network).hashAt(number);
    if (now !== hash) throw new Error(`block ${number} of ${network} was replaced`);
  }

  async #readTables(network: Network, at: Standing): Promise<TablesAt> {
    return {
      network,
      at,
      deposits: await this.#store.listAll(network.network),
      mined: await this.#sendings.listMined(network.network, at.number),
      postedUnits: (await this.#sendings.readGas(network.network)).posted_units,
      moves: await this.#needs.moveFees(network.network, at.number),
    };
  }

  async #addChain({ network, at: { number }, deposits }: TablesAt, of: SumsOf): Promise<void> {
    const house = this.#needs.chains.house();
    if (house === undefined) throw new Error("the house's addresses are not known yet");
    const held = new Map<string, Set<string>>();
    for (const { asset } of network.coins) held.set(asset, new Set([house.hot, house.cold]));
    const native = coinAt(network, null)?.asset ?? "";
    for (const { asset, address } of deposits) {
      held.get(asset)?.add(address);
      // Gas for its sweep may be there too.
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
        moving: text(movingOf(sum)),
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

/** One entry of the tables that explains a part of a coin's difference. */
interface Item {
  readonly asset: string;
  readonly part: "uncredited" | "leaving" | "fees";
  readonly value: bigint;
  /** This much can be sent to the ledger at any moment, or was just sent. */
  readonly moving: bigint;
}

function itemsOf(answer: TablesAt, coins: Coins): ReadonlyMap<string, Item> {
  const { network, at, deposits, mined, postedUnits, moves } = answer;
  const items = new Map<string, Item>();
  for (const row of deposits) {
    const [coin, listed] = [coinOf(network, row.asset), coins.find(row.asset)];
    if (coin === undefined || listed === undefined) continue;
    const isThere = row.block_number !== null && row.block_number <= at.number;
    const isCredited = row.state === "CREDITED" || row.state === "UNLOCKED" || row.state === "TAKING";
    const owed = scaled(row.units, listed.scale);
    const value = (isThere ? scaled(BigInt(row.chain_units), coin.decimals) : 0n) - (isCredited ? owed : 0n);
    const moving = row.state === "CREDITING" || row.state === "TAKING" ? owed : 0n;
    items.set(`deposit:${row.deposit_id}`, { asset: row.asset, part: "uncredited", value, moving });
  }
  const native = coinAt(network, null);
  const feeUnits = native === undefined ? undefined : coins.find(native.asset);
  const addFee = (key: string, value: bigint, moving = 0n): void => {
    if (native !== undefined && feeUnits !== undefined)
      items.set(key, { asset: native.asset, part: "fees", value, moving });
  };
  const fine = (fee: bigint): bigint => scaled(fee, native?.decimals ?? 0);
  // The ledger receives whole units of it: an earlier remainder may come with the next.
  const counting = (fee: bigint): bigint => (fee === 0n ? 0n : fine(fee) + scaled(1n, feeUnits?.scale ?? 0));
  for (const row of mined) {
    const coin = coinOf(network, row.asset);
    const isThere = row.block_number !== null && row.block_number <= at.number;
    const amount = scaled(BigInt(row.chain_units), coin?.decimals ?? 0);
    // In the ledger, and above the block, or in none since its own was replaced: the chain has yet to pay it.
    const isPublished = row.state === "DONE" && (row.is_settled ?? false);
    const value = (isThere && row.is_success ? amount : 0n) - (isPublished ? amount : 0n);
    const leaving = { asset: row.asset, part: "leaving", value: row.state === null ? 0n : value } as const;
    const moving = row.state === "DONE" && !isPublished ? amount : 0n;
    if (coin !== undefined) items.set(`sending:${row.nonce}:${row.place}`, { ...leaving, moving });
    const fee = BigInt(row.fee_units);
    addFee(
      `fee:${row.nonce}:${row.place}`,
      isThere ? fine(fee) : 0n,
      row.is_counted || !row.is_ended ? 0n : counting(fee),
    );
  }
  addFee("posted", -scaled(postedUnits + moves.postedUnits, feeUnits?.scale ?? 0));
  addFee("moves", fine(moves.paid), counting(moves.uncounted));
  return items;
}

/** What changed between two reads of the tables, or was only half sent to the ledger in one of them. */
function addSlack(before: ReadonlyMap<string, Item>, after: ReadonlyMap<string, Item>, of: SumsOf): void {
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const [was, now] = [before.get(key), after.get(key)];
    const change = (now?.value ?? 0n) - (was?.value ?? 0n);
    const asset = (now ?? was)?.asset ?? "";
    of(asset).slack += (change < 0n ? -change : change) + (was?.moving ?? 0n) + (now?.moving ?? 0n);
  }
}

function scaled(value: bigint, decimals: number): bigint {
  return value * 10n ** BigInt(SCALE - decimals);
}

function text(value: bigint): string {
  return value < 0n ? `-${trimZeros(decimalText(-value, SCALE))}` : trimZeros(decimalText(value, SCALE));
}
