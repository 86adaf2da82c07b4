// A place to drop files, with a bar and numbers for each. Sending is done by the given transport.

import { Button as AriaButton } from "react-aria-components/Button";
import { DropZone, type DropZoneProps } from "react-aria-components/DropZone";
import { FileTrigger } from "react-aria-components/FileTrigger";
import { IconButton } from "./button.tsx";
import { type UploadItem, type UploadTransport, useUpload } from "./hooks/use-upload.ts";
import { Icon } from "./icon.tsx";
import { useLabels } from "./locale.tsx";
import { cx } from "./logic/class-names.ts";
import { formatBytes, type UploadFault, type UploadRule } from "./logic/upload-rule.ts";

export interface UploadProps {
  /** "Choose a file or drop it here". */
  readonly label: string;
  /** "PNG or PDF, up to 10 MB". */
  readonly help?: string | undefined;
  readonly rule: UploadRule;
  readonly transport: UploadTransport;
  /** The server's names of all files that have arrived. */
  readonly onDone?: ((results: readonly string[]) => void) | undefined;
  readonly faultText: (fault: UploadFault | "failed") => string;
  readonly className?: string | undefined;
}

type DropEvent = Parameters<NonNullable<DropZoneProps["onDrop"]>>[0];

async function filesOf(event: DropEvent): Promise<readonly File[]> {
  const found = event.items.filter((item) => item.kind === "file");
  return Promise.all(found.map((item) => item.getFile()));
}

interface UploadRowProps {
  readonly item: UploadItem;
  readonly faultText: UploadProps["faultText"];
  readonly onRemove: () => void;
  readonly onRetry: () => void;
}

function UploadRow({ item, faultText, onRemove, onRetry }: UploadRowProps) {
  const labels = useLabels();
  const percent = Math.floor(item.share * 100);
  return (
    <li className="flex flex-col gap-1.5 rounded-control border border-line bg-surface px-3 py-2">
      <div className="flex items-center gap-2 text-[13px] leading-5">
        <Icon
          name={item.state === "failed" ? "warning" : item.state === "done" ? "check" : "document"}
          className={item.state === "failed" ? "text-danger" : "text-muted"}
        />
        <span className="min-w-0 flex-1 truncate text-text">{item.name}</span>
        <span className="figures text-label text-muted">
          {item.state === "sending" ? `${percent}% · ` : ""}
          {formatBytes(item.bytes)}
        </span>
        {item.state === "failed" && item.fault === undefined && (
          <IconButton icon="refresh" label={`${labels.retry} ${item.name}`} size={24} iconSize={14} onPress={onRetry} />
        )}
        <IconButton icon="close" label={`${labels.remove} ${item.name}`} size={24} iconSize={14} onPress={onRemove} />
      </div>
      {item.state === "sending" && (
        <span
          role="progressbar"
          aria-label={item.name}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={percent}
          className="h-1 overflow-hidden rounded-full bg-line-strong"
        >
          <span className="block h-full bg-text transition-[width] duration-150" style={{ width: `${percent}%` }} />
        </span>
      )}
      {item.state === "failed" && <span className="text-danger text-label">{faultText(item.fault ?? "failed")}</span>}
    </li>
  );
}

export function Upload({ label, help, rule, transport, onDone, faultText, className }: UploadProps) {
  const upload = useUpload(transport, rule, onDone);
  return (
    <div className={cx("flex flex-col gap-2", className)}>
      <DropZone
        aria-label={label}
        onDrop={(event) => void filesOf(event).then(upload.add)}
        className="rounded-control border border-line2 border-dashed bg-surface transition-colors duration-[120ms] hover:border-faint data-drop-target:border-accent data-drop-target:bg-accent-soft"
      >
        <FileTrigger
          acceptedFileTypes={[...rule.types]}
          allowsMultiple={rule.countMax > 1}
          onSelect={(list) => list && upload.add([...list])}
        >
          <AriaButton className="flex w-full flex-col items-center gap-1 rounded-control px-4 py-5 text-ui outline-offset-[-2px]">
            <Icon name="upload" size={20} className="mb-1 text-muted" />
            <span className="font-medium text-text">{label}</span>
            {help !== undefined && <span className="text-label text-muted">{help}</span>}
          </AriaButton>
        </FileTrigger>
      </DropZone>
      {upload.items.length > 0 && (
        <ul className="flex flex-col gap-2">
          {upload.items.map((item) => (
            <UploadRow
              key={item.id}
              item={item}
              faultText={faultText}
              onRemove={() => upload.remove(item.id)}
              onRetry={() => upload.retry(item.id)}
            />
          ))}
        </ul>
      )}
    </div>
  );
}
