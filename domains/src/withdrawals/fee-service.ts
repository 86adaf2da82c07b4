// Tells the ledger what networks took for the house's payments: the reserves pay, each transaction once.
import { RESERVES_ACCOUNT } from "@clockwork/core/protocol/names";
import type { Coins } from "@clockwork/kit/chains/chain";
import { coinAt, type Network, toLedgerUnits } from "@clockwork/kit/chains/network";
import { toCoreUnits, units } from "@clockwork/kit/money";
import type { LedgerNeeds } from "./needs.ts";
import type { SendingStore } from "./sending-store.ts";

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
