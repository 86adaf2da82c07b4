// The futures order form: margin mode, leverage and position mode above, the kind's fields, the effect on the position.

import { groupThousands } from "@clockwork/kit/decimal";
import type { ContractInfo } from "@clockwork/trading/markets/contract";
import { Button, IconButton } from "@clockwork/ui/button";
import { Checkbox } from "@clockwork/ui/checkbox";
import { useHotkey } from "@clockwork/ui/hooks/use-hotkey";
import { KeyCap } from "@clockwork/ui/pill";
import { Segmented } from "@clockwork/ui/segmented";
import { Switch } from "@clockwork/ui/switch";
import { type FormEvent, type ReactNode, Suspense, useEffect, useState } from "react";
import { latePart } from "#boot/late-part.tsx";
import { useGlobal } from "#boot/state.ts";
import { lazy } from "#boot/timeout.ts";
import { readServed, writeShown, writeTrimmed } from "#trade/order/exact.ts";
import { SideSwitch } from "#trade/order/fields.tsx";
import { FormProblem, useFormHotkeys, VisitorLine } from "#trade/order/form-parts.tsx";
import { ExpiryField, VisibleField } from "#trade/order/kind-fields.tsx";
import { KindTabs, TimeChoice } from "#trade/order/kind-tabs.tsx";
import { Line } from "#trade/order/line.tsx";
import { useProduct } from "#trade/product.ts";
import { useTerminalLink } from "#trade/terminal-link.ts";
import { useTerminalData } from "#trade/terminal-market.ts";
import { useTradeText } from "#trade/trade-text.ts";
import { shownCoin, writeLots } from "../model/contract.ts";
import { writeCoin } from "../model/figures.ts";
import { useFuturesText } from "../model/futures-text.ts";
import { openDialog } from "../model/open-dialog.ts";
import { useBiz, useContractSettings, useFee, useKnownContracts, useSampledOwn } from "../model/use-own.ts";
import { CostLines, EffectBox, type FormPreview, previewForm } from "./form-effect.tsx";
import { ExitRows, FuturesFields } from "./form-fields.tsx";
import { mostOf, quantityOf } from "./form-model.ts";
import { kindsOf, optionsOf } from "./form-state.ts";
import { type FuturesFormModel, type OwnFutures, useFuturesForm } from "./use-form.ts";
import { useRoom } from "./use-room.ts";

const AccountBox = latePart(async () => (await import("./account-box.tsx")).AccountBox);
const ShortOfMargin = latePart(async () => (await import("./account-box.tsx")).ShortOfMargin);
const FundingBox = latePart(async () => (await import("./funding-box.tsx")).FundingBox);
const ConfirmDialog = lazy(() => import("./confirm-dialog.tsx").then((part) => ({ default: part.ConfirmDialog })));
const SettingsDialog = lazy(() => import("./settings-dialog.tsx").then((part) => ({ default: part.SettingsDialog })));

const NOBODY: OwnFutures = {
  account: undefined,
  positions: [],
  settings: undefined,
  makerRate: undefined,
  takerRate: undefined,
  level: undefined,
};

export function OrderForm() {
  const isSignedIn = useGlobal((state) => state.topInfo.id !== null);
  return isSignedIn ? <OwnForm /> : <FormView own={NOBODY} isSignedIn={false} />;
}

function OwnForm() {
  const { pair } = useTerminalData<ContractInfo>();
  const { account, positions } = useSampledOwn(pair.settle);
  const settings = useContractSettings(pair.pairCode);
  const fee = useFee();
  return (
    <FormView
      own={{
        account,
        positions,
        settings,
        makerRate: fee?.makerRate,
        takerRate: fee?.takerRate,
        level: fee?.level,
      }}
      isSignedIn
    />
  );
}

