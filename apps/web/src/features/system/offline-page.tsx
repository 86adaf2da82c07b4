// What the service worker answers where the site cannot be reached: the last prices this browser has seen, marked as
// such, and the way back.
import { formatDecimal } from "@clockwork/kit/format";
import { formatDateTime } from "@clockwork/kit/time";
import { buttonClass } from "@clockwork/ui/logic/button-style";
import { useEffect, useState } from "react";
import { type LastPrices, readLastPrices } from "#clients/last-prices.ts";
import { useZone } from "#session/zone.ts";
import { percentText } from "#trade/market-words.ts";
import { usePublicText } from "#words/public-text.ts";

/** The page that could not be reached; never another site's. */
function requestedPath(): string {
  const from = new URLSearchParams(location.search).get("from") ?? "/";
  return /^\/(?![/\\])/.test(from) ? from : "/";
}

export function OfflinePage() {
  const text = usePublicText();
  const zone = useZone();
  const [prices, setPrices] = useState<LastPrices>();
  useEffect(() => {
    setPrices(readLastPrices());
    const leave = () => location.replace(requestedPath());
    addEventListener("online", leave);
    return () => removeEventListener("online", leave);
  }, []);
  return (
    <main id="content" className="container-read flex-1 py-12">
      <h1 className="text-section">{text("offline.title")}</h1>
      <p role="status" className="mt-3 text-muted text-read">
        {text("offline.lead")}
      </p>
      <button
        type="button"
        className={`mt-6 ${buttonClass({ kind: "primary", size: 48 })}`}
        onClick={() => location.replace(requestedPath())}
      >
        {text("offline.retry")}
      </button>
      {prices !== undefined && prices.rows.length > 0 && (
        <section className="mt-10 max-w-[560px]" aria-label={text("offline.prices")}>
          <div className="flex flex-wrap items-center gap-3">
            <h2 className="text-card">{text("offline.prices")}</h2>
            <span className="rounded-control bg-warn-soft px-2 py-1 text-[13px] text-warn" data-stale>
              {text("offline.stale", { time: formatDateTime(prices.atMs, zone) })}
            </span>
          </div>
          <table className="mt-3 w-full text-muted text-ui">
            <thead>
              <tr className="text-label">
                <th className="py-2 text-left font-normal">{text("offline.pair")}</th>
                <th className="py-2 text-right font-normal">{text("offline.last")}</th>
                <th className="py-2 text-right font-normal">{text("offline.change")}</th>
              </tr>
            </thead>
            <tbody>
              {prices.rows.map(({ pairCode, last, changePercent }) => (
                <tr key={pairCode} className="border-line border-t">
                  <th scope="row" className="py-2 text-left font-medium">
                    {pairCode.replace("_", "/")}
                  </th>
                  <td className="figures text-right">
                    {formatDecimal(last, { decimals: last.split(".")[1]?.length ?? 0, grouped: true })}
                  </td>
                  <td className="figures text-right">{percentText(changePercent)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </main>
  );
}
