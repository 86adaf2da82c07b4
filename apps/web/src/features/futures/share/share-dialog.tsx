// A position as a picture to share: shows only what is switched on, and always that the market is simulated.
import type { ContractInfo } from "@clockwork/trading/markets/contract";
import { Button } from "@clockwork/ui/button";
import { Segmented } from "@clockwork/ui/segmented";
import { Switch } from "@clockwork/ui/switch";
import { useEffect, useRef, useState } from "react";
import { notify } from "#trade/order/notices.ts";
import { useProduct } from "#trade/product.ts";
import { useTerminalData } from "#trade/terminal-market.ts";
import { useTerminalText } from "#trade/terminal-text.ts";
import { useText } from "#words/text.ts";
import { useFuturesText } from "../model/futures-text.ts";
import { usePositionView } from "../model/use-act.ts";
import { Hint, PositionDialog } from "../parts/position-dialog.tsx";
import { CARD_LOOKS, type CardLook, cardLines, drawCard, FIRST_CHOICE, type ShareChoice } from "./share-card.ts";

interface ShareDialogProps {
  readonly positionId: string;
  readonly onClose: () => void;
}

export function ShareDialog({ positionId, onClose }: ShareDialogProps) {
  const text = useFuturesText();
  const terminal = useTerminalText();
  const site = useText();
  const { words } = useProduct();
  const { pair } = useTerminalData<ContractInfo>();
  const view = usePositionView(positionId);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [choice, setChoice] = useState<ShareChoice>(FIRST_CHOICE);
  const [look, setLook] = useState<CardLook>("dark");
  const position = view?.position;
  const lines =
    view === undefined
      ? undefined
      : cardLines(view.position, view.contract.rules, choice, {
          site: site("site.name"),
          pair: words.nameOf(view.position.pairCode),
          flag: pair.isSimulated ? terminal("simulated") : undefined,
          text,
        });
  const drawn = JSON.stringify(lines);
  // biome-ignore lint/correctness/useExhaustiveDependencies: redrawn when its content has changed
  useEffect(() => {
    if (canvas.current !== null && lines !== undefined) drawCard(canvas.current, lines, look);
  }, [drawn, look]);
  const save = () => {
    if (canvas.current === null) return;
    const anchor = document.createElement("a");
    anchor.href = canvas.current.toDataURL("image/png");
    anchor.download = "position.png";
    anchor.click();
  };
  const copy = () =>
    canvas.current?.toBlob((blob) => {
      const fail = () => notify({ title: text("share.notCopied"), tone: "danger" });
      if (blob === null || typeof ClipboardItem === "undefined") return fail();
      navigator.clipboard
        .write([new ClipboardItem({ "image/png": blob })])
        .then(() => notify({ title: text("share.copied") }), fail);
    });
  const flag = (name: "leverage" | "prices" | "size") => (
    <Switch isSelected={choice[name]} onChange={(isOn) => setChoice({ ...choice, [name]: isOn })}>
      {text(`share.${name}`)}
    </Switch>
  );
  return (
    <PositionDialog title={text("share.title")} position={position} onClose={onClose} size="broad">
      <div className="flex gap-4 max-md:flex-col">
        <canvas
          ref={canvas}
          width={1080}
          height={1350}
          role="img"
          aria-label={(lines ?? []).map((line) => line.text).join(", ")}
          className="w-[296px] shrink-0 rounded-card max-md:mx-auto max-md:max-h-[38dvh] max-md:w-auto"
        />
        <div className="flex flex-1 flex-col gap-3">
          <Segmented
            label={text("share.show")}
            wide
            value={choice.show}
            onChange={(id) => setChoice({ ...choice, show: id as ShareChoice["show"] })}
            segments={(["roe", "pnl", "both"] as const).map((id) => ({ id, title: text(`share.${id}`) }))}
          />
          {flag("leverage")}
          {flag("prices")}
          {flag("size")}
          <Segmented
            label={text("share.picture")}
            wide
            value={look}
            onChange={(id) => setLook(id as CardLook)}
            segments={CARD_LOOKS.map((id) => ({ id, title: text(`share.${id}`) }))}
          />
          {pair.isSimulated && <Hint>{text("share.flag")}</Hint>}
          <Button kind="primary" size={36} onPress={save}>
            {text("share.save")}
          </Button>
          <Button size={36} onPress={copy}>
            {text("share.copy")}
          </Button>
        </div>
      </div>
    </PositionDialog>
  );
}
