// The lower half of an ad's form: where its owner is paid, the time to pay, and who may take it.
import type { PaymentList } from "@clockwork/fiat/otcpeople/contract";
import { Checkbox } from "@clockwork/ui/checkbox";
import { TextField } from "@clockwork/ui/text-field";
import { SiteLink } from "#boot/site-link.tsx";
import { useOtcText } from "./otc-text.ts";
import { Part, type PartProps } from "./post-ad-form.tsx";

export function Paid({ form, set, errors, payments }: PartProps & { readonly payments: PaymentList | null }) {
  const text = useOtcText();
  const own = payments?.payments.filter(({ fiat }) => fiat === form.fiat) ?? [];
  const toggle = (id: string) =>
    set({
      paymentIds: form.paymentIds.includes(id)
        ? form.paymentIds.filter((one) => one !== id)
        : [...form.paymentIds, id].slice(0, 5),
    });
  return (
    <Part title={text("post.paid")}>
      <div className="grid gap-3 sm:grid-cols-2">
        {own.map(({ paymentId, label, kind }) => (
          <div key={paymentId} className="rounded-control border border-line p-3">
            <Checkbox isSelected={form.paymentIds.includes(paymentId)} onChange={() => toggle(paymentId)}>
              {label} · {text(`pay.${kind}`)}
            </Checkbox>
          </div>
        ))}
        <SiteLink
          to="/otc/payments"
          className="rounded-control border border-line border-dashed p-3 text-center text-ui"
        >
          {text("payments.add")}
        </SiteLink>
      </div>
      {errors.paymentIds !== undefined && (
        <p role="alert" className="mt-2 text-[13px] text-danger">
          {errors.paymentIds}
        </p>
      )}
      <div className="mt-4 grid gap-4 sm:grid-cols-[200px_1fr]">
        <TextField
          label={text("post.window")}
          inputMode="numeric"
          value={form.windowMinutes}
          onChange={(windowMinutes) => set({ windowMinutes })}
          error={errors.windowMinutes && text("post.unmet.window")}
        />
        <TextField
          label={text("post.note")}
          maxLength={300}
          value={form.note}
          onChange={(note) => set({ note })}
          error={errors.note}
        />
      </div>
    </Part>
  );
}

export function Who({ form, set, errors }: PartProps) {
  const text = useOtcText();
  return (
    <Part title={text("post.who")}>
      <div className="mb-3 grid gap-4 sm:grid-cols-3">
        <TextField
          label={text("post.days")}
          inputMode="numeric"
          value={form.needDays}
          onChange={(needDays) => set({ needDays })}
          error={errors.needDays && text("post.unmet.days")}
        />
        <TextField
          label={text("post.orders")}
          inputMode="numeric"
          value={form.needOrders}
          onChange={(needOrders) => set({ needOrders })}
          error={errors.needOrders && text("post.unmet.orders")}
        />
        <TextField
          label={text("post.completion")}
          inputMode="numeric"
          value={form.needCompletion}
          onChange={(needCompletion) => set({ needCompletion })}
          error={errors.needCompletion && text("post.unmet.percent")}
        />
      </div>
      <div className="flex flex-wrap gap-x-6 gap-y-2">
        <Checkbox isSelected={form.isLevel3} onChange={(isLevel3) => set({ isLevel3 })}>
          {text("post.level3")}
        </Checkbox>
        <Checkbox isSelected={form.isTraded} onChange={(isTraded) => set({ isTraded })}>
          {text("post.traded")}
        </Checkbox>
      </div>
    </Part>
  );
}
