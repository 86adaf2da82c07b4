// The home page above the fold and its markets: the promise, the way in, the living market.
import type { ReactNode } from "react";
import { latePart } from "#boot/late-part.tsx";
import { SiteLink } from "#boot/site-link.tsx";
import { EscapeWheel } from "#shell/escape-wheel.tsx";
import { useHomeText } from "#words/home-text.ts";
import { HeroForm } from "./hero-form.tsx";
import type { HomeMarkets, HomeTexts } from "./home-data.ts";

// The first load carries the headline and the way in; the rest is drawn by the server and woken after the page.
const MarketCard = latePart(async () => (await import("./market-card.tsx")).MarketCard);
const Banners = latePart(async () => (await import("./banners.tsx")).Banners);
const MarketList = latePart(async () => (await import("./market-list.tsx")).MarketList);
const HomeSections = latePart(async () => (await import("./home-sections.tsx")).HomeSections);

const AppSection = latePart(async () => (await import("./app-section.tsx")).AppSection);

export interface HomePageProps {
  readonly markets: HomeMarkets;
  readonly texts: HomeTexts;
  readonly isSignedIn: boolean;
  /** The core's own numbers. */
  readonly numbers: ReactNode;
  /** What is shown once above the page. */
  readonly popups: ReactNode;
}

export function HomePage({ markets, texts, isSignedIn, numbers, popups }: HomePageProps) {
  return (
    <main id="content" className="flex-1">
      <div className="relative overflow-hidden border-line border-b">
        <EscapeWheel className="-right-48 -top-16 lg:-right-52 lg:-top-24 absolute size-[460px] text-draw lg:size-[720px]" />
        <div className="container-read relative grid items-center gap-12 py-12 lg:grid-cols-[1fr_560px] lg:py-14">
          <Headline news={texts.notice} isSignedIn={isSignedIn} />
          <MarketCard markets={markets} />
        </div>
      </div>
      <Banners banners={texts.banners} />
      <MarketList markets={markets} />
      {numbers}
      <HomeSections texts={texts} markets={markets} />
      <AppSection markets={markets} />
      {popups}
    </main>
  );
}

interface HeadlineProps {
  readonly news: HomeTexts["notice"];
  readonly isSignedIn: boolean;
}

function Headline({ news, isSignedIn }: HeadlineProps) {
  const text = useHomeText();
  return (
    <div>
      <h1 className="text-hero-mobile sm:text-hero">
        {text("home.headline1")} <br className="hidden sm:block" />
        {text("home.headline2")}
      </h1>
      <p className="mt-6 max-w-[480px] text-muted text-read">{text("home.lead")}</p>
      {!isSignedIn && <HeroForm />}
      {news !== null && (
        <p className="mt-8 flex items-center gap-3 text-[13px] text-muted">
          <span className="rounded-check border border-line2 px-1.5 text-label">{text("home.notice")}</span>
          <SiteLink to={`/news/${news.slug}`} className="min-w-0 truncate hover:text-text hover:underline">
            {news.title}
          </SiteLink>
        </p>
      )}
    </div>
  );
}
