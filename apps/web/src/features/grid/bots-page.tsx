// Own bots, grids and baskets: the running ones, live, and the ended ones.
import type { Bot } from "@clockwork/strategies/grid/contract";
import type { Rebalancer } from "@clockwork/strategies/rebalance/contract";
import { Card } from "@clockwork/ui/card";
import { EmptyState } from "@clockwork/ui/state";
import { SiteLink } from "#boot/site-link.tsx";
import { BasketRows } from "./baskets-list.tsx";
import { BotRows, useBots } from "./bots-list.tsx";
import { useGridText } from "./grid-text.ts";
import { useBaskets } from "./use-baskets.ts";

export interface BotsData {
  readonly spot: readonly Bot[];
  readonly futures: readonly Bot[];
  readonly baskets: readonly Rebalancer[];
}

export function BotsPage({ data }: { readonly data: BotsData }) {
  const text = useGridText();
  const spot = useBots("spot");
  const futures = useBots("futures");
  const served = [...data.spot, ...data.futures];
  const running = [
    ...(spot ?? data.spot.filter(({ status }) => status !== "CLOSED")),
    ...(futures ?? data.futures.filter(({ status }) => status !== "CLOSED")),
  ];
  const ended = served.filter(({ id, status }) => status === "CLOSED" && !running.some((one) => one.id === id));
  const liveBaskets = useBaskets() ?? data.baskets.filter(({ status }) => status === "RUNNING");
  const baskets = [
    ...liveBaskets,
    ...data.baskets.filter(({ id, status }) => status === "CLOSED" && !liveBaskets.some((one) => one.id === id)),
  ];
  return (
    <main id="content" className="mx-auto flex w-full max-w-[1200px] flex-col gap-4 px-8 py-7 max-md:px-4">
      <header className="flex flex-wrap items-center gap-4">
        <h1 className="text-section">{text("title.bots")}</h1>
        <nav className="ml-auto flex flex-wrap gap-x-4 gap-y-1 text-ui">
          <SiteLink to="/grid" className="underline underline-offset-2">
            {text("title.ranking")}
          </SiteLink>
          <SiteLink to="/grid/spot" className="underline underline-offset-2">
            {text("bots.new")}
          </SiteLink>
          <SiteLink to="/grid/rebalance" className="underline underline-offset-2">
            {text("basket.new")}
          </SiteLink>
        </nav>
      </header>
      {(running.length > 0 || liveBaskets.length === 0) && (
        <Card title={text("label.running")}>
          {running.length === 0 ? <EmptyState text={text("bots.none")} /> : <BotRows bots={running} />}
        </Card>
      )}
      {baskets.length > 0 && (
        <Card title={text("basket.list")}>
          <BasketRows bots={baskets} />
        </Card>
      )}
      {ended.length > 0 && (
        <Card title={text("bots.past")}>
          <BotRows bots={ended} />
        </Card>
      )}
    </main>
  );
}
