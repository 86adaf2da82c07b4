// The address book: named addresses and users of the exchange, and the mode in which only these may be paid. Entries
// are proved when added, and wait a day before API keys, or any payment in the mode, may use them.

import type { ChainsNeeds } from "@clockwork/kit/chains/chain";
import { done, type Result, refused } from "@clockwork/kit/result";
import { DAY_MS } from "@clockwork/kit/time";
import type { Kysely } from "kysely";
import { type AddressBook, USER_NETWORK } from "./contract.ts";
import type { NameNeeds, RightNeeds } from "./needs.ts";
import type { WithdrawRefusal } from "./refusals.ts";
import { type AddressRefusal, SAVED_MAX } from "./rules.ts";
import { type Caller, findByName } from "./service.ts";
import type { WithdrawStore } from "./store.ts";

export interface BookNeeds extends NameNeeds {
  readonly chains: ChainsNeeds;
  readonly now: () => number;
  addressProblem(address: string): AddressRefusal | undefined;
  checkCode(userId: number, code: string): Promise<Result<null, "PROOF_WRONG" | "TOO_MANY_TRIES">>;
  /** Suspends every withdrawal for a day. */
  rest(userId: number, inside: Kysely<unknown>): Promise<void>;
  readonly changeAt: RightNeeds["changeAt"];
}

/** The owner of the book, and the security version of the call. */
type Keeper = Pick<Caller, "userId" | "readVersion">;

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
    const nowMs = this.#needs.now();
    return {
      isWhitelist: await this.#store.isWhitelist(userId),
      addresses: rows.map(({ network, address, name, created_ms, usable_ms }) => ({
        network,
        address: network === USER_NETWORK ? address : this.#needs.chains.checksumOf(address),
        name,
        createdAtMs: created_ms,
        usableAtMs: usable_ms,
        isResting: usable_ms > nowMs,
      })),
    };
  }

  async add(
    { userId, readVersion }: Keeper,
    { network, address, name, code }: { network: string; address: string; name: string; code?: string },
  ): Outcome {
    const isUser = network === USER_NETWORK;
    if (!isUser && !this.#needs.chains.networks.some((one) => one.network === network))
      return refused("UNKNOWN_NETWORK");
    const wrong = isUser ? undefined : this.#needs.addressProblem(address);
    if (wrong !== undefined) return refused(wrong);
    const version = await readVersion();
    if (code === undefined) return refused("PROOF_REQUIRED");
    const proved = await this.#needs.checkCode(userId, code);
    if (!proved.done) return proved;
    const save = async (savedAs: string): Outcome => {
      const nowMs = this.#needs.now();
      const own = { user_id: userId, network, address: savedAs, name: name.trim() };
      const row = { ...own, created_ms: nowMs, usable_ms: nowMs + DAY_MS };
      const saved = await this.#needs.changeAt(userId, version, async (inside) => {
        const answer = await this.#store.save(inside, row, SAVED_MAX);
        return answer === "full" ? refused("ADDRESSES_FULL") : done(null);
      });
      return this.#answer(userId, saved);
    };
    if (!isUser) return save(address.toLowerCase());
    return findByName(this.#needs, userId, address, async (user) => {
      if (user === undefined) return { outcome: refused("RECEIVER_UNKNOWN"), isKnown: false };
      if (user === userId) return { outcome: refused("RECEIVER_IS_SENDER"), isKnown: true };
      return { outcome: await save(String(user)), isKnown: false };
    });
  }

  async #answer(userId: number, changed: Result<null, WithdrawRefusal | "OVERTAKEN">): Outcome {
    if (changed.done) return done(await this.list(userId));
    return refused(changed.code === "OVERTAKEN" ? "SECURITY_CHANGED" : changed.code);
  }

  async remove(userId: number, network: string, address: string): Outcome {
    const isRemoved = await this.#store.removeSaved(userId, network, address.toLowerCase());
    return isRemoved ? done(await this.list(userId)) : refused("ADDRESS_UNKNOWN");
  }

  /**
   * Leaving the mode suspends all withdrawals: an intruder cannot leave it and withdraw. Entering it restarts the
   * waiting time of saved entries: an earlier intruder cannot have prepared one.
   */
  async setWhitelist({ userId, readVersion }: Keeper, isWhitelist: boolean, code: string): Outcome {
    const version = await readVersion();
    const proved = await this.#needs.checkCode(userId, code);
    if (!proved.done) return proved;
    const changed = await this.#needs.changeAt<null, never>(userId, version, async (inside) => {
      const usableMs = this.#needs.now() + DAY_MS;
      if (await this.#store.setWhitelist(inside, userId, isWhitelist, usableMs)) await this.#needs.rest(userId, inside);
      return done(null);
    });
    return this.#answer(userId, changed);
  }
}
