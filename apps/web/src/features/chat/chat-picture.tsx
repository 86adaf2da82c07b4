// A picture of the support chat. The fetched data is released when it is no longer shown.
import { CHAT_CALLS } from "@clockwork/messaging/support/contract";
import { useEffect, useState } from "react";
import { useCalls } from "#session/auth-context.ts";

export function ChatPicture({ fileId, name }: { readonly fileId: number; readonly name: string }) {
  const calls = useCalls();
  const [source, setSource] = useState<string>();
  useEffect(() => {
    let isGone = false;
    let url: string | undefined;
    const load = async () => {
      const answer = await (await calls()).call(CHAT_CALLS.file, { id: fileId });
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
  }, [calls, fileId]);
  if (source === undefined) return <span className="text-label">{name}</span>;
  return (
    <a href={source} target="_blank" rel="noreferrer">
      <img src={source} alt={name} className="max-h-48 rounded-control" />
    </a>
  );
}
