// The list of ads: a table's columns on a wide screen, two lines each on a phone. An ad that cannot be taken remains
// listed with the reason.
import type { Ad } from "@clockwork/fiat/otcads/contract";
import { formatCoins, formatDecimal } from "@clockwork/kit/format";
import { Avatar } from "@clockwork/ui/avatar";
import { Button } from "@clockwork/ui/button";
import { Card } from "@clockwork/ui/card";
import { buttonClass } from "@clockwork/ui/logic/button-style";
import { Badge } from "@clockwork/ui/pill";
import { EmptyState } from "@clockwork/ui/state";
import { useState } from "react";
import { latePart } from "#boot/late-part.tsx";
import { SiteLink } from "#boot/site-link.tsx";
import type { AdList, MarketPageProps, Wanted } from "./market-page.tsx";
import { type OtcText, recordText, useOtcText } from "./otc-text.ts";

const TakeDialog = latePart(async () => (await import("./take-dialog.tsx")).TakeDialog);

export interface AdRowsProps extends Pick<MarketPageProps, "isSignedIn" | "level" | "payments"> {
  readonly list: AdList;
  readonly wanted: Wanted;
}

const COLUMNS = "lg:grid lg:grid-cols-[minmax(0,1.6fr)_minmax(0,0.9fr)_minmax(0,1.3fr)_minmax(0,1.3fr)_auto] lg:gap-4";

export function AdRows({ list: { page, showMore }, wanted, isSignedIn, level, payments }: AdRowsProps) {
  const text = useOtcText();
  const [taken, setTaken] = useState<Ad>();
  if (page === null) return <EmptyState boxed text={text("failed")} />;
  return (
    <Card flush className="overflow-hidden">
      <div className={`border-line border-b px-6 py-3 text-label text-muted max-lg:hidden ${COLUMNS}`}>
        <span>{text("list.advertiser")}</span>
        <span className="text-right">{text("list.price", { fiat: wanted.fiat })}</span>
        <span>{text("list.limits")}</span>
        <span>{text("list.ways")}</span>
        <span className="w-28" />
      </div>
      {page.ads.length === 0 && <EmptyState text={text("list.empty")} />}
      <ul>
        {page.ads.map((ad) => (
          <li
            key={ad.adId}
            className={`border-line border-b px-4 py-3 last:border-0 max-lg:grid max-lg:grid-cols-[minmax(0,1fr)_auto] max-lg:gap-x-3 max-lg:gap-y-2 lg:min-h-17 lg:items-center lg:px-6 ${COLUMNS} ${ad.bar === null ? "" : "[&_.text-text]:text-muted"}`}
          >
            <Who ad={ad} text={text} />
            <p className="figures text-right">
              <span className="block font-semibold text-[17px] text-text">{ad.price}</span>
              <span className="block text-label text-muted">
                {text("list.toIndex", { percent: distance(ad.premium) })}
              </span>
            </p>
            <p className="figures max-lg:col-start-1">
              <span className="block text-ui">
                {ad.asset === "USDT" ? formatDecimal(ad.stock, { grouped: true, decimals: 2 }) : formatCoins(ad.stock)}{" "}
                {ad.asset}
              </span>
              <span className="block text-label text-muted">
                {text("list.between", { ...limits(ad), fiat: ad.fiat })}
              </span>
            </p>
            <Ways ad={ad} text={text} />
            <div className="flex justify-end max-lg:col-start-2 max-lg:row-span-2 max-lg:row-start-2 max-lg:items-end lg:w-28">
              <Press ad={ad} amount={wanted.amount} isSignedIn={isSignedIn} level={level} onTake={() => setTaken(ad)} />
            </div>
          </li>
        ))}
      </ul>
      <footer className="flex items-center justify-between gap-3 px-6 py-3 text-[13px] text-muted">
        <span>
          {text("list.shown", { shown: page.ads.length, total: page.total })}
          {page.hidden > 0 && ` · ${text("list.hidden", { count: page.hidden })}`}
        </span>
        {page.ads.length < page.total && (
          <Button size={32} onPress={showMore}>
            {text("more")}
          </Button>
        )}
      </footer>
      {taken !== undefined && (
        <TakeDialog ad={taken} payments={payments} amount={wanted.amount} onClose={() => setTaken(undefined)} />
      )}
    </Card>
  );
}

/** From a percentage of the index to how far above or below it that is. */
function distance(premium: string): string {
  return formatDecimal((Number(premium) - 100).toFixed(2), { plus: true });
}

function limits({ min, max }: Ad): { readonly min: string; readonly max: string } {
  const shown = (value: string): string => formatDecimal(value, { grouped: true, decimals: 0 });
  return { min: shown(min), max: shown(max) };
}

function Who({ ad: { maker }, text }: { readonly ad: Ad; readonly text: OtcText }) {
  return (
    <div className="flex min-w-0 items-center gap-3">
      <Avatar name={maker.name} size={36} />
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-2 font-medium text-ui text-text">
          {maker.name}
          {maker.isSimulated && <Badge>{text("simulated")}</Badge>}
          {maker.isAway && <Badge>{text("list.away")}</Badge>}
        </p>
        <p className="text-label text-muted">{recordText(text, maker)}</p>
      </div>
    </div>
  );
}

function Ways({ ad, text }: { readonly ad: Ad; readonly text: OtcText }) {
  const kinds = [...new Set(ad.payments.map(({ kind }) => kind))];
  return (
    <p className="flex flex-wrap gap-x-3 text-[13px] max-lg:col-start-1 max-lg:text-muted">
      {kinds.map((kind) => (
        <span key={kind} className="border-line2 border-l-2 pl-2">
          {text(`pay.${kind}`)}
        </span>
      ))}
    </p>
  );
}

/** Why it cannot be taken; for an amount that does not fit, its limits. */
function Bar({ ad, amount, text }: { readonly ad: Ad; readonly amount: string; readonly text: OtcText }) {
  const { bar, fiat } = ad;
  if (bar === null) return null;
  const isLimit = (bar === "MIN" || bar === "MAX") && amount !== "";
  return (
    <span className="text-right text-[13px] text-muted">
      {isLimit
        ? text("bar.not", { amount: formatDecimal(amount, { grouped: true, decimals: 0 }) })
        : text(`bar.${bar}`)}
      {isLimit && (
        <span className="figures block text-label">
          {text(bar === "MIN" ? "bar.from" : "bar.upTo", { value: limits(ad)[bar === "MIN" ? "min" : "max"], fiat })}
        </span>
      )}
    </span>
  );
}

interface PressProps {
  readonly amount: string;
  readonly ad: Ad;
  readonly isSignedIn: boolean;
  readonly level: number;
  readonly onTake: () => void;
}

function Press({ ad, amount, isSignedIn, level, onTake }: PressProps) {
  const text = useOtcText();
  const words = `${text(ad.side)} ${ad.asset}`;
  if (!isSignedIn || level < 2)
    return (
      <SiteLink to={isSignedIn ? "/identity" : "/login"} className={buttonClass({ size: 36 })}>
        {words}
      </SiteLink>
    );
  if (ad.bar === "FACTOR")
    return (
      <SiteLink to="/security" className={buttonClass({ size: 36 })} title={text("bar.FACTOR")}>
        {words}
      </SiteLink>
    );
  if (ad.bar !== null) return <Bar ad={ad} amount={amount} text={text} />;
  return (
    <Button size={36} onPress={onTake} aria-label={`${words}, ${ad.maker.name}, ${ad.price}`}>
      {words}
    </Button>
  );
}
