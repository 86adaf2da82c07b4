// The frame every field shares: label, box, help or error below in a row that never makes the form jump.
// Holds no value and no rule.

import type { ReactNode } from "react";
import { FieldError } from "react-aria-components/FieldError";
import { Label } from "react-aria-components/Label";
import { Text } from "react-aria-components/Text";
import { Icon } from "./icon.tsx";
import { cx } from "./logic/class-names.ts";

export type FieldSize = 32 | 40 | 48;

export interface FieldTexts {
  readonly label: string;
  /** Keeps the label for screen readers only. */
  readonly labelHidden?: boolean | undefined;
  /** Right of the label: a link, a hint. */
  readonly labelAside?: ReactNode;
  readonly help?: ReactNode;
  /** Right of the help. */
  readonly helpAside?: ReactNode;
  readonly error?: string | undefined;
  /** Keeps the row below even when empty, so an error moves nothing. */
  readonly reserveHelp?: boolean | undefined;
}

const BOX = "field-box";

const BOX_SIZES: Readonly<Record<FieldSize, string>> = {
  32: "h-8 px-2.5 bg-surface",
  40: "h-10 px-3 bg-surface",
  48: "h-12 px-3.5 bg-bg dark:bg-surface",
};

export function fieldBoxClass(size: FieldSize = 40, extra?: string): string {
  return cx(BOX, BOX_SIZES[size], extra);
}

const INPUT_SIZES: Readonly<Record<FieldSize, string>> = {
  32: "text-[13px] leading-5",
  40: "text-ui",
  48: "text-[15px] leading-6",
};

/** 16 px on phones: below that, iOS zooms the page into the field. */
export function inputClass(size: FieldSize = 40, extra?: string): string {
  return cx(
    "h-full w-full min-w-0 flex-1 bg-transparent text-inherit outline-none placeholder:text-muted disabled:cursor-not-allowed max-md:text-[16px]",
    INPUT_SIZES[size],
    extra,
  );
}

export function FieldLabel({ label, labelHidden, labelAside }: FieldTexts) {
  if (labelHidden) return <Label className="sr-only">{label}</Label>;
  return (
    <span className="flex items-baseline justify-between gap-3">
      <Label className="text-text text-ui">{label}</Label>
      {labelAside && <span className="text-label text-muted">{labelAside}</span>}
    </span>
  );
}

export function FieldHelp({ help, helpAside, error, reserveHelp }: FieldTexts) {
  if (error !== undefined) {
    return (
      <FieldError className="flex min-h-4 items-start gap-1.5 text-danger text-label">
        <Icon name="warning" size={13} className="mt-[1.5px]" />
        <span>{error}</span>
      </FieldError>
    );
  }
  if (help === undefined && helpAside === undefined) return reserveHelp ? <span className="block min-h-4" /> : null;
  return (
    <span className="flex min-h-4 justify-between gap-3 text-label text-muted">
      {help === undefined ? <span /> : <Text slot="description">{help}</Text>}
      {helpAside !== undefined && <span>{helpAside}</span>}
    </span>
  );
}
