// A sentence with one word highlighted: an address, a number. Reserves its space until the word is loaded.
import type { AuthTextKey } from "#locales/en-us-auth.ts";
import { useAuthText } from "#words/auth-text.ts";

export interface AuthMarkedProps {
  readonly line: AuthTextKey;
  /** The name of the value in the line. */
  readonly mark: string;
  readonly value: string | undefined;
}

export function AuthMarked({ line, mark, value }: AuthMarkedProps) {
  const text = useAuthText();
  const [before = "", after = ""] = text(line, { [mark]: "\u0000" }).split("\u0000");
  return (
    <>
      {before}
      <b className="break-all font-semibold text-text">{value ?? "\u2026"}</b>
      {after}
    </>
  );
}
