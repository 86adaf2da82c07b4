// An exact amount: grouped while typed, caret kept, never holding what the receiver would refuse.
// The value handed out is plain decimal text; there is no float on the way.

import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { Input } from "react-aria-components/Input";
import { TextField as AriaTextField } from "react-aria-components/TextField";
import { FieldHelp, FieldLabel, type FieldSize, type FieldTexts, fieldBoxClass, inputClass } from "./field.tsx";
import { Icon } from "./icon.tsx";
import { useLabels } from "./locale.tsx";
import { type AmountRules, type EditState, editAmount, toText, toValue } from "./logic/amount-edit.ts";
import { cx } from "./logic/class-names.ts";
import { compareDecimals, moveBySteps } from "./logic/decimal-text.ts";
import { given } from "./logic/given.ts";

export interface AmountFieldProps extends FieldTexts {
  /** Plain decimal text, or "" for nothing. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly onBlur?: (() => void) | undefined;
  readonly rules: AmountRules;
  readonly unit?: ReactNode;
  /** Offers a button that fills this in. */
  readonly maxValue?: string | undefined;
  /** Shows two small arrows; arrow keys step too. Needs rules.step. */
  readonly steppers?: boolean | undefined;
  /** The label is inside the left end and the figure at the right, as order forms have it. */
  readonly labelInside?: boolean | undefined;
  readonly size?: FieldSize | undefined;
  readonly name?: string | undefined;
  readonly placeholder?: string | undefined;
  readonly isDisabled?: boolean | undefined;
  readonly isRequired?: boolean | undefined;
  readonly autoFocus?: boolean | undefined;
  readonly className?: string | undefined;
}

const BIG_STEPS = 10;

/** Holds the text with its unfinished point and the caret; the value outside is the plain decimal. */
function useAmountText(value: string, onChange: (value: string) => void, rules: AmountRules) {
  const input = useRef<HTMLInputElement>(null);
  const before = useRef<EditState>({ text: "", caret: 0 });
  const caret = useRef<number | undefined>(undefined);
  const [typed, setTyped] = useState(() => toText(value));
  const [refused, setRefused] = useState(false);
  // Typed text is kept ("1." remains) until the value is changed from outside.
  const text = toValue(typed) === value ? typed : toText(value);

  useLayoutEffect(() => {
    if (caret.current === undefined || input.current === null) return;
    input.current.setSelectionRange(caret.current, caret.current);
    before.current = { text: input.current.value, caret: caret.current };
    caret.current = undefined;
  });

  const remember = () => {
    const element = input.current;
    if (element) before.current = { text: element.value, caret: element.selectionStart ?? element.value.length };
  };
  const edit = (next: string) => {
    const at = input.current?.selectionStart ?? next.length;
    const result = editAmount({ text, caret: before.current.caret }, { text: next, caret: at }, rules);
    caret.current = result.caret;
    setTyped(result.text);
    setRefused(result.refused);
    if (result.value !== value) onChange(result.value);
  };
  const finish = () => {
    setTyped(toText(value));
    setRefused(false);
  };
  return { input, text, refused, edit, remember, finish };
}

function stepWithin(value: string, rules: AmountRules, count: number): string {
  const step = rules.step ?? "1";
  const moved = moveBySteps(value === "" ? (rules.min ?? "0") : value, step, count);
  if (rules.max !== undefined && compareDecimals(moved, rules.max) > 0) return rules.max;
  if (rules.min !== undefined && compareDecimals(moved, rules.min) < 0) return rules.min;
  return moved;
}

interface StepperProps {
  readonly onStep: (count: number) => void;
  readonly isDisabled: boolean;
}

/** Out of the tab order: arrow keys in the field do the same. */
function Steppers({ onStep, isDisabled }: StepperProps) {
  const labels = useLabels();
  const shape = "flex h-3.5 w-5 items-center justify-center rounded-xs text-muted hover:text-text disabled:text-faint";
  const common = { type: "button" as const, tabIndex: -1, disabled: isDisabled, className: shape };
  return (
    <span className="-mr-1 flex shrink-0 flex-col">
      <button {...common} aria-label={labels.increase} onClick={() => onStep(1)}>
        <Icon name="chevron-up" size={12} />
      </button>
      <button {...common} aria-label={labels.decrease} onClick={() => onStep(-1)}>
        <Icon name="chevron-down" size={12} />
      </button>
    </span>
  );
}

