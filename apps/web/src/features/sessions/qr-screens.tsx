// Signing in by a picture: the browser that shows it, and the signed-in device that reads it and decides.

import { QR_CALLS } from "@clockwork/identity/qr/contract";
import type { DataOf } from "@clockwork/kit/endpoint";
import { Button } from "@clockwork/ui/button";
import { Icon } from "@clockwork/ui/icon";
import { QrCode } from "@clockwork/ui/qr-code";
import { TextField } from "@clockwork/ui/text-field";
import { useCallback, useEffect, useRef, useState } from "react";
import { useNavigate, useSearchParams } from "react-router";
import { useSitePath } from "#boot/site-link.tsx";
import { AuthCard, AuthWay } from "#session/auth-card.tsx";
import { ANYBODY, useCalls, useSession } from "#session/auth-context.ts";
import { AuthForm, AuthSubmit, FieldRoom, FormError } from "#session/auth-fields.tsx";
import { carriedQuery } from "#session/login-path.ts";
import { AuthFrame } from "#shell/auth-frame.tsx";
import { describeFailure, useAuthText } from "#words/auth-text.ts";

const POLL_MS = 1_500;
type QrShown = DataOf<typeof QR_CALLS.create>;
type QrState = DataOf<typeof QR_CALLS.status>["state"];

/** A QR code and its state; polled until it is decided. */
function useQr(onConfirmed: () => void) {
  const calls = useCalls();
  const [shown, setShown] = useState<QrShown>();
  const [state, setState] = useState<QrState>("NEW");
  const confirmed = useRef(onConfirmed);
  useEffect(() => {
    confirmed.current = onConfirmed;
  });
  const show = useCallback(async () => {
    const answer = await (await calls()).call(QR_CALLS.create, {}, ANYBODY);
    setState(answer.ok ? "NEW" : "EXPIRED");
    setShown(answer.ok ? answer.data : undefined);
  }, [calls]);
  useEffect(() => void show(), [show]);
  useEffect(() => {
    if (shown === undefined || (state !== "NEW" && state !== "SCANNED")) return;
    const timer = setInterval(async () => {
      const body = { id: shown.id, secret: shown.secret };
      const answer = await (await calls()).call(QR_CALLS.status, body, ANYBODY);
      const next = answer.ok ? answer.data.state : answer.code === "QR_UNKNOWN" ? "EXPIRED" : state;
      if (next === "CONFIRMED") {
        clearInterval(timer);
        confirmed.current();
      }
      setState(next);
    }, POLL_MS);
    return () => clearInterval(timer);
  }, [shown, state, calls]);
  return { shown, state, show };
}

const WORDS = {
  NEW: "qr.waiting",
  SCANNED: "qr.scanned",
  CONFIRMED: "qr.scanned",
  REJECTED: "qr.rejected",
  EXPIRED: "qr.expired",
} as const;

/** `/login-cw?step=scan`: shows the picture. */
export function QrLogin() {
  const text = useAuthText();
  const navigate = useNavigate();
  const sitePath = useSitePath();
  const [search] = useSearchParams();
  const carried = carriedQuery(search);
  const { shown, state, show } = useQr(
    () => void navigate(`${sitePath("/operation-cw/stay-signed-in")}${carried}`, { replace: true }),
  );
  const over = state === "REJECTED" || state === "EXPIRED";
  return (
    <AuthCard
      title={text("qr.title")}
      lead={text("qr.lead")}
      ways={
        <AuthWay icon="lock" to={`/login-cw${carried}`}>
          {text("qr.password")}
        </AuthWay>
      }
    >
      <div className="flex flex-col items-center gap-3">
        <div className={`flex size-[200px] items-center justify-center ${over ? "opacity-20" : ""}`}>
          {shown !== undefined && <QrCode text={shown.content} label={text("qr.label")} sizePx={200} />}
        </div>
        {shown !== undefined && !over && (
          <code data-qr-content className="max-w-full break-all text-center text-label text-muted">
            {shown.content}
          </code>
        )}
        <p role="status" className="text-ui">
          {text(WORDS[state])}
        </p>
        {over && (
          <Button kind="primary" size={40} onPress={() => void show()}>
            {text("qr.renew")}
          </Button>
        )}
      </div>
    </AuthCard>
  );
}

