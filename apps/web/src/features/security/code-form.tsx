// The code of a security change, in the words of the account's pages.
import { useAccountText } from "#frame/account-text.ts";
import { CodeEntry, type CodeEntryProps } from "#frame/code-entry.tsx";

export function CodeForm(props: Pick<CodeEntryProps, "submit" | "onCode">) {
  const text = useAccountText();
  return <CodeEntry label={text("step.code")} incomplete={text("step.incomplete")} {...props} />;
}
