// Draws a gallery page as text, for trying the take-over in the browser.

import { renderToString } from "react-dom/server";
import { App } from "./app.tsx";

export function render(page: string): string {
  return renderToString(<App page={page} />);
}
