// One-key matching: an amount, the best ad that takes it, its price held for a minute, and the order by one press.
import { type Match, type MatchBody, type NearestMatch, OTC_AD_CALLS } from "@clockwork/fiat/otcads/contract";
import { OTC_ORDER_CALLS } from "@clockwork/fiat/otcorders/contract";
import { formatCoins, formatDecimal } from "@clockwork/kit/format";
import { PAYMENT_KINDS } from "@clockwork/kit/otc/fiat";
import { AmountField } from "@clockwork/ui/amount-field";
import { Avatar } from "@clockwork/ui/avatar";
import { Button } from "@clockwork/ui/button";
import { useCountdown } from "@clockwork/ui/countdown";
import { Icon } from "@clockwork/ui/icon";
import { buttonClass } from "@clockwork/ui/logic/button-style";
import { Badge } from "@clockwork/ui/pill";
import { Chips, Segmented } from "@clockwork/ui/segmented";
import { useEffect, useState } from "react";
import { useNavigate } from "react-router";
import { SiteLink, useSitePath } from "#boot/site-link.tsx";
import { useCalls } from "#session/auth-context.ts";
import { FormError } from "#session/auth-fields.tsx";
import type { MarketPageProps, Wanted } from "./market-page.tsx";
import { type OtcAction, useOtcAction } from "./otc-calls.ts";
import { recordText, useOtcText } from "./otc-text.ts";
import { requestedPath } from "./requested.ts";

export interface MatchCardProps extends MarketPageProps {
  readonly wanted: Wanted;
  readonly onWanted: (wanted: Wanted) => void;
}

/** Money or coins. */
type Deal = Pick<MatchBody, "amount" | "quantity">;

const HELD_MS = 60_000;

/** The request, and the answer while it is valid: the filters of the list change the request as well. */
function useMatch({ wanted, onWanted }: Pick<MatchCardProps, "wanted" | "onWanted">) {
  const action = useOtcAction();
  /** Coins in place of money; the other side of the deal is found with the price. */
  const [quantity, setQuantity] = useState("");
  const [found, setFound] = useState<Match>();
  const [answered, setAnswered] = useState<MatchBody>();
  const { side, asset, fiat, amount, payment } = wanted;
  const choiceOf = (deal: Deal): MatchBody => ({
    side,
    asset,
    fiat,
    ...deal,
    ...(payment === undefined ? {} : { payment }),
  });
  const choice = choiceOf(quantity === "" ? { amount } : { quantity });
  const isAnswered = JSON.stringify(answered) === JSON.stringify(choice);
  const find = async (next: MatchBody) => {
    setFound(await action.run(OTC_AD_CALLS.match, next));
    setAnswered(next);
  };
  const change = (next: Wanted) => {
    setFound(undefined);
    action.clear();
    onWanted(next);
  };
  const write = (deal: Deal) => {
    change({ ...wanted, amount: deal.amount ?? "" });
    setQuantity(deal.quantity ?? "");
  };
  return {
    action,
    quantity,
    change,
    write,
    isAsked: amount !== "" || quantity !== "",
    match: isAnswered ? found : undefined,
    error: isAnswered ? action.error : undefined,
    /** The request no ad matches. */
    missed: isAnswered && action.code === "NO_MATCH" ? answered : undefined,
    find: () => void find(choice),
    take: (deal: Deal) => {
      write(deal);
      void find(choiceOf(deal));
    },
  };
}

export function MatchCard(props: MatchCardProps) {
  const { wanted } = props;
  const { side } = wanted;
  const text = useOtcText();
  const { action, quantity, change, write, isAsked, match, error, missed, find, take } = useMatch(props);
  return (
    <section className="grid gap-5 rounded-card border border-line bg-bg p-4 lg:grid-cols-2 lg:p-6 dark:bg-surface">
      <div>
        <Head side={side} onSide={(next) => change({ ...wanted, side: next })} />
        <form
          className="flex flex-wrap items-end gap-3 max-sm:flex-col max-sm:items-stretch"
          onSubmit={(event) => {
            event.preventDefault();
            if (isAsked && props.level >= 2 && (side === "buy" || props.hasFactor)) find();
          }}
        >
          <Sides wanted={wanted} quantity={quantity} match={match} onWrite={write} />
          <Gate {...props} side={side} isBusy={action.isBusy} isAsked={isAsked} />
        </form>
        <PayingBy wanted={wanted} onWanted={change} />
        <p className="mt-3 text-[13px] text-muted">
          {text("match.or")}{" "}
          <SiteLink to={requestedPath("/otc/providers", wanted)} className="font-medium text-text underline">
            {text(`match.provider.${side}`)}
          </SiteLink>
        </p>
      </div>
      <div className="rounded-control border border-line bg-surface p-4 dark:bg-bg">
        <FormError>{error}</FormError>
        {missed !== undefined ? (
          <MatchNearest requested={missed} onTake={take} />
        ) : match?.ad == null ? (
          <p className="text-muted text-ui">{text("match.none")}</p>
        ) : (
          <Held key={match.matchId} match={match} action={action} payments={props.payments} onAgain={find} />
        )}
      </div>
    </section>
  );
}

