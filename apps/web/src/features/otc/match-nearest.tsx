// No ad takes what was asked for: where the nearest one begins and ends, and a press that changes the wish to what it takes.
import { type MatchBody, type NearestMatch, OTC_AD_PATHS } from "@clockwork/domains/otcads/api";
import { formatCoins, formatDecimal } from "@clockwork/kit/format";
import { Button } from "@clockwork/ui/button";
import { useEffect, useState } from "react";
import { useCalls } from "#session/auth-context.ts";
import { useOtcText } from "./otc-text.ts";

interface MatchNearestProps {
  /** The wish nobody takes. */
  readonly asked: MatchBody;
  readonly onTake: (deal: Pick<MatchBody, "amount" | "quantity">) => void;
}

/** Whole money is written without its zeros. */
const IS_WHOLE = /^[^.]*(\.0+)?$/;

export function MatchNearest({ asked, onTake }: MatchNearestProps) {
  const text = useOtcText();
  const calls = useCalls();
  const [nearest, setNearest] = useState<NearestMatch["nearest"]>(null);
  useEffect(() => {
    let isShown = true;
    const look = async () => {
      const answer = await (await calls()).get<NearestMatch>(OTC_AD_PATHS.matchNearest, { ...asked });
      if (isShown && answer.ok) setNearest(answer.data.nearest);
    };
    void look();
    return () => {
      isShown = false;
    };
  }, [calls, asked]);
  if (nearest === null) return null;
  const unit = asked.amount === undefined ? asked.asset : asked.fiat;
  const { value, min, max } = nearest;
  const readable = (one: string): string =>
    asked.amount === undefined || IS_WHOLE.test(one) ? formatCoins(one) : formatDecimal(one, { grouped: true });
  return (
    <div className="mt-3">
      <p className="figures mb-3 text-ui">{text("match.nearest", { min: readable(min), max: readable(max), unit })}</p>
      <Button size={40} onPress={() => onTake(asked.amount === undefined ? { quantity: value } : { amount: value })}>
        {text("match.change", { value: readable(value), unit })}
      </Button>
    </div>
  );
}
