// One of a few, on the browser's own list: no code of ours is needed to open it, a phone shows its own wheel, and where the
// browser lets lists be styled it looks like every other menu. In a box, or as plain words.
import { Icon } from "@clockwork/ui/icon";
import "./choice.css";

export interface ChoiceOption {
  readonly id: string;
  readonly title: string;
  /** Says more while the pointer rests on it. */
  readonly detail?: string;
}

export interface ChoiceProps {
  readonly label: string;
  readonly options: readonly ChoiceOption[];
  /** Nothing chosen shows the placeholder. */
  readonly value: string | undefined;
  readonly placeholder?: string;
  readonly onChange: (id: string) => void;
  readonly look?: "box32" | "box40" | "plain";
  readonly className?: string;
}

const LOOKS = {
  box32: "h-8 w-full rounded-control border border-line2 bg-surface pr-7 pl-2.5 text-[13px] hover:border-faint",
  box40: "h-10 w-full rounded-control border border-line2 bg-surface pr-8 pl-3 text-ui hover:border-faint",
  plain: "rounded-xs pr-4 font-medium text-label",
} as const;

export function Choice({ label, options, value, placeholder, onChange, look = "box32", className = "" }: ChoiceProps) {
  return (
    <span className={`relative inline-flex min-w-0 items-center ${className}`}>
      <select
        aria-label={label}
        value={value ?? ""}
        onChange={(event) => onChange(event.target.value)}
        className={`choice min-w-0 cursor-pointer text-inherit ${LOOKS[look]}`}
      >
        {value === undefined && (
          <option value="" hidden>
            {placeholder}
          </option>
        )}
        {options.map((option) => (
          <option key={option.id} value={option.id} title={option.detail}>
            {option.title}
          </option>
        ))}
      </select>
      <Icon
        name="chevron-down"
        size={look === "plain" ? 12 : 14}
        className={`pointer-events-none absolute text-muted ${look === "plain" ? "right-0" : "right-2"}`}
      />
    </span>
  );
}
