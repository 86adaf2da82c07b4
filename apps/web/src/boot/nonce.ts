// The request's script nonce for what the frame renders inline. The browser hides it in attributes but keeps it as a
// property, where waking reads it, so that both sides render the same.
import { createContext, use } from "react";

export const NonceContext = createContext<string | undefined>(undefined);

export function useNonce(): string | undefined {
  return use(NonceContext);
}
