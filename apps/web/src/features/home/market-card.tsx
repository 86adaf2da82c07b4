// The card next to the headline: a pair's price, its last hours as candles, and the best of its book. Rendered whole by
// the server; price, change and book follow the stream. Before a new exchange has prices its space is reserved.
import type { Quotation } from "@clockwork/trading/markets/contract";
import { CoinGlyph } from "@clockwork/ui/coin-glyph";
import { useState } from "react";
import { SiteLink } from "#boot/site-link.tsx";
import { useConnection } from "#live/react.ts";
import { useHomeText } from "#words/home-text.ts";
import { CardChart } from "./card-chart.tsx";
import { type CardBook, type CardData, isAwaited, type Levels, useCardData, useLiveBook } from "./card-data.ts";
import { BOOK_LEVELS, CARD_PAIR, CARD_PAIRS, type HomeMarkets } from "./home-data.ts";
import { changeText, groupText, shortText, toneOf, useQuotations } from "./live-quotations.ts";

export function MarketCard({ markets }: { readonly markets: HomeMarkets }) {
  const quotations = useQuotations(markets.quotations);
  const [chosen, setChosen] = useState<string>(CARD_PAIR);
  const data = useCardData(markets, chosen);
  const pair = markets.pairs.find(({ pairCode }) => pairCode === chosen);
  const book = useLiveBook(pair, data.book);
  const quotation = quotations.get(chosen);
  const known = CARD_PAIRS.filter((code) => markets.pairs.some(({ pairCode }) => pairCode === code));
  const isWaiting = isAwaited(markets);
  if (known.length === 0 || (quotation === undefined && !isWaiting)) return null;
  return (
    <section
      aria-label={chosen.replace("_", "/")}
      className="min-w-0 overflow-hidden rounded-panel border border-line bg-raised shadow-card"
    >
      <CardHead known={known} chosen={chosen} onChoose={setChosen} markets={markets} />
      {quotation === undefined ? (
        <Opening />
      ) : (
        <Card quotation={quotation} data={data} book={book} isWaiting={isWaiting} />
      )}
    </section>
  );
}

interface CardHeadProps {
  readonly known: readonly string[];
  readonly chosen: string;
  readonly onChoose: (pairCode: string) => void;
  readonly markets: HomeMarkets;
}

function CardHead({ known, chosen, onChoose, markets }: CardHeadProps) {
  const text = useHomeText();
  const { status } = useConnection();
  const isSimulated = markets.pairs.some((pair) => pair.isSimulated);
  return (
    <div className="flex h-12 items-center gap-5 border-line border-b px-5">
      <fieldset aria-label={text("home.pairs")} className="scrollbar-none flex h-full min-w-0 gap-5 overflow-x-auto">
        {known.map((code) => (
          <button
            key={code}
            type="button"
            aria-pressed={code === chosen}
            data-selected={code === chosen ? "" : undefined}
            onClick={() => onChoose(code)}
            className="tab-look flex h-full! items-center gap-2 text-[13px] after:bottom-0!"
          >
            <CoinGlyph code={code.split("_")[0] ?? ""} size={18} />
            {code.replace("_", "/")}
          </button>
        ))}
      </fieldset>
      <span className="ml-auto flex shrink-0 items-center gap-2 text-label text-muted">
        {isSimulated && <span className="rounded-check border border-line2 px-1.5">{text("home.simulated")}</span>}
        <span
          aria-hidden="true"
          className={`size-1.5 rounded-full max-sm:hidden ${status === "live" ? "bg-text" : "bg-faint"}`}
        />
        <span className="max-sm:hidden">{text(status === "live" ? "home.live" : "home.connecting")}</span>
      </span>
    </div>
  );
}

const PLACES: readonly number[] = Array.from({ length: BOOK_LEVELS }, (_, place) => place);
const BODY_HEIGHT = "min-h-[320px]";

/** A place kept free, without a word. */
function Waiting({ className, isShown = true }: { readonly className: string; readonly isShown?: boolean }) {
  return <span aria-hidden="true" className={`block rounded-check ${isShown ? "skeleton" : ""} ${className}`} />;
}

/** The shape of what is coming. */
function Opening() {
  const text = useHomeText();
  return (
    <div className={`${BODY_HEIGHT} px-5 py-4`}>
      <p className="text-label text-muted" role="status">
        {text("home.opening")}
      </p>
      <Waiting className="mt-3 h-8 w-[168px]" />
      <div className="mt-6 grid gap-6 sm:grid-cols-[1fr_180px]">
        <Waiting className="h-[196px]" />
        <div className="grid content-between max-sm:hidden">
          {[...PLACES, ...PLACES.map((place) => place + BOOK_LEVELS)].map((place) => (
            <Waiting key={place} className="h-3" />
          ))}
        </div>
      </div>
    </div>
  );
}

