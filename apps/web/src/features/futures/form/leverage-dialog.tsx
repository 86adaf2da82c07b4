// Margin mode and leverage of the contract on the screen, with what they change for the position and the whole ladder.

import { groupThousands } from "@clockwork/kit/decimal";
import { capOfLeverage } from "@clockwork/kit/margin";
import type { FuturesBiz } from "@clockwork/trading/futures/contract";
import type { ContractInfo } from "@clockwork/trading/markets/contract";
import { type ContractSettings, POSITION_CALLS } from "@clockwork/trading/positions/contract";
import { Button, IconButton } from "@clockwork/ui/button";
import { Dialog } from "@clockwork/ui/dialog";
import { Segmented } from "@clockwork/ui/segmented";
import { Slider } from "@clockwork/ui/slider";
import { ErrorState } from "@clockwork/ui/state";
import { useState } from "react";
import type { Answer } from "#live/answer.ts";
import type { RequestClient } from "#live/request.ts";
import { Line } from "#trade/order/line.tsx";
import { notify } from "#trade/order/notices.ts";
import { useProduct } from "#trade/product.ts";
import { useTerminalData } from "#trade/terminal-market.ts";
import { type KnownContract, shownCoin, writeUnits } from "../model/contract.ts";
import { showLike, writeBps } from "../model/figures.ts";
import { useFuturesText } from "../model/futures-text.ts";
import { awayBps, type MarginMode, previewSettings, type SettingsChoice } from "../model/preview.ts";
import { type PositionView, useAct, usePositionView } from "../model/use-act.ts";
import {
  publishSettings,
  useBiz,
  useContractSettings,
  useKnownContracts,
  useLadder,
  usePositions,
} from "../model/use-own.ts";
import { LadderTable } from "../parts/ladder-table.tsx";
import { FactBox, Hint, Moved } from "../parts/position-dialog.tsx";
import { showLiquidation } from "./form-effect.tsx";

/** Mode first, then leverage: the second is judged by the state the first leaves. */
async function change(
  request: RequestClient,
  of: { readonly biz: FuturesBiz; readonly pairCode: string },
  before: ContractSettings | undefined,
  choice: SettingsChoice,
  side: SideChoice,
): Promise<Answer<ContractSettings>> {
  if (before?.mode !== choice.mode) {
    const answer = await request.call(
      POSITION_CALLS.setMarginMode,
      {
        ...of,
        mode: choice.mode,
      },
      { api: "futures" },
    );
    if (!answer.ok) return answer;
    publishSettings(answer.data);
  }
  return request.call(
    POSITION_CALLS.setLeverage,
    {
      ...of,
      leverage: choice.leverage,
      ...(side === "both" ? {} : { side }),
    },
    { api: "futures" },
  );
}

/** Of which side of a hedge the leverage is set. */
type SideChoice = "both" | "long" | "short";

export function LeverageDialog({ onClose }: { readonly onClose: () => void }) {
  const text = useFuturesText();
  const biz = useBiz();
  const { pair } = useTerminalData<ContractInfo>();
  const { words } = useProduct();
  const settings = useContractSettings(pair.pairCode);
  const { positions } = usePositions();
  const [chosen, setSide] = useState<SideChoice>("both");
  const isHedge = settings?.positionMode === "hedge";
  const side = isHedge ? chosen : "both";
  const position = positions.find((one) => one.pairCode === pair.pairCode && (side === "both" || one.side === side));
  const contract = useKnownContracts([pair.pairCode]).get(pair.pairCode);
  const act = useAct(onClose);
  const [mode, setMode] = useState<MarginMode>();
  const [typed, setTyped] = useState<number>();
  const set = side === "short" ? settings?.leverageShort : settings?.leverageLong;
  const now = set ?? Math.min(20, pair.maxLeverage);
  const choice: SettingsChoice = { mode: mode ?? settings?.mode ?? "cross", leverage: typed ?? now };
  const name = words.nameOf(pair.pairCode);
  const send = () =>
    act.run(
      (request) => change(request, { biz, pairCode: pair.pairCode }, settings, choice, side),
      (done) => {
        publishSettings(done);
        notify({
          title: text("leverage.done", {
            pair: name,
            leverage: choice.leverage,
            mode: text(choice.mode).toLowerCase(),
          }),
        });
      },
    );
  return (
    <Dialog
      title={`${text("leverage.title")} · ${name}`}
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      surface="terminal"
      size="medium"
      actions={
        <>
          <Button size={36} onPress={onClose}>
            {text("cancel")}
          </Button>
          <Button kind="primary" size={36} busy={act.isBusy} onPress={send}>
            {text("leverage.set", { leverage: choice.leverage, mode: text(choice.mode).toLowerCase() })}
          </Button>
        </>
      }
    >
      <Segmented
        label={text("leverage.title")}
        wide
        value={choice.mode}
        onChange={(id) => setMode(id === "isolated" ? "isolated" : "cross")}
        segments={[
          { id: "isolated", title: text("isolated") },
          { id: "cross", title: text("cross") },
        ]}
      />
      {isHedge && (
        <Segmented
          label={text("leverage.side")}
          wide
          value={side}
          onChange={(id) => {
            setSide(id as SideChoice);
            setTyped(undefined);
          }}
          segments={(["both", "long", "short"] as const).map((id) => ({
            id,
            title: text(id === "both" ? "leverage.both" : id),
          }))}
        />
      )}
      <LeveragePicker value={choice.leverage} max={pair.maxLeverage} onChange={setTyped} />
      {act.problem !== undefined && <Hint tone="danger">{act.problem}</Hint>}
      {position !== undefined && <Consequences positionId={position.positionId} choice={choice} />}
      <LadderPart contract={contract} pair={pair} leverage={choice.leverage} markQuantity={position?.value} />
      <Hint>{text("leverage.note")}</Hint>
    </Dialog>
  );
}

