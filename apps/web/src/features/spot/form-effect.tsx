// The effect of the order, in figures before it is sent; and below the button how much could be traded at which fee.

import { SiteLink } from "#boot/site-link.tsx";
import { ceilTo, countSteps, floorTo, multiply, readServed, writeShown } from "#trade/order/exact.ts";
import { Line, writeRate } from "#trade/order/line.tsx";
import { useTradeText } from "#trade/trade-text.ts";
import type { FormPartProps } from "./form-fields.tsx";
import { maxQuantity } from "./form-model.ts";
import { type Effect, holdOf, type Money } from "./form-preview.ts";
import { countSlices } from "./form-rules.ts";
import { type FormState, type FormWorld, isInQuote } from "./form-state.ts";

/** Quote amounts like money, coins with the pair's decimals; more decimals only where there is something to say. */
export function writeMoney(money: Money, world: FormWorld): string {
  const isBase = money.asset === world.pair.base;
  const decimals = isBase ? world.pair.quantityDecimals : 2;
  return `${writeShown(floorTo(money.value, isBase ? 8 : 6), decimals)} ${money.asset}`;
}

export function writeFee(money: Money, world: FormWorld): string {
  return writeMoney({ ...money, value: ceilTo(money.value, 8) }, world);
}

const NOTHING = "–";

export function EffectBox({ form }: FormPartProps) {
  const text = useTradeText();
  const { effect, state, world } = form;
  const role =
    effect?.role ?? (state.kind === "limit" || state.kind === "scaled" || state.kind === "oco" ? "maker" : "taker");
  const rate = writeRate(role === "maker" ? world.makerRate : world.takerRate);
  const about = effect?.isEstimate === true;
  const note = noteOf(form.state, world, effect, text);
  return (
    <div className="rounded-control border border-line bg-surface px-3 py-2 text-label @max-[240px]:border-0 @max-[240px]:bg-transparent @max-[240px]:p-0">
      <dl>
        {about && effect !== undefined && state.kind === "market" && (
          <Line label={text("averagePrice")} value={writeShown(effect.price, world.pair.priceDecimals)} />
        )}
        <Line
          label={text(about ? "youPayAbout" : "youPay")}
          value={effect === undefined ? NOTHING : writeMoney(effect.pay, world)}
        />
        <Line
          label={
            <>
              <span className="@max-[240px]:hidden">{text(role === "maker" ? "feeMaker" : "feeTaker", { rate })}</span>
              <span className="hidden @max-[240px]:inline">{text("feeShort", { rate })}</span>
            </>
          }
          value={effect === undefined ? NOTHING : writeFee(effect.fee, world)}
        />
        <Line
          label={text(about ? "youReceiveAbout" : "youReceive")}
          value={effect === undefined ? NOTHING : writeMoney(effect.receive, world)}
        />
      </dl>
      {note !== undefined && <p className="mt-1 border-line border-t pt-1.5 text-muted">{note}</p>}
    </div>
  );
}

function noteOf(
  state: FormState,
  world: FormWorld,
  effect: Effect | undefined,
  text: ReturnType<typeof useTradeText>,
): string | undefined {
  if (effect?.isPartial === true) return text("partial");
  if (state.kind === "twap") {
    const count = countSlices(state);
    if (effect === undefined || count === 0) return undefined;
    const step = readServed(world.pair.stepSize);
    const lots = countSteps(effect.quantity, step) / BigInt(count);
    const slice = writeShown(multiply(step, { units: lots, scale: 0 }), world.pair.quantityDecimals);
    return text("slices", { count, quantity: `${slice} ${world.pair.base}`, interval: state.texts.intervalSeconds });
  }
  if (state.kind === "scaled" && effect !== undefined) {
    return text("rungs", { count: state.texts.count, price: writeShown(effect.price, world.pair.priceDecimals) });
  }
  if (effect !== undefined && holdOf(state, world, effect).value.units === 0n) return text("nothingFrozen");
  const isFar = effect !== undefined && state.kind === "market" && effect.impactPercent.units >= 10n;
  return isFar ? text("impact", { percent: writeShown(effect.impactPercent, 2) }) : undefined;
}

export function MaxLines({ form, level }: FormPartProps & { readonly level: number | undefined }) {
  const text = useTradeText();
  const { world, state } = form;
  const most = maxQuantity(state, world);
  const spendable = isInQuote(state) ? world.availableQuote : undefined;
  const rates = text("feeRates", { maker: writeRate(world.makerRate), taker: writeRate(world.takerRate) });
  return (
    <dl className="text-label @max-[240px]:hidden">
      {spendable !== undefined ? (
        // The same figure as at the slider's end: one most, in the unit that is typed.
        <Line
          label={text("maxSpend")}
          value={`${writeShown(floorTo(readServed(spendable), 2), 2)} ${world.pair.quote}`}
        />
      ) : (
        <Line
          label={text(state.side === "buy" ? "maxBuy" : "maxSell")}
          value={most === undefined ? NOTHING : `${writeShown(most, world.pair.quantityDecimals)} ${world.pair.base}`}
        />
      )}
      <div className="flex min-h-5 items-baseline justify-between gap-3" title={rates}>
        <dt className="text-muted">{text("feeLevel")}</dt>
        <dd className="figures font-medium text-text">
          <SiteLink to="/vip" className="hover:underline">
            {text("vip", { level: level ?? 0 })}
          </SiteLink>
          <span className="sr-only">, {rates}</span>
        </dd>
      </div>
    </dl>
  );
}
