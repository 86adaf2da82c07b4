// A password with its eye and, where one is being chosen, its strength and the rules it meets.
// The rule itself is shared with the server; this file only shows it.

import { PASSWORD_CLASSES_MIN, PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from "@clockwork/kit/constants";
import { countPasswordClasses, passwordStrength } from "@clockwork/kit/validate";
import { useState } from "react";
import { IconButton } from "./button.tsx";
import { Icon } from "./icon.tsx";
import { useLabels } from "./locale.tsx";
import { cx } from "./logic/class-names.ts";
import { TextField, type TextFieldProps } from "./text-field.tsx";

export interface PasswordFieldProps extends Omit<TextFieldProps, "type" | "suffix" | "value"> {
  readonly value: string;
  /** Shows the bar and the two rules; for choosing a password, not for giving one. */
  readonly strength?: { readonly lengthText: string; readonly classesText: string } | undefined;
}

export function PasswordField({ strength, ...field }: PasswordFieldProps) {
  const [shown, setShown] = useState(false);
  const labels = useLabels();
  return (
    <div className="flex flex-col gap-2">
      <TextField
        autoComplete={strength ? "new-password" : "current-password"}
        {...field}
        type={shown ? "text" : "password"}
        suffix={
          <IconButton
            icon={shown ? "eye-off" : "eye"}
            label={shown ? labels.hide : labels.show}
            size={28}
            aria-pressed={shown}
            onPress={() => setShown(!shown)}
            className="-mr-1.5"
          />
        }
      />
      {strength && <StrengthMeter value={field.value} {...strength} />}
    </div>
  );
}

const TONES = ["bg-line-strong", "bg-danger", "bg-warn", "bg-text"] as const;

interface StrengthMeterProps {
  readonly value: string;
  readonly lengthText: string;
  readonly classesText: string;
}

/** Three bars and two rules. Strength is neutral when good: green means up or buy only. */
export function StrengthMeter({ value, lengthText, classesText }: StrengthMeterProps) {
  const labels = useLabels();
  const level = passwordStrength(value);
  const words = ["", labels.weak, labels.fair, labels.strong];
  const length = [...value].length;
  const rules = [
    { text: lengthText, met: length >= PASSWORD_LENGTH_MIN && length <= PASSWORD_LENGTH_MAX },
    { text: classesText, met: countPasswordClasses(value) >= PASSWORD_CLASSES_MIN },
  ];
  return (
    <div className="flex flex-col gap-2">
      <div className="flex items-center gap-1">
        {[1, 2, 3].map((bar) => (
          <span key={bar} className={cx("h-[3px] flex-1 rounded-full", bar <= level ? TONES[level] : "bg-line")} />
        ))}
        <span className="min-w-14 pl-2 text-right text-label text-muted" aria-live="polite">
          {words[level]}
        </span>
      </div>
      <ul className="flex flex-col gap-1 text-label text-muted">
        {rules.map((rule) => (
          <li key={rule.text} className="flex items-center gap-1.5">
            <Icon
              name={rule.met ? "check" : "minus"}
              size={12}
              label={rule.met ? labels.yes : labels.no}
              className={rule.met ? "text-text" : "text-faint"}
            />
            {rule.text}
          </li>
        ))}
      </ul>
    </div>
  );
}
