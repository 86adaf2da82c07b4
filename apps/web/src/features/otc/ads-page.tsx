// `/otc/ads`: the caller's own ads, online and offline by a press, each with the way to its terms.
import { OTC_AD_CALLS, type OwnAd, type OwnAds } from "@clockwork/fiat/otcads/contract";
import { formatCoins, formatDecimal } from "@clockwork/kit/format";
import { Button } from "@clockwork/ui/button";
import { Card } from "@clockwork/ui/card";
import { buttonClass } from "@clockwork/ui/logic/button-style";
import { Badge } from "@clockwork/ui/pill";
import { EmptyState } from "@clockwork/ui/state";
import { useState } from "react";
import { SiteLink } from "#boot/site-link.tsx";
import { FormError } from "#session/auth-fields.tsx";
import { useOtcAction } from "./otc-calls.ts";
import { OtcFrame, Places } from "./otc-frame.tsx";
import { useOtcText } from "./otc-text.ts";

export function AdsPage({ first }: { readonly first: OwnAds | null }) {
  const text = useOtcText();
  const action = useOtcAction();
  const [list, setList] = useState(first);
  const change = async (adId: string, state: "ONLINE" | "OFFLINE" | "DELETED") => {
    const next = await action.run(OTC_AD_CALLS.update, { adId, state });
    if (next !== undefined) setList(next);
  };
  const post = (
    <SiteLink to="/otc/post" className={buttonClass({ kind: "primary", size: 36 })}>
      {text("nav.post")}
    </SiteLink>
  );
  return (
    <OtcFrame
      title={text("nav.ads")}
      aside={
        <div className="flex max-w-full flex-wrap gap-2">
          <Places />
          {post}
        </div>
      }
    >
      <FormError>{action.error}</FormError>
      <Card flush>
        {list === null && <EmptyState text={text("failed")} />}
        {list?.ads.length === 0 && <EmptyState text={text("ads.none")} action={post} />}
        <ul>
          {list?.ads.map((ad) => (
            <AdLine key={ad.adId} ad={ad} isBusy={action.isBusy} onChange={(state) => void change(ad.adId, state)} />
          ))}
        </ul>
      </Card>
      {list !== null && (
        <p className="mt-3 text-[13px] text-muted">{text("ads.count", { count: list.ads.length, max: list.adsMax })}</p>
      )}
    </OtcFrame>
  );
}

interface AdLineProps {
  readonly ad: OwnAd;
  readonly isBusy: boolean;
  readonly onChange: (state: "ONLINE" | "OFFLINE" | "DELETED") => void;
}

function AdLine({ ad, isBusy, onChange }: AdLineProps) {
  const text = useOtcText();
  const isOnline = ad.state === "ONLINE" || ad.state === "SOLD_OUT";
  const stock = { stock: formatCoins(ad.stock), quantity: formatCoins(ad.quantity), asset: ad.asset };
  const money = (value: string): string => formatDecimal(value, { grouped: true });
  return (
    <li className="flex flex-wrap items-center gap-x-6 gap-y-2 border-line border-b px-4 py-3 last:border-0 lg:px-6">
      <span className="min-w-48 flex-1">
        <span className="block font-medium text-ui">
          {text(ad.side)} {ad.asset} · {ad.price ?? "–"} {ad.fiat}
          {ad.isFloating && <span className="text-muted"> · {ad.premium}%</span>}
        </span>
        <span className="figures block text-label text-muted">
          {text("ads.stock", stock)} · {text("list.between", { min: money(ad.min), max: money(ad.max), fiat: ad.fiat })}
          {ad.openOrders > 0 && ` · ${text("ads.open", { count: ad.openOrders })}`}
        </span>
        {ad.reason !== "" && <span className="block text-label text-warn">{ad.reason}</span>}
      </span>
      <Badge tone={isOnline ? "up" : "neutral"}>{text(`ads.state.${ad.state}`)}</Badge>
      {(isOnline || ad.state === "OFFLINE") && (
        <SiteLink to={`/otc/ad/${ad.adId}`} className={buttonClass({ size: 32 })}>
          {text("ads.editShort")}
        </SiteLink>
      )}
      {ad.state === "SOLD_OUT" && (
        <Button size={32} kind="primary" busy={isBusy} onPress={() => onChange("ONLINE")}>
          {text("ads.restock")}
        </Button>
      )}
      {isOnline ? (
        <Button size={32} busy={isBusy} onPress={() => onChange("OFFLINE")}>
          {text("ads.offline")}
        </Button>
      ) : (
        <>
          <Button size={32} busy={isBusy} isDisabled={ad.state !== "OFFLINE"} onPress={() => onChange("ONLINE")}>
            {text("ads.online")}
          </Button>
          <Button size={32} kind="ghost" onPress={() => onChange("DELETED")}>
            {text("ads.delete")}
          </Button>
        </>
      )}
    </li>
  );
}
