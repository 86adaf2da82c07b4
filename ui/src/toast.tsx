// Short notices in a queue: at most three visible, with a link to their subject. Success is neutral.

import type { ReactNode } from "react";
import { Button as AriaButton } from "react-aria-components/Button";
import { Link } from "react-aria-components/Link";
import { Text } from "react-aria-components/Text";
import {
  UNSTABLE_Toast as AriaToast,
  type QueuedToast,
  UNSTABLE_ToastContent as ToastContent,
  UNSTABLE_ToastQueue as ToastQueue,
  UNSTABLE_ToastRegion as ToastRegion,
} from "react-aria-components/Toast";
import { Icon } from "./icon.tsx";
import { useLabels } from "./locale.tsx";
import { cx } from "./logic/class-names.ts";
import type { IconName } from "./logic/icon-paths.ts";
import { TOAST_EVENT } from "./logic/toast-event.ts";

export type ToastTone = "done" | "info" | "warn" | "danger";

export interface ToastMessage {
  readonly title: string;
  readonly detail?: ReactNode;
  readonly tone?: ToastTone | undefined;
  readonly action?: { readonly label: string; readonly href?: string; readonly onPress?: () => void } | undefined;
}

const VISIBLE_MAX = 3;
const SHOWN_MS = 6_000;
const queue = new ToastQueue<ToastMessage>({ maxVisibleToasts: VISIBLE_MAX });

/** Browser only. Returns the function that removes the toast. A danger toast remains until it is closed. */
export function showToast(message: ToastMessage, shownMs: number = SHOWN_MS): () => void {
  const stays = message.tone === "danger";
  const key = queue.add(message, stays ? {} : { timeout: shownMs });
  // For code that loads after the event.
  document.documentElement.dataset.toasts = "1";
  dispatchEvent(new Event(TOAST_EVENT));
  return () => queue.close(key);
}

const TONES: Readonly<Record<ToastTone, { readonly icon: IconName; readonly tone: string }>> = {
  done: { icon: "check", tone: "text-text" },
  info: { icon: "info", tone: "text-info" },
  warn: { icon: "warning", tone: "text-warn" },
  danger: { icon: "warning", tone: "text-danger" },
};

function ToastAction({
  action,
  close,
}: {
  readonly action: NonNullable<ToastMessage["action"]>;
  readonly close: () => void;
}) {
  const look =
    "rounded-xs border-text border-b font-medium text-text no-underline hover:border-accent hover:text-accent dark:hover:text-text";
  if (action.href !== undefined) {
    return (
      <Link href={action.href} onPress={close} className={look}>
        {action.label}
      </Link>
    );
  }
  const press = () => {
    action.onPress?.();
    close();
  };
  return (
    <AriaButton onPress={press} className={look}>
      {action.label}
    </AriaButton>
  );
}

/** One notice as it looks; used by the region, and by pages that show one in place. */
export function ToastBody({
  message,
  onClose,
  inQueue = false,
}: {
  readonly message: ToastMessage;
  readonly onClose: () => void;
  readonly inQueue?: boolean;
}) {
  const labels = useLabels();
  const { icon, tone } = TONES[message.tone ?? "done"];
  const title = "font-semibold text-text text-ui";
  return (
    <>
      <Icon name={icon} className={cx("mt-0.5", tone)} />
      <span data-toast-words="" className="flex min-w-0 flex-1 flex-col">
        {inQueue ? (
          <Text slot="title" className={title}>
            {message.title}
          </Text>
        ) : (
          <span className={title}>{message.title}</span>
        )}
        {(message.detail !== undefined || message.action) && (
          <span className="figures text-label text-muted leading-5">
            {message.detail} {message.action && <ToastAction action={message.action} close={onClose} />}
          </span>
        )}
      </span>
      <AriaButton
        {...(inQueue ? { slot: "close" } : { onPress: onClose })}
        aria-label={labels.close}
        className="-m-1 flex size-6 items-center justify-center self-start rounded-check text-muted hover:text-text"
      >
        <Icon name="close" size={14} />
      </AriaButton>
    </>
  );
}

export const TOAST_CLASS =
  "flex w-full items-start gap-3 rounded-control bg-raised p-3 text-text shadow-raised outline-offset-2";

function renderToast({ toast }: { readonly toast: QueuedToast<ToastMessage> }) {
  return (
    <AriaToast toast={toast} data-toast="" className={TOAST_CLASS}>
      <ToastContent className="flex min-w-0 flex-1 items-start gap-3">
        <ToastBody message={toast.content} onClose={() => queue.close(toast.key)} inQueue />
      </ToastContent>
    </AriaToast>
  );
}

/** Once per page, near the root. */
export function Toasts() {
  const labels = useLabels();
  return (
    <ToastRegion
      queue={queue}
      aria-label={labels.notices}
      data-toasts=""
      className="fixed right-4 bottom-4 z-toast flex w-[376px] max-w-[calc(100vw-32px)] flex-col-reverse gap-2 rounded-control outline-offset-4 max-lg:bottom-20"
    >
      {renderToast}
    </ToastRegion>
  );
}
