// From the queue to the chain: each payment or batch gets the hot wallet's next number, is signed by the signer, sent,
// monitored, sent again with a higher fee when it is stuck, and completed when its block is deep enough. Every
// signature is preceded by a stored row with all that leaves under its number, and a withdrawal never leaves under a
// second one: this is what prevents double payments.
import { isHouseKey, KEY_STARTS, PLAIN_GAS, sentOutcome } from "@clockwork/kit/chains/batch";
import type { Chain, Receipt } from "@clockwork/kit/chains/chain";
import { inGroups } from "@clockwork/kit/chains/in-groups";
import { coinAt, coinOf, confirmationsOf, type Network, toChainUnits } from "@clockwork/kit/chains/network";
import type { Waiting } from "../payouts/needs.ts";
import { FeeService, HotWallet, OWNER_HELD, placesLeft } from "./fee-service.ts";
import type { PayoutNeeds } from "./needs.ts";
import { dearerFees } from "./rules.ts";
import type { PartRow, SendingRow, SendingStore } from "./sending-store.ts";
import type { WithdrawalRow, WithdrawStore } from "./store.ts";

/** Reserved for gas: sweeps do not wait for the end of a long queue of payments. */
const GAS_PLACES = 5;
/** In one turn: mined ones are checked in between, however long the queue is. */
const TURN_MAX = 25;
/** Mined payments checked concurrently. */
const TOGETHER = 10;
/** Queued payments read at once: those that cannot be paid now must not hide those that can. */
const QUEUE_PAGE = 100;
const QUEUE_PAGES_MAX = 50;
const CONTRACT_GAS = "120000";
/** Blocks a payment may wait before its fee is raised. */
const STUCK_BLOCKS = 10;
const RESEND_MS = 4_000;

/** What was done about a mined payment: while its block is unchanged, the tables are not read again. */
interface Followed {
  readonly block: number;
  /** Deep enough in the chain. */
  readonly isDeep: boolean;
  /** Empty for gas of a sweep. */
  readonly userIds: readonly number[];
}

/** A withdrawal that leaves under a number, separately or in a batch. */
type Part = Pick<PartRow, "withdrawal_id" | "receiver" | "chain_units">;

export class PayoutService {
  readonly #sendings: SendingStore;
  readonly #withdrawals: WithdrawStore;
  readonly #needs: PayoutNeeds;
  readonly #fees: FeeService;
  readonly #hot: HotWallet;
  /** By network and number of the hot wallet; a stop clears both. */
  readonly #followed = new Map<string, Followed>();
  readonly #resentMs = new Map<string, number>();
  /** The last published block of a network. */
  readonly #publishedHeads = new Map<string, number>();

  constructor(parts: { sendings: SendingStore; withdrawals: WithdrawStore; needs: PayoutNeeds }) {
    this.#fees = new FeeService(parts);
    this.#hot = new HotWallet(parts);
    this.#sendings = parts.sendings;
    this.#withdrawals = parts.withdrawals;
    this.#needs = parts.needs;
  }

  /** One turn of a network, after its newest block. True when more can start at once: the next block is read first. */
  async turn(network: Network, head: number): Promise<boolean> {
    const chain = this.#needs.chains.chain(network.network);
    const open = await this.#sendings.listOpen(network.network);
    if (open.length > 0) await this.#watch(network, chain, open, head);
    await this.#fees.count(network);
    return this.#needs.isPaused(network.network) ? false : this.#begin(network, chain, open);
  }

  // Beginning

