// Subscribing to a product: amount, coupon, cost and proceeds, then one click. A shark fin shows its pay-off next to
// it.
import { EARN_CALLS, type EarnCoupon, type EarnProduct } from "@clockwork/earning/earn/contract";
import { formatPercent } from "@clockwork/kit/format";
import { formatDate, formatMinute } from "@clockwork/kit/time";
import { AmountField } from "@clockwork/ui/amount-field";
import { Button } from "@clockwork/ui/button";
import { Checkbox } from "@clockwork/ui/checkbox";
import { Dialog } from "@clockwork/ui/dialog";
import { Segmented } from "@clockwork/ui/segmented";
import { Select } from "@clockwork/ui/select";
import { showToast } from "@clockwork/ui/toast";
import { useState } from "react";
import { sendIntent } from "#live/intent.ts";
import { useCalls } from "#session/auth-context.ts";
import { FundingOffer } from "#session/funding-offer.tsx";
import { TestFunds } from "#session/test-funds.tsx";
import { describeFailure, useAuthText } from "#words/auth-text.ts";
import { useEarnText } from "#words/earn-text.ts";
import { addAmounts, compareAmounts, formatAmount, interestOn, missingOf, payoffAt, termOf } from "./earn-model.ts";
import { PayoffCurve, PayoffTable } from "./payoff-curve.tsx";

const CLIENT_ID_LENGTH = 24;

export interface SubscribeDialogProps {
  readonly product: EarnProduct;
  readonly available: string | undefined;
  readonly coupons: readonly EarnCoupon[];
  readonly nowMs: number;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

export function SubscribeDialog(props: SubscribeDialogProps) {
  const text = useEarnText();
  const { product } = props;
  const form = useForm(props);
  const { shark } = product;
  const title =
    shark === null
      ? `${product.asset} · ${product.kind === "fixed" ? `${text("tab.fixed")} ${text("days", { days: product.days })}` : text("tab.flexible")}`
      : text("shark.title", { coin: shark.index, way: text(`shark.way.${shark.direction}`), days: product.days });
  return (
    <Dialog
      title={title}
      size={shark === null ? "medium" : "wide"}
      isOpen
      onOpenChange={(isOpen) => {
        if (!isOpen) props.onClose();
      }}
    >
      {shark === null ? (
        <SubscribeForm {...props} form={form} />
      ) : (
        <div className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_340px]">
          <Payoff product={product} amount={form.amount} />
          <SubscribeForm {...props} form={form} />
        </div>
      )}
    </Dialog>
  );
}

type Form = ReturnType<typeof useForm>;

function useForm({ product, available, coupons, onClose, onDone }: SubscribeDialogProps) {
  const text = useEarnText();
  const authText = useAuthText();
  const calls = useCalls();
  const [amount, setAmount] = useState("");
  const [couponId, setCouponId] = useState("");
  const [isRenewed, setRenewed] = useState(false);
  const [isUnderstood, setUnderstood] = useState(product.kind !== "shark");
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState("");
  const fitting = coupons.filter(
    ({ state, kind, asset }) => state === "OPEN" && kind === product.kind && asset === product.asset,
  );
  const coupon = fitting.find((one) => one.couponId === couponId);
  const problem =
    amount === "" || compareAmounts(amount, "0") <= 0
      ? ""
      : compareAmounts(amount, product.minimum) < 0
        ? text("bounds", { min: product.minimum, max: product.userMaximum, left: product.poolLeft ?? product.left })
        : available !== undefined && compareAmounts(amount, available) > 0
          ? text("spot", { amount: formatAmount(available) })
          : "";
  const submit = async () => {
    setBusy(true);
    const request = await calls();
    const choice = {
      productId: product.productId,
      amount,
      ...(coupon === undefined ? {} : { couponId }),
      ...(isRenewed ? { autoRenew: true } : {}),
    };
    const mint = () => request.mintOrderId().slice(-CLIENT_ID_LENGTH);
    const answer = await sendIntent("earn", choice, { mint, nowMs: Date.now() }, (clientId) =>
      request.call(EARN_CALLS.subscribe, { ...choice, clientId }),
    );
    setBusy(false);
    if (!answer.ok) {
      setFailure(describeFailure(authText, answer));
      return;
    }
    showToast({ title: text("done", { amount, coin: product.asset }), tone: "done" });
    onDone();
    onClose();
  };
  const isReady = amount !== "" && compareAmounts(amount, "0") > 0 && problem === "" && isUnderstood;
  return {
    amount,
    setAmount,
    couponId,
    setCouponId,
    coupon,
    fitting,
    isRenewed,
    setRenewed,
    isUnderstood,
    setUnderstood,
    isBusy,
    failure,
    problem,
    submit,
    isReady,
  };
}

