// The code of a security change, with the texts of the account's pages.

import { CodeEntry, type CodeEntryProps } from "#session/code-entry.tsx";
import { useAccountText } from "#words/account-text.ts";

export function CodeForm(props: Pick<CodeEntryProps, "submit" | "onCode" | "between">) {
  const text = useAccountText();
  return <CodeEntry label={text("step.code")} incomplete={text("step.incomplete")} {...props} />;
}