function Head({ side, onSide }: { readonly side: Wanted["side"]; readonly onSide: (side: Wanted["side"]) => void }) {
  const text = useOtcText();
  return (
    <header className="mb-3 flex items-center justify-between gap-3">
      <h2 className="text-card text-text">{text("match.title")}</h2>
      <Segmented
        label={text("match.side")}
        size={32}
        segments={[
          { id: "buy", title: text("match.buy") },
          { id: "sell", title: text("match.sell") },
        ]}
        value={side}
        onChange={(next) => onSide(next === "sell" ? "sell" : "buy")}
      />
    </header>
  );
}

interface MatchNearestProps {
  /** The unmatched request. */
  readonly requested: MatchBody;
  readonly onTake: (deal: Deal) => void;
}

/** Whole money is written without its zeros. */
const IS_WHOLE = /^[^.]*(\.0+)?$/;

/** No ad matches the request: the nearest one's limits, and a button that changes the request to them. */
function MatchNearest({ requested, onTake }: MatchNearestProps) {
  const text = useOtcText();
  const calls = useCalls();
  const [nearest, setNearest] = useState<NearestMatch["nearest"]>(null);
  useEffect(() => {
    let isShown = true;
    const look = async () => {
      const answer = await (await calls()).call(OTC_AD_CALLS.matchNearest, { ...requested });
      if (isShown && answer.ok) setNearest(answer.data.nearest);
    };
    void look();
    return () => {
      isShown = false;
    };
  }, [calls, requested]);
  if (nearest === null) return null;
  const unit = requested.amount === undefined ? requested.asset : requested.fiat;
  const { value, min, max } = nearest;
  const readable = (one: string): string =>
    requested.amount === undefined || IS_WHOLE.test(one) ? formatCoins(one) : formatDecimal(one, { grouped: true });
  return (
    <div className="mt-3">
      <p className="figures mb-3 text-ui">{text("match.nearest", { min: readable(min), max: readable(max), unit })}</p>
      <Button
        size={40}
        onPress={() => onTake(requested.amount === undefined ? { quantity: value } : { amount: value })}
      >
        {text("match.change", { value: readable(value), unit })}
      </Button>
    </div>
  );
}

const ANY = "any";

/** The same choice as the list's. */
function PayingBy({ wanted, onWanted }: Pick<MatchCardProps, "wanted" | "onWanted">) {
  const text = useOtcText();
  const { payment, ...others } = wanted;
  return (
    <div className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-2 text-[13px] text-muted">
      {text("match.paying")}
      <Chips
        label={text("match.paying")}
        value={payment ?? ANY}
        onChange={(id) => {
          const kind = PAYMENT_KINDS.find((one) => one === id);
          onWanted(kind === undefined ? others : { ...others, payment: kind });
        }}
        segments={[
          { id: ANY, title: text("match.any") },
          ...PAYMENT_KINDS.map((id) => ({ id, title: text(`pay.${id}`) })),
        ]}
      />
    </div>
  );
}

interface SidesProps {
  readonly wanted: Wanted;
  readonly quantity: string;
  readonly match: Match | undefined;
  readonly onWrite: (deal: Deal) => void;
}

/** Money or coins: whichever is typed, the other comes with the price. */
function Sides({ wanted: { side, asset, fiat, amount }, quantity, match, onWrite }: SidesProps) {
  const text = useOtcText();
  return (
    <>
      <AmountField
        label={text(side === "buy" ? "match.pay" : "match.earn")}
        name="otc-amount"
        size={48}
        className="min-w-40 flex-1"
        value={quantity === "" ? amount : (match?.amount ?? "")}
        onChange={(next) => onWrite({ amount: next })}
        rules={{ places: 2 }}
        unit={fiat}
      />
      <AmountField
        label={text(side === "buy" ? "match.get" : "match.give")}
        name="otc-quantity"
        size={48}
        className="min-w-40 flex-1"
        value={quantity === "" ? (match?.quantity ?? "") : quantity}
        onChange={(next) => onWrite({ quantity: next })}
        rules={{ places: asset === "USDT" ? 6 : 8 }}
        unit={asset}
      />
    </>
  );
}

