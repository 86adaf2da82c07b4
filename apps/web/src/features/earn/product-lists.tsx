// The products as lists: flexible rows with their tiers, fixed rows with a choice of terms, cards of shark fins.
import type { EarnProduct } from "@clockwork/earning/earn/contract";
import { formatPercent } from "@clockwork/kit/format";
import { formatMinute } from "@clockwork/kit/time";
import { Button } from "@clockwork/ui/button";
import { CoinGlyph } from "@clockwork/ui/coin-glyph";
import { Badge } from "@clockwork/ui/pill";
import { Chips } from "@clockwork/ui/segmented";
import { type ReactNode, useState } from "react";
import { useEarnText } from "#words/earn-text.ts";
import { formatAmount, interestOn, pixels } from "./earn-model.ts";
import { PayoffShape } from "./payoff-curve.tsx";

export interface ListProps {
  readonly products: readonly EarnProduct[];
  readonly onChoose: (product: EarnProduct) => void;
}

export function Section(props: {
  readonly title: string;
  readonly note: string;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <section className="mb-9">
      <header className="mb-2 flex flex-wrap items-baseline gap-x-3">
        <h2 className="font-semibold text-card">{props.title}</h2>
        <p className="text-label text-muted">{props.note}</p>
        <span className="ml-auto text-label text-muted">{props.aside}</span>
      </header>
      {props.children}
    </section>
  );
}

function Coin({ product }: { readonly product: EarnProduct }) {
  const text = useEarnText();
  return (
    <span className="flex min-w-0 items-center gap-3">
      <CoinGlyph code={product.asset} size={32} />
      <span className="min-w-0">
        <span className="flex flex-wrap items-center gap-x-2 font-medium text-ui">
          {product.asset}
          {product.isSimulated ? <Badge tone="outline">{text("simulated")}</Badge> : null}
        </span>
        <span className="block truncate text-label text-muted">{product.name}</span>
      </span>
    </span>
  );
}

function ChooseButton({
  product,
  onChoose,
}: {
  readonly product: EarnProduct;
  readonly onChoose: (product: EarnProduct) => void;
}) {
  const text = useEarnText();
  const isOpen = product.state === "OPEN";
  return (
    <Button kind="neutral" size={32} isDisabled={!isOpen} onPress={() => onChoose(product)}>
      {text(isOpen ? "subscribe" : product.state === "FULL" ? "full" : "closed")}
    </Button>
  );
}

const ROW = "grid min-h-13 items-center gap-x-4 border-line border-t py-2";
/** Yesterday's payment is left out where the holdings are next to a narrow list. */
const FLEXIBLE =
  "grid-cols-[minmax(0,1fr)_auto_100px] md:grid-cols-[minmax(0,1fr)_130px_100px_160px_100px] lg:max-xl:grid-cols-[minmax(0,1fr)_130px_160px_100px]";
const PAID = "text-right max-md:hidden lg:max-xl:hidden";

export function FlexibleList({ products, onChoose }: ListProps) {
  const text = useEarnText();
  return (
    <div>
      <div className={`${ROW} ${FLEXIBLE} border-t-0 text-label text-muted`}>
        <span>{text("coin")}</span>
        <span className="text-right">{text("apr")}</span>
        <span className={PAID}>{text("paidYesterday")}</span>
        <span className="text-right max-md:hidden">{text("pool")}</span>
        <span />
      </div>
      {products.map((product) => (
        <div key={product.productId} className={`${ROW} ${FLEXIBLE} ${product.state === "OPEN" ? "" : "text-muted"}`}>
          <Coin product={product} />
          <Tiers product={product} />
          <span className={`figures text-ui ${PAID}`}>
            {product.paidRate === null ? "–" : formatPercent(product.paidRate)}
          </span>
          <span className="figures text-right text-ui max-md:hidden">
            {product.state === "FULL" ? text("fullUntil") : `${formatAmount(product.poolLeft ?? "0")} ${product.asset}`}
          </span>
          <span className="text-right">
            <ChooseButton product={product} onChoose={onChoose} />
          </span>
        </div>
      ))}
    </div>
  );
}

/** Tiers as tiers, never the best one alone. */
function Tiers({ product }: { readonly product: EarnProduct }) {
  const text = useEarnText();
  const [first, second] = product.tiers;
  return (
    <span className="figures text-right text-ui">
      {first === undefined || first.upto === null
        ? formatPercent(product.rate)
        : text("upTo", { rate: formatPercent(first.rate), amount: formatAmount(first.upto, { decimals: 0 }) })}
      {second === undefined ? null : (
        <span className="block text-label text-muted">{text("above", { rate: formatPercent(second.rate) })}</span>
      )}
    </span>
  );
}

const FIXED = "grid-cols-[minmax(0,1fr)_auto_100px] md:gap-x-3 md:grid-cols-[166px_minmax(0,1fr)_56px_56px_84px_92px]";

