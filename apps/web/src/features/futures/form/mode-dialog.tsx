// One-way or hedge, merged or split: for the whole account, and only while nothing is open.

import type { FuturesBiz } from "@clockwork/trading/futures/contract";
import type { ContractInfo } from "@clockwork/trading/markets/contract";
import { type ModeResult, POSITION_CALLS } from "@clockwork/trading/positions/contract";
import { Button } from "@clockwork/ui/button";
import { Dialog } from "@clockwork/ui/dialog";
import { RadioGroup } from "@clockwork/ui/radio";
import { Segmented } from "@clockwork/ui/segmented";
import { useState } from "react";
import type { Answer } from "#live/answer.ts";
import { useChannel } from "#live/react.ts";
import type { RequestClient } from "#live/request.ts";
import { notify } from "#trade/order/notices.ts";
import { useTerminalData } from "#trade/terminal-market.ts";
import { useFuturesText } from "../model/futures-text.ts";
import { useAct } from "../model/use-act.ts";
import { publishSettings, useBiz, useContractSettings, useFuturesFeeds, usePositions } from "../model/use-own.ts";
import { Hint } from "../parts/position-dialog.tsx";

async function change(
  request: RequestClient,
  of: { readonly biz: FuturesBiz; readonly coin?: string },
  before: ModeResult,
  choice: ModeResult,
): Promise<Answer<ModeResult>> {
  if (before.positionMode !== choice.positionMode) {
    const body = { ...of, mode: choice.positionMode };
    const answer = await request.call(POSITION_CALLS.setMode, body, { api: "futures" });
    if (!answer.ok || answer.data.layout === choice.layout) return answer;
  }
  return request.call(POSITION_CALLS.setLayout, { ...of, layout: choice.layout }, { api: "futures" });
}

export function ModeDialog({ onClose }: { readonly onClose: () => void }) {
  const text = useFuturesText();
  const biz = useBiz();
  const { pair } = useTerminalData<ContractInfo>();
  const settings = useContractSettings(pair.pairCode);
  const { positions } = usePositions();
  const orders = useChannel(useFuturesFeeds().orders).value.open;
  const act = useAct(onClose);
  const before: ModeResult = { positionMode: settings?.positionMode ?? "one-way", layout: settings?.layout ?? "merge" };
  const [choice, setChoice] = useState<Partial<ModeResult>>({});
  const positionMode = choice.positionMode ?? before.positionMode;
  // One-way mode always merges.
  const layout = positionMode === "one-way" ? "merge" : (choice.layout ?? before.layout);
  const isSame = positionMode === before.positionMode && layout === before.layout;
  const isBlocked = positions.length > 0 || orders.length > 0;
  const send = () =>
    act.run(
      (request) =>
        change(request, { biz, ...(biz === "delivery" ? { coin: pair.settle } : {}) }, before, {
          positionMode,
          layout,
        }),
      (done) => {
        if (settings !== undefined) publishSettings({ ...settings, ...done });
        notify({
          title: text("mode.done", {
            mode: text(done.positionMode === "hedge" ? "hedge" : "oneWay").toLowerCase(),
            layout: text(done.layout).toLowerCase(),
          }),
        });
      },
    );
  return (
    <Dialog
      title={text("mode.title")}
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      surface="terminal"
      actions={
        <>
          <Button size={36} onPress={onClose}>
            {text("cancel")}
          </Button>
          <Button kind="primary" size={36} busy={act.isBusy} isDisabled={isBlocked || isSame} onPress={send}>
            {text("mode.switch")}
          </Button>
        </>
      }
    >
      <RadioGroup
        label={text("mode.title")}
        labelHidden
        value={positionMode}
        onChange={(id) => setChoice({ ...choice, positionMode: id === "hedge" ? "hedge" : "one-way" })}
        options={[
          { value: "one-way", title: text("oneWay"), note: text("mode.oneWay") },
          { value: "hedge", title: text("hedge"), note: text("mode.hedge") },
        ]}
      />
      {positionMode === "hedge" && (
        <div className="flex items-center justify-between">
          <span>{text("mode.layout")}</span>
          <Segmented
            label={text("mode.layout")}
            value={layout}
            onChange={(id) => setChoice({ ...choice, layout: id === "split" ? "split" : "merge" })}
            segments={[
              { id: "merge", title: text("merge") },
              { id: "split", title: text("split") },
            ]}
          />
        </div>
      )}
      {isBlocked && (
        <Hint tone="warn">{text("mode.blocked", { positions: positions.length, orders: orders.length })}</Hint>
      )}
      {act.problem !== undefined && <Hint tone="danger">{act.problem}</Hint>}
    </Dialog>
  );
}
