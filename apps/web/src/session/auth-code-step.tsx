// The step with six boxes: a code that was sent or that an app shows, a new one after a minute, and help when none
// came. The screen defines the call that checks the code.
import { formatMinutesLeft, useCountdown } from "@clockwork/ui/countdown";
import { useState } from "react";
import { SiteLink } from "#boot/site-link.tsx";
import { useGlobal } from "#boot/state.ts";
import { useAuthText } from "#words/auth-text.ts";
import { AuthWay } from "./auth-card.tsx";
import { CodeEntry } from "./code-entry.tsx";

/** The minute between two codes. */
export const RESEND_MS = 60_000;

export interface CodeStepProps {
  /** Answers what is wrong with the code, or nothing. */
  readonly onCode: (code: string) => Promise<string | undefined>;
  /** Absent where nothing is sent: an app shows the code. */
  readonly resend?: { readonly sentAtMs: number; readonly onResend: () => Promise<string | undefined> };
  readonly submit?: string;
  readonly share?: number | undefined;
}

export function CodeStep({ onCode, resend, submit, share }: CodeStepProps) {
  const text = useAuthText();
  const between = (say: (error: string | undefined) => void) => (
    <div className="mt-1 mb-5 flex min-h-5 items-center justify-between gap-3 text-[13px] text-muted">
      {resend === undefined ? <span /> : <Resend {...resend} onError={say} />}
      <span className="flex items-center gap-1.5 max-sm:hidden">
        {text("code.paste")}
        <kbd className="rounded-check border border-line2 px-1 font-sans text-axis">Ctrl V</kbd>
      </span>
    </div>
  );
  return (
    <>
      <CodeEntry
        label={text("code.label")}
        incomplete={text("code.incomplete")}
        submit={submit ?? text("step.continue")}
        onCode={onCode}
        share={share}
        between={between}
      />
      {resend !== undefined && <OutboxNote />}
    </>
  );
}

interface ResendProps {
  readonly sentAtMs: number;
  readonly onResend: () => Promise<string | undefined>;
  readonly onError: (error: string | undefined) => void;
}

function Resend({ sentAtMs, onResend, onError }: ResendProps) {
  const text = useAuthText();
  const [busy, setBusy] = useState(false);
  // The wait is counted by this browser alone; the server renders its start.
  const leftMs = useCountdown(sentAtMs + RESEND_MS, sentAtMs);
  const again = async () => {
    setBusy(true);
    onError(await onResend());
    setBusy(false);
  };
  if (leftMs > 0) return <span className="figures">{text("code.resendIn", { left: formatMinutesLeft(leftMs) })}</span>;
  return (
    <button
      type="button"
      disabled={busy}
      onClick={() => void again()}
      className="rounded-xs font-semibold text-text hover:text-accent disabled:text-faint dark:hover:text-text"
    >
      {text("code.resend")}
    </button>
  );
}

/** What to do when the app that shows the codes is gone, opened in place. */
export function LostAppWay() {
  const text = useAuthText();
  const [open, setOpen] = useState(false);
  return (
    <>
      <AuthWay icon="info" isOpen={open} onPress={() => setOpen(!open)}>
        {text("code.lostTotp")}
      </AuthWay>
      {open && (
        <ul className="mb-3 ml-7 list-disc pl-4 text-[13px] text-muted leading-5">
          <li>{text("code.lost1")}</li>
          <li>{text("code.lost2")}</li>
          <li>
            {text("code.lost3")}{" "}
            <SiteLink to="/contact-us" className="text-accent underline">
              {text("code.lostWrite")}
            </SiteLink>
          </li>
        </ul>
      )}
    </>
  );
}

/** Where nothing is sent for real, codes are read on a page of the installation. */
function OutboxNote() {
  const text = useAuthText();
  const hasOutbox = useGlobal((state) => state.hasOutbox);
  if (!hasOutbox) return null;
  return (
    <p className="mt-4 rounded-control bg-accent-soft p-3 text-[13px] leading-5">
      {text("code.outbox")}{" "}
      <a href="/dev/outbox" target="_blank" rel="noreferrer" className="whitespace-nowrap underline">
        {text("code.outboxOpen")}
      </a>
    </p>
  );
}

/** What to do when no code came, opened in place. */
export function NoCodeWay({ to }: { readonly to: string }) {
  const text = useAuthText();
  const [open, setOpen] = useState(false);
  return (
    <>
      <AuthWay icon="info" isOpen={open} onPress={() => setOpen(!open)}>
        {text("code.notGot")}
      </AuthWay>
      {open && (
        <ul className="mb-3 ml-7 list-disc pl-4 text-[13px] text-muted leading-5">
          <li>{text("code.help1", { to })}</li>
          <li>{text("code.help2")}</li>
        </ul>
      )}
    </>
  );
}
