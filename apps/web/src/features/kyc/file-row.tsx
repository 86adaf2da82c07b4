// One picture of a document or face: chosen, checked for kind and size, sent, and marked as uploaded. The file is not
// kept in the browser.
import { FILE_BYTES_MAX, type FileKind, KYC_CALLS } from "@clockwork/identity/kyc/contract";
import { PICTURE_MEDIA_TYPES } from "@clockwork/kit/picture";
import { Icon } from "@clockwork/ui/icon";
import { buttonClass } from "@clockwork/ui/logic/button-style";
import { useId, useState } from "react";
import { useCalls } from "#session/auth-context.ts";
import { describeOr, useAccountText } from "#words/account-text.ts";
import { describeFailure, useAuthText } from "#words/auth-text.ts";

const MEDIA_TYPES: readonly string[] = PICTURE_MEDIA_TYPES;
const UPLOAD_TIMEOUT_MS = 60_000;

export interface FileRowProps {
  readonly kind: FileKind;
  readonly isUploaded: boolean;
  /** Marked as what is still wanted. */
  readonly isMissing: boolean;
  readonly onUploaded: () => void;
  readonly onError: (error: string | undefined) => void;
}

export function FileRow({ kind, isUploaded, isMissing, onUploaded, onError }: FileRowProps) {
  const text = useAccountText();
  const words = useAuthText();
  const calls = useCalls();
  const id = useId();
  const [busy, setBusy] = useState(false);
  const send = async (file: File | undefined) => {
    if (file === undefined) return;
    if (!MEDIA_TYPES.includes(file.type) || file.size > FILE_BYTES_MAX) {
      onError(text("kyc.tooLarge"));
      return;
    }
    setBusy(true);
    onError(undefined);
    const answer = await (await calls()).postFile(KYC_CALLS.upload, file, { kind }, { timeoutMs: UPLOAD_TIMEOUT_MS });
    setBusy(false);
    if (answer.ok) onUploaded();
    else onError(describeFailure(words, answer));
  };
  return (
    <div className="mt-4 flex min-h-10 items-center justify-between gap-4">
      <span className="text-ui">
        {describeOr(text, `file.${kind}`, kind)}
        {isMissing && <span className="block text-danger text-label">{text("kyc.fileRequired")}</span>}
      </span>
      <span className="flex items-center gap-3">
        {isUploaded && (
          <span className="flex items-center gap-1.5 text-[13px]">
            <Icon name="check" size={14} />
            {text("kyc.uploaded")}
          </span>
        )}
        <label
          htmlFor={id}
          className={`${buttonClass({ kind: "neutral", size: 32 })} cursor-pointer focus-within:outline-2 focus-within:outline-accent ${busy ? "opacity-50" : ""}`}
        >
          {text("kyc.choose")}
          <span className="sr-only">: {describeOr(text, `file.${kind}`, kind)}</span>
          <input
            id={id}
            type="file"
            accept={MEDIA_TYPES.join(",")}
            disabled={busy}
            className="sr-only"
            onChange={(event) => void send(event.target.files?.[0])}
          />
        </label>
      </span>
    </div>
  );
}