interface CardProps {
  readonly quotation: Quotation;
  readonly data: CardData;
  readonly book: CardBook;
  readonly isWaiting: boolean;
}

function Card({ quotation, data, book, isWaiting }: CardProps) {
  const text = useHomeText();
  const [base = "", quote = ""] = quotation.pairCode.split("_");
  const facts = [
    [text("home.change"), changeText(quotation.changePercent), toneOf(quotation.changePercent)],
    [text("home.high"), groupText(quotation.high), ""],
    [text("home.low"), groupText(quotation.low), ""],
    [text("home.volume", { asset: quote }), shortText(quotation.turnover), ""],
  ] as const;
  return (
    <div className={BODY_HEIGHT}>
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2 px-5 py-3">
        <SiteLink
          to={`/spot/${quotation.pairCode}`}
          aria-label={`${text("home.trade")} ${base}/${quote}, ${groupText(quotation.last)}`}
          className={`figures font-semibold text-[28px] leading-9 ${toneOf(quotation.changePercent)}`}
        >
          {groupText(quotation.last)}
        </SiteLink>
        <dl className="flex flex-wrap gap-x-5 gap-y-1">
          {facts.map(([name, value, tone]) => (
            <div key={name}>
              <dt className="text-axis text-muted">{name}</dt>
              <dd className={`figures font-medium text-label ${tone}`}>{value}</dd>
            </div>
          ))}
        </dl>
      </div>
      <div className="grid border-line border-t sm:grid-cols-[minmax(0,1fr)_188px]">
        {data.candles.length === 0 ? (
          <Waiting className="m-4 h-[220px]" isShown={isWaiting} />
        ) : (
          <CardChart
            candles={data.candles}
            last={quotation.last}
            isUp={!quotation.changePercent.startsWith("-")}
            label={text("home.candles", { pair: `${base}/${quote}` })}
          />
        )}
        <BookTop
          book={book}
          base={base}
          last={quotation.last}
          tone={toneOf(quotation.changePercent)}
          isWaiting={isWaiting}
        />
      </div>
    </div>
  );
}

interface BookTopProps {
  readonly book: CardBook;
  readonly base: string;
  readonly last: string;
  readonly tone: string;
  readonly isWaiting: boolean;
}

/** A fixed number of rows, so that nothing moves when the book fills. */
function BookTop({ book, base, last, tone, isWaiting }: BookTopProps) {
  const text = useHomeText();
  const most = Math.max(...[...book.asks, ...book.bids].map(([, quantity = ""]) => Number(quantity)), 0) || 1;
  return (
    <table className="w-full border-line text-label max-sm:hidden sm:border-l [&_td]:leading-[19px] [&_th]:px-4">
      <caption className="sr-only">{text("home.book")}</caption>
      <thead>
        <tr className="text-muted">
          <th className="pt-2 pb-1 text-left font-normal">{text("home.price")}</th>
          <th className="pt-2 pb-1 text-right font-normal">{base}</th>
        </tr>
      </thead>
      <tbody>
        <BookSide levels={[...book.asks].reverse()} side="down" most={most} isWaiting={isWaiting} />
        <tr>
          <td className={`figures px-4 py-1 font-semibold text-[14px] ${tone}`} colSpan={2}>
            {groupText(last)}
          </td>
        </tr>
        <BookSide levels={book.bids} side="up" most={most} isWaiting={isWaiting} />
      </tbody>
    </table>
  );
}

interface BookSideProps {
  readonly levels: Levels;
  readonly side: "up" | "down";
  readonly most: number;
  readonly isWaiting: boolean;
}

const SIDES = {
  up: ["text-up-text", "bg-up"],
  down: ["text-down-text", "bg-down"],
} as const;

function BookSide({ levels, side, most, isWaiting }: BookSideProps) {
  const [tone, bar] = SIDES[side];
  // Those that are not there yet are the ones farthest from the middle.
  const missing = PLACES.slice(0, Math.max(0, BOOK_LEVELS - levels.length)).map((place) => (
    <tr key={place}>
      <td colSpan={2} className="h-[19px] px-4">
        <Waiting className="h-2.5" isShown={isWaiting} />
      </td>
    </tr>
  ));
  return (
    <>
      {side === "down" && missing}
      {levels.map(([price = "", quantity = ""]) => (
        <tr key={price} className="relative">
          <td className={`figures pl-4 ${tone}`}>{groupText(price)}</td>
          <td className="figures pr-4 text-right">
            <span
              aria-hidden="true"
              className={`pointer-events-none absolute inset-y-0 right-0 opacity-10 ${bar}`}
              style={{ width: `${Math.round((100 * Number(quantity)) / most)}%` }}
            />
            {quantity}
          </td>
        </tr>
      ))}
      {side === "up" && missing}
    </>
  );
}
