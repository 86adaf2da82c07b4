// `/earn` and its parts: lists of products with a filter, what the visitor holds, coupons, records and a calculator.
import type { EarnCoupon, EarnHoldings, EarnProduct, EarnProducts } from "@clockwork/earning/earn/contract";
import { Button } from "@clockwork/ui/button";
import { type ReactNode, useState } from "react";
import { useRevalidator } from "react-router";
import { latePart } from "#boot/late-part.tsx";
import { SiteLink } from "#boot/site-link.tsx";
import { FailedLine } from "#session/failed-line.tsx";
import { LateSelect } from "#shell/late-select.tsx";
import { useOpenPlaceInSight } from "#shell/open-place.ts";
import { PageHead } from "#shell/page-head.tsx";
import { useEarnText } from "#words/earn-text.ts";
import { AutoApplyCard, CouponsCard, HOLDINGS_PLACE, HoldingsCard, HoldingsSummary } from "./holdings-card.tsx";
import { FixedList, FlexibleList, Section, SharkList } from "./product-lists.tsx";

const SubscribeDialog = latePart(async () => (await import("./subscribe-dialog.tsx")).SubscribeDialog);
const RecordsDialog = latePart(async () => (await import("./earn-dialogs.tsx")).RecordsDialog);
const CalculatorDialog = latePart(async () => (await import("./earn-dialogs.tsx")).CalculatorDialog);

export type EarnPart = "all" | "flexible" | "fixed" | "shark";

export interface EarnPageProps {
  readonly part: EarnPart;
  readonly products: EarnProducts | null;
  readonly isSignedIn: boolean;
  /** Null for a visitor, and where they could not be loaded; so with coupons. */
  readonly holdings: EarnHoldings | null;
  readonly coupons: readonly EarnCoupon[] | null;
  /** Null while unknown: the exchange then decides what is too much. */
  readonly available: Readonly<Record<string, string>> | null;
  /** Ready mixes of recurring buys, which are a feature of their own. */
  readonly mixes: ReactNode;
}

const TABS = [
  ["all", "/earn"],
  ["flexible", "/earn/flexible"],
  ["fixed", "/earn/fixed"],
  ["shark", "/earn/shark-fin"],
  ["recurring", "/earn/recurring"],
  ["launchpad", "/launchpad"],
] as const;

