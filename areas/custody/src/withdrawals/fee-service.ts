// What payments cost beyond their amount: the network fees, which the reserves pay, each transaction once; and the
// price an owner pays to speed up a payment that waits for a block. The latter is decided first, then paid, then done;
// if the payment is mined in between it is refunded. Also the means of payment: the hot wallet's balance of a native
// coin, its free numbers, and the signer's decision.
import type { Command } from "@clockwork/core/protocol/command";
import { EXTERNAL_ACCOUNT, FEES_ACCOUNT, RESERVES_ACCOUNT } from "@clockwork/core/protocol/names";
import { isHouseKey, KEY_STARTS, shareFee } from "@clockwork/kit/chains/batch";
import type { Chain, ChainsNeeds, Coins } from "@clockwork/kit/chains/chain";
import { coinAt, coinOf, type Network, toLedgerUnits } from "@clockwork/kit/chains/network";
import { parseUnits, toCoreUnits, units } from "@clockwork/kit/money";
import { done, type Result, refused } from "@clockwork/kit/result";
import type { LedgerNeeds, PayoutNeeds } from "./needs.ts";
import type { WithdrawRefusal } from "./refusals.ts";
import { maySpeedUp, readLedgerCode } from "./rules.ts";
import type { SendingRow, SendingStore } from "./sending-store.ts";
import type { WithdrawalRow, WithdrawStore } from "./store.ts";

export class FeeService {
  readonly #sendings: SendingStore;
  readonly #needs: { readonly coins: Coins; readonly ledger: LedgerNeeds };

  constructor(parts: { sendings: SendingStore; needs: { readonly coins: Coins; readonly ledger: LedgerNeeds } }) {
    this.#sendings = parts.sendings;
    this.#needs = parts.needs;
  }

  /** Less than a unit of the ledger is carried over. */
  async count(network: Network): Promise<void> {
    const native = coinAt(network, null);
    const listed = native === undefined ? undefined : this.#needs.coins.find(native.asset);
    if (native === undefined || listed === undefined) return;
    for (const row of await this.#sendings.listUncounted(network.network)) {
      const before = await this.#sendings.readGas(network.network);
      const together = row.key.startsWith(KEY_STARTS.many) ? await this.#sendings.listParts([row.key]) : [];
      let sum = BigInt(before.chain_units);
      let posted = before.posted_units;
      // A batch shares its fee: each its share, in a posting of its own.
      for (const [at, share] of shareFee(BigInt(row.fee_units), together.length).entries()) {
        sum += share;
        const due = toLedgerUnits(sum, native.decimals, listed.scale) - posted;
        if (due <= 0n) continue;
        const burn = { kind: "burn", account: RESERVES_ACCOUNT, asset: listed.asset, business: "networkFee" } as const;
        const reference = `g:${network.network}:${row.nonce}${together.length === 0 ? "" : `:${at}`}`;
        const burnt = await this.#needs.ledger.submit({ ...burn, units: toCoreUnits(units(due)), reference });
        if (!burnt.done) return;
        posted += due;
      }
      const values = { network: network.network, chain_units: sum.toString(), posted_units: posted };
      await this.#sendings.countFee(row, values);
    }
  }
}

export interface SpeedNeeds {
  readonly chains: ChainsNeeds;
  readonly coins: Coins;
  readonly ledger: LedgerNeeds;
  readonly now: () => number;
  wake(network: string): void;
  changed(userId: number): void;
}

type Outcome = Promise<Result<WithdrawalRow, WithdrawRefusal>>;

export class SpeedService {
  readonly #withdrawals: WithdrawStore;
  readonly #sendings: SendingStore;
  readonly #needs: SpeedNeeds;
  /** Payments with a ledger command in flight: none is completed twice concurrently. */
  readonly #underWay = new Map<string, Outcome>();

  constructor(parts: { withdrawals: WithdrawStore; sendings: SendingStore; needs: SpeedNeeds }) {
    this.#withdrawals = parts.withdrawals;
    this.#sendings = parts.sendings;
    this.#needs = parts.needs;
  }