/** What opens it comes before the price. */
function Gate(
  props: MatchCardProps & { readonly side: "buy" | "sell"; readonly isBusy: boolean; readonly isAsked: boolean },
) {
  const { isSignedIn, level, hasFactor, side, isBusy, isAsked } = props;
  const text = useOtcText();
  const look = buttonClass({ kind: "primary", size: 48 });
  if (!isSignedIn)
    return (
      <SiteLink to="/login" className={look}>
        {text("match.logIn")}
      </SiteLink>
    );
  if (level < 2)
    return (
      <SiteLink to="/identity" className={look}>
        {text("match.verify")}
      </SiteLink>
    );
  if (side === "sell" && !hasFactor)
    return (
      <SiteLink to="/security" className={look}>
        {text("match.factor")}
      </SiteLink>
    );
  return (
    <Button type="submit" kind="primary" size={48} busy={isBusy} isDisabled={!isAsked}>
      {text("match.find")}
    </Button>
  );
}

interface HeldProps {
  readonly match: Match;
  readonly action: OtcAction;
  readonly payments: MarketPageProps["payments"];
  readonly onAgain: () => void;
}

function Held({ match, action, payments, onAgain }: HeldProps) {
  const text = useOtcText();
  const navigate = useNavigate();
  const sitePath = useSitePath();
  const [until] = useState(() => Date.now() + match.leftMs);
  const leftMs = useCountdown(until, until - match.leftMs);
  const { ad, price, quantity, amount, candidates, nextPrice, matchId } = match;
  if (ad === null) return null;
  const paymentId =
    ad.side === "buy" ? ad.payments[0]?.paymentId : payments.find(({ fiat }) => fiat === ad.fiat)?.paymentId;
  const place = async () => {
    if (paymentId === undefined) return;
    const order = await action.intend("otc-match", OTC_ORDER_CALLS.add, { adId: ad.adId, amount, paymentId, matchId });
    if (order !== undefined) await navigate(sitePath(`/otc/order/${order.orderId}`));
  };
  const coins = { quantity: formatCoins(quantity), asset: ad.asset };
  return (
    <>
      <div className="flex items-center gap-3">
        <Avatar name={ad.maker.name} size={36} />
        <div className="min-w-0 flex-1">
          <p className="flex flex-wrap items-center gap-2 font-medium text-ui">
            {ad.maker.name}
            <Badge>{ad.maker.isSimulated ? text("simulated") : text("merchant")}</Badge>
          </p>
          <p className="text-label text-muted">{recordText(text, ad.maker)}</p>
        </div>
        <p className="figures text-right">
          <span className="block font-semibold text-[20px] text-text">{price}</span>
          <span className="block text-label text-muted">{text("match.per", { fiat: ad.fiat, asset: ad.asset })}</span>
        </p>
      </div>
      <div className="mt-4 flex flex-wrap items-center gap-x-5 gap-y-3">
        <div className="min-w-40 flex-1">
          <p className="mb-1 flex items-center gap-2 text-[13px]">
            <Icon name="lock" size={14} />
            {leftMs > 0 ? text("match.held") : text("match.again")}
            <span className="figures ml-auto text-muted">
              {text("match.left", { seconds: Math.ceil(leftMs / 1000) })}
            </span>
          </p>
          <span className="block h-1 rounded bg-line">
            <span
              className="block h-1 rounded bg-text"
              style={{ width: `${Math.min(100, (leftMs / HELD_MS) * 100)}%` }}
            />
          </span>
        </div>
        {leftMs === 0 ? (
          <Button size={40} onPress={onAgain}>
            {text("match.find")}
          </Button>
        ) : paymentId === undefined ? (
          <SiteLink to="/otc/payments" className={buttonClass({ size: 40 })}>
            {text("payments.add")}
          </SiteLink>
        ) : (
          <Button kind="primary" size={40} busy={action.isBusy} onPress={() => void place()}>
            {text(`match.go.${ad.side}`, coins)}
          </Button>
        )}
      </div>
      <p className="mt-3 text-label text-muted">
        {text("match.best", { count: candidates, amount: formatDecimal(amount, { grouped: true }), fiat: ad.fiat })}{" "}
        {nextPrice !== null && text("match.next", { price: nextPrice })}
      </p>
    </>
  );
}
