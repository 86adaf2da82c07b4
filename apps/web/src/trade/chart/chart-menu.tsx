// Trading from the chart: the actions for a price selected with the right button, or with the plus on the price axis.
// Passes the order to the form, which confirms it as usual. Loaded on first use.
import { useEffect, useLayoutEffect, useRef } from "react";
import { useTerminalLink } from "#trade/terminal-link.ts";
import { useTerminalText } from "#trade/terminal-text.ts";

export interface ChartSpot {
  readonly price: string;
  /** Of the pointer, in the window. */
  readonly xPx: number;
  readonly yPx: number;
}

const EDGE_PX = 8;

export interface ChartMenuProps {
  readonly spot: ChartSpot;
  readonly shownPrice: string;
  readonly onClose: () => void;
}

export function ChartMenu({ spot, shownPrice, onClose }: ChartMenuProps) {
  const text = useTerminalText();
  const link = useTerminalLink();
  const menu = useRef<HTMLDivElement>(null);
  const last = Number(link.market.get().last ?? "0");
  // Below the last price one buys or stops out, above it one sells or breaks out: the likely action is first.
  const isBelow = Number(spot.price) < last;
  useLayoutEffect(() => {
    const box = menu.current;
    if (box === null) return;
    box.showPopover();
    const { width, height } = box.getBoundingClientRect();
    box.style.left = `${Math.min(spot.xPx, innerWidth - width - EDGE_PX)}px`;
    box.style.top = `${Math.min(spot.yPx, innerHeight - height - EDGE_PX)}px`;
    box.querySelector("button")?.focus();
  }, [spot]);
  useEffect(() => {
    const box = menu.current;
    const publish = (event: Event) => (event as ToggleEvent).newState === "closed" && onClose();
    box?.addEventListener("toggle", publish);
    return () => box?.removeEventListener("toggle", publish);
  }, [onClose]);
  const act = (run: () => void) => () => {
    run();
    onClose();
  };
  const order = (side: "buy" | "sell", kind: "limit" | "stopMarket") =>
    act(() => link.pick({ source: "chart", price: spot.price, side, kind }));
  const entries = [
    { key: "menuBuyLimit", run: order("buy", "limit"), isFirst: isBelow },
    { key: "menuSellStop", run: order("sell", "stopMarket"), isFirst: isBelow },
    { key: "menuSellLimit", run: order("sell", "limit"), isFirst: !isBelow },
    { key: "menuBuyStop", run: order("buy", "stopMarket"), isFirst: !isBelow },
  ] as const;
  const onKeyDown = (event: React.KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const all = [...(menu.current?.querySelectorAll("button") ?? [])];
    const at = all.indexOf(document.activeElement as HTMLButtonElement);
    all[(at + step + all.length) % all.length]?.focus();
  };
  return (
    <div
      ref={menu}
      popover="auto"
      role="menu"
      aria-label={text("chartMenu", { price: shownPrice })}
      tabIndex={-1}
      className="drop-panel fixed m-0 flex-col rounded-control border border-line2 bg-raised p-1 text-label text-text open:flex"
      onKeyDown={onKeyDown}
    >
      {entries
        .filter(({ isFirst }) => isFirst)
        .map(({ key, run }) => (
          <button key={key} type="button" role="menuitem" className={ENTRY} onClick={run}>
            {text(key, { price: shownPrice })}
          </button>
        ))}
      <button
        type="button"
        role="menuitem"
        className={`${ENTRY} border-line border-t`}
        onClick={act(() => link.pick({ source: "chart", price: spot.price }))}
      >
        {text("menuPrice", { price: shownPrice })}
      </button>
      <button
        type="button"
        role="menuitem"
        className={ENTRY}
        onClick={act(() => void navigator.clipboard?.writeText(spot.price).catch(() => undefined))}
      >
        {text("menuCopy", { price: shownPrice })}
      </button>
    </div>
  );
}

const ENTRY =
  "figures flex h-7 items-center rounded-xs px-2 text-left hover:bg-hover focus-visible:bg-hover focus-visible:outline-none";
