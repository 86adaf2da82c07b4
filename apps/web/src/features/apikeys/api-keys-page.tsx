// `/api-keys`: the keys of an account, made, edited and deleted after a fresh proof, and how to connect with one.
import { type AddedKey, API_KEY_CALLS, type ApiKey, type ApiKeyList } from "@clockwork/identity/apikeys/contract";
import { Button } from "@clockwork/ui/button";
import { Card } from "@clockwork/ui/card";
import { Icon } from "@clockwork/ui/icon";
import { buttonClass } from "@clockwork/ui/logic/button-style";
import { SkeletonRows } from "@clockwork/ui/skeleton";
import { Suspense, useState } from "react";
import { useRevalidator } from "react-router";
import { latePart } from "#boot/late-part.tsx";
import { SiteLink } from "#boot/site-link.tsx";
import { lazy } from "#boot/timeout.ts";
import { useCalls } from "#session/auth-context.ts";
import { FormError } from "#session/auth-fields.tsx";
import type { StepUpKind } from "#session/step-up-calls.ts";
import { AccountFrame } from "#shell/account-frame.tsx";
import { SecurityModal } from "#shell/proof/security-modal.tsx";
import { StepUp } from "#shell/proof/step-up.tsx";
import { describeFailure, useAuthText } from "#words/auth-text.ts";
import { KeyTable } from "./key-table.tsx";
import { useKeysText } from "./keys-text.ts";

const LimitsCard = latePart(async () => (await import("./limits-card.tsx")).LimitsCard);
const ConnectCard = latePart(async () => (await import("./connect-card.tsx")).ConnectCard);
const KeyForm = lazy(() => import("./key-form.tsx").then((part) => ({ default: part.KeyForm })));
const SecretView = lazy(() => import("./secret-view.tsx").then((part) => ({ default: part.SecretView })));

/** How the account proves itself, and whether it just did. */
export interface ProofState {
  readonly stepUp: StepUpKind;
  readonly hasPasskeys: boolean;
  readonly isVerified: boolean;
}

export interface ApiKeysPageProps {
  readonly list: ApiKeyList;
  readonly overview: ProofState;
  readonly origin: string;
  readonly nowMs: number;
}

type Shown =
  | { readonly kind: "form"; readonly entry?: ApiKey }
  | { readonly kind: "secret"; readonly added: AddedKey & { readonly label: string } }
  | { readonly kind: "renew"; readonly entry: ApiKey }
  | { readonly kind: "delete"; readonly entry: ApiKey };

export function ApiKeysPage({ list, overview, origin, nowMs }: ApiKeysPageProps) {
  const text = useKeysText();
  const [shown, setShown] = useState<Shown>();
  const isFull = list.keys.length >= list.keysMax;
  return (
    <AccountFrame
      title={text("keys.title")}
      mark={
        list.isSimulated && (
          <span className="inline-flex h-6 items-center rounded-full bg-info-soft px-2.5 text-info text-label">
            {text("keys.simulated")}
          </span>
        )
      }
      lead={text("keys.count", { count: list.keys.length, max: list.keysMax })}
      aside={
        <div className="flex flex-wrap gap-2">
          <SiteLink to="/api-docs" className={buttonClass({ kind: "neutral", size: 40 })}>
            <Icon name="external" />
            {text("keys.reference")}
          </SiteLink>
          <Button size={40} icon="plus" isDisabled={isFull} onPress={() => setShown({ kind: "form" })}>
            {text("keys.create")}
          </Button>
        </div>
      }
    >
      <Card flush className="px-5 py-2">
        <KeyTable
          keys={list.keys}
          nowMs={nowMs}
          onRenew={(entry) => setShown({ kind: "renew", entry })}
          onEdit={(entry) => setShown({ kind: "form", entry })}
          onDelete={(entry) => setShown({ kind: "delete", entry })}
        />
      </Card>
      <p className="mt-3 mb-6 flex items-start gap-2 text-[13px] text-muted">
        <Icon name="info" className="mt-0.5 shrink-0" />
        {text("keys.note")}
      </p>
      <div className="grid grid-cols-1 items-start gap-6 xl:grid-cols-[minmax(0,1fr)_360px]">
        <ConnectCard origin={origin} />
        <LimitsCard limits={list.limits} address={list.address} />
      </div>
      {shown !== undefined && <Over shown={shown} address={list.address} overview={overview} onShow={setShown} />}
    </AccountFrame>
  );
}

interface OverProps {
  readonly shown: Shown;
  readonly address: string;
  readonly overview: ProofState;
  readonly onShow: (shown: Shown | undefined) => void;
}

