// The filters above the list of ads: amount, currency, way to pay, size of the merchant, order.
import type { OtcIndex } from "@clockwork/fiat/otcads/contract";
import { formatCoins } from "@clockwork/kit/format";
import { PAYMENT_KINDS } from "@clockwork/kit/otc/fiat";
import { AmountField } from "@clockwork/ui/amount-field";
import { Button } from "@clockwork/ui/button";
import { Checkbox } from "@clockwork/ui/checkbox";
import { useState } from "react";
import { latePart } from "#boot/late-part.tsx";
import { LateSelect } from "#shell/late-select.tsx";
import type { Wanted } from "./market-page.tsx";
import { useOtcText } from "./otc-text.ts";

const ANY = "any";

export interface ListFiltersProps {
  readonly wanted: Wanted;
  readonly onWanted: (wanted: Wanted) => void;
  readonly fiats: OtcIndex["fiats"];
}

// Opened on a phone alone, by a press.
const Sheet = latePart(async () => (await import("@clockwork/ui/sheet")).Sheet);

/** In a row where there is room for one; on a phone in a sheet. */
export function ListFilters(props: ListFiltersProps) {
  const text = useOtcText();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <div className="max-sm:hidden">
        <Fields {...props} />
      </div>
      <div className="mb-3 sm:hidden">
        <Button size={36} icon="filter" onPress={() => setOpen(true)}>
          {text("list.filters", { fiat: props.wanted.fiat })}
        </Button>
        {isOpen && (
          <Sheet isOpen onOpenChange={setOpen} title={text("list.filtersTitle")}>
            {(close: () => void) => (
              <>
                <Fields {...props} />
                <Button kind="primary" size={48} wide onPress={close}>
                  {text("list.show")}
                </Button>
              </>
            )}
          </Sheet>
        )}
      </div>
      <Chips {...props} />
    </>
  );
}

/** The filters without the payment method. */
function anyPayment({ payment: _, ...others }: Wanted): Wanted {
  return others;
}

/** What is wanted however long the time to pay. */
function anyWindow({ windowMin: _, windowMax: __, ...others }: Wanted): Wanted {
  return others;
}

/** A payer may prefer a long window, a payee a short one. */
const WINDOWS = {
  max15: { windowMax: 15 },
  max30: { windowMax: 30 },
  min30: { windowMin: 30 },
  min60: { windowMin: 60 },
} as const satisfies Readonly<Record<string, Pick<Wanted, "windowMin" | "windowMax">>>;
type WindowId = keyof typeof WINDOWS;
const WINDOW_IDS = Object.keys(WINDOWS) as WindowId[];

function windowOf({ windowMin, windowMax }: Wanted): WindowId | undefined {
  return WINDOW_IDS.find((id) => {
    const one: Pick<Wanted, "windowMin" | "windowMax"> = WINDOWS[id];
    return (windowMin ?? windowMax) !== undefined && one.windowMin === windowMin && one.windowMax === windowMax;
  });
}

/** What narrows the list now; each goes by a press. */
function Chips({ wanted, onWanted }: Omit<ListFiltersProps, "fiats">) {
  const text = useOtcText();
  const window = windowOf(wanted);
  const chips: readonly { readonly words: string; readonly next: Wanted }[] = [
    ...(wanted.amount === ""
      ? []
      : [{ words: `${formatCoins(wanted.amount)} ${wanted.fiat}`, next: { ...wanted, amount: "" } as Wanted }]),
    ...(wanted.payment === undefined ? [] : [{ words: text(`pay.${wanted.payment}`), next: anyPayment(wanted) }]),
    ...(window === undefined ? [] : [{ words: text(`list.window.${window}`), next: anyWindow(wanted) }]),
    ...((wanted.merchant ?? 1) > 1 ? [{ words: text("list.merchants"), next: { ...wanted, merchant: 1 } }] : []),
    ...(wanted.usable === true ? [{ words: text("list.usable"), next: { ...wanted, usable: false } }] : []),
  ];
  if (chips.length === 0) return null;
  return (
    <ul className="mb-3 flex flex-wrap gap-2" aria-label={text("list.chips")}>
      {chips.map(({ words, next }) => (
        <li key={words}>
          <Button size={28} icon="close" aria-label={text("list.chipOff", { words })} onPress={() => onWanted(next)}>
            {words}
          </Button>
        </li>
      ))}
    </ul>
  );
}

function Fields({ wanted, onWanted, fiats }: ListFiltersProps) {
  const text = useOtcText();
  return (
    <div className="mb-3 flex flex-wrap items-end gap-x-4 gap-y-3">
      <AmountField
        label={text("list.amount")}
        className="w-36 max-sm:w-full"
        size={40}
        value={wanted.amount}
        onChange={(amount) => onWanted({ ...wanted, amount })}
        rules={{ places: 2 }}
        unit={wanted.fiat}
      />
      <LateSelect
        label={text("list.currency")}
        className="w-40 max-sm:w-full"
        size={40}
        value={wanted.fiat}
        onChange={(fiat) => onWanted({ ...wanted, fiat })}
        options={fiats.map(({ code, name }) => ({ id: code, title: code, detail: name }))}
      />
      <LateSelect
        label={text("list.payment")}
        className="w-40 max-sm:w-full"
        size={40}
        value={wanted.payment ?? ANY}
        onChange={(kind) =>
          onWanted(kind === ANY ? anyPayment(wanted) : { ...wanted, payment: kind as NonNullable<Wanted["payment"]> })
        }
        options={[
          { id: ANY, title: text("match.any") },
          ...PAYMENT_KINDS.map((kind) => ({ id: kind, title: text(`pay.${kind}`) })),
        ]}
      />
      <LateSelect
        label={text("list.window")}
        className="w-40 max-sm:w-full"
        size={40}
        value={windowOf(wanted) ?? ANY}
        onChange={(id) => onWanted({ ...anyWindow(wanted), ...(id === ANY ? {} : WINDOWS[id as WindowId]) })}
        options={[
          { id: ANY, title: text("list.window.any") },
          ...WINDOW_IDS.map((id) => ({ id, title: text(`list.window.${id}`) })),
        ]}
      />
      <LateSelect
        label={text("list.sort")}
        className="w-36 max-sm:w-full"
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
