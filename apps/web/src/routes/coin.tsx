// One coin: description, supply, links, and the pairs it is traded in.
import { ARTICLE_CALLS, type CoinInfo } from "@clockwork/site/articles/contract";
import { MARKET_CALLS } from "@clockwork/trading/markets/contract";
import { CoinGlyph } from "@clockwork/ui/coin-glyph";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { fetchPage, slugOf } from "#boot/article-loading.ts";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readCall } from "#boot/read-call.ts";
import { SiteLink } from "#boot/site-link.tsx";
import { CoinFacts } from "#shell/coin-facts.tsx";
import { PageHead } from "#shell/page-head.tsx";
import { usePublicText } from "#words/public-text.ts";

interface CoinData {
  readonly coin: CoinInfo;
  readonly pairs: readonly string[];
}

export async function loader({ context }: LoaderFunctionArgs): Promise<CoinData> {
  const page = context.get(pageContext);
  const coin = await fetchPage(page, ARTICLE_CALLS.coin, { coin: slugOf(page.rest, "/coins/") }, { shared: true });
  const pairs = (await readCall(page, MARKET_CALLS.pairs, {}, { shared: true })) ?? [];
  const own = pairs.filter(({ base, quote }) => base === coin.symbol || quote === coin.symbol);
  return { coin, pairs: own.map(({ pairCode }) => pairCode) };
}

export const clientLoader = loadPayload<CoinData>;

export default function Coin() {
  const text = usePublicText();
  const { coin, pairs } = useLoaderData<CoinData>();
  return (
    <main id="content" className="container-read flex-1 py-12 text-read">
      <PageHead title={`${coin.name} (${coin.symbol})`} description={coin.about} />
      <h1 className="mb-4 flex items-center gap-3 text-title">
        <CoinGlyph code={coin.symbol} size={32} /> {coin.name} <span className="text-muted">{coin.symbol}</span>
      </h1>
      <CoinFacts
        coin={coin}
        words={{
          since: text("public.coin.since"),
          maxSupply: text("public.coin.maxSupply"),
          noMax: text("public.coin.noMax"),
          links: text("public.coin.links"),
        }}
      />
      <h2 className="mt-10 mb-2 text-card">{text("public.coin.pairs")}</h2>
      <ul className="flex flex-wrap gap-2">
        {pairs.map((pairCode) => (
          <li key={pairCode}>
            <SiteLink
              to={`/spot/${pairCode}`}
              className="inline-flex h-9 items-center rounded-control border border-line2 px-3 text-ui hover:border-faint"
            >
              {pairCode.replace("_", "/")}
            </SiteLink>
          </li>
        ))}
      </ul>
    </main>
  );
}
