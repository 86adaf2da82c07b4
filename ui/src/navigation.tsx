// Lets links inside components move through the application's router instead of loading a page.

import type { ReactNode } from "react";
import { RouterProvider } from "react-aria-components";

export interface NavigationProviderProps {
  readonly navigate: (path: string) => void;
  /** Turns a path into the address shown, such as one with a language in front. A hook. */
  readonly useHref?: ((path: string) => string) | undefined;
  readonly children: ReactNode;
}

export function NavigationProvider({ navigate, useHref, children }: NavigationProviderProps) {
  return (
    <RouterProvider navigate={navigate} {...(useHref ? { useHref } : {})}>
      {children}
    </RouterProvider>
  );
}
