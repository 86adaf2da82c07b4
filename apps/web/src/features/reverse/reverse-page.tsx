// The campaign page that teaches reversing a futures position: a story about tomatoes, the steps, the calculator, and
// what can go wrong.
import { formatDecimal, formatPercent } from "@clockwork/kit/format";
import { buttonClass } from "@clockwork/ui/logic/button-style";
import { SiteLink } from "#boot/site-link.tsx";
import { leadsSomewhere } from "#boot/written-paths.ts";
import { PageHead } from "#shell/page-head.tsx";
import type { ReverseTerms } from "./reverse-model.ts";
import { useReverseText } from "./reverse-text.ts";
import { sightPart } from "./sight-part.tsx";
import { TomatoDrawing } from "./tomato-drawing.tsx";

// Fields and sliders are drawn by the server and woken when they come near.
const ReverseCalculator = sightPart(async () => (await import("./reverse-calculator.tsx")).ReverseCalculator);

export interface ReversePageProps {
  /** The market's last price of BTC, or a round figure where there is no market. */
  readonly last: string;
  readonly isLive: boolean;
  /** The listed contract's own; null where none is. */
  readonly terms: ReverseTerms | null;
}

const STEPS = ["close", "open", "margin", "price"] as const;
const CARES = ["fees", "gap", "habit"] as const;

export function ReversePage({ last, isLive, terms }: ReversePageProps) {
  const text = useReverseText();
  return (
    <main id="content" className="flex-1">
      <PageHead title={text("reverse.title")} description={text("reverse.lead")} />
      <div className="border-line border-b bg-surface">
        <div className="container-read grid items-center gap-10 py-12 lg:grid-cols-[1fr_420px] lg:py-16">
          <div>
            <h1 className="text-hero-mobile sm:text-hero">{text("reverse.headline")}</h1>
            <p className="mt-6 max-w-[520px] text-muted text-read">{text("reverse.lead")}</p>
            <div className="mt-8 flex flex-wrap gap-3">
              <a href="#calculator" className={buttonClass({ kind: "primary", size: 48 })}>
                {text("reverse.toCalculator")}
              </a>
              {leadsSomewhere("/futures") && (
                <SiteLink to="/futures" className={buttonClass({ size: 48 })}>
                  {text("reverse.toFutures")}
                </SiteLink>
              )}
            </div>
          </div>
          <TomatoDrawing />
        </div>
      </div>
      <div className="container-read grid gap-14 py-14 *:min-w-0">
        <Story />
        <div>
          <ReverseCalculator last={last} terms={terms} />
          <p className="mt-3 text-label text-muted">{text(isLive ? "reverse.live" : "reverse.notLive")}</p>
        </div>
        {terms !== null && <Ladder terms={terms} />}
        <Cares />
      </div>
    </main>
  );
}

/** The larger the position, the less it may be levered: as the core has it now. */
function Ladder({ terms }: { readonly terms: ReverseTerms }) {
  const text = useReverseText();
  return (
    <section aria-labelledby="ladder">
      <h2 id="ladder" className="text-section">
        {text("reverse.ladder")}
      </h2>
      <p className="mt-2 text-muted">
        {text("reverse.ladder.note", { rate: formatPercent(terms.takerRate, { decimals: 6, trimZeros: true }) })}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <div className="mt-4 overflow-x-auto" tabIndex={0}>
        <table className="w-full min-w-[480px] text-ui tabular-nums">
          <thead className="text-muted">
            <tr className="*:h-9 *:text-right *:font-normal [&>*:first-child]:text-left">
              <th scope="col">{text("reverse.ladder.upTo")}</th>
              <th scope="col">{text("reverse.leverage")}</th>
              <th scope="col">{text("reverse.ladder.maintenance")}</th>
            </tr>
          </thead>
          <tbody>
            {terms.ladder.map((step) => (
              <tr key={step.tier} className="border-line border-t *:h-9 *:text-right [&>*:first-child]:text-left">
                <td>{formatDecimal(step.maxNotional, { decimals: 0, grouped: true })} USDT</td>
                <td>{step.maxLeverage}×</td>
                <td>{formatPercent(step.maintenanceRate, { decimals: 2 })}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Story() {
  const text = useReverseText();
  return (
    <section aria-labelledby="story">
      <h2 id="story" className="text-section">
        {text("reverse.story")}
      </h2>
      <p className="mt-4 max-w-[680px] text-read">{text("reverse.story.text")}</p>
      <ol className="mt-8 grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
        {STEPS.map((step, at) => (
          <li key={step} className="rounded-panel border border-line p-5">
            <span aria-hidden="true" className="figures text-label text-muted">
              {at + 1}
            </span>
            <h3 className="mt-1 font-semibold text-[15px] leading-6">{text(`reverse.step.${step}`)}</h3>
            <p className="mt-1 text-[13px] text-muted leading-5">{text(`reverse.step.${step}.note`)}</p>
          </li>
        ))}
      </ol>
    </section>
  );
}

function Cares() {
  const text = useReverseText();
  return (
    <section aria-labelledby="care">
      <h2 id="care" className="text-section">
        {text("reverse.care")}
      </h2>
      <ul className="mt-6 grid gap-8 md:grid-cols-3">
        {CARES.map((care) => (
          <li key={care}>
            <h3 className="font-semibold">{text(`reverse.care.${care}`)}</h3>
            <p className="mt-1 text-muted">{text(`reverse.care.${care}.note`)}</p>
          </li>
        ))}
      </ul>
      <p className="mt-8 text-[13px] text-muted">
        {text("reverse.risk")}{" "}
        <SiteLink to="/risk-disclosure" className="underline underline-offset-2">
          {text("reverse.riskLink")}
        </SiteLink>
      </p>
    </section>
  );
}
