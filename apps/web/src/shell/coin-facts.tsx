// Facts of a coin: description, supply and links. The same on its own page and next to a pair's rules.

import { groupThousands } from "@clockwork/kit/decimal";
import type { CoinInfo } from "@clockwork/site/articles/contract";

export interface CoinWords {
  readonly since: string;
  readonly maxSupply: string;
  readonly noMax: string;
  readonly links: string;
}

export function CoinFacts({ coin, words }: { readonly coin: CoinInfo; readonly words: CoinWords }) {
  const most = coin.maxSupply === null ? words.noMax : `${groupThousands(coin.maxSupply)} ${coin.symbol}`;
  return (
    <div data-coin-facts={coin.symbol}>
      <p className="max-w-[640px]">{coin.about}</p>
      <p className="mt-2 max-w-[640px] text-muted">{coin.supply}</p>
      <dl className="mt-3 flex flex-wrap gap-x-8 gap-y-1">
        <div className="flex gap-2">
          <dt className="text-muted">{words.since}</dt>
          <dd className="figures font-medium">{coin.since}</dd>
        </div>
        <div className="flex gap-2">
          <dt className="text-muted">{words.maxSupply}</dt>
          <dd className="figures font-medium">{most}</dd>
        </div>
      </dl>
      <ul aria-label={words.links} className="mt-3 flex flex-wrap gap-x-4 gap-y-1">
        {coin.links.map(({ title, url }) => (
          <li key={url}>
            <a href={url} target="_blank" rel="noreferrer noopener" className="underline underline-offset-2">
              {title}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}
