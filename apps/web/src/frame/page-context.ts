// The one value the page server gives to loaders and to the renderer: this request's root data and the way to the API.
import { createContext } from "react-router";
import type { CallApi, RootData } from "./root-data.ts";

export interface PageContext {
  readonly root: RootData;
  readonly callApi: CallApi;
  /** The path as asked for, without its language prefix. */
  readonly rest: string;
  readonly nonce: string;
  /** Wait for every part before the first byte, for a reader that cannot take parts. */
  readonly whole: boolean;
  readonly onError: (error: unknown) => void;
}

export const pageContext = createContext<PageContext>();
