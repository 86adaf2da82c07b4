// A new grid: the price with its lines, the form, and the back-test below. Lines follow what is typed and dragged at once.
import { lotsAt } from "@clockwork/kit/grid/infinity";
import { quantityText } from "@clockwork/kit/instrument";
import { CoinGlyph } from "@clockwork/ui/coin-glyph";
import { Badge } from "@clockwork/ui/pill";
import { latePart } from "#boot/late-part.tsx";
import { SiteLink } from "#boot/site-link.tsx";
import { CreateForm } from "./create-form.tsx";
import { GridChart } from "./grid-chart.tsx";
import { useGridText } from "./grid-text.ts";
import { groupedPrice } from "./model/grouped-price.ts";
import { type CreateData, useCreate } from "./use-create.ts";
import { useFree } from "./use-free.ts";

const Send = latePart(async () => (await import("./create-parts.tsx")).Send);
const Summary = latePart(async () => (await import("./create-parts.tsx")).Summary);
const Suggested = latePart(async () => (await import("./suggested-card.tsx")).Suggested);
const BackTestPanel = latePart(async () => (await import("./back-test-panel.tsx")).BackTestPanel);

export function CreatePage({ data }: { readonly data: CreateData }) {
  const text = useGridText();
  const made = useCreate(data);
  const { draft, change, moveEdge, terms, candles, lastTicks, drawn, tested } = made;
  const { biz, pair, suggestion } = data;
  const money = useFree(biz, data.isSignedIn);
  if (terms === undefined) return null;
  const { instrument } = terms;
  const levels = (["takeProfit", "stopLoss", "trigger"] as const).flatMap((name) => {
    const ticks = Number(draft[name]) > 0 ? Math.round(Number(draft[name]) / Number(pair.tickSize)) : 0;
    return ticks === 0 ? [] : [{ ticks, title: text(`label.${name}`) }];
  });
  return (
    <main id="content" className="mx-auto flex w-full max-w-[1440px] flex-col gap-1 p-1">
      <header className="flex flex-wrap items-center gap-3 bg-surface px-4 py-3">
        <CoinGlyph code={pair.base} size={28} />
        <h1 className="font-semibold text-card">
          {text(biz === "spot" ? "title.spot" : "title.futures")} {pair.pairCode.replace("_", "/")}
        </h1>
        <span className="figures">{groupedPrice(data.last)}</span>
        {pair.isSimulated && <Badge tone="warn">{text("ranking.simulated")}</Badge>}
        <nav className="ml-auto flex flex-wrap gap-3 text-ui">
          <SiteLink
            to="/grid/spot"
            aria-current={biz === "spot" ? "page" : undefined}
            className="aria-[current]:font-semibold"
          >
            {text("title.spot")}
          </SiteLink>
          <SiteLink
            to="/grid/futures"
            aria-current={biz === "futures" ? "page" : undefined}
            className="aria-[current]:font-semibold"
          >
            {text("title.futures")}
          </SiteLink>
          <SiteLink to="/grid/rebalance">{text("title.rebalance")}</SiteLink>
          <SiteLink to="/grid">{text("title.ranking")}</SiteLink>
          <SiteLink to="/grid/bots">{text("title.bots")}</SiteLink>
        </nav>
        <Pairs data={data} />
      </header>
      <div className="grid gap-1 lg:grid-cols-[minmax(0,1fr)_316px]">
        <div className="flex min-w-0 flex-col gap-1">
          <section className="bg-surface">
            <p className="px-4 py-2 text-label text-muted">{text("create.drag")}</p>
            <GridChart
              candles={candles.slice(-180)}
              lines={drawn.lines}
              lastTicks={lastTicks}
              instrument={terms.instrument}
              levels={levels}
              edges={draft.kind === "infinity" ? ["lower"] : ["upper", "lower"]}
              onMove={moveEdge}
              quantityAt={
                drawn.plan === undefined
                  ? undefined
                  : (ticks) =>
                      quantityText(instrument, lotsAt({ kind: draft.kind, lots: drawn.plan?.lots ?? 0 }, ticks))
              }
            />
          </section>
          <div className="bg-surface">
            <BackTestPanel
              result={tested?.result}
              refusal={tested?.refusal}
              swept={tested?.swept ?? []}
              chosen={draft.count}
              instrument={terms.instrument}
              isBusy={tested !== undefined && tested.of !== draft}
              isFutures={biz === "futures"}
              onChoose={(count) => change({ count: String(count) })}
            />
          </div>
        </div>
        <aside className="flex flex-col gap-3 bg-surface p-4">
          {suggestion !== null && <Suggested data={data} onUse={change} />}
          <CreateForm
            draft={draft}
            base={pair.base}
            quote={pair.quote}
            isSpot={biz === "spot"}
            refusal={drawn.refusal}
            money={money}
            onChange={change}
          />
          <Summary made={made} pair={pair} />
          {/* On a phone the form is longer than the screen: the button is fixed above the bar below. */}
          <div className="max-lg:-mx-4 max-lg:sticky max-lg:bottom-16 max-lg:z-10 max-lg:border-line max-lg:border-t max-lg:bg-surface max-lg:px-4 max-lg:py-2">
            <Send data={data} made={made} />
          </div>
        </aside>
      </div>
    </main>
  );
}

function Pairs({ data }: { readonly data: CreateData }) {
  const text = useGridText();
  return (
    <nav aria-label={text("label.pair")} className="flex w-full flex-wrap gap-2">
      {data.pairs.map((pairCode) => (
        <SiteLink
          key={pairCode}
          to={`/grid/${data.biz}?pair=${pairCode}`}
          aria-current={pairCode === data.pair.pairCode ? "page" : undefined}
          className="rounded-full border border-line2 px-3 py-1 text-label text-muted hover:text-text aria-[current]:border-text aria-[current]:text-text"
        >
          {pairCode.replace("_", "/")}
        </SiteLink>
      ))}
    </nav>
  );
}
