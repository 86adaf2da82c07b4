// What the settings of a follow lead to, and the three steps a phone shows of the dialog.
import type { LeaderSummary } from "@clockwork/strategies/copy/contract";
import type { ReactNode } from "react";
import { gain, money, percent, toneOf } from "./copy-figures.ts";
import { useCopyText } from "./copy-text.ts";
import { exampleWeek, type FollowDraft, worstLoss } from "./follow-form.ts";

/** On a phone one of three steps at a time; wider, all of them side by side. */
export const onlyAt = (step: number, own: number): string => (step === own ? "" : "max-md:hidden");

export function Steps({ step }: { readonly step: number }) {
  const text = useCopyText();
  return (
    <div className="mb-4 md:hidden">
      <p role="status" className="mb-2 text-[13px] text-muted">
        {text("follow.step", { step })}
      </p>
      <div aria-hidden="true" className="flex gap-1.5">
        {[1, 2, 3].map((one) => (
          <span key={one} className={`h-1 flex-1 rounded-full ${one <= step ? "bg-accent" : "bg-line2"}`} />
        ))}
      </div>
    </div>
  );
}

interface ConsequencesProps {
  readonly leader: Pick<LeaderSummary, "nickname" | "shareRate">;
  readonly draft: FollowDraft;
}

export function Consequences({ leader, draft }: ConsequencesProps) {
  const text = useCopyText();
  const amount = money(draft.investment);
  return (
    <>
      <Box title={text("follow.what")}>
        <ol className="list-decimal space-y-1 pl-4 text-[13px] text-muted">
          <li>{text("follow.what1", { amount, name: leader.nickname })}</li>
          <li>{text("follow.what2")}</li>
          <li>{text("follow.what3", { slippage: draft.slippage })}</li>
          <li>{text("follow.what4")}</li>
        </ol>
      </Box>
      <Box title={text("follow.shareTitle", { share: percent(leader.shareRate, 0) })}>
        <table className="w-full text-[13px]">
          <thead>
            <tr className="text-left text-muted">
              <th className="font-normal">{text("follow.week")}</th>
              <th className="text-right font-normal">{text("realised")}</th>
              <th className="text-right font-normal">{text("follow.heldColumn")}</th>
            </tr>
          </thead>
          <tbody className="figures">
            {exampleWeek(leader.shareRate).map(({ change, realised, held }) => (
              <tr key={change} className="border-line border-t">
                <td className={`py-1 ${toneOf(String(change))}`}>{gain(String(change), 0)}</td>
                <td className="text-right">{gain(String(realised), 0)}</td>
                <td className="text-right font-medium">{held}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <p className="mt-2 text-[13px] text-muted">{text("follow.shareNote")}</p>
      </Box>
      <Box title={text("follow.worst")}>
        <p className="figures font-semibold">{gain(worstLoss(draft))} USDT</p>
        <p className="mt-1 text-[13px] text-muted">{text("follow.worstNote")}</p>
      </Box>
    </>
  );
}

function Box({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="rounded-control border border-line bg-panel p-3.5">
      <h3 className="mb-2 font-semibold text-ui">{title}</h3>
      {children}
    </section>
  );
}
