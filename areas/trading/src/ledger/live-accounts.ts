// Owns what a user's sockets receive of their accounts: a product declares which books its channel covers and how a
// change is described; the rest is shared. One number orders them: the journal's. Must never publish a change to any
// user but the account's owner, nor one book's change as another's.

import type { Channel, Live } from "@clockwork/host/channel";
import type { Clock } from "@clockwork/host/clock";
import type { AccountChange, CachedAccount, EngineHandle } from "@clockwork/host/engine";
import type { AccountOwner } from "@clockwork/kit/books";
import type { AccountResolver, Book } from "./account-resolver.ts";

export interface AccountChannel {
  readonly channel: string;
  readonly biz: string;
  /** The books covered; all accounts of such a book are published together. */
  readonly books: readonly Book[];
  /** The book a new user does not have yet, opened on the first subscription. */
  readonly first?: Book;
  /** False when the change is not relevant here. */
  concerns(change: AccountChange): boolean;
  /** Called synchronously: rows keep changing. */
  describeChange(change: AccountChange): readonly unknown[];
  describeView(view: CachedAccount): readonly unknown[];
}

export interface LiveAccounts {
  /** The channel as the sockets see it; published from `start` on. */
  channel(spec: AccountChannel): Channel;
  /** The returned function stops it. */
  start(): () => void;
}

const RESUMABLE_MS = 600_000;
const SWEEP_MS = 60_000;
const SHED_MS = 1_000;

interface LiveContext {
  readonly engine: Pick<EngineHandle, "cache">;
  readonly live: Pick<Live, "publish" | "isOpen">;
  readonly clock: Clock;
}

export function createLiveAccounts(context: LiveContext, accounts: AccountResolver): LiveAccounts {
  const specs: AccountChannel[] = [];
  return {
    channel(spec) {
      specs.push(spec);
      return makeChannel(spec, context, accounts);
    },
    start: () => startPublishing(specs, context),
  };
}

const topicOf = ({ channel, biz }: AccountChannel) => ({ channel, biz });
const tells = ({ books }: AccountChannel, { book }: AccountOwner): boolean => books.includes(book as Book);

/** Resumable for ten minutes: no message means no change. */
function makeChannel(spec: AccountChannel, { engine, clock }: LiveContext, accounts: AccountResolver): Channel {
  return {
    channel: spec.channel,
    kind: "sequenced",
    isPrivate: true,
    retainMs: RESUMABLE_MS,
    serves: ({ biz, type, pairCode, base }) =>
      biz === spec.biz && [type, pairCode, base].every((part) => part === undefined),
    position: () => engine.cache?.sequence ?? 0,
    snapshot: async (_, user) => {
      const { cache } = engine;
      if (cache === undefined) throw new Error("the engine keeps no account cache");
      const userId = Number(user);
      if (spec.first !== undefined && (await accounts.open(userId, spec.first)) === undefined) {
        throw new Error("the account is being opened");
      }
      const owned = (await accounts.list(userId)).filter((owner) => tells(spec, owner));
      const views = await Promise.all(owned.map(({ account }) => cache.open(account, clock.now())));
      return { data: views.flatMap((view) => spec.describeView(view)), sequence: cache.sequence };
    },
  };
}

function startPublishing(specs: readonly AccountChannel[], { engine, live, clock }: LiveContext): () => void {
  const { cache } = engine;
  if (cache === undefined) return () => undefined;
  const stop = cache.subscribe((changes) => {
    for (const spec of specs) {
      for (const [userId, own] of groupByUser(changes, spec)) {
        const extra = { sequence: own[0]?.sequence ?? 0, account: String(userId) };
        live.publish(topicOf(spec), () => own.flatMap((change) => spec.describeChange(change)), extra);
      }
    }
  });
  const isWatched = (owner: AccountOwner): boolean =>
    specs.some((spec) => tells(spec, owner) && live.isOpen(topicOf(spec), String(owner.userId)));
  const stopSweeping = clock.every(SWEEP_MS, () => cache.sweep(clock.now(), isWatched));
  const stopShedding = clock.every(SHED_MS, () => cache.shed(clock.now(), isWatched));
  return () => {
    stopSweeping();
    stopShedding();
    stop();
  };
}

/** One command may change two books of a user: a subscriber of both receives one message. */
function groupByUser(changes: readonly AccountChange[], spec: AccountChannel): Map<number, AccountChange[]> {
  const found = new Map<number, AccountChange[]>();
  for (const change of changes) {
    const { owner } = change;
    if (!tells(spec, owner) || !spec.concerns(change)) continue;
    const own = found.get(owner.userId);
    if (own === undefined) found.set(owner.userId, [change]);
    else own.push(change);
  }
  return found;
}
