// The terminal: pair bar, panels, status bar. Composes what this folder has with the two slots the route fills, and
// gives them the link. Shared by every market that trades on a book.
import { StalePill } from "@clockwork/ui/pill";
import { type ReactNode, useEffect, useLayoutEffect, useState } from "react";
import { BookPanel, type BookTab } from "#trade/book/book-group.tsx";
import { ChartPanel, type MoreTab } from "#trade/chart/chart-panel.tsx";
import { LayoutContext, useLayout, useLayoutControl } from "#trade/layout/layout-store.ts";
import { Stage } from "#trade/layout/stage.tsx";
import { useOwnKeys } from "#trade/own-keys.ts";
import { ProductContext, type TradeProduct, useProduct } from "#trade/product.ts";
import { createTerminalLink, TerminalLinkContext, useLinkedPart, useTerminalLink } from "#trade/terminal-link.ts";
import { useTerminalText } from "#trade/terminal-text.ts";
import { PairBar } from "./pair-bar.tsx";
import { StatusBar } from "./status-bar.tsx";
import { StickyBar } from "./sticky-bar.tsx";
import "./terminal.css";
import "./terminal-book.css";
import "./terminal-chart.css";
import "./terminal-controls.css";
import "./terminal-mobile.css";
import { firstMarket, type TerminalData, TerminalDataContext, useLinkedMarket } from "#trade/terminal-market.ts";

/** What the route fills in; each slot takes no props and reads link, data and product by context. */
export interface TerminalSlots {
  readonly form: ReactNode;
  readonly orders: ReactNode;
  /** The rules of the instrument, behind the chart's third tab. */
  readonly info: ReactNode;
  /** The product's own tabs behind the chart. */
  readonly chartTabs?: readonly MoreTab[];
  /** At the end of the pair bar. */
  readonly alerts?: ReactNode;
  /** `Statistic`s before those of the day: mark price, funding. */
  readonly statistics?: ReactNode;
  /** Above the pair bar: whose money this is not. */
  readonly banner?: ReactNode;
  /** Next to book and trades. */
  readonly bookTab?: BookTab;
  /** Below the levels of the book. */
  readonly bookFoot?: ReactNode;
  /** The product's own dialogs. */
  readonly overlays?: ReactNode;
}

export interface TerminalFrameProps extends TerminalSlots {
  readonly product: TradeProduct;
  readonly data: TerminalData;
}

const useBrowserLayoutEffect = typeof window === "undefined" ? useEffect : useLayoutEffect;

export function TerminalFrame({ product, ...props }: TerminalFrameProps) {
  return (
    <ProductContext value={product}>
      <Terminal {...props} />
    </ProductContext>
  );
}

function Terminal({ data, ...slots }: Omit<TerminalFrameProps, "product">) {
  const product = useProduct();
  const [link] = useState(() => createTerminalLink(firstMarket(data)));
  const control = useLayoutControl(data.layout);
  const { pairCode } = data.pair;
  // Before the browser paints: the form must not be seen with another pair's prices.
  useBrowserLayoutEffect(() => {
    if (link.market.get().pair.pairCode !== pairCode) link.market.set(firstMarket(data));
    product.keepLast(pairCode);
  }, [link, product, pairCode, data]);
  return (
    <TerminalLinkContext value={link}>
      <TerminalDataContext value={data}>
        <LayoutContext value={control}>
          <Page {...slots} pairCode={pairCode} />
        </LayoutContext>
      </TerminalDataContext>
    </TerminalLinkContext>
  );
}

const NO_TABS: readonly MoreTab[] = [];

function Page({ form, orders, info, alerts, statistics, banner, overlays, pairCode, ...slots }: PageProps) {
  const { words, biz } = useProduct();
  const text = useTerminalText();
  const { isArranging, arrange } = useLayout();
  useLinkedMarket();
  useOwnKeys();
  const isStale = useStale();
  return (
    <main id="content" className="terminal" data-product={biz} data-stale={isStale || undefined}>
      {banner}
      <h1 className="sr-only">{text("heading", { pair: words.nameOf(pairCode) })}</h1>
      <PairBar alerts={alerts} statistics={statistics} />
      <Stage
        contents={{
          book: <BookPanel key={pairCode} extra={slots.bookTab} foot={slots.bookFoot} />,
          chart: <ChartPanel key={pairCode} info={info} more={slots.chartTabs ?? NO_TABS} />,
          orders: <div className="t-slot">{orders}</div>,
          form: <FormSlot form={form} />,
        }}
      />
      <StatusBar />
      <StickyBar />
      {isArranging && (
        <div className="t-pill flex items-center gap-3 rounded-card bg-raised px-3 py-2">
          {text("arrangeHint")}
          <button type="button" className="t-button" onClick={() => arrange(false)}>
            {text("arrangeDone")}
          </button>
        </div>
      )}
      {overlays}
      {isStale && <StalePill className="t-pill">{text("stale")}</StalePill>}
    </main>
  );
}

interface PageProps extends TerminalSlots {
  readonly pairCode: string;
}

function useStale(): boolean {
  return useLinkedPart(useTerminalLink().market, (market) => market.isStale);
}

/** Created anew when the link has changed its pair, so that a form never starts with another pair's prices. */
function FormSlot({ form }: { readonly form: ReactNode }) {
  const pairCode = useLinkedPart(useTerminalLink().market, (market) => market.pair.pairCode);
  return (
    <div key={pairCode} className="t-slot">
      {form}
    </div>
  );
}
