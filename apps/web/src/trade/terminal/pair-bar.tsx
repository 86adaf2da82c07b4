// The bar that names the pair: choosing another, the star, the last price and the last 24 hours. Live values are small
// components of their own, so a tick repaints a number and not the bar.

import { formatAbbreviated, formatDecimal } from "@clockwork/kit/format";
import { readFixed, showFixed } from "@clockwork/kit/whole-text";
import type { Quotation } from "@clockwork/trading/markets/contract";
import { CoinGlyph } from "@clockwork/ui/coin-glyph";
import { Change } from "@clockwork/ui/figure";
import { Icon } from "@clockwork/ui/icon";
import { cx } from "@clockwork/ui/logic/class-names";
import { type ReactNode, Suspense, use, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { scheduleHead } from "#boot/head-updates.ts";
import { lazy } from "#boot/timeout.ts";
import { useFavourites } from "#clients/favourites.ts";
import { usePrice } from "#session/price.ts";
import { createPacer } from "#trade/frame-pacer.ts";
import { LayoutMenu } from "#trade/layout/layout-menu.tsx";
import { changeText, percentText } from "#trade/market-words.ts";
import { useProduct } from "#trade/product.ts";
import { type TerminalLink, useTerminalLink } from "#trade/terminal-link.ts";
import { firstMarket, useMarketFeeds, useTerminalData } from "#trade/terminal-market.ts";
import { useTerminalText } from "#trade/terminal-text.ts";
import { LocaleContext, useText } from "#words/text.ts";
import { PairPicker } from "./pair-picker.tsx";

const MobileMenu = lazy(() => import("#shell/mobile-menu.tsx").then((module) => ({ default: module.MobileMenu })));

const silent = () => () => {};

/** The pair's quotation: served first, live once it flows. */
function useQuotation(): Quotation | null {
  const { quotation } = useTerminalData();
  const feeds = useMarketFeeds();
  const read = () => feeds?.ticker.get().value ?? quotation;
  return useSyncExternalStore(feeds?.ticker.subscribe ?? silent, read, () => quotation);
}

export interface PairBarProps {
  /** The alerts of the instrument are a feature of their own and come from the route. */
  readonly alerts: ReactNode;
  /** The product's figures next to those of the day. */
  readonly statistics: ReactNode;
}

export function PairBar({ alerts, statistics }: PairBarProps) {
  const text = useTerminalText();
  const { pair } = useTerminalData();
  const { tag } = useProduct();
  return (
    <div className="t-pairbar">
      <NarrowMenu />
      <CoinGlyph code={pair.base} size={24} className="t-coin" />
      <PairPicker />
      {tag !== undefined && <span className="rounded-xs bg-active px-1 text-axis text-muted max-lg:hidden">{tag}</span>}
      <NarrowChange />
      <Star />
      <span aria-hidden="true" className="mx-2 h-8 w-px bg-line max-lg:hidden" />
      <LastPrice key={pair.pairCode} />
      <Statistics more={statistics} />
      {pair.isSimulated && (
        <span className="t-chip" title={text("simulatedNote")}>
          <span className="max-xl:hidden">{text("simulated")}</span>
          <span className="xl:hidden">{text("simulatedShort")}</span>
        </span>
      )}
      <span className="t-pairbar-end">
        {alerts}
        <LayoutMenu />
      </span>
    </div>
  );
}

/** The way to the rest of the site from a phone, where the terminal has no header. */
function NarrowMenu() {
  const text = useText();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        aria-label={text("menu.open")}
        aria-haspopup="dialog"
        className="t-icon size-8 lg:hidden"
        onClick={() => setOpen(true)}
      >
        <Icon name="menu" size={20} />
      </button>
      <Suspense fallback={null}>{isOpen && <MobileMenu onClose={() => setOpen(false)} />}</Suspense>
    </>
  );
}

function NarrowChange() {
  const quotation = useQuotation();
  if (quotation === null) return null;
  return <Change text={percentText(quotation.changePercent)} className="lg:hidden" />;
}

function Star() {
  const text = useTerminalText();
  const { pair } = useTerminalData();
  const { words } = useProduct();
  const { isFavourite, toggle } = useFavourites();
  const isStarred = isFavourite(pair.pairCode);
  return (
    <button
      type="button"
      aria-pressed={isStarred}
      aria-label={text(isStarred ? "unfavourite" : "favourite", { pair: words.nameOf(pair.pairCode) })}
      className="t-icon size-8"
      onClick={() => toggle(pair.pairCode)}
    >
      <Icon name={isStarred ? "star-filled" : "star"} size={18} />
    </button>
  );
}

