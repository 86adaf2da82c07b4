// What a visitor is left with after sending a form: the number, the key, and the way to the status page.
import type { OpenedTicket } from "@clockwork/messaging/support/contract";
import { CopyButton } from "@clockwork/ui/copy-button";
import { SiteLink } from "#boot/site-link.tsx";
import { usePublicText } from "#words/public-text.ts";

interface OpenedNoteProps {
  readonly opened: OpenedTicket;
  /** Names of pictures that were not kept. */
  readonly lost: readonly string[];
}

export function OpenedNote({ opened, lost }: OpenedNoteProps) {
  const text = usePublicText();
  return (
    <div role="status" className="mt-4 grid gap-3">
      <p className="font-semibold">{text("public.form.sent", { number: opened.number })}</p>
      <p className="flex items-center gap-2 font-mono">
        {text("public.form.key", { key: opened.key })}
        <CopyButton text={`${opened.number} ${opened.key}`} />
      </p>
      <p className="text-muted">{text("public.form.keep")}</p>
      {lost.length > 0 && <p className="text-danger">{text("public.form.lost", { names: lost.join(", ") })}</p>}
      <p>
        <SiteLink to="/help/ticket" state={opened} className="font-medium text-accent underline underline-offset-4">
          {text("public.form.status")}
        </SiteLink>
      </p>
    </div>
  );
}
