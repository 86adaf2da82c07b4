// Notifies users of their margins: warnings, liquidations, deleveraging and funding, once each. Follows the
// projection's rows from a stored position, so that a process that ends in between loses none; offline users receive
// letters, by their settings.
import type { MachineEvent } from "@clockwork/core/protocol/event";
import { isSimulatedUser } from "@clockwork/core/protocol/names";
import { type Part, runs } from "@clockwork/host/part";
import { keepResuming } from "@clockwork/host/resume-loop";
import { priceText, quantityText, valueText } from "@clockwork/kit/instrument";
import type { Notice, NoticeKind } from "@clockwork/kit/notice";
import { FollowService } from "@clockwork/messaging/notices/follow-service";
import { placeStore } from "@clockwork/messaging/notices/place-store";
import type { PartContext } from "../context.ts";
import { reportId } from "../liquidations/rules.ts";
import type { MarginNotifiedRow } from "../projectors/rows/rows.ts";

const MARGIN: NoticeKind = { kind: "margin-call", group: "trading", defaults: ["live", "letter", "push"] };
const LIQUIDATION: NoticeKind = { kind: "liquidation", group: "trading", defaults: ["live", "letter", "mail", "push"] };
const FUNDING: NoticeKind = { kind: "funding", group: "trading", defaults: [] };

/** For events that did not wake it, as after a start. */
const SWEEP_MS = 5_000;

type NoticeDraft = Omit<Notice, "kind"> & { readonly kind: NoticeKind };
type MarginEvent = MachineEvent & { readonly place: number };

export function futuresNoticesPart(context: PartContext): Part {
  const { accounts, database, ledger, log, market, clock } = context;
  const { notices } = accounts;
  for (const kind of [MARGIN, LIQUIDATION, FUNDING]) notices.register(kind);
  const notify = async (row: MarginNotifiedRow): Promise<void> => {
    const owner = await ledger.accounts.ownerOf(row.account);
    if (owner === undefined || isSimulatedUser(owner.userId) || owner.book === "demo") return;
    const event = JSON.parse(row.body) as MarginEvent;
    const answer = describe(market.pairs, event, event.place);
    if (answer === undefined) return;
    await notices.notify(owner.userId, { ...answer, kind: answer.kind.kind }, row.time_ms);
  };
  const { marginNotified } = ledger;
  const follower = new FollowService<MarginNotifiedRow>({
    name: "margin",
    store: placeStore(database.kysely),
    needs: { list: (after, limit) => marginNotified.list(after, limit), notify },
  });
  const onFailure = (error: unknown): void => log.warn("futures.notices.failed", { error });
  let following: Promise<unknown> = Promise.resolve();
  const follow = (): Promise<unknown> => {
    following = following.then(() => follower.follow()).catch(onFailure);
    return following;
  };
  return runs(() => {
    const unhear = marginNotified.subscribe((sequence) => {
      ledger.settled(sequence).then(follow).catch(onFailure);
    });
    const stop = keepResuming({ clock, everyMs: SWEEP_MS, resume: follow, onFailure });
    return async () => {
      unhear();
      await stop();
      await following;
    };
  });
}

function describe(pairs: PartContext["market"]["pairs"], event: MachineEvent, place: number): NoticeDraft | undefined {
  switch (event.kind) {
    case "marginWarning": {
      const coin = pairs.findAssetById(event.asset)?.symbol ?? "";
      return {
        kind: MARGIN,
        reference: `margin:${event.sequence}:${event.account}:${event.position}:${event.percent}`,
        title: `${event.percent} % of your margin is used`,
        body: `Your ${coin} positions have used ${event.percent} % of what carries them; at 100 % they are liquidated. Add margin or close a part.`,
        path: pathOf(pairs.listContracts("delivery").find(({ settle }) => settle.asset === event.asset) ?? FIRST),
      };
    }
    case "liquidationStarted": {
      const pair = pairs.findMarket(event.market);
      if (pair === undefined) return undefined;
      return {
        kind: LIQUIDATION,
        reference: `liquidation:${event.sequence}:${event.account}:${event.position}`,
        title: `Your ${pair.pairCode} position was liquidated`,
        body: `At a mark of ${priceText(pair, event.markTicks)} the margin was used up. The report shows every step.`,
        path: `/futures/data/${pair.pairCode}?report=${reportId({ sequence: event.sequence, place })}`,
      };
    }
    case "deleveraged": {
      const pair = pairs.findMarket(event.market);
      if (pair === undefined) return undefined;
      return {
        kind: LIQUIDATION,
        reference: `adl:${event.sequence}:${event.account}:${event.position}`,
        title: `Your ${pair.pairCode} position was deleveraged`,
        body: `${quantityText(pair, event.lots)} were closed at ${priceText(pair, event.price)} against a bankrupt position; realised ${valueText(pair, event.realizedUnits)} ${pair.settle.symbol}.`,
        path: pathOf(pair),
      };
    }
    case "posting": {
      const pair = pairs.findMarket(event.market);
      if (pair === undefined) return undefined;
      const verb = event.deltaUnits < 0 ? "paid" : "received";
      return {
        kind: FUNDING,
        reference: `funding:${event.sequence}:${event.account}:${event.reference}`,
        title: `Funding of ${pair.pairCode}`,
        body: `You ${verb} ${valueText(pair, Math.abs(event.deltaUnits))} ${pair.settle.symbol}.`,
        path: pathOf(pair),
      };
    }
    default:
      return undefined;
  }
}

/** Margin is in dollars, so the contract does not matter. */
const FIRST = { biz: "futures", pairCode: "BTC_USDT" };

const pathOf = ({ biz, pairCode }: { readonly biz: string; readonly pairCode: string }): string =>
  `/${biz === "delivery" ? "delivery" : "futures"}/${pairCode}`;