function FormView({ own, isSignedIn }: { readonly own: OwnFutures; readonly isSignedIn: boolean }) {
  const text = useTradeText();
  const form = useFuturesForm(own);
  const contracts = useKnownContracts([
    form.world.pair.pairCode,
    ...own.positions.filter(({ mode }) => mode === "cross").map(({ pairCode }) => pairCode),
  ]);
  const preview = previewForm(form, contracts);
  const [isSetting, setSetting] = useState(false);
  const isTall = useRoom();
  useFormHotkeys(form, { isCovered: isSetting || form.isAsking, isSignedIn });
  useContractKeys(isSignedIn);
  useFormNotes(form, preview);
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
      <ModeRow own={own} isSignedIn={isSignedIn} pair={form.world.pair} />
      {form.world.isHedge && <IntentSwitch form={form} />}
      <div className="@max-[240px]:hidden">
        <SideSwitch side={form.state.side} onSide={form.setSide} />
      </div>
      <div className="flex items-center justify-between @max-[240px]:block">
        <KindTabs form={form} kinds={kindsOf(form.state)} times={optionsOf(form.state).timesInForce} />
        <IconButton
          icon="settings"
          label={text("settings")}
          size={28}
          className="-mr-1.5 @max-[240px]:hidden"
          onPress={() => setSetting(true)}
        />
      </div>
      <Available form={form} isSignedIn={isSignedIn} />
      <FuturesFields form={form} />
      <Options form={form} />
      <EffectBox preview={preview} />
      <FormProblem problem={form.faultOf("form")} isStale={form.state.kind === "market" && form.market.isStale} />
      {isSignedIn && <ShortOfMargin account={own.account} pair={form.world.pair} isShort={form.isShort} />}
      {isSignedIn ? <SubmitButton form={form} /> : <VisitorLine />}
      <CostLines form={form} preview={preview} />
      <MaxLine form={form} />
      {isSignedIn && <AccountBox account={own.account} pair={form.world.pair} />}
      {isTall && <FundingBox pair={form.world.pair} positions={own.positions} />}
      <Suspense fallback={null}>
        {form.isAsking && <ConfirmDialog form={form} preview={preview} />}
        {isSetting && <SettingsDialog onClose={() => setSetting(false)} />}
      </Suspense>
    </form>
  );
}

/** L leverage, M margin mode; the calculator's C is the pair bar's, R belongs to the positions. */
function useContractKeys(isSignedIn: boolean): void {
  useHotkey("l", () => openDialog({ kind: "leverage" }), { isDisabled: !isSignedIn });
  useHotkey("m", () => openDialog({ kind: "leverage" }), { isDisabled: !isSignedIn });
}

const MODE_BUTTON =
  "t-button min-w-0 flex-auto justify-between px-2 disabled:opacity-60 @max-[240px]:px-1.5 after:content-['▾'] after:text-[9px] after:text-muted";

function ModeRow({
  own,
  isSignedIn,
  pair,
}: {
  readonly own: OwnFutures;
  readonly isSignedIn: boolean;
  readonly pair: ContractInfo;
}) {
  const text = useFuturesText();
  const { settings } = own;
  const leverage =
    settings === undefined
      ? String(Math.min(20, pair.maxLeverage))
      : settings.leverageLong === settings.leverageShort
        ? String(settings.leverageLong)
        : `${settings.leverageLong} / ${settings.leverageShort}`;
  const button = (label: ReactNode, onClick: () => void) => (
    <button type="button" className={MODE_BUTTON} disabled={!isSignedIn} aria-haspopup="dialog" onClick={onClick}>
      <span className="truncate">{label}</span>
    </button>
  );
  return (
    <div className="flex gap-2 @max-[240px]:gap-1">
      {button(text(settings?.mode ?? "cross"), () => openDialog({ kind: "leverage" }))}
      {button(text("times", { leverage }), () => openDialog({ kind: "leverage" }))}
      {button(
        settings?.positionMode === "hedge" ? (
          text("hedge")
        ) : (
          <>
            <span className="@max-[240px]:hidden">{text("oneWay")}</span>
            <span className="hidden @max-[240px]:inline">{text("oneWayShort")}</span>
          </>
        ),
        () => openDialog({ kind: "mode" }),
      )}
    </div>
  );
}

function IntentSwitch({ form }: { readonly form: FuturesFormModel }) {
  const text = useFuturesText();
  return (
    <Segmented
      label={text("form.intent")}
      wide
      value={form.state.intent}
      onChange={(id) => form.change({ intent: id === "close" ? "close" : "open", percent: undefined })}
      segments={[
        { id: "open", title: text("form.open") },
        { id: "close", title: text("form.close") },
      ]}
    />
  );
}

function Available({ form, isSignedIn }: { readonly form: FuturesFormModel; readonly isSignedIn: boolean }) {
  const text = useFuturesText();
  const { pair } = form.world;
  const amount = form.own.account?.available;
  const biz = useBiz();
  return (
    <div className="flex min-h-5 items-center justify-between gap-2">
      <span className="text-muted">{text("form.available")}</span>
      <span className="flex items-center gap-1 font-medium">
        <span className="figures" data-available={pair.settle}>
          {amount === undefined
            ? `– ${shownCoin(pair.settle)}`
            : `${writeCoin(amount, pair.settle)} ${shownCoin(pair.settle)}`}
        </span>
        {isSignedIn && biz !== "demo" && (
          <IconButton
            icon="swap"
            label={text("form.transfer")}
            size={24}
            iconSize={14}
            className="-mr-1.5"
            onPress={() => openDialog({ kind: "transfer" })}
          />
        )}
      </span>
    </div>
  );
}

