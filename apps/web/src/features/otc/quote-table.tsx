// What coins cost in one currency now: the index and the best ads, each way.
import type { OtcIndex } from "@clockwork/domains/otcads/api";
import { SiteLink } from "#boot/site-link.tsx";
import { type Asked, askedPath } from "./asked.ts";
import { formatPrice, useOtcText } from "./otc-text.ts";

export const QUOTES_ID = "quotes";

const linked = (asset: string, fiat: string): Asked => ({ side: "buy", asset: asset as Asked["asset"], fiat });

export function QuoteTable({ index }: { readonly index: OtcIndex }) {
  const text = useOtcText();
  const shown = (value: string | null): string => (value === null ? "–" : formatPrice(value));
  return (
    <section aria-labelledby={QUOTES_ID} className="mt-10">
      <h2 id={QUOTES_ID} className="text-[22px] font-semibold text-text">
        {text("quotes.title")}
      </h2>
      <table className="mt-4 w-full text-ui">
        <thead>
          <tr className="border-line border-b text-left text-label text-muted">
            <th className="py-2 font-normal">{text("post.coin")}</th>
            <th className="py-2 text-right font-normal">{text("quotes.index")}</th>
            <th className="py-2 text-right font-normal">{text("quotes.buy")}</th>
            <th className="py-2 text-right font-normal">{text("quotes.sell")}</th>
          </tr>
        </thead>
        <tbody className="figures">
          {index.prices.map(({ asset, fiat, price, bestBuy, bestSell }) => (
            <tr key={asset} className="border-line border-b">
              <td className="py-2">
                <SiteLink to={askedPath("/otc", linked(asset, fiat))} className="font-medium text-text">
                  {asset}/{fiat}
                </SiteLink>
              </td>
              <td className="py-2 text-right">{shown(price)}</td>
              <td className="py-2 text-right">{shown(bestBuy)}</td>
              <td className="py-2 text-right">{shown(bestSell)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="mt-3 text-ui">
        <SiteLink to="/otc/providers" className="font-medium text-text underline">
          {text("quotes.provider")}
        </SiteLink>
      </p>
      {index.isSimulated && <p className="mt-2 text-label text-muted">{text("quotes.simulated")}</p>}
    </section>
  );
}
