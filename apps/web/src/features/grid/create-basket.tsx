// A new rebalancing bot: its coins with their weights, its rule and its money, and next to them what the start would
// buy at current prices.
import { Badge } from "@clockwork/ui/pill";
import { latePart } from "#boot/late-part.tsx";
import { SiteLink } from "#boot/site-link.tsx";
import { CoinsCard, RuleCard } from "./basket-form.tsx";
import { useGridText } from "./grid-text.ts";
import { type BasketData, useBasket } from "./use-basket.ts";

const BasketPreview = latePart(async () => (await import("./basket-preview.tsx")).BasketPreview);
const BasketTestCard = latePart(async () => (await import("./basket-test-card.tsx")).BasketTestCard);

export function CreateBasket({ data }: { readonly data: BasketData }) {
  const text = useGridText();
  const made = useBasket(data);
  return (
    <main id="content" className="mx-auto flex w-full max-w-[1200px] flex-col gap-4 px-8 py-7 max-md:px-4">
      <header className="flex flex-wrap items-center gap-3">
        <h1 className="text-section">{text("title.rebalance")}</h1>
        {data.pairs.some(({ isSimulated }) => isSimulated) && <Badge tone="warn">{text("ranking.simulated")}</Badge>}
        <nav className="ml-auto flex flex-wrap gap-4 text-ui">
          <SiteLink to="/grid/spot" className="underline underline-offset-2">
            {text("title.spot")}
          </SiteLink>
          <SiteLink to="/grid" className="underline underline-offset-2">
            {text("title.ranking")}
          </SiteLink>
          <SiteLink to="/grid/bots" className="underline underline-offset-2">
            {text("title.bots")}
          </SiteLink>
        </nav>
      </header>
      <p className="max-w-[72ch] text-muted text-ui">{text("basket.what")}</p>
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_420px]">
        <div className="grid min-w-0 gap-4">
          <CoinsCard data={data} made={made} />
          <RuleCard data={data} made={made} />
          <BasketTestCard data={data} made={made} />
        </div>
        <BasketPreview data={data} made={made} />
      </div>
    </main>
  );
}