interface PickerProps {
  readonly value: number;
  readonly max: number;
  readonly onChange: (value: number) => void;
}

export function LeveragePicker({ value, max, onChange }: PickerProps) {
  const text = useFuturesText();
  const within = (next: number) => Math.max(1, Math.min(max, Math.trunc(next) || 1));
  const stops = [1, ...[0.2, 0.4, 0.6, 0.8, 1].map((share) => Math.round(max * share))].map((stop) => ({
    value: stop,
    label: `${stop}×`,
  }));
  return (
    <>
      <div className="flex gap-2">
        <IconButton icon="minus" label={text("leverage.less")} size={40} onPress={() => onChange(within(value - 1))} />
        <label className="field-box h-10 flex-1 justify-center gap-0.5 bg-surface px-3 focus-within:border-accent focus-within:ring-1 focus-within:ring-accent">
          <span className="sr-only">{text("leverage.label")}</span>
          <input
            inputMode="numeric"
            autoComplete="off"
            className="figures min-w-0 bg-transparent text-right font-semibold text-[16px] outline-none"
            // As wide as its digits, so that the sign is next to them.
            style={{ width: `${String(value).length + 0.25}ch` }}
            value={value}
            onChange={(event) => onChange(within(Number(event.target.value.replace(/\D/g, ""))))}
          />
          <span className="font-semibold text-[16px] text-muted">×</span>
        </label>
        <IconButton icon="plus" label={text("leverage.more")} size={40} onPress={() => onChange(within(value + 1))} />
      </div>
      <Slider
        label={text("leverage.label")}
        value={value}
        onChange={(next) => onChange(within(next))}
        min={1}
        max={max}
        stops={stops}
        describe={(next) => `${next}×`}
      />
    </>
  );
}

/** What another leverage or mode does to the position that is there. */
function Consequences({ positionId, choice }: { readonly positionId: string; readonly choice: SettingsChoice }) {
  const view = usePositionView(positionId);
  return view === undefined ? null : <ConsequenceBox view={view} choice={choice} />;
}

function ConsequenceBox({ view, choice }: { readonly view: PositionView; readonly choice: SettingsChoice }) {
  const text = useFuturesText();
  const { contract, held, position, account, markTicks } = view;
  const effect = previewSettings(contract, held, position, choice, account, markTicks);
  const { freed, liquidation } = effect;
  const none = text("form.none");
  const settle = shownCoin(contract.rules.settle);
  const amount = (units: bigint) => groupThousands(writeUnits(contract, units, "ceil"));
  return (
    <FactBox
      foot={
        account !== undefined &&
        freed < 0n &&
        account.available < -freed && (
          <Hint tone="danger">
            {text("leverage.short", { amount: `${amount(-freed - account.available)} ${settle}` })}
          </Hint>
        )
      }
    >
      <Line
        label={text("leverage.initial")}
        value={<Moved before={amount(effect.initialBefore)} after={`${amount(effect.initialAfter)} ${settle}`} />}
      />
      {freed !== 0n && (
        <Line
          label={text(freed > 0n ? "leverage.freed" : "leverage.needed")}
          value={`${freed > 0n ? "+" : "−"}${amount(freed > 0n ? freed : -freed)} ${settle}`}
        />
      )}
      <Line
        label={text("form.liquidation")}
        value={
          <Moved
            before={position.liquidationPrice === null ? none : showLike(position.liquidationPrice, position.markPrice)}
            after={showLiquidation(contract, liquidation, none)}
          />
        }
      />
      {liquidation !== undefined && liquidation !== null && (
        <Line label={text("leverage.distance")} value={writeBps(awayBps(liquidation, markTicks))} />
      )}
    </FactBox>
  );
}

interface LadderPartProps {
  readonly contract: KnownContract | undefined;
  readonly pair: ContractInfo;
  readonly leverage: number;
  readonly markQuantity: string | undefined;
}

function LadderPart({ contract, pair, leverage, markQuantity }: LadderPartProps) {
  const text = useFuturesText();
  const { ladder, isFailing, retry } = useLadder(pair.pairCode);
  const { positions } = usePositions();
  const position = positions.find(({ pairCode }) => pairCode === pair.pairCode);
  if (isFailing) {
    return (
      <ErrorState title={text("leverage.failed")} detail={text("leverage.failedNote", { leverage })} onRetry={retry} />
    );
  }
  if (ladder === undefined || contract === undefined) return null;
  const cap = capOfLeverage(contract.tiers, leverage);
  return (
    <section className="flex flex-col gap-1">
      <div className="flex items-baseline justify-between text-label">
        <h3 className="font-semibold">{text("leverage.ladder")}</h3>
        <span className="figures text-muted">
          {text("leverage.cap", { leverage })}{" "}
          <span className="font-semibold text-text">
            {groupThousands(writeUnits(contract, cap).replace(/\.0+$/, ""))} {shownCoin(pair.settle)}
          </span>
        </span>
      </div>
      <LadderTable
        ladder={ladder}
        asset={shownCoin(pair.settle)}
        leverage={leverage}
        yours={markQuantity === undefined ? undefined : position?.tier}
      />
    </section>
  );
}
