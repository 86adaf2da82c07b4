// Chooses a picture and sends it to the chat or the evidence of an order.
import { OTC_ORDER_CALLS } from "@clockwork/fiat/otcorders/contract";
import { PICTURE_MEDIA_TYPES } from "@clockwork/kit/picture";
import { Button } from "@clockwork/ui/button";
import { useRef, useState } from "react";
import { useCalls } from "#session/auth-context.ts";
import { describeFailure, useAuthText } from "#words/auth-text.ts";

export interface PictureButtonProps {
  readonly orderId: string;
  readonly use: "chat" | "evidence";
  readonly label: string;
  /** Its name is written on it; else it is an icon, and named for those who cannot see it. */
  readonly isNamed?: boolean;
}

export function PictureButton({ orderId, use, label, isNamed = use !== "chat" }: PictureButtonProps) {
  const calls = useCalls();
  const words = useAuthText();
  const input = useRef<HTMLInputElement>(null);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const send = async (file: File | undefined) => {
    if (file === undefined) return;
    setBusy(true);
    const answer = await (await calls()).postFile(OTC_ORDER_CALLS.upload, file, { id: orderId, use });
    setBusy(false);
    setError(answer.ok ? undefined : describeFailure(words, answer));
  };
  return (
    <>
      <input
        ref={input}
        type="file"
        accept={PICTURE_MEDIA_TYPES.join(",")}
        className="hidden"
        aria-label={label}
        onChange={(event) => {
          void send(event.target.files?.[0]);
          event.target.value = "";
        }}
      />
      <Button size={36} icon="upload" busy={isBusy} aria-label={label} onPress={() => input.current?.click()}>
        {isNamed ? label : ""}
      </Button>
      {error !== undefined && <span className="text-[13px] text-down-text">{error}</span>}
    </>
  );
}
