// The days of a list, typed or picked. Fetched on its own: the calendar is no part of the first load.
import { DateRangeField } from "@clockwork/ui/date-field";

export interface SpanFieldProps {
  readonly label: string;
  readonly from: string;
  readonly to: string;
  readonly onChange: (from: string, to: string) => void;
}

export function SpanField({ label, from, to, onChange }: SpanFieldProps) {
  return (
    <DateRangeField
      label={label}
      size={32}
      value={from === "" || to === "" ? null : { start: from, end: to }}
      onChange={(range) => onChange(range?.start ?? "", range?.end ?? "")}
    />
  );
}
