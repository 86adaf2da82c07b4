// The order's effect on the position, in figures before it is sent: size, entry and liquidation price before and after,
// and the distance to liquidation. Computed on every keystroke and every mark.

import { groupThousands } from "@clockwork/kit/decimal";
import type { Fraction } from "@clockwork/kit/fraction";
import { SiteLink } from "#boot/site-link.tsx";
import { writeTrimmed } from "#trade/order/exact.ts";
import { Line, writeRate } from "#trade/order/line.tsx";
import { useProduct } from "#trade/product.ts";
import { useTradeText } from "#trade/trade-text.ts";
import {
  type KnownContract,
  readLots,
  readTicks,
  shownCoin,
  writeLots,
  writePrice,
  writeUnits,
} from "../model/contract.ts";
import { writeBps } from "../model/figures.ts";
import { useFuturesText } from "../model/futures-text.ts";
import {
  type Account,
  awayBps,
  entryOf,
  type Held,
  type Liquidation,
  liquidationOf,
  type OrderEffect,
  previewOrder,
  readAccount,
  readHeld,
  readOthers,
} from "../model/preview.ts";
import { computePrice, quantityOf } from "./form-model.ts";
import { type FuturesFormModel, targetOf } from "./use-form.ts";

export interface FormPreview {
  readonly contract: KnownContract;
  readonly before: Held | undefined;
  readonly effect: OrderEffect;
  readonly liquidationBefore: Liquidation;
  readonly liquidationAfter: Liquidation;
  readonly markTicks: bigint;
}

/** Nothing until the required data and input are complete. */
export function previewForm(
  form: FuturesFormModel,
  contracts: ReadonlyMap<string, KnownContract>,
): FormPreview | undefined {
  const { state, world, own } = form;
  const contract = contracts.get(world.pair.pairCode);
  const quantity = quantityOf(state, world);
  const priceText = computePrice(state, world);
  if (contract === undefined || quantity === undefined || priceText === undefined) return undefined;
  const lots = readLots(contract, writeTrimmed(quantity));
  const ticks = readTicks(contract, priceText.replaceAll(",", ""));
  const markTicks = readTicks(contract, world.mark ?? world.last ?? "");
  if (lots === undefined || lots === 0n || ticks === undefined || ticks === 0n || markTicks === undefined)
    return undefined;
  const target = targetOf(form);
  const before = target === undefined ? undefined : readHeld(contract, target);
  const mode = own.settings?.mode ?? "cross";
  const leverage =
    target?.leverage ?? (state.side === "buy" ? own.settings?.leverageLong : own.settings?.leverageShort) ?? 20;
  const isMaker = state.postOnly || state.kind === "scaled";
  const effect = previewOrder(contract, before, {
    side: state.side,
    lots,
    ticks,
    leverage,
    reduceOnly: state.reduceOnly,
    positionSide: world.isHedge ? (target?.side ?? (state.side === "buy" ? "long" : "short")) : "both",
    feeRate: (isMaker ? own.makerRate : own.takerRate) ?? world.pair.takerRate,
  });
  const account = accountOf(form, contracts, contract, target?.positionId);
  // Profit and fee of the order move what carries cross positions.
  const later = account === undefined ? undefined : { ...account, cash: account.cash + effect.realized - effect.fee };
  return {
    contract,
    before,
    effect,
    markTicks,
    liquidationBefore: before === undefined ? undefined : liquidationOf(contract, before, mode, account, markTicks),
    liquidationAfter:
      effect.after === undefined ? undefined : liquidationOf(contract, effect.after, mode, later, markTicks),
  };
}

function accountOf(
  { own }: FuturesFormModel,
  contracts: ReadonlyMap<string, KnownContract>,
  contract: KnownContract,
  positionId: string | undefined,
): Account | undefined {
  if (own.account === undefined) return undefined;
  const others = readOthers(own.positions, positionId, contract, (pairCode) => contracts.get(pairCode));
  return readAccount(own.account, contract.rules.settleScale, others);
}

/** "60,525.7", "None" where no price liquidates it, a dash while it is unknown. */
export function showLiquidation(contract: KnownContract, price: Liquidation, none: string): string {
  if (price === undefined) return "–";
  return price === null ? none : groupThousands(writePrice(contract, price));
}

function Moved({ before, after }: { readonly before: string; readonly after: string }) {
  return (
    <>
      <span className="font-normal text-muted">{before} → </span>
      {after}
    </>
  );
}

