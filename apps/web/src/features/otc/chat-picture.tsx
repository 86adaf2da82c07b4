// A picture of an order's chat: small in the list, whole in a dialog when it is clicked. The fetched data is released
// when it is no longer shown.
import { type FileSize, OTC_ORDER_CALLS } from "@clockwork/fiat/otcorders/contract";
import { useEffect, useState } from "react";
import { latePart } from "#boot/late-part.tsx";
import { useCalls } from "#session/auth-context.ts";
import { useOtcText } from "./otc-text.ts";

const Dialog = latePart(async () => (await import("@clockwork/ui/dialog")).Dialog);

/** The address of a picture's bytes in this page; undefined until they are there. */
function usePicture(fileId: string, size: FileSize): string | undefined {
  const calls = useCalls();
  const [source, setSource] = useState<string>();
  useEffect(() => {
    let isGone = false;
    let url: string | undefined;
    const load = async () => {
      const answer = await (await calls()).call(OTC_ORDER_CALLS.file, { id: fileId, size });
      if (!answer.ok || isGone) return;
      const bytes = Uint8Array.from(atob(answer.data.data), (letter) => letter.charCodeAt(0));
      url = URL.createObjectURL(new Blob([bytes], { type: answer.data.mediaType }));
      setSource(url);
    };
    void load();
    return () => {
      isGone = true;
      if (url !== undefined) URL.revokeObjectURL(url);
    };
  }, [calls, fileId, size]);
  return source;
}

export function ChatPicture({ fileId }: { readonly fileId: string }) {
  const text = useOtcText();
  const source = usePicture(fileId, "small");
  const [isOpen, setOpen] = useState(false);
  if (source === undefined) return <span className="text-label">{text("chat.shown")}</span>;
  return (
    <>
      <button type="button" className="block cursor-zoom-in" onClick={() => setOpen(true)}>
        <img src={source} alt={text("chat.enlarge")} className="max-h-48 rounded-control" />
      </button>
      {isOpen && (
        <Dialog isOpen size="large" title={text("chat.shown")} onOpenChange={setOpen}>
          <WholePicture fileId={fileId} />
        </Dialog>
      )}
    </>
  );
}

function WholePicture({ fileId }: { readonly fileId: string }) {
  const text = useOtcText();
  const source = usePicture(fileId, "full");
  if (source === undefined) return <p className="min-h-48 text-muted text-ui">{text("chat.loading")}</p>;
  return <img src={source} alt={text("chat.shown")} className="mx-auto max-h-[70vh] rounded-control" />;
}
