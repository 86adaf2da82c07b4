// Connects the moving of the clock with the database and the journal; only where coins are worth nothing.

import type { BaseContext, Part } from "@clockwork/host/part";
import { clockRoutes } from "@clockwork/platform/clock/routes";
import { ClockService } from "@clockwork/platform/clock/service";
import { clockStore } from "@clockwork/platform/clock/store";
import type { ServerClock } from "../clock/clock.ts";

export function clockPart({ database, engine, isTestMoney }: BaseContext, clock: ServerClock): Part {
  if (!isTestMoney) return {};
  const service = new ClockService({
    store: clockStore(database.kysely),
    needs: {
      now: clock.now,
      read: clock.read,
      advance: clock.advance,
      // A command that carries only the time: timers that are due run before it, and the journal stores it.
      journal: async () => void (await engine.submit({ kind: "tick" })),
    },
  });
  return { routes: clockRoutes(service) };
}