export function EffectBox({ preview }: { readonly preview: FormPreview | undefined }) {
  const text = useFuturesText();
  const { words } = useProduct();
  if (preview === undefined) {
    return (
      <Box>
        <Line label={text("form.position")} value="–" />
        <Line label={text("form.entry")} value="–" />
        <Line label={text("form.liquidation")} value="–" />
      </Box>
    );
  }
  const { contract, before, effect, liquidationBefore, liquidationAfter } = preview;
  const unit = words.assetsOf(contract.rules.pairCode).quantity;
  const sizeOf = (held: Held | undefined) =>
    held === undefined
      ? text("form.flat")
      : `${held.side < 0n ? "−" : ""}${groupThousands(writeLots(contract, held.lots))}`;
  const entryText = (held: Held | undefined) =>
    held === undefined ? "–" : groupThousands(writePrice(contract, entryOf(contract, held)));
  return (
    <Box
      foot={
        <>
          {effect.closedLots > 0n && (
            <p className="pt-1 text-muted">
              {text("form.closes", {
                quantity: `${groupThousands(writeLots(contract, effect.closedLots))} ${unit}`,
                amount: `${groupThousands(writeUnits(contract, effect.realized))} ${shownCoin(contract.rules.settle)}`,
              })}
            </p>
          )}
          {liquidationAfter !== undefined && liquidationAfter !== null && (
            <LiquidationBar preview={preview} price={liquidationAfter} />
          )}
        </>
      }
    >
      <Line
        label={text("form.position")}
        value={
          <>
            <Moved before={sizeOf(before)} after={sizeOf(effect.after)} /> {effect.after !== undefined && unit}
          </>
        }
      />
      <Line label={text("form.entry")} value={<Moved before={entryText(before)} after={entryText(effect.after)} />} />
      <Line
        label={text("form.liquidation")}
        value={
          <Moved
            before={before === undefined ? "–" : showLiquidation(contract, liquidationBefore, text("form.none"))}
            after={effect.after === undefined ? "–" : showLiquidation(contract, liquidationAfter, text("form.none"))}
          />
        }
      />
    </Box>
  );
}

/** Facts, and below them what is none. */
function Box({ children, foot }: { readonly children: React.ReactNode; readonly foot?: React.ReactNode }) {
  return (
    <div className="rounded-control border border-line bg-surface px-3 py-2 text-label @max-[240px]:border-0 @max-[240px]:bg-transparent @max-[240px]:p-0">
      <dl>{children}</dl>
      {foot}
    </div>
  );
}

/** From the liquidation price to the mark: the nearer the warning end, the nearer the end. */
function LiquidationBar({ preview, price }: { readonly preview: FormPreview; readonly price: Fraction }) {
  const text = useFuturesText();
  const { contract, markTicks } = preview;
  const away = awayBps(price, markTicks);
  const size = away < 0n ? -away : away;
  const near = size > 2_000n ? 20 : Number(size) / 100;
  const share = 100 - near * 4;
  const mark = { over: markTicks, under: 1n };
  return (
    <div className="pt-1.5 @max-[240px]:hidden">
      <div className="relative h-1 rounded-full bg-line" aria-hidden="true">
        <span className="absolute inset-y-0 left-0 rounded-full bg-warn" style={{ width: `${Math.max(4, share)}%` }} />
        <span className="absolute -top-1 h-3 w-0.5 bg-text" style={{ left: "88%" }} />
      </div>
      <div className="mt-1.5 flex justify-between text-axis text-muted">
        <span>{text("form.fromMark", { percent: writeBps(away) })}</span>
        <span>{text("form.markAt", { price: groupThousands(writePrice(contract, mark)) })}</span>
      </div>
    </div>
  );
}

export function CostLines({
  form,
  preview,
}: {
  readonly form: FuturesFormModel;
  readonly preview: FormPreview | undefined;
}) {
  const text = useFuturesText();
  const words = useTradeText();
  const { world, own } = form;
  const [maker, taker] = [own.makerRate ?? world.pair.makerRate, own.takerRate ?? world.pair.takerRate];
  const cost =
    preview === undefined
      ? "–"
      : `${groupThousands(writeUnits(preview.contract, preview.effect.margin + preview.effect.fee, "ceil"))} ${shownCoin(world.pair.settle)}`;
  return (
    <dl className="text-label">
      <Line label={text("form.cost")} value={cost} />
      <div className="@max-[240px]:hidden">
        <Line
          label={text("form.fees", { maker: writeRate(maker), taker: writeRate(taker) })}
          value={
            preview === undefined
              ? "–"
              : // Without its coin, which the line above names: both rates and the amount fit one line.
                groupThousands(writeUnits(preview.contract, preview.effect.fee, "ceil"))
          }
        />
        {own.level !== undefined && (
          <Line
            label={words("feeLevel")}
            value={
              <SiteLink to="/vip" className="hover:underline">
                {words("vip", { level: own.level })}
              </SiteLink>
            }
          />
        )}
      </div>
    </dl>
  );
}
