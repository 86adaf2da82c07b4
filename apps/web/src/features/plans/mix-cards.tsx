// Ready mixes of recurring buys on the overview, each with its past result, and the link to custom ones.
import { PLAN_CALLS, type PreviewBody } from "@clockwork/earning/plans/contract";
import { formatPercent } from "@clockwork/kit/format";
import { CoinGlyph } from "@clockwork/ui/coin-glyph";
import { Icon } from "@clockwork/ui/icon";
import { buttonClass } from "@clockwork/ui/logic/button-style";
import { type ReactNode, useEffect, useState } from "react";
import { SiteLink } from "#boot/site-link.tsx";
import { useCalls } from "#session/auth-context.ts";
import { useEarnText } from "#words/earn-text.ts";
import { gainOf, MIXES, type Mix, mixPath } from "./mix-model.ts";

/** Weekly, so that it is the editor's initial rhythm. */
const RHYTHM: Omit<PreviewBody, "coins"> = {
  amount: "100",
  rhythm: "week",
  minuteOfDay: 480,
  weekday: 1,
  monthDay: 1,
};

export function MixCards() {
  const text = useEarnText();
  return (
    <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
      {MIXES.map((mix) => (
        <MixCard key={mix.id} mix={mix} />
      ))}
      <Frame
        title={text("mix.own")}
        lead={text("mix.ownLead")}
        mark={<Icon name="plus" className="text-muted" />}
        label={text("mix.ownLeast")}
        value={text("mix.rhythms")}
        to="/earn/recurring"
        action={text("mix.build")}
      />
    </ul>
  );
}

function MixCard({ mix }: { readonly mix: Mix }) {
  const text = useEarnText();
  const gain = useGain(mix);
  const name = text(`mix.${mix.id}`);
  return (
    <Frame
      title={name}
      lead={mix.coins.map(({ weight }) => weight).join(" / ")}
      mark={
        <span className="flex pl-1.5">
          <span className="sr-only">{mix.coins.map(({ asset }) => asset).join(", ")}</span>
          {mix.coins.map(({ asset }) => (
            <span key={asset} className="-ml-1.5 rounded-full ring-2 ring-bg">
              <CoinGlyph code={asset} size={20} />
            </span>
          ))}
        </span>
      }
      label={text("mix.past")}
      value={
        gain === undefined ? (
          "–"
        ) : (
          <span className={gain.startsWith("-") ? "text-down" : "text-up"}>
            {`${gain.startsWith("-") ? "" : "+"}${formatPercent(gain)}`}
          </span>
        )
      }
      to={mixPath(mix, name)}
      action={text("mix.start")}
    />
  );
}

function Frame(props: {
  readonly title: string;
  readonly lead: string;
  readonly mark: ReactNode;
  readonly label: string;
  readonly value: ReactNode;
  readonly to: string;
  readonly action: string;
}) {
  return (
    <li className="flex min-h-32 flex-col rounded-xl border border-line p-4">
      <div className="flex items-center justify-between gap-2">
        <h3 className="min-w-0 truncate font-medium text-ui">{props.title}</h3>
        {props.mark}
      </div>
      <p className="figures text-label text-muted">{props.lead}</p>
      <div className="mt-auto flex items-end justify-between gap-2 pt-3">
        <p className="min-w-0 text-label text-muted">
          {props.label}
          <span className="figures block text-text text-ui">{props.value}</span>
        </p>
        <SiteLink
          to={props.to}
          aria-label={`${props.action}: ${props.title}`}
          className={buttonClass({ kind: "neutral", size: 32 })}
        >
          {props.action}
        </SiteLink>
      </div>
    </li>
  );
}

/** Undefined until it is loaded, and where there is no past. */
function useGain(mix: Mix): string | undefined {
  const calls = useCalls();
  const [gain, setGain] = useState<string>();
  useEffect(() => {
    let isOver = false;
    const ask = async (): Promise<void> => {
      const body: PreviewBody = { ...RHYTHM, coins: [...mix.coins] };
      const answer = await (await calls()).call(PLAN_CALLS.preview, body);
      if (!isOver && answer.ok) setGain(gainOf(answer.data));
    };
    void ask();
    return () => {
      isOver = true;
    };
  }, [mix, calls]);
  return gain;
}
