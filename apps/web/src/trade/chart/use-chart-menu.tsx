// The menu of a price on the chart: by the right button, or by the plus that follows the pointer along the price axis.
import { groupThousands } from "@clockwork/kit/decimal";
import { Icon } from "@clockwork/ui/icon";
import { type MouseEvent, type PointerEvent, type ReactNode, Suspense, useState } from "react";
import { lazy } from "#boot/timeout.ts";
import { useTerminalText } from "#trade/terminal-text.ts";
import type { ChartEngine } from "./chart-engine.ts";
import type { ChartSpot } from "./chart-menu.tsx";

const ChartMenu = lazy(() => import("./chart-menu.tsx").then((part) => ({ default: part.ChartMenu })));

interface Plus {
  readonly price: string;
  readonly topPx: number;
  readonly rightPx: number;
}

export interface ChartMenuControl {
  readonly openAt: (event: MouseEvent) => void;
  readonly follow: (event: PointerEvent) => void;
  readonly leave: (event: PointerEvent) => void;
  readonly parts: ReactNode;
}

export function useChartMenu(engine: ChartEngine | undefined): ChartMenuControl {
  const text = useTerminalText();
  const [spot, setSpot] = useState<ChartSpot>();
  const [plus, setPlus] = useState<Plus>();
  const openAt = (event: MouseEvent) => {
    const price = engine?.priceAt(event.clientY);
    if (price === undefined) return;
    event.preventDefault();
    setSpot({ price, xPx: event.clientX, yPx: event.clientY });
  };
  const follow = (event: PointerEvent) => {
    if (engine === undefined || event.pointerType === "touch" || event.buttons !== 0) return;
    const price = engine.priceAt(event.clientY);
    const box = event.currentTarget.getBoundingClientRect();
    setPlus(price === undefined ? undefined : { price, topPx: event.clientY - box.top, rightPx: engine.axisWidth() });
  };
  // The plus is over the chart: moving onto it is not leaving.
  const leave = (event: PointerEvent) => {
    if (!(event.relatedTarget instanceof Element) || event.relatedTarget.closest(".chart-plus") === null)
      setPlus(undefined);
  };
  const parts = (
    <>
      {plus !== undefined && (
        <button
          type="button"
          tabIndex={-1}
          className="chart-plus"
          style={{ top: plus.topPx, left: `calc(100% - ${plus.rightPx}px)` }}
          title={text("chartPlus", { price: groupThousands(plus.price) })}
          aria-label={text("chartPlus", { price: groupThousands(plus.price) })}
          onClick={(event) => setSpot({ price: plus.price, xPx: event.clientX, yPx: event.clientY })}
        >
          <Icon name="plus" size={12} />
        </button>
      )}
      <Suspense fallback={null}>
        {spot !== undefined && (
          <ChartMenu spot={spot} shownPrice={groupThousands(spot.price)} onClose={() => setSpot(undefined)} />
        )}
      </Suspense>
    </>
  );
  return { openAt, follow, leave, parts };
}