interface Asking {
  readonly id: string;
  readonly deviceName: string;
  readonly address: string;
}

/** What a camera read, or the code alone as somebody typed it. */
const CONTENT = /^(?:https?:\/\/\S+[?&]code=)?([A-Za-z0-9_-]{16,64})$/;

/** `/operation-cw/scan-login`: a signed-in device reads the picture and decides. */
export function QrScan() {
  const text = useAuthText();
  const [asking, setAsking] = useState<Asking>();
  const [decided, setDecided] = useState<boolean>();
  const title = text(asking === undefined ? "qr.scanTitle" : "qr.confirmTitle");
  return (
    <AuthFrame title={title}>
      {decided !== undefined ? (
        <Decided accepted={decided} />
      ) : asking === undefined ? (
        <ScanForm onScanned={setAsking} />
      ) : (
        <Decide asking={asking} onDecided={setDecided} />
      )}
    </AuthFrame>
  );
}

function Decided({ accepted }: { readonly accepted: boolean }) {
  const text = useAuthText();
  const session = useSession();
  const home = useSitePath()("/");
  return (
    <AuthCard title={text(accepted ? "qr.confirmed" : "qr.refused")}>
      <Button size={48} wide onPress={() => void session().then((control) => control.enter(home))}>
        {text("qr.home")}
      </Button>
    </AuthCard>
  );
}

function ScanForm({ onScanned }: { readonly onScanned: (asking: Asking) => void }) {
  const text = useAuthText();
  const calls = useCalls();
  const [search] = useSearchParams();
  const read = search.get("code") ?? "";
  const [code, setCode] = useState(read);
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  // A camera leads here with the code: it is read at once, and nothing is decided by that.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for the code the page was opened with
  useEffect(() => {
    if (read !== "") void send();
  }, [read]);
  const send = async () => {
    const id = CONTENT.exec(code.trim())?.[1];
    if (busy) return;
    if (id === undefined) {
      setError(text("qr.codeInvalid"));
      return;
    }
    setBusy(true);
    const answer = await (await calls()).call(QR_CALLS.scan, { id });
    setBusy(false);
    if (answer.ok) onScanned({ id, ...answer.data });
    else setError(describeFailure(text, answer));
  };
  return (
    <AuthCard title={text("qr.scanTitle")} lead={text("qr.scanLead")}>
      <AuthForm onSubmit={() => void send()}>
        <FieldRoom>
          <TextField
            label={text("qr.codeLabel")}
            size={48}
            value={code}
            error={error}
            autoFocus
            onChange={(value) => {
              setCode(value);
              setError(undefined);
            }}
          />
        </FieldRoom>
        <AuthSubmit busy={busy}>{text("step.continue")}</AuthSubmit>
      </AuthForm>
    </AuthCard>
  );
}

interface DecideProps {
  readonly asking: Asking;
  readonly onDecided: (accepted: boolean) => void;
}

function Decide({ asking, onDecided }: DecideProps) {
  const text = useAuthText();
  const calls = useCalls();
  const [error, setError] = useState<string>();
  const decide = async (accept: boolean) => {
    const answer = await (await calls()).call(QR_CALLS.confirm, { id: asking.id, accept });
    if (answer.ok) onDecided(accept);
    else setError(describeFailure(text, answer));
  };
  return (
    <AuthCard
      title={text("qr.confirmTitle")}
      lead={text("qr.device", { device: asking.deviceName, address: asking.address })}
    >
      <FormError>{error}</FormError>
      <div className="flex flex-col gap-2">
        <Button kind="primary" size={48} wide onPress={() => void decide(true)}>
          <Icon name="check" /> {text("qr.confirm")}
        </Button>
        <Button size={48} wide onPress={() => void decide(false)}>
          {text("qr.refuse")}
        </Button>
      </div>
    </AuthCard>
  );
}
