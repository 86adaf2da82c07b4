// Empty and failing states: one line with the reason, one action that helps.

import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { Icon } from "./icon.tsx";
import { useLabels } from "./locale.tsx";
import { cx } from "./logic/class-names.ts";
import type { IconName } from "./logic/icon-paths.ts";

export interface EmptyStateProps {
  readonly text?: ReactNode;
  readonly icon?: IconName | undefined;
  /** A button or a link. */
  readonly action?: ReactNode;
  /** Draws the quiet box around it. */
  readonly boxed?: boolean | undefined;
  readonly className?: string | undefined;
}

export function EmptyState({ text, icon = "inbox", action, boxed, className }: EmptyStateProps) {
  const labels = useLabels();
  return (
    <div
      className={cx(
        "flex flex-col items-center justify-center gap-3 px-4 py-5 text-center text-muted text-ui",
        boxed && "rounded-control border border-line bg-surface",
        className,
      )}
    >
      <Icon name={icon} size={24} className="text-faint [stroke-width:1]" />
      <span>{text ?? labels.noData}</span>
      {action}
    </div>
  );
}

export interface ErrorStateProps {
  readonly title: string;
  /** What it means for the user, and what to do. */
  readonly detail?: ReactNode;
  readonly onRetry?: (() => void) | undefined;
  readonly busy?: boolean | undefined;
  /** The number for support. */
  readonly requestId?: string | undefined;
  readonly className?: string | undefined;
}

export function ErrorState({ title, detail, onRetry, busy, requestId, className }: ErrorStateProps) {
  const labels = useLabels();
  return (
    <div
      role="alert"
      className={cx("flex items-center gap-3 rounded-control border border-line bg-surface p-3 text-ui", className)}
    >
      <Icon name="warning" className="text-danger" />
      <span className="flex min-w-0 flex-1 flex-col">
        <span className="font-medium text-text">{title}</span>
        {detail !== undefined && <span className="text-label text-muted">{detail}</span>}
        {requestId !== undefined && <span className="select-all font-mono text-axis text-muted">{requestId}</span>}
      </span>
      {onRetry && (
        <Button size={32} busy={busy} onPress={onRetry} className="text-ui">
          {labels.retry}
        </Button>
      )}
    </div>
  );
}
