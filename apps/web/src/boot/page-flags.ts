// The page that is shown, as the route table describes it. The build puts each page's flags into its own module, so that
// no page carries the whole table.
import { useMatches } from "react-router";
import type { PageRoute } from "./route-table.ts";

export type PageFlags = Omit<PageRoute, "file" | "words">;

/** Undefined for the page that was not found. */
export function usePageFlags(): PageFlags | undefined {
  return useMatches().at(-1)?.handle as PageFlags | undefined;
}
