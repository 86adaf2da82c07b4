// Book and trades in one panel, and what a product adds: behind tabs, or the trades below the book where there is
// space. The style sheet decides by the layout's setting and the screen's width, independent of the server.
import { type ReactNode, useState } from "react";
import { HeadTabs, tabPanelProps } from "#trade/head-tabs.tsx";
import { useLayout } from "#trade/layout/layout-store.ts";
import { useTerminalText } from "#trade/terminal-text.ts";
import { BookBody } from "./book-panel.tsx";
import { TradesBody } from "./trades-panel.tsx";

/** One more tab, of the product's own. */
export interface BookTab {
  readonly title: string;
  readonly body: ReactNode;
}

interface BookPanelProps {
  readonly extra?: BookTab | undefined;
  /** The product's content below the levels. */
  readonly foot?: ReactNode;
}

export function BookPanel({ extra, foot }: BookPanelProps) {
  const text = useTerminalText();
  const { layout } = useLayout();
  const [tab, setTab] = useState("book");
  return (
    <div className="book-group" data-trades={layout.trades} data-tab={tab}>
      <HeadTabs
        label={text("book")}
        name="book"
        tabs={[
          { id: "book", title: text("book") },
          { id: "trades", title: text("trades") },
          ...(extra === undefined ? [] : [{ id: "extra", title: extra.title }]),
        ]}
        selected={tab}
        onSelect={setTab}
      />
      <div {...tabPanelProps("book", "book")} data-part="book" className="book-part">
        <BookBody foot={foot} />
      </div>
      <div {...tabPanelProps("book", "trades")} data-part="trades" className="book-part">
        <div className="t-head trades-head">
          <span aria-hidden="true" className="font-medium">
            {text("trades")}
          </span>
        </div>
        <TradesBody />
      </div>
      {extra !== undefined && tab === "extra" && (
        <div {...tabPanelProps("book", "extra")} data-part="extra" className="book-part">
          {extra.body}
        </div>
      )}
    </div>
  );
}
