// The form of a key, new or existing: name, signature, permissions, addresses. The server's refusals appear next to
// their fields.
import {
  type AddedKey,
  API_KEY_CALLS,
  type ApiKey,
  type KeyKind,
  LABEL_LENGTH_MAX,
  ORDER_RATE_MAX,
} from "@clockwork/identity/apikeys/contract";
import type { KeyPermission } from "@clockwork/kit/caller";
import { Button } from "@clockwork/ui/button";
import { RadioGroup } from "@clockwork/ui/radio";
import { TextArea } from "@clockwork/ui/text-area";
import { TextField } from "@clockwork/ui/text-field";
import { type FormEvent, useState } from "react";
import { useCalls } from "#session/auth-context.ts";
import { FormError } from "#session/auth-fields.tsx";
import { describeFailure, useAuthText } from "#words/auth-text.ts";
import { findWrongAddress, judgeKeyText, listAddresses } from "./key-rules.ts";
import { useKeysText } from "./keys-text.ts";
import { PermissionList } from "./permissions.tsx";

export interface KeyFormProps {
  /** Left out, a new one is made. */
  readonly entry?: ApiKey | undefined;
  /** The user's current address. */
  readonly address: string;
  readonly onCancel: () => void;
  readonly onStale: () => void;
  readonly onDone: (added: (AddedKey & { readonly label: string }) | undefined) => void;
}

interface Draft {
  readonly label: string;
  readonly kind: KeyKind;
  readonly publicKey: string;
  readonly permissions: readonly KeyPermission[];
  readonly addresses: string;
  readonly rate: string;
}

function draftOf(entry: ApiKey | undefined): Draft {
  return {
    label: entry?.label ?? "",
    kind: "ED25519",
    publicKey: "",
    permissions: (entry?.permissions as KeyPermission[] | undefined) ?? ["read"],
    addresses: entry?.ipList.join("\n") ?? "",
    rate: String(entry?.orderRate ?? ORDER_RATE_MAX),
  };
}

function isRate(text: string): boolean {
  return /^[1-9][0-9]?$/.test(text.trim()) && Number(text) <= ORDER_RATE_MAX;
}

export function KeyForm({ entry, address, onCancel, onStale, onDone }: KeyFormProps) {
  const text = useKeysText();
  const words = useAuthText();
  const calls = useCalls();
  const [draft, setDraft] = useState(() => draftOf(entry));
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<{ readonly field: string; readonly message: string }>();
  const change = (part: Partial<Draft>) => {
    setFailure(undefined);
    setDraft((before) => ({ ...before, ...part }));
  };
  const ipList = listAddresses(draft.addresses);
  const permissions = draft.permissions.filter((name) => name !== "withdraw" || ipList.length > 0);
  const send = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    const request = await calls();
    const orderRate = Number(draft.rate);
    const shared = { label: draft.label.trim(), permissions: [...permissions], ipList, orderRate };
    const asymmetric = draft.kind === "HMAC" ? {} : { publicKey: draft.publicKey.trim() };
    const answer =
      entry === undefined
        ? await request.call(API_KEY_CALLS.add, { ...shared, kind: draft.kind, ...asymmetric })
        : await request.call(API_KEY_CALLS.update, { ...shared, apiKey: entry.apiKey });
    setBusy(false);
    if (answer.ok) onDone(entry === undefined ? { ...(answer.data as AddedKey), label: shared.label } : undefined);
    else if (answer.code === "STEP_UP_REQUIRED") onStale();
    else setFailure({ field: FIELD_OF[answer.code] ?? "", message: describeFailure(words, answer) });
  };
  const wrong = (field: string) => (failure?.field === field ? { error: failure.message } : {});
  const wrongAddress = findWrongAddress(ipList);
  const isKeyed = entry !== undefined || draft.kind === "HMAC" || judgeKeyText(draft.kind, draft.publicKey) === "good";
  const missing =
    draft.label.trim() === ""
      ? "create.needsName"
      : !isKeyed
        ? draft.publicKey.trim() === ""
          ? "create.needsKey"
          : "create.needsKeyGood"
        : wrongAddress !== undefined
          ? "create.needsAddress"
          : isRate(draft.rate)
            ? undefined
            : "create.needsRate";
  return (
    <form className="flex flex-col gap-5" onSubmit={(event) => void send(event)}>
      <TextField
        label={text("keys.name")}
        value={draft.label}
        onChange={(label) => change({ label })}
        maxLength={LABEL_LENGTH_MAX}
        isRequired
        autoFocus
      />
      {entry === undefined && <Signature draft={draft} onChange={change} wrong={wrong("publicKey")} />}
      <PermissionList
        value={permissions}
        hasAddresses={ipList.length > 0}
        onChange={(value) => change({ permissions: value })}
      />
      <Addresses
        draft={draft}
        address={address}
        onChange={change}
        wrong={
          wrongAddress === undefined ? wrong("ipList") : { error: text("create.addressBad", { entry: wrongAddress }) }
        }
      />
      <TextField
        label={text("create.rate")}
        inputMode="numeric"
        maxLength={2}
        value={draft.rate}
        onChange={(rate) => change({ rate })}
        help={text("create.rateHint", { max: ORDER_RATE_MAX })}
        {...(isRate(draft.rate) ? {} : { error: text("create.rateBad", { max: ORDER_RATE_MAX }) })}
      />
      <p className="text-[13px] text-muted">{text(ipList.length === 0 ? "create.ends" : "create.endsNever")}</p>
      <FormError>{failure !== undefined && failure.field === "" ? failure.message : undefined}</FormError>
      {missing !== undefined && (
        <p role="status" className="-mb-2 text-right text-[13px] text-muted">
          {text(missing)}
        </p>
      )}
      <div className="grid grid-cols-2 gap-3">
        <Button size={40} wide onPress={onCancel}>
          {text("create.cancel")}
        </Button>
        <Button type="submit" kind="primary" size={40} wide busy={busy} isDisabled={missing !== undefined}>
          {text(entry === undefined ? "create.confirm" : "edit.confirm")}
        </Button>
      </div>
    </form>
  );
}

