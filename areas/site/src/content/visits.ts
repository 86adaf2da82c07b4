// Connects visitors' events with the database and the console. Contains no rules.

import type { Part } from "@clockwork/host/part";
import type { PartContext } from "@clockwork/trading/context";
import { opsConsoleRoutes } from "../ops/console-routes.ts";
import { opsRoutes } from "../ops/routes.ts";
import { OpsService } from "../ops/service.ts";
import { opsStore } from "../ops/store.ts";

export function opsPart({ database }: PartContext): Part {
  const ops = new OpsService({ store: opsStore(database.kysely) });
  return { routes: [...opsRoutes(ops), ...opsConsoleRoutes(ops)] };
}
