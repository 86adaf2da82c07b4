// The address book: addresses with names, and the mode in which nothing else may be withdrawn to.

import type { ChainsNeeds } from "@clockwork/kit/chains/chain";
import { done, type Result, refused } from "@clockwork/kit/result";
import { DAY_MS } from "@clockwork/kit/time";
import type { Kysely } from "kysely";
import type { AddressBook } from "./api.ts";
import type { RightNeeds } from "./needs.ts";
import { type AddressRefusal, SAVED_MAX, type WithdrawRefusal } from "./rules.ts";
import type { Asker } from "./service.ts";
import type { WithdrawStore } from "./store.ts";

export interface BookNeeds {
  readonly chains: ChainsNeeds;
  readonly now: () => number;
  addressProblem(address: string): AddressRefusal | undefined;
  checkCode(userId: number, code: string): Promise<Result<null, "PROOF_WRONG" | "TOO_MANY_TRIES">>;
  /** Rests every withdrawal for a day. */
  rest(userId: number, inside: Kysely<unknown>): Promise<void>;
  readonly changeAt: RightNeeds["changeAt"];
}

/** Whose book it is, and the security version his call rests on. */
type Keeper = Pick<Asker, "userId" | "readVersion">;

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
    { userId, readVersion }: Keeper,
    { network, address, name, code }: { network: string; address: string; name: string; code?: string },
  ): Outcome {
    if (!this.#needs.chains.networks.some((one) => one.network === network)) return refused("UNKNOWN_NETWORK");
    const wrong = this.#needs.addressProblem(address);
    if (wrong !== undefined) return refused(wrong);
    const version = await readVersion();
    const isProved = await this.#store.isWhitelist(userId);
    if (isProved) {
      if (code === undefined) return refused("PROOF_REQUIRED");
      const proved = await this.#needs.checkCode(userId, code);
      if (!proved.done) return proved;
    }
    const own = { user_id: userId, network, address: address.toLowerCase() };
    const row = { ...own, name: name.trim(), created_ms: this.#needs.now() };
    const saved = await this.#needs.changeAt(userId, version, async (inside) => {
      const told = await this.#store.save(inside, row, { max: SAVED_MAX, restMs: DAY_MS, isProved });
      if (told === "unproved") return refused("PROOF_REQUIRED");
      return told === "full" ? refused("ADDRESSES_FULL") : done(null);
    });
    return this.#told(userId, saved);
  }

  async #told(userId: number, changed: Result<null, WithdrawRefusal | "OVERTAKEN">): Outcome {
    if (changed.done) return done(await this.list(userId));
    return refused(changed.code === "OVERTAKEN" ? "SECURITY_CHANGED" : changed.code);
  }

  async remove(userId: number, network: string, address: string): Outcome {
    const isRemoved = await this.#store.removeSaved(userId, network, address.toLowerCase());
    return isRemoved ? done(await this.list(userId)) : refused("ADDRESS_UNKNOWN");
  }

  /** Leaving the mode rests all withdrawals: whoever got in cannot leave it and go. */
  async setWhitelist({ userId, readVersion }: Keeper, isWhitelist: boolean, code: string): Outcome {
    const version = await readVersion();
    const proved = await this.#needs.checkCode(userId, code);
    if (!proved.done) return proved;
    const changed = await this.#needs.changeAt<null, never>(userId, version, async (inside) => {
      if (await this.#store.setWhitelist(inside, userId, isWhitelist)) await this.#needs.rest(userId, inside);
      return done(null);
    });
    return this.#told(userId, changed);
  }
}
