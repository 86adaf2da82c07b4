// The contract's funding below the account, where the screen has space for it: ten days of rates, the next one with its
// countdown, and its effect on the own position.

import { fundingCharge } from "@clockwork/kit/margin";
import { formatDateTime } from "@clockwork/kit/time";
import { CONTRACT_CALLS, type ContractInfo, type FundingEntry } from "@clockwork/trading/markets/contract";
import type { FuturesPosition } from "@clockwork/trading/positions/contract";
import { useZone } from "#session/zone.ts";
import { Line } from "#trade/order/line.tsx";
import { placeBars, topOf } from "../market/data-model.ts";
import { type KnownContract, rateUnits, readTicks, shownCoin, writeUnits } from "../model/contract.ts";
import { useFuturesText } from "../model/futures-text.ts";
import { readHeld } from "../model/preview.ts";
import { useKnownContracts } from "../model/use-own.ts";
import { useRequested } from "../model/use-requested.ts";
import { FundingCountdown, showFundingRate } from "../parts/funding-figures.tsx";
import { useContractQuotation } from "../parts/statistics.tsx";

const DAYS = 10;
const DAY_HOURS = 24;
/** A settlement shows within this. */
const EVERY_MS = 60_000;

interface FundingBoxProps {
  readonly pair: ContractInfo;
  readonly positions: readonly FuturesPosition[];
}

export function FundingBox({ pair, positions }: FundingBoxProps) {
  const text = useFuturesText();
  const quotation = useContractQuotation();
  const { biz, pairCode, fundingHours } = pair;
  const limit = (DAYS * DAY_HOURS) / fundingHours;
  const { data } = useRequested(CONTRACT_CALLS.fundingHistory, { biz, pairCode, limit }, { everyMs: EVERY_MS });
  const contract = useKnownContracts([pairCode]).get(pairCode);
  const own = positions.filter((position) => position.pairCode === pairCode);
  return (
    <section
      aria-label={text("panel.rate")}
      className="-mx-3 mt-2 flex flex-col gap-1 border-line border-t px-3 pt-2.5"
      data-funding-box=""
    >
      <div className="flex items-center justify-between">
        <h2 className="font-semibold">{text("panel.rate")}</h2>
        <span className="text-muted">{text("panel.span", { hours: fundingHours })}</span>
      </div>
      <Rates funding={data ?? []} next={quotation?.fundingRate} />
      {quotation !== null && (
        <dl>
          <Line
            label={
              <>
                {text("panel.next")} <FundingCountdown untilMs={quotation.nextFundingMs} />
              </>
            }
            value={showFundingRate(quotation.fundingRate)}
          />
          {contract !== undefined &&
            own.map((position) => (
              <Charge
                key={position.positionId}
                position={position}
                contract={contract}
                mark={quotation.mark}
                rate={quotation.fundingRate}
              />
            ))}
        </dl>
      )}
    </section>
  );
}

/** Settled rates, and the next one in outline. */
function Rates({ funding, next }: { readonly funding: readonly FundingEntry[]; readonly next: string | undefined }) {
  const text = useFuturesText();
  const zone = useZone();
  const shown = funding.toReversed();
  const rates = [...shown.map(({ rate }) => Number(rate)), ...(next === undefined ? [] : [Number(next)])];
  const top = topOf(rates);
  const bars = placeBars(rates, top);
  return (
    <div className="flex h-[52px] gap-2">
      <svg
        viewBox="0 0 1000 100"
        preserveAspectRatio="none"
        role="img"
        aria-label={text("data.fundingHistory")}
        className="h-full min-w-0 flex-1"
      >
        {bars.map((bar, index) => {
          const entry = shown[index];
          return (
            <rect
              key={entry?.timeMs ?? "next"}
              x={bar.xShare * 1000}
              y={bar.topShare * 100}
              width={bar.widthShare * 1000}
              height={bar.heightShare * 100}
              vectorEffect="non-scaling-stroke"
              className={entry === undefined ? "fill-none stroke-text [stroke-dasharray:2_2]" : "fill-info"}
            >
              <title>
                {entry === undefined
                  ? showFundingRate(next ?? "0")
                  : `${formatDateTime(entry.timeMs, zone)} ${showFundingRate(entry.rate)}`}
              </title>
            </rect>
          );
        })}
      </svg>
      <div aria-hidden="true" className="figures flex flex-col justify-between text-right text-axis text-muted">
        <span>{(top * 100).toFixed(2)}</span>
        <span>0.00</span>
        <span>{(top * -100).toFixed(2)}</span>
      </div>
    </div>
  );
}

interface ChargeProps {
  readonly position: FuturesPosition;
  readonly contract: KnownContract;
  readonly mark: string | null;
  readonly rate: string;
}

/** As the core would charge it at the mark of now: what is paid rounds up, what is received down. */
function Charge({ position, contract, mark, rate }: ChargeProps) {
  const text = useFuturesText();
  const held = readHeld(contract, position);
  const ticks = mark === null ? undefined : readTicks(contract, mark);
  if (held === undefined || ticks === undefined) return null;
  const units = fundingCharge(contract, held.side, held.lots, ticks, rateUnits(rate));
  const isPaid = units >= 0n;
  const label = `panel.${position.side}${isPaid ? "Pays" : "Gets"}` as const;
  const amount = writeUnits(contract, isPaid ? units : -units, isPaid ? "ceil" : "floor");
  return <Line label={text(label)} value={`${amount} ${shownCoin(contract.rules.settle)}`} />;
}
