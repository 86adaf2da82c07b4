// At the foot of the demo's book: how much of the live depth own demo fills have used, and when it is back. Without any
// it explains how demo orders fill.
import type { ContractInfo } from "@clockwork/trading/markets/contract";
import { useEffect, useState } from "react";
import { SiteLink } from "#boot/site-link.tsx";
import { useChannel } from "#live/react.ts";
import { useProduct } from "#trade/product.ts";
import { useTerminalData } from "#trade/terminal-market.ts";
import { readLots, writeLots } from "../model/contract.ts";
import { usedDepth } from "../model/demo-depth.ts";
import { useFuturesText } from "../model/futures-text.ts";
import { useFuturesFeeds, useKnownContracts } from "../model/use-own.ts";

const EVERY_MS = 1_000;
const SECOND_MS = 1_000;

function useNow(): number {
  const [nowMs, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  return nowMs;
}

export function DemoDepth() {
  const text = useFuturesText();
  const { words } = useProduct();
  const { pair } = useTerminalData<ContractInfo>();
  const contract = useKnownContracts([pair.pairCode]).get(pair.pairCode);
  const fills = useChannel(useFuturesFeeds().fills).value;
  const nowMs = useNow();
  const used =
    contract === undefined
      ? undefined
      : usedDepth(fills, pair.pairCode, nowMs, (quantity) => readLots(contract, quantity));
  return (
    <div className="flex-none border-line border-t px-3 py-1 text-axis text-muted" data-demo-depth="">
      <p className="figures flex justify-between text-label">
        <span className="text-[#8a6420] dark:text-brass">{text("demo.used")}</span>
        <b className="font-medium text-text">
          {contract === undefined ? "–" : writeLots(contract, used?.lots ?? 0n)}{" "}
          {words.assetsOf(pair.pairCode).quantity}
        </b>
      </p>
      <p className="figures">
        {used === undefined ? (
          <SiteLink
            to="/help/articles/futures-demo"
            className="underline underline-offset-2"
            title={text("demo.model")}
          >
            {text("demo.how")}
          </SiteLink>
        ) : (
          text("demo.back", { seconds: Math.ceil(used.leftMs / SECOND_MS) })
        )}
      </p>
    </div>
  );
}
