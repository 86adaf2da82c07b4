// Fields whose lists and calendars are no part of a page's first load: the server renders them, the browser hydrates
// them after the page.
import type { DateFieldProps } from "@clockwork/ui/date-field";
import type { SearchSelectProps } from "@clockwork/ui/search-select";
import type { SelectProps } from "@clockwork/ui/select";
import { latePart } from "#boot/late-part.tsx";

export const LateSelect = latePart<SelectProps>(async () => (await import("@clockwork/ui/select")).Select);
export const LateSearchSelect = latePart<SearchSelectProps>(
  async () => (await import("@clockwork/ui/search-select")).SearchSelect,
);
export const LateDateField = latePart<DateFieldProps>(async () => (await import("@clockwork/ui/date-field")).DateField);
