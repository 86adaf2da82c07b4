// One choice out of a few, all visible.

import type { ReactNode } from "react";
import {
  Radio as AriaRadio,
  RadioGroup as AriaRadioGroup,
  type RadioGroupProps as AriaRadioGroupProps,
} from "react-aria-components/RadioGroup";
import { FieldHelp, FieldLabel, type FieldTexts } from "./field.tsx";
import { cx } from "./logic/class-names.ts";

export interface RadioOption {
  readonly value: string;
  readonly title: ReactNode;
  readonly note?: ReactNode;
  readonly isDisabled?: boolean | undefined;
}

export interface RadioGroupProps
  extends FieldTexts,
    Omit<AriaRadioGroupProps, "children" | "className" | "style" | "isInvalid" | "render"> {
  readonly options: readonly RadioOption[];
  /** Each in a box of its own, two side by side where there is space. */
  readonly boxed?: boolean | undefined;
  readonly className?: string | undefined;
}

const ROW = "min-h-6 py-0.5";
const BOX =
  "rounded-control border border-line-strong px-3 py-2.5 hover:border-muted data-selected:border-text data-disabled:border-line";
const DOT =
  "mt-0.5 flex size-4 shrink-0 items-center justify-center rounded-full border border-faint transition-[border-width,border-color] duration-[120ms] group-hover:border-muted group-data-selected:border-[5px] group-data-selected:border-text group-data-focus-visible:outline-2 group-data-focus-visible:outline-accent group-data-focus-visible:outline-offset-2";

export function RadioGroup(props: RadioGroupProps) {
  const { label, labelHidden, labelAside, help, helpAside, error, reserveHelp, options, boxed, className, ...group } =
    props;
  const texts = { label, labelHidden, labelAside, help, helpAside, error, reserveHelp };
  return (
    <AriaRadioGroup
      {...group}
      isInvalid={error !== undefined}
      className={cx("group/radios flex flex-col gap-1", className)}
    >
      <FieldLabel {...texts} />
      <div
        className={
          boxed
            ? "grid gap-2 sm:grid-cols-2"
            : "flex flex-col gap-1 group-data-[orientation=horizontal]/radios:flex-row group-data-[orientation=horizontal]/radios:gap-5"
        }
      >
        {options.map((option) => (
          <AriaRadio
            key={option.value}
            value={option.value}
            isDisabled={option.isDisabled ?? false}
            className={cx(
              "group relative flex cursor-pointer select-none items-start gap-2 text-text text-ui data-disabled:cursor-not-allowed data-disabled:text-faint",
              boxed ? BOX : ROW,
            )}
          >
            <span className={DOT} />
            <span className="flex flex-col">
              {option.title}
              {option.note !== undefined && <span className="text-label text-muted">{option.note}</span>}
            </span>
          </AriaRadio>
        ))}
      </div>
      <FieldHelp {...texts} />
    </AriaRadioGroup>
  );
}
