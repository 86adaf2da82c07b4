// What a visitor typed into a support form, and what is wrong with it. Pure; the same rules hold on the server.
import type { TicketKind } from "@clockwork/domains/support/api";
import { checkEmail } from "@clockwork/kit/validate";

export interface TicketDraft {
  readonly name: string;
  readonly email: string;
  readonly message: string;
}

export type DraftFault = "required" | "badEmail";

export function checkDraft(kind: TicketKind, draft: TicketDraft): Partial<Record<keyof TicketDraft, DraftFault>> {
  const mayBeNameless = kind === "whistleblower";
  const faults: Partial<Record<keyof TicketDraft, DraftFault>> = {};
  if (draft.message.trim() === "") faults.message = "required";
  if (draft.name.trim() === "" && !mayBeNameless) faults.name = "required";
  const email = draft.email.trim();
  if (email === "" && !mayBeNameless) faults.email = "required";
  else if (email !== "" && checkEmail(email) !== undefined) faults.email = "badEmail";
  return faults;
}

/** A file's bytes as base64. */
export async function readBase64(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = "";
  // In pieces: a call takes only so many arguments.
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text);
}