  async speedUp(userId: number, withdrawalId: string): Outcome {
    const row = await this.#withdrawals.find(withdrawalId);
    if (row === undefined || row.user_id !== userId) return refused("WITHDRAWAL_UNKNOWN");
    if (row.speed_state === "PAYING") return this.#finish(row);
    const network = this.#needs.chains.networks.find((one) => one.network === row.network);
    if (network === undefined || !maySpeedUp(row, network, this.#needs.now())) return refused("WITHDRAWAL_NOT_STUCK");
    const started = await this.#withdrawals.beginSpeedUp(row, this.#needs.now());
    // Requested at the same moment: it is the same one.
    const now = started ?? (await this.#withdrawals.find(withdrawalId));
    if (now === undefined) return refused("WITHDRAWAL_UNKNOWN");
    if (started === undefined && now.speed_ups === row.speed_ups) return refused("WITHDRAWAL_NOT_STUCK");
    return now.speed_state === "PAYING" ? this.#finish(now) : done(now);
  }

  /** Resumes what a stop left unfinished. */
  async resume(): Promise<void> {
    for (const row of await this.#withdrawals.listPaying()) await this.#finish(row);
  }

  #finish(row: WithdrawalRow): Outcome {
    const key = row.withdrawal_id;
    const started = this.#underWay.get(key) ?? this.#pay(row).finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, started);
    return started;
  }

  async #pay({ withdrawal_id }: WithdrawalRow): Outcome {
    // Read again: a concurrent caller may just have completed it.
    const row = await this.#withdrawals.find(withdrawal_id);
    if (row === undefined) return refused("WITHDRAWAL_UNKNOWN");
    if (row.speed_state !== "PAYING") return done(row);
    const { ledger, coins, chains } = this.#needs;
    const listed = coins.find(row.asset);
    const network = chains.networks.find((one) => one.network === row.network);
    const rules = network === undefined ? undefined : coinOf(network, row.asset);
    const fee = listed === undefined || rules === undefined ? undefined : parseUnits(rules.withdrawFee, listed.scale);
    const account = await ledger.openAccount(row.user_id, row.book);
    if (listed === undefined || account === undefined || fee?.done !== true) return refused("LEDGER_AWAY");
    const reference = `w:${row.withdrawal_id}:s${row.speed_ups}`;
    const move = {
      kind: "transfer",
      asset: listed.asset,
      business: "withdrawalFee",
      units: toCoreUnits(units(fee.value)),
    } as const;
    if (fee.value > 0n) {
      const paid = await ledger.submit({ ...move, account, to: FEES_ACCOUNT, reference });
      if (!paid.done) {
        const code = readLedgerCode(paid.code);
        if (code !== "LEDGER_AWAY") await this.#withdrawals.endSpeedUp(row, { speed_ups: row.speed_ups - 1 });
        return refused(code);
      }
    }
    if (await this.#sendings.hurry(row.network, row.withdrawal_id)) {
      await this.#withdrawals.endSpeedUp(row, { speed_units: row.speed_units + fee.value });
    } else {
      // It was mined in between: the speed-up had no effect.
      const back = { ...move, account: FEES_ACCOUNT, to: account, reference: `${reference}r` };
      if (fee.value > 0n && !(await ledger.submit(back)).done) return refused("LEDGER_AWAY");
      await this.#withdrawals.endSpeedUp(row, {});
    }
    this.#needs.changed(row.user_id);
    this.#needs.wake(row.network);
    return done((await this.#withdrawals.find(row.withdrawal_id)) ?? row);
  }
}

type Settle = Extract<Command, { readonly kind: "settle" }>;

/** The ledger's name of the coins a withdrawal froze. */
export const holdOf = ({ withdrawal_id }: Pick<WithdrawalRow, "withdrawal_id">): string => `w:${withdrawal_id}`;

/** Paid out with its fee; a zero fee has no leg. */
export function paidLegs(row: WithdrawalRow, from: number, asset: number): Settle["legs"] {
  const leg = { from, asset, hold: holdOf(row) };
  const paid = toCoreUnits(units(row.amount_units - row.fee_units));
  const fee = toCoreUnits(units(row.fee_units));
  return [
    { ...leg, to: EXTERNAL_ACCOUNT, business: "withdrawal" as const, units: paid },
    { ...leg, to: FEES_ACCOUNT, business: "withdrawalFee" as const, units: fee },
  ].filter((one) => one.units > 0);
}

/** Neither where nothing can be signed now. */
export interface SignResult {
  readonly signed?: { readonly raw: string; readonly hash: string };
  readonly refusal?: string;
}

type WalletNeeds = Pick<PayoutNeeds, "pause" | "report" | "sign" | "now" | "isHeld">;

/** In no block yet, and in all until their blocks are final. */
const PENDING_MAX = 100;
const OPEN_MAX = 1_000;
/** Not from the signer: nothing is signed for an account that is frozen or suspended. */
export const OWNER_HELD = "OWNER_HELD";

export function placesLeft(open: readonly SendingRow[]): number {
  const pending = open.filter(({ block_number }) => block_number === null).length;
  return Math.min(PENDING_MAX - pending, OPEN_MAX - open.length);
}

export class HotWallet {
  readonly #sendings: SendingStore;
  readonly #withdrawals: Pick<WithdrawStore, "find">;
  readonly #needs: WalletNeeds;
  /** Coins whose contract was confirmed to exist, by network. */
  readonly #real = new Set<string>();

  constructor(parts: { sendings: SendingStore; withdrawals: Pick<WithdrawStore, "find">; needs: WalletNeeds }) {
    this.#sendings = parts.sendings;
    this.#withdrawals = parts.withdrawals;
    this.#needs = parts.needs;
  }

  /**
   * The first number used neither by the chain, by its count, nor in the tables: tables from an older copy are behind
   * the chain. Numbers freed when the signer refused their payment come first: the chain mines nothing above a missing
   * number.
   */
  async freeNonces(network: Network, count: number, most: number): Promise<readonly number[]> {
    const taken = await this.#sendings.noncesFrom(network.network, count);
    const free: number[] = [];
    for (let nonce = count; free.length < most; nonce += 1) if (!taken.has(nonce)) free.push(nonce);
    return free;
  }

  /** The common price of all transactions that start now. */
  async price(network: Network, chain: Chain) {
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

  async sign(row: SendingRow): Promise<SignResult> {
    const { key, network, asset, receiver: to, chain_units: units, nonce, gas, max_fee: maxFee, tip } = row;
    const is = (start: string): boolean => key.startsWith(start);
    const topUpFor = is(KEY_STARTS.topUp) ? Number(key.split(":")[1]) : undefined;
    const allow = is(KEY_STARTS.reset) ? ("reset" as const) : is(KEY_STARTS.allow) ? ("renew" as const) : undefined;
    const together = is(KEY_STARTS.many) ? await this.#sendings.listParts([key]) : undefined;
    const parts = together?.map((one) => ({ key: one.withdrawal_id, to: one.receiver, units: one.chain_units }));
    const ask = { key, network, asset, to, units, nonce, gas, maxFee, tip, topUpFor, allow, parts };
    const ids = together?.map(({ withdrawal_id }) => withdrawal_id) ?? (isHouseKey(key) ? [] : [key]);
    // A signed payment cannot be cancelled, and a higher fee completes it.
    if (row.hashes === "" && (await this.#hasHeld(ids))) return { refusal: OWNER_HELD };
    try {
      return { signed: await this.#needs.sign(ask) };
    } catch (error) {
      const code = error instanceof Error ? error.message : "";
      if (!code.startsWith("POLICY_")) return {};
      this.#needs.report("signer.refused", { withdrawalId: key, code });
      return { refusal: code };
    }
  }

  async #hasHeld(withdrawalIds: readonly string[]): Promise<boolean> {
    for (const id of withdrawalIds) {
      const row = await this.#withdrawals.find(id);
      if (row !== undefined && (await this.#needs.isHeld(row.user_id))) return true;
    }
    return false;
  }

  /** A coin without code accepts every transfer and moves nothing. */
  async isReal(network: Network, chain: Chain, asset: string): Promise<boolean> {
    const contract = coinOf(network, asset)?.contract ?? null;
    const key = `${network.network}:${contract}`;
    if (contract === null || this.#real.has(key)) return true;
    if (await chain.hasCode(contract)) {
      this.#real.add(key);
      return true;
    }
    this.#needs.report("payout.coin.missing", { network: network.network, asset, contract });
    await this.#needs.pause(network.network, `there is no contract at ${contract}, where ${asset} should be`);
    return false;
  }

  /** Amounts above the hot wallet's balance wait until it is refilled. */
  async isCovered(
    network: Network,
    chain: Chain,
    hot: string,
    sending: Pick<SendingRow, "asset" | "chain_units">,
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
      if (balance - leaving < BigInt(sending.chain_units))
        this.#needs.report("hot.wallet.short", { network: network.network, asset: sending.asset });
    }
    const left = (held.get(key) ?? 0n) - BigInt(sending.chain_units);
    if (left < 0n) return false;
    held.set(key, left);
    return true;
  }
}
