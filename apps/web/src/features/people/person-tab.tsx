// The parts of the page of one person, each by the call of its own; fetched separately, so that the head comes first.
import { latePart } from "#boot/late-part.tsx";
import type { ConsoleOperator } from "#console/console-frame.tsx";
import type { PersonTabName } from "./person-page.tsx";

export interface PersonTabProps {
  readonly tab: PersonTabName;
  readonly user: string;
  /** The row a search led to. */
  readonly find: string | undefined;
  readonly me: ConsoleOperator;
}

export const PersonActions = latePart<Pick<PersonTabProps, "user" | "me">>(
  async () => (await import("./person-actions.tsx")).PersonActions,
);
export const PersonTab = latePart<PersonTabProps>(async () => (await import("./person-sections.tsx")).PersonSections);