function SubscribeForm({ product, available, nowMs, form, onDone }: SubscribeDialogProps & { readonly form: Form }) {
  const text = useEarnText();
  const { coupon } = form;
  const term = termOf(product, nowMs);
  const missing =
    available === undefined || form.amount === "" ? undefined : missingOf(form.amount, available, product.decimals);
  return (
    <div className="grid gap-4">
      <AmountField
        label={text("amount")}
        labelAside={available === undefined ? undefined : text("spot", { amount: formatAmount(available) })}
        value={form.amount}
        onChange={form.setAmount}
        rules={{ places: product.decimals, min: "0" }}
        maxValue={available}
        unit={product.asset}
        help={text("bounds", {
          min: formatAmount(product.minimum),
          max: formatAmount(product.userMaximum),
          left: formatAmount(product.poolLeft ?? product.left),
        })}
        error={form.problem === "" ? undefined : form.problem}
      />
      {missing === undefined ? null : (
        <FundingOffer
          key={missing}
          asset={product.asset}
          missing={missing}
          // The risk must still be confirmed first.
          onMoved={() => (form.isUnderstood ? void form.submit() : onDone())}
        />
      )}
      {available !== undefined && compareAmounts(available, product.minimum) < 0 && (
        <TestFunds asset={product.asset} onFunded={onDone} />
      )}
      {product.kind === "shark" ? null : (
        <Select
          label={text("coupon")}
          value={form.couponId}
          onChange={form.setCouponId}
          options={[
            { id: "", title: text(form.fitting.length === 0 ? "coupon.unfit" : "coupon.none") },
            ...form.fitting.map((one) => ({
              id: one.couponId,
              title: text("coupon.add", { rate: formatPercent(one.rate), cap: formatAmount(one.cap), days: one.days }),
            })),
          ]}
        />
      )}
      <Effect product={product} amount={form.amount === "" ? "0" : form.amount} coupon={coupon} nowMs={nowMs} />
      {product.kind === "flexible" ? null : (
        <Checkbox isSelected={form.isRenewed} onChange={form.setRenewed}>
          {text(product.kind === "shark" ? "shark.again" : "autoRenew")}
        </Checkbox>
      )}
      {product.shark === null ? null : (
        <Checkbox isSelected={form.isUnderstood} onChange={form.setUnderstood}>
          {text("shark.understood", {
            date: term === undefined ? "" : formatMinute(term.endsMs),
            count: term?.lockedDays ?? product.days,
            days: product.days,
            rate: formatPercent(product.shark.baseRate),
          })}
        </Checkbox>
      )}
      {form.failure === "" ? null : (
        <p role="alert" className="text-danger text-ui">
          {form.failure}
        </p>
      )}
      <Button
        kind="primary"
        size={40}
        wide
        busy={form.isBusy}
        isDisabled={!form.isReady}
        onPress={() => void form.submit()}
      >
        {text("subscribeFor", { amount: formatAmount(form.amount === "" ? "0" : form.amount), coin: product.asset })}
      </Button>
    </div>
  );
}

