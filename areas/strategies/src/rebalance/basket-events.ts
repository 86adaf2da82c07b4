// Follows the engine's events of rebalancing bots: open pages receive changes, and owners are notified of its actions
// and failures, once each.
import { readEvent } from "@clockwork/core/protocol/codec";
import { EVENT_BYTES, EVENTS, type EventOf } from "@clockwork/core/protocol/event";
import { isSimulatedUser } from "@clockwork/core/protocol/names";
import type { Notice, NoticeKind } from "@clockwork/kit/notice";
import type { PartContext } from "@clockwork/trading/context";

const BASKETS: NoticeKind = { kind: "baskets", group: "products", defaults: ["live", "letter"] };
/** A basket may trade often: only open pages receive it, unless its owner enables more. */
const ROUNDS: NoticeKind = { kind: "basketRounds", group: "products", defaults: ["live"] };
/** Changes for pages are published in batches. */
const NOTIFY_MS = 1_000;

type Changed = EventOf<"rebalancerChanged">;

export function followBaskets(context: PartContext, publishPages: (userId: number) => Promise<void>): () => void {
  const { engine, ledger, accounts, clock, log } = context;
  for (const kind of [BASKETS, ROUNDS]) accounts.notices.register(kind);
  const waiting = new Set<number>();
  const warn = (error: unknown): void => log.warn("rebalance.follow.failed", { error });
  const ownerOf = async (account: number): Promise<number | undefined> => {
    const owner = await ledger.accounts.ownerOf(account);
    return owner === undefined || isSimulatedUser(owner.userId) ? undefined : owner.userId;
  };
  const notice = async (event: Changed): Promise<void> => {
    const userId = await ownerOf(event.account);
    const answer = describe(event);
    if (userId !== undefined && answer !== undefined) await accounts.notices.notify(userId, answer, clock.now());
  };
  let lastSequence = 0;
  const flush = async (): Promise<void> => {
    const books = [...waiting];
    waiting.clear();
    // Published data comes from the tables: wait until they have it.
    await ledger.settled(lastSequence);
    const owners = new Set<number>();
    for (const account of books) {
      const userId = await ownerOf(account);
      if (userId !== undefined) owners.add(userId);
    }
    for (const userId of owners) await publishPages(userId);
  };
  const stopTimer = clock.every(NOTIFY_MS, () => {
    if (waiting.size > 0) flush().catch(warn);
  });
  const stopListening = engine.subscribe(({ bytes, lastSequence: sequence }) => {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let at = 0; at < bytes.length; at += EVENT_BYTES) {
      if (bytes[at] !== EVENTS.rebalancerChanged.kind) continue;
      const event = readEvent(view, at, clock.now());
      if (event.kind !== "rebalancerChanged") continue;
      waiting.add(event.account);
      lastSequence = sequence;
      notice(event).catch(warn);
    }
  });
  return () => {
    stopListening();
    stopTimer();
  };
}

const CAUSES: Readonly<Record<string, string>> = {
  threshold: "a share was off its weight",
  interval: "its interval was over",
};

/** Undefined for the trades of its start: its creation is notified already. */
function describe({ rebalancer, change, cause, rounds, sequence }: Changed): Notice | undefined {
  const about = { path: `/grid/basket/${rebalancer}` };
  const notify = (kind: NoticeKind, reference: string, topic: string, title: string, body: string): Notice => ({
    ...about,
    kind: kind.kind,
    reference: `basket:${rebalancer}:${reference}`,
    topic,
    title,
    body,
  });
  if (change === "created")
    return notify(
      BASKETS,
      "created",
      "basket-created",
      "A rebalancing bot is running",
      `Basket ${rebalancer} was made and buys its coins by their weights.`,
    );
  if (change === "closed")
    return notify(
      BASKETS,
      "closed",
      "basket-closed",
      "A rebalancing bot has ended",
      `Basket ${rebalancer} ${cause === "delisted" ? "ended because a coin of it was delisted" : "was stopped"}. What it held is back in your spot account.`,
    );
  if (change === "failed")
    return notify(
      BASKETS,
      `failed:${sequence}`,
      "basket-failed",
      "A rebalancing bot could not trade",
      `Basket ${rebalancer} found nobody to trade with. It tries again by itself, and you are told of this once.`,
    );
  const why = CAUSES[cause];
  if (why === undefined) return undefined;
  return notify(
    ROUNDS,
    `round:${rounds}`,
    "basket-rebalanced",
    "A rebalancing bot has rebalanced",
    `Basket ${rebalancer} was brought back to its weights because ${why}.`,
  );
}
