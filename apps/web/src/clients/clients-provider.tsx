// Gives screens the live hub and the request client once the page is hydrated, and connects to a native shell.
import { type ReactNode, useEffect, useState } from "react";
import { useLocation } from "react-router";
import { whenIdle } from "#boot/idle.ts";
import { loadLateParts } from "#boot/late-part.tsx";
import { useGlobalStore } from "#boot/state.ts";
import { LiveContext, RequestContext } from "#live/react.ts";
import { SessionContext } from "#session/auth-context.ts";
import type { Clients } from "./clients.ts";

export function ClientsProvider({ children }: { readonly children: ReactNode }) {
  const store = useGlobalStore();
  const [clients, setClients] = useState<Clients>();
  useEffect(() => {
    let made: Clients | undefined;
    let gone = false;
    const start = async () => {
      // A part that still sleeps when what is around it changes would be drawn anew, and what was typed into it lost.
      const [{ createClients }] = await Promise.all([import("./clients.ts"), loadLateParts().catch(() => undefined)]);
      if (gone) return;
      made = createClients(store);
      setClients(made);
      const { meetShell } = await import("./native-meeting.ts");
      await meetShell(store, made.request);
    };
    const cancel = whenIdle(() => void start());
    return () => {
      gone = true;
      cancel();
      made?.close();
    };
  }, [store]);
  const { pathname } = useLocation();
  useEffect(() => {
    if (clients === undefined) return;
    void import("./visit-report.ts").then(({ nameVisit }) => clients.report("page_view", nameVisit(pathname)));
  }, [clients, pathname]);
  return (
    <LiveContext value={clients?.hub}>
      <RequestContext value={clients?.request}>
        <SessionContext value={clients?.session}>{children}</SessionContext>
      </RequestContext>
    </LiveContext>
  );
}
