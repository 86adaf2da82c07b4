// How a person wants to be asked, as React state. Before the page wakes: always.
import { useSyncExternalStore } from "react";
import { ASK_ALWAYS, type FormSettings, formSettings } from "./asking.ts";

export function useFormSettings(): FormSettings {
  return useSyncExternalStore(
    (listener) => formSettings().subscribe(listener),
    () => formSettings().get(),
    () => ASK_ALWAYS,
  );
}