export function FixedList({ products, onChoose }: ListProps) {
  const text = useEarnText();
  const coins = [...new Set(products.map(({ asset }) => asset))];
  return (
    <div>
      <div className={`${ROW} ${FIXED} border-t-0 text-label text-muted max-md:hidden`}>
        <span>{text("coin")}</span>
        <span>{text("term")}</span>
        <span className="text-right">{text("apr")}</span>
        <span className="text-right">{text("onThousand")}</span>
        <span className="text-right">{text("subscribed")}</span>
        <span />
      </div>
      {coins.map((coin) => (
        <FixedRow key={coin} products={products.filter(({ asset }) => asset === coin)} onChoose={onChoose} />
      ))}
    </div>
  );
}

function FixedRow({ products, onChoose }: ListProps) {
  const text = useEarnText();
  const [chosen, setChosen] = useState(
    () => products.find(({ days }) => days === 30)?.productId ?? products[0]?.productId ?? "",
  );
  const product = products.find(({ productId }) => productId === chosen) ?? products[0];
  if (product === undefined) return null;
  const taken = pixels(product.quota) === 0 ? 0 : (1 - pixels(product.left) / pixels(product.quota)) * 100;
  return (
    <div className={`${ROW} ${FIXED}`}>
      <Coin product={product} />
      <Chips
        label={text("term")}
        value={product.productId}
        onChange={setChosen}
        className="max-md:order-last max-md:col-span-3 md:gap-1 md:*:px-2"
        segments={products.map(({ productId, days }) => ({ id: productId, title: text("days", { days }) }))}
      />
      <span className="figures text-right text-ui">{formatPercent(product.rate)}</span>
      <span className="figures text-right text-ui max-md:hidden">{`+${formatAmount(interestOn(product, "1000"))}`}</span>
      <span className="flex items-center gap-2 max-md:hidden">
        <span className="h-1 flex-1 overflow-hidden rounded-full bg-line">
          <span className="block h-full bg-m1" style={{ width: `${taken}%` }} />
        </span>
        <span className="figures text-label text-muted">{`${taken.toFixed(1)}%`}</span>
      </span>
      <span className="text-right">
        <ChooseButton product={product} onChoose={onChoose} />
      </span>
    </div>
  );
}

export function SharkList({ products, onChoose }: ListProps) {
  const text = useEarnText();
  return (
    <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
      {products.map((product) => {
        const { shark } = product;
        if (shark === null) return null;
        return (
          <li
            key={product.productId}
            className={`rounded-xl border border-line p-4 ${product.state === "OPEN" ? "" : "bg-surface"}`}
          >
            <div className="flex items-center gap-3">
              <CoinGlyph code={shark.index} size={24} />
              <div>
                <p className="font-medium text-ui">
                  {text(`shark.${shark.direction}`, { coin: shark.index, days: product.days })}
                </p>
                <p className="text-label text-muted">
                  {shark.isTouch
                    ? text("shark.touch", {
                        price: formatAmount(shark.direction === "bullish" ? shark.high : shark.low, { decimals: 0 }),
                      })
                    : text(shark.direction === "bullish" ? "shark.rises" : "shark.falls")}
                </p>
              </div>
            </div>
            <div className="mt-3 flex flex-wrap items-center justify-between gap-2">
              <p className="figures text-card">
                {text("shark.range", { low: formatPercent(shark.baseRate), high: formatPercent(shark.highRate) })}{" "}
                <span className="text-label text-muted">{text("apr")}</span>
              </p>
              {product.isSimulated ? <Badge tone="outline">{text("simulated")}</Badge> : null}
            </div>
            <PayoffShape shark={shark} />
            <p className="figures flex justify-around text-label text-muted">
              <span>{formatAmount(shark.low, { decimals: 0 })}</span>
              <span>{formatAmount(shark.high, { decimals: 0 })}</span>
            </p>
            <p className="figures mt-3 text-label text-muted">
              {text("shark.dates", {
                closes: product.closesAtMs === null ? "" : formatMinute(product.closesAtMs),
                starts: product.startsAtMs === null ? "" : formatMinute(product.startsAtMs),
                ends: product.endsAtMs === null ? "" : formatMinute(product.endsAtMs),
              })}
            </p>
            <div className="mt-3 flex items-end justify-between gap-2">
              <p className="figures text-label text-muted">
                {shark.settledPrice === null
                  ? text("index", { price: shark.price === null ? "–" : formatAmount(shark.price) })
                  : text("shark.settled", {
                      price: formatAmount(shark.settledPrice),
                      rate: formatPercent(shark.settledRate ?? "0"),
                    })}
                <br />
                {text("left", { amount: formatAmount(product.left, { decimals: 0 }), coin: product.asset })}
              </p>
              <ChooseButton product={product} onChoose={onChoose} />
            </div>
          </li>
        );
      })}
    </ul>
  );
}
