// Book and trades in one panel: behind two tabs, or the trades below the book where there is room. The style sheet
// decides by the layout's wish and the screen's width, so the server need not know it.
import { useState } from "react";
import { HeadTabs, tabPanelProps } from "#trade/head-tabs.tsx";
import { useLayout } from "#trade/layout/layout-store.ts";
import { useTerminalText } from "#trade/terminal-text.ts";
import { BookBody } from "./book-panel.tsx";
import { TradesBody } from "./trades-panel.tsx";

export function BookPanel() {
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
        ]}
        selected={tab}
        onSelect={setTab}
      />
      <div {...tabPanelProps("book", "book")} data-part="book" className="book-part">
        <BookBody />
      </div>
      <div {...tabPanelProps("book", "trades")} data-part="trades" className="book-part">
        <div className="t-head trades-head">
          <span aria-hidden="true" className="font-medium">
            {text("trades")}
          </span>
        </div>
        <TradesBody />
      </div>
    </div>
  );
}
