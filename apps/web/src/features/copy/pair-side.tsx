// A pair with its side and leverage, as tables of positions name it.
import { Badge } from "@clockwork/ui/pill";
import { useCopyText } from "./copy-text.ts";

export function PairSide({
  pairCode,
  side,
  leverage,
}: {
  readonly pairCode: string;
  readonly side: string;
  readonly leverage: number;
}) {
  const text = useCopyText();
  return (
    <span className="inline-flex items-center gap-1.5">
      <span className="font-medium">{pairCode.replace("_", "")}</span>
      <span className={side === "long" ? "text-up-text" : "text-down-text"}>
        {text(side === "long" ? "long" : "short")}
      </span>
      {leverage > 1 && <Badge>{leverage}×</Badge>}
    </span>
  );
}
