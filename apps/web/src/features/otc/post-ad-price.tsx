// The price an ad would have now, with the sum it comes from; moves with the index while the form is open, and is there
// before the form is complete.
import { type AdChecks, OTC_AD_CALLS, OTC_MARKET_CHANNEL, type OtcIndex } from "@clockwork/fiat/otcads/contract";
import { parseUnits } from "@clockwork/kit/money";
import { floatingPrice, INDEX_SCALE, otcPriceText, RATE_SCALE } from "@clockwork/kit/otc/price";
import { useCallback, useEffect, useState } from "react";
import { useCalls } from "#session/auth-context.ts";
import { useChannelNews, useEvery } from "./otc-calls.ts";
import { useOtcText } from "./otc-text.ts";
import type { Form } from "./post-ad-form.tsx";

const REFRESH_MS = 5_000;
type IndexRow = OtcIndex["prices"][number];

function useIndexRow(asset: string, fiat: string): IndexRow | undefined {
  const calls = useCalls();
  const [index, setIndex] = useState<OtcIndex>();
  const load = useCallback(async () => {
    const answer = await (await calls()).call(OTC_AD_CALLS.index, { fiat }, { anonymous: true });
    if (answer.ok) setIndex(answer.data);
  }, [calls, fiat]);
  useEffect(() => void load(), [load]);
  useEvery(REFRESH_MS, () => void load());
  useChannelNews(OTC_MARKET_CHANNEL, () => void load());
  return index?.prices.find((row) => row.asset === asset && row.fiat === fiat);
}

/** As the exchange computes it; nothing without index, rate or percentage. */
function floatingText(row: IndexRow | undefined, premium: string): string | undefined {
  const bps = parseUnits(premium, 2);
  const [index, rate] = [parseUnits(row?.index ?? "", INDEX_SCALE), parseUnits(row?.rate ?? "", RATE_SCALE)];
  if (!bps.done || !index.done || !rate.done) return undefined;
  return otcPriceText(floatingPrice(index.value, rate.value, Number(bps.value)));
}

export function PriceLine({ form, checks }: { readonly form: Form; readonly checks: AdChecks | undefined }) {
  const text = useOtcText();
  const row = useIndexRow(form.asset, form.fiat);
  const price = form.isFloating ? (floatingText(row, form.premium) ?? checks?.price) : form.price;
  const sum = { index: row?.index ?? checks?.index ?? "–", rate: row?.rate ?? checks?.rate ?? "–" };
  return (
    <div>
      <p className="figures font-semibold text-[24px] text-text">
        {price === undefined || price === null || price === "" ? "–" : price}{" "}
        <span className="font-normal text-label text-muted">
          {text("match.per", { fiat: form.fiat, asset: form.asset })}
        </span>
      </p>
      {form.isFloating && (
        <p className="text-[13px] text-muted">{text("post.sum", { ...sum, premium: form.premium })}</p>
      )}
    </div>
  );
}
