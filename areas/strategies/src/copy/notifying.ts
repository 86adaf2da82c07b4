// Informs followers and leaders of the core's actions: their overviews at once, notices while they are offline. Follows
// the engine's events.
import { readEvent } from "@clockwork/core/protocol/codec";
import { EVENT_BYTES, EVENTS, type MachineEvent } from "@clockwork/core/protocol/event";
import { isSimulatedUser } from "@clockwork/core/protocol/names";
import { quantityText } from "@clockwork/kit/instrument";
import { formatUnits, units } from "@clockwork/kit/money";
import type { NoticeKind } from "@clockwork/kit/notice";
import type { PartContext } from "@clockwork/trading/context";
import { COPY_CHANNEL, type CopyKind, LEAD_CHANNEL } from "./contract.ts";
import type { LiveOverviews } from "./live-overviews.ts";
import type { CopyNeeds } from "./needs.ts";
import type { RecordStore } from "./record-store.ts";
import { pathOf } from "./rules.ts";
import type { CopyStore } from "./store.ts";

const NOTICES: readonly NoticeKind[] = [
  { kind: "copy", group: "products", defaults: ["live"], isFleeting: true },
  { kind: "copy-end", group: "products", defaults: ["live", "letter", "push"] },
  { kind: "copy-share", group: "products", defaults: ["letter"] },
  { kind: "copy-lead", group: "products", defaults: ["live", "letter"] },
];
const KINDS: ReadonlySet<number> = new Set(
  (["leaderChanged", "followChanged", "copyPlaced", "copySkipped", "shareHeld", "shareSettled"] as const).map(
    (name) => EVENTS[name].kind,
  ),
);
const ENDED: Readonly<Record<string, string>> = {
  stopLoss: "Your stop-loss was reached: everything was closed and the follow has ended.",
  takeProfit: "Your take-profit was reached: everything was closed and the follow has ended.",
  leaderClosed: "The leader stopped leading: everything was closed and the follow has ended.",
};

type LeaderEvent = Extract<MachineEvent, { readonly kind: "leaderChanged" }>;
type CopyEvent = Extract<
  MachineEvent,
  { readonly kind: "followChanged" | "copyPlaced" | "copySkipped" | "shareHeld" | "shareSettled" }
>;

interface Notifying {
  readonly store: CopyStore;
  readonly records: Pick<RecordStore, "leader">;
  readonly needs: CopyNeeds;
  readonly remove: (leader: number) => void;
  readonly overviews: Pick<LiveOverviews, "changed">;
}

/** Starts when called; the returned function stops it. */
export function followCopies(context: PartContext, notifying: Notifying): () => () => void {
  const { accounts, clock, engine, log } = context;
  for (const kind of NOTICES) accounts.notices.register(kind);
  return () =>
    engine.subscribe((batch) => {
      const view = new DataView(batch.bytes.buffer, batch.bytes.byteOffset, batch.bytes.byteLength);
      for (let at = 0; at < batch.bytes.length; at += EVENT_BYTES) {
        if (!KINDS.has(batch.bytes[at] as number)) continue;
        const event = readEvent(view, at, clock.now()) as CopyEvent | LeaderEvent;
        const answer =
          event.kind === "leaderChanged" ? notifyLeader(context, notifying, event) : notify(context, notifying, event);
        answer.catch((error: unknown) => log.warn("copy.telling.failed", { error }));
      }
    });
}

const kindOf = (book: string | undefined): CopyKind => (book === "copyS" || book === "spot" ? "spot" : "futures");

/** A waiting user is notified when a place is free, and removed from the list. Notified first: a notice counts once. */
async function notifyWaiting(
  { ledger }: PartContext,
  notifying: Notifying,
  leader: number,
  sequence: number,
): Promise<void> {
  const { store, records, needs } = notifying;
  const waiting = await store.listWaiting(leader);
  if (waiting.length === 0) return;
  await ledger.settled(sequence);
  const [row, answer] = await Promise.all([store.find(leader), records.leader(leader)]);
  if (row?.state !== "ACTIVE" || answer === undefined || answer.followers >= answer.followers_max) return;
  for (const userId of waiting) {
    await needs.notify(userId, {
      kind: "copy-lead",
      reference: `place:${leader}:${sequence}`,
      title: `${row.nickname} has a free place`,
      body: "You asked to be told. Places go to whoever copies first.",
      path: pathOf(row),
    });
    await store.stopWaiting(userId, leader);
  }
}

async function notifyLeader(context: PartContext, notifying: Notifying, event: LeaderEvent): Promise<void> {
  const { ledger } = context;
  const { remove, overviews } = notifying;
  remove(event.account);
  await notifyWaiting(context, notifying, event.account, event.sequence);
  const leader = await ledger.accounts.ownerOf(event.account);
  if (leader === undefined || isSimulatedUser(leader.userId)) return;
  overviews.changed(LEAD_CHANNEL, kindOf(leader.book), leader.userId, event.sequence);
}

async function notify(context: PartContext, notifying: Notifying, event: CopyEvent): Promise<void> {
  const { ledger } = context;
  const { overviews, store, remove } = notifying;
  remove(event.leader);
  if (event.kind === "followChanged") await notifyWaiting(context, notifying, event.leader, event.sequence);
  const [follower, leader] = await Promise.all([
    ledger.accounts.ownerOf(event.account),
    ledger.accounts.ownerOf(event.leader),
  ]);
  const kind = kindOf(follower?.book);
  if (leader !== undefined && !isSimulatedUser(leader.userId))
    overviews.changed(LEAD_CHANNEL, kind, leader.userId, event.sequence);
  if (follower === undefined || isSimulatedUser(follower.userId)) return;
  overviews.changed(COPY_CHANNEL, kind, follower.userId, event.sequence);
  const nickname = (await store.find(event.leader))?.nickname ?? "";
  const notice = describe(notifying.needs, event, nickname);
  if (notice === undefined) return;
  await notifying.needs.notify(follower.userId, {
    ...notice,
    path: kind === "spot" ? "/copy/spot/mine" : "/copy/mine",
  });
}

function describe(
  needs: CopyNeeds,
  event: CopyEvent,
  nickname: string,
): Omit<Parameters<CopyNeeds["notify"]>[1], "path"> | undefined {
  const name = `${event.kind}:${event.sequence}:${event.account}`;
  switch (event.kind) {
    case "followChanged": {
      const body = ENDED[event.change];
      return body === undefined
        ? undefined
        : { kind: "copy-end", reference: name, title: `You no longer follow ${nickname}`, body };
    }
    case "shareSettled": {
      const coin = needs.findCoin();
      if (event.paidUnits === 0 || coin === undefined) return undefined;
      const paid = formatUnits(units(event.paidUnits), coin.scale);
      const body = `${paid} ${coin.symbol} of your new profit went to ${nickname}.`;
      return { kind: "copy-share", reference: name, title: "Profit share settled", body };
    }
    case "copyPlaced": {
      const pair = needs.findMarket(event.market);
      if (pair === undefined || event.filledLots === 0) return undefined;
      const byStop = event.what === "close" && event.limitTicks === 0;
      const how = byStop ? "at the market, by the leader's stop" : "at your limits";
      const body = `${quantityText(pair, event.filledLots)} ${pair.base.symbol} ${how}.`;
      const reference = `${name}:${event.orderId}`;
      const what = byStop ? "close by stop" : event.what;
      return { kind: "copy", reference, title: `Copied ${nickname}: ${what} ${pair.pairCode}`, body };
    }
    default:
      return undefined;
  }
}
