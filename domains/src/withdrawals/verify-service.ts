// Looks at a withdrawal whose money is frozen: where it goes, how much it is, and how its owner has behaved. Says why a person
// should read it.
import { DAY_MS, HOUR_MS } from "@clockwork/kit/time";
import { RISK_MAX, reviewReasons, riskScore } from "./rules.ts";
import type { WithdrawalRow, WithdrawStore } from "./store.ts";

export interface VerifyNeeds {
  readonly now: () => number;
  limitUnits(userId: number): Promise<bigint>;
  createdMs(userId: number): Promise<number>;
  /** What is left of the coin in the account it leaves. */
  leftUnits(row: WithdrawalRow): Promise<bigint>;
  /** The hook for lists of addresses nobody should pay. Rejects while it cannot answer: the withdrawal waits then. */
  isFlagged(network: string, address: string): Promise<boolean>;
}

export class VerifyService {
  readonly #store: WithdrawStore;
  readonly #needs: VerifyNeeds;

  constructor({ store, needs }: { readonly store: WithdrawStore; readonly needs: VerifyNeeds }) {
    this.#store = store;
    this.#needs = needs;
  }

  async reasonsOf(row: WithdrawalRow): Promise<readonly string[]> {
    const nowMs = this.#needs.now();
    const { user_id: userId, address, worth_units: worthUnits } = row;
    const [hasDone, hasDoneThere, limitUnits, isFlagged, createdMs, leftUnits, recent] = await Promise.all([
      this.#store.hasDone(userId),
      this.#store.hasDone(userId, address),
      this.#needs.limitUnits(userId),
      this.#needs.isFlagged(row.network, address),
      this.#needs.createdMs(userId),
      this.#needs.leftUnits(row),
      this.#store.listSince(userId, nowMs - DAY_MS),
    ]);
    const score = riskScore({
      ageMs: nowMs - createdMs,
      lastHour: recent.filter(({ created_ms }) => created_ms > nowMs - HOUR_MS).length,
      addresses: new Set(recent.map((one) => one.address)).size,
      takesAll: leftUnits * 20n < row.amount_units,
    });
    const facts = { isFirst: !hasDone, isNewAddress: !hasDoneThere, worthUnits, limitUnits };
    return [...reviewReasons(facts), ...(isFlagged ? ["flagged"] : []), ...(score > RISK_MAX ? ["risk"] : [])];
  }
}
