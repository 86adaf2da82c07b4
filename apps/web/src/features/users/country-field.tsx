// Where somebody lives. The browser's own list: it searches while one types and opens as people know it from their
// phone, without bringing a component library to a first visit.

import { COUNTRIES } from "@clockwork/kit/countries";
import { Icon } from "@clockwork/ui/icon";
import { useId } from "react";
import { FieldRoom } from "#session/auth-fields.tsx";
import { useAuthText } from "#words/auth-text.ts";

export interface CountryFieldProps {
  readonly value: string;
  readonly onChange: (code: string) => void;
  readonly error: string | undefined;
}

export function CountryField({ value, onChange, error }: CountryFieldProps) {
  const text = useAuthText();
  const id = useId();
  return (
    <FieldRoom>
      <label htmlFor={id} className="block pb-1 text-text text-ui">
        {text("country.label")}
      </label>
      <span className="relative block">
        <select
          id={id}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          autoComplete="country"
          aria-invalid={error === undefined ? undefined : true}
          aria-describedby={`${id}-error`}
          className="h-12 w-full appearance-none rounded-control border border-line2 bg-bg pr-10 pl-3.5 text-[15px] text-text leading-6 outline-none transition-[border-color,box-shadow] duration-[120ms] hover:border-faint focus:border-accent focus:ring-1 focus:ring-accent aria-invalid:border-danger max-md:text-[16px] dark:bg-surface"
        >
          <option value="">{text("country.choose")}</option>
          {COUNTRIES.map(({ code, name }) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </select>
        <Icon
          name="chevron-down"
          size={14}
          className="-translate-y-1/2 pointer-events-none absolute top-1/2 right-3.5 text-muted"
        />
      </span>
      <p id={`${id}-error`} role="alert" className="mt-1 text-danger text-label">
        {error}
      </p>
    </FieldRoom>
  );
}
