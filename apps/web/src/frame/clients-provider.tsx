// Gives screens the live hub and the request client once the page is awake, and lets a native shell introduce itself.
import { type ReactNode, useEffect, useState } from "react";
import { LiveContext, RequestContext } from "#live/react.ts";
import { createBridge, type ShellWindow } from "../shell/bridge.ts";
import { SessionContext } from "./auth-context.ts";
import type { Clients } from "./clients.ts";
import { type GlobalStore, useGlobalStore } from "./state.ts";

export function ClientsProvider({ children }: { readonly children: ReactNode }) {
  const store = useGlobalStore();
  const [clients, setClients] = useState<Clients>();
  useEffect(() => {
    let made: Clients | undefined;
    let gone = false;
    const start = async () => {
      const { createClients } = await import("./clients.ts");
      if (gone) return;
      made = createClients(store);
      setClients(made);
    };
    void start();
    void meetShell(store);
    return () => {
      gone = true;
      made?.close();
    };
  }, [store]);
  return (
    <LiveContext value={clients?.hub}>
      <RequestContext value={clients?.request}>
        <SessionContext value={clients?.session}>{children}</SessionContext>
      </RequestContext>
    </LiveContext>
  );
}

/** A shell whose user agent told nothing is found by its bridge; a token it has is taken over. */
async function meetShell(store: GlobalStore): Promise<void> {
  const bridge = createBridge(window as unknown as ShellWindow);
  if (bridge.shell === undefined) return;
  store.setState({ shell: bridge.shell });
  void bridge.ask("setTitle", { title: document.title });
  const answer = await bridge.ask("takeToken", {});
  if (typeof answer?.token === "string" && answer.token !== "") store.setState({ shellToken: answer.token });
}
