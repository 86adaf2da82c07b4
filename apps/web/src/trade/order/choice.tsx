// One of a few behind a button, with the terminal's own list. In a box, or as plain words.
import { Icon } from "@clockwork/ui/icon";
import { ChoiceDrop } from "#trade/drop.tsx";

export interface ChoiceOption {
  readonly id: string;
  readonly title: string;
  /** Shows more while the pointer rests on it. */
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

const BUTTON = "flex min-w-0 cursor-pointer items-center text-inherit text-left";
const LOOKS = {
  box32: "h-8 w-full gap-1 rounded-control border border-line2 bg-surface px-2.5 text-[13px] hover:border-faint",
  box40: "h-10 w-full gap-1 rounded-control border border-line2 bg-surface px-3 text-ui hover:border-faint",
  plain: "gap-1 rounded-xs font-medium text-label",
} as const;

export function Choice({ label, options, value, placeholder, onChange, look = "box32", className = "" }: ChoiceProps) {
  const chosen = options.find(({ id }) => id === value);
  return (
    <span className={`inline-flex min-w-0 items-center ${className}`}>
      <ChoiceDrop
        label={label}
        choices={options.map(({ id, title, detail }) => ({
          id,
          title,
          ...(detail === undefined ? {} : { hint: detail }),
        }))}
        selected={value}
        onChoose={onChange}
        buttonClass={`${BUTTON} ${LOOKS[look]}`}
        button={
          <>
            <span className="sr-only">{label}: </span>
            <span className="min-w-0 flex-1 truncate">{chosen?.title ?? placeholder}</span>
            <Icon name="chevron-down" size={look === "plain" ? 12 : 14} className="shrink-0 text-muted" />
          </>
        }
      />
    </span>
  );
}
