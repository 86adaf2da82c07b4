// What a visitor typed into a support form, and what is wrong with it. Pure; the same rules hold on the server.

import { checkEmail } from "@clockwork/kit/validate";
import { type FormKind, type OpenedTicket, TICKET_HEADERS } from "@clockwork/messaging/support/contract";

export interface TicketDraft {
  readonly name: string;
  readonly email: string;
  readonly message: string;
}

export type DraftFault = "required" | "badEmail";

export function checkDraft(kind: FormKind, draft: TicketDraft): Partial<Record<keyof TicketDraft, DraftFault>> {
  const mayBeNameless = kind === "whistleblower";
  const faults: Partial<Record<keyof TicketDraft, DraftFault>> = {};
  if (draft.message.trim() === "") faults.message = "required";
  if (draft.name.trim() === "" && !mayBeNameless) faults.name = "required";
  const email = draft.email.trim();
  if (email === "" && !mayBeNameless) faults.email = "required";
  else if (email !== "" && checkEmail(email) !== undefined) faults.email = "badEmail";
  return faults;
}

/** What travels with a picture: whose ticket it belongs to, and its name. */
export function pictureHeaders({ number, key }: OpenedTicket, name: string): Readonly<Record<string, string>> {
  return {
    [TICKET_HEADERS.number]: number,
    [TICKET_HEADERS.key]: key,
    [TICKET_HEADERS.name]: encodeURIComponent(name.toWellFormed()),
  };
}
