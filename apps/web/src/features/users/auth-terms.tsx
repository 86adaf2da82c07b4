// The documents a user agrees to, linked where they exist.
import { hasPage } from "#boot/route-table.ts";
import { SiteLink } from "#boot/site-link.tsx";
import { useAuthText } from "#words/auth-text.ts";

export function TermsText() {
  const text = useAuthText();
  const [before = "", middle = "", after = ""] = text("terms.agree", { use: "\u0000", privacy: "\u0000" }).split(
    "\u0000",
  );
  return (
    <>
      {before}
      <Document path="/user-agreement" label={text("terms.use")} />
      {middle}
      <Document path="/privacy-policy" label={text("terms.privacy")} />
      {after}
    </>
  );
}

function Document({ path, label }: { readonly path: string; readonly label: string }) {
  if (!hasPage(path)) return label;
  return (
    <SiteLink to={path} target="_blank" className="rounded-xs font-medium text-text underline underline-offset-2">
      {label}
    </SiteLink>
  );
}
