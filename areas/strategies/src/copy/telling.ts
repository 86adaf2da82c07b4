// Tells followers and leaders what the core did for them: their overviews at once, notices where they are not there.
// Follows the engine's own events.
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
  stopLoss: "Stop loss reached: all positions were closed and copying has ended.",
  takeProfit: "Take profit reached: all positions were closed and copying has ended.",
  leaderClosed: "The lead trader stopped: all positions were closed and copying has ended.",
};

type LeaderEvent = Extract<MachineEvent, { readonly kind: "leaderChanged" }>;
type CopyEvent = Extract<
  MachineEvent,
  { readonly kind: "followChanged" | "copyPlaced" | "copySkipped" | "shareHeld" | "shareSettled" }
>;

interface Telling {
  readonly store: CopyStore;
  readonly records: Pick<RecordStore, "leader">;
  readonly needs: CopyNeeds;
  readonly forget: (leader: number) => void;
  readonly overviews: Pick<LiveOverviews, "changed">;
}

/** Begins when it is called; the answer ends it. */
export function followCopies(context: PartContext, telling: Telling): () => () => void {
  const { accounts, clock, engine, log } = context;
  for (const kind of NOTICES) accounts.notices.register(kind);
  return () =>
    engine.subscribe((batch) => {
      const view = new DataView(batch.bytes.buffer, batch.bytes.byteOffset, batch.bytes.byteLength);
      for (let at = 0; at < batch.bytes.length; at += EVENT_BYTES) {
        if (!KINDS.has(batch.bytes[at] as number)) continue;
        const event = readEvent(view, at, clock.now()) as CopyEvent | LeaderEvent;
        const told =
          event.kind === "leaderChanged" ? tellLeader(context, telling, event) : tell(context, telling, event);
        told.catch((error: unknown) => log.warn("copy.telling.failed", { error }));
      }
    });
}

const kindOf = (book: string | undefined): CopyKind => (book === "copyS" || book === "spot" ? "spot" : "futures");

/** Whoever waits for a place is told when there is one, and waits no longer. Told first: a notice counts once. */
async function tellWaiting({ ledger }: PartContext, telling: Telling, leader: number, sequence: number): Promise<void> {
  const { store, records, needs } = telling;
  const waiting = await store.listWaiting(leader);
  if (waiting.length === 0) return;
  await ledger.settled(sequence);
  const [row, told] = await Promise.all([store.find(leader), records.leader(leader)]);
  if (row?.state !== "ACTIVE" || told === undefined || told.followers >= told.followers_max) return;
  for (const userId of waiting) {
    await needs.tell(userId, {
      kind: "copy-lead",
      reference: `place:${leader}:${sequence}`,
      title: `${row.nickname} has a spot available`,
      body: "You asked to be notified. Spots are first come, first served.",
      path: pathOf(row),
    });
    await store.stopWaiting(userId, leader);
  }
}

async function tellLeader(context: PartContext, telling: Telling, event: LeaderEvent): Promise<void> {
  const { ledger } = context;
  const { forget, overviews } = telling;
  forget(event.account);
  await tellWaiting(context, telling, event.account, event.sequence);
  const leader = await ledger.accounts.ownerOf(event.account);
  if (leader === undefined || isSimulatedUser(leader.userId)) return;
  overviews.changed(LEAD_CHANNEL, kindOf(leader.book), leader.userId, event.sequence);
}

async function tell(context: PartContext, telling: Telling, event: CopyEvent): Promise<void> {
  const { ledger } = context;
  const { overviews, store, forget } = telling;
  forget(event.leader);
  if (event.kind === "followChanged") await tellWaiting(context, telling, event.leader, event.sequence);
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
  const notice = describe(telling.needs, event, nickname);
  if (notice === undefined) return;
  await telling.needs.tell(follower.userId, { ...notice, path: kind === "spot" ? "/copy/spot/mine" : "/copy/mine" });
}

function describe(
  needs: CopyNeeds,
  event: CopyEvent,
  nickname: string,
): Omit<Parameters<CopyNeeds["tell"]>[1], "path"> | undefined {
  const name = `${event.kind}:${event.sequence}:${event.account}`;
  switch (event.kind) {
    case "followChanged": {
      const body = ENDED[event.change];
      return body === undefined
        ? undefined
        : { kind: "copy-end", reference: name, title: `Copying of ${nickname}`, body };
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
      const how = byStop ? "at market, by the lead trader's stop" : "at your limits";
      const body = `${quantityText(pair, event.filledLots)} ${pair.base.symbol} ${how}.`;
      const reference = `${name}:${event.orderId}`;
      const what = byStop ? "close by stop" : event.what;
      return { kind: "copy", reference, title: `Copied ${nickname}: ${what} ${pair.pairCode}`, body };
    }
    default:
      return undefined;
  }
}
