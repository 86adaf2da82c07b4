// The user's coupons: conditions, progress, and redeeming them. Loaded on demand.

import { formatDateTime } from "@clockwork/kit/time";
import { readTimezone } from "@clockwork/kit/timezone";
import { COUPON_CALLS, type Coupon } from "@clockwork/trading/coupons/contract";
import { Button } from "@clockwork/ui/button";
import { CoinGlyph } from "@clockwork/ui/coin-glyph";
import { Dialog } from "@clockwork/ui/dialog";
import { Badge } from "@clockwork/ui/pill";
import { Progress } from "@clockwork/ui/progress";
import { SkeletonRows } from "@clockwork/ui/skeleton";
import { EmptyState, ErrorState } from "@clockwork/ui/state";
import { useCallback, useEffect, useState } from "react";
import { useGlobal } from "#boot/state.ts";
import { useCalls } from "#session/auth-context.ts";
import { notify } from "#trade/order/notices.ts";
import { showNumber } from "#trade/orders/orders-model.ts";
import { useTradeText } from "#trade/trade-text.ts";
import { describeSpotRefusal, useSpotText } from "./spot-text.ts";

type Loaded = readonly Coupon[] | "loading" | "failed";

function useCoupons() {
  const calls = useCalls();
  const [coupons, setCoupons] = useState<Loaded>("loading");
  const load = useCallback(async () => {
    const answer = await (await calls()).call(COUPON_CALLS.list, {});
    setCoupons(answer.ok ? answer.data : "failed");
  }, [calls]);
  useEffect(() => void load(), [load]);
  const replace = (changed: Coupon) =>
    setCoupons((now) =>
      typeof now === "string" ? now : now.map((one) => (one.couponId === changed.couponId ? changed : one)),
    );
  return { coupons, load, replace };
}

export function CouponsDialog({ onClose }: { readonly onClose: () => void }) {
  const text = useSpotText();
  const trade = useTradeText();
  const { coupons, load, replace } = useCoupons();
  return (
    <Dialog
      title={text("coupons.title")}
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      size="medium"
      surface="terminal"
    >
      {coupons === "loading" && <SkeletonRows rows={4} />}
      {coupons === "failed" && (
        <ErrorState title={text("coupons.failed")} detail={trade("failedNote")} onRetry={() => void load()} />
      )}
      {typeof coupons !== "string" && coupons.length === 0 && <EmptyState text={text("coupons.empty")} />}
      {typeof coupons !== "string" && coupons.length > 0 && (
        <ul className="flex flex-col gap-3">
          {coupons.map((coupon) => (
            <CouponCard key={coupon.couponId} coupon={coupon} onChange={replace} />
          ))}
        </ul>
      )}
    </Dialog>
  );
}

interface CouponProps {
  readonly coupon: Coupon;
  readonly onChange: (coupon: Coupon) => void;
}

function CouponCard({ coupon, onChange }: CouponProps) {
  const text = useSpotText();
  const zone = readTimezone(useGlobal((state) => state.timezone));
  const { asset, state } = coupon;
  const isOver = state === "CONVERTED" || state === "EXPIRED";
  const until = formatDateTime(coupon.expiresAtMs, zone).slice(0, 16);
  return (
    <li className="flex flex-col gap-3 rounded-card border border-line p-4">
      <div className="flex items-center gap-3">
        <CoinGlyph code={asset} size={32} />
        <div className="min-w-0 flex-1">
          <p className="figures font-semibold text-ui">
            {text("coupons.face", { amount: showNumber(coupon.faceUsdt), asset })}
          </p>
          <p className="text-label text-muted">
            {text(state === "EXPIRED" ? "coupons.expired" : "coupons.until", { time: until })}
          </p>
        </div>
        <Badge>{text(coupon.kind === "etf" ? "coupons.etf" : "coupons.bonus")}</Badge>
      </div>
      {!isOver && (
        <Progress
          label={text("coupons.volume")}
          share={shareOf(coupon)}
          detail={text("coupons.progress", {
            done: showNumber(cutCents(coupon.volumeDoneUsdt)),
            needed: showNumber(coupon.volumeNeededUsdt),
          })}
        />
      )}
      <CouponFoot coupon={coupon} onChange={onChange} />
    </li>
  );
}

/** Only for how long a bar is. */
function shareOf({ volumeDoneUsdt, volumeNeededUsdt }: Coupon): number {
  const needed = Number(volumeNeededUsdt);
  return needed === 0 ? 1 : Number(volumeDoneUsdt) / needed;
}

/** Two decimals are enough for a volume, cut so that it never looks met before it is. */
function cutCents(amount: string): string {
  const point = amount.indexOf(".");
  return point === -1 ? amount : amount.slice(0, point + 3);
}

function CouponFoot({ coupon, onChange }: CouponProps) {
  const text = useSpotText();
  const trade = useTradeText();
  const calls = useCalls();
  const [isBusy, setBusy] = useState(false);
  const { asset, state, amount } = coupon;
  const convert = async () => {
    setBusy(true);
    const answer = await (await calls()).call(COUPON_CALLS.convert, { couponId: coupon.couponId });
    setBusy(false);
    if (!answer.ok) return notify({ title: describeSpotRefusal(text, trade, answer), tone: "danger" });
    onChange(answer.data);
    notify({ title: text("toast.converted", { amount: showNumber(answer.data.amount), asset }) });
  };
  if (state === "EXPIRED") return null;
  if (state === "CONVERTED") {
    const reply = { amount: showNumber(amount), asset, price: showNumber(coupon.price) };
    return <p className="figures text-label text-muted">{text("coupons.brought", reply)}</p>;
  }
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <span className="figures text-label text-muted">
        {amount === null
          ? text("coupons.noPrice", { asset })
          : text("coupons.brings", { amount: showNumber(amount), asset })}
      </span>
      <Button kind="primary" busy={isBusy} isDisabled={state === "OPEN"} onPress={() => void convert()}>
        {text(state === "CONVERTING" ? "coupons.converting" : "coupons.convert", { asset })}
      </Button>
    </div>
  );
}
