// Facts about the site for search engines, as JSON-LD. A data block: browsers do not run it, the nonce is for the policy.
import { useNonce } from "#boot/nonce.ts";

export function StructuredData({ facts }: { readonly facts: Readonly<Record<string, unknown>> }) {
  const nonce = useNonce();
  const text = JSON.stringify({ "@context": "https://schema.org", ...facts }).replaceAll("<", "\\u003c");
  const content = { __html: text };
  // biome-ignore lint/security/noDangerouslySetInnerHtml: JSON of our own with every tag opening escaped
  return <script type="application/ld+json" nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={content} />;
}
