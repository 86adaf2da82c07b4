// Where a hit of the console's search leads.
import { type Hit, PEOPLE_CALLS } from "@clockwork/site/people/contract";
import type { RequestClient } from "#live/request.ts";

export interface FoundPlace extends Hit {
  readonly path: string;
}

const TABS = { order: "orders", withdrawal: "withdrawals", deposit: "deposits", address: "deposits" } as const;

/** A hit leads to the page of its user, on the part it is about; a ticket or a proposal to its place. */
export function placeOf({ kind, id, user }: Hit, permissions: readonly string[]): string | undefined {
  if (kind === "ticket") return permissions.includes("support.answer") ? `/operator/tickets?number=${id}` : undefined;
  if (kind === "proposal") return "/operator/proposals";
  if (user === null) return undefined;
  const tab = kind in TABS ? TABS[kind as keyof typeof TABS] : kind === "otc" ? "otc" : undefined;
  const query = tab === undefined ? "" : `?tab=${tab}&find=${encodeURIComponent(id)}`;
  return `/operator/users/${user}${query}`;
}

/** Undefined when the search failed. */
export async function findPlaces(
  client: RequestClient,
  query: string,
  permissions: readonly string[],
): Promise<readonly FoundPlace[] | undefined> {
  const answer = await client.call(PEOPLE_CALLS.search, { query });
  if (!answer.ok) return undefined;
  return answer.data.hits.flatMap((hit) => {
    const path = placeOf(hit, permissions);
    return path === undefined ? [] : [{ ...hit, path }];
  });
}
