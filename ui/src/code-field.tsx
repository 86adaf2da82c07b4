// Six boxes for a one-time code: paste anywhere, arrows, backspace, and the phone's own code suggestion.

import { CAPTCHA_LENGTH } from "@clockwork/kit/constants";
import { type ClipboardEvent, type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from "react";
import { Icon } from "./icon.tsx";
import { useLabels } from "./locale.tsx";
import { cx } from "./logic/class-names.ts";
import {
  type CodeKey,
  type CodeState,
  emptyCode,
  enterDigits,
  isComplete,
  pressKey,
  readCode,
  toBoxes,
} from "./logic/code-input.ts";

export interface CodeFieldProps {
  readonly label: string;
  readonly labelHidden?: boolean | undefined;
  readonly value: string;
  readonly onChange: (code: string) => void;
  /** Called once when the last box fills. */
  readonly onComplete?: ((code: string) => void) | undefined;
  readonly length?: number | undefined;
  readonly error?: string | undefined;
  readonly isDisabled?: boolean | undefined;
  readonly autoFocus?: boolean | undefined;
  /** Boxes share the width of the form instead of their own 48 px. */
  readonly wide?: boolean | undefined;
  readonly className?: string | undefined;
}

const KEYS: readonly string[] = ["Backspace", "Delete", "ArrowLeft", "ArrowRight", "Home", "End"];

function useCode({ value, onChange, onComplete, error, length = CAPTCHA_LENGTH }: CodeFieldProps) {
  const inputs = useRef<Array<HTMLInputElement | null>>([]);
  const wanted = useRef<number | undefined>(undefined);
  const [boxes, setBoxes] = useState(() => toBoxes(value, length));
  const shown = readCode(boxes) === value ? boxes : toBoxes(value, length);
  const isEmptied = value === "" && shown !== boxes;

  // Cleared by its form: the next code starts in the first box.
  useLayoutEffect(() => {
    if (!isEmptied) return;
    setBoxes(emptyCode(length));
    const isHere = inputs.current.some((input) => input !== null && input === document.activeElement);
    if (isHere || error !== undefined) inputs.current[0]?.focus();
  }, [isEmptied, length, error]);

  useLayoutEffect(() => {
    if (wanted.current === undefined) return;
    const input = inputs.current[wanted.current];
    wanted.current = undefined;
    input?.focus();
    input?.select();
  });

  const apply = (before: CodeState, after: CodeState) => {
    wanted.current = after.focus;
    // A fresh list even when only the focus moves, so that the focus is put after the next render.
    setBoxes([...after.boxes]);
    if (readCode(after.boxes) !== readCode(before.boxes)) onChange(readCode(after.boxes));
    if (isComplete(after.boxes) && !isComplete(before.boxes)) onComplete?.(readCode(after.boxes));
  };
  const at = (focus: number): CodeState => ({ boxes: shown, focus });
  return {
    inputs,
    shown,
    type: (index: number, text: string) => {
      // The box holds its old digit and the new one: only the new one counts.
      const old = shown[index] ?? "";
      const fresh = text.length > 1 && old !== "" && text.includes(old) ? text.replace(old, "") : text;
      apply(at(index), text === "" ? pressKey(at(index), "Delete") : enterDigits(at(index), fresh));
    },
    paste: (index: number, event: ClipboardEvent) => {
      event.preventDefault();
      apply(at(index), enterDigits(at(index), event.clipboardData.getData("text")));
    },
    press: (index: number, event: KeyboardEvent) => {
      if (!KEYS.includes(event.key) || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      apply(at(index), pressKey(at(index), event.key as CodeKey));
    },
  };
}

const BOX = "code-box";

export function CodeField(props: CodeFieldProps) {
  const labels = useLabels();
  const id = useId();
  const code = useCode(props);
  const { label, labelHidden, error, isDisabled, autoFocus, wide, className } = props;
  return (
    <fieldset
      className={cx("flex min-w-0 flex-col gap-1", className)}
      aria-describedby={error ? `${id}-error` : undefined}
    >
      <legend className={labelHidden ? "sr-only" : "mb-1 text-text text-ui"}>{label}</legend>
      <div className={cx("flex", "gap-2")}>
        {code.shown.map((digit, index) => (
          <input
            // biome-ignore lint/suspicious/noArrayIndexKey: the boxes never move; the place is the identity
            key={index}
            ref={(element) => {
              code.inputs.current[index] = element;
            }}
            // biome-ignore lint/a11y/noAutofocus: the code is the only input of its step
            autoFocus={autoFocus && index === 0}
            aria-label={`${labels.digit} ${index + 1}`}
            aria-invalid={error === undefined ? undefined : true}
            inputMode="numeric"
            pattern="[0-9]*"
            autoComplete={index === 0 ? "one-time-code" : "off"}
            disabled={isDisabled}
            value={digit}
            onChange={(event) => code.type(index, event.target.value)}
            onPaste={(event) => code.paste(index, event)}
            onKeyDown={(event) => code.press(index, event)}
            onFocus={(event) => event.target.select()}
            className={cx(BOX, wide ? "h-15 flex-1" : "h-14 w-12")}
          />
        ))}
      </div>
      {error !== undefined && (
        <span id={`${id}-error`} role="alert" className="flex items-start gap-1.5 text-danger text-label">
          <Icon name="warning" size={13} className="mt-[1.5px]" />
          {error}
        </span>
      )}
    </fieldset>
  );
}
