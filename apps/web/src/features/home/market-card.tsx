// The card beside the headline: one pair's price, its last hours as candles, and the best of its book. Painted whole by
// the server; price and change follow the stream.
import type { Depth, Quotation } from "@clockwork/domains/markets/api";
import { CoinGlyph } from "@clockwork/ui/coin-glyph";
import { useHomeText } from "#frame/home-text.ts";
import { SiteLink } from "#frame/site-link.tsx";
import { CandleDrawing } from "./candle-drawing.tsx";
import { BOOK_LEVELS, CARD_PAIR, type HomeMarkets } from "./home-data.ts";
import { changeText, groupText, shortText, toneOf, useQuotations } from "./live-quotations.ts";

export function MarketCard({ markets }: { readonly markets: HomeMarkets }) {
  const quotation = useQuotations(markets.quotations).get(CARD_PAIR);
  return quotation === undefined ? null : <Card quotation={quotation} markets={markets} />;
}

function Card({ quotation, markets }: { readonly quotation: Quotation; readonly markets: HomeMarkets }) {
  const text = useHomeText();
  const { depth, candles } = markets;
  const isSimulated = markets.pairs.some((pair) => pair.isSimulated);
  const [base = "", quote = ""] = quotation.pairCode.split("_");
  const facts = [
    [text("home.change"), changeText(quotation.changePercent), toneOf(quotation.changePercent)],
    [text("home.high"), groupText(quotation.high), ""],
    [text("home.low"), groupText(quotation.low), ""],
    [text("home.volume", { asset: quote }), shortText(quotation.turnover), ""],
  ] as const;
  return (
    <section
      aria-label={`${base}/${quote}`}
      className="overflow-hidden rounded-panel border border-line bg-raised shadow-card"
    >
      <SiteLink
        to={`/spot/${quotation.pairCode}`}
        className="flex h-12 items-center gap-2 border-line border-b px-5 font-semibold hover:bg-surface"
      >
        <CoinGlyph code={base} size={20} />
        {base}/{quote}
        {isSimulated && (
          <span className="ml-auto rounded-check border border-line2 px-1.5 font-normal text-label text-muted">
            {text("home.simulated")}
          </span>
        )}
      </SiteLink>
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2 px-5 py-3">
        <strong className={`figures font-semibold text-[28px] leading-9 ${toneOf(quotation.changePercent)}`}>
          {groupText(quotation.last)}
        </strong>
        <dl className="flex flex-wrap gap-x-5 gap-y-1">
          {facts.map(([name, value, tone]) => (
            <div key={name}>
              <dt className="text-axis text-muted">{name}</dt>
              <dd className={`figures font-medium text-label ${tone}`}>{value}</dd>
            </div>
          ))}
        </dl>
      </div>
      <div className="grid border-line border-t sm:grid-cols-[1fr_216px]">
        <CandleDrawing candles={candles} label={text("home.candles", { pair: `${base}/${quote}` })} />
        {depth !== null && <BookTop depth={depth} base={base} last={quotation.last} />}
      </div>
    </section>
  );
}

interface BookTopProps {
  readonly depth: Depth;
  readonly base: string;
  readonly last: string;
}

function BookTop({ depth, base, last }: BookTopProps) {
  const text = useHomeText();
  const rows = (levels: readonly (readonly string[])[], tone: string) =>
    levels.map(([price = "", quantity = ""]) => (
      <tr key={price}>
        <td className={`figures ${tone}`}>{groupText(price)}</td>
        <td className="figures text-right">{quantity}</td>
      </tr>
    ));
  return (
    <table className="w-full border-line text-label max-sm:hidden sm:border-l [&_td]:px-4 [&_td]:leading-[18px] [&_th]:px-4">
      <caption className="sr-only">{text("home.book")}</caption>
      <thead>
        <tr className="text-muted">
          <th className="py-1.5 text-left font-normal">{text("home.price")}</th>
          <th className="py-1.5 text-right font-normal">{base}</th>
        </tr>
      </thead>
      <tbody>
        <EmptyRows count={BOOK_LEVELS - depth.asks.length} />
        {rows([...depth.asks].reverse(), "text-down-text")}
        <tr>
          <td className="figures py-1 font-semibold text-[14px]" colSpan={2}>
            {groupText(last)}
          </td>
        </tr>
        {rows(depth.bids, "text-up-text")}
        <EmptyRows count={BOOK_LEVELS - depth.bids.length} />
      </tbody>
    </table>
  );
}

/** A thin book takes the same room as a full one, so that the card is as high with either. */
function EmptyRows({ count }: { readonly count: number }) {
  return Array.from({ length: Math.max(0, count) }, (_, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: rows without content have nothing else
    <tr key={row}>
      <td colSpan={2}>&nbsp;</td>
    </tr>
  ));
}