function Options({ form }: { readonly form: FuturesFormModel }) {
  const text = useTradeText();
  const { words } = useProduct();
  const { state, world } = form;
  const options = optionsOf(state);
  // With the switch there is space; without it the choice is behind the boxes.
  const times = (
    <span className="ml-auto @max-[240px]:hidden">
      <TimeChoice form={form} times={options.timesInForce} />
    </span>
  );
  return (
    <>
      {options.exits && (
        <div className="flex flex-col gap-2">
          <div className="flex items-center justify-between gap-2">
            <Switch isSelected={state.exits} onChange={(exits) => form.change({ exits })}>
              {text("exits")}
            </Switch>
            {times}
          </div>
          {state.exits && <ExitRows form={form} />}
        </div>
      )}
      <div className="flex min-h-8 shrink-0 flex-wrap items-center gap-x-3 gap-y-1">
        {options.postOnly && (
          <Checkbox isSelected={state.postOnly} onChange={(postOnly) => form.change({ postOnly })}>
            {text("postOnly")}
          </Checkbox>
        )}
        {options.iceberg && (
          <Checkbox isSelected={state.iceberg} onChange={(iceberg) => form.change({ iceberg })}>
            {text("iceberg")}
          </Checkbox>
        )}
        {!world.isHedge && options.reduces && (
          <Checkbox
            isSelected={state.reduceOnly}
            onChange={(reduceOnly) => form.change({ reduceOnly, percent: undefined })}
          >
            {text("reduceOnly")}
          </Checkbox>
        )}
        {!options.exits && times}
      </div>
      {state.iceberg && <VisibleField form={form} unit={words.assetsOf(world.pair.pairCode).quantity} />}
      {state.timeInForce === "GTD" && <ExpiryField form={form} />}
    </>
  );
}

function SubmitButton({ form }: { readonly form: FuturesFormModel }) {
  const text = useTradeText();
  const words = useFuturesText();
  const biz = useBiz();
  const { words: names } = useProduct();
  const { state, world } = form;
  const quantity = quantityOf(state, world);
  const unit = names.assetsOf(world.pair.pairCode).quantity;
  const side = words(state.side === "buy" ? "buyLong" : "sellShort");
  const action =
    quantity === undefined || quantity.units === 0n
      ? side
      : `${side} ${writeShown(quantity, world.pair.quantityDecimals)} ${unit}`;
  return (
    <div className="@max-[240px]:hidden max-lg:hidden">
      <Button type="submit" kind={state.side} size={40} wide busy={form.isBusy}>
        {biz === "demo" ? words("demo.cta", { action }) : action}
        <span aria-hidden="true" className="max-md:hidden">
          <KeyCap onFill>{text("enter")}</KeyCap>
        </span>
      </Button>
    </div>
  );
}

function MaxLine({ form }: { readonly form: FuturesFormModel }) {
  const text = useFuturesText();
  const { words } = useProduct();
  const most = mostOf(form.state, form.world);
  const unit = words.assetsOf(form.world.pair.pairCode).quantity;
  return (
    <dl className="text-label @max-[240px]:hidden">
      <Line
        label={text("form.max")}
        value={most === undefined ? "–" : `${writeShown(most, form.world.pair.quantityDecimals)} ${unit}`}
      />
    </dl>
  );
}

/** What the buttons at a phone's edge say: the position before and after; and the line of what would be sent. */
function useFormNotes(form: FuturesFormModel, preview: FormPreview | undefined): void {
  const link = useTerminalLink();
  const { words } = useProduct();
  const { state, world } = form;
  const unit = words.assetsOf(world.pair.pairCode).quantity;
  const sizeOf = (held: { readonly lots: bigint } | undefined) =>
    preview === undefined ? "" : groupThousands(writeLots(preview.contract, held?.lots ?? 0n));
  const note = preview === undefined ? "" : `${sizeOf(preview.before)} → ${sizeOf(preview.effect.after)} ${unit}`;
  const quantity = quantityOf(state, world);
  const hasDraft = state.kind === "limit" && quantity !== undefined && quantity.units > 0n && state.texts.price !== "";
  const draftPrice = hasDraft ? writeTrimmed(readServed(state.texts.price)) : undefined;
  useEffect(() => {
    link.formNotes.set({
      buy: state.side === "buy" ? note : "",
      sell: state.side === "sell" ? note : "",
      draft: draftPrice === undefined ? null : { side: state.side, price: draftPrice },
    });
  }, [link, note, draftPrice, state.side]);
  useEffect(() => () => link.formNotes.set({ buy: "", sell: "", draft: null }), [link]);
}
