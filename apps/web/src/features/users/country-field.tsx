// Where somebody lives, by search.
import { countryOptions } from "@clockwork/ui/phone-field";
import { SearchSelect } from "@clockwork/ui/search-select";
import { FieldRoom } from "#frame/auth-fields.tsx";
import { useAuthText } from "#frame/auth-text.ts";

const OPTIONS = countryOptions().map(({ detail: _, ...option }) => option);

export interface CountryFieldProps {
  readonly value: string;
  readonly onChange: (code: string) => void;
  readonly error: string | undefined;
}

export function CountryField({ value, onChange, error }: CountryFieldProps) {
  const text = useAuthText();
  return (
    <FieldRoom>
      <SearchSelect
        label={text("country.label")}
        size={48}
        options={OPTIONS}
        value={value === "" ? null : value}
        onChange={onChange}
        placeholder={text("country.choose")}
        error={error}
      />
    </FieldRoom>
  );
}
