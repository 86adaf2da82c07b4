// The filters above the list of ads: amount, currency, way to pay, size of the merchant, order.
import type { OtcIndex } from "@clockwork/domains/otcads/api";
import { PAYMENT_KINDS } from "@clockwork/kit/otc/fiat";
import { AmountField } from "@clockwork/ui/amount-field";
import { Checkbox } from "@clockwork/ui/checkbox";
import { LateSelect } from "#shell/late-select.tsx";
import type { Wanted } from "./market-page.tsx";
import { useOtcText } from "./otc-text.ts";

const ANY = "any";

export interface ListFiltersProps {
  readonly wanted: Wanted;
  readonly onWanted: (wanted: Wanted) => void;
  readonly fiats: OtcIndex["fiats"];
}

export function ListFilters({ wanted, onWanted, fiats }: ListFiltersProps) {
  const text = useOtcText();
  const { payment: _, ...others } = wanted;
  return (
    <div className="mb-3 flex flex-wrap items-end gap-x-4 gap-y-3">
      <AmountField
        label={text("list.amount")}
        className="w-36"
        size={40}
        value={wanted.amount}
        onChange={(amount) => onWanted({ ...wanted, amount })}
        rules={{ places: 2 }}
        unit={wanted.fiat}
      />
      <LateSelect
        label={text("list.currency")}
        className="w-40"
        size={40}
        value={wanted.fiat}
        onChange={(fiat) => onWanted({ ...wanted, fiat })}
        options={fiats.map(({ code, name }) => ({ id: code, title: code, detail: name }))}
      />
      <LateSelect
        label={text("list.payment")}
        className="w-40"
        size={40}
        value={wanted.payment ?? ANY}
        onChange={(kind) =>
          onWanted(kind === ANY ? others : { ...wanted, payment: kind as NonNullable<Wanted["payment"]> })
        }
        options={[
          { id: ANY, title: text("match.any") },
          ...PAYMENT_KINDS.map((kind) => ({ id: kind, title: text(`pay.${kind}`) })),
        ]}
      />
      <LateSelect
        label={text("list.sort")}
        className="w-36"
        size={40}
        value={wanted.sort ?? "price"}
        onChange={(sort) => onWanted({ ...wanted, sort: sort as NonNullable<Wanted["sort"]> })}
        options={(["price", "completion", "release", "orders"] as const).map((sort) => ({
          id: sort,
          title: text(`list.sort.${sort}`),
        }))}
      />
      <Checkbox
        isSelected={(wanted.merchant ?? 1) > 1}
        onChange={(isOn) => onWanted({ ...wanted, merchant: isOn ? 2 : 1 })}
      >
        {text("list.merchants")}
      </Checkbox>
      <Checkbox isSelected={wanted.usable ?? false} onChange={(usable) => onWanted({ ...wanted, usable })}>
        {text("list.usable")}
      </Checkbox>
    </div>
  );
}
