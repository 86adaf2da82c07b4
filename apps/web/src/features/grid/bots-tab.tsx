// Running bots of one product as a tab of its terminal, and a new one drawn over the chart next to it.
import type { GridBiz } from "@clockwork/strategies/grid/contract";
import { Button } from "@clockwork/ui/button";
import { EmptyState } from "@clockwork/ui/state";
import { useState } from "react";
import { SiteLink } from "#boot/site-link.tsx";
import { BotRows, useBots } from "./bots-list.tsx";
import { useGridText } from "./grid-text.ts";
import { TerminalGrid } from "./terminal-grid.tsx";

export function BotsTab({ biz }: { readonly biz: GridBiz }) {
  const text = useGridText();
  const bots = useBots(biz);
  const [isDrawing, setDrawing] = useState(false);
  return (
    <div className="flex flex-col">
      <div className="flex flex-wrap items-center gap-3 px-3 py-2">
        <Button size={28} onPress={() => setDrawing(!isDrawing)}>
          {text(isDrawing ? "bots.leave" : "bots.draw")}
        </Button>
        <SiteLink to={`/grid/${biz}`} className="text-label underline underline-offset-2">
          {text("bots.new")}
        </SiteLink>
        {biz === "spot" && (
          <SiteLink to="/grid/rebalance" className="text-label underline underline-offset-2">
            {text("basket.new")}
          </SiteLink>
        )}
        <SiteLink to="/grid" className="text-label underline underline-offset-2">
          {text("title.ranking")}
        </SiteLink>
      </div>
      {isDrawing && <TerminalGrid biz={biz} />}
      {bots === undefined || bots.length === 0 ? <EmptyState text={text("bots.none")} /> : <BotRows bots={bots} />}
    </div>
  );
}
