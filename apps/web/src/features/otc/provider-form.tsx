// The request to a provider: buy or sell, coin, currency, amount, and the source of the money.
import type { QuoteBody } from "@clockwork/fiat/otcproviders/contract";
import { FIATS, OTC_COINS } from "@clockwork/kit/otc/fiat";
import { AmountField } from "@clockwork/ui/amount-field";
import { Button } from "@clockwork/ui/button";
import { buttonClass } from "@clockwork/ui/logic/button-style";
import { Segmented } from "@clockwork/ui/segmented";
import { SiteLink } from "#boot/site-link.tsx";
import { LateSelect } from "#shell/late-select.tsx";
import { useOtcText } from "./otc-text.ts";
import type { ProvidersPageProps } from "./providers-page.tsx";

export type Choice = Required<QuoteBody>;

export interface ProviderFormProps extends ProvidersPageProps {
  readonly choice: Choice;
  readonly onChoice: (choice: Choice) => void;
  readonly isBusy: boolean;
  readonly onAsk: () => void;
}

export function ProviderForm(props: ProviderFormProps) {
  const { choice, onChoice } = props;
  const text = useOtcText();
  const provider = props.providers?.providers.find(({ name }) => name === choice.provider);
  const held = props.tender?.assets.find(({ fiat }) => fiat === choice.fiat)?.amount ?? "0.00";
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (choice.amount !== "" && props.level >= 2) props.onAsk();
      }}
    >
      <What {...props} />
      <AmountField
        label={text(choice.side === "buy" ? "match.pay" : "match.get")}
        name="provider-amount"
        size={48}
        value={choice.amount}
        onChange={(amount) => onChoice({ ...choice, amount })}
        rules={{ places: 2 }}
        unit={choice.fiat}
        {...(provider === undefined
          ? {}
          : { help: text("provider.limits", { min: provider.minUsd, max: provider.maxUsd.toLocaleString("en-US") }) })}
      />
      {choice.side === "buy" ? (
        <div>
          <p className="mb-1 text-[13px] text-muted">{text("provider.from")}</p>
          <Segmented
            label={text("provider.from")}
            segments={[
              { id: "outside", title: text("provider.outside") },
              { id: "balance", title: text("provider.balance", { amount: held, fiat: choice.fiat }) },
            ]}
            value={choice.source}
            onChange={(source) => onChoice({ ...choice, source: source === "balance" ? "balance" : "outside" })}
          />
        </div>
      ) : (
        <p className="text-[13px] text-muted">{text("provider.toBalance")}</p>
      )}
      <div>
        <Ask {...props} />
      </div>
    </form>
  );
}

function What({ choice, onChoice, providers }: ProviderFormProps) {
  const text = useOtcText();
  const all = providers?.providers ?? [];
  const fiats = all.find(({ name }) => name === choice.provider)?.fiats ?? [];
  return (
    <div className="flex flex-wrap items-end gap-3">
      <Segmented
        label={text("match.side")}
        segments={[
          { id: "buy", title: text("buy") },
          { id: "sell", title: text("sell") },
        ]}
        value={choice.side}
        onChange={(side) => onChoice({ ...choice, side: side === "sell" ? "sell" : "buy" })}
      />
      <Segmented
        label={text("list.coins")}
        segments={OTC_COINS.map((asset) => ({ id: asset, title: asset }))}
        value={choice.asset}
        onChange={(asset) => onChoice({ ...choice, asset: asset as Choice["asset"] })}
      />
      <LateSelect
        label={text("list.currency")}
        className="w-40"
        size={40}
        value={choice.fiat}
        onChange={(fiat) => onChoice({ ...choice, fiat })}
        options={FIATS.filter(({ code }) => fiats.includes(code)).map(({ code, name }) => ({
          id: code,
          title: code,
          detail: name,
        }))}
      />
      {all.length > 1 && (
        <LateSelect
          label={text("field.provider")}
          className="w-48"
          size={40}
          value={choice.provider}
          onChange={(provider) => onChoice({ ...choice, provider })}
          options={all.map(({ name, label }) => ({ id: name, title: label }))}
        />
      )}
    </div>
  );
}

/** What opens it comes before the price. */
function Ask({ isSignedIn, level, choice, isBusy }: ProviderFormProps) {
  const text = useOtcText();
  const look = buttonClass({ kind: "primary", size: 48 });
  if (!isSignedIn)
    return (
      <SiteLink to="/login" className={look}>
        {text("match.logIn")}
      </SiteLink>
    );
  if (level < 2)
    return (
      <SiteLink to="/identity" className={look}>
        {text("match.verify")}
      </SiteLink>
    );
  return (
    <Button type="submit" kind="primary" size={48} busy={isBusy} isDisabled={choice.amount === ""}>
      {text("provider.ask")}
    </Button>
  );
}