/** What leaves, what comes back and when, before anything moves. */
function Effect(props: {
  readonly product: EarnProduct;
  readonly amount: string;
  readonly coupon: EarnCoupon | undefined;
  readonly nowMs: number;
}) {
  const text = useEarnText();
  const { product, amount, coupon, nowMs } = props;
  const { asset, decimals, shark } = product;
  const sum = (value: string): string => `${formatAmount(value, { decimals: Math.min(decimals, 6) })} ${asset}`;
  const interest = shark === null ? interestOn(product, amount, coupon?.rate, coupon?.cap, coupon?.days) : "0";
  const term = termOf(product, nowMs);
  const rows: (readonly [string, string])[] = [[text("putIn"), sum(amount)]];
  if (shark !== null) {
    const least = payoffAt(product, shark, "0", amount).interest;
    const most = payoffAt(product, shark, shark.direction === "bullish" ? shark.high : shark.low, amount).interest;
    rows.push(
      [text("least"), sum(addAmounts(amount, least, decimals))],
      [text("most"), sum(addAmounts(amount, most, decimals))],
    );
  } else if (product.kind === "fixed") {
    rows.push([text("interest"), `+${sum(interest)}`]);
  } else rows.push([text("perDay"), `+${sum(interest)}`]);
  if (term !== undefined) {
    if (term.closesMs !== undefined) rows.push([text("closes"), formatMinute(term.closesMs)]);
    rows.push(
      [text("starts"), formatMinute(term.startsMs)],
      [text(shark === null ? "ends" : "settles"), formatMinute(term.endsMs)],
      [text("locked"), text("lockedDays", { count: term.lockedDays })],
    );
  }
  rows.push([text("goesTo"), text("toSpot")]);
  return (
    <dl className="grid gap-2 rounded-lg bg-surface p-3 text-ui">
      {rows.map(([label, value]) => (
        <div key={label} className="flex justify-between gap-4">
          <dt className="text-muted">{label}</dt>
          <dd className="figures text-right font-medium text-text">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Payoff({ product, amount }: { readonly product: EarnProduct; readonly amount: string }) {
  const text = useEarnText();
  const [view, setView] = useState("curve");
  const { shark } = product;
  if (shark === null) return null;
  const shown = amount === "" ? "1000" : amount;
  const best = shark.direction === "bullish" ? shark.high : shark.low;
  const boxes = [
    [
      text("shark.outside", {
        low: formatAmount(shark.low, { decimals: 0 }),
        high: formatAmount(shark.high, { decimals: 0 }),
      }),
      payoffAt(product, shark, "0", shown),
    ],
    ...(shark.price === null
      ? []
      : [
          [
            text("shark.now", { price: formatAmount(shark.price) }),
            payoffAt(product, shark, shark.price, shown),
          ] as const,
        ]),
    [text("shark.best", { price: formatAmount(best, { decimals: 0 }) }), payoffAt(product, shark, best, shown)],
  ] as const;
  return (
    <section>
      <p className="mb-3 text-muted text-ui">
        {text("shark.lead", {
          asset: product.asset,
          coin: shark.index,
          date: product.endsAtMs === null ? "" : formatDate(product.endsAtMs),
        })}
      </p>
      <header className="mb-2 flex items-center justify-between gap-3">
        <h3 className="text-card">{text("shark.what", { coin: shark.index })}</h3>
        <Segmented
          label={text("shark.what", { coin: shark.index })}
          size={28}
          value={view}
          onChange={setView}
          segments={[
            { id: "curve", title: text("shark.curve") },
            { id: "table", title: text("shark.table") },
          ]}
        />
      </header>
      {view === "curve" ? (
        <PayoffCurve product={product} shark={shark} amount={shown} />
      ) : (
        <PayoffTable product={product} shark={shark} amount={shown} />
      )}
      <ul className="mt-3 grid gap-2 sm:grid-cols-3">
        {boxes.map(([label, found]) => (
          <li key={label} className="rounded-lg border border-line p-3 text-label">
            <p className="text-muted">{label}</p>
            <p className="figures text-card">{formatPercent(found.rate)}</p>
            <p className="figures text-muted">{`+${formatAmount(found.interest, { decimals: 6 })} ${product.asset}`}</p>
          </li>
        ))}
      </ul>
      <p className="mt-3 text-label text-muted">{text("shark.rule")}</p>
    </section>
  );
}
