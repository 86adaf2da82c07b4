// Level changes, and the amounts traded, held and paid day by day. Requested when it is opened.
import { VIP_CALLS, type VipHistory } from "@clockwork/growth/vip/contract";
import { formatDecimal } from "@clockwork/kit/format";
import { useCallback, useEffect, useState } from "react";
import { useCalls } from "#session/auth-context.ts";
import { FailedLine } from "#session/failed-line.tsx";
import { Minute } from "#shell/moment.tsx";
import { SecurityModal } from "#shell/proof/security-modal.tsx";
import { formatShortDay } from "#words/day-text.ts";
import { useProgrammeText } from "#words/programme-text.ts";

const money = (amount: string): string => formatDecimal(amount, { grouped: true });

export function HistoryDialog({ onClose }: { readonly onClose: () => void }) {
  const text = useProgrammeText();
  const calls = useCalls();
  const [history, setHistory] = useState<VipHistory | null>();
  const ask = useCallback(async () => {
    const answer = await (await calls()).call(VIP_CALLS.history, {});
    setHistory(answer.ok ? answer.data : null);
  }, [calls]);
  useEffect(() => void ask(), [ask]);
  return (
    <SecurityModal title={text("vip.history")} onClose={onClose}>
      {history === null && <FailedLine onAgain={ask} />}
      {history?.changes.length === 0 && <p className="mb-4 text-muted text-ui">{text("vip.history.none")}</p>}
      <ul className="mb-4 divide-y divide-line text-ui">
        {history?.changes.map(({ atMs, fromLevel, toLevel, cause }) => (
          <li key={`${atMs}:${fromLevel}:${toLevel}`} className="py-2">
            <p className="flex justify-between gap-4">
              <span className="font-medium">{text("vip.history.change", { from: fromLevel, to: toLevel })}</span>
              <span className="figures text-label text-muted">
                <Minute at={atMs} />
              </span>
            </p>
            <p className="text-label text-muted">{text(`vip.cause.${cause}`)}</p>
          </li>
        ))}
      </ul>
      {history !== undefined && history !== null && history.days.length > 0 && <Days days={history.days} />}
    </SecurityModal>
  );
}

function Days({ days }: { readonly days: VipHistory["days"] }) {
  const text = useProgrammeText();
  const head = [text("vip.column.spot"), text("vip.column.futures"), text("vip.day.assets"), text("vip.day.fee")];
  return (
    <section>
      <h3 className="mb-1 font-semibold text-ui">{text("vip.days")}</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling areas are reached by keyboard */}
      <section className="max-h-72 overflow-auto" tabIndex={0} aria-label={text("vip.days")}>
        <table className="w-full text-[13px]">
          <thead>
            <tr className="text-label text-muted">
              <th scope="col" className="py-1 text-left font-normal">
                {text("vip.day")}
              </th>
              {head.map((name) => (
                <th key={name} scope="col" className="py-1 pl-3 text-right font-normal">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {days.map((day) => (
              <tr key={day.dayMs} className="figures border-line border-t">
                <th scope="row" className="whitespace-nowrap py-1.5 text-left font-normal">
                  {formatShortDay(day.dayMs)}
                </th>
                {[day.spotUsdt, day.futuresUsdt, day.assetsUsdt, day.feeUsdt].map((amount, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place
                  <td key={at} className="py-1.5 pl-3 text-right">
                    {money(amount)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </section>
  );
}
