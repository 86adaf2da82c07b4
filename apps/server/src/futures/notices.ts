// Tells users what happened to their margins: warnings, liquidations, deleveraging and funding, once each. Follows the
// engine's own events; whoever is not there finds letters, as he chose.
import { readEvent } from "@clockwork/core/protocol/codec";
import { EVENT_BYTES, EVENT_HEADER, EVENTS, type MachineEvent } from "@clockwork/core/protocol/event";
import { FIRST_USER_ACCOUNT, isSimulatedUser } from "@clockwork/core/protocol/names";
import { reportId } from "@clockwork/domains/liquidations/rules";
import { priceText, quantityText, valueText } from "@clockwork/kit/instrument";
import type { Notice, NoticeKind } from "@clockwork/kit/notice";
import { type Part, type PartContext, runs } from "../part.ts";

const MARGIN: NoticeKind = { kind: "margin-call", group: "trading", defaults: ["live", "letter", "push"] };
const LIQUIDATION: NoticeKind = { kind: "liquidation", group: "trading", defaults: ["live", "letter", "mail", "push"] };
const FUNDING: NoticeKind = { kind: "funding", group: "trading", defaults: [] };

const KINDS: ReadonlySet<number> = new Set([
  EVENTS.marginWarning.kind,
  EVENTS.liquidationStarted.kind,
  EVENTS.deleveraged.kind,
]);
const POSTING = EVENTS.posting.kind;
const { business, account: accountField } = EVENTS.posting.layout;

type Told = Omit<Notice, "kind"> & { readonly kind: NoticeKind };

export function futuresNoticesPart(context: PartContext): Part {
  const { accounts, engine, ledger, log, market, clock } = context;
  const { notices } = accounts;
  for (const kind of [MARGIN, LIQUIDATION, FUNDING]) notices.register(kind);
  const tell = async (event: MachineEvent & { readonly account: number }, place: number): Promise<void> => {
    const owner = await ledger.accounts.ownerOf(event.account);
    if (owner === undefined || isSimulatedUser(owner.userId) || owner.book === "demo") return;
    const told = describe(market.pairs, event, place);
    if (told === undefined) return;
    await notices.tell(owner.userId, { ...told, kind: told.kind.kind }, clock.now());
  };
  const placeOf = countPlaces();
  return runs(() =>
    engine.subscribe((batch) => {
      const view = new DataView(batch.bytes.buffer, batch.bytes.byteOffset, batch.bytes.byteLength);
      for (let at = 0; at < batch.bytes.length; at += EVENT_BYTES) {
        const kind = batch.bytes[at] as number;
        const isFunding = kind === POSTING && business.read(view, at) === "funding";
        if (!KINDS.has(kind) && !isFunding) continue;
        const account = accountField.read(view, at);
        const place = kind === EVENTS.liquidationStarted.kind ? placeOf(EVENT_HEADER.sequence.read(view, at)) : 0;
        const cached = account < FIRST_USER_ACCOUNT || engine.cache?.facts.simulated.has(account) === true;
        if (cached) continue;
        const event = readEvent(view, at, clock.now()) as MachineEvent & { readonly account: number };
        tell(event, place).catch((error: unknown) => log.warn("futures.notices.failed", { error }));
      }
    }),
  );
}

/** The place of a liquidation among those of one command, by which its report is found. */
function countPlaces(): (sequence: number) => number {
  let [last, place] = [0, 0];
  return (sequence) => {
    place = sequence === last ? place + 1 : 0;
    last = sequence;
    return place;
  };
}

function describe(pairs: PartContext["market"]["pairs"], event: MachineEvent, place: number): Told | undefined {
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

/** Where margin is in dollars, and of which contract it is does not matter. */
const FIRST = { biz: "futures", pairCode: "BTC_USDT" };

const pathOf = ({ biz, pairCode }: { readonly biz: string; readonly pairCode: string }): string =>
  `/${biz === "delivery" ? "delivery" : "futures"}/${pairCode}`;
