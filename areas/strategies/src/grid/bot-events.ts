// Follows the engine's events of bots: open pages receive changes, and owners are notified of a bot's automatic
// actions, once each.
import { readEvent } from "@clockwork/core/protocol/codec";
import { EVENT_BYTES, EVENTS, type EventOf } from "@clockwork/core/protocol/event";
import { isSimulatedUser } from "@clockwork/core/protocol/names";
import type { Notice, NoticeKind } from "@clockwork/kit/notice";
import type { PartContext } from "@clockwork/trading/context";
import { bizOf, type GridBiz } from "./contract.ts";
import type { GridStore } from "./store.ts";

const BOTS: NoticeKind = { kind: "bots", group: "products", defaults: ["live", "letter"] };
const CHANGED = EVENTS.botChanged.kind;
const PAIRED = EVENTS.botPairClosed.kind;
/** Changes for pages are published in batches. */
const NOTIFY_MS = 1_000;

const ENDS: Readonly<Record<string, string>> = {
  TAKE_PROFIT: "its take profit was reached",
  STOP_LOSS: "its stop loss was reached",
  ENDED: "its time was over",
  TRAILING_EXIT: "the price came back as far as its trailing exit",
  START_UNFILLED: "the market was too thin to begin",
  PRICE_JUMPED: "the price jumped over its trigger too far for it to begin",
  LIQUIDATED: "its position was liquidated",
  DELISTED: "its market was delisted",
};

type Changed = EventOf<"botChanged">;

export function followBots(
  context: PartContext,
  store: GridStore,
  publishPages: (userId: number, biz: GridBiz) => Promise<void>,
): () => void {
  const { engine, ledger, accounts, clock, log } = context;
  accounts.notices.register(BOTS);
  const waiting = new Set<number>();
  const warn = (error: unknown): void => log.warn("grid.follow.failed", { error });
  const notice = async (event: Changed): Promise<void> => {
    const owner = await ledger.accounts.ownerOf(event.account);
    const answer = describe(event);
    if (owner === undefined || answer === undefined || isSimulatedUser(owner.userId)) return;
    await accounts.notices.notify(owner.userId, answer, clock.now());
  };
  let lastSequence = 0;
  const flush = async (): Promise<void> => {
    const changed = [...waiting];
    waiting.clear();
    // Published data comes from the tables: wait until they have it.
    await ledger.settled(lastSequence);
    const owners = new Map<string, { readonly userId: number; readonly biz: GridBiz }>();
    for (const bot of changed) {
      const row = await store.find(bot);
      if (row === undefined || isSimulatedUser(row.user_id)) continue;
      const biz = bizOf(row.grid);
      owners.set(`${row.user_id}:${biz}`, { userId: row.user_id, biz });
    }
    for (const { userId, biz } of owners.values()) await publishPages(userId, biz);
  };
  const stopTimer = clock.every(NOTIFY_MS, () => {
    if (waiting.size > 0) flush().catch(warn);
  });
  const stopListening = engine.subscribe((batch) => {
    const view = new DataView(batch.bytes.buffer, batch.bytes.byteOffset, batch.bytes.byteLength);
    for (let at = 0; at < batch.bytes.length; at += EVENT_BYTES) {
      const kind = batch.bytes[at] as number;
      if (kind !== CHANGED && kind !== PAIRED) continue;
      const event = readEvent(view, at, clock.now());
      if (event.kind !== "botChanged" && event.kind !== "botPairClosed") continue;
      waiting.add(event.bot);
      lastSequence = batch.lastSequence;
      if (event.kind === "botChanged") notice(event).catch(warn);
    }
  });
  return () => {
    stopListening();
    stopTimer();
  };
}

/** Undefined for the owner's own actions. */
function describe(event: Changed): Notice | undefined {
  const { bot, change, reason, sequence } = event;
  const about = { kind: BOTS.kind, path: `/grid/bot/${bot}` };
  if (change === "closed" && ENDS[reason] !== undefined) {
    const body = `Bot ${bot} has ended because ${ENDS[reason]}. Its money is back where it came from.`;
    return { ...about, reference: `bot:${bot}:closed`, topic: "bot-closed", title: "A grid bot has ended", body };
  }
  if (change === "range" && event.status === "OUT_OF_RANGE") {
    const body = `The price has left the range of bot ${bot}. Its orders stand and go on when it comes back.`;
    return {
      ...about,
      reference: `bot:${bot}:${sequence}`,
      topic: "bot-range",
      title: "A grid bot is out of range",
      body,
    };
  }
  return undefined;
}
