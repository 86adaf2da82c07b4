// Fields as a query or a form writes them.
import type { Fields } from "@clockwork/kit/endpoint";

/** Missing fields are left out, lists repeat their name. */
export function encodeFields(fields: Fields): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null) search.append(name, String(one));
    }
  }
  return search.toString();
}