/** The dialog over the page: first a fresh proof where one is required, then the content itself. */
function Over({ shown, address, overview, onShow }: OverProps) {
  const text = useKeysText();
  const { revalidate } = useRevalidator();
  const [proved, setProved] = useState(overview.isVerified);
  const close = () => onShow(undefined);
  const done = () => {
    close();
    void revalidate();
  };
  if (shown.kind === "secret") return <Secret added={shown.added} onDone={done} />;
  if (shown.kind === "delete") return <DeleteKey entry={shown.entry} onClose={close} />;
  if (!proved) {
    const { stepUp, hasPasskeys } = overview;
    return <StepUp kind={stepUp} hasPasskeys={hasPasskeys} onProved={() => setProved(true)} onClose={close} />;
  }
  if (shown.kind === "renew") {
    return <RenewKey entry={shown.entry} onStale={() => setProved(false)} onClose={close} onDone={done} />;
  }
  const title = shown.entry === undefined ? text("create.title") : text("edit.title", { label: shown.entry.label });
  return (
    <SecurityModal wide title={title} onClose={close}>
      <Suspense fallback={<SkeletonRows rows={8} />}>
        <KeyForm
          entry={shown.entry}
          address={address}
          onCancel={close}
          onStale={() => setProved(false)}
          onDone={(added) => {
            onShow(added === undefined ? undefined : { kind: "secret", added });
            if (added === undefined) void revalidate();
          }}
        />
      </Suspense>
    </SecurityModal>
  );
}

interface SecretProps {
  readonly added: AddedKey & { readonly label: string };
  readonly onDone: () => void;
}

/** The cross confirms first: a closed secret is never shown again. */
function Secret({ added, onDone }: SecretProps) {
  const text = useKeysText();
  const [isLeaving, setLeaving] = useState(false);
  const leave = () => (added.secret === undefined || isLeaving ? onDone() : setLeaving(true));
  return (
    <SecurityModal title={text("secret.title", { label: added.label })} onClose={leave}>
      {isLeaving && (
        <div role="alert" className="mb-4 flex flex-col gap-3 rounded-control bg-warn-soft p-3 text-[13px] text-warn">
          <p>{text("secret.leave")}</p>
          <div className="flex gap-2">
            <Button size={32} onPress={() => setLeaving(false)}>
              {text("secret.back")}
            </Button>
            <Button kind="sell" size={32} onPress={onDone}>
              {text("secret.close")}
            </Button>
          </div>
        </div>
      )}
      <Suspense>
        <SecretView added={added} onDone={onDone} />
      </Suspense>
    </SecurityModal>
  );
}

interface RenewProps {
  readonly entry: ApiKey;
  readonly onStale: () => void;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** An unchanged key restarts its ninety days. */
function RenewKey({ entry, onStale, onClose, onDone }: RenewProps) {
  const text = useKeysText();
  const words = useAuthText();
  const calls = useCalls();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const renew = async () => {
    setBusy(true);
    const answer = await (await calls()).call(API_KEY_CALLS.update, { apiKey: entry.apiKey });
    setBusy(false);
    if (answer.ok) return onDone();
    if (answer.code === "STEP_UP_REQUIRED") return onStale();
    return setError(describeFailure(words, answer));
  };
  return (
    <SecurityModal title={text("renew.title", { label: entry.label })} lead={text("renew.lead")} onClose={onClose}>
      <FormError>{error}</FormError>
      <div className="grid grid-cols-2 gap-3">
        <Button size={40} wide onPress={onClose}>
          {text("create.cancel")}
        </Button>
        <Button kind="primary" size={40} wide busy={busy} onPress={() => void renew()}>
          {text("keys.renew")}
        </Button>
      </div>
    </SecurityModal>
  );
}

function DeleteKey({ entry, onClose }: { readonly entry: ApiKey; readonly onClose: () => void }) {
  const text = useKeysText();
  const words = useAuthText();
  const calls = useCalls();
  const { revalidate } = useRevalidator();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const remove = async () => {
    setBusy(true);
    const answer = await (await calls()).call(API_KEY_CALLS.remove, { apiKey: entry.apiKey });
    setBusy(false);
    // Gone already is what was wanted.
    if (!answer.ok && answer.code !== "API_KEY_UNKNOWN") return setError(describeFailure(words, answer));
    onClose();
    await revalidate();
    return undefined;
  };
  return (
    <SecurityModal
      title={text("keys.deleteTitle", { label: entry.label })}
      lead={text("keys.deleteLead")}
      onClose={onClose}
    >
      <FormError>{error}</FormError>
      <div className="grid grid-cols-2 gap-3">
        <Button size={40} wide onPress={onClose}>
          {text("create.cancel")}
        </Button>
        <Button kind="sell" size={40} wide busy={busy} onPress={() => void remove()}>
          {text("keys.delete")}
        </Button>
      </div>
    </SecurityModal>
  );
}
