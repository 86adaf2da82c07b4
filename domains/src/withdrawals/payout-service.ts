// From the queue to the chain: each payment gets the hot wallet's next number, is signed by the signer, sent, watched, sent
// again with a higher fee when it is stuck, and ended when its block is deep enough. Whatever is signed was written down
// first, and a number is never used for two payments: that is what keeps a payment from being made twice.
import { RESERVES_ACCOUNT } from "@clockwork/core/protocol/names";
import type { Chain, ChainsNeeds, Coins, Receipt } from "@clockwork/kit/chains/chain";
import {
  coinAt,
  coinOf,
  confirmationsOf,
  type Network,
  toChainUnits,
  toLedgerUnits,
} from "@clockwork/kit/chains/network";
import { toCoreUnits, units } from "@clockwork/kit/money";
import type { LedgerNeeds } from "./needs.ts";
import type { SendingRow, SendingStore } from "./sending-store.ts";
import type { WithdrawalRow, WithdrawStore } from "./store.ts";

export interface PayoutNeeds {
  readonly chains: ChainsNeeds;
  readonly coins: Coins;
  readonly ledger: LedgerNeeds;
  readonly now: () => number;
  /** Rejects with the policy's code as message, or with something else while the signer is away. */
  sign(ask: {
    readonly key: string;
    readonly network: string;
    readonly asset: string;
    readonly to: string;
    readonly units: string;
    readonly nonce: number;
    readonly gas: string;
    readonly maxFee: string;
    readonly tip: string;
    /** Gas for the deposit address of this user, in place of a payment. */
    readonly topUpFor: number | undefined;
  }): Promise<{ readonly raw: string; readonly hash: string }>;
  isPaused(network: string): boolean;
  settle(row: WithdrawalRow): Promise<boolean>;
  changed(userId: number): void;
  tell(row: WithdrawalRow, what: "done" | "failed"): Promise<void>;
  report(fact: string, fields: Readonly<Record<string, unknown>>): void;
}

const OPEN_MAX = 100;
/** Begins the key of gas for a deposit address; the user's number follows. */
const TOP_UP = "gas:";
const NATIVE_GAS = "21000";
const CONTRACT_GAS = "120000";
/** Blocks a payment may wait before it is offered more. */
const STUCK_BLOCKS = 10;
const RESEND_MS = 4_000;

export class PayoutService {
  readonly #sendings: SendingStore;
  readonly #withdrawals: WithdrawStore;
  readonly #needs: PayoutNeeds;

  constructor(parts: { sendings: SendingStore; withdrawals: WithdrawStore; needs: PayoutNeeds }) {
    this.#sendings = parts.sendings;
    this.#withdrawals = parts.withdrawals;
    this.#needs = parts.needs;
  }

