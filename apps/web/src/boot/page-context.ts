// The one value the page server gives to loaders and to the renderer: this request's root data and the way to the API.
import { createContext } from "react-router";
import type { Preferences } from "./preferences.ts";
import type { CallApi, RootData } from "./root-data.ts";

export interface PageContext {
  readonly root: RootData;
  readonly callApi: CallApi;
  /** A login was sent and its owner could not be read. */
  readonly login: "none" | "good" | "over" | "undecided";
  /** Pair and layout may be read by the terminal only: other pages are shared between visitors who differ in them. */
  readonly preferences: Preferences;
  /** The requested path, without its language prefix. */
  readonly rest: string;
  readonly nonce: string;
  /** Wait for every part before the first byte, for a reader that cannot take parts. */
  readonly whole: boolean;
  readonly onError: (error: unknown) => void;
}

export const pageContext = createContext<PageContext>();
