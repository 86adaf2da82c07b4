// The states of an order between users for the help page, from the table the exchange itself uses. Nothing is typed in.
import { OTC_RULES } from "@clockwork/kit/otc/order-machine";
import { useOtcText } from "./otc-text.ts";

const HEAD = "border-line border-b py-2 pr-3 text-left font-normal text-label text-muted last:pr-0";
const CELL = "border-line border-b py-2.5 pr-3 align-top last:pr-0";

export function RulesTable() {
  const text = useOtcText();
  return (
    <section aria-labelledby="otc-states" className="mt-10">
      <h2 id="otc-states" className="scroll-mt-24 font-semibold text-[20px] leading-7 tracking-[-0.015em]">
        {text("rules.title")}
      </h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <div className="mt-4 overflow-x-auto" tabIndex={0}>
        <table className="w-full min-w-[560px] text-[13px]">
          <thead>
            <tr>
              {(["state", "by", "action", "next", "coins"] as const).map((name) => (
                <th key={name} scope="col" className={HEAD}>
                  {text(`rules.${name}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {OTC_RULES.map(({ from, by, action, to, escrow }) => (
              <tr key={`${from}${by}${action}`}>
                <td className={`${CELL} font-medium`}>{text(`order.state.${from}`)}</td>
                <td className={CELL}>{text(`rules.by.${by}`)}</td>
                <td className={CELL}>{text(`log.${action}`)}</td>
                <td className={CELL}>{text(`order.state.${to}`)}</td>
                <td className={CELL}>{text(`rules.escrow.${escrow}`)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
