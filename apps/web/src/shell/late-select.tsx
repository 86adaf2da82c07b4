// A list to choose from whose code is no part of the first load: the server renders it, the browser hydrates it after
// the page.
import type { SelectProps } from "@clockwork/ui/select";
import { latePart } from "#boot/late-part.tsx";

export const LateSelect = latePart<SelectProps>(async () => (await import("@clockwork/ui/select")).Select);