const FIELD_OF: Readonly<Record<string, string>> = {
  PUBLIC_KEY_INVALID: "publicKey",
  IP_LIST_INVALID: "ipList",
  IP_LIST_REQUIRED: "ipList",
};

interface AddressesProps extends SignatureProps {
  readonly address: string;
}

function Addresses({ draft, address, onChange, wrong }: AddressesProps) {
  const text = useKeysText();
  const list = listAddresses(draft.addresses);
  const add = () => onChange({ addresses: [...list, address].join("\n") });
  return (
    <div className="flex flex-col items-start gap-2">
      <TextArea
        label={text("create.addresses")}
        help={list.length === 0 ? text("create.addressNone") : text("create.addressHint")}
        rows={2}
        value={draft.addresses}
        onChange={(addresses) => onChange({ addresses })}
        className="w-full"
        {...wrong}
      />
      {address !== "" && (
        <Button size={32} icon="plus" isDisabled={list.includes(address)} onPress={add}>
          {text("create.device", { address })}
        </Button>
      )}
    </div>
  );
}

interface SignatureProps {
  readonly draft: Draft;
  readonly onChange: (part: Partial<Draft>) => void;
  readonly wrong: { readonly error?: string };
}

/** The message below a public key while it is typed. */
function judged(text: ReturnType<typeof useKeysText>, kind: "ED25519" | "RSA", typed: string) {
  switch (judgeKeyText(kind, typed)) {
    case "empty":
      return {};
    case "good":
      return { help: text("create.keyGood", { kind: kind === "RSA" ? "RSA" : "Ed25519" }) };
    case "private":
      return { error: text("create.keyPrivate") };
    case "other":
      return { error: text("create.keyOther") };
    case "bad":
      return { error: text("create.keyBad") };
  }
}

function Signature({ draft, onChange, wrong }: SignatureProps) {
  const text = useKeysText();
  return (
    <>
      <RadioGroup
        boxed
        label={text("create.signature")}
        value={draft.kind}
        onChange={(kind) => onChange({ kind: kind as KeyKind })}
        options={[
          { value: "ED25519", title: "Ed25519", note: text("create.ed25519") },
          { value: "HMAC", title: "HMAC-SHA256", note: text("create.hmac") },
          { value: "RSA", title: "RSA", note: text("create.rsa") },
        ]}
      />
      {draft.kind !== "HMAC" && (
        <TextArea
          label={text("create.publicKey")}
          rows={4}
          value={draft.publicKey}
          onChange={(publicKey) => onChange({ publicKey })}
          placeholder="-----BEGIN PUBLIC KEY-----"
          className="[&_textarea]:font-mono [&_textarea]:text-[13px]"
          {...judged(text, draft.kind, draft.publicKey)}
          {...wrong}
        />
      )}
    </>
  );
}
