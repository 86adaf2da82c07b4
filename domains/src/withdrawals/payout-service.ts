// From the queue to the chain: each payment gets the hot wallet's next number, is signed by the signer, sent, watched, sent
// again with a higher fee when it is stuck, and ended when its block is deep enough. Whatever is signed was written down
// first, and a number is never used for two payments: that is what keeps a payment from being made twice.
import type { Chain, Receipt } from "@clockwork/kit/chains/chain";
import { inGroups } from "@clockwork/kit/chains/in-groups";
import { coinAt, coinOf, confirmationsOf, type Network, toChainUnits } from "@clockwork/kit/chains/network";
import { transferOutcome } from "@clockwork/kit/chains/outcome";
import { FeeService, HotWallet } from "./fee-service.ts";
import type { PayoutNeeds } from "./needs.ts";
import { dearerFees } from "./rules.ts";
import type { SendingRow, SendingStore } from "./sending-store.ts";
import type { WithdrawalRow, WithdrawStore } from "./store.ts";

/** In no block yet, and in all until their blocks are final. */
const PENDING_MAX = 100;
const OPEN_MAX = 1_000;
/** Of the first, kept for gas: what is to be swept does not wait for a long queue of payments to end. */
const GAS_PLACES = 5;
/** In one turn: those in blocks are looked at between them, however long the queue is. */
const TURN_MAX = 25;
/** Of those in blocks, looked at beside each other. */
const TOGETHER = 10;
/** Of the queue, read at once: what cannot be paid now must not hide what can. */
const QUEUE_PAGE = 100;
const QUEUE_PAGES_MAX = 50;
/** Begins the key of gas for a deposit address; the user's number follows. */
const TOP_UP = "gas:";
const NATIVE_GAS = "21000";
const CONTRACT_GAS = "120000";
/** Blocks a payment may wait before it is offered more. */
const STUCK_BLOCKS = 10;
const RESEND_MS = 4_000;

/** What was done about a payment in a block: as long as it stands there, the tables are not asked again. */
interface Followed {
  readonly block: number;
  readonly isOver: boolean;
  /** Nobody's where it is gas for a sweep. */
  readonly userId: number | undefined;
}

/** A payment that can begin, without number and fee. */
type Chosen = Pick<SendingRow, "asset" | "chain_units" | "key" | "receiver" | "gas">;

export class PayoutService {
  readonly #sendings: SendingStore;
  readonly #withdrawals: WithdrawStore;
  readonly #needs: PayoutNeeds;
  readonly #fees: FeeService;
  readonly #hot: HotWallet;
  /** By network and number of the hot wallet; a stop forgets both of them. */
  readonly #followed = new Map<string, Followed>();
  readonly #resentMs = new Map<string, number>();
  /** The block of a network people were told of last. */
  readonly #toldHeads = new Map<string, number>();

  constructor(parts: { sendings: SendingStore; withdrawals: WithdrawStore; needs: PayoutNeeds }) {
    this.#fees = new FeeService(parts);
    this.#hot = new HotWallet(parts);
    this.#sendings = parts.sendings;
    this.#withdrawals = parts.withdrawals;
    this.#needs = parts.needs;
  }

