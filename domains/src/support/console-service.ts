// Tickets as support sees them: a list, one whole, a picture. Reports of whistleblowers are left out unless asked for.
import type { ConsoleFile, ConsoleTicket, TicketState, TicketTable } from "./api.ts";
import type { ConsoleStore } from "./console-store.ts";
import type { SupportStore, TicketRow } from "./store.ts";

export interface TicketFilter {
  readonly state?: TicketState;
  readonly before?: string;
}

export interface SupportConsole {
  list(filter: TicketFilter, withReports: boolean): Promise<TicketTable>;
  read(number: string, withReports: boolean): Promise<ConsoleTicket | undefined>;
  readFile(number: string, id: number, withReports: boolean): Promise<ConsoleFile | undefined>;
}

const PAGE = 50;

export type ConsoleParts = Pick<SupportStore, "find" | "listMessages"> & ConsoleStore;

export function supportConsole(store: ConsoleParts): SupportConsole {
  const find = async (number: string, withReports: boolean): Promise<TicketRow | undefined> => {
    const row = await store.find(number);
    return row === undefined || (row.kind === "whistleblower" && !withReports) ? undefined : row;
  };
  return {
    async list(filter, withReports) {
      const { state, before } = filter;
      const rows = await store.list(
        { state, ...(before === undefined ? {} : { before: readCursor(before) }) },
        withReports,
        PAGE + 1,
      );
      const shown = rows.slice(0, PAGE);
      const last = shown.at(-1);
      const next = rows.length > PAGE && last !== undefined ? `${last.created_ms}.${last.number}` : null;
      return { tickets: shown.map(describeRow), next };
    },
    async read(number, withReports) {
      const row = await find(number, withReports);
      if (row === undefined) return undefined;
      const [messages, files] = await Promise.all([store.listMessages(number), store.listFiles(number)]);
      return {
        ...describeRow(row),
        user: row.user_id === null ? null : String(row.user_id),
        messages: messages.map(({ author, text, created_ms }) => ({ author, text, createdAtMs: created_ms })),
        files,
      };
    },
    async readFile(number, id, withReports) {
      if ((await find(number, withReports)) === undefined) return undefined;
      const file = await store.findFile(number, id);
      if (file === undefined) return undefined;
      const letters = Array.from(file.bytes, (byte) => String.fromCharCode(byte)).join("");
      return { mediaType: file.media_type, data: btoa(letters) };
    },
  };
}

function readCursor(text: string): { readonly createdMs: number; readonly number: string } {
  const [createdMs = "", number = ""] = text.split(".");
  return { createdMs: Number(createdMs), number };
}

function describeRow(row: TicketRow): TicketTable["tickets"][number] {
  const { number, kind, topic, state, name, email, created_ms, updated_ms } = row;
  return { number, kind, topic, state, name, email, createdAtMs: created_ms, updatedAtMs: updated_ms };
}
