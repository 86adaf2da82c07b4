// The alerts of the pair on the screen: a price to set one at, those that wait, and the latest that were met.

import { formatDecimal } from "@clockwork/kit/format";
import { formatMinute } from "@clockwork/kit/time";
import { readTimezone } from "@clockwork/kit/timezone";
import { ALERT_CALLS, type Alert, type AlertBody, type AlertList } from "@clockwork/trading/alerts/contract";
import { Button, IconButton } from "@clockwork/ui/button";
import { Checkbox } from "@clockwork/ui/checkbox";
import { Dialog } from "@clockwork/ui/dialog";
import { PriceField } from "@clockwork/ui/price-field";
import { Segmented } from "@clockwork/ui/segmented";
import { useCallback, useEffect, useRef, useState } from "react";
import { useGlobal } from "#boot/state.ts";
import type { Failed } from "#live/answer.ts";
import { useCalls } from "#session/auth-context.ts";
import { useLinkedPart, useTerminalLink } from "#trade/terminal-link.ts";
import { type TerminalText, useTerminalText } from "#trade/terminal-text.ts";
import { describeAlert, proposePrice, SHIFTS } from "./alert-model.ts";
import { IndicatorForm } from "./indicator-form.tsx";

export interface AlertDialogProps {
  /** Triggered while the dialog is open: the lists are requested again. */
  readonly met: Alert | undefined;
  readonly onClose: () => void;
}

function describeProblem(text: TerminalText, failed: Failed): string {
  if (failed.err.kind !== "refused" || failed.message === "") return text("alertFailed");
  return failed.message;
}

export function AlertDialog({ met, onClose }: AlertDialogProps) {
  const text = useTerminalText();
  const link = useTerminalLink();
  const last = useLinkedPart(link.market, (market) => market.last);
  const { pair } = link.market.get();
  const { list, problem, isBusy, add, remove, clear } = useAlerts(pair.pairCode, met);
  const [price, setPrice] = useState("");
  const [shift, setShift] = useState<number>();
  const [repeats, setRepeats] = useState(false);
  const [isByPrice, setByPrice] = useState(true);
  const choose = (next: string, percent?: number) => {
    setPrice(next);
    setShift(percent);
    clear();
  };
  const body = useRef<HTMLDivElement>(null);
  /** A button that is idle or gone cannot keep the focus: the first field has it again, and Escape still closes. */
  const keepFocus = () => body.current?.querySelector<HTMLInputElement>("form:not(.hidden) input")?.focus();
  const done = (isDone: boolean) => {
    if (isDone) setPrice("");
    keepFocus();
  };
  const shownLast = last === null ? "–" : formatDecimal(last, { decimals: pair.priceDecimals, grouped: true });
  return (
    <Dialog title={text("alertTitle")} isOpen onOpenChange={(isOpen) => !isOpen && onClose()} surface="terminal">
      <div ref={body} className="contents">
        <Segmented
          label={text("alertKind")}
          wide
          segments={[
            { id: "price", title: text("alertByPrice") },
            { id: "indicator", title: text("alertByIndicator") },
          ]}
          value={isByPrice ? "price" : "indicator"}
          onChange={(id) => setByPrice(id === "price")}
        />
        {!isByPrice && (
          <IndicatorForm isBusy={isBusy} problem={problem} onAdd={(choice) => void add(choice).then(keepFocus)} />
        )}
        <form
          className={isByPrice ? "flex flex-col gap-3" : "hidden"}
          onSubmit={(event) => {
            event.preventDefault();
            const isAgain = repeats && shift !== undefined;
            if (price !== "" && !isBusy) void add(isAgain ? { percent: String(shift), repeats } : { price }).then(done);
          }}
        >
          <p className="text-label text-muted">
            {text("alertNote", { pair: `${pair.base}/${pair.quote}`, last: shownLast })}
          </p>
          <PriceField
            label={text("priceShort")}
            name="alertPrice"
            step={pair.tickSize}
            value={price}
            onChange={(next) => choose(next)}
            unit={pair.quote}
            error={problem}
            autoFocus
          />
          {last !== null && (
            <div className="flex gap-2 *:flex-1">
              {SHIFTS.map((one) => (
                <Button key={one} size={28} onPress={() => choose(proposePrice(pair, last, one), one)}>
                  {one > 0 ? `+${one}%` : `−${-one}%`}
                </Button>
              ))}
            </div>
          )}
          {shift !== undefined && (
            <Checkbox isSelected={repeats} onChange={setRepeats}>
              {text("alertRepeats", { percent: shift > 0 ? `+${shift}` : `−${-shift}` })}
            </Checkbox>
          )}
          <Button type="submit" kind="primary" size={40} wide busy={isBusy} isDisabled={price === ""}>
            {text("alertSet")}
          </Button>
        </form>
        <Lists list={list} onRemove={(id) => void remove(id).then(keepFocus)} />
      </div>
    </Dialog>
  );
}

function Lists({ list, onRemove }: { readonly list: AlertList | undefined; readonly onRemove: (id: number) => void }) {
  const text = useTerminalText();
  const zone = readTimezone(useGlobal((state) => state.timezone));
  if (list === undefined) return null;
  return (
    <section aria-label={text("alertsWaiting")} className="flex flex-col gap-1 text-label">
      {list.waiting.length === 0 && <p className="text-muted">{text("alertsNone")}</p>}
      <ul className="flex max-h-[200px] flex-col overflow-y-auto">
        {list.waiting.map((alert) => (
          <li key={alert.id} className="flex h-8 items-center justify-between gap-2">
            <span className="figures">{describeAlert(text, alert)}</span>
            <IconButton icon="close" label={text("alertRemove")} size={28} onPress={() => onRemove(alert.id)} />
          </li>
        ))}
        {list.fired.map((alert) => (
          <li key={alert.id} className="figures flex h-8 items-center justify-between gap-2 text-muted">
            <span>{describeAlert(text, alert)}</span>
            <time>{formatMinute(alert.firedAtMs ?? alert.createdAtMs, zone)}</time>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** At a price, or so far from the last and again from there, or by an indicator. */
type AlertChoice = Omit<AlertBody, "pairCode">;

/** The server's lists, requested again after every change. */
function useAlerts(pairCode: string, met: Alert | undefined) {
  const text = useTerminalText();
  const calls = useCalls();
  const [list, setList] = useState<AlertList>();
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const load = useCallback(async () => {
    const answer = await (await calls()).call(ALERT_CALLS.list, { pairCode });
    if (answer.ok) setList(answer.data);
    else setProblem(text("alertFailed"));
  }, [calls, pairCode, text]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: an alert that was met moves from one list to the other
  useEffect(() => void load(), [load, met]);
  const change = async (act: () => Promise<{ readonly ok: true } | Failed>): Promise<boolean> => {
    setBusy(true);
    setProblem(undefined);
    const answer = await act();
    setBusy(false);
    if (!answer.ok) setProblem(describeProblem(text, answer));
    await load();
    return answer.ok;
  };
  return {
    list,
    problem,
    isBusy,
    clear: () => setProblem(undefined),
    add: (choice: AlertChoice) => change(async () => (await calls()).call(ALERT_CALLS.add, { pairCode, ...choice })),
    remove: (id: number) => change(async () => (await calls()).call(ALERT_CALLS.remove, { id }, { isForm: true })),
  };
}
