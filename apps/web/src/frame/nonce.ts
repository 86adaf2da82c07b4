// The request's script nonce for inline scripts the frame renders. Empty in the browser, where nothing inline is added.
import { createContext, use } from "react";

export const NonceContext = createContext<string | undefined>(undefined);

export function useNonce(): string | undefined {
  return use(NonceContext);
}