/** Which way the last price went; the first one goes nowhere. */
function useMove(units: number): "up" | "down" | "flat" {
  const before = useRef({ units, move: "flat" as "up" | "down" | "flat" });
  if (units !== before.current.units) {
    before.current = { units, move: units > before.current.units ? "up" : "down" };
  }
  return before.current.move;
}

const LAST = { everyMs: 100 };

/** Ten times a second: the big price, the title and the fiat worth are read, not watched; the book shows every change. */
function useSampledLast(link: TerminalLink): string | null {
  const data = useTerminalData();
  const [market, setMarket] = useState(() => link.market.get());
  useEffect(() => {
    const pacer = createPacer(() => setMarket(link.market.get()), LAST);
    pacer.ask();
    const release = link.market.subscribe(pacer.ask);
    return () => {
      release();
      pacer.stop();
    };
  }, [link]);
  // The link turns to another pair only after this was rendered for it.
  return market.pair.pairCode === data.pair.pairCode ? market.last : firstMarket(data).last;
}

const TONES = { up: "text-up-text", down: "text-down-text", flat: "" } as const;

function LastPrice() {
  const text = useTerminalText();
  const siteText = useText();
  const link = useTerminalLink();
  const last = useSampledLast(link);
  const { words } = useProduct();
  const { pair } = useTerminalData();
  const quotation = useQuotation();
  const writePrice = usePrice();
  const units = last === null ? Number.NaN : readFixed(last, pair.priceDecimals);
  const moved = useMove(units);
  const ofDay = quotation?.changePercent.startsWith("-") ? "down" : "up";
  const shown = showFixed(units, pair.priceDecimals);
  const title = text("title", { last: shown, pair: words.nameOf(pair.pairCode) });
  useEffect(() => scheduleHead({ title: `${title} · ${siteText("site.name")}` }), [title, siteText]);
  return (
    <div className="t-last">
      <span
        data-fact="last"
        className={cx("figures t-last-price", last !== null && TONES[moved === "flat" ? ofDay : moved])}
      >
        {shown}
      </span>
      <span className="figures t-last-fiat">
        {last !== null && pair.quote.startsWith("USD") ? writePrice(last) : ""}
        <span className="lg:hidden"> {quotation && <Change text={changeText(quotation, pair.priceDecimals)} />}</span>
      </span>
    </div>
  );
}

function Statistics({ more }: { readonly more: ReactNode }) {
  const text = useTerminalText();
  const { pair } = useTerminalData();
  const assets = useProduct().words.assetsOf(pair.pairCode);
  const locale = use(LocaleContext);
  const quotation = useQuotation();
  if (quotation === null) return null;
  const price = (value: string) => showFixed(readFixed(value, pair.priceDecimals), pair.priceDecimals);
  const volume = formatDecimal(quotation.volume, { decimals: Math.min(3, pair.quantityDecimals), grouped: true });
  return (
    <dl className="t-statistics figures">
      {more}
      <Statistic name="change" label={text("change")}>
        <Change text={changeText(quotation, pair.priceDecimals)} />{" "}
        <Change text={percentText(quotation.changePercent)} />
      </Statistic>
      <Statistic name="high" label={text("high")} shortLabel={text("highShort")}>
        {price(quotation.high)}
      </Statistic>
      <Statistic name="low" label={text("low")} shortLabel={text("lowShort")}>
        {price(quotation.low)}
      </Statistic>
      <Statistic name="volume" label={text("volume", { asset: assets.quantity })} shortLabel={assets.quantity}>
        <span className="max-lg:hidden">{volume}</span>
        <span className="lg:hidden">{formatAbbreviated(quotation.volume, { locale })}</span>
      </Statistic>
      <Statistic name="turnover" label={text("turnover", { asset: assets.value })} shortLabel={assets.value}>
        {formatAbbreviated(quotation.turnover, { locale })}
      </Statistic>
    </dl>
  );
}

export interface StatisticProps {
  readonly name: string;
  readonly label: string;
  readonly shortLabel?: string;
  readonly children: ReactNode;
}

/** One figure of the bar; products use it for theirs. */
export function Statistic({ name, label, shortLabel, children }: StatisticProps) {
  return (
    <div data-statistic={name}>
      <dt className="text-muted">
        <span className="max-lg:hidden">{label}</span>
        <span className="lg:hidden">{shortLabel}</span>
      </dt>
      <dd className="font-medium">{children}</dd>
    </div>
  );
}
