// The order form of the spot terminal. Folds by the width of its slot: the whole column on a wide screen, next to the
// book on a phone, where the buttons are at the screen's edge.

import { Button, IconButton } from "@clockwork/ui/button";
import { KeyCap } from "@clockwork/ui/pill";
import { type FormEvent, Suspense, useEffect, useState } from "react";
import { useGlobal } from "#boot/state.ts";
import { lazy } from "#boot/timeout.ts";
import { useWorth } from "#session/worth.ts";
import { useAsking } from "#trade/order/asking.ts";
import { floorTo, readServed, readTyped, writeShown } from "#trade/order/exact.ts";
import { SideSwitch } from "#trade/order/fields.tsx";
import { ORDER_KINDS } from "#trade/order/form-kinds.ts";
import { FormProblem, useFormHotkeys, VisitorLine } from "#trade/order/form-parts.tsx";
import { KindTabs } from "#trade/order/kind-tabs.tsx";
import { Line } from "#trade/order/line.tsx";
import { useTerminalLink } from "#trade/terminal-link.ts";
import { useTradeText } from "#trade/trade-text.ts";
import { EffectBox, MaxLines } from "./form-effect.tsx";
import { type FormPartProps, SpotFields } from "./form-fields.tsx";
import { OrderOptions } from "./form-options.tsx";
import { isInQuote, optionsOf } from "./form-state.ts";
import { type OrderFormModel, useOrderForm } from "./use-order-form.ts";
import { NOBODY, type Own, useOwn } from "./use-own.ts";

const ConfirmDialog = lazy(() => import("./confirm-dialog.tsx").then((part) => ({ default: part.ConfirmDialog })));
const FundsDialog = lazy(() => import("./funds-dialog.tsx").then((part) => ({ default: part.FundsDialog })));
const FormSettingsPanel = lazy(() =>
  import("./settings-dialog.tsx").then((part) => ({ default: part.SettingsDialog })),
);

export function OrderForm() {
  const isSignedIn = useGlobal((state) => state.topInfo.id !== null);
  return isSignedIn ? <OwnForm /> : <FormView own={NOBODY} isSignedIn={false} />;
}

function OwnForm() {
  return <FormView own={useOwn()} isSignedIn />;
}

interface FormViewProps {
  readonly own: Own;
  readonly isSignedIn: boolean;
}

type OpenDialog = "funds" | "transfer" | "settings" | undefined;

function FormView({ own, isSignedIn }: FormViewProps) {
  const text = useTradeText();
  const form = useOrderForm(own);
  const [open, setOpen] = useState<OpenDialog>();
  // Where the exchange gives no test funds, money comes from the funding account.
  const source = useGlobal((state) => (state.hasTestFunds ? "funds" : "transfer"));
  useFormHotkeys(form, { isCovered: open !== undefined || form.isAsking, isSignedIn });
  useFormNotes(form);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isSignedIn) form.submit();
  };
  return (
    <form
      aria-label={text("form")}
      data-order-form=""
      noValidate
      onSubmit={submit}
      onKeyDown={(event) => event.key === "Escape" && form.calm()}
      className="flex min-h-full flex-col gap-2 p-3 text-label"
    >
      <div className="@max-[240px]:hidden">
        <SideSwitch side={form.state.side} onSide={form.setSide} />
      </div>
      <div className="flex items-center justify-between @max-[240px]:block">
        <KindTabs form={form} kinds={ORDER_KINDS} times={optionsOf(form.state).timesInForce} />
        <IconButton
          icon="settings"
          label={text("settings")}
          size={28}
          className="-mr-1.5 @max-[240px]:hidden"
          onPress={() => setOpen("settings")}
        />
      </div>
      <Available form={form} onFunds={isSignedIn ? () => setOpen(source) : undefined} />
      <SpotFields form={form} />
      <OrderOptions form={form} />
      <EffectBox form={form} />
      <FormProblem
        problem={form.faultOf("form") ?? hiddenFault(form)}
        isStale={form.state.kind === "market" && form.market.isStale}
      />
      {isSignedIn && form.isShort && (
        <button type="button" className="self-start text-accent hover:underline" onClick={() => setOpen(source)}>
          {text(source === "funds" ? "getFunds" : "transfer")}
        </button>
      )}
      {isSignedIn ? <SubmitButton form={form} /> : <VisitorLine />}
      <MaxLines form={form} level={own.fee?.level} />
      <AssetsPart form={form} own={own} isSignedIn={isSignedIn} onOpen={setOpen} />
      <Suspense fallback={null}>
        {form.isAsking && <ConfirmDialog form={form} />}
        {(open === "funds" || open === "transfer") && (
          <FundsDialog form={form} own={own} kind={open} onClose={() => setOpen(undefined)} />
        )}
        {open === "settings" && <FormSettingsPanel form={form} onClose={() => setOpen(undefined)} />}
      </Suspense>
    </form>
  );
}