  /** One turn of a network, after its newest block. True when more is to begin at once: the next block is read first. */
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
    const chosen = await this.#choose(network, chain, house.hot, most);
    if (chosen.length === 0) return false;
    const nonces = await this.#freeNonces(network, await chain.countOf(house.hot), chosen.length);
    const price = await this.#price(network, chain);
    const rows = chosen.map((one, at) => ({ ...price, ...one, nonce: nonces[at] ?? 0 }));
    await this.#sendAll(network, chain, await this.#sendings.begin(rows, this.#needs.now()));
    return chosen.length === most && free > TURN_MAX;
  }

  /** The longest waiting that can be paid now; what cannot does not hold them up. */
  async #choose(network: Network, chain: Chain, hot: string, most: number): Promise<readonly Chosen[]> {
    const chosen: Chosen[] = [];
    const held = new Map<string, bigint>();
    let after: WithdrawalRow | undefined;
    for (let pages = 0; pages < QUEUE_PAGES_MAX; pages += 1) {
      const queued = await this.#withdrawals.listQueued(network.network, QUEUE_PAGE, after);
      for (const row of queued) {
        if (chosen.length >= most) return chosen;
        const sum = this.#sumOf(network, row);
        if (sum === undefined || !(await this.#hot.isReal(network, chain, row.asset))) continue;
        if (!(await this.#hot.isCovered(network, chain, hot, sum, held))) continue;
        const isPlain = coinOf(network, row.asset)?.contract === null && !(await chain.hasCode(row.address));
        const gas = isPlain ? NATIVE_GAS : CONTRACT_GAS;
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
   * unsigned; a signer that is away keeps them for these payments.
   */
  async #sendAll(network: Network, chain: Chain, begun: readonly SendingRow[]): Promise<void> {
    const signed: SendingRow[] = [];
    for (const [at, row] of begun.entries()) {
      const told = await this.#sign(network, row);
      if (told.signed !== undefined) {
        signed.push({ ...row, hashes: told.signed.hash, raw: told.signed.raw, sent_ms: this.#needs.now() });
        continue;
      }
      if (told.refusal !== undefined) {
        await this.#sendings.callOff(row, row.key, told.refusal, this.#needs.now());
        await this.#sendings.giveBack(begun.slice(at + 1));
      }
      break;
    }
    if (signed.length === 0) return;
    await this.#sendings.keepSigned(signed);
    await inGroups(signed, signed.length, (row) => this.#broadcast(chain, row.raw, row));
  }

  /**
   * The first neither the chain, which counted so many, nor the tables know to be used: tables of an older copy are behind the chain. One that became
   * free again when the signer refused its payment comes first: the chain mines nothing above a number that is missing.
   */
  async #freeNonces(network: Network, count: number, most: number): Promise<readonly number[]> {
    const taken = await this.#sendings.noncesFrom(network.network, count);
    const free: number[] = [];
    for (let nonce = count; free.length < most; nonce += 1) if (!taken.has(nonce)) free.push(nonce);
    return free;
  }

  /** Gas for a user's deposit address under the hot wallet's next number; false while it cannot be, or is on its way. */
  async topUp(network: Network, chain: Chain, userId: number, address: string, chainUnits: bigint): Promise<boolean> {
    const native = coinAt(network, null);
    const house = this.#needs.chains.house();
    const open = await this.#sendings.listOpen(network.network);
    const isUnderWay = open.some(({ key, receiver }) => key.startsWith(TOP_UP) && receiver === address);
    if (native === undefined || house === undefined || isUnderWay || placesLeft(open) <= 0) return false;
    const [nonce = 0] = await this.#freeNonces(network, await chain.countOf(house.hot), 1);
    const sum = { asset: native.asset, receiver: address, chain_units: chainUnits.toString(), gas: NATIVE_GAS };
    const key = `${TOP_UP}${userId}:${network.network}:${nonce}`;
    const row = { ...(await this.#price(network, chain)), ...sum, key, nonce };
    if (!(await this.#hot.isCovered(network, chain, house.hot, row, new Map()))) return false;
    await this.#sendings.beginTopUp(row);
    return this.#send(network, chain, row);
  }

  #sumOf(network: Network, row: WithdrawalRow): Pick<SendingRow, "asset" | "chain_units"> | undefined {
    const coin = coinOf(network, row.asset);
    const listed = this.#needs.coins.find(row.asset);
    if (coin === undefined || listed === undefined) return undefined;
    const sum = toChainUnits(row.amount_units - row.fee_units, coin.decimals, listed.scale);
    return { asset: row.asset, chain_units: sum.toString() };
  }

  /** What is the same of every transaction that begins now. */
  async #price(network: Network, chain: Chain) {
    const { baseFee, tip } = await chain.fees();
    return {
      network: network.network,
      max_fee: (baseFee * 2n + tip).toString(),
      tip: tip.toString(),
      hashes: "",
      raw: "",
      state: "OPEN" as const,
      block_number: null,
      fee_units: "0",
      is_success: false,
      is_counted: false,
      begun_ms: this.#needs.now(),
      sent_ms: 0,
    };
  }

  /** Neither where nobody can sign now. */
  async #sign(
    network: Network,
    row: SendingRow,
  ): Promise<{ readonly signed?: { readonly raw: string; readonly hash: string }; readonly refusal?: string }> {
    const { key, asset, receiver: to, chain_units: units, nonce, gas, max_fee: maxFee, tip } = row;
    const topUpFor = key.startsWith(TOP_UP) ? Number(key.split(":")[1]) : undefined;
    const ask = { key, network: network.network, asset, to, units, nonce, gas, maxFee, tip, topUpFor };
    try {
      return { signed: await this.#needs.sign(ask) };
    } catch (error) {
      const code = error instanceof Error ? error.message : "";
      if (!code.startsWith("POLICY_")) return {};
      this.#needs.report("signer.refused", { withdrawalId: key, code });
      return { refusal: code };
    }
  }

  /** Signs with its number and fee, keeps what was signed, sends it. False when the signer's policy refused. */
  async #send(network: Network, chain: Chain, row: SendingRow): Promise<boolean> {
    const { key, max_fee, tip } = row;
    const { signed, refusal } = await this.#sign(network, row);
    if (signed === undefined) {
      // What was signed before stays good, and the node may have lost it.
      if (row.raw !== "") await this.#broadcast(chain, row.raw, row);
      if (refusal === undefined) return true;
      if (row.hashes === "") await this.#sendings.callOff(row, key, refusal, this.#needs.now());
      // Offered more as late as if it had been: what the policy refused it refuses again.
      else await this.#sendings.change(row, { sent_ms: this.#needs.now() });
      return row.hashes !== "";
    }
    const hashes = row.hashes.split(" ").includes(signed.hash) ? row.hashes : `${row.hashes} ${signed.hash}`.trim();
    await this.#sendings.change(row, { hashes, raw: signed.raw, max_fee, tip, sent_ms: this.#needs.now() });
    await this.#broadcast(chain, signed.raw, row);
    const withdrawal = await this.#withdrawals.find(key);
    if (withdrawal?.state === "BROADCAST") {
      await this.#withdrawals.stepWithdrawal(key, "BROADCAST", { tx_hash: signed.hash });
      this.#needs.changed(withdrawal.user_id);
    }
    return true;
  }

  async #broadcast(chain: Chain, raw: string, { network, nonce }: SendingRow): Promise<void> {
    try {
      await chain.send(raw);
    } catch (error) {
      // Mined already, too cheap by now, or no node there: the next turn looks again.
      this.#needs.report("payout.send.failed", {
        network,
        nonce,
        message: error instanceof Error ? error.message : "",
      });
    }
  }

  // Watching

  async #watch(network: Network, chain: Chain, open: readonly SendingRow[], head: number): Promise<void> {
    const asked = open.flatMap((row) =>
      row.hashes
        .split(" ")
        .filter((hash) => hash !== "")
        .map((hash) => ({ row, hash })),
    );
    const receipts = await chain.receipts(asked.map(({ hash }) => hash));
    const found = new Map<number, { receipt: Receipt; hash: string }>();
    for (const [index, { row, hash }] of asked.entries()) {
      const receipt = receipts[index];
      if (receipt !== undefined) found.set(row.nonce, { receipt, hash });
    }
    const touched = new Set<number | undefined>();
    const inBlocks = open.filter(({ nonce }) => found.has(nonce));
    const follow = async (row: SendingRow): Promise<number | undefined> => {
      const mined = found.get(row.nonce);
      return mined === undefined ? undefined : this.#follow(network, row, mined.receipt, mined.hash, head);
    };
    for (const userId of await inGroups(inBlocks, TOGETHER, follow)) touched.add(userId);
    let pushes = 0;
    for (const row of open) {
      if (found.has(row.nonce)) continue;
      touched.add(await this.#retreat(row));
      if (pushes < TURN_MAX && (await this.#push(network, chain, row))) pushes += 1;
    }
    this.#toldHeads.set(network.network, head);
    for (const userId of touched) if (userId !== undefined) this.#needs.changed(userId);
  }

  /** In no block: sent again, and with a higher fee when it has waited long. Those below it first: nothing is mined before. */
  async #push(network: Network, chain: Chain, row: SendingRow): Promise<boolean> {
    const nowMs = this.#needs.now();
    const place = placeOf(row);
    if (row.raw !== "" && nowMs - Math.max(row.sent_ms, this.#resentMs.get(place) ?? 0) <= RESEND_MS) return false;
    this.#resentMs.set(place, nowMs);
    const isStuck = nowMs - row.sent_ms > network.blockSeconds * STUCK_BLOCKS * 1_000;
    if (row.raw === "") await this.#send(network, chain, row);
    else if (isStuck) await this.#send(network, chain, { ...row, ...dearerFees(row, await chain.fees()) });
    else await this.#broadcast(chain, row.raw, row);
    return true;
  }

  /** Where its block was replaced. Answers with whose it is then. */
  async #retreat(row: SendingRow): Promise<number | undefined> {
    this.#followed.delete(placeOf(row));
    if (row.block_number === null) return undefined;
    await this.#sendings.change(row, { block_number: null, fee_units: "0" });
    const back = { state: "BROADCAST", block_number: null, changed_ms: this.#needs.now() } as const;
    if (!(await this.#withdrawals.stepWithdrawal(row.key, "CONFIRMING", back))) return undefined;
    return (await this.#withdrawals.find(row.key))?.user_id;
  }

  /** In a block: counts confirmations, ends the withdrawal, and the number once the block is final. Answers with whose list changed. */
  async #follow(
    network: Network,
    row: SendingRow,
    receipt: Receipt,
    hash: string,
    head: number,
  ): Promise<number | undefined> {
    const { blockNumber: block } = receipt;
    const count = confirmationsOf(block, head);
    const isFinal = count >= network.finalBlocks;
    const contract = row.key.startsWith(TOP_UP) ? null : (coinOf(network, row.asset)?.contract ?? null);
    const from = this.#needs.chains.house()?.hot ?? "";
    const outcome = transferOutcome(receipt, { contract, from, to: row.receiver, units: BigInt(row.chain_units) });
    if (outcome === "other") {
      await this.#alarm(network, row, receipt, hash);
      return undefined;
    }
    const isPaid = outcome === "moved";
    const state = isFinal ? (isPaid ? "DONE" : "FAILED") : "OPEN";
    const known = this.#followed.get(placeOf(row));
    const isKnown = known?.block === block;
    if (row.block_number !== block || isFinal) {
      const fee_units = receipt.feeUnits.toString();
      await this.#sendings.change(row, { block_number: block, fee_units, is_success: isPaid, state });
    }
    const at = { block_number: block, tx_hash: hash, changed_ms: this.#needs.now() };
    if (!isKnown) await this.#withdrawals.stepWithdrawal(row.key, "BROADCAST", { state: "CONFIRMING", ...at });
    // What failed in a block that may be replaced could yet succeed in another.
    const isOver = isPaid ? count >= network.unlockBlocks : isFinal;
    if (isOver && !(isKnown && known.isOver)) await this.#end(row.key, isPaid, at);
    const userId = known === undefined ? (await this.#withdrawals.find(row.key))?.user_id : known.userId;
    if (isFinal) this.#forget(row);
    else this.#followed.set(placeOf(row), { block, isOver, userId });
    const isCounting = count < network.unlockBlocks && this.#toldHeads.get(network.network) !== head;
    return isCounting || !isKnown ? userId : undefined;
  }

  #forget(row: SendingRow): void {
    this.#followed.delete(placeOf(row));
    this.#resentMs.delete(placeOf(row));
  }

  /** The coin moved something else than was signed: neither paid nor to be given back until people have looked. */
  async #alarm(network: Network, row: SendingRow, receipt: Receipt, hash: string): Promise<void> {
    const { key, nonce } = row;
    if (row.block_number !== receipt.blockNumber) {
      const fee_units = receipt.feeUnits.toString();
      await this.#sendings.change(row, { block_number: receipt.blockNumber, fee_units, is_success: true });
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
    await this.#needs.tell(row, isDone ? "done" : "failed");
  }
}

const placeOf = ({ network, nonce }: SendingRow): string => `${network}:${nonce}`;

function placesLeft(open: readonly SendingRow[]): number {
  const pending = open.filter(({ block_number }) => block_number === null).length;
  return Math.min(PENDING_MAX - pending, OPEN_MAX - open.length);
}
