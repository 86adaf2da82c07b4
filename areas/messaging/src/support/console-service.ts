// Tickets as support sees them: a list, one whole, a picture. Reports of whistleblowers are left out unless requested.
import { cutPage } from "@clockwork/kit/pages/page";
import { ANSWERED_FIRST_LEVEL } from "@clockwork/kit/vip-levels";
import type { ConsoleStore } from "./console-store.ts";
import type { ConsoleFile, ConsoleTicket, TicketState, TicketTable } from "./contract.ts";
import type { SupportStore, TicketRow } from "./store.ts";

export interface TicketFilter {
  readonly state?: TicketState;
  readonly before?: string;
}

const PAGE = 50;

export type ConsoleParts = Pick<SupportStore, "find" | "listMessages" | "listFiles"> & ConsoleStore;

export class SupportConsole {
  readonly #store: ConsoleParts;

  constructor(store: ConsoleParts) {
    this.#store = store;
  }

  async list(filter: TicketFilter, withReports: boolean): Promise<TicketTable> {
    const { state, before } = filter;
    const isRanked = state === "received" || state === "in-progress";
    const rows = await this.#store.list(
      { state, isRanked, ...(before === undefined ? {} : { before: readCursor(before) }) },
      withReports,
      PAGE + 1,
    );
    const { shown, end } = cutPage(rows, PAGE);
    const next = end === undefined ? null : writeCursor(end, isRanked);
    return { tickets: shown.map(describeRow), next };
  }

  async read(number: string, withReports: boolean): Promise<ConsoleTicket | undefined> {
    const row = await this.#find(number, withReports);
    if (row === undefined) return undefined;
    const [messages, files] = await Promise.all([this.#store.listMessages(number), this.#store.listFiles(number)]);
    return {
      ...describeRow(row),
      user: row.user_id === null ? null : String(row.user_id),
      messages: messages.map(({ author, text, created_ms }) => ({ author, text, createdAtMs: created_ms })),
      files,
    };
  }

  async readFile(number: string, id: number, withReports: boolean): Promise<ConsoleFile | undefined> {
    if ((await this.#find(number, withReports)) === undefined) return undefined;
    const file = await this.#store.findFile(number, id);
    if (file === undefined) return undefined;
    const letters = Array.from(file.bytes, (byte) => String.fromCharCode(byte)).join("");
    return { mediaType: file.media_type, data: btoa(letters) };
  }

  async #find(number: string, withReports: boolean): Promise<TicketRow | undefined> {
    const row = await this.#store.find(number);
    return row === undefined || (row.kind === "whistleblower" && !withReports) ? undefined : row;
  }
}

function writeCursor({ level, created_ms, number }: TicketRow, isRanked: boolean): string {
  return `${isRanked && level >= ANSWERED_FIRST_LEVEL ? 1 : 0}.${created_ms}.${number}`;
}

function readCursor(text: string): { readonly rank: number; readonly createdMs: number; readonly number: string } {
  const [rank = "", createdMs = "", number = ""] = text.split(".");
  return { rank: Number(rank), createdMs: Number(createdMs), number };
}

function describeRow(row: TicketRow): TicketTable["tickets"][number] {
  const { number, kind, topic, state, name, email, level, created_ms, updated_ms } = row;
  return { number, kind, topic, state, name, email, level, createdAtMs: created_ms, updatedAtMs: updated_ms };
}