/** What the buttons at a phone's edge say, and the line the chart draws of what would be sent. */
function useFormNotes(form: OrderFormModel): void {
  const link = useTerminalLink();
  const text = useTradeText();
  const { state, world } = form;
  const quantity = readTyped(state.texts.quantity);
  const price = readTyped(state.texts.price);
  const hasDraft = state.kind === "limit" && quantity !== undefined && quantity.units > 0n && price !== undefined;
  const size = quantity === undefined ? "" : writeShown(quantity, world.pair.quantityDecimals);
  const at =
    state.kind === "market" ? text("kind.market") : hasDraft ? writeShown(price, world.pair.priceDecimals) : "";
  const wanted = size === "" || at === "" ? "" : `${size} @ ${at}`;
  const buy = state.side === "buy" && wanted !== "" ? wanted : showAvailable(world.availableQuote, world.pair.quote, 2);
  const sell =
    state.side === "sell" && wanted !== ""
      ? wanted
      : showAvailable(world.availableBase, world.pair.base, world.pair.quantityDecimals);
  const draftPrice = hasDraft ? state.texts.price : undefined;
  useEffect(() => {
    link.formNotes.set({
      buy,
      sell,
      draft: draftPrice === undefined ? null : { side: state.side, price: draftPrice },
    });
  }, [link, buy, sell, draftPrice, state.side]);
  useEffect(() => () => link.formNotes.set({ buy: "", sell: "", draft: null }), [link]);
}

function showAvailable(amount: string | undefined, asset: string, decimals: number): string {
  return amount === undefined ? "" : `${writeShown(floorTo(readServed(amount), decimals), decimals)} ${asset}`;
}

function Available({ form, onFunds }: FormPartProps & { readonly onFunds: (() => void) | undefined }) {
  const text = useTradeText();
  const hasTestFunds = useGlobal((state) => state.hasTestFunds);
  const { state, world } = form;
  const amount = state.side === "buy" ? world.availableQuote : world.availableBase;
  const asset = state.side === "buy" ? world.pair.quote : world.pair.base;
  const decimals = state.side === "buy" ? 2 : world.pair.quantityDecimals;
  return (
    <div className="flex min-h-5 items-center justify-between gap-2 @max-[240px]:order-9">
      <span className="text-muted">{text("available")}</span>
      <span className="flex items-center gap-1 font-medium">
        <span className="figures" data-available={asset}>
          {amount === undefined ? `– ${asset}` : showAvailable(amount, asset, decimals)}
        </span>
        {onFunds !== undefined && (
          <IconButton
            icon="plus"
            label={text(hasTestFunds ? "getFunds" : "transfer")}
            size={24}
            iconSize={14}
            className="-mr-1.5"
            onPress={onFunds}
          />
        )}
      </span>
    </div>
  );
}

/** A market buy by amount has no total field: its errors are shown at the amount. */
function hiddenFault(form: OrderFormModel): string | undefined {
  return isInQuote(form.state) ? undefined : form.faultOf("amount");
}

function SubmitButton({ form }: FormPartProps) {
  const text = useTradeText();
  const { state, world } = form;
  const quantity = readTyped(state.texts.quantity);
  const isSized = !isInQuote(state) && quantity !== undefined && quantity.units > 0n;
  const values = {
    quantity: isSized ? writeShown(quantity, world.pair.quantityDecimals) : "",
    asset: world.pair.base,
  };
  const [sized, plain] =
    state.side === "buy" ? (["ctaBuy", "ctaBuyPlain"] as const) : (["ctaSell", "ctaSellPlain"] as const);
  const { oneClick } = useAsking();
  return (
    <div className="@max-[240px]:hidden max-lg:hidden">
      <Button type="submit" kind={state.side} size={40} wide busy={form.isBusy}>
        {text(isSized ? sized : plain, values)}
        <span aria-hidden="true" className="max-md:hidden">
          <KeyCap onFill>{text("enter")}</KeyCap>
        </span>
      </Button>
      {oneClick && <p className="mt-1 text-center text-warn">{text("oneClickOn")}</p>}
    </div>
  );
}

interface AssetsProps extends FormPartProps {
  readonly own: Own;
  readonly isSignedIn: boolean;
  readonly onOpen: (dialog: OpenDialog) => void;
}

function AssetsPart({ form, own, isSignedIn, onOpen }: AssetsProps) {
  const text = useTradeText();
  const { pair } = form.world;
  const { isSimulated } = form.market.pair;
  const worth = readServed(useWorth() ?? "0");
  const hasTestFunds = useGlobal((state) => state.hasTestFunds);
  if (!isSignedIn && !isSimulated) return null;
  return (
    <div className="mt-auto flex flex-col gap-1 border-line border-t pt-3 -mx-3 px-3 @max-[240px]:hidden">
      {isSignedIn && (
        <>
          <div className="flex items-baseline justify-between">
            <h2 className="font-semibold">{text("assets")}</h2>
            {worth.units > 0n && (
              <span data-total="" className="figures text-muted">
                ≈ {writeShown(floorTo(worth, 2), 2)} USDT
              </span>
            )}
          </div>
          <dl>
            <Line label={pair.base} value={showTotal(own, pair.base, pair.quantityDecimals)} />
            <Line label={pair.quote} value={showTotal(own, pair.quote, 2)} />
          </dl>
          <div className="mt-1 flex gap-2 *:flex-1">
            {hasTestFunds && (
              <Button size={28} onPress={() => onOpen("funds")}>
                {text("testFunds")}
              </Button>
            )}
            <Button size={28} onPress={() => onOpen("transfer")}>
              {text("transfer")}
            </Button>
          </div>
        </>
      )}
      {isSimulated && <p className="pt-1 text-axis text-muted">{text("simulated")}</p>}
    </div>
  );
}

function showTotal(own: Own, asset: string, decimals: number): string {
  if (own.balances === undefined) return "–";
  return writeShown(floorTo(readServed(own.balances.get(asset)?.total ?? "0"), decimals), decimals);
}