  /** One turn of a network, after its newest block. */
  async turn(network: Network, head: number): Promise<void> {
    const chain = this.#needs.chains.chain(network.network);
    const open = await this.#sendings.listOpen(network.network);
    if (open.length > 0) await this.#watch(network, chain, open, head);
    await this.#countFees(network);
    if (!this.#needs.isPaused(network.network)) await this.#begin(network, chain, open.length);
  }

  // Beginning

  async #begin(network: Network, chain: Chain, openCount: number): Promise<void> {
    const queued = await this.#withdrawals.listState("QUEUED", network.network);
    const house = this.#needs.chains.house();
    if (queued.length === 0 || house === undefined) return;
    const last = await this.#sendings.lastNonce(network.network);
    let nonce = last === undefined ? await chain.countOf(house.hot) : last + 1;
    const held = new Map<string, bigint>();
    for (const row of queued.slice(0, Math.max(0, OPEN_MAX - openCount))) {
      const sending = await this.#makeSending(network, chain, row, nonce);
      if (sending === undefined || !(await this.#isCovered(network, chain, house.hot, sending, held))) continue;
      if (!(await this.#sendings.begin(sending, row.withdrawal_id, this.#needs.now()))) continue;
      this.#needs.changed(row.user_id);
      // A refusal frees the number; a signer that is away keeps it for this payment.
      if (await this.#send(network, chain, sending)) nonce += 1;
    }
  }

  /** Gas for a user's deposit address under the hot wallet's next number; false while it cannot be, or is on its way. */
  async topUp(network: Network, chain: Chain, userId: number, address: string, chainUnits: bigint): Promise<boolean> {
    const native = coinAt(network, null);
    const house = this.#needs.chains.house();
    const open = await this.#sendings.listOpen(network.network);
    const isUnderWay = open.some(({ key, receiver }) => key.startsWith(TOP_UP) && receiver === address);
    if (native === undefined || house === undefined || isUnderWay || open.length >= OPEN_MAX) return false;
    const last = await this.#sendings.lastNonce(network.network);
    const nonce = last === undefined ? await chain.countOf(house.hot) : last + 1;
    const sum = { asset: native.asset, receiver: address, chain_units: chainUnits.toString(), gas: NATIVE_GAS };
    const key = `${TOP_UP}${userId}:${network.network}:${nonce}`;
    const row = { ...(await this.#price(network, chain)), ...sum, key, nonce };
    if (!(await this.#isCovered(network, chain, house.hot, row, new Map()))) return false;
    await this.#sendings.beginTopUp(row);
    return this.#send(network, chain, row);
  }

  async #makeSending(
    network: Network,
    chain: Chain,
    row: WithdrawalRow,
    nonce: number,
  ): Promise<SendingRow | undefined> {
    const coin = coinOf(network, row.asset);
    const listed = this.#needs.coins.find(row.asset);
    if (coin === undefined || listed === undefined) return undefined;
    const isPlain = coin.contract === null && !(await chain.hasCode(row.address));
    return {
      ...(await this.#price(network, chain)),
      nonce,
      key: row.withdrawal_id,
      asset: row.asset,
      receiver: row.address,
      chain_units: toChainUnits(row.amount_units - row.fee_units, coin.decimals, listed.scale).toString(),
      gas: isPlain ? NATIVE_GAS : CONTRACT_GAS,
    };
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

  /** What the hot wallet does not hold waits until it is filled up. */
  async #isCovered(
    network: Network,
    chain: Chain,
    hot: string,
    sending: SendingRow,
    held: Map<string, bigint>,
  ): Promise<boolean> {
    const contract = coinOf(network, sending.asset)?.contract ?? null;
    const key = contract ?? "";
    if (!held.has(key)) {
      const [balance = 0n] = await chain.balances([{ contract, address: hot }], await chain.head());
      const open = await this.#sendings.listOpen(network.network);
      const leaving = open
        .filter((one) => one.asset === sending.asset && one.block_number === null)
        .reduce((sum, one) => sum + BigInt(one.chain_units), 0n);
      held.set(key, balance - leaving);
    }
    const left = (held.get(key) ?? 0n) - BigInt(sending.chain_units);
    if (left < 0n) {
      this.#needs.report("hot.wallet.short", { network: network.network, asset: sending.asset });
      return false;
    }
    held.set(key, left);
    return true;
  }

  /** Signs with its number and fee, keeps what was signed, sends it. False when the signer's policy refused. */
  async #send(network: Network, chain: Chain, row: SendingRow): Promise<boolean> {
    const { key, asset, receiver: to, chain_units, nonce, gas, max_fee: maxFee, tip } = row;
    let signed: { readonly raw: string; readonly hash: string };
    try {
      signed = await this.#needs.sign({
        key,
        network: network.network,
        asset,
        to,
        units: chain_units,
        nonce,
        gas,
        maxFee,
        tip,
        topUpFor: key.startsWith(TOP_UP) ? Number(key.split(":")[1]) : undefined,
      });
    } catch (error) {
      const code = error instanceof Error ? error.message : "";
      if (!code.startsWith("POLICY_")) return true;
      this.#needs.report("signer.refused", { withdrawalId: key, code });
      if (row.hashes !== "") return true;
      await this.#sendings.callOff(row, key, code, this.#needs.now());
      return false;
    }
    const hashes = row.hashes.split(" ").includes(signed.hash) ? row.hashes : `${row.hashes} ${signed.hash}`.trim();
    const values = { hashes, raw: signed.raw, max_fee: maxFee, tip, sent_ms: this.#needs.now() };
    await this.#sendings.change(row, values);
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
    for (const row of open) {
      const mined = found.get(row.nonce);
      if (mined === undefined) await this.#push(network, chain, row);
      else await this.#follow(network, row, mined.receipt, mined.hash, head);
    }
  }

  /** In no block: sent again, and with a higher fee when it has waited long. */
  async #push(network: Network, chain: Chain, row: SendingRow): Promise<void> {
    const nowMs = this.#needs.now();
    if (row.block_number !== null) {
      // Its block was replaced.
      await this.#sendings.change(row, { block_number: null, fee_units: "0" });
      await this.#retreat(row);
    }
    if (row.raw === "") {
      await this.#send(network, chain, row);
      return;
    }
    const waited = nowMs - row.sent_ms;
    if (waited > network.blockSeconds * STUCK_BLOCKS * 1_000) {
      const { baseFee, tip } = await chain.fees();
      const dearer = (old: string, now: bigint): string => {
        const raised = (BigInt(old) * 5n) / 4n + 1n;
        return (raised > now ? raised : now).toString();
      };
      await this.#send(network, chain, {
        ...row,
        max_fee: dearer(row.max_fee, baseFee * 2n + tip),
        tip: dearer(row.tip, tip),
      });
    } else if (waited > RESEND_MS) await this.#broadcast(chain, row.raw, row);
  }

  async #retreat({ key }: SendingRow): Promise<void> {
    const back = { state: "BROADCAST", block_number: null, changed_ms: this.#needs.now() } as const;
    if (await this.#withdrawals.stepWithdrawal(key, "CONFIRMING", back)) await this.#tellChange(key);
  }

  /** In a block: counts confirmations, ends the withdrawal, and the number once the block is final. */
  async #follow(network: Network, row: SendingRow, receipt: Receipt, hash: string, head: number): Promise<void> {
    const count = confirmationsOf(receipt.blockNumber, head);
    const isFinal = count >= network.finalBlocks;
    const state = isFinal ? (receipt.isDone ? "DONE" : "FAILED") : "OPEN";
    const isNew = row.block_number !== receipt.blockNumber;
    if (isNew || isFinal) {
      const fee_units = receipt.feeUnits.toString();
      const is_success = receipt.isDone;
      await this.#sendings.change(row, { block_number: receipt.blockNumber, fee_units, is_success, state });
    }
    const at = { block_number: receipt.blockNumber, tx_hash: hash, changed_ms: this.#needs.now() };
    if (await this.#withdrawals.stepWithdrawal(row.key, "BROADCAST", { state: "CONFIRMING", ...at }))
      await this.#tellChange(row.key);
    // What failed in a block that may be replaced could yet succeed in another.
    const isOver = receipt.isDone ? count >= network.unlockBlocks : isFinal;
    if (isOver) await this.#end(row.key, receipt.isDone, at);
    else if (count < network.unlockBlocks) await this.#tellChange(row.key);
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

  async #tellChange(key: string): Promise<void> {
    const row = await this.#withdrawals.find(key);
    if (row !== undefined) this.#needs.changed(row.user_id);
  }

  // What the network took

  /** The reserves pay for the house's transactions; what is less than a unit of the ledger waits for more. */
  async #countFees(network: Network): Promise<void> {
    const native = coinAt(network, null);
    const listed = native === undefined ? undefined : this.#needs.coins.find(native.asset);
    if (native === undefined || listed === undefined) return;
    for (const row of await this.#sendings.listUncounted(network.network)) {
      const before = await this.#sendings.readGas(network.network);
      const sum = BigInt(before.chain_units) + BigInt(row.fee_units);
      const due = toLedgerUnits(sum, native.decimals, listed.scale) - before.posted_units;
      if (due > 0n) {
        const burn = { kind: "burn", account: RESERVES_ACCOUNT, asset: listed.asset, business: "networkFee" } as const;
        const reference = `g:${network.network}:${row.nonce}`;
        const burnt = await this.#needs.ledger.submit({ ...burn, units: toCoreUnits(units(due)), reference });
        if (!burnt.done) return;
      }
      const posted_units = before.posted_units + (due > 0n ? due : 0n);
      await this.#sendings.countFee(row, { network: network.network, chain_units: sum.toString(), posted_units });
    }
  }
}
