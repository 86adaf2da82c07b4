// The country of residence: a searchable list, which loads after the page.
import { COUNTRIES } from "@clockwork/kit/countries";
import { FieldRoom } from "#session/auth-fields.tsx";
import { LateSearchSelect } from "#shell/late-fields.tsx";
import { useAuthText } from "#words/auth-text.ts";

export interface CountryFieldProps {
  readonly value: string;
  readonly onChange: (code: string) => void;
  readonly error: string | undefined;
}

const OPTIONS = COUNTRIES.map(({ code, name }) => ({ id: code, title: name }));

export function CountryField({ value, onChange, error }: CountryFieldProps) {
  const text = useAuthText();
  return (
    <FieldRoom>
      <LateSearchSelect
        label={text("country.label")}
        placeholder={text("country.choose")}
        size={48}
        options={OPTIONS}
        value={value === "" ? null : value}
        onChange={onChange}
        error={error}
      />
    </FieldRoom>
  );
}
