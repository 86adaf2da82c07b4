// Copies a text to the clipboard and confirms it for a moment, in place.

import { useEffect, useRef, useState } from "react";
import { Button, IconButton } from "./button.tsx";
import { useLabels } from "./locale.tsx";

export interface CopyButtonProps {
  readonly text: string;
  /** What is copied, for screen readers: "address". */
  readonly what?: string | undefined;
  /** With a word instead of an icon alone. */
  readonly worded?: boolean | undefined;
  readonly onCopy?: (() => void) | undefined;
  readonly className?: string | undefined;
}

const SAID_MS = 1_600;

/** Plain HTTP has no clipboard; a hidden field and the old command still work there. */
export async function writeClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = document.createElement("textarea");
    field.value = text;
    field.style.position = "fixed";
    field.style.opacity = "0";
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    return done;
  }
}

export function useCopy(text: string, onCopy?: () => void) {
  const [copied, setCopied] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = async () => {
    if (!(await writeClipboard(text))) return;
    setCopied(true);
    onCopy?.();
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setCopied(false), SAID_MS);
  };
  return { copied, copy };
}

export function CopyButton({ text, what, worded, onCopy, className }: CopyButtonProps) {
  const labels = useLabels();
  const { copied, copy } = useCopy(text, onCopy);
  const name = what === undefined ? labels.copy : `${labels.copy} ${what}`;
  return (
    <>
      {worded ? (
        <Button size={32} icon={copied ? "check" : "copy"} onPress={() => void copy()} className={className}>
          {copied ? labels.copied : labels.copy}
        </Button>
      ) : (
        <IconButton
          icon={copied ? "check" : "copy"}
          label={name}
          size={28}
          onPress={() => void copy()}
          className={className}
        />
      )}
      <span role="status" className="sr-only">
        {copied ? labels.copied : ""}
      </span>
    </>
  );
}
