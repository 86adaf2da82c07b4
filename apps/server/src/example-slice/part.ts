// Connects notes with the database, the sockets, the clock and the jobs. Contains no rule of its own.
import type { Part } from "@clockwork/host/part";
import type { PartContext } from "@clockwork/trading/context";
import { NOTES_CHANNEL } from "./contract.ts";
import { noteRoutes } from "./routes.ts";
import { NoteService } from "./service.ts";
import { noteStore } from "./store.ts";

export function notesPart({ database, live, clock, jobs }: PartContext): Part {
  const notes = new NoteService({
    store: noteStore(database.kysely),
    needs: { publish: (userId, list) => live.publish({ channel: NOTES_CHANNEL }, list, { account: String(userId) }) },
  });
  jobs.add({
    name: "notes.forget",
    schedule: { dailyAt: "03:00" },
    missed: "latest",
    run: () => notes.removeOld(clock.now()),
  });
  return {
    routes: noteRoutes(notes),
    channels: [
      {
        channel: NOTES_CHANNEL,
        kind: "latest",
        isPrivate: true,
        serves: ({ biz, type, pairCode, base }) => [biz, type, pairCode, base].every((part) => part === undefined),
        snapshot: async (_, account) => ({ data: await notes.list(Number(account)) }),
      },
    ],
  };
}
