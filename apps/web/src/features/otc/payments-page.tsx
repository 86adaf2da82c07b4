// `/otc/payments`: the caller's payment accounts, adding one in their own name, and the users they blocked.
import { type BlockList, OTC_PEOPLE_CALLS, type PaymentList } from "@clockwork/fiat/otcpeople/contract";
import {
  FIATS,
  hasIban,
  PAYMENT_KINDS,
  type PaymentField,
  type PaymentKind,
  paymentFields,
  railOf,
} from "@clockwork/kit/otc/fiat";
import { filterDigitsHyphenUnderscore } from "@clockwork/kit/validate";
import { Button, IconButton } from "@clockwork/ui/button";
import { Card } from "@clockwork/ui/card";
import { EmptyState } from "@clockwork/ui/state";
import { TextField } from "@clockwork/ui/text-field";
import { Suspense, useState } from "react";
import { lazy } from "#boot/timeout.ts";
import { FormError } from "#session/auth-fields.tsx";
import { LateSelect } from "#shell/late-select.tsx";
import type { FreshProofProps } from "./fresh-proof.tsx";
import { useOtcAction } from "./otc-calls.ts";
import { OtcFrame } from "./otc-frame.tsx";
import { type OtcText, useOtcText } from "./otc-text.ts";

const FreshProof = lazy(() => import("./fresh-proof.tsx").then((part) => ({ default: part.FreshProof })));

export interface PaymentsPageProps {
  readonly first: PaymentList | null;
  readonly blocked: BlockList | null;
}

export function PaymentsPage({ first, blocked }: PaymentsPageProps) {
  const text = useOtcText();
  const action = useOtcAction();
  const [list, setList] = useState(first);
  const [isAdding, setAdding] = useState(first !== null && first.payments.length === 0);
  const [removed, setRemoved] = useState("");
  const remove = async (paymentId: string) => {
    setRemoved(paymentId);
    const next = await action.run(OTC_PEOPLE_CALLS.removePayment, { paymentId });
    if (next !== undefined) setList(next);
  };
  return (
    <OtcFrame title={text("nav.payments")}>
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_408px]">
        <Card
          title={text("nav.payments")}
          aside={
            <Button size={32} icon="plus" onPress={() => setAdding(!isAdding)}>
              {text("payments.add")}
            </Button>
          }
        >
          {action.isStale && <AskProof onProved={() => void remove(removed)} onClose={action.clear} />}
          <FormError>{action.isStale ? undefined : action.error}</FormError>
          {list === null && <EmptyState text={text("failed")} />}
          {list?.payments.length === 0 && <EmptyState text={text("payments.none")} />}
          <ul>
            {list?.payments.map(({ paymentId, kind, fiat, label, name }) => (
              <li key={paymentId} className="flex items-center gap-3 border-line border-t py-3 text-ui">
                <span className="min-w-0 flex-1">
                  <span className="block font-medium">{label}</span>
                  <span className="block text-label text-muted">
                    {text(`pay.${kind}`)} · {fiat} · {name}
                  </span>
                </span>
                <IconButton icon="trash" label={text("payments.remove")} onPress={() => void remove(paymentId)} />
              </li>
            ))}
          </ul>
        </Card>
        <div className="flex flex-col gap-4">
          {isAdding && (
            <AddAccount
              name={list?.name ?? ""}
              onAdded={(next) => {
                setList(next);
                setAdding(false);
              }}
            />
          )}
          <Blocked first={blocked} />
        </div>
      </div>
    </OtcFrame>
  );
}

function AskProof(props: FreshProofProps) {
  return (
    <Suspense>
      <FreshProof {...props} />
    </Suspense>
  );
}

/** By what the kind of account calls it. */
function labelOf(text: OtcText, kind: PaymentKind, fiat: string, name: PaymentField["name"]): string {
  if (name === "account" && kind === "card") return text("field.card");
  if (name === "account") return text(hasIban(fiat) ? "field.iban" : "field.account");
  if (name === "bank" && kind === "card") return text("field.issuer");
  if (name === "provider" && kind === "local") return text("field.rail", { rail: railOf(fiat) });
  if (name === "provider") return text("field.wallet");
  if (name === "handle" && kind === "wallet") return text("field.walletHandle");
  return text(`field.${name}`);
}

/** A card's number is copied with the hyphens its groups are printed with; nothing else is in it. */
function typed(kind: PaymentKind, name: string, value: string): string {
  return kind === "card" && name === "account" ? filterDigitsHyphenUnderscore(value) : value;
}

function AddAccount({ name, onAdded }: { readonly name: string; readonly onAdded: (list: PaymentList) => void }) {
  const text = useOtcText();
  const action = useOtcAction();
  const [kind, setKind] = useState<PaymentKind>("bank");
  const [fiat, setFiat] = useState("AED");
  const [holder, setHolder] = useState(name);
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const fields = paymentFields(kind, fiat);
  const save = async () => {
    const filled = Object.fromEntries(fields.map((field) => [field.name, values[field.name] ?? ""]));
    const list = await action.run(OTC_PEOPLE_CALLS.addPayment, { kind, fiat, name: holder, ...filled });
    if (list !== undefined) onAdded(list);
  };
  return (
    <Card title={text("payments.add")}>
      {/* Next to the form, not in it: its own form would submit this one too. */}
      {action.isStale && <AskProof onProved={() => void save()} onClose={action.clear} />}
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <FormError>{action.isStale ? undefined : action.error}</FormError>
        <LateSelect
          label={text("payments.kind")}
          value={kind}
          onChange={(next) => setKind(next as PaymentKind)}
          options={PAYMENT_KINDS.map((one) => ({ id: one, title: text(`pay.${one}`) }))}
        />
        <LateSelect
          label={text("list.currency")}
          value={fiat}
          onChange={setFiat}
          options={FIATS.map(({ code, name: title }) => ({ id: code, title: code, detail: title }))}
        />
        <TextField
          label={text("payments.name")}
          name="holder"
          value={holder}
          onChange={setHolder}
          {...(name === "" ? {} : { help: text("payments.nameHelp", { name }) })}
        />
        {fields.map((field) => (
          <TextField
            key={field.name}
            name={field.name}
            label={labelOf(text, kind, fiat, field.name)}
            value={values[field.name] ?? ""}
            onChange={(value) => setValues({ ...values, [field.name]: typed(kind, field.name, value) })}
            maxLength={60}
            error={action.fields[field.name]}
          />
        ))}
        <Button type="submit" kind="primary" size={40} busy={action.isBusy} isDisabled={holder === ""}>
          {text("payments.save")}
        </Button>
      </form>
    </Card>
  );
}

function Blocked({ first }: { readonly first: BlockList | null }) {
  const text = useOtcText();
  const action = useOtcAction();
  const [list, setList] = useState(first);
  const unblock = async (user: string) => {
    const next = await action.run(OTC_PEOPLE_CALLS.unblock, { user });
    if (next !== undefined) setList(next);
  };
  return (
    <Card title={text("nav.blocked")}>
      {(list === null || list.blocked.length === 0) && <p className="text-muted text-ui">{text("blocked.none")}</p>}
      <ul>
        {list?.blocked.map(({ user, name }) => (
          <li key={user} className="flex items-center justify-between gap-3 py-2 text-ui">
            {name}
            <Button size={28} onPress={() => void unblock(user)}>
              {text("blocked.unblock")}
            </Button>
          </li>
        ))}
      </ul>
    </Card>
  );
}
