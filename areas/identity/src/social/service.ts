// Social sign-in: a visit to a provider, its proof, and the link to an account here. A proof grants access only to an
// account whose owner linked it before; an equal e-mail address alone links nothing.

import type { SessionTokens } from "@clockwork/host/route";
import { done, type Result, refused } from "@clockwork/kit/result";
import type { Caller } from "../sessions/service.ts";
import type { LinkList, SocialSignUpBody, Started } from "./contract.ts";
import type { Entered, SocialChange, SocialNeeds } from "./needs.ts";
import type { SocialRefusal } from "./refusals.ts";
import { type SocialStore, socialStore } from "./store.ts";

export type SocialOutcome =
  | Entered
  | { readonly kind: "unlinked"; readonly linkTicket: string; readonly email: string; readonly isKnown: boolean };

/** The answer of the other site, and its receiver. */
export interface Visit {
  readonly secret: string;
  readonly query: string;
  readonly isKept: boolean;
  readonly isLinking: boolean;
}

const FLOW_MS = 10 * 60_000;
const TICKET_MS = 15 * 60_000;
const PRUNE_EVERY = 64;
const RULE = { needsProof: true, endsOthers: false } as const;

export class SocialService<Client> {
  readonly #store: SocialStore;
  readonly #needs: SocialNeeds<Client>;
  #started = 0;

  constructor({ store, needs }: { readonly store: SocialStore; readonly needs: SocialNeeds<Client> }) {
    this.#store = store;
    this.#needs = needs;
  }

  listProviders(): readonly string[] {
    return this.#needs.names;
  }

  async begin(provider: string, returnUrl: string, timeMs: number): Promise<Result<Started, SocialRefusal>> {
    if (!this.#needs.names.includes(provider)) return refused("PROVIDER_UNKNOWN");
    const requested = await this.#needs.ask(provider, returnUrl);
    if (requested === undefined) return refused("SOCIAL_REFUSED");
    const secret = this.#needs.randomId();
    this.#started += 1;
    if (this.#started % PRUNE_EVERY === 0) await this.#store.remove(timeMs);
    const id = this.#needs.mark(requested.state, "social-state");
    await this.#store.addFlow({
      id,
      provider,
      secret: this.#needs.mark(secret, "social-secret"),
      sealed: this.#needs.seal(new TextEncoder().encode(requested.memory), id),
      expires_at_ms: timeMs + FLOW_MS,
    });
    return done({ url: requested.url, secret });
  }

  /** The secret ties the answer to the browser that started it: another browser's answer is invalid. */
  async finish(visit: Visit, client: Client, timeMs: number): Promise<Result<SocialOutcome, SocialRefusal>> {
    const { secret, query, isKept, isLinking } = visit;
    const state = new URLSearchParams(query).get("state") ?? "";
    const flow = await this.#store.takeFlow(this.#needs.mark(state, "social-state"));
    if (flow === undefined || flow.expires_at_ms <= timeMs) return refused("SOCIAL_REFUSED");
    if (flow.secret !== this.#needs.mark(secret, "social-secret")) return refused("SOCIAL_REFUSED");
    const memory = new TextDecoder().decode(this.#needs.open(flow.sealed, flow.id));
    const proof = await this.#needs.redeem(flow.provider, memory, query);
    if (proof === undefined) return refused("SOCIAL_REFUSED");
    const link = await this.#store.findLink(flow.provider, proof.subject);
    if (link !== undefined && isLinking) return refused("SOCIAL_LINKED");
    if (link !== undefined) return this.#needs.enter(link.user_id, client, isKept, timeMs);
    const linkTicket = this.#needs.randomId();
    await this.#store.addTicket({
      id: this.#needs.mark(linkTicket, "social-ticket"),
      provider: flow.provider,
      subject: proof.subject,
      email: proof.email,
      expires_at_ms: timeMs + TICKET_MS,
    });
    const isKnown = proof.email !== "" && (await this.#needs.isKnown(proof.email));
    return done({ kind: "unlinked", linkTicket, email: proof.email, isKnown });
  }

  /** Opens an account for the address the other site has proved. An existing account with it is never taken over. */
  async signUp({ linkTicket, ...body }: SocialSignUpBody, timeMs: number): Promise<Result<number, SocialRefusal>> {
    const id = this.#needs.mark(linkTicket, "social-ticket");
    const ticket = await this.#store.findTicket(id);
    if (ticket === undefined || ticket.expires_at_ms <= timeMs || ticket.email === "") return refused("TICKET_INVALID");
    const { provider, subject, email } = ticket;
    // Linked in another tab since: one proof must not give two accounts.
    if ((await this.#store.findLink(provider, subject)) !== undefined) return refused("SOCIAL_LINKED");
    const made = await this.#needs.signUp(email, body, timeMs);
    if (!made.done) return made;
    await this.#store.takeTicket(id);
    await this.#store.addLink({ provider, subject, email, user_id: made.value, linked_at_ms: timeMs });
    return made;
  }

  /** Links a proved account elsewhere to the signed-in one. */
  link(caller: Caller, linkTicket: string, timeMs: number): Promise<Result<SessionTokens, SocialRefusal>> {
    const { userId } = caller;
    return this.#change(caller, "social-bound", timeMs, async (store) => {
      const ticket = await store.takeTicket(this.#needs.mark(linkTicket, "social-ticket"));
      if (ticket === undefined || ticket.expires_at_ms <= timeMs) return refused("TICKET_INVALID");
      const { provider, subject, email } = ticket;
      const isAdded = await store.addLink({ provider, subject, email, user_id: userId, linked_at_ms: timeMs });
      return isAdded ? done(null) : refused("SOCIAL_LINKED");
    });
  }

  unlink(caller: Caller, provider: string, timeMs: number): Promise<Result<SessionTokens, SocialRefusal>> {
    return this.#change(caller, "social-removed", timeMs, async (store) =>
      (await store.removeLinks(caller.userId, provider)) ? done(null) : refused("SOCIAL_UNKNOWN"),
    );
  }

  async list(userId: number): Promise<LinkList> {
    const rows = await this.#store.listLinks(userId);
    return {
      links: rows.map(({ provider, email, linked_at_ms }) => ({ provider, email, linkedAtMs: linked_at_ms })),
    };
  }

  async #change(
    caller: Caller,
    change: SocialChange,
    timeMs: number,
    write: (store: SocialStore) => Promise<Result<null, SocialRefusal>>,
  ): Promise<Result<SessionTokens, SocialRefusal>> {
    const { userId } = caller;
    const changed = await this.#needs.change(caller, { ...RULE, activity: change }, timeMs, async (kysely) => {
      const written = await write(socialStore(kysely));
      if (written.done) await this.#needs.rest(kysely, userId, change, timeMs);
      return written;
    });
    if (!changed.done) return changed;
    await this.#needs.notify(userId, change, timeMs);
    return done(changed.value.tokens);
  }
}
