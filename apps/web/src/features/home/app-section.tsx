// The exchange on a phone: how to put it there, and a picture of it painted from the living market.
import { CoinGlyph } from "@clockwork/ui/coin-glyph";
import { buttonClass } from "@clockwork/ui/logic/button-style";
import { QrCode } from "@clockwork/ui/qr-code";
import { useRouteLoaderData } from "react-router";
import type { RootData } from "#boot/root-data.ts";
import { SiteLink } from "#boot/site-link.tsx";
import { useHomeLateText } from "#words/home-late-text.ts";
import { CandleDrawing } from "./candle-drawing.tsx";
import { CARD_PAIR, type HomeMarkets } from "./home-data.ts";
import { groupText, toneOf } from "./live-quotations.ts";

const GUIDE = "/help/articles/install-app";
const SYSTEMS = [
  ["iOS", "iphone-and-ipad"],
  ["Android", "android"],
  ["macOS", "macos"],
  ["Windows", "windows"],
] as const;

export function AppSection({ markets }: { readonly markets: HomeMarkets }) {
  const text = useHomeLateText();
  const origin = useRouteLoaderData<RootData>("root")?.origin ?? "";
  return (
    <section aria-labelledby="app" className="container-read pb-16">
      <div className="grid overflow-hidden rounded-panel border border-line bg-surface md:grid-cols-[300px_1fr] lg:grid-cols-[360px_1fr_220px]">
        <div aria-hidden="true" className="flex h-[240px] items-end justify-center max-md:hidden">
          <Phone markets={markets} />
        </div>
        <div className="self-center px-6 py-10 md:pl-0 lg:px-8">
          <h2 id="app" className="max-w-[340px] font-semibold text-[26px] leading-8 tracking-[-0.02em]">
            {text("home.app")}
          </h2>
          <p className="mt-3 max-w-[440px] text-muted">{text("home.app.note")}</p>
          <ul className="mt-5 flex flex-wrap gap-2">
            {SYSTEMS.map(([name, anchor]) => (
              <li key={name}>
                <SiteLink to={`${GUIDE}#${anchor}`} className={buttonClass({ size: 40 })}>
                  {name}
                </SiteLink>
              </li>
            ))}
          </ul>
        </div>
        <div className="flex flex-col items-center justify-center gap-3 pb-10 max-lg:hidden lg:pb-0">
          <QrCode text={`${origin}/`} label={text("home.app.scan")} sizePx={136} className="border border-line p-2" />
          <span className="text-label text-muted">{text("home.app.scan")}</span>
        </div>
      </div>
    </section>
  );
}

/** Painted dark in every theme, as the terminal is. */
function Phone({ markets }: { readonly markets: HomeMarkets }) {
  const text = useHomeLateText();
  const quotation = markets.quotations.find(({ pairCode }) => pairCode === CARD_PAIR);
  const [base = "", quote = ""] = CARD_PAIR.split("_");
  const asks = markets.depth?.asks.slice(0, 3).toReversed() ?? [];
  const bids = markets.depth?.bids.slice(0, 3) ?? [];
  return (
    <div
      data-theme="dark"
      data-surface="terminal"
      className="w-[220px] rounded-t-[28px] border-[6px] border-line border-b-0 bg-bg px-3 pt-4 text-[10px] text-text leading-4 shadow-raised"
    >
      <div className="flex items-center gap-1.5 font-semibold text-[11px]">
        <CoinGlyph code={base} size={16} />
        {base}/{quote}
        {quotation !== undefined && (
          <span className={`figures ml-auto ${toneOf(quotation.changePercent)}`}>{groupText(quotation.last)}</span>
        )}
      </div>
      <CandleDrawing candles={markets.candles.slice(-32)} label="" className="mt-2 block h-[72px] w-full" />
      <div className="mt-2 grid grid-cols-2 gap-3 pb-3">
        <div className="figures">
          {asks.map(([price = "", quantity = ""]) => (
            <Level key={price} price={price} quantity={quantity} tone="text-down-text" />
          ))}
          {bids.map(([price = "", quantity = ""]) => (
            <Level key={price} price={price} quantity={quantity} tone="text-up-text" />
          ))}
        </div>
        <div className="flex flex-col gap-1.5">
          <span className="figures flex h-6 items-center rounded-check border border-line px-1.5">
            {quotation === undefined ? "" : groupText(quotation.last)}
          </span>
          <span className="h-6 rounded-check border border-line" />
          <span className="flex h-6 items-center justify-center rounded-check bg-up font-semibold text-bg">
            {text("home.app.buy", { asset: base })}
          </span>
        </div>
      </div>
    </div>
  );
}

function Level({
  price,
  quantity,
  tone,
}: {
  readonly price: string;
  readonly quantity: string;
  readonly tone: string;
}) {
  return (
    <div className="flex justify-between">
      <span className={tone}>{groupText(price)}</span>
      <span className="text-muted">{quantity.slice(0, 6)}</span>
    </div>
  );
}
