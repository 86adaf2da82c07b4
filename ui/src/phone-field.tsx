// A telephone number with its country: the code by search, then digits only.

import { COUNTRIES, findCountry } from "@clockwork/kit/countries";
import { filterDigits } from "@clockwork/kit/validate";
import { useMemo } from "react";
import { Input } from "react-aria-components/Input";
import { TextField as AriaTextField } from "react-aria-components/TextField";
import { FieldHelp, FieldLabel, type FieldSize, type FieldTexts, fieldBoxClass, inputClass } from "./field.tsx";
import type { Option } from "./list-box.tsx";
import { useLabels } from "./locale.tsx";
import { cx } from "./logic/class-names.ts";
import { given } from "./logic/given.ts";
import { SearchSelect } from "./search-select.tsx";

export interface PhoneValue {
  /** ISO code of the country. */
  readonly country: string;
  /** National digits, without the country's code. */
  readonly number: string;
}

export interface PhoneFieldProps extends FieldTexts {
  readonly value: PhoneValue;
  readonly onChange: (value: PhoneValue) => void;
  readonly onBlur?: (() => void) | undefined;
  /** Countries offered, by code; all of them by default. */
  readonly countries?: readonly string[] | undefined;
  readonly size?: FieldSize | undefined;
  readonly placeholder?: string | undefined;
  readonly isDisabled?: boolean | undefined;
  readonly className?: string | undefined;
}

const DIGITS_MAX = 15;

export function CountryCode({ code }: { readonly code: string }) {
  return (
    <span className="inline-flex h-4 w-6 shrink-0 items-center justify-center rounded-[3px] border border-line2 font-semibold text-[9px] text-muted leading-none">
      {code}
    </span>
  );
}

export function countryOptions(codes?: readonly string[]): readonly Option[] {
  const offered = codes === undefined ? COUNTRIES : COUNTRIES.filter((country) => codes.includes(country.code));
  return offered.map((country) => ({
    id: country.code,
    title: country.name,
    glyph: <CountryCode code={country.code} />,
    detail: `+${country.dial}`,
    keywords: `+${country.dial} ${country.code}`,
  }));
}

export function PhoneField(props: PhoneFieldProps) {
  const { value, onChange, countries, size, placeholder, isDisabled, className } = props;
  const labels = useLabels();
  const options = useMemo(() => countryOptions(countries), [countries]);
  const country = findCountry(value.country);
  return (
    <AriaTextField
      type="tel"
      value={value.number}
      onChange={(text) => onChange({ ...value, number: filterDigits(text).slice(0, DIGITS_MAX) })}
      isInvalid={props.error !== undefined}
      autoComplete="tel-national"
      {...given({ isDisabled, onBlur: props.onBlur })}
      className={cx("flex flex-col gap-1", className)}
    >
      <FieldLabel {...props} />
      <div className={fieldBoxClass(size)}>
        <SearchSelect
          label={labels.country}
          labelHidden
          options={options}
          value={value.country}
          onChange={(code) => onChange({ ...value, country: code })}
          {...given({ isDisabled })}
          shown={
            <span className="figures flex items-center gap-2 text-text">
              <CountryCode code={value.country} />+{country?.dial ?? ""}
            </span>
          }
          offsetPx={12}
          buttonClassName="flex h-6 items-center gap-1 rounded-xs text-ui"
        />
        <span className="h-5 w-px bg-line2" />
        <Input {...given({ placeholder })} inputMode="tel" className={inputClass(size, "figures")} />
      </div>
      <FieldHelp {...props} />
    </AriaTextField>
  );
}
