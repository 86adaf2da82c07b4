// One user under review: their details, their documents behind a button each, and the three decisions.
import { type BaseInfo, type FileKind, KYC_REVIEW_CALLS, type ReviewFile } from "@clockwork/identity/kyc/contract";
import { findCountry } from "@clockwork/kit/countries";
import { Button } from "@clockwork/ui/button";
import { Card } from "@clockwork/ui/card";
import { buttonClass } from "@clockwork/ui/logic/button-style";
import { TextArea } from "@clockwork/ui/text-area";
import { useState } from "react";
import { useCalls } from "#session/auth-context.ts";
import { FormError } from "#session/auth-fields.tsx";
import { describeOr, useAccountText } from "#words/account-text.ts";
import { describeFailure, useAuthText } from "#words/auth-text.ts";
import { useConsoleText } from "#words/console-text.ts";

export interface ReviewPersonProps {
  readonly user: string;
  readonly info: BaseInfo;
  readonly onDecide: (decision: "APPROVED" | "REJECTED" | "MORE_INFO", reason: string) => Promise<void>;
}

export function ReviewPerson({ user, info, onDecide }: ReviewPersonProps) {
  const text = useConsoleText();
  return (
    <div className="flex flex-col gap-4">
      <Card
        title={text("review.details")}
        aside={<span className="figures text-[13px] text-muted">{text("review.person", { id: user })}</span>}
      >
        <Details info={info} />
      </Card>
      <Card title={text("review.files")}>
        {info.files.length === 0 && <p className="text-muted text-ui">{text("review.noFiles")}</p>}
        {info.files.map((kind) => (
          <FileView key={kind} user={user} kind={kind} />
        ))}
      </Card>
      <Card>
        <Decision onDecide={onDecide} />
      </Card>
    </div>
  );
}

function Details({ info }: { readonly info: BaseInfo }) {
  const text = useConsoleText();
  const words = useAccountText();
  const { kind, state } = info.liveness;
  const rows: readonly (readonly [string, string])[] = [
    ...Object.entries(info.details).map(
      ([field, value]) =>
        [
          describeOr(words, `field.${field}`, field),
          field === "country"
            ? (findCountry(value)?.name ?? value)
            : field === "documentType"
              ? describeOr(words, `document.${value}`, value)
              : value,
        ] as const,
    ),
    [
      text("review.liveness"),
      `${text(`review.live.${state}`)}${state === "none" ? "" : ` (${text(`review.${kind}`)})`}`,
    ],
  ];
  return (
    <dl>
      {rows.map(([name, value]) => (
        <div key={name} className="flex min-h-10 items-center justify-between gap-4 border-line border-b last:border-0">
          <dt className="text-muted text-ui">{name}</dt>
          <dd className="min-w-0 break-words text-right text-ui">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function toAddress({ mediaType, data }: ReviewFile): string {
  const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
  return URL.createObjectURL(new Blob([bytes], { type: mediaType }));
}

/** Fetched on click and released when hidden again. */
function FileView({ user, kind }: { readonly user: string; readonly kind: FileKind }) {
  const text = useConsoleText();
  const words = useAccountText();
  const refusals = useAuthText();
  const calls = useCalls();
  const [shown, setShown] = useState<{ readonly url: string; readonly mediaType: string }>();
  const [error, setError] = useState<string>();
  const name = describeOr(words, `file.${kind}`, kind);
  const toggle = async () => {
    setError(undefined);
    if (shown !== undefined) {
      URL.revokeObjectURL(shown.url);
      setShown(undefined);
      return;
    }
    const answer = await (await calls()).call(KYC_REVIEW_CALLS.file, { user, kind });
    if (answer.ok) setShown({ url: toAddress(answer.data), mediaType: answer.data.mediaType });
    else setError(describeFailure(refusals, answer));
  };
  const action = text(shown === undefined ? "review.show" : "review.hide");
  return (
    <div className="border-line border-b py-3 first:pt-0 last:border-0 last:pb-0">
      <FormError>{error}</FormError>
      <div className="flex min-h-9 items-center justify-between gap-4">
        <span className="text-ui">{name}</span>
        <Button size={32} aria-label={`${action}: ${name}`} onPress={() => void toggle()}>
          {action}
        </Button>
      </div>
      {shown?.mediaType.startsWith("image/") === true && (
        <img src={shown.url} alt={name} className="mt-3 max-h-[480px] max-w-full rounded-control border border-line" />
      )}
      {shown?.mediaType === "application/pdf" && (
        <a
          href={shown.url}
          download={`${user}-${kind}.pdf`}
          className={`mt-3 ${buttonClass({ kind: "neutral", size: 32 })}`}
        >
          {text("review.open")}
        </a>
      )}
    </div>
  );
}

function Decision({ onDecide }: Pick<ReviewPersonProps, "onDecide">) {
  const text = useConsoleText();
  const [reason, setReason] = useState("");
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  const decide = async (decision: "APPROVED" | "REJECTED" | "MORE_INFO") => {
    const isMissing = decision !== "APPROVED" && reason.trim() === "";
    setError(isMissing ? text("review.reasonMissing") : undefined);
    if (isMissing || busy) return;
    setBusy(true);
    await onDecide(decision, decision === "APPROVED" ? "" : reason.trim());
    setBusy(false);
  };
  return (
    <>
      <TextArea
        label={text("review.reason")}
        value={reason}
        error={error}
        onChange={(value) => {
          setReason(value);
          setError(undefined);
        }}
        maxLength={500}
      />
      <div className="mt-4 flex flex-wrap gap-2">
        <Button kind="primary" size={40} busy={busy} onPress={() => void decide("APPROVED")}>
          {text("review.approve")}
        </Button>
        <Button size={40} isDisabled={busy} onPress={() => void decide("MORE_INFO")}>
          {text("review.more")}
        </Button>
        <Button size={40} isDisabled={busy} onPress={() => void decide("REJECTED")}>
          {text("review.reject")}
        </Button>
      </div>
    </>
  );
}