  async #begin(network: Network, chain: Chain, open: readonly SendingRow[]): Promise<boolean> {
    const house = this.#needs.chains.house();
    const free = placesLeft(open) - GAS_PLACES;
    const most = Math.min(free, TURN_MAX);
    if (house === undefined || most <= 0) return false;
    const { hot } = house;
    const waiting = await this.#choose(network, chain, hot, most);
    if (waiting.length === 0) return false;
    const { payments, allow } = await this.#needs.batches.plan({ network, chain, hot, waiting, open });
    const nonces = await this.#hot.freeNonces(network, await chain.countOf(hot), payments.length);
    const price = await this.#hot.price(network, chain);
    const rows = payments.map(({ parts: _, ...one }, at) => ({ ...price, ...one, nonce: nonces[at] ?? 0 }));
    const together = payments.flatMap(({ key, parts }) =>
      parts.map((one, place): PartRow => {
        const { key: withdrawal_id, receiver, chain_units } = one;
        return { withdrawal_id, batch_key: key, place, receiver, chain_units, is_success: false };
      }),
    );
    await this.#sendAll(chain, await this.#sendings.begin(rows, together, this.#needs.now()));
    if (allow !== undefined) await this.#allow(network, chain, hot, allow);
    return waiting.length === most && free > TURN_MAX;
  }

  /** The longest waiting that can be paid now; unpayable ones do not delay them. */
  async #choose(network: Network, chain: Chain, hot: string, most: number): Promise<readonly Waiting[]> {
    const chosen: Waiting[] = [];
    const held = new Map<string, bigint>();
    let after: WithdrawalRow | undefined;
    for (let pages = 0; pages < QUEUE_PAGES_MAX; pages += 1) {
      const queued = await this.#withdrawals.listQueued(network.network, QUEUE_PAGE, after);
      for (const row of queued) {
        if (chosen.length >= most) return chosen;
        const sum = this.#sumOf(network, row);
        if (sum === undefined || !(await this.#hot.isReal(network, chain, row.asset))) continue;
        if (!(await this.#hot.isCovered(network, chain, hot, sum, held))) continue;
        if (await this.#needs.holdBack(row)) continue;
        const isPlain = coinOf(network, row.asset)?.contract === null && !(await chain.hasCode(row.address));
        const gas = isPlain ? PLAIN_GAS : CONTRACT_GAS;
        chosen.push({ ...sum, key: row.withdrawal_id, receiver: row.address, gas });
        this.#needs.changed(row.user_id);
      }
      after = queued.at(-1);
      if (queued.length < QUEUE_PAGE) break;
    }
    return chosen;
  }

  /**
   * Signed one after the other and sent together. A refusal frees the number, and those above it go back into the queue
   * unsigned; while the signer is unavailable the numbers are kept for these payments.
   */
  async #sendAll(chain: Chain, started: readonly SendingRow[]): Promise<void> {
    const signed: SendingRow[] = [];
    for (const [at, row] of started.entries()) {
      const answer = await this.#hot.sign(row);
      if (answer.signed !== undefined) {
        signed.push({ ...row, hashes: answer.signed.hash, raw: answer.signed.raw, sent_ms: this.#needs.now() });
        continue;
      }
      if (answer.refusal !== undefined) {
        await this.#callOff(row, answer.refusal);
        await this.#sendings.giveBack(started.slice(at + 1));
      }
      break;
    }
    if (signed.length === 0) return;
    await this.#sendings.keepSigned(signed);
    await inGroups(signed, signed.length, (row) => this.#broadcast(chain, row.raw, row));
  }

  /**
   * A refused batch waits again as single payments: then the signer names the one it refuses, and an operator reviews
   * it.
   */
  async #callOff(row: SendingRow, refusal: string): Promise<void> {
    // The next turn determines whose account is frozen, and sends the others.
    if (refusal === OWNER_HELD) return this.#sendings.giveBack([row]);
    if (!isMany(row)) {
      await this.#sendings.callOff(row, row.key, refusal, this.#needs.now());
      return;
    }
    const parts = await this.#sendings.listParts([row.key]);
    this.#needs.batches.payAlone(parts.map(({ withdrawal_id }) => withdrawal_id));
    await this.#sendings.giveBack([row]);
  }

  /**
   * Gas for a user's deposit address under the hot wallet's next number; false while it cannot be, or is on its way.
   */
  async topUp(network: Network, chain: Chain, userId: number, address: string, chainUnits: bigint): Promise<boolean> {
    const native = coinAt(network, null);
    const house = this.#needs.chains.house();
    const open = await this.#sendings.listOpen(network.network);
    const isUnderWay = open.some(({ key, receiver }) => key.startsWith(KEY_STARTS.topUp) && receiver === address);
    if (native === undefined || house === undefined || isUnderWay || placesLeft(open) <= 0) return false;
    const sum = { asset: native.asset, receiver: address, chain_units: chainUnits.toString(), gas: PLAIN_GAS };
    if (!(await this.#hot.isCovered(network, chain, house.hot, sum, new Map()))) return false;
    return this.#beginOwn(network, chain, house.hot, { ...sum, key: `${KEY_STARTS.topUp}${userId}` });
  }

  /** Moves nothing: waiting payments do not wait for it. */
  async #allow(
    network: Network,
    chain: Chain,
    hot: string,
    allow: { readonly asset: string; readonly isReset: boolean },
  ) {
    const { asset, isReset } = allow;
    const key = `${isReset ? KEY_STARTS.reset : KEY_STARTS.allow}${asset}`;
    const call = { asset, receiver: network.payoutContract ?? "", chain_units: "0", gas: CONTRACT_GAS };
    await this.#beginOwn(network, chain, hot, { ...call, key });
    this.#needs.batches.allowing(network, allow);
  }

  /** Transactions other than withdrawals, under the hot wallet's next number, which is part of their key. */
  async #beginOwn(network: Network, chain: Chain, hot: string, own: Waiting): Promise<boolean> {
    const [nonce = 0] = await this.#hot.freeNonces(network, await chain.countOf(hot), 1);
    const key = `${own.key}:${network.network}:${nonce}`;
    const row = { ...(await this.#hot.price(network, chain)), ...own, key, nonce };
    await this.#sendings.beginOwn(row);
    return this.#send(chain, row);
  }

  #sumOf(network: Network, row: WithdrawalRow): Pick<SendingRow, "asset" | "chain_units"> | undefined {
    const coin = coinOf(network, row.asset);
    const listed = this.#needs.coins.find(row.asset);
    if (coin === undefined || listed === undefined) return undefined;
    const sum = toChainUnits(row.amount_units - row.fee_units, coin.decimals, listed.scale);
    return { asset: row.asset, chain_units: sum.toString() };
  }

  /** Signs with its number and fee, stores the signature, sends it. False when the signer's policy refused. */
  async #send(chain: Chain, row: SendingRow): Promise<boolean> {
    const { max_fee, tip } = row;
    const { signed, refusal } = await this.#hot.sign(row);
    if (signed === undefined) {
      // A signed transaction remains valid, and the node may have lost it.
      if (row.raw !== "") await this.#broadcast(chain, row.raw, row);
      if (refusal === undefined) return true;
      if (row.hashes === "") await this.#callOff(row, refusal);
      // Timed as if its fee had been raised: the policy would refuse it again.
      else await this.#sendings.change(row, { sent_ms: this.#needs.now() });
      return row.hashes !== "";
    }
    const hashes = row.hashes.split(" ").includes(signed.hash) ? row.hashes : `${row.hashes} ${signed.hash}`.trim();
    await this.#sendings.change(row, { hashes, raw: signed.raw, max_fee, tip, sent_ms: this.#needs.now() });
    await this.#broadcast(chain, signed.raw, row);
    for (const { withdrawal_id } of await this.#partsOf(row)) {
      if (await this.#withdrawals.stepWithdrawal(withdrawal_id, "BROADCAST", { tx_hash: signed.hash }))
        for (const userId of await this.#ownersOf([withdrawal_id])) this.#needs.changed(userId);
    }
    return true;
  }

  /** Empty unless it is a withdrawal. */
  async #partsOf(row: SendingRow): Promise<readonly Part[]> {
    const { key, receiver, chain_units } = row;
    if (isMany(row)) return this.#sendings.listParts([key]);
    return isHouseKey(key) ? [] : [{ withdrawal_id: key, receiver, chain_units }];
  }

  async #ownersOf(withdrawalIds: readonly string[]): Promise<readonly number[]> {
    const rows = await inGroups(withdrawalIds, TOGETHER, (id) => this.#withdrawals.find(id));
    return rows.flatMap((row) => row?.user_id ?? []);
  }

  async #broadcast(chain: Chain, raw: string, { network, nonce }: SendingRow): Promise<void> {
    try {
      await chain.send(raw);
    } catch (error) {
      // Mined already, fee too low by now, or no node: the next turn checks again.
      this.#needs.report("payout.send.failed", {
        network,
        nonce,
        message: error instanceof Error ? error.message : "",
      });
    }
  }

  // Watching

  async #watch(network: Network, chain: Chain, open: readonly SendingRow[], head: number): Promise<void> {
    const requested = open.flatMap((row) =>
      row.hashes
        .split(" ")
        .filter((hash) => hash !== "")
        .map((hash) => ({ row, hash })),
    );
    const receipts = await chain.receipts(requested.map(({ hash }) => hash));
    const found = new Map<number, { receipt: Receipt; hash: string }>();
    for (const [index, { row, hash }] of requested.entries()) {
      const receipt = receipts[index];
      if (receipt !== undefined) found.set(row.nonce, { receipt, hash });
    }
    const touched = new Set<number>();
    const inBlocks = open.filter(({ nonce }) => found.has(nonce));
    const follow = async (row: SendingRow): Promise<readonly number[]> => {
      const mined = found.get(row.nonce);
      return mined === undefined ? [] : this.#follow(network, row, mined.receipt, mined.hash, head);
    };
    for (const userIds of await inGroups(inBlocks, TOGETHER, follow)) for (const one of userIds) touched.add(one);
    let pushes = 0;
    for (const row of open) {
      if (found.has(row.nonce)) continue;
      for (const userId of await this.#retreat(row)) touched.add(userId);
      if (pushes < TURN_MAX && (await this.#push(network, chain, row))) pushes += 1;
    }
    this.#publishedHeads.set(network.network, head);
    for (const userId of touched) this.#needs.changed(userId);
  }

  /**
   * Unmined: sent again, and with a higher fee after a long wait. Lower numbers first: nothing is mined before them.
   */
  async #push(network: Network, chain: Chain, row: SendingRow): Promise<boolean> {
    const nowMs = this.#needs.now();
    const place = placeOf(row);
    if (row.raw !== "" && nowMs - Math.max(row.sent_ms, this.#resentMs.get(place) ?? 0) <= RESEND_MS) return false;
    this.#resentMs.set(place, nowMs);
    const isStuck = nowMs - row.sent_ms > network.blockSeconds * STUCK_BLOCKS * 1_000;
    if (row.raw === "") await this.#send(chain, row);
    else if (isStuck) await this.#send(chain, { ...row, ...dearerFees(row, await chain.fees()) });
    else await this.#broadcast(chain, row.raw, row);
    return true;
  }

  /** Its block was replaced. Returns its users. */
  async #retreat(row: SendingRow): Promise<readonly number[]> {
    this.#followed.delete(placeOf(row));
    if (row.block_number === null) return [];
    await this.#sendings.change(row, { block_number: null, fee_units: "0" });
    const back = { state: "BROADCAST", block_number: null, changed_ms: this.#needs.now() } as const;
    const moved: string[] = [];
    for (const { withdrawal_id } of await this.#partsOf(row))
      if (await this.#withdrawals.stepWithdrawal(withdrawal_id, "CONFIRMING", back)) moved.push(withdrawal_id);
    return this.#ownersOf(moved);
  }

  /**
   * Mined: counts confirmations, ends the withdrawals, and the number once the block is final, after them, so that an
   * interrupted step is repeated. Returns the users whose lists changed.
   */
  async #follow(
    network: Network,
    row: SendingRow,
    receipt: Receipt,
    hash: string,
    head: number,
  ): Promise<readonly number[]> {
    const { blockNumber: block } = receipt;
    const count = confirmationsOf(block, head);
    const [isDeep, isFinal] = [count >= network.unlockBlocks, count >= network.finalBlocks];
    const known = this.#followed.get(placeOf(row));
    const isKnown = known?.block === block;
    const isCounting = !isDeep && this.#publishedHeads.get(network.network) !== head;
    // Nothing is new since the last check.
    if (isKnown && !isFinal && known.isDeep === isDeep) return isCounting ? known.userIds : [];
    const parts = await this.#partsOf(row);
    const paid = this.#outcome(network, row, parts, receipt);
    const mined = { block_number: block, fee_units: receipt.feeUnits.toString() };
    const ids = parts.map(({ withdrawal_id }) => withdrawal_id);
    if (paid === undefined) {
      await this.#alarm(network, row, mined, hash, ids);
      return [];
    }
    const is_success = isHouseKey(row.key) ? receipt.isDone : paid.size > 0;
    if (row.block_number !== block) await this.#keepBlock(row, { ...mined, is_success }, [...paid]);
    const at = { block_number: block, tx_hash: hash, changed_ms: this.#needs.now() };
    for (const id of ids) {
      if (!isKnown) await this.#withdrawals.stepWithdrawal(id, "BROADCAST", { state: "CONFIRMING", ...at });
      // A failure in a block that may be replaced could still succeed in another.
      if (paid.has(id) ? isDeep && !(isKnown && known.isDeep) : isFinal) await this.#end(id, paid.has(id), at);
    }
    const userIds = known === undefined ? await this.#ownersOf(ids) : known.userIds;
    if (isFinal) {
      const state = is_success ? "DONE" : "FAILED";
      await this.#keepBlock(row, { ...mined, is_success, state }, [...paid]);
      this.#remove(row);
    } else this.#followed.set(placeOf(row), { block, isDeep, userIds });
    return isCounting || !isKnown ? userIds : [];
  }

  /** The paid parts; undefined where something other than what was signed has moved. */
  #outcome(network: Network, row: SendingRow, parts: readonly Part[], receipt: Receipt) {
    const payout = isMany(row) ? row.receiver : null;
    const contract = coinOf(network, row.asset)?.contract ?? null;
    const from = this.#needs.chains.house()?.hot ?? "";
    const sent = parts.map(({ receiver, chain_units }) => ({ to: receiver, units: BigInt(chain_units) }));
    const paid = sentOutcome(receipt, { payout, contract, from, parts: sent });
    return paid && new Set(parts.flatMap(({ withdrawal_id }, at) => (paid[at] === true ? withdrawal_id : [])));
  }

  async #keepBlock(row: SendingRow, values: Partial<SendingRow>, paid: readonly string[]): Promise<void> {
    await (isMany(row) ? this.#sendings.judge(row, values, paid) : this.#sendings.change(row, values));
  }

  #remove(row: SendingRow): void {
    this.#followed.delete(placeOf(row));
    this.#resentMs.delete(placeOf(row));
  }

  /**
   * The coin moved something other than what was signed: neither paid nor refundable until operators have reviewed it.
   */
  async #alarm(
    network: Network,
    row: SendingRow,
    mined: Pick<SendingRow, "block_number" | "fee_units">,
    hash: string,
    ids: readonly string[],
  ): Promise<void> {
    const { key, nonce } = row;
    if (row.block_number !== mined.block_number) {
      await this.#keepBlock(row, { ...mined, is_success: true }, ids);
      this.#needs.report("payout.transfer.wrong", { network: network.network, nonce, key, hash });
    }
    if (this.#needs.isPaused(network.network)) return;
    await this.#needs.pause(network.network, `${row.asset} moved something else than was signed in ${hash}`);
  }

  async #end(key: string, isDone: boolean, at: Partial<WithdrawalRow>): Promise<void> {
    const values = { ...at, state: isDone ? "DONE" : "FAILED", reason: isDone ? "" : "CHAIN_REFUSED" } as const;
    if (!(await this.#withdrawals.stepWithdrawal(key, "CONFIRMING", values))) return;
    const row = await this.#withdrawals.find(key);
    if (row === undefined) return;
    await this.#needs.settle(row);
    this.#needs.changed(row.user_id);
    await this.#needs.notify(row, isDone ? "done" : "failed");
  }
}

const isMany = ({ key }: SendingRow): boolean => key.startsWith(KEY_STARTS.many);
const placeOf = ({ network, nonce }: SendingRow): string => `${network}:${nonce}`;
