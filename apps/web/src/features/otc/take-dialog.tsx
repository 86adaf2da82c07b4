// Taking an ad: the amount, what it brings, the account to pay or to be paid to, and the order.
import type { Ad } from "@clockwork/fiat/otcads/contract";
import { OTC_ORDER_CALLS } from "@clockwork/fiat/otcorders/contract";
import { divideTruncated, parseDecimal, writeDecimal } from "@clockwork/kit/decimal";
import { formatCoins } from "@clockwork/kit/format";
import { AmountField } from "@clockwork/ui/amount-field";
import { Button } from "@clockwork/ui/button";
import { Dialog } from "@clockwork/ui/dialog";
import { Select } from "@clockwork/ui/select";
import { useState } from "react";
import { useNavigate } from "react-router";
import { SiteLink, useSitePath } from "#boot/site-link.tsx";
import { FormError } from "#session/auth-fields.tsx";
import type { MarketPageProps } from "./market-page.tsx";
import { useOtcAction } from "./otc-calls.ts";
import { useOtcText } from "./otc-text.ts";

export interface TakeDialogProps {
  readonly ad: Ad;
  readonly payments: MarketPageProps["payments"];
  readonly amount: string;
  readonly onClose: () => void;
}

/** The coins for an amount of money, rounded as the exchange does. */
function coinsFor(amount: string, price: string): string | undefined {
  const [money, each] = [parseDecimal(amount), parseDecimal(price)];
  if (!money.ok || !each.ok || each.value.units === 0n) return undefined;
  return writeDecimal(divideTruncated(money.value, each.value, 6));
}

/** The accounts that can be paid: the ad's when buying, the user's when selling. */
function useAccounts({ ad, payments }: TakeDialogProps) {
  const text = useOtcText();
  if (ad.side === "buy")
    return ad.payments.map(({ paymentId, kind }) => ({ id: paymentId, title: text(`pay.${kind}`) }));
  return payments
    .filter(({ fiat }) => fiat === ad.fiat)
    .map(({ paymentId, label }) => ({ id: paymentId, title: label }));
}

export function TakeDialog(props: TakeDialogProps) {
  const { ad, onClose } = props;
  const text = useOtcText();
  const action = useOtcAction();
  const navigate = useNavigate();
  const sitePath = useSitePath();
  const accounts = useAccounts(props);
  const [amount, setAmount] = useState(props.amount === "" ? ad.min : props.amount);
  const [paymentId, setPaymentId] = useState(accounts[0]?.id ?? "");
  const place = async () => {
    const choice = { adId: ad.adId, amount, paymentId, price: ad.price };
    const order = await action.intend("otc-order", OTC_ORDER_CALLS.add, choice);
    if (order !== undefined) await navigate(sitePath(`/otc/order/${order.orderId}`));
  };
  const values = { asset: ad.asset, name: ad.maker.name };
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={text(`take.title.${ad.side}`, values)}
      actions={(close) => (
        <>
          <Button size={40} onPress={close}>
            {text("take.cancel")}
          </Button>
          <Button
            kind="primary"
            size={40}
            busy={action.isBusy}
            isDisabled={paymentId === "" || amount === ""}
            onPress={() => void place()}
          >
            {text(ad.side)} {ad.asset}
          </Button>
        </>
      )}
    >
      <div className="flex flex-col gap-4">
        <FormError>{action.error}</FormError>
        <AmountField
          label={text("take.amount", { fiat: ad.fiat })}
          size={48}
          value={amount}
          onChange={setAmount}
          rules={{ places: 2 }}
          unit={ad.fiat}
          help={text("list.between", { min: ad.min, max: ad.max, fiat: ad.fiat })}
        />
        <p className="flex justify-between text-ui">
          <span className="text-muted">{text(`take.get.${ad.side}`)}</span>
          <span className="figures font-semibold">
            {formatCoins(coinsFor(amount, ad.price) ?? "0")} {ad.asset}
          </span>
        </p>
        {accounts.length === 0 ? (
          <p className="text-ui">
            {text("take.noPayment", { fiat: ad.fiat })}{" "}
            <SiteLink to="/otc/payments" className="text-accent underline">
              {text("payments.add")}
            </SiteLink>
          </p>
        ) : (
          <Select
            label={text(ad.side === "buy" ? "take.payment" : "take.ownPayment")}
            value={paymentId}
            onChange={setPaymentId}
            options={accounts}
          />
        )}
        {ad.note !== "" && <p className="rounded-control bg-surface p-3 text-[13px] dark:bg-bg">{ad.note}</p>}
        <p className="text-[13px] text-muted">{text("take.window", { minutes: ad.windowMinutes })}</p>
      </div>
    </Dialog>
  );
}
