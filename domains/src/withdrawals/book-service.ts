// The address book: addresses with names, and the mode in which nothing else may be withdrawn to.

import type { ChainsNeeds } from "@clockwork/kit/chains/chain";
import { done, type Result, refused } from "@clockwork/kit/result";
import { DAY_MS } from "@clockwork/kit/time";
import type { AddressBook } from "./api.ts";
import { type AddressRefusal, SAVED_MAX, type WithdrawRefusal } from "./rules.ts";
import type { WithdrawStore } from "./store.ts";

export interface BookNeeds {
  readonly chains: ChainsNeeds;
  readonly now: () => number;
  addressProblem(address: string): AddressRefusal | undefined;
  checkCode(userId: number, code: string): Promise<Result<null, "PROOF_WRONG" | "TOO_MANY_TRIES">>;
  /** Rests every withdrawal for a day. */
  rest(userId: number): Promise<void>;
}

type Outcome = Promise<Result<AddressBook, WithdrawRefusal>>;

export class BookService {
  readonly #store: WithdrawStore;
  readonly #needs: BookNeeds;

  constructor({ store, needs }: { readonly store: WithdrawStore; readonly needs: BookNeeds }) {
    this.#store = store;
    this.#needs = needs;
  }

  async list(userId: number): Promise<AddressBook> {
    const rows = await this.#store.listSaved(userId);
    return {
      isWhitelist: await this.#store.isWhitelist(userId),
      addresses: rows.map(({ network, address, name, created_ms, usable_ms }) => ({
        network,
        address: this.#needs.chains.checksumOf(address),
        name,
        createdAtMs: created_ms,
        usableAtMs: usable_ms,
      })),
    };
  }

  /** While only saved addresses may be used, adding one is proved, and it rests. */
  async add(
    userId: number,
    { network, address, name, code }: { network: string; address: string; name: string; code?: string },
  ): Outcome {
    if (!this.#needs.chains.networks.some((one) => one.network === network)) return refused("UNKNOWN_NETWORK");
    const wrong = this.#needs.addressProblem(address);
    if (wrong !== undefined) return refused(wrong);
    const isWhitelist = await this.#store.isWhitelist(userId);
    if (isWhitelist) {
      if (code === undefined) return refused("PROOF_REQUIRED");
      const proved = await this.#needs.checkCode(userId, code);
      if (!proved.done) return proved;
    }
    const nowMs = this.#needs.now();
    const usable_ms = isWhitelist ? nowMs + DAY_MS : nowMs;
    const row = {
      user_id: userId,
      network,
      address: address.toLowerCase(),
      name: name.trim(),
      created_ms: nowMs,
      usable_ms,
    };
    return (await this.#store.save(row, SAVED_MAX)) ? done(await this.list(userId)) : refused("ADDRESSES_FULL");
  }

  async remove(userId: number, network: string, address: string): Outcome {
    const isRemoved = await this.#store.removeSaved(userId, network, address.toLowerCase());
    return isRemoved ? done(await this.list(userId)) : refused("ADDRESS_UNKNOWN");
  }

  /** Leaving the mode rests all withdrawals: whoever got in cannot leave it and go. */
  async setWhitelist(userId: number, isWhitelist: boolean, code: string): Outcome {
    const proved = await this.#needs.checkCode(userId, code);
    if (!proved.done) return proved;
    const was = await this.#store.isWhitelist(userId);
    if (was && !isWhitelist) await this.#needs.rest(userId);
    await this.#store.setWhitelist(userId, isWhitelist);
    return done(await this.list(userId));
  }
}