function MaxButton({ onPress, isDisabled }: { readonly onPress: () => void; readonly isDisabled: boolean }) {
  const labels = useLabels();
  return (
    <button
      type="button"
      disabled={isDisabled}
      onClick={onPress}
      className="relative shrink-0 rounded-xs border-line2 border-l pl-2 font-semibold text-label text-text after:absolute after:-inset-2 hover:text-accent disabled:text-faint"
    >
      {labels.max}
    </button>
  );
}

interface TrailingProps extends AmountFieldProps {
  readonly onStep: (count: number) => void;
}

/** Unit, max and arrows. In order forms all of it is 52 px wide, so that the figures above one another share an edge. */
function Trailing({ unit, maxValue, steppers, labelInside, onChange, onStep, isDisabled = false }: TrailingProps) {
  const arrows = steppers && <Steppers isDisabled={isDisabled} onStep={onStep} />;
  if (labelInside) {
    return (
      <span className="flex min-w-13 shrink-0 items-center justify-between gap-1 text-label text-muted">
        {unit}
        {arrows}
      </span>
    );
  }
  return (
    <>
      {unit !== undefined && (
        <span className="inline-flex shrink-0 items-center gap-1.5 text-text text-ui">{unit}</span>
      )}
      {maxValue !== undefined && <MaxButton isDisabled={isDisabled} onPress={() => onChange(maxValue)} />}
      {arrows}
    </>
  );
}

interface AmountBoxProps extends AmountFieldProps {
  readonly amount: ReturnType<typeof useAmountText>;
}

function AmountBox({ amount, ...props }: AmountBoxProps) {
  const { rules, size, maxValue, labelInside, value, onChange } = props;
  const step = (count: number) => onChange(stepWithin(value, rules, count));
  const onKeyDown = (event: KeyboardEvent) => {
    amount.remember();
    if (rules.step === undefined || (event.key !== "ArrowUp" && event.key !== "ArrowDown")) return;
    event.preventDefault();
    step((event.key === "ArrowUp" ? 1 : -1) * (event.shiftKey ? BIG_STEPS : 1));
  };
  const onBlur = () => {
    amount.finish();
    props.onBlur?.();
  };
  const figure = labelInside
    ? "text-right font-medium"
    : maxValue !== undefined
      ? "font-semibold text-[16px]"
      : "font-medium";
  return (
    <div className={fieldBoxClass(size)}>
      {labelInside && (
        <span aria-hidden="true" className="shrink-0 text-muted terminal:text-label">
          {props.label}
        </span>
      )}
      <Input
        ref={amount.input}
        {...given({ placeholder: props.placeholder, name: props.name })}
        inputMode="decimal"
        autoComplete="off"
        spellCheck={false}
        onKeyDown={onKeyDown}
        onSelect={amount.remember}
        onBlur={onBlur}
        className={inputClass(size, cx("figures", figure))}
      />
      <Trailing {...props} onStep={step} />
    </div>
  );
}

export function AmountField(props: AmountFieldProps) {
  const { label, labelHidden, labelAside, help, helpAside, error, reserveHelp, labelInside } = props;
  const labels = useLabels();
  const amount = useAmountText(props.value, props.onChange, props.rules);
  const shown = amount.refused ? labels.illegalInput : error;
  const texts = {
    label,
    labelHidden: labelHidden || labelInside,
    labelAside,
    help,
    helpAside,
    error: shown,
    reserveHelp,
  };
  return (
    <AriaTextField
      {...given({ isDisabled: props.isDisabled, isRequired: props.isRequired, autoFocus: props.autoFocus })}
      value={amount.text}
      onChange={amount.edit}
      isInvalid={shown !== undefined}
      className={cx("flex flex-col gap-1", props.className)}
    >
      <FieldLabel {...texts} />
      <AmountBox {...props} amount={amount} />
      <FieldHelp {...texts} />
    </AriaTextField>
  );
}
