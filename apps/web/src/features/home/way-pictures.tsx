// Small pictures of the ways in, painted from the living market where they show one. For the eye alone.
import { FrameIcon } from "@clockwork/ui/frame-icon";
import { Icon } from "@clockwork/ui/icon";
import type { ReactNode } from "react";
import { CandleDrawing } from "./candle-drawing.tsx";
import type { HomeMarkets } from "./home-data.ts";
import { changeText, groupText, toneOf } from "./live-quotations.ts";

export type WayName = "spot" | "markets" | "api" | "college" | "security" | "help";

export function WayPicture({ name, markets }: { readonly name: WayName; readonly markets: HomeMarkets }) {
  switch (name) {
    case "spot":
      return <SpotPicture markets={markets} />;
    case "markets":
      return <MarketsPicture markets={markets} />;
    case "api":
      return <ApiPicture markets={markets} />;
    case "college":
      return <CollegePicture />;
    case "security":
      return <SecurityPicture />;
    case "help":
      return <HelpPicture />;
  }
}

function SpotPicture({ markets }: { readonly markets: HomeMarkets }) {
  const asks = markets.depth?.asks.slice(0, 3).toReversed() ?? [];
  const bids = markets.depth?.bids.slice(0, 3) ?? [];
  const rows = [
    ...asks.map(([price = "", quantity = ""]) => [price, quantity, "text-down-text"] as const),
    ...bids.map(([price = "", quantity = ""]) => [price, quantity, "text-up-text"] as const),
  ];
  return (
    <span className="flex h-full">
      <CandleDrawing candles={markets.candles.slice(-40)} label="" className="h-full min-w-0 flex-1 p-3" />
      <span className="w-[152px] shrink-0 border-line border-l bg-raised py-3 text-[12px] leading-[18px]">
        {rows.map(([price, quantity, tone]) => (
          <span key={price} className="figures flex justify-between px-3">
            <span className={tone}>{groupText(price)}</span>
            <span>{quantity.slice(0, 7)}</span>
          </span>
        ))}
      </span>
    </span>
  );
}

const AREAS = [
  "col-span-3 row-span-2",
  "col-span-2 row-span-2",
  "col-span-2",
  "col-span-2",
  "col-span-1 row-span-1",
  "col-span-1 row-span-1",
] as const;

/** The busiest pairs as a heat map: the busier the larger. */
function MarketsPicture({ markets }: { readonly markets: HomeMarkets }) {
  const shown = markets.quotations.slice(0, 4);
  return (
    <span className="grid h-full grid-cols-7 grid-rows-2 gap-1 p-3">
      {shown.map(({ pairCode, changePercent }, at) => (
        <span
          key={pairCode}
          className={`flex flex-col justify-center rounded-control border border-line bg-raised px-3 text-[12px] leading-4 ${AREAS[at]}`}
        >
          <span className="font-semibold text-text">{pairCode.split("_")[0]}</span>
          <span className={`figures ${toneOf(changePercent)}`}>{changeText(changePercent)}</span>
        </span>
      ))}
    </span>
  );
}

function Sheet({ children, className = "" }: { readonly children: ReactNode; readonly className?: string }) {
  return (
    <span
      className={`-bottom-px absolute inset-x-5 top-4 block rounded-t-card border border-line bg-raised px-4 py-3 text-[12px] text-text leading-[18px] ${className}`}
    >
      {children}
    </span>
  );
}

function ApiPicture({ markets }: { readonly markets: HomeMarkets }) {
  const [first] = markets.quotations;
  return (
    <Sheet className="font-mono">
      <span className="block text-muted">GET /api/v1/spot/quotations</span>
      <span className="mt-1 block">{"{"}</span>
      <span className="block pl-3">"pairCode": "{first?.pairCode ?? "BTC_USDT"}",</span>
      <span className="block pl-3">"last": "{first?.last ?? ""}"</span>
      <span className="block">{"}"}</span>
    </Sheet>
  );
}

const BARS = ["w-full", "w-[99%]", "w-2/3", "w-0"] as const;
const ANSWERS = [
  ["w-3/5", true],
  ["w-2/5", false],
  ["w-1/2", false],
] as const;

function CollegePicture() {
  return (
    <Sheet>
      <span className="flex gap-1.5">
        {BARS.map((width) => (
          <span key={width} className="block h-1.5 flex-1 overflow-hidden rounded-full bg-line">
            <span className={`block h-full rounded-full bg-info ${width}`} />
          </span>
        ))}
      </span>
      {ANSWERS.map(([width, isChosen]) => (
        <span key={width} className="mt-3 flex items-center gap-2.5">
          <span
            className={`flex size-4 shrink-0 items-center justify-center rounded-full border ${isChosen ? "border-text bg-text text-bg" : "border-line2"}`}
          >
            {isChosen && <Icon name="check" size={10} />}
          </span>
          <span className={`h-2 rounded-full bg-line ${width}`} />
        </span>
      ))}
    </Sheet>
  );
}

function SecurityPicture() {
  return (
    <Sheet>
      {(["fingerprint", "phone", "lock"] as const).map((icon, at) => (
        <span key={icon} className="flex items-center gap-3 border-line border-b py-2 last:border-0">
          <Icon name={icon} className="text-muted" />
          <span className={`h-2 rounded-full bg-line ${at === 1 ? "w-2/5" : "w-1/2"}`} />
          <span className="ml-auto flex size-4 items-center justify-center rounded-full bg-text text-bg">
            <Icon name="check" size={10} />
          </span>
        </span>
      ))}
    </Sheet>
  );
}

function HelpPicture() {
  return (
    <Sheet>
      <span className="flex h-8 items-center gap-2 rounded-control border border-line2 px-2.5 text-muted">
        <FrameIcon name="search" size={14} />
        <span className="h-2 w-1/3 rounded-full bg-line2" />
      </span>
      {(["w-3/5", "w-2/5"] as const).map((width) => (
        <span key={width} className="mt-3 flex items-center gap-2.5">
          <Icon name="document" size={14} className="text-muted" />
          <span className={`h-2 rounded-full bg-line ${width}`} />
        </span>
      ))}
    </Sheet>
  );
}