export function EarnFrame({
  part,
  actions,
  children,
}: {
  readonly part: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  const text = useEarnText();
  const row = useOpenPlaceInSight();
  return (
    <main id="content" className="mx-auto w-full min-w-0 max-w-[1232px] flex-1 px-4 py-7">
      <PageHead title={text("title")} description={text("description")} />
      <header className="mb-4 flex flex-wrap items-start justify-between gap-3">
        <div>
          <h1 className="text-section">{text("title")}</h1>
          <p className="mt-1 text-muted text-ui">{text("lead")}</p>
        </div>
        <div className="flex gap-2">{actions}</div>
      </header>
      <nav
        ref={row}
        aria-label={text("title")}
        className="relative mb-7 flex gap-5 overflow-x-auto border-line border-b"
      >
        {TABS.map(([id, to]) => (
          <SiteLink
            key={id}
            to={to}
            aria-current={id === part ? "page" : undefined}
            className={`whitespace-nowrap border-b-2 py-2 text-ui ${id === part ? "border-accent text-text" : "border-transparent text-muted hover:text-text"}`}
          >
            {text(`tab.${id}`)}
          </SiteLink>
        ))}
      </nav>
      {children}
    </main>
  );
}

export function EarnPage(props: EarnPageProps) {
  const text = useEarnText();
  const { revalidate } = useRevalidator();
  const [chosen, setChosen] = useState<EarnProduct>();
  const [coin, setCoin] = useState("");
  const [open, setOpen] = useState<"records" | "calculator">();
  const refresh = () => void revalidate();
  const products = props.products?.products ?? [];
  const shown = products.filter(({ asset, shark }) => coin === "" || asset === coin || shark?.index === coin);
  const actions = (
    <>
      {!props.isSignedIn ? null : (
        <Button kind="neutral" size={36} icon="clock" onPress={() => setOpen("records")}>
          {text("records")}
        </Button>
      )}
      <Button kind="neutral" size={36} onPress={() => setOpen("calculator")}>
        {text("calculator")}
      </Button>
    </>
  );
  return (
    <EarnFrame part={props.part} actions={actions}>
      {props.products === null ? (
        <FailedLine />
      ) : (
        <div className="grid items-start gap-8 lg:grid-cols-[minmax(0,1fr)_356px]">
          {props.holdings === null ? null : <HoldingsSummary holdings={props.holdings} />}
          <div className="min-w-0">
            <CoinFilter products={products} coin={coin} onChange={setCoin} />
            <Lists
              part={props.part}
              products={shown}
              isFiltered={coin !== ""}
              mixes={props.mixes}
              onChoose={props.isSignedIn ? setChosen : toLogin}
            />
          </div>
          <aside id={HOLDINGS_PLACE} className="grid scroll-mt-20 gap-4">
            <HoldingsCard holdings={props.holdings} isSignedIn={props.isSignedIn} onChanged={refresh} />
            {props.holdings === null ? null : <AutoApplyCard holdings={props.holdings} onChanged={refresh} />}
            {props.isSignedIn ? <CouponsCard coupons={props.coupons} /> : null}
          </aside>
        </div>
      )}
      {chosen === undefined ? null : (
        <SubscribeDialog
          key={chosen.productId}
          product={chosen}
          available={props.available === null ? undefined : (props.available[chosen.asset] ?? "0")}
          coupons={props.coupons ?? []}
          nowMs={props.products?.timeMs ?? 0}
          onClose={() => setChosen(undefined)}
          onDone={refresh}
        />
      )}
      {open === "records" ? <RecordsDialog onClose={() => setOpen(undefined)} /> : null}
      {open === "calculator" ? <CalculatorDialog products={products} onClose={() => setOpen(undefined)} /> : null}
    </EarnFrame>
  );
}

function toLogin(): void {
  location.assign("/login");
}

function CoinFilter({
  products,
  coin,
  onChange,
}: {
  readonly products: readonly EarnProduct[];
  readonly coin: string;
  readonly onChange: (coin: string) => void;
}) {
  const text = useEarnText();
  const coins = [...new Set(products.map(({ asset }) => asset))];
  return (
    <div className="mb-5 max-w-56">
      <LateSelect
        label={text("filter")}
        labelHidden
        value={coin}
        onChange={onChange}
        options={[{ id: "", title: text("allCoins") }, ...coins.map((asset) => ({ id: asset, title: asset }))]}
      />
    </div>
  );
}

function Lists({
  part,
  products,
  isFiltered,
  mixes,
  onChoose,
}: Pick<EarnPageProps, "part" | "mixes"> & {
  readonly products: readonly EarnProduct[];
  readonly isFiltered: boolean;
  readonly onChoose: (product: EarnProduct) => void;
}) {
  const text = useEarnText();
  const of = (kind: EarnProduct["kind"]) => products.filter((product) => product.kind === kind);
  const has = (kind: EarnPart) => part === "all" || part === kind;
  const [flexible, fixed, shark] = [of("flexible"), of("fixed"), of("shark")];
  return (
    <>
      {has("flexible") ? (
        <Section
          title={text("tab.flexible")}
          note={text("flexible.note")}
          aside={text("count.coins", { count: flexible.length })}
        >
          {flexible.length === 0 ? (
            <p className="text-muted text-ui">{text(isFiltered ? "none" : "noneNow")}</p>
          ) : (
            <FlexibleList products={flexible} onChoose={onChoose} />
          )}
        </Section>
      ) : null}
      {has("fixed") ? (
        <Section
          title={text("tab.fixed")}
          note={text("fixed.note")}
          aside={text("count.terms", { count: fixed.length })}
        >
          {fixed.length === 0 ? (
            <p className="text-muted text-ui">{text(isFiltered ? "none" : "noneNow")}</p>
          ) : (
            <FixedList products={fixed} onChoose={onChoose} />
          )}
        </Section>
      ) : null}
      {has("shark") ? (
        <Section
          title={text("tab.shark")}
          note={text("shark.note")}
          aside={text("count.products", { count: shark.length })}
        >
          {shark.length === 0 ? (
            <p className="text-muted text-ui">{text(isFiltered ? "none" : "noneNow")}</p>
          ) : (
            <SharkList products={shark} onChoose={onChoose} />
          )}
        </Section>
      ) : null}
      {part === "all" ? (
        <Section
          title={text("tab.recurring")}
          note={text("recurring.note")}
          aside={
            <SiteLink to="/earn/recurring" className="inline-flex min-h-6 items-center text-text hover:underline">
              {text("mix.all")}
            </SiteLink>
          }
        >
          {mixes}
        </Section>
      ) : null}
    </>
  );
}
