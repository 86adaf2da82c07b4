// The effect of creating the basket now: what is bought of each coin, fees, the remainder; the agreement and the
// button.
import { formatDecimal } from "@clockwork/kit/format";
import { REBALANCE_SLIPPAGE_BPS } from "@clockwork/kit/grid/rebalance";
import { Button } from "@clockwork/ui/button";
import { Card } from "@clockwork/ui/card";
import { Checkbox } from "@clockwork/ui/checkbox";
import { useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { loginPath } from "#session/login-path.ts";
import type { BasketProps } from "./basket-form.tsx";
import { Fact } from "./figures.tsx";
import { useGridText } from "./grid-text.ts";
import { isReady, percentText, QUOTE } from "./model/basket-model.ts";
import { groupedPrice } from "./model/grouped-price.ts";
import { useAgreement } from "./use-agreement.ts";

const money = (amount: string): string => formatDecimal(amount, { decimals: 2, grouped: true });

export function BasketPreview({ data, made }: BasketProps) {
  const text = useGridText();
  const { preview } = made;
  return (
    <Card title={text("basket.preview")}>
      {preview.legs.length === 0 ? (
        <p className="text-muted text-ui">{text("basket.noPreview")}</p>
      ) : (
        <>
          <table className="w-full text-ui">
            <thead>
              <tr className="text-label text-muted">
                <th scope="col" className="py-1 text-left font-normal">
                  {text("basket.coin")}
                </th>
                {(["price", "quantity", "value"] as const).map((name) => (
                  <th key={name} scope="col" className="py-1 text-right font-normal">
                    {text(`basket.${name}`)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {preview.legs.map((leg) => (
                <tr key={leg.coin} className="h-9 border-line border-t">
                  <td className="font-medium">{leg.coin}</td>
                  <td className="figures text-right text-muted">{groupedPrice(leg.price)}</td>
                  <td className="figures text-right">{leg.quantity}</td>
                  <td className="figures text-right">{money(leg.value)}</td>
                </tr>
              ))}
            </tbody>
          </table>
          <dl className="mt-3 border-line border-t">
            <Fact label={text("basket.reserve")}>
              {money(preview.reserve)} {QUOTE}
            </Fact>
            <Fact label={text("basket.fees")}>
              {formatDecimal(preview.fees, { decimals: 4 })} {QUOTE}
            </Fact>
            <Fact label={text("basket.left")}>
              {money(preview.left)} {QUOTE}
            </Fact>
          </dl>
        </>
      )}
      <p className="my-3 text-label text-muted">{text("basket.note", { cap: percentText(REBALANCE_SLIPPAGE_BPS) })}</p>
      <Send data={data} made={made} />
    </Card>
  );
}

function Send({ data, made }: BasketProps) {
  const text = useGridText();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const { agreed, agree } = useAgreement("spot", data.isSignedIn);
  const [isChecked, setChecked] = useState(false);
  if (!data.isSignedIn)
    return (
      <a
        className="block py-2 text-center font-medium underline underline-offset-2"
        href={loginPath(pathname, pathname)}
      >
        {text("basket.signIn")}
      </a>
    );
  const { failure, preview } = made;
  const press = async (): Promise<void> => {
    if (agreed === false) await agree();
    const bot = await made.sending.send();
    if (bot !== undefined) await navigate(`/grid/basket/${bot.id}`);
  };
  return (
    <div className="flex flex-col gap-2">
      {agreed === false && (
        <Checkbox isSelected={isChecked} onChange={setChecked}>
          {text("basket.agree")}
        </Checkbox>
      )}
      <Button
        kind="primary"
        wide
        busy={made.sending.isBusy}
        isDisabled={!isReady(preview) || !(agreed === true || isChecked)}
        onPress={() => void press()}
      >
        {text("basket.create")}
      </Button>
      {failure !== undefined && failure.at === undefined && (
        <p role="alert" className="text-danger text-label">
          {failure.message}
        </p>
      )}
    </div>
  );
}
