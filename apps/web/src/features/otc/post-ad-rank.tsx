// An ad's rank among the others of its side: every price as a mark on one line, the index and the own one named.
import type { AdChecks } from "@clockwork/fiat/otcads/contract";
import { placeOnLine } from "./line-places.ts";
import { useOtcText } from "./otc-text.ts";

export function Rank({ checks, side }: { readonly checks: AdChecks; readonly side: "buy" | "sell" }) {
  const text = useOtcText();
  const { price, indexPrice, rivals, rank } = checks;
  if (price === null || rivals.length === 0) return null;
  const line = placeOnLine([price, ...(indexPrice === null ? [] : [indexPrice]), ...rivals]);
  const [own, ...others] = line.places;
  const index = indexPrice === null ? undefined : others.shift();
  return (
    <figure className="mt-4 border-line border-t pt-4">
      <figcaption className="flex justify-between gap-3 text-[13px] text-muted">
        <span>{text(`post.stand.${side}`, { count: rivals.length })}</span>
        <span className="figures">{text("post.place", { rank, of: rivals.length + 1 })}</span>
      </figcaption>
      <div className="relative mt-12 mb-2 h-4" aria-hidden="true">
        <span className="absolute inset-x-0 top-1/2 h-px bg-line2" />
        {others.map((place, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: marks have no other name, and two may be at one place
          <span key={i} className="absolute top-1 h-2 w-0.5 bg-muted" style={{ left: `${place}%` }} />
        ))}
        {index !== undefined && (
          <span className="absolute top-0 h-4 w-0.5 bg-warn" style={{ left: `${index}%` }}>
            <Mark place={index} words={text("post.indexMark", { price: indexPrice ?? "" })} />
          </span>
        )}
        <span className="absolute top-0 h-4 w-1 bg-text" style={{ left: `${own ?? 0}%` }}>
          <Mark isOwn place={own ?? 0} words={text("post.you", { price })} />
        </span>
      </div>
      <p className="figures flex justify-between text-[13px] text-muted">
        <span>{line.least}</span>
        <span>{line.most}</span>
      </p>
    </figure>
  );
}

/** Above its mark, and never beyond the line's ends; the own one above the index, so that two near each other are read. */
function Mark({ place, words, isOwn }: { readonly place: number; readonly words: string; readonly isOwn?: boolean }) {
  const side = place > 50 ? "right-0" : "left-0";
  const look = isOwn === true ? "bottom-9 font-medium text-text" : "bottom-5 text-muted";
  return <span className={`figures absolute whitespace-nowrap text-label ${side} ${look}`}>{words}</span>;
}
