// What payments cost beyond their amount: what networks took for them, which the reserves pay, each transaction once; and what
// the owner of one that waits in no block pays for it to be offered more at once. The latter is decided first, then paid, then
// done; what was mined meanwhile is paid back. Also what there is to pay with: what the hot wallet holds of a coin that is one.
import { FEES_ACCOUNT, RESERVES_ACCOUNT } from "@clockwork/core/protocol/names";
import type { Chain, ChainsNeeds, Coins } from "@clockwork/kit/chains/chain";
import { coinAt, coinOf, type Network, toLedgerUnits } from "@clockwork/kit/chains/network";
import { parseUnits, toCoreUnits, units } from "@clockwork/kit/money";
import { done, type Result, refused } from "@clockwork/kit/result";
import type { LedgerNeeds, PayoutNeeds } from "./needs.ts";
import { maySpeedUp, readLedgerCode, type WithdrawRefusal } from "./rules.ts";
import type { SendingRow, SendingStore } from "./sending-store.ts";
import type { WithdrawalRow, WithdrawStore } from "./store.ts";

export class FeeService {
  readonly #sendings: SendingStore;
  readonly #needs: { readonly coins: Coins; readonly ledger: LedgerNeeds };

  constructor(parts: { sendings: SendingStore; needs: { readonly coins: Coins; readonly ledger: LedgerNeeds } }) {
    this.#sendings = parts.sendings;
    this.#needs = parts.needs;
  }

  /** What is less than a unit of the ledger waits for more. */
  async count(network: Network): Promise<void> {
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
  /** What the ledger is being asked about: nobody finishes it twice at once. */
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
    const begun = await this.#withdrawals.beginSpeedUp(row, this.#needs.now());
    // Somebody asked at the same moment: it is the same one.
    const now = begun ?? (await this.#withdrawals.find(withdrawalId));
    if (now === undefined) return refused("WITHDRAWAL_UNKNOWN");
    if (begun === undefined && now.speed_ups === row.speed_ups) return refused("WITHDRAWAL_NOT_STUCK");
    return now.speed_state === "PAYING" ? this.#finish(now) : done(now);
  }

  /** What a stop left half done. */
  async resume(): Promise<void> {
    for (const row of await this.#withdrawals.listPaying()) await this.#finish(row);
  }

  #finish(row: WithdrawalRow): Outcome {
    const key = row.withdrawal_id;
    const begun = this.#underWay.get(key) ?? this.#pay(row).finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, begun);
    return begun;
  }

  async #pay({ withdrawal_id }: WithdrawalRow): Outcome {
    // As it stands now: somebody may just have finished it.
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
      // It is in a block by now: nothing was gained by it.
      const back = { ...move, account: FEES_ACCOUNT, to: account, reference: `${reference}r` };
      if (fee.value > 0n && !(await ledger.submit(back)).done) return refused("LEDGER_AWAY");
      await this.#withdrawals.endSpeedUp(row, {});
    }
    this.#needs.changed(row.user_id);
    this.#needs.wake(row.network);
    return done((await this.#withdrawals.find(row.withdrawal_id)) ?? row);
  }
}

export class HotWallet {
  readonly #sendings: SendingStore;
  readonly #needs: Pick<PayoutNeeds, "pause" | "report">;
  /** Coins whose contract was seen to be there, by network. */
  readonly #real = new Set<string>();

  constructor(parts: { sendings: SendingStore; needs: Pick<PayoutNeeds, "pause" | "report"> }) {
    this.#sendings = parts.sendings;
    this.#needs = parts.needs;
  }

  /** A coin without code takes every transfer and moves nothing. */
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

  /** What the hot wallet does not hold waits until it is filled up. */
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
