// Rewards with a monetary value are given once per person: they require a verified identity, and a device, mailbox or
// network address used for the reward counts against the next claimant.

import type { Claimant, ClaimantRefusal } from "@clockwork/host/claimant";
import { mailboxOf } from "@clockwork/kit/account";
import type { ClaimantNeeds } from "./needs.ts";
import type { ClaimantStore } from "./store.ts";

/** A document belongs to one account, so a verified account is one person. */
const LEVEL_MIN = 1;
/** People of a household, who share its address. */
export const ADDRESS_SLOTS = 5;

export class ClaimantService {
  readonly #store: ClaimantStore;
  readonly #needs: ClaimantNeeds;

  constructor({ store, needs }: { readonly store: ClaimantStore; readonly needs: ClaimantNeeds }) {
    this.#store = store;
    this.#needs = needs;
  }

  async take(reward: string, claimant: Claimant): Promise<ClaimantRefusal | undefined> {
    const { userId, timeMs } = claimant;
    if ((await this.#needs.levelOf(userId, timeMs)) < LEVEL_MIN) return "KYC_LEVEL_REQUIRED";
    return this.mark(reward, claimant);
  }

  /** Without an identity: for rewards without a value of their own, such as one card of a set. */
  async mark(reward: string, { userId, device, address, timeMs }: Claimant): Promise<ClaimantRefusal | undefined> {
    const contact = await this.#needs.contactOf(userId);
    const mailbox = contact === undefined ? "" : mailboxOf(contact);
    const uses = [
      { kind: "device", text: device, slots: 1, refusal: "DEVICE_USED" },
      { kind: "mailbox", text: mailbox, slots: 1, refusal: "MAILBOX_USED" },
      { kind: "address", text: address, slots: ADDRESS_SLOTS, refusal: "ADDRESS_USED" },
    ] as const;
    for (const { kind, text, slots, refusal } of uses) {
      if (text === "") continue;
      const key = kind === "device" ? text : this.#needs.mark(text, `claimants.${kind}`);
      const use = { reward, kind, key, user_id: userId, used_ms: timeMs };
      if (!(await this.#store.take(use, slots))) return refusal;
    }
    return undefined;
  }
}
