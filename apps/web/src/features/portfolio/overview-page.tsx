// `/overview`: where money and market are. What the account holds with its cost and profit, today's profit, the busiest
// pairs, and for newcomers the first three steps.
import type { Quotation } from "@clockwork/trading/markets/contract";
import { PORTFOLIO_CALLS, type Portfolio } from "@clockwork/trading/portfolio/contract";
import { CoinGlyph } from "@clockwork/ui/coin-glyph";
import { buttonClass } from "@clockwork/ui/logic/button-style";
import { useCallback, useEffect, useState } from "react";
import { SiteLink } from "#boot/site-link.tsx";
import { useGlobal } from "#boot/state.ts";
import { SPOT_MARKET } from "#live/feeds/market-feeds.ts";
import { useChannel } from "#live/react.ts";
import { useCalls } from "#session/auth-context.ts";
import { HIDDEN_TEXT, useHiddenAmounts } from "#session/hidden-amounts.ts";
import { readKept, writeKept } from "#session/kept-setting.ts";
import { usePrice } from "#session/price.ts";
import { useWorth } from "#session/worth.ts";
import { ComponentLocale } from "#shell/component-locale.tsx";
import { PageHead } from "#shell/page-head.tsx";
import { usePortfolioText } from "#words/portfolio-text.ts";
import { CoinList } from "./coin-list.tsx";
import { isWelcome, showGain, stepsOf, toneOf } from "./portfolio-model.ts";
import { WelcomeCard, welcomeSetting } from "./welcome-card.tsx";

export interface OverviewData {
  readonly portfolio: Portfolio | null;
  readonly hasTraded: boolean;
  readonly isProtected: boolean;
}

const REFRESH_MS = 10_000;

/** As served, then requested again every few seconds while it is visible, and after an action here. */
function usePortfolio(first: Portfolio | null) {
  const calls = useCalls();
  const [portfolio, setPortfolio] = useState(first);
  const refresh = useCallback(async () => {
    const answer = await (await calls()).call(PORTFOLIO_CALLS.read, {});
    if (answer.ok) setPortfolio(answer.data);
  }, [calls]);
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") void refresh();
    }, REFRESH_MS);
    return () => clearInterval(timer);
  }, [refresh]);
  return { portfolio, refresh };
}

/** Read after hydration: the server does not have it. */
function useWelcomeClosed(): readonly [boolean, () => void] {
  const userId = useGlobal((state) => state.topInfo.id ?? "");
  const [isClosed, setClosed] = useState(false);
  useEffect(() => setClosed(readKept(welcomeSetting(userId)) === true), [userId]);
  const close = () => {
    writeKept(welcomeSetting(userId), true);
    setClosed(true);
  };
  return [isClosed, close];
}

export function OverviewPage({ data }: { readonly data: OverviewData }) {
  const text = usePortfolioText();
  const { portfolio, refresh } = usePortfolio(data.portfolio);
  const [hasTraded, setTraded] = useState(data.hasTraded);
  const [isClosed, close] = useWelcomeClosed();
  const hasTestFunds = useGlobal((state) => state.hasTestFunds);
  const steps = stepsOf(portfolio, hasTraded, data.isProtected);
  return (
    <ComponentLocale>
      <main id="content" className="container-read min-w-0 flex-1 py-7">
        <PageHead title={text("title")} noIndex />
        <header className="mb-5 flex flex-wrap items-end justify-between gap-3">
          <div>
            <h1 className="text-section">{text("title")}</h1>
            <p className="mt-1 text-muted text-ui">{text("lead")}</p>
          </div>
          <SiteLink to="/orders" className={buttonClass({ kind: "neutral", size: 36 })}>
            {text("orders")}
          </SiteLink>
        </header>
        {isWelcome(steps, isClosed) && (
          <WelcomeCard
            steps={steps}
            hasTestFunds={hasTestFunds}
            onChanged={() => void refresh()}
            onTraded={() => setTraded(true)}
            onClose={close}
          />
        )}
        <div className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_344px]">
          <div className="min-w-0">
            <Worth portfolio={portfolio} />
            <CoinList portfolio={portfolio} />
          </div>
          <BusyPairs />
        </div>
      </main>
    </ComponentLocale>
  );
}

/** The same total as the account's menu shows: of all wallets. */
function Worth({ portfolio }: { readonly portfolio: Portfolio | null }) {
  const text = usePortfolioText();
  const price = usePrice();
  const { isHidden } = useHiddenAmounts();
  const total = useWorth(portfolio?.totalUsdt);
  const today = portfolio?.todayUsdt ?? null;
  return (
    <dl className="mb-4 grid gap-px overflow-hidden rounded-panel border border-line bg-line sm:grid-cols-2">
      <div className="bg-bg p-5">
        <dt className="text-label text-muted">{text("total")}</dt>
        <dd data-total="" className="figures mt-1 font-semibold text-[24px] leading-8">
          {isHidden ? HIDDEN_TEXT : total === undefined ? "–" : price(total)}
        </dd>
      </div>
      <div className="bg-bg p-5" title={text("todayNote")}>
        <dt className="text-label text-muted">
          {text("today")}
          <span className="sr-only">. {text("todayNote")}</span>
        </dt>
        <dd data-today="" className={`figures mt-1 font-semibold text-[24px] leading-8 ${toneOf(today)}`}>
          {isHidden ? HIDDEN_TEXT : `${showGain(today)} USDT`}
          {!isHidden && portfolio?.todayPercent != null && (
            <span className="ml-2 text-[15px]">{showGain(portfolio.todayPercent)}%</span>
          )}
        </dd>
      </div>
    </dl>
  );
}

const PAIRS_SHOWN = 8;

/** Only to put rows in order, never money. */
function byTurnover(left: Quotation, right: Quotation): number {
  return Number(right.turnover) - Number(left.turnover);
}

function BusyPairs() {
  const text = usePortfolioText();
  const served = useGlobal((state) => state.marketData);
  const live = useChannel(SPOT_MARKET.allTickers);
  const all = live.empty ? served : live.value;
  const shown = all
    .filter(({ pairCode }) => pairCode.endsWith("_USDT"))
    .sort(byTurnover)
    .slice(0, PAIRS_SHOWN);
  return (
    <section aria-labelledby="busy" className="self-start rounded-panel border border-line p-5">
      <div className="flex items-baseline justify-between">
        <h2 id="busy" className="text-card">
          {text("markets")}
        </h2>
        <SiteLink to="/markets" className="text-[13px] text-muted hover:text-text hover:underline">
          {text("allMarkets")}
        </SiteLink>
      </div>
      <ul className="mt-2">
        {shown.map(({ pairCode, last, changePercent }) => (
          <li key={pairCode} className="border-line border-b last:border-0">
            <SiteLink to={`/spot/${pairCode}`} className="flex h-11 items-center gap-3 hover:bg-hover">
              <CoinGlyph code={pairCode.split("_")[0] ?? ""} size={20} />
              <span className="font-medium">{pairCode.replace("_", "/")}</span>
              <span className="figures ml-auto text-right">{last}</span>
              <span className={`figures w-[72px] text-right ${toneOf(changePercent)}`}>{showGain(changePercent)}%</span>
            </SiteLink>
          </li>
        ))}
      </ul>
    </section>
  );
}
