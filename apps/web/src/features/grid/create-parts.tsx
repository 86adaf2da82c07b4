// What follows from a drawn grid, and sending it: quantity, profit of a cell, liquidation; the agreement before the first bot and
// the button. The create page and the terminal have them.
import { formatDecimal, formatPercent } from "@clockwork/kit/format";
import { lotsAt } from "@clockwork/kit/grid/infinity";
import type { GridKind, GridPlan } from "@clockwork/kit/grid/plan";
import { priceText, quantityText, valueText } from "@clockwork/kit/instrument";
import { mulDivCeil, RATE_ONE } from "@clockwork/kit/money";
import { Button } from "@clockwork/ui/button";
import { Checkbox } from "@clockwork/ui/checkbox";
import { ConfirmDialog } from "@clockwork/ui/confirm-dialog";
import { useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { SiteLink } from "#boot/site-link.tsx";
import { loginPath } from "#session/login-path.ts";
import { Fact } from "./figures.tsx";
import { useGridText } from "./grid-text.ts";
import { type GridTerms, leastOf } from "./model/grid-model.ts";
import { groupedPrice } from "./model/grouped-price.ts";
import { useAgreement } from "./use-agreement.ts";
import type { CreateData, useCreate } from "./use-create.ts";

const AGREEMENT_PATH = "/help/articles/grid-bots";
const WARN_RATE = RATE_ONE / 1_000;

const percent = (rate: number): string => formatPercent((rate / RATE_ONE).toFixed(6), { decimals: 3 });

const SIDES = ["long", "short"] as const;

type Made = ReturnType<typeof useCreate>;

export function Summary({ made, pair }: { readonly made: Made; readonly pair: CreateData["pair"] }) {
  const text = useGridText();
  const { plan, refusal } = made.drawn;
  // The message for too small an amount contains the minimum.
  if (plan === undefined && refusal === "GRID_INVESTMENT_TOO_SMALL")
    return (
      <dl>
        <Least made={made} quote={pair.quote} />
      </dl>
    );
  if (plan === undefined || made.terms === undefined) return null;
  const { instrument } = made.terms;
  const count = plan.lines.length - 1;
  return (
    <>
      <dl>
        <Fact label={text("label.quantity")}>
          {quantityText(instrument, lotsAt({ kind: made.draft.kind, lots: plan.lots }, made.lastTicks))} {pair.base}
        </Fact>
        <Fact label={text("label.cell")}>
          {percent(plan.profitMinRate)} – {percent(plan.profitMaxRate)}
        </Fact>
        <Fact label={text("label.cellUnits")}>
          {cellProfits(made.draft.kind, plan, made.terms)
            .map((units) => formatDecimal(valueText(instrument, units), { decimals: 4 }))
            .join(" – ")}{" "}
          {pair.quote}
        </Fact>
        <Least made={made} quote={pair.quote} />
        {plan.startLots !== 0 && (
          <Fact label={text(plan.startLots > 0 ? "label.bought" : "label.sold")}>
            {quantityText(instrument, Math.abs(plan.startLots))} {pair.base}
          </Fact>
        )}
        <Fact label={text("label.orders")}>
          {text("label.ordersValue", { buys: plan.gap, sells: count - plan.gap })}
        </Fact>
        {SIDES.map((side) => {
          const { liquidations } = made.drawn;
          if (liquidations === undefined) return null;
          const ticks = liquidations[side];
          return (
            <Fact key={side} label={text(`label.liquidation.${side}`)}>
              {ticks === undefined ? "–" : groupedPrice(priceText(instrument, Math.max(0, ticks)))}
            </Fact>
          );
        })}
        <Fact label={text("label.price")}>{groupedPrice(priceText(instrument, made.lastTicks))}</Fact>
      </dl>
      {plan.profitMinRate < WARN_RATE && <p className="text-label text-warn">{text("create.warn")}</p>}
    </>
  );
}

function Least({ made, quote }: { readonly made: Made; readonly quote: string }) {
  const text = useGridText();
  const { draft, terms, lastTicks, drawn } = made;
  if (terms === undefined) return null;
  const least = leastOf(draft, terms, lastTicks, drawn.lines);
  if (least === undefined) return null;
  const amount = valueText(terms.instrument, least);
  return (
    <Fact label={text("label.least")}>
      {formatDecimal(amount, { decimals: 2, grouped: true, rounding: "ceil" })} {quote}
    </Fact>
  );
}

/** The least and the most a cell earns with both its orders filled, after the fees of both. */
function cellProfits(
  kind: GridKind,
  { lines, lots }: GridPlan,
  { instrument, makerRate }: GridTerms,
): readonly bigint[] {
  const earned = lines.slice(1).map((high, cell) => {
    const low = lines[cell] as number;
    const own = lotsAt({ kind, lots }, high);
    const fee = (ticks: number): number => mulDivCeil(own * ticks * instrument.factor, makerRate, RATE_ONE);
    return own * (high - low) * instrument.factor - fee(low) - fee(high);
  });
  return [BigInt(Math.min(...earned)), BigInt(Math.max(...earned))];
}

/** What the bot starts with, before it is created. */
function Effect({ data: { biz, pair }, made: { draft, drawn, terms } }: { data: CreateData; made: Made }) {
  const text = useGridText();
  const { plan } = drawn;
  if (plan === undefined || terms === undefined) return null;
  const of = {
    amount: formatDecimal(draft.investment, { decimals: 2, grouped: true }),
    quote: pair.quote,
    pair: pair.pairCode.replace("_", "/"),
    count: Number(draft.count),
    lower: groupedPrice(draft.lower),
  };
  const range =
    draft.kind === "infinity"
      ? text("create.effect.infinity", of)
      : text("create.effect", { ...of, upper: groupedPrice(draft.upper) });
  const start =
    plan.startLots === 0
      ? ""
      : text(plan.startLots > 0 ? "create.effect.bought" : "create.effect.sold", {
          quantity: quantityText(terms.instrument, Math.abs(plan.startLots)),
          base: pair.base,
        });
  return (
    <p className="text-muted">
      {range} {biz === "futures" && text("create.effect.leverage", { leverage: draft.leverage })} {start}
    </p>
  );
}

export function Send({ data, made }: { readonly data: CreateData; readonly made: Made }) {
  const text = useGridText();
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const { agreed, agree } = useAgreement(data.biz, data.isSignedIn);
  const [isChecked, setChecked] = useState(false);
  if (!data.isSignedIn)
    return (
      <a
        className="block py-2 text-center font-medium underline underline-offset-2"
        href={loginPath(pathname, pathname + search)}
      >
        {text("create.signIn")}
      </a>
    );
  const { send, isBusy, failure } = made.sending;
  const press = async (): Promise<void> => {
    if (agreed === false) await agree();
    const bot = await send();
    if (bot !== undefined) await navigate(`/grid/bot/${bot.id}`);
  };
  const isReady = made.drawn.plan !== undefined && (agreed === true || isChecked);
  return (
    <div className="flex flex-col gap-2">
      {agreed === false && (
        <>
          <Checkbox isSelected={isChecked} onChange={setChecked}>
            {text("create.agree")}
          </Checkbox>
          <SiteLink to={AGREEMENT_PATH} className="text-label underline underline-offset-2">
            {text("create.readAgreement")}
          </SiteLink>
        </>
      )}
      <ConfirmDialog
        title={text("create.confirm")}
        onConfirm={() => void press()}
        trigger={
          <Button kind="primary" wide busy={isBusy} isDisabled={!isReady}>
            {text("create.button")}
          </Button>
        }
      >
        <Effect data={data} made={made} />
      </ConfirmDialog>
      {failure !== undefined && (
        <p role="alert" className="text-danger text-label">
          {failure}
        </p>
      )}
      {agreed === true && <p className="text-label text-muted">{text("create.agreed")}</p>}
    </div>
  );
}
