// The exits of a whole position as they are typed and sent. One call replaces all existing ones, so all of them are in
// it.
import type { PositionStop } from "@clockwork/trading/positions/contract";

export type StopSource = "mark" | "last";

/** A trailing stop replaces the stop loss. */
export interface WholeDraft {
  readonly profit: string;
  readonly exit: "loss" | "trailing";
  readonly loss: string;
  readonly trailPercent: string;
  readonly activation: string;
  readonly source: StopSource;
}

/** The least and the largest callback the exchange takes, in 1e-4. */
const TRAIL_BPS = [10, 1_000] as const;

export function readWhole(stops: readonly PositionStop[]): WholeDraft {
  const find = (kind: PositionStop["kind"]) => stops.find((stop) => stop.isWhole && stop.kind === kind);
  const [profit, loss, trailing] = [find("profit"), find("loss"), find("trailing")];
  const first = loss ?? trailing ?? profit;
  return {
    profit: profit?.triggerPrice ?? "",
    exit: trailing === undefined ? "loss" : "trailing",
    loss: loss?.triggerPrice ?? "",
    trailPercent: trailing?.trailBps ? String(trailing.trailBps / 100) : "",
    activation: trailing?.triggerPrice ?? "",
    source: first?.triggerSource === "last" ? "last" : "mark",
  };
}

/** In 1e-4; nothing while none is typed, NaN where the exchange would refuse it. */
export function readTrail(percent: string): number | undefined {
  if (percent === "") return undefined;
  const bps = Math.round(Number(percent) * 100);
  return bps >= TRAIL_BPS[0] && bps <= TRAIL_BPS[1] ? bps : Number.NaN;
}

/** What is sent: empty when all of them are to end. */
export function writeWhole(draft: WholeDraft): Record<string, unknown> {
  const { profit, exit, loss, activation, source } = draft;
  const trailBps = exit === "trailing" ? readTrail(draft.trailPercent) : undefined;
  const exits = {
    ...(profit === "" ? {} : { profit: { triggerPrice: profit } }),
    ...(exit === "loss" && loss !== "" ? { loss: { triggerPrice: loss } } : {}),
    ...(trailBps === undefined ? {} : { trailing: { trailBps, ...(activation === "" ? {} : { activation }) } }),
  };
  return Object.keys(exits).length === 0 ? {} : { ...exits, source };
}
