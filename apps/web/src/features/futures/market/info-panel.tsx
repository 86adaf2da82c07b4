// The rules of the contract as the core enforces them, and its ladder.

import { groupThousands, trimZeros } from "@clockwork/kit/decimal";
import type { ContractInfo } from "@clockwork/trading/markets/contract";
import { CoinGlyph } from "@clockwork/ui/coin-glyph";
import { SiteLink } from "#boot/site-link.tsx";
import { writeRate } from "#trade/order/line.tsx";
import { useProduct } from "#trade/product.ts";
import { useTerminalData } from "#trade/terminal-market.ts";
import { useTerminalText } from "#trade/terminal-text.ts";
import { shownCoin } from "../model/contract.ts";
import { useFuturesText } from "../model/futures-text.ts";
import { useLadder } from "../model/use-own.ts";
import { showFundingRate } from "../parts/funding-figures.tsx";
import { LadderTable } from "../parts/ladder-table.tsx";

export function InfoPanel() {
  const text = useTerminalText();
  const words = useFuturesText();
  const { pair } = useTerminalData<ContractInfo>();
  const product = useProduct();
  const { ladder } = useLadder(pair.pairCode);
  const unit = product.words.assetsOf(pair.pairCode).quantity;
  const amount = (value: string) => `${groupThousands(value.includes(".") ? trimZeros(value) : value)} ${unit}`;
  const rows = [
    [text("status"), pair.status],
    [words("rules.settle"), shownCoin(pair.settle)],
    ...(pair.faceValue === null ? [] : [[words("rules.face"), `${trimZeros(pair.faceValue)} ${pair.quote}`] as const]),
    [words("rules.class"), pair.contractClass],
    [text("tick"), `${pair.tickSize} ${product.words.assetsOf(pair.pairCode).price}`],
    [text("lot"), amount(pair.stepSize)],
    [text("minAmount"), amount(pair.minQuantity)],
    [text("maxAmount"), amount(pair.maxQuantity)],
    [text("maxMarket"), amount(pair.maxMarketQuantity)],
    [words("rules.maxLeverage"), `${pair.maxLeverage}×`],
    [words("rules.fundingEvery"), words("rules.hours", { hours: pair.fundingHours })],
    [words("rules.interest"), showFundingRate(pair.interestRate)],
    [words("rules.liquidationFee"), writeRate(pair.liquidationRate)],
    [text("makerFee"), writeRate(pair.makerRate)],
    [text("takerFee"), writeRate(pair.takerRate)],
  ] as const;
  return (
    <div className="min-h-0 flex-1 overflow-y-auto p-4">
      <h2 className="mb-3 flex items-center gap-2 text-card">
        <CoinGlyph code={pair.base} size={20} /> {words("rules.title", { pair: product.words.nameOf(pair.pairCode) })}
        <SiteLink
          to={`/futures/data/${pair.pairCode}`}
          className="ml-auto font-normal text-label text-muted underline underline-offset-2"
        >
          {words("data")}
        </SiteLink>
      </h2>
      <dl className="grid max-w-[880px] grid-cols-1 gap-x-12 sm:grid-cols-2">
        {rows.map(([label, value]) => (
          <div key={label} className="flex h-8 items-center justify-between gap-4 border-line border-b">
            <dt className="text-muted">{label}</dt>
            <dd className="figures text-right font-medium">{value}</dd>
          </div>
        ))}
      </dl>
      {ladder !== undefined && (
        <div className="mt-4 max-w-[880px]">
          <LadderTable ladder={ladder} asset={shownCoin(pair.settle)} />
        </div>
      )}
    </div>
  );
}
