// What both ways of setting exits share: the tabs, the judging of a price, the source of a trigger, what an exit would bring.
import { realizedFloor } from "@clockwork/kit/margin";
import { Segmented } from "@clockwork/ui/segmented";
import { Choice } from "#trade/order/choice.tsx";
import { useTradeText } from "#trade/trade-text.ts";
import { type KnownContract, readTicks } from "../model/contract.ts";
import { showLike, writeBps } from "../model/figures.ts";
import { type FuturesText, useFuturesText } from "../model/futures-text.ts";
import { type Held, roeBps } from "../model/preview.ts";
import type { PositionView } from "../model/use-act.ts";
import { Signed } from "./close-dialog.tsx";
import type { StopSource } from "./stops.ts";

export interface StopsDialogProps {
  readonly positionId: string;
  readonly onClose: () => void;
}

export interface TabProps extends StopsDialogProps {
  readonly view: PositionView;
  readonly tab: "whole" | "part";
  readonly onTab: (tab: "whole" | "part") => void;
  readonly pairCount: number;
}

export function StopTabs({ tab, onTab, pairCount }: Pick<TabProps, "tab" | "onTab" | "pairCount">) {
  const text = useFuturesText();
  return (
    <Segmented
      label={text("stops.title")}
      wide
      value={tab}
      onChange={(id) => onTab(id === "part" ? "part" : "whole")}
      segments={[
        { id: "whole", title: text("stops.whole") },
        { id: "part", title: text("stops.part", { count: pairCount }) },
      ]}
    />
  );
}

/** Why a price cannot be an exit of the position; nothing where it can. */
export function judgeStop(
  text: FuturesText,
  { position, contract, markTicks, held }: Pick<PositionView, "position" | "contract" | "markTicks" | "held">,
  kind: "profit" | "loss",
  price: string,
): string | undefined {
  if (price === "") return undefined;
  const ticks = readTicks(contract, price);
  if (ticks === undefined || ticks === 0n) return undefined;
  const isLong = held.side > 0n;
  const wantsAbove = (kind === "profit") === isLong;
  if (wantsAbove ? ticks <= markTicks : ticks >= markTicks) return text("stops.reached");
  const liquidation = position.liquidationPrice;
  const limit = liquidation === null ? undefined : Number(liquidation);
  if (kind === "loss" && limit !== undefined && (isLong ? Number(price) <= limit : Number(price) >= limit))
    return text("stops.beyond", { price: showLike(liquidation ?? "0", position.markPrice) });
  return undefined;
}

export function SourceChoice({
  source,
  onSource,
}: {
  readonly source: StopSource;
  readonly onSource: (source: StopSource) => void;
}) {
  const trade = useTradeText();
  return (
    <Choice
      look="box40"
      label={trade("col.stop")}
      value={source}
      options={(["mark", "last"] as const).map((id) => ({ id, title: trade(`source.${id}`) }))}
      onChange={(id) => onSource(id === "last" ? "last" : "mark")}
      className="w-[120px] shrink-0"
    />
  );
}

interface ExitPnlProps {
  readonly contract: KnownContract;
  readonly held: Held;
  readonly lots: bigint;
  readonly price: string;
  readonly leverage: number;
}

/** The profit of an exit of this many lots at a price, and its share of the margin. */
export function ExitPnl({ contract, held, lots, price, leverage }: ExitPnlProps) {
  const ticks = readTicks(contract, price);
  if (ticks === undefined || ticks === 0n || lots === 0n || lots > held.lots) return null;
  const profit = realizedFloor(contract, held, lots, ticks);
  const roe = roeBps(profit, (held.cost * lots) / held.lots, leverage);
  return (
    <span className="figures">
      <Signed contract={contract} units={profit} />{" "}
      <span className={roe < 0n ? "text-down-text" : "text-up-text"}>{writeBps(roe)}</span>
    </span>
  );
}
