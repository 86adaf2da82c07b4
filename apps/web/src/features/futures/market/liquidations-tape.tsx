// Liquidations of the contract on the screen, next to its book and trades. Each links to its report.

import { groupThousands } from "@clockwork/kit/decimal";
import type { ContractInfo } from "@clockwork/trading/markets/contract";
import { SiteLink } from "#boot/site-link.tsx";
import { useGlobal } from "#boot/state.ts";
import { clockText } from "#trade/clock-text.ts";
import { useProduct } from "#trade/product.ts";
import { useTerminalData } from "#trade/terminal-market.ts";
import { useTerminalText } from "#trade/terminal-text.ts";
import { useFuturesText } from "../model/futures-text.ts";
import { useLiquidations } from "./use-liquidations.ts";

const NONE: readonly never[] = [];

export function LiquidationsTape() {
  const text = useTerminalText();
  const words = useFuturesText();
  const { pair } = useTerminalData<ContractInfo>();
  const assets = useProduct().words.assetsOf(pair.pairCode);
  const timezone = useGlobal((state) => state.timezone);
  // The demo has no market of its own: it shows the real contract's.
  const entries = useLiquidations({ biz: pair.biz === "demo" ? "futures" : pair.biz, pairCode: pair.pairCode }, NONE);
  return (
    <>
      <div className="tape-columns text-muted">
        <span>{text("price", { asset: assets.price })}</span>
        <span>{text("amount", { asset: assets.quantity })}</span>
        <span>{text("time")}</span>
      </div>
      {entries.length === 0 && <p className="px-3 py-2 text-muted">{words("liquidations.empty")}</p>}
      <div role="log" aria-live="off" aria-label={words("data.liquidations")} className="tape-rows">
        {entries.map((entry) => (
          // A long that is liquidated is sold.
          <SiteLink
            key={entry.id}
            to={`/futures/data/${entry.pairCode}?report=${entry.id}`}
            data-side={entry.side === "long" ? "sell" : "buy"}
            className="tape-row"
          >
            <span>{groupThousands(entry.price)}</span>
            <span>{groupThousands(entry.quantity)}</span>
            <span>{clockText(entry.timeMs, timezone)}</span>
          </SiteLink>
        ))}
      </div>
    </>
  );
}
